// SPDX-License-Identifier: MIT
import CProcessor
import Kernels

/// The tolerances within which a motion counts as at rest.
public struct RestTolerances: Hashable, Sendable, BitwiseCopyable {
  /// The largest distance from the target, in value units, summed over all dimensions.
  public let value: Float
  /// The largest speed, in value units per second, summed over all dimensions; nil for `value` · ω₀, the speed of an
  /// undamped oscillation of that size.
  public let velocity: Float?

  /// The distances that batches accept.
  package static var values: ClosedRange<Float> { 1e-30...1e15 }

  /// The tolerances as kernels take them.
  var kernel: RestTolerance {
    RestTolerance(perValue: 1 / value, perVelocity: 1 / (velocity ?? value), isRelative: velocity == nil)
  }

  /// Tolerances that a batch accepts.
  ///
  /// - Parameters:
  ///   - value: In 10⁻³⁰…10¹⁵.
  ///   - velocity: In 10⁻³⁰…10³⁰, or nil.
  /// - Throws: ``BatchError/invalidTolerance(_:)``.
  public init(value: Float, velocity: Float? = nil) throws(BatchError) {
    guard Self.values ~= value else { throw .invalidTolerance(value) }
    if let velocity, !(1e-30...1e30 ~= velocity) { throw .invalidTolerance(velocity) }
    (self.value, self.velocity) = (value, velocity)
  }

  /// 0.001 in value, as in the model.
  package init() { (value, velocity) = (0.001, nil) }
}

// When motions come to rest.
extension SpringMotions {
  /// When the motion of a track is logically complete and when it is at rest.
  mutating func completion(at index: Int) -> (logicalTime: Double, restTime: Double) {
    // The ages of a tile that a frame has looked at are there, except those that a step of phases made infinite.
    if !watch.knowsAges(at: index) || columns.restAge[index] == .infinity {
      let tile = index / laneCountOfTile
      table.computeRest(columns, LaneRun(tile..<tile + 1), tolerance.kernel)
      watch.noteAges(tile)
    }
    let start = columns.start[index]
    let restTime = start + Double(columns.restAge[index])
    return (min(restTime, start + Double(columns.logicalAge[index])), restTime)
  }

  /// When the motion of a track is at rest; the columns stay as they are.
  func restTime(at index: Int) -> Double {
    let (tile, lane) = (index / laneCountOfTile, index % laneCountOfTile)
    return withRestAges(ofTile: tile) { ages in
      let (start, age) = (columns.start[index], ages[lane])
      let time = start + Double(age)
      // Far from 0 the clock may not have this very moment; then the next moment counts.
      return Float(time - start) < age ? time.nextUp : time
    }
  }

  /// Lends the ages at which the lanes of a tile come to rest, computed anew; the columns stay as they are.
  func withRestAges<Result>(
    ofTile tile: Int, _ body: (ConstantColumn<Float>) -> Result
  ) -> Result {
    withTemporaryLines(of: 2 * laneCountOfTile) { ages in
      var columns = columns
      columns.restAge = ages - tile * laneCountOfTile
      columns.logicalAge = ages + laneCountOfTile - tile * laneCountOfTile
      table.computeRest(columns, LaneRun(tile..<tile + 1), tolerance.kernel)
      return body(ages.constant)
    }
  }

  /// Whether a track with a spring was at rest in the last frame.
  func isAtRest(_ index: Int) -> Bool { columns.decay[index].sign == .minus }
}

/// The state of tiles of springs, besides the columns of their lanes.
///
/// It tells which tiles have one spring and one start, when a frame has to look at a tile, and which lanes completed or came
/// to rest since.
///
/// A frame looks at due tiles just before it evaluates them, and on the same thread, as both need the same lines of
/// memory.
struct SpringWatch: ~Copyable {
  /// Lanes of a tile.
  struct Lanes {
    var logical: UInt16 = 0
    var settled: UInt16 = 0

