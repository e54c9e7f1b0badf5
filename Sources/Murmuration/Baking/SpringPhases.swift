// SPDX-License-Identifier: MIT
import Kernels

/// Tracks that go through phases by springs alone, in the frames of a bake. Lent to one thread.
///
/// Steps are taken at their own moments, as in frames; between two steps a track follows one motion. The frames of a
/// motion are computed from an anchor: the first frame of a group of 256, counted by their numbers, or the first frame
/// of the motion.
final class SpringPhases {
  /// A track: where it is in its sequence, and the motion under way.
  private struct Lane {
    let place: Int
    let index: Int
    /// The index of its sequence.
    let sequence: Int
    let playback: PhasePlayback
    var clock: PhaseClock
    /// The index of its spring, −1 if it stands; and when the motion began.
    var spring: Int
    var start: Double
    /// The age from which on it rests, once that is known.
    var restAge: Double?
  }

  /// A sequence as it is played here.
  private final class Steps {
    let loaded: LoadedSequence
    let steps: [SpringStep]
    /// The index of the spring to each phase; −1 for a jump.
    let springs: [Int]
    let round: Round

    init(_ loaded: LoadedSequence, _ spring: (SpringCoefficients) -> Int) {
      self.loaded = loaded
      steps = loaded.springs ?? []
      springs = steps.map { spring($0.coefficients) }
      round = Round(steps, loaded.sequence)
    }
  }

  private let bake: TrackBake
  private let clock: BakeClock
  private let velocities: Bool
  private let tables: MotionTables
  private var bounds: [MotionBound] = []
  private var sequences: [Steps] = []
  private var lanes: [Lane] = []
  /// Displacement, amplitude and target of each lane, its dimensions side by side.
  private var states: [SIMD3<Float>] = []

  /// No tracks yet.
  init(_ bake: TrackBake, _ clock: BakeClock, velocities: Bool) {
    (self.bake, self.clock, self.velocities) = (bake, clock, velocities)
    // Frames at any distances are computed one by one.
    let isSteady = clock.perSecond != nil
    tables = MotionTables(
      frames: isSteady ? BakedLanes.frameCount : 1, interval: isSteady ? bake.times.interval : 1, bake.engine.table)
  }

  private var dimensions: Int { bake.engine.dimensions }

  /// Whether a track goes through phases by springs alone: its sequence has only springs and jumps, and no other motion
  /// moves it now.
  static func lead(_ slot: Int, _ engine: borrowing Engine) -> Bool {
    guard engine.phases.loaded(slot).springs != nil else { return false }
    let row = engine.tracks.slots.row(of: slot)
    let kind = engine.tracks.tiles.kind(ofRow: row)
    guard kind == .still else { return kind.isSpring }
    return (0..<engine.dimensions).allSatisfy {
      let element = engine.tracks.element(row, $0)
      return engine.tracks.columns.velocity[element] == 0
        && engine.tracks.columns.value[element] == engine.tracks.columns.target[element]
    }
  }

  // MARK: - Tracks

  /// Forgets the tracks of the block before.
  func removeAll() {
    lanes.removeAll(keepingCapacity: true)
    states.removeAll(keepingCapacity: true)
  }

  /// Adds a track, with its lane in the block.
  func add(_ place: Int, _ index: Int) {
    let track = bake.engine.phases[index]
    lanes.append(
      Lane(
        place: place, index: index, sequence: sequence(bake.engine.phases.loaded(index)), playback: track.playback,
        clock: track.clock, spring: -1, start: -.infinity))
    states.append(contentsOf: repeatElement(.zero, count: dimensions))
    begin(lanes.count - 1)
  }

  private func sequence(_ loaded: LoadedSequence) -> Int {
    if let known = sequences.lastIndex(where: { $0.loaded === loaded }) { return known }
    sequences.append(Steps(loaded) { spring($0) })
    return sequences.count - 1
  }

