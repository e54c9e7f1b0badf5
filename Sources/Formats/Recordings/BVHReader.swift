// SPDX-License-Identifier: MIT
import Text

extension Recording {
  /// The motion block of a Biovision (BVH) file: its channels in the order of the hierarchy, named `Joint.channel`.
  ///
  /// Angles stay in degrees and lengths in the file's units. Keywords are read in capitals and small letters. The last
  /// line needs no line end: it counts if it has all its values, so a last number that is cut short is not noticed.
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - lenient: Whether a file is read that holds more or fewer frames than it states; ``warnings`` says so then.
  /// - Throws: `FileError` with the line.
  public init(bvh bytes: [UInt8], lenient: Bool = false) throws(FileError) {
    var lines = try TextLines(bytes)
    var hierarchy = BVHHierarchy()
    while !hierarchy.isComplete {
      guard let line = lines.nextLine() else { throw FileError(place: lines.place, "ends inside the hierarchy") }
      try Recording.checkLength(line, place: lines.place)
      do { try hierarchy.read(line.words.map(\.text)) } catch { throw error.at(lines.place) }
    }
    let channels = hierarchy.names.count
    guard channels > 0 else { throw FileError(place: lines.place, "the hierarchy names no channel") }

    let frames = try Recording.setting("Frames:", in: &lines)
    guard frames >= 1, frames == frames.rounded(), frames <= Double(Int32.max) else {
      throw FileError(place: lines.place, "Frames: must be a whole number from 1 on, is \(NumberText.short(frames))")
    }
    let statement = lines.place
    let frameTime = try Recording.setting("Frame Time:", in: &lines)
    guard frameTime >= 1e-4, frameTime <= 1e4 else {
      throw FileError(place: lines.place, "Frame Time: must be from 1e-4 to 1e4 seconds, is \(frameTime)")
    }

    var values: [Float] = []
    while let line = lines.nextLine() {
      try Recording.checkLength(line, place: lines.place)
      let fields = line.words
      if fields.isEmpty { continue }
      // Before they are counted: two numbers without a space between them are a field too few.
      for (column, field) in fields.enumerated() {
        values.append(try Recording.value(field, place: "\(lines.place), value \(column + 1)"))
      }
      guard fields.count == channels else {
        throw FileError(place: lines.place, "has \(fields.count) values, the hierarchy \(channels) channels")
      }
    }
    let found = values.count / channels
    guard found > 0 else { throw FileError(place: lines.place, "states \(Int(frames)) frames, holds none") }
    let contradiction = FileError(place: statement, "states \(Int(frames)) frames, holds \(found)")
    guard found == Int(frames) || lenient else {
      throw FileError(
        place: statement, "\(contradiction.reason); correct the number, or read them all with --lenient")
    }
    try self.init(
      channels: channels, values: values, framesPerSecond: Recording.rate(frameTime), names: hierarchy.names,
      skeleton: hierarchy.skeleton)
    if found != Int(frames) { warnings = [contradiction] }
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

  /// The number after the words `name` and a colon on the next line that is not blank.
  private static func setting(_ name: String, in lines: inout TextLines) throws(FileError) -> Double {
    var line = lines.nextLine()
    while let blank = line, blank.trimmed.isEmpty { line = lines.nextLine() }
    try checkLength(line ?? [], place: lines.place)
    let sides = line?.split(separator: 0x3A, maxSplits: 1, omittingEmptySubsequences: false) ?? []
    guard sides.count == 2, sides[0].words.map(\.text).joined(separator: " ").lowercased() + ":" == name.lowercased()
    else { throw FileError(place: lines.place, "expected “\(name)” and a number") }
    guard let number = sides[1].trimmed.number else {
      throw FileError(place: lines.place, "\(name) \(complaint(about: sides[1].trimmed))")
    }
    return number
  }
}

extension FileError {
  /// This error at `place`.
  func at(_ place: String) -> FileError { FileError(file: file, place: place, reason) }
}
