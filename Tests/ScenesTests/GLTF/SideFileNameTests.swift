// SPDX-License-Identifier: MIT
import Foundation
import TestSupport
import Testing

@testable import Formats
@testable import Scenes

struct SideFileNameTests {

  /// Escapes are decoded once: some of these are odd names, not ways.
  @Test(arguments: TextTable.rows(of: "side files", in: "inputs.txt")) func namesAreDecoded(_ row: [String]) throws {
    #expect(try SideFileName(uri: row[0]).path == row[1])
  }

  @Test func namesThatLeadElsewhereAreRefused() {
    let rows = TextTable.rows(of: "side files that lead elsewhere", in: "inputs.txt")
    for uri in rows.map({ $0[0] }) + ["", String(repeating: "a", count: 5000)] {
      #expect(fileError { try SideFileName(uri: uri) } != nil, "\(uri)")
    }
    #expect(rows.count > 30)
  }

  @Test func linksStayInTheFolder() throws {
    let outside = try TemporaryFolder()
    let folder = try TemporaryFolder()
    let secret = outside.write("secret", [1, 2, 3])
    folder.write("inside", [4])
    let manager = FileManager.default
    try manager.createSymbolicLink(atPath: folder.path("good"), withDestinationPath: "inside")
    try manager.createSymbolicLink(atPath: folder.path("bad"), withDestinationPath: secret)
    try manager.createSymbolicLink(atPath: folder.path("up"), withDestinationPath: "..")
    try manager.createSymbolicLink(atPath: folder.path("round"), withDestinationPath: "round")

    #expect(try FileBytes.read(SideFileName(uri: "good").resolved(in: folder.url.path), limit: 9) == [4])
    for name in ["bad", "up/\((outside.url.path as NSString).lastPathComponent)/secret", "round", "none"] {
      #expect(fileError { try SideFileName(uri: name).resolved(in: folder.url.path) } != nil, "\(name)")
    }
    let error = fileError { try SideFileName(uri: "bad").resolved(in: folder.url.path) }
    #expect(error?.reason == "“bad” leads out of the file's folder")
    // A neighbour whose name begins like the folder's is outside too.
    let neighbour = folder.url.path + "2"
    try manager.createDirectory(atPath: neighbour, withIntermediateDirectories: true)
    defer { try? manager.removeItem(atPath: neighbour) }
    try Data([9]).write(to: URL(fileURLWithPath: neighbour + "/a"))
    try manager.createSymbolicLink(atPath: folder.path("near"), withDestinationPath: neighbour)
    #expect(fileError { try SideFileName(uri: "near/a").resolved(in: folder.url.path) } != nil)
  }

  @Test func theErrorNamesThePlaceInTheFile() throws {
    let folder = try TemporaryFolder()
    let fixture = GLTFFixture.small()
    for (uri, expected) in [
      ("../b.bin", "must stay in the file's folder, is “../b.bin”"), ("b.bin", "“b.bin” cannot be opened"),
      ("https://a/b", "has the scheme “https”"), ("data:text/plain,abc", "is a data URI that is not in base64"),
      ("data:;base64", "without a comma"), ("data:;base64,A", "its base64 is wrong"),
      ("data:;base64,A===", "its base64 is wrong"), ("data:;base64,AA AA", "its base64 is wrong"),
      ("data:;base64,AA-_", "its base64 is wrong"), ("data:;base64,AAAA%3D", "its base64 is wrong"),
      ("data:;base64,=AAA", "its base64 is wrong"), ("data:;base64,Ä", "its base64 is wrong"),
      ("DATA:;base64,AAAA", "has the scheme “DATA”"), (".", "is a directory"),
    ] {
      let path = folder.write("a.gltf", fixture.json(uri: uri).utf8)
      let error = fileError { try GLTFDocument(path: path) }
      #expect(error?.file == path)
      #expect(
        error?.place
          == "animations[0].samplers[0].input: accessors[0]: bufferViews[0].buffer: buffers[0].uri", "\(uri)")
      #expect(error?.reason.contains(expected) == true, "\(error?.description ?? "accepted")")
    }
    let text = fixture.json(uri: "b.bin")
    #expect(fileError { try GLTFDocument(Array(text.utf8)) }?.reason.contains("none can be read here") == true)
  }
}
