// SPDX-License-Identifier: MIT
import CProcessor
import Kernels

/// When a frame has to look at tiles of springs with starts of their own, and what it found: lanes that are logically
/// complete, and lanes that came to rest.
///
/// A frame looks at due tiles just before it evaluates them, and on the same thread, as both need the same lines of
/// memory.
struct SpringWatch {
  /// Lanes of a tile.
  struct Lanes {
    var logical: UInt16 = 0
    var settled: UInt16 = 0

    /// The bits of a row of the tile.
    subscript(row: Int) -> Reported {
      get { Reported(logical: logical & TileStore.bit(row) != 0, settled: settled & TileStore.bit(row) != 0) }
      set {
        let bit = TileStore.bit(row)
        if newValue.logical { logical |= bit } else { logical &= ~bit }
        if newValue.settled { settled |= bit } else { settled &= ~bit }
      }
    }
  }

  /// The result of a look at a tile.
  struct Mark: OptionSet {
    let rawValue: UInt8
    /// Lanes completed.
    static let completed = Mark(rawValue: 1)
    /// The last lane came to rest.
    static let fellAsleep = Mark(rawValue: 2)
  }

  /// The state of a tile.
  fileprivate struct State {
    /// The lanes that were reported.
    var reported = Lanes()
    /// The lanes whose motions one call began together.
    var together: UInt16 = 0
    /// Whether all lanes are at rest, and show it.
    var isAsleep = false
    /// The number of the call that began the motions of the lanes `together`. The numbers of other lanes are in the
    /// column that every track has.
    var change: UInt32 = 0

    /// Notes that the motion of some lanes begins, and returns whether the tile was asleep.
    @inline(__always)
    mutating func begin(_ lanes: UInt16) -> Bool {
      reported.logical &= ~lanes
      reported.settled &= ~lanes
      together &= ~lanes
      defer { isAsleep = false }
      return isAsleep
    }
  }

  /// By tile: the time at which a lane may complete or come to rest next; −∞ if it is not computed yet.
  private(set) var deadlines: [Double] = []
  private var states: [State] = []
  /// The lanes that a frame found to have completed, until they are reported.
  private(set) var found: [Lanes] = []
  private var marks: [UInt8] = []

  /// Makes room for more tiles.
  mutating func grow(to tiles: Int) {
    deadlines.grow(to: tiles, with: .infinity)
    states.grow(to: tiles, with: State())
    found.grow(to: tiles, with: Lanes())
    marks.grow(to: tiles, with: 0)
  }

  // MARK: - Motions

  /// Watches a tile that has just been taken.
  mutating func begin(_ tile: Int) {
    states[tile] = State()
    deadlines[tile] = .infinity
  }

  /// Whether all lanes of a tile are at rest, and show it.
  func isAsleep(_ tile: Int) -> Bool { states[tile].isAsleep }

  /// Notes that motions begin in some lanes of a tile, so that the next frame looks at the tile.
  ///
  /// - Returns: Whether the tile was asleep.
  @inline(__always)
  mutating func expect(_ tile: Int, lanes: UInt16) -> Bool {
    deadlines[tile] = -.infinity
    return states[tile].begin(lanes)
  }

  /// Notes that one call begins motions in all lanes of tiles, so that the next frame looks at the tiles.
  ///
  /// - Parameter change: The number of the call.
  /// - Returns: Whether one of the tiles was asleep.
  mutating func expect(_ tiles: Range<Int>, change: UInt32) -> Bool {
    deadlines.fill(tiles, with: -.infinity)
    var states = states.mutableSpan
    var someSleep = false
    for tile in tiles {
      someSleep = states[tile].isAsleep || someSleep
      states[tile] = State(together: .max, change: change)
    }
    return someSleep
  }

  /// The number of the call that began the motion of a row together with others of its tile; nil if that number is in
  /// the column of changes.
  func change(ofRow row: Int) -> UInt32? {
    let state = states[row / laneCountOfTile]
    return state.together & TileStore.bit(row) != 0 ? state.change : nil
  }

  /// Whether the time at which the lanes of a tile come to rest is not computed yet.
  func isFresh(_ tile: Int) -> Bool { deadlines[tile] == -.infinity }

  /// What was reported of the motion of a row.
  struct Reported {
    var logical = false
    var settled = false

