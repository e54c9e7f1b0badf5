// SPDX-License-Identifier: MIT
@testable import Formats
import Foundation
import Testing

@testable import Scenes

struct SideFileNameTests {
  @Test(arguments: [
    ("a.bin", "a.bin"), ("a%20b.bin", "a b.bin"), ("data/a.bin", "data/a.bin"), ("%C3%BC.bin", "ü.bin"),
    ("ü.bin", "ü.bin"), ("a..b.bin", "a..b.bin"), ("./a.bin", "./a.bin"), ("a%2Fb", "a/b"), ("...", "..."),
    // Escapes are decoded once: these are odd names, not ways.
    ("%252e%252e/a", "%2e%2e/a"), ("%25", "%"), ("a%3Ab", "a:b"), ("~/a", "~/a"), ("$HOME/a", "$HOME/a"),
  ])
  func namesAreDecoded(_ uri: String, _ path: String) throws {
    #expect(try SideFileName(uri: uri).path == path)
  }

  @Test(arguments: [
    "", "/etc/passwd", "%2Fetc/passwd", "//host/a", "../a", "a/../../b", "a/..", "..", "%2e%2e/a", "a/%2E./b",
    "..%2Fa", "..\\a", "a\\b", "http://a/b", "file:///etc/passwd", "C:/a", "FILE:a", "data%3A,a/../b", "a%", "a%2",
    "a%zz", "%FF.bin", "%2e%2e%2fa", "a/%2e%2e/%2e%2e/b", "a/.%2e", "%2E%2E", "..%5Ca", "a%5Cb", "\\\\host\\a",
    "%5C%5Chost", "%2F%2Fhost",
    "a%c0%ae%c0%ae/b", "%-1", "%+1", "a%00b", "a\u{0}b", String(repeating: "a", count: 5000),
  ])
  func namesThatLeadElsewhereAreRefused(_ uri: String) {
    #expect(fileError { try SideFileName(uri: uri) } != nil, "\(uri)")
  }

  @Test func linksStayInTheFolder() throws {
    let outside = try ScratchFolder()
    let folder = try ScratchFolder()
    let secret = try outside.write("secret", [1, 2, 3])
    _ = try folder.write("inside", [4])
    let manager = FileManager.default
    try manager.createSymbolicLink(atPath: folder("good"), withDestinationPath: "inside")
    try manager.createSymbolicLink(atPath: folder("bad"), withDestinationPath: secret)
    try manager.createSymbolicLink(atPath: folder("up"), withDestinationPath: "..")
    try manager.createSymbolicLink(atPath: folder("round"), withDestinationPath: "round")

    #expect(try FileBytes.read(SideFileName(uri: "good").resolved(in: folder.path), limit: 9) == [4])
    for name in ["bad", "up/\((outside.path as NSString).lastPathComponent)/secret", "round", "none"] {
      #expect(fileError { try SideFileName(uri: name).resolved(in: folder.path) } != nil, "\(name)")
    }
    let error = fileError { try SideFileName(uri: "bad").resolved(in: folder.path) }
    #expect(error?.reason == "“bad” leads out of the file's folder")
    // A neighbour whose name begins like the folder's is outside too.
    let neighbour = folder.path + "2"
    try manager.createDirectory(atPath: neighbour, withIntermediateDirectories: true)
    defer { try? manager.removeItem(atPath: neighbour) }
    try Data([9]).write(to: URL(fileURLWithPath: neighbour + "/a"))
    try manager.createSymbolicLink(atPath: folder("near"), withDestinationPath: neighbour)
    #expect(fileError { try SideFileName(uri: "near/a").resolved(in: folder.path) } != nil)
  }

  @Test func theErrorNamesThePlaceInTheFile() throws {
    let folder = try ScratchFolder()
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
      let path = try folder.write("a.gltf", fixture.json(uri: uri).utf8)
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
