// SPDX-License-Identifier: MIT
import CProcessor
import Kernels

/// What a frame changes of mixed tiles: when to look at them next, and what it found. Lent to the threads of a frame, each of
/// which touches the tiles of its own parts only.
@safe
struct TileWatch {
  /// What was found of a tile.
  struct Mark: OptionSet {
    let rawValue: UInt8
    /// Lanes completed.
    static let completed = Mark(rawValue: 1)
    /// The last of its lanes came to rest.
    static let fellAsleep = Mark(rawValue: 2)
  }

  private let deadlines: UnsafeMutablePointer<Double>
  private let reported: UnsafeMutablePointer<TileTable.Reported>
  private let found: UnsafeMutablePointer<TileTable.Reported>
  private let marks: UnsafeMutablePointer<UInt8>
  private let isAsleep: UnsafeMutablePointer<Bool>
  private let live: UnsafePointer<UInt16>

  /// Pointers to tables of as many tiles.
  init(
    deadlines: UnsafeMutablePointer<Double>, reported: UnsafeMutablePointer<TileTable.Reported>,
    found: UnsafeMutablePointer<TileTable.Reported>, marks: UnsafeMutablePointer<UInt8>,
    isAsleep: UnsafeMutablePointer<Bool>, live: UnsafePointer<UInt16>
  ) {
    unsafe self.deadlines = deadlines
    unsafe self.reported = reported
    unsafe self.found = found
    unsafe self.marks = marks
    unsafe self.isAsleep = isAsleep
    unsafe self.live = live
  }

  /// Lists the tiles of a range whose deadline has passed.
  ///
  /// - Returns: How many there are.
  @inline(__always)
  func listDue(in range: Range<Int>, at time: Double, _ list: UnsafeMutablePointer<Int32>) -> Int {
    unsafe lanes_list_at_most(deadlines, range.lowerBound, range.upperBound, time, list)
  }

  /// Whether it has still to be computed when the lanes of a tile come to rest.
  @inline(__always)
  func isFresh(_ tile: Int) -> Bool { unsafe deadlines[tile] == -.infinity }

  /// Notes what a tile answered, and when it has to be looked at next.
  ///
  /// - Returns: Whether it fell asleep.
  @inline(__always)
  func note(_ answer: TileDue, of tile: Int, at time: Double) -> Bool {
    // What is left is a Float: the look after the next may be a little early, and never late.
    unsafe deadlines[tile] = time + Double(answer.remaining) * 0.999999
    let live = unsafe live[tile]
    let logical = unsafe live & answer.logical & ~reported[tile].logical
    let resting = unsafe live & answer.resting & ~reported[tile].settled
    let fellAsleep = live & ~answer.resting == 0
    var mark: Mark = fellAsleep ? .fellAsleep : []
    if logical | resting != 0 {
      unsafe reported[tile].logical |= logical
      unsafe reported[tile].settled |= resting
      unsafe found[tile] = TileTable.Reported(logical: logical, settled: resting)
      mark.insert(.completed)
    }
    if mark.rawValue != 0 {
      unsafe marks[tile] = mark.rawValue
    }
    if fellAsleep {
      unsafe isAsleep[tile] = true
    }
    return fellAsleep
  }
}

// Lent for the length of a frame, in which no two threads have a tile in common.
extension TileWatch: @unchecked Sendable {}
