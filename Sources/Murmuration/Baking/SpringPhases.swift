// SPDX-License-Identifier: MIT
import Kernels

/// Tracks that go through phases by springs alone, in the frames of a bake. Lent to one thread.
///
/// Steps are taken at their own moments, as in frames; between two steps a track follows one motion. The kernel of
/// frames evaluates one track in many frames at once: its lanes are frames here, each with an age of its own. So the
/// bits are those of frames.
struct SpringPhases: ~Copyable {
  /// A track: where it is in its sequence, and the motion under way.
  private struct Lane: BitwiseCopyable {
    let place: Int
    let index: Int
    /// The row of its displacement, amplitude and target.
    let row: Int
    var clock: PhaseClock
    /// The spring of the motion, or a jump if the track stands; and when the motion began.
    var spring: SpringCoefficients
    var start = -BatchLimits.maximumTime
    /// The age from which on it rests, once that is known; infinite if the next step surely comes before.
    var restAge: Float?
  }

  private let bake: TrackBake
  private let clock: BakeClock
  private let block: BakedLanes
  private let velocities: Bool
  private let memory: MemoryBlock
  private let lanes: Column<Lane>
  private var laneCount = 0
  /// The state of each lane, in every dimension.
  private let states: SpringStorage
  /// The frames of one lane, in one dimension.
  private let frames = SpringStorage(dimensions: 1, rows: BakedLanes.stride)
  private let jump = SpringCoefficients.jump

  /// No tracks yet; there must be room.
  ///
  /// - Parameter block: The block that the frames are computed into.
  init(_ bake: TrackBake, _ clock: BakeClock, _ block: BakedLanes, velocities: Bool) {
    (self.bake, self.clock, self.block, self.velocities) = (bake, clock, block, velocities)
    memory = MemoryBlock(
      byteCount: BakedLanes.capacity * MemoryLayout<Lane>.stride, alignment: 64, isZeroed: false)
    lanes = memory.bytes.elements(of: Lane.self, count: BakedLanes.capacity)
    states = SpringStorage(dimensions: bake.engine.dimensions, rows: BakedLanes.capacity)
  }

  /// Whether there is memory for the states of a block of tracks.
  static func hasRoom(dimensions: Int) -> Bool {
    SpringStorage.hasRoom(dimensions: dimensions, rows: BakedLanes.capacity)
  }

  // MARK: - Tracks

  /// Whether a track that goes through phases does so by springs and jumps alone, and no other motion moves it now.
  func leads(_ index: Int) -> Bool {
    guard bake.engine.phases.loaded(index).springs != nil else { return false }
    let row = bake.engine.tracks.slots.row(of: index)
    let kind = bake.engine.tracks.tiles.kind(ofRow: row)
    guard kind == .still else { return kind == .spring }
    return (0..<bake.engine.dimensions).allSatisfy {
      let element = bake.engine.tracks.element(row, $0)
      return bake.engine.tracks.columns.velocity[element] == 0
        && bake.engine.tracks.columns.value[element] == bake.engine.tracks.columns.target[element]
    }
  }

  /// Forgets the tracks of the previous block.
  mutating func removeAll() { laneCount = 0 }

  /// Adds a track that springs lead, with its lane in the block.
  mutating func add(_ place: Int, _ index: Int) {
    lanes[laneCount] = Lane(
      place: place, index: index, row: laneCount, clock: bake.engine.phases[index].clock, spring: jump)
    withSteps(of: laneCount) { begin(&$0, $1, $2) }
    laneCount += 1
  }

  /// Lends a lane, its sequence and the steps of that.
  @inline(__always)
  private func withSteps(of lane: Int, _ body: (inout Lane, LoadedSequence, [SpringStep]) -> Void) {
    let lanes = lanes
    let loaded = bake.engine.phases.loaded(lanes[lane].index)
    if let steps = loaded.springs { body(&lanes[lane], loaded, steps) }
  }

  /// Gives a lane the state of its track, and takes the steps far before the first frame.
  private func begin(_ lane: inout Lane, _ loaded: LoadedSequence, _ steps: [SpringStep]) {
    let row = bake.engine.tracks.slots.row(of: lane.index)
    let (columns, springs) = (states.columns, bake.engine.springs.columns)
    let isSpring = bake.engine.tracks.tiles.kind(ofRow: row) == .spring
    for dimension in 0..<columns.dimensions {
      let (start, from) = (dimension * columns.startStride + lane.row, dimension * springs.startStride + row)
      columns.displacement[start] = isSpring ? springs.displacement[from] : 0
      columns.amplitude[start] = isSpring ? springs.amplitude[from] : 0
      columns.target[dimension * columns.dimensionStride + lane.row] =
        bake.engine.tracks.columns.target[bake.engine.tracks.element(row, dimension)]
    }
    lane.clock = bake.engine.phases[lane.index].clock
    if lane.clock.isPaused { lane.clock.next = .infinity }
    (lane.spring, lane.start, lane.restAge) = (jump, -BatchLimits.maximumTime, nil)
    if isSpring {
      (lane.spring, lane.start) = (bake.engine.springs.coefficients(ofRow: row), springs.start[row])
      let isKnown = bake.engine.springs.watch.knowsAges(row / laneCountOfTile)
      lane.restAge = isKnown ? springs.restAge[row] : nil
    }
    // Rounds far ahead are skipped, and the rounding of that must not depend on where a bake begins.
    if let milestone = bake.milestone, milestone > bake.engine.time {
      takeSteps(&lane, loaded, steps, until: milestone)
    }
  }

  // MARK: - Steps

