// SPDX-License-Identifier: MIT

extension Recording {
  /// The motion block of a Biovision (BVH) file: its channels in the order of the hierarchy, named `Joint.channel`.
  ///
  /// Angles stay in degrees and lengths in the file's units.
  /// - Throws: `FileError` with the line.
  public init(bvh bytes: [UInt8]) throws(FileError) {
    var lines = try TextLines(bytes)
    var hierarchy = BVHHierarchy()
    while !hierarchy.isComplete {
      guard let line = try lines.nextLine() else { throw FileError(place: lines.place, "ends inside the hierarchy") }
      try Recording.checkLength(line, place: lines.place)
      do { try hierarchy.read(line.words.map(\.text)) } catch { throw error.at(lines.place) }
    }
    let channels = hierarchy.names.count
    guard channels > 0 else { throw FileError(place: lines.place, "the hierarchy names no channel") }

    let frames = try Recording.setting("Frames:", in: &lines)
    guard frames >= 1, frames == frames.rounded(), frames <= Double(Int32.max) else {
      throw FileError(place: lines.place, "Frames: must be a whole number from 1 on")
    }
    let frameTime = try Recording.setting("Frame Time:", in: &lines)
    guard frameTime >= 1e-4, frameTime <= 1e4 else {
      throw FileError(place: lines.place, "Frame Time: must be from 1e-4 to 1e4 seconds, is \(frameTime)")
    }

    var values: [Float] = []
    while let line = try lines.nextLine() {
      try Recording.checkLength(line, place: lines.place)
      let fields = line.words
      if fields.isEmpty { continue }
      guard values.count / channels < Int(frames) else {
        throw FileError(place: lines.place, "holds more than the \(Int(frames)) frames it states")
      }
      guard fields.count == channels else {
        throw FileError(place: lines.place, "has \(fields.count) values, the hierarchy \(channels) channels")
      }
      for (column, field) in fields.enumerated() {
        values.append(try Recording.value(field, place: "\(lines.place), value \(column + 1)"))
      }
    }
    guard values.count / channels == Int(frames) else {
      let found = values.count / channels
      throw FileError(place: lines.place, "is cut short: states \(Int(frames)) frames, holds \(found)")
    }
    try self.init(
      channels: channels, values: values, framesPerSecond: Recording.rate(frameTime), names: hierarchy.names,
      skeleton: hierarchy.skeleton)
  }

  /// Refuses a line that is too long for any skeleton before it is split: the words of a split line take many times its
  /// bytes.
  private static func checkLength(_ line: ArraySlice<UInt8>, place: String) throws(FileError) {
    guard line.count <= 16 << 20 else { throw FileError(place: place, "is longer than 16 MiB") }
  }

  /// Frames per second of a frame time, which files write with few digits: .0083333 means 120 a second.
  private static func rate(_ frameTime: Double) -> Double {
    let whole = (1 / frameTime).rounded()
    return whole >= 1 && abs(frameTime * whole - 1) < 1e-4 ? whole : 1 / frameTime
  }

  /// The number after the words `name` on the next line that is not blank.
  private static func setting(_ name: String, in lines: inout TextLines) throws(FileError) -> Double {
    var line = try lines.nextLine()
    while let blank = line, blank.words.isEmpty { line = try lines.nextLine() }
    let keys = name.split(separator: " ")
    guard let words = line?.words, words.count == keys.count + 1,
      zip(words, keys).allSatisfy({ $0.elementsEqual($1.utf8) }), let number = words.last?.number
    else { throw FileError(place: lines.place, "expected “\(name)” and a number") }
    return number
  }
}

extension FileError {
  /// This error at `place`.
  func at(_ place: String) -> FileError { FileError(file: file, place: place, reason) }
}