    /// Everything, so that no completion is reported: for a motion within a schedule.
    static let everything = Reported(logical: true, settled: true)
  }

  /// What was reported of the motion of a row.
  func reported(ofRow row: Int) -> Reported { states[row / laneCountOfTile].reported[row] }

  /// Sets what was reported of the motion of a row.
  mutating func setReported(_ row: Int, _ now: Reported) { states[row / laneCountOfTile].reported[row] = now }

  /// Makes the next frame look at a tile, whatever its lanes do.
  mutating func wake(_ tile: Int) {
    deadlines[tile] = -.infinity
    states[tile].isAsleep = false
  }

  /// Copies what was reported of a row of another watch, and makes the next frame look at the tile.
  mutating func copy(_ row: Int, of other: SpringWatch, _ old: Int) {
    deadlines[row / laneCountOfTile] = -.infinity
    setReported(row, other.reported(ofRow: old))
  }

  // MARK: - A frame

  /// Lends the threads of a frame the columns that they change.
  mutating func withLoan(_ live: [UInt16], _ body: (Loan) -> Void) {
    deadlines.withColumn { deadlines in
      states.withColumn { states in
        found.withColumn { found in
          marks.withColumn { marks in
            live.withConstantColumn { live in
              body(Loan(deadlines: deadlines, states: states, found: found, marks: marks, live: live))
            }
          }
        }
      }
    }
  }

  /// Takes the marks off the tiles of a range, and appends these tiles to a list.
  mutating func takeMarks(in range: Range<Int>, _ list: inout [(tile: Int32, mark: Mark)]) {
    let tilesAtOnce = 256
    for first in stride(from: range.lowerBound, to: range.upperBound, by: tilesAtOnce) {
      unsafe withUnsafeTemporaryAllocation(of: Int32.self, capacity: tilesAtOnce) { marked in
        marks.withColumn { marks in
          guard let marked = unsafe marked.column else { return }
          let end = min(first + tilesAtOnce, range.upperBound)
          for index in 0..<(unsafe lanes_list_marked(marks.address, first, end, marked.address)) {
            let tile = marked[index]
            list.append((tile, Mark(rawValue: marks[Int(tile)])))
            marks[Int(tile)] = 0
          }
        }
      }
    }
  }

  /// The columns of the watch that the threads of a frame change. No two threads have a tile in common.
  struct Loan {
    fileprivate let deadlines: Column<Double>
    fileprivate let states: Column<State>
    fileprivate let found: Column<Lanes>
    fileprivate let marks: Column<UInt8>
    fileprivate let live: ConstantColumn<UInt16>

    /// Lists the tiles of a range whose deadline has passed, and returns how many there are.
    @inline(__always)
    func listDue(in range: Range<Int>, at time: Double, _ list: Column<Int32>) -> Int {
      unsafe lanes_list_at_most(deadlines.address, range.lowerBound, range.upperBound, time, list.address)
    }

    /// Whether the time at which the lanes of a tile come to rest is not computed yet.
    @inline(__always)
    func isFresh(_ tile: Int) -> Bool { deadlines[tile] == -.infinity }

    /// Notes what a look at a tile found, and when the next look is due.
    ///
    /// - Returns: Whether the tile fell asleep.
    @inline(__always)
    func note(_ answer: TileDue, of tile: Int, at time: Double) -> Bool {
      // The remaining time is rounded to a Float. The factor makes the next look a little early, and never late.
      deadlines[tile] = time + Double(answer.remaining) * 0.999999
      let live = live[tile]
      let logical = live & answer.logical & ~states[tile].reported.logical
      let resting = live & answer.resting & ~states[tile].reported.settled
      let fellAsleep = live & ~answer.resting == 0
      var mark: Mark = fellAsleep ? .fellAsleep : []
      if logical | resting != 0 {
        states[tile].reported.logical |= logical
        states[tile].reported.settled |= resting
        found[tile] = Lanes(logical: logical, settled: resting)
        mark.insert(.completed)
      }
      if mark.rawValue != 0 { marks[tile] = mark.rawValue }
      if fellAsleep { states[tile].isAsleep = true }
      return fellAsleep
    }
  }
}

// A loan lasts for a frame, in which no two threads have a tile in common.
extension SpringWatch.Loan: @unchecked Sendable {}