  /// The index of a spring, rounded as columns of lanes keep it; −1 for a jump.
  private func spring(_ coefficients: SpringCoefficients) -> Int {
    let kept = SpringCoefficients(
      isOverdamped: coefficients.isOverdamped, rate: coefficients.rate, decay: coefficients.decay)
    guard !kept.isJump else { return -1 }
    let spring = tables.add(kept)
    if spring == bounds.count {
      bounds.append(MotionBound(kept, dimensions: dimensions, bake.engine.springs.tolerance.kernel))
    }
    return spring
  }

  /// Gives a lane the state of its track, and takes the steps far before the first frame.
  private func begin(_ lane: Int) {
    let index = lanes[lane].index
    let row = bake.engine.tracks.slots.row(of: index)
    let isSpring = bake.engine.tracks.tiles.kind(ofRow: row).isSpring
    for dimension in 0..<dimensions {
      let target = bake.engine.tracks.columns.target[bake.engine.tracks.element(row, dimension)]
      var state = SIMD3(0, 0, target)
      if isSpring {
        let columns = bake.engine.springs.columns
        let start = dimension * columns.startStride + row
        (state.x, state.y) = (columns.displacement[start], columns.amplitude[start])
      }
      states[lane * dimensions + dimension] = state
    }
    lanes[lane].clock = bake.engine.phases[index].clock
    if lanes[lane].clock.isPaused { lanes[lane].clock.next = .infinity }
    lanes[lane].spring = isSpring ? spring(bake.engine.springs.coefficients(ofRow: row, bake.engine.tracks)) : -1
    lanes[lane].start = isSpring ? bake.engine.springs.start(ofRow: row, bake.engine.tracks) : -.infinity
    lanes[lane].restAge = nil
    // Rounds far ahead are skipped, and the rounding of that must not depend on where a bake begins.
    if let milestone = bake.milestone, milestone > bake.engine.time { takeSteps(lane, until: milestone) }
  }

  // MARK: - Steps

  private func takeSteps(_ lane: Int, until time: Double) {
    guard lanes[lane].clock.next <= time else { return }
    let (steps, playback) = (sequences[lanes[lane].sequence], lanes[lane].playback)
    var clock = lanes[lane].clock
    while let event = clock.goOn(in: steps.loaded.sequence, playback, until: time) {
      switch event {
      case .setsOut(_, isStill: true, _, _), .ends, .stalls: break
      case .setsOut(let phase, _, let moment, let last): setOut(lane, phase, steps, after: last, at: moment)
      case .skips(let rounds, let seconds): skip(rounds, lane, steps, seconds)
      }
    }
    lanes[lane].clock = clock
  }

  /// Sends a lane to a phase, from the state of the motion before.
  private func setOut(_ lane: Int, _ phase: Int, _ sequence: Steps, after last: Int?, at moment: Double) {
    // A start in the past begins from the current state.
    let basis = last.map { sequence.steps[$0].basis } ?? basis(of: lane, at: max(moment, bake.engine.time))
    let rule = sequence.steps[phase].rule
    for dimension in 0..<dimensions {
      let state = states[lane * dimensions + dimension]
      let shown = basis.applied(state.x, state.y)
      let target =
        bake.engine.phases.goal(
          sequence.loaded.sequence.targets[phase * dimensions + dimension], ofSlot: lanes[lane].index, dimension) + 0
      let displacement = rule.jumps ? 0 : shown.value + state.z - target
      let amplitude = rule.amplitude(displacement: displacement, velocity: shown.velocity)
      states[lane * dimensions + dimension] = SIMD3(displacement, amplitude, target)
    }
    lanes[lane].spring = sequence.springs[phase]
    lanes[lane].start = moment
    lanes[lane].restAge = nil
  }

  private func basis(of lane: Int, at moment: Double) -> CohortBasis {
    guard lanes[lane].spring >= 0 else { return .rest }
    let age = moment - lanes[lane].start
    return age >= restAge(of: lane) ? .rest : tables[lanes[lane].spring].coefficients.basis(age: age)
  }

