// SPDX-License-Identifier: MIT
import Kernels

/// Tracks that go through phases by springs alone, in the frames of a bake. Lent to one thread.
///
/// Steps are taken at their own moments, as in frames; between two steps a track follows one motion. The frames of a
/// motion are computed from an anchor: the first frame of a group of 256, counted by their numbers, or the first frame
/// of the motion.
struct SpringPhases: ~Copyable {
  /// A track: where it is in its sequence, and the motion under way.
  private struct Lane: BitwiseCopyable {
    let place: Int
    let index: Int
    let loops: Bool
    /// The index of its sequence.
    let sequence: Int
    /// The index of its state in the first dimension.
    var states = 0
    var clock: PhaseClock
    /// The index of its spring, −1 if it stands; and when the motion began.
    var spring = -1
    var start = -Double.infinity
    /// The age from which on it rests, once that is known.
    var restAge: Float?
  }

  /// A sequence as it is played here.
  private final class Steps {
    let sequence: PhaseSequence
    let steps: [SpringStep]
    /// The index of the spring to each phase; −1 for a jump.
    let springs: [Int]
    let round: Round

    init(_ sequence: PhaseSequence, _ steps: [SpringStep], springs: [Int]) {
      (self.sequence, self.steps, self.springs, round) = (sequence, steps, springs, Round(steps, sequence))
    }
  }

  private let bake: TrackBake
  private let clock: BakeClock
  private var queue: MotionQueue
  private var tables: MotionTables
  private var bounds: [MotionBound] = []
  private let restTile: RestTile
  /// The sequences that were met, by their index in the engine.
  private var sequences: [Steps?] = []
  private let lanes: Column<Lane>
  private var laneCount = 0
  /// Displacement, amplitude and target of each lane, its dimensions side by side.
  private let states: Column<SIMD3<Float>>
  private let memory: MemoryBlock

  /// No tracks yet; there must be room.
  ///
  /// - Parameter block: The block that the frames are computed into.
  init(_ bake: TrackBake, _ clock: BakeClock, _ block: BakedLanes, velocities: Bool) {
    (self.bake, self.clock) = (bake, clock)
    queue = MotionQueue(bake.engine.table.bake.motions, block, velocities: velocities)
    let dimensions = bake.engine.dimensions
    memory = MemoryBlock(byteCount: Self.byteCount(dimensions: dimensions), alignment: 64, isZeroed: false)
    states = memory.bytes.elements(of: SIMD3<Float>.self, count: BakedLanes.capacity * dimensions)
    lanes = memory.bytes.elements(
      of: Lane.self, at: Self.stateBytes(dimensions: dimensions), count: BakedLanes.capacity)
    restTile = RestTile(dimensions: bake.engine.dimensions, bake.engine.table)
    // Frames at any distances are computed one by one.
    let isSteady = clock.perSecond != nil
    tables = MotionTables(
      frames: isSteady ? BakedLanes.frameCount : 1, interval: isSteady ? bake.times.interval : 1, bake.engine.table)
  }

  private static func stateBytes(dimensions: Int) -> Int {
    BakedLanes.capacity * dimensions * MemoryLayout<SIMD3<Float>>.stride
  }

  private static func byteCount(dimensions: Int) -> Int {
    stateBytes(dimensions: dimensions) + BakedLanes.capacity * MemoryLayout<Lane>.stride
  }

  /// Whether there is memory for the states of a block of tracks.
  static func hasRoom(dimensions: Int) -> Bool { MemoryBlock.hasRoom(forBytes: byteCount(dimensions: dimensions)) }

  private var dimensions: Int { bake.engine.dimensions }

  /// Whether a track is moved by nothing else than a spring now.
  private func isLed(_ lane: Lane) -> Bool {
    let row = bake.engine.tracks.slots.row(of: lane.index)
    let kind = bake.engine.tracks.tiles.kind(ofRow: row)
    guard kind == .still else { return kind == .spring }
    return (0..<dimensions).allSatisfy {
      let element = bake.engine.tracks.element(row, $0)
      return bake.engine.tracks.columns.velocity[element] == 0
        && bake.engine.tracks.columns.value[element] == bake.engine.tracks.columns.target[element]
    }
  }

  // MARK: - Tracks

  /// Forgets the tracks of the previous block.
  mutating func removeAll() { laneCount = 0 }

  /// Adds a track that goes through phases, with its lane in the block.
  mutating func add(_ place: Int, _ index: Int) {
    let track = bake.engine.phases[index]
    lanes[laneCount] = Lane(
      place: place, index: index, loops: track.playback == .loops, sequence: Int(track.sequence), clock: track.clock)
    laneCount += 1
  }

