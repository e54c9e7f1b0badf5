// SPDX-License-Identifier: MIT
import Foundation
import TestSupport
import Testing
import Text

@testable import Formats
@testable import Scenes

struct FileBytesTests {
  @Test func aFileAndALinkToItAreRead() throws {
    let folder = try TemporaryFolder()
    let path = folder.write("a", [1, 2, 3])
    try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: path)
    #expect(
      try FileBytes.read(path, limit: 3) == [1, 2, 3] && FileBytes.read(folder.path("link"), limit: 3) == [1, 2, 3])
  }

  @Test func whatIsNoFileIsRefusedAtOnce() throws {
    let folder = try TemporaryFolder()
    #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
    #expect(fileError { try FileBytes.read(folder.path("pipe"), limit: 9) }?.reason == "is not a regular file")
    #expect(fileError { try FileBytes.read(folder.url.path, limit: 9) }?.reason == "is a directory, not a file")
    #expect(fileError { try FileBytes.read("/dev/zero", limit: 9) }?.reason == "is not a regular file")
    #expect(
      fileError { try FileBytes.read(folder.path("none"), limit: 9) }?.reason.hasPrefix("cannot be opened") == true)
    #expect(fileError { try FileBytes.read("", limit: 9) } != nil)
    #expect(fileError { try FileBytes.read("a\u{0}b", limit: 9) } != nil)
  }

  @Test func aFileBeyondTheLimitIsRefused() throws {
    let folder = try TemporaryFolder()
    let path = folder.write("a", [UInt8](repeating: 7, count: 1025))
    let error = fileError { try FileBytes.read(path, limit: 1024) }
    #expect(error?.file == path && error?.reason.hasPrefix("is larger than the limit") == true)
    // A file of ten gigabytes that takes no room: refused by its size, not after reading it.
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.truncate(atOffset: 10 << 30)
    #expect(fileError { try FileBytes.read(path, limit: FileBytes.sceneLimit) } != nil)
  }

  @Test func errorsNameFilePlaceAndReason() {
    let error = FileError(file: "a\u{1B}b.json", place: "groups[0]", "is wrong")
    #expect(error.description == "a\u{FFFD}b.json: groups[0]: is wrong")
    #expect(FileError(String(repeating: "x", count: 9)).inFile("f").description == "f: xxxxxxxxx")
    #expect(String(repeating: "x", count: 80).printable.count == 80)
    #expect(String(repeating: "x", count: 1_000_000).printable.count == 77)
  }
}
