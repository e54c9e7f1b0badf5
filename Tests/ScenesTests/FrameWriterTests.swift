// SPDX-License-Identifier: MIT
@testable import Formats
import Foundation
import TestSupport
import Testing

@testable import Scenes

struct FrameWriterTests {
  private let shape = FrameShape(frames: 2, tracks: 3, dimensions: 2)
  private let frames: [[Float]] = [
    [0, -0.0, 1.5, 3.4e38, .leastNonzeroMagnitude, -2], [1, 2, 3, 0.1, 1 / 3, 16_777_216],
  ]

  private func writeNPY(_ path: String) throws {
    var writer = try NPYWriter(path, shape: shape)
    for frame in frames {
      try writer.write(Array(frame[..<2]))
      try writer.write(Array(frame[2...]))
      try writer.endFrame()
    }
    try writer.finish()
  }

  @Test func npyHasTheBytesOfTheFormat() throws {
    let folder = try TemporaryFolder()
    try writeNPY(folder.path("a.npy"))
    let bytes = try folder.bytes("a.npy")
    let header = try NPYHeader(bytes)
    #expect(header.shape == [2, 3, 2] && header.element.size == 4 && !header.fortranOrder)
    #expect(header.dataStart.isMultiple(of: 64) && bytes[header.dataStart - 1] == 0x0A)
    #expect(bytes.count == header.dataStart + shape.byteCount)
    let bits: [UInt32] = stride(from: header.dataStart, to: bytes.count, by: 4).map { start in
      bytes[start..<start + 4].reversed().reduce(0) { bits, byte in bits << 8 | UInt32(byte) }
    }
    #expect(bits == frames.flatMap { $0.map(\.bitPattern) } && folder.names == ["a.npy"])
  }

  @Test func csvReadsBackAsTheSameNumbers() throws {
    let folder = try TemporaryFolder()
    let values: [[Float]] = [[0, 1.5, -2, 0.1, 1 / 3, 1e-7], [1e14, 2, 3, 4, 5, 6]]
    var writer = try CSVWriter(folder.path("a.csv"), shape: shape, components: ["x", "y"])
    for frame in values {
      try writer.write(frame)
      try writer.endFrame()
    }
    try writer.finish()
    let recording = try Recording(csv: try folder.bytes("a.csv"))
    #expect(recording.names == ["x0", "y0", "x1", "y1", "x2", "y2"] && recording.values == values.flatMap { $0 })
  }

  @Test func nothingIsLeftWithoutFinish() throws {
    let folder = try TemporaryFolder()
    folder.write("a.npy", [9])
    do {
      var writer = try NPYWriter(folder.path("a.npy"), shape: shape)
      try writer.write(frames[0])
      #expect(folder.names.count == 2)
    }
    #expect(try folder.names == ["a.npy"] && folder.bytes("a.npy") == [9])
  }

  @Test func aFrameTooShortAndAFileTooShortAreErrors() throws {
    let folder = try TemporaryFolder()
    for (numbers, isFinished) in [([1], false), (frames[0], true)] {
      let error = fileError {
        var writer = try NPYWriter(folder.path("a.npy"), shape: shape)
        try writer.write(numbers)
        try writer.endFrame()
        if isFinished { try writer.finish() }
      }
      #expect(error != nil)
    }
    #expect(folder.names.isEmpty)
  }

  @Test func placesThatCannotBeWrittenAreRefusedBeforeAnyWork() throws {
    let folder = try TemporaryFolder()
    for path in [
      folder.path("none/a.npy"), folder.url.path, "/dev/full", "/dev/null", "", "\(folder.url.path)/", "a\u{0}.npy",
      folder.path(String(repeating: "n", count: 300) + ".npy"),
    ] {
      #expect(fileError { _ = try NPYWriter(path, shape: shape) } != nil, "\(path) was taken")
    }
    #expect(folder.names.isEmpty && FileManager.default.fileExists(atPath: "/dev/full"))
  }

  @Test func aLinkLeadsToTheFileItNames() throws {
    let folder = try TemporaryFolder()
    let path = folder.write("a.npy", [9])
    try FileManager.default.createSymbolicLink(atPath: folder.path("link.npy"), withDestinationPath: path)
    try writeNPY(folder.path("link.npy"))
    #expect(try folder.bytes("a.npy").count > 64 && folder.names == ["a.npy", "link.npy"])
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("link.npy")) == path)
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full here"))
  func aFullDiskIsAnError() throws {
    let descriptor = open("/dev/full", O_WRONLY)
    try #require(descriptor >= 0)
    let error = fileError {
      var file = OutputFile(descriptor: descriptor, shownPath: "out.npy")
      try file.write([UInt8](repeating: 1, count: 3 << 20))
      try file.finish()
    }
    #expect(error?.description.hasPrefix("out.npy: cannot be written: ") == true)
  }

  /// Names of 255 bytes and of 250, of which a letter has one or six.
  @Test(arguments: [String(repeating: "n", count: 251), String(repeating: "नि", count: 41)])
  func aNameAsLongAsANameCanBeIsTaken(_ stem: String) throws {
    let folder = try TemporaryFolder()
    let name = stem + ".npy"
    try writeNPY(folder.path(name))
    #expect(folder.names == [name])
  }
}