  /// Takes up the tracks that were added, but for those whose sequences have other motions than springs and jumps, or
  /// that another motion moves now: these are listed in `others`.
  mutating func begin(leaving others: inout [(place: Int, index: Int)]) {
    let lanes = lanes
    var (index, count) = (0, 0)
    while index < laneCount {
      let sequence = lanes[index].sequence
      guard let steps = steps(of: lanes[index].index, sequence) else {
        others.append((lanes[index].place, lanes[index].index))
        index += 1
        continue
      }
      repeat {
        if isLed(lanes[index]) {
          if count < index { lanes[count] = lanes[index] }
          lanes[count].states = count * dimensions
          begin(&lanes[count], steps)
          count += 1
        } else {
          others.append((lanes[index].place, lanes[index].index))
        }
        index += 1
      } while index < laneCount && lanes[index].sequence == sequence
    }
    laneCount = count
  }

  /// The steps of the sequence of a slot, given its index; nil if it has other motions than springs and jumps.
  private mutating func steps(of slot: Int, _ sequence: Int) -> Steps? {
    while sequences.count <= sequence { sequences.append(nil) }
    if let known = sequences[sequence] { return known }
    let loaded = bake.engine.phases.loaded(slot)
    guard let steps = loaded.springs else { return nil }
    let new = Steps(loaded.sequence, steps, springs: steps.map { spring($0.coefficients) })
    sequences[sequence] = new
    return new
  }

  /// The index of a spring; −1 for a jump.
  ///
  /// - Parameter likely: The index that it most likely has, if any.
  private mutating func spring(_ coefficients: SpringCoefficients, likely: Int = -1) -> Int {
    guard !coefficients.isJump else { return -1 }
    let spring = tables.add(coefficients, likely: likely)
    if spring == bounds.count {
      bounds.append(MotionBound(coefficients, bake.engine.springs.tolerance.kernel))
    }
    return spring
  }

  /// Gives a lane the state of its track, and takes the steps far before the first frame.
  private mutating func begin(_ lane: inout Lane, _ steps: Steps) {
    let row = bake.engine.tracks.slots.row(of: lane.index)
    let isSpring = bake.engine.tracks.tiles.kind(ofRow: row) == .spring
    for dimension in 0..<dimensions {
      let target = bake.engine.tracks.columns.target[bake.engine.tracks.element(row, dimension)]
      var state = SIMD3(0, 0, target)
      if isSpring {
        let start = dimension * bake.engine.springs.columns.startStride + row
        state.x = bake.engine.springs.columns.displacement[start]
        state.y = bake.engine.springs.columns.amplitude[start]
      }
      states[lane.states + dimension] = state
    }
    lane.clock = bake.engine.phases[lane.index].clock
    if lane.clock.isPaused { lane.clock.next = .infinity }
    (lane.spring, lane.start, lane.restAge) = (-1, -.infinity, nil)
    if isSpring {
      lane.spring = spring(
        bake.engine.springs.coefficients(ofRow: row),
        likely: steps.springs[Int(lane.clock.phase)])
      lane.start = bake.engine.springs.columns.start[row]
    }
    // Rounds far ahead are skipped, and the rounding of that must not depend on where a bake begins.
    if let milestone = bake.milestone, milestone > bake.engine.time {
      takeSteps(&lane, steps, until: milestone)
    }
  }

  // MARK: - Steps

  /// Takes the steps of a lane up to a time. This is neither inlined nor called on a constant: either would copy the
  /// sequence, or this whole value, with each motion.
  @inline(never)
  private mutating func takeSteps(_ lane: inout Lane, _ steps: Steps, until time: Double) {
    while let event = lane.clock.goOn(in: steps.sequence, lane.loops ? .loops : .triggered, until: time) {
      switch event {
      case .setsOut(_, isStill: true, _, _), .ends: break
      case .setsOut(let phase, _, let moment, let last): setOut(&lane, phase, steps, after: last, at: moment)
      case .skips(let rounds, let seconds): skip(rounds, &lane, steps, seconds)
      }
    }
  }

  /// Starts a lane towards a phase, from the state of the motion before.
  private mutating func setOut(
    _ lane: inout Lane, _ phase: Int, _ steps: Steps, after last: Int?, at moment: Double
  ) {
    // A start in the past begins from what is shown now.
    let basis = last.map { steps.steps[$0].basis } ?? basis(of: &lane, at: max(moment, bake.engine.time))
    let rule = steps.steps[phase].rule
    for dimension in 0..<dimensions {
      let state = states[lane.states + dimension]
      let shown = basis.applied(state.x, state.y)
      let target = steps.sequence.targets[phase * dimensions + dimension]
      let goal = bake.engine.phases.goal(target, ofSlot: lane.index, dimension) + 0
      let displacement = rule.jumps ? 0 : shown.value + state.z - goal
      let amplitude = rule.amplitude(displacement: displacement, velocity: shown.velocity)
      states[lane.states + dimension] = SIMD3(displacement, amplitude, goal)
    }
    (lane.spring, lane.start, lane.restAge) = (steps.springs[phase], moment, nil)
  }

