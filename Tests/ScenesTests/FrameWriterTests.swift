// SPDX-License-Identifier: MIT
@testable import Formats
import Foundation
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
    let folder = try ScratchFolder()
    try writeNPY(folder("a.npy"))
    let bytes = try folder.bytes("a.npy")
    let header = try NPYHeader(bytes)
    #expect(header.shape == [2, 3, 2])
    #expect(header.element.size == 4)
    #expect(!header.fortranOrder)
    #expect(header.dataStart.isMultiple(of: 64))
    #expect(bytes[header.dataStart - 1] == 0x0A)
    #expect(bytes.count == header.dataStart + shape.byteCount)
    let bits: [UInt32] = stride(from: header.dataStart, to: bytes.count, by: 4).map { start in
      bytes[start..<start + 4].reversed().reduce(0) { bits, byte in bits << 8 | UInt32(byte) }
    }
    #expect(bits == frames.flatMap { $0.map(\.bitPattern) })
    #expect(folder.names == ["a.npy"])
  }

  @Test func csvReadsBackAsTheSameNumbers() throws {
    let folder = try ScratchFolder()
    let values: [[Float]] = [[0, 1.5, -2, 0.1, 1 / 3, 1e-7], [1e14, 2, 3, 4, 5, 6]]
    var writer = try CSVWriter(folder("a.csv"), shape: shape, components: ["x", "y"])
    for frame in values {
      try writer.write(frame)
      try writer.endFrame()
    }
    try writer.finish()
    let recording = try Recording(csv: try folder.bytes("a.csv"))
    #expect(recording.names == ["x0", "y0", "x1", "y1", "x2", "y2"])
    #expect(recording.values == values.flatMap { $0 })
  }

  @Test func nothingIsLeftWithoutFinish() throws {
    let folder = try ScratchFolder()
    _ = try folder.write("a.npy", [9])
    do {
      var writer = try NPYWriter(folder("a.npy"), shape: shape)
      try writer.write(frames[0])
      #expect(folder.names.count == 2)
    }
    #expect(folder.names == ["a.npy"])
    #expect(try folder.bytes("a.npy") == [9])
  }

  @Test func aFrameTooShortAndAFileTooShortAreErrors() throws {
    let folder = try ScratchFolder()
    #expect(
      fileError {
        var writer = try NPYWriter(folder("a.npy"), shape: shape)
        try writer.write([1])
        try writer.endFrame()
      } != nil)
    #expect(
      fileError {
        var writer = try NPYWriter(folder("a.npy"), shape: shape)
        try writer.write(frames[0])
        try writer.endFrame()
        try writer.finish()
      } != nil)
    #expect(folder.names.isEmpty)
  }

  @Test func placesThatCannotBeWrittenAreRefusedBeforeAnyWork() throws {
    let folder = try ScratchFolder()
    for path in [
      folder("none/a.npy"), folder.path, "/dev/full", "/dev/null", "", "\(folder.path)/", "a\u{0}.npy",
      folder(String(repeating: "n", count: 300) + ".npy"),
    ] {
      #expect(fileError { _ = try NPYWriter(path, shape: shape) } != nil, "\(path) was taken")
    }
    #expect(folder.names.isEmpty)
    #expect(FileManager.default.fileExists(atPath: "/dev/full"))
  }

  @Test func aLinkLeadsToTheFileItNames() throws {
    let folder = try ScratchFolder()
    let path = try folder.write("a.npy", [9])
    try FileManager.default.createSymbolicLink(atPath: folder("link.npy"), withDestinationPath: path)
    try writeNPY(folder("link.npy"))
    #expect(try folder.bytes("a.npy").count > 64)
    #expect(folder.names == ["a.npy", "link.npy"])
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder("link.npy")) == path)
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

  @Test func aNameAsLongAsANameCanBeIsTaken() throws {
    let folder = try ScratchFolder()
    let name = String(repeating: "n", count: 251) + ".npy"
    try writeNPY(folder(name))
    #expect(folder.names == [name])
  }
}
