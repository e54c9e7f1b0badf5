// SPDX-License-Identifier: MIT

/// The lines that results are about to be written to. Parts of them are asked for while the results are computed: rows lie
/// far apart, so that no processor foresees them, and stores would wait for every one.
public struct LinesAhead {
  @usableFromInline let values: UnsafeMutablePointer<Float>
  @usableFromInline let velocities: UnsafeMutablePointer<Float>?
  @usableFromInline let rowCount: Int
  @usableFromInline let rowLength: Int
  @usableFromInline let rowStride: Int
  @usableFromInline let rowsOfPart: Int

  /// The lines of some lanes in some frames; nil where results are stored past the caches.
  ///
  /// - Parameters:
  ///   - output: Where the first lane goes in the first frame.
  ///   - partCount: In how many parts they are asked for; at least one.
  @inlinable @inline(__always)
  public init?(_ output: BakeOutput, lanes: Int, frames: Int, partCount: Int) {
    guard !output.isStreamed else { return nil }
    (values, velocities) = (output.values, output.velocities)
    let isTimeMajor = output.laneStride == 1
    (rowCount, rowLength) = isTimeMajor ? (frames, lanes) : (lanes, frames)
    rowStride = isTimeMajor ? output.frameStride : output.laneStride
    rowsOfPart = (rowCount &+ partCount &- 1) / partCount
  }
}

extension InstructionSet {
  /// Asks for a part of some lines.
  @inlinable @inline(__always)
  static func ask(for lines: LinesAhead, part: Int) {
    var row = part &* lines.rowsOfPart
    let behind = row &+ lines.rowsOfPart
    let end = behind < lines.rowCount ? behind : lines.rowCount
    while row < end {
      var element = row &* lines.rowStride
      let last = element &+ lines.rowLength
      while element < last {
        prefetch(lines.values + element)
        if let velocities = lines.velocities { prefetch(velocities + element) }
        element &+= floatCountOfLine
      }
      row &+= 1
    }
  }
}

/// Floats of a line of the caches.
@inlinable var floatCountOfLine: Int { @inline(__always) get { 16 } }