  private func basis(of lane: inout Lane, at moment: Double) -> MotionBasis {
    guard lane.spring >= 0 else { return .rest }
    let age = moment - lane.start
    return Float(age) >= restAge(of: &lane) ? .rest : tables[lane.spring].coefficients.basis(age: age)
  }

  @inline(never)
  private func skip(_ rounds: Int, _ lane: inout Lane, _ steps: Steps, _ seconds: Double) {
    let round = steps.round.power(rounds)
    for dimension in 0..<dimensions {
      let state = states[lane.states + dimension]
      let new = round.state(
        after: SIMD2(Double(state.x), Double(state.y)), dimension: dimension,
        scale: bake.engine.phases.scale(lane.index, dimension))
      states[lane.states + dimension] = SIMD3(Float(new.x), Float(new.y), state.z)
    }
    lane.start += seconds
    lane.restAge = nil
  }

  // MARK: - Rest

  /// The first frame of a range in which a lane is at rest, or the end of the range. The lane takes no step within.
  private func rest(of lane: inout Lane, _ state: SIMD3<Float>, in frames: Range<Int>) -> Int {
    guard lane.spring >= 0 else { return frames.lowerBound }
    let start = lane.start
    // Most motions are followed by the next one long before they come to rest in any dimension.
    if bounds[lane.spring].moves(state, until: clock[frames.upperBound - 1] - start) { return frames.upperBound }
    let restAge = restAge(of: &lane)
    func moves(_ time: Double) -> Bool { Float(time - start) < restAge }
    guard moves(clock[frames.lowerBound]) else { return frames.lowerBound }
    return clock.ascends ? clock.end(of: frames, while: moves) : frames.lowerBound + 1
  }

  /// The age from which on all dimensions of a lane are at rest.
  private func restAge(of lane: inout Lane) -> Float {
    if let known = lane.restAge { return known }
    let (states, first) = (states, lane.states)
    let age = restTile.restAge(tables[lane.spring].coefficients, bake.engine.springs.tolerance.kernel) {
      states[first + $0]
    }
    lane.restAge = age
    return age
  }

  // MARK: - Frames

  /// Bakes the tracks in some frames, the first of which begins a block.
  mutating func compute(_ frames: Range<Int>) {
    guard laneCount > 0 else { return }
    // The first frame of the group of 256 may be before the bake.
    let number = bake.moments.firstNumber &+ bake.frames.lowerBound &+ frames.lowerBound
    let skipped = clock.perSecond == nil ? 0 : number & (BakedLanes.frameCount - 1)
    let first = frames.lowerBound
    let extent = bake.times.extent(from: first - skipped, count: BakedLanes.frameCount)
    let lanes = lanes
    var index = 0
    while index < laneCount {
      let sequence = lanes[index].sequence
      guard let steps = sequences[sequence] else { return }
      repeat {
        let place = lanes[index].place
        var frame = first
        while frame < frames.upperBound {
          let time = clock[frame]
          if time < lanes[index].start { begin(&lanes[index], steps) }
          takeSteps(&lanes[index], steps, until: time)
          let (start, state) = (lanes[index].start, states[lanes[index].states &+ bake.component])
          let end = clock.end(of: frame..<frames.upperBound, before: lanes[index].clock.next)
          let rest = rest(of: &lanes[index], state, in: frame..<end)
          if rest > frame {
            let spring = tables[lanes[index].spring]
            if extent <= spring.steadyTime {
              let anchor = anchor(of: start, before: frame, from: first - skipped)
              let age = (anchor == frame ? time : bake.times(anchor)) - start
              queue.move(place, frame &- first..<rest &- first, spring, age: age, before: frame &- anchor, state)
            } else {
              for frame in frame..<rest {
                queue.move(place, frame - first..<frame - first + 1, spring, age: clock[frame] - start, state)
              }
            }
          }
          if rest < end { queue.stand(place, rest &- first..<end &- first, at: state.z) }
          frame = end
        }
        index += 1
      } while index < laneCount && lanes[index].sequence == sequence
    }
    queue.bake()
  }

  /// The anchor of a motion that moves a lane in a frame: the first frame that it moves, from another frame on.
  private func anchor(of start: Double, before frame: Int, from first: Int) -> Int {
    if frame == first || (frame > 0 ? clock[frame - 1] : bake.times(frame - 1)) < start { return frame }
    return (first..<frame).endOfPrefix { bake.times($0) < start }
  }
}