  /// Takes the steps of a lane up to a time.
  private func takeSteps(_ lane: inout Lane, _ loaded: LoadedSequence, _ steps: [SpringStep], until time: Double) {
    let playback = bake.engine.phases[lane.index].playback
    while let event = lane.clock.goOn(in: loaded.sequence, playback, until: time) {
      switch event {
      case .setsOut(_, isStill: true, _, _), .ends: break
      case .setsOut(let phase, _, let moment, let last):
        // A start in the past begins from what is shown now.
        let basis = last.map { steps[$0].basis } ?? basis(of: &lane, at: max(moment, bake.engine.time))
        let (columns, index, first) = (states.columns, lane.index, phase * states.columns.dimensions)
        let largest = columns.step(lane.row, steps[phase].rule, after: basis) {
          bake.engine.phases.goal(loaded.sequence.targets[first + $0], ofSlot: index, $0)
        }
        // Most motions in a loop are followed by the next one long before they come to rest.
        let endures =
          playback == .loops
          && loaded.endurances[phase].lasts(largest, perValue: bake.engine.springs.perTolerance)
        (lane.spring, lane.start, lane.restAge) = (steps[phase].coefficients, moment, endures ? .infinity : nil)
      case .skips(let rounds, let seconds):
        skip(lane, Round(steps, loaded.sequence).power(rounds))
        (lane.start, lane.restAge) = (lane.start + seconds, nil)
      }
    }
  }

  private func basis(of lane: inout Lane, at moment: Double) -> MotionBasis {
    guard !lane.spring.isJump else { return .rest }
    let age = moment - lane.start
    return Float(age) >= restAge(of: &lane) ? .rest : lane.spring.basis(age: age)
  }

  @inline(never)
  private func skip(_ lane: Lane, _ round: Round) {
    states.columns.moveOn(lane.row) {
      round.state(after: $1, dimension: $0, scale: bake.engine.phases.scale(lane.index, $0))
    }
  }

  // MARK: - Rest

  /// The first frame of a range in which a lane is at rest, or the end of the range. The lane takes no step within.
  private func rest(of lane: inout Lane, in frames: Range<Int>) -> Int {
    guard !lane.spring.isJump else { return frames.lowerBound }
    let (start, restAge) = (lane.start, restAge(of: &lane))
    func moves(_ time: Double) -> Bool { Float(time - start) < restAge }
    guard moves(clock[frames.lowerBound]) else { return frames.lowerBound }
    return clock.ascends ? clock.end(of: frames, while: moves) : frames.lowerBound + 1
  }

  /// The age from which on all dimensions of a lane are at rest.
  private func restAge(of lane: inout Lane) -> Float {
    if let known = lane.restAge { return known }
    let (columns, tile) = (states.columns, lane.row / laneCountOfTile)
    (columns.rate[lane.row], columns.decay[lane.row]) = (lane.spring.rate, lane.spring.decay)
    bake.engine.table.computeRest(columns, LaneRun(tile..<tile + 1), bake.engine.springs.tolerance.kernel)
    let age = columns.restAge[lane.row]
    lane.restAge = age
    return age
  }

  // MARK: - Frames

  /// Bakes the tracks in some frames, the first of which begins a block.
  func compute(_ frames: Range<Int>) {
    for lane in 0..<laneCount { withSteps(of: lane) { compute(frames, &$0, $1, $2) } }
  }

  private func compute(_ all: Range<Int>, _ lane: inout Lane, _ loaded: LoadedSequence, _ steps: [SpringStep]) {
    let state = states.columns
    let (start, target) = (
      bake.component * state.startStride + lane.row, bake.component * state.dimensionStride + lane.row
    )
    let (first, times) = (all.lowerBound, clock.from(all.lowerBound))
    var frame = first
    while frame < all.upperBound {
      let time = clock[frame]
      if time < lane.start { begin(&lane, loaded, steps) }
      takeSteps(&lane, loaded, steps, until: time)
      let end = clock.end(of: frame..<all.upperBound, before: lane.clock.next)
      let rest = rest(of: &lane, in: frame..<end)
      let motion = SIMD3(state.displacement[start], state.amplitude[start], state.target[target])
      fill(frame - first..<rest - first, times, lane.spring, motion, since: lane.start)
      fill(rest - first..<end - first, times, jump, SIMD3(0, 0, motion.z), since: lane.start)
      frame = end
    }
    var columns = self.frames.columns
    columns.value = block.values + lane.place * BakedLanes.stride
    columns.velocity = block.velocities + lane.place * BakedLanes.stride
    let count = (all.count + laneCountOfTile - 1) / laneCountOfTile * laneCountOfTile
    bake.engine.table.evaluateMixed(columns, LaneRun(firstLane: 0, laneCount: count), 0, velocities)
  }

  /// Gives the rows of some frames, and up to a vector of rows after them, a motion: its displacement, amplitude and
  /// target.
  @inline(__always)
  private func fill(
    _ rows: Range<Int>, _ times: ConstantColumn<Double>, _ spring: SpringCoefficients, _ motion: SIMD3<Float>,
    since start: Double
  ) {
    let columns = frames.columns
    var row = rows.lowerBound
    while row < rows.upperBound {
      // At the time 0, for which the kernel is called, the motion has the age that it has in the frame.
      columns.start.store(SIMD8(repeating: start) - times.lanes(at: row, as: SIMD8<Double>.self), at: row)
      columns.rate.store(SIMD8(repeating: spring.rate), at: row)
      columns.decay.store(SIMD8(repeating: spring.decay), at: row)
      columns.displacement.store(SIMD8(repeating: motion.x), at: row)
      columns.amplitude.store(SIMD8(repeating: motion.y), at: row)
      columns.target.store(SIMD8(repeating: motion.z), at: row)
      row += 8
    }
  }
}