  private func skip(_ rounds: Int, _ lane: Int, _ sequence: Steps, _ seconds: Double) {
    let round = sequence.round.power(rounds)
    for dimension in 0..<dimensions {
      let state = states[lane * dimensions + dimension]
      let new = round.state(
        after: SIMD2(Double(state.x), Double(state.y)), dimension: dimension,
        scale: bake.engine.phases.scale(lanes[lane].index, dimension))
      states[lane * dimensions + dimension] = SIMD3(Float(new.x), Float(new.y), state.z)
    }
    lanes[lane].start += seconds
    lanes[lane].restAge = nil
  }

  // MARK: - Rest

  /// The first frame of a range in which a lane is at rest, or the end of the range. The lane takes no step within.
  private func rest(of lane: Int, _ state: SIMD3<Float>, in frames: Range<Int>) -> Int {
    guard lanes[lane].spring >= 0 else { return frames.lowerBound }
    let start = lanes[lane].start
    // Most motions are followed by the next one long before they come to rest in any dimension.
    if bounds[lanes[lane].spring].moves(state, until: clock[frames.upperBound - 1] - start) { return frames.upperBound }
    let restAge = Float(restAge(of: lane))
    func moves(_ time: Double) -> Bool { Float(time - start) < restAge }
    guard moves(clock[frames.lowerBound]) else { return frames.lowerBound }
    return clock.ascends ? clock.end(of: frames, while: moves) : frames.lowerBound + 1
  }

  /// The age from which on all dimensions of a lane are at rest.
  private func restAge(of lane: Int) -> Double {
    if let known = lanes[lane].restAge { return known }
    var (displacement, amplitude): (Float, Float) = (0, 0)
    for state in states[lane * dimensions..<(lane + 1) * dimensions] {
      (displacement, amplitude) = (max(displacement, abs(state.x)), max(amplitude, abs(state.y)))
    }
    let age = bounds[lanes[lane].spring].restAge(displacement: displacement, amplitude: amplitude)
    lanes[lane].restAge = age
    return age
  }

  // MARK: - Frames

  /// Bakes the tracks in some frames, the first of which begins a block.
  func compute(_ frames: Range<Int>, into block: BakedLanes) {
    guard !lanes.isEmpty else { return }
    var queue = MotionQueue(bake.engine.table.bake.motions, tables, block, velocities: velocities)
    // The first frame of the group of 256 may be before the bake.
    let number = bake.moments.firstNumber &+ bake.frames.lowerBound &+ frames.lowerBound
    let skipped = clock.perSecond == nil ? 0 : number & (BakedLanes.frameCount - 1)
    let extent = bake.times.extent(from: frames.lowerBound - skipped, count: BakedLanes.frameCount)
    for lane in lanes.indices {
      var frame = frames.lowerBound
      while frame < frames.upperBound {
        if clock[frame] < lanes[lane].start { begin(lane) }
        takeSteps(lane, until: clock[frame])
        let end = clock.end(of: frame..<frames.upperBound, before: lanes[lane].clock.next)
        let state = states[lane * dimensions + bake.component]
        let rest = rest(of: lane, state, in: frame..<end)
        let first = frames.lowerBound
        if rest > frame {
          let moving = frame..<rest
          if extent <= tables[lanes[lane].spring].steadyTime {
            let anchor = anchor(of: lane, before: frame, from: first - skipped)
            queue.move(
              lanes[lane].place, frame - first..<rest - first, lanes[lane].spring,
              age: bake.times(anchor) - lanes[lane].start, before: frame - anchor, state)
          } else {
            for frame in moving {
              queue.move(
                lanes[lane].place, frame - first..<frame - first + 1, lanes[lane].spring,
                age: clock[frame] - lanes[lane].start, state)
            }
          }
        }
        if rest < end { queue.stand(lanes[lane].place, rest - first..<end - first, at: state.z) }
        frame = end
      }
    }
    queue.bake()
  }

  /// The anchor of the motion that moves a lane in a frame: the first frame, from `first` on, that this motion moves.
  private func anchor(of lane: Int, before frame: Int, from first: Int) -> Int {
    let start = lanes[lane].start
    if frame == first || bake.times(frame - 1) < start { return frame }
    var (low, high) = (first, frame)
    while low < high {
      let middle = low + (high - low) / 2
      if bake.times(middle) < start { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