    /// The bits of a track of the tile.
    subscript(index: Int) -> Reported {
      get { Reported(logical: logical & TileStore.bit(index) != 0, settled: settled & TileStore.bit(index) != 0) }
      set {
        let bit = TileStore.bit(index)
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

  /// Motions with one beginning have one spring, and began at one moment.
  struct Beginning: Hashable {
    /// The number of the moment.
    let moment: UInt32
    /// The number of the spring, which is not 0; see ``SpringStart``.
    let spring: UInt32
  }

  /// The state of a tile.
  struct State {
    /// The lanes that were reported.
    var reported = Lanes()
    /// The lanes with the latest beginning.
    var together: UInt16 = 0
    /// The lanes that have the spring of the latest beginning.
    var alike: UInt16 = 0
    /// Whether all lanes are at rest, and show it, or none follows a spring.
    var isAsleep = true
    /// Whether some lanes with a track are at rest.
    var someRest = false
    /// Whether the ages at which its lanes complete and come to rest are not known at all.
    var isFresh = false
    /// The lanes whose ages are estimates, which may be early but never late. When one of them passes, the ages of the tile
    /// are computed.
    var estimated: UInt16 = 0
    /// At most the age at which a motion of one of the lanes may be at rest, whatever its start.
    var leastRestAge: Float = .infinity
    var beginning = Beginning(moment: 0, spring: 0)

    /// The entry of ``SpringWatch/evaluations`` for a tile whose lanes `live` have a track.
    @inline(__always)
    func evaluation(_ live: UInt16) -> UInt64 {
      if isAsleep { return SpringWatch.asleep }
      return live & ~together == 0 && !someRest ? UInt64(beginning.moment) << 32 | UInt64(beginning.spring) : 0
    }

    /// Notes that the motion of some lanes begins.
    ///
    /// - Parameter beginning: Nil if it is the beginning of no other lane.
    @inline(__always)
    mutating func begin(_ lanes: UInt16, _ beginning: Beginning?, _ leastRestAge: Float) {
      self.leastRestAge = min(self.leastRestAge, leastRestAge)
      reported.logical &= ~lanes
      reported.settled &= ~lanes
      isAsleep = false
      guard let beginning else {
        together &= ~lanes
        alike &= ~lanes
        return
      }
      if beginning.spring != self.beginning.spring { alike = 0 }
      if beginning != self.beginning { (together, self.beginning) = (0, beginning) }
      together |= lanes
      alike |= lanes
    }
  }

  /// By tile: the time at which a lane may complete or come to rest next.
  private(set) var deadlines = OwnedColumn<Double>()
  /// Before this moment no tile in which a spring moves is due, and no frame looks for one.
  private(set) var soonest = -Double.infinity
  private(set) var states = OwnedColumn<State>()
  /// By tile: 0 if each lane is evaluated by its own spring and start, ``asleep`` if none has to be, and otherwise the
  /// beginning of all lanes, so that equal neighbours are evaluated together.
  private(set) var evaluations = OwnedColumn<UInt64>()
  static let asleep = UInt64.max
  /// The lanes that a frame found to have completed, until they are reported.
  private(set) var found = OwnedColumn<Lanes>()
  private var marks = OwnedColumn<UInt8>()
  /// The memory of all columns.
  private var memory: MemoryBlock?
  /// The moment of the latest start, and its number.
  private var latest = (moment: Double.nan, number: UInt32(0))

  /// See ``ColumnShape/tileBytes``.
  static var tileBytes: Int { 2 * (MemoryLayout<State>.stride + MemoryLayout<Lanes>.stride + 17) }

  /// Makes room for more tiles.
  mutating func grow(to tiles: Int) {
    guard tiles > states.count else { return }
    let byteCount =
      OwnedColumn<Double>.lineBytes(tiles) + OwnedColumn<State>.lineBytes(tiles) + OwnedColumn<UInt64>.lineBytes(tiles)
      + OwnedColumn<Lanes>.lineBytes(tiles) + OwnedColumn<UInt8>.lineBytes(tiles)
    let larger = MemoryBlock(byteCount: byteCount, alignment: 64, isZeroed: false)
    var rest = larger.bytes
    deadlines.move(to: &rest, count: tiles, with: .infinity)
    states.move(to: &rest, count: tiles, with: State())
    evaluations.move(to: &rest, count: tiles, with: Self.asleep)
    found.move(to: &rest, count: tiles, with: Lanes())
    marks.move(to: &rest, count: tiles, with: 0)
    memory = consume larger
  }

  mutating func code(_ coder: inout StateCoder) {
    deadlines.code(&coder)
    states.code(&coder)
    evaluations.code(&coder)
    found.code(&coder)
    marks.code(&coder)
    coder.code(&soonest)
    coder.code(&latest)
  }

  // MARK: - Motions

  /// Watches a tile that has just been taken.
  mutating func begin(_ tile: Int) {
    (states[tile], deadlines[tile], evaluations[tile]) = (State(), .infinity, Self.asleep)
  }

  /// Notes that no lane of a tile follows a spring any more.
  mutating func sleep(_ tile: Int) { begin(tile) }

  /// Prefetches the state of a tile.
  @inline(__always)
  func prefetch(_ tile: Int) { states.column.prefetch(tile) }

  /// Whether all lanes of a tile are at rest, and show it, or none follows a spring.
  func isAsleep(_ tile: Int) -> Bool { states[tile].isAsleep }

  /// Whether no lane of a tile that follows a spring was at rest in the last frame.
  func noneRests(_ tile: Int) -> Bool { !states[tile].isAsleep && !states[tile].someRest }

  /// Notes that motions begin in some lanes of a tile, whose columns have estimates of their ages.
  ///
  /// - Parameters:
  ///   - start: When they begin.
  ///   - leastAge: At most the age at which one of them is complete or at rest.
  ///   - live: The lanes of the tile that have a track.
  /// - Returns: Whether the tile was asleep.
  @inline(__always)
  mutating func expect(
    _ tile: Int, lanes: UInt16, _ spring: SpringStart, at start: Double, leastAge: Float, live: UInt16
  ) -> Bool {
    deadlines[tile] = min(deadlines[tile], start + Double(leastAge))
    soonest = min(soonest, deadlines[tile])
    var state = states[tile]
    state.estimated |= lanes
    let wasAsleep = state.isAsleep
    state.begin(lanes, beginning(spring, at: start), spring.leastRestAge)
    (states[tile], evaluations[tile]) = (state, state.evaluation(live))
    return wasAsleep
  }

  /// Notes that motions begin in all lanes of tiles.
  ///
  /// - Parameters:
  ///   - spring: Nil for the springs that the lanes have.
  ///   - start: When they begin.
  /// - Returns: Whether one of the tiles was asleep.
  mutating func expect(_ tiles: Range<Int>, _ spring: SpringStart?, at start: Double) -> Bool {
    let beginning = spring.map { self.beginning($0, at: start) }
    var someSleep = false
    for tile in tiles {
      someSleep = states[tile].isAsleep || someSleep
      var state = State(
        isAsleep: false, isFresh: true, leastRestAge: spring?.leastRestAge ?? states[tile].leastRestAge)
      if let beginning { (state.together, state.alike, state.beginning) = (.max, .max, beginning) }
      states[tile] = state
      evaluations[tile] = state.evaluation(.max)
      deadlines[tile] = start + Double(state.leastRestAge)
      soonest = min(soonest, deadlines[tile])
    }
    return someSleep
  }

  /// The beginning of motions with a spring at a moment.
  @inline(__always)
  private mutating func beginning(_ spring: SpringStart, at moment: Double) -> Beginning {
    if latest.moment != moment { latest = (moment, latest.number &+ 1) }
    return Beginning(moment: latest.number, spring: spring.number)
  }

  /// Notes that a track has another spring or start from now on. A tile that sleeps goes on sleeping.
  ///
  /// - Parameter leastRestAge: The age before which its motion is not at rest.
  @inline(__always)
  mutating func change(_ index: Int, leastRestAge: Float) {
    let tile = TileStore.tile(index)
    states[tile].leastRestAge = min(states[tile].leastRestAge, leastRestAge)
    states[tile].together &= ~TileStore.bit(index)
    states[tile].alike &= ~TileStore.bit(index)
    if !states[tile].isAsleep { evaluations[tile] = 0 }
  }

  /// Notes the age before which no motion in a tile is at rest: all its lanes are about to begin motions.
  mutating func setLeastRestAge(ofTile tile: Int, _ age: Float) { states[tile].leastRestAge = age }

  /// The number of the spring that all lanes of a tile have; nil if they may have different ones.
  func spring(ofTile tile: Int) -> UInt32? { states[tile].alike == .max ? states[tile].beginning.spring : nil }

  /// Whether all lanes of a tile have one spring and one start, and none of them is at rest.
  func moveTogether(_ tile: Int) -> Bool { states[tile].together == .max && !states[tile].someRest }

  /// Whether the ages at which the lanes of a tile complete and come to rest are computed.
  func knowsAges(_ tile: Int) -> Bool { !states[tile].isFresh && states[tile].estimated == 0 }

  /// Whether the ages at which a track completes and comes to rest are computed.
  func knowsAges(at index: Int) -> Bool {
    let tile = TileStore.tile(index)
    return !states[tile].isFresh && states[tile].estimated & TileStore.bit(index) == 0
  }

  /// Notes that the ages of a tile are computed.
  mutating func noteAges(_ tile: Int) { (states[tile].isFresh, states[tile].estimated) = (false, 0) }

  /// The completions of a motion that were reported.
  struct Reported {
    var logical = false
    var settled = false

    /// Everything, so that no completion is reported: for a motion within a schedule.
    static let everything = Reported(logical: true, settled: true)
  }

  /// The completions of a track's motion that were reported.
  func reported(at index: Int) -> Reported { states[TileStore.tile(index)].reported[index] }

  /// Notes which completions of a track's motion were reported.
  mutating func setReported(_ index: Int, _ now: Reported) { states[TileStore.tile(index)].reported[index] = now }

  mutating func setReported(tile: Int, _ now: Lanes) { states[tile].reported = now }

  /// Makes the next frame look at a tile, whatever its lanes do.
  mutating func wake(_ tile: Int) {
    (deadlines[tile], soonest) = (-.infinity, -.infinity)
    (states[tile].isFresh, states[tile].isAsleep) = (true, false)
    if evaluations[tile] == Self.asleep { evaluations[tile] = 0 }
  }

  // MARK: - Uniform tiles

  /// Uniform tiles behind others that are fewer than this are quickest as the others are.
  fileprivate static let leastUniform = 3

  /// Whether all lanes of a tile have one spring and one start, and none is at rest.
  func isUniform(_ tile: Int) -> Bool { evaluations[tile] != 0 && evaluations[tile] != Self.asleep }

  // MARK: - A frame

  /// Finds out when a frame has to look at a tile next.
  mutating func findSoonest(_ frame: borrowing FrameTiles) {
    soonest = .infinity
    frame.forEachRunOfSprings { tiles in
      soonest = min(soonest, unsafe lanes_least(deadlines.column.address, tiles.lowerBound, tiles.upperBound))
    }
  }

  /// The columns that the threads of a frame change, and what they need to know of the tiles.
  func loan(_ store: borrowing TileStore) -> Loan {
    Loan(
      deadlines: deadlines.column, evaluations: evaluations.column, states: states.column, found: found.column,
      marks: marks.column, live: store.live.column.constant, moving: store.moving.column.constant, soonest: soonest)
  }

  /// Takes the marks off the tiles of a range, and appends these tiles to a list.
  mutating func takeMarks(in range: Range<Int>, _ list: inout [(tile: Int32, mark: Mark)]) {
    let tilesAtOnce = 256
    for first in stride(from: range.lowerBound, to: range.upperBound, by: tilesAtOnce) {
      unsafe withUnsafeTemporaryAllocation(of: Int32.self, capacity: tilesAtOnce) { marked in
        guard let marked = unsafe marked.column else { return }
        let end = min(first + tilesAtOnce, range.upperBound)
        for index in 0..<(unsafe lanes_list_marked(marks.column.address, first, end, marked.address)) {
          let tile = marked[index]
          list.append((tile, Mark(rawValue: marks[Int(tile)])))
          marks[Int(tile)] = 0
        }
      }
    }
  }

  /// The columns of the watch that the threads of a frame change. No two threads have a tile in common.
  struct Loan {
    fileprivate let deadlines: Column<Double>
    fileprivate let evaluations: Column<UInt64>
    fileprivate let states: Column<State>
    fileprivate let found: Column<Lanes>
    fileprivate let marks: Column<UInt8>
    fileprivate let live: ConstantColumn<UInt16>
    fileprivate let moving: ConstantColumn<UInt16>
    /// See ``SpringWatch/soonest``.
    let soonest: Double

    /// Lists the tiles of a range whose deadline has passed, and returns how many there are.
    @inline(__always)
    func listDue(in range: Range<Int>, at time: Double, _ list: Column<Int32>) -> Int {
      unsafe lanes_list_at_most(deadlines.address, range.lowerBound, range.upperBound, time, list.address)
    }

    /// See ``SpringWatch/State/isFresh``.
    @inline(__always)
    func isFresh(_ tile: Int) -> Bool { states[tile].isFresh }

    /// Whether an answer about a tile follows from an estimate, so that the ages must be computed.
    @inline(__always)
    func isEstimate(_ answer: TileDue, of tile: Int) -> Bool {
      (answer.logical | answer.resting) & states[tile].estimated & moving[tile] != 0
    }

    /// Notes that the ages of tiles are computed.
    func noteAges(_ tiles: Range<Int>) {
      for tile in tiles { (states[tile].isFresh, states[tile].estimated) = (false, 0) }
    }

    /// Notes what a look at a tile found, and when the next look is due.
    ///
    /// - Returns: Whether the tile fell asleep.
    @inline(__always)
    func note(_ answer: TileDue, of tile: Int, at time: Double) -> Bool {
      // The remaining time is rounded to a Float. The factor makes the next look a little early, and never late.
      deadlines[tile] = time + Double(answer.remaining) * 0.999999
      let moving = moving[tile]
      states[tile].someRest = moving & answer.resting != 0
      let logical = moving & answer.logical & ~states[tile].reported.logical
      let resting = moving & answer.resting & ~states[tile].reported.settled
      let fellAsleep = moving & ~answer.resting == 0
      var mark: Mark = fellAsleep ? .fellAsleep : []
      if logical | resting != 0 {
        states[tile].reported.logical |= logical
        states[tile].reported.settled |= resting
        found[tile] = Lanes(logical: logical, settled: resting)
        mark.insert(.completed)
      }
      if mark.rawValue != 0 { marks[tile] = mark.rawValue }
      if fellAsleep { states[tile].isAsleep = true }
      evaluations[tile] = states[tile].evaluation(live[tile])
      return fellAsleep
    }
  }
}

extension SpringWatch.Loan {
  /// Calls `body` with stretches of the tiles of a range that one call of a kernel evaluates: neighbours with one spring
  /// and start, and a lane that has them, or neighbours whose lanes have their own. Tiles that sleep are left out.
  @inline(__always)
  func forEachStretch(_ tiles: Range<Int>, _ body: (_ tiles: Range<Int>, _ uniformLane: Int?) -> Void) {
    let (asleep, leastUniform) = (SpringWatch.asleep, SpringWatch.leastUniform)
    // The first of the tiles before `tile` whose lanes are evaluated by their own springs.
    var own = tiles.lowerBound
    var tile = tiles.lowerBound
    while tile < tiles.upperBound {
      let (first, evaluation) = (tile, evaluations[tile])
      tile = unsafe lanes_end_of_equal(evaluations.address, first, tiles.upperBound)
      if evaluation == 0 || evaluation != asleep && own < first && tile - first < leastUniform { continue }
      if own < first { body(own..<first, nil) }
      own = tile
      if evaluation != asleep {
        // A tile without a track moves as its first lane did.
        body(first..<tile, first * laneCountOfTile + live[first].trailingZeroBitCount % laneCountOfTile)
      }
    }
    if own < tiles.upperBound { body(own..<tiles.upperBound, nil) }
  }
}

// A loan lasts for a frame, in which no two threads have a tile in common.
extension SpringWatch.Loan: @unchecked Sendable {}
