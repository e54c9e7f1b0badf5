// SPDX-License-Identifier: MIT
import Kernels

/// Tracks that springs lead through phases, in the frames of a bake. Lent for its duration.
///
/// Steps are taken at their own moments, as playing takes them; between two of them a track follows one motion.
@safe
struct PhaseFrames: BakeSource {
  /// What all tracks share.
  @safe
  struct Shared {
    let sequence: PhaseSequence
    let playback: PhaseBatch.Playback
    let steps: [SpringStep]
    let clocks: [PhaseClock]
    let variations: [SIMD2<Float>]
    let columns: SpringColumns
    let slots: SlotTable
    let tiles: TileTable
    let tolerance: RestTolerance
    /// The springs of the steps as columns of lanes keep them.
    let springs: [SpringCoefficients]
    let round: Round
  }

  /// A track of the block.
  private struct Lane {
    var index: Int
    var clock: PhaseClock
    /// Which of the springs moves it, when it began to, and the age from which on it rests; −1 where it stands.
    var spring = -1
    var start = -Double.infinity
    var restAge = 0.0
  }

  private let shared: Shared
  private let dimension: Int
  private let clock: BakeClock
  private var lanes: [Lane] = []
  /// Displacement, amplitude and target of each lane, by dimension.
  private var states: [SIMD3<Float>] = []
  private var queue: MotionQueue

  init(_ shared: Shared, _ table: KernelTable, dimension: Int, velocities: Bool, _ clock: BakeClock) {
    (self.shared, self.dimension, self.clock) = (shared, dimension, clock)
    // Frames at any distances are looked at one by one.
    let frames = clock.perSecond == nil ? 1 : min(clock.count, BakedLanes.frameCount)
    let tables = MotionTables(shared.springs, frames: frames, interval: 1 / (clock.perSecond ?? 1), table)
    queue = MotionQueue(shared.springs, tables, table, velocities: velocities)
  }

  private var dimensions: Int { shared.sequence.dimensions }

  // MARK: - Tracks

  mutating func begin(_ indices: Range<Int>) {
    lanes.removeAll(keepingCapacity: true)
    states.removeAll(keepingCapacity: true)
    for index in indices {
      lanes.append(Lane(index: index, clock: PhaseClock(origin: 0, next: .infinity)))
      states.append(contentsOf: repeatElement(.zero, count: dimensions))
      setOut(lanes.count - 1)
    }
  }

  /// Has a lane stand as its track does.
  private mutating func setOut(_ lane: Int) {
    let index = lanes[lane].index
    guard shared.slots.isLive(index) else { return }
    let (row, columns) = (shared.slots.row(of: index), shared.columns)
    lanes[lane].clock = shared.clocks[index]
    if shared.clocks[index].isPaused {
      lanes[lane].clock.next = .infinity
    }
    for dimension in 0..<dimensions {
      let element = dimension * columns.dimensionStride + row
      states[lane * dimensions + dimension] = unsafe SIMD3(
        columns.displacement[element], columns.amplitude[element], columns.target[element])
    }
    let kept = unsafe SpringCoefficients(
      isOverdamped: shared.tiles.kind(ofRow: row) == TileKind.overdamped, rate: columns.rate[row],
      decay: columns.decay[row])
    lanes[lane].spring = kept.isJump ? -1 : shared.springs.firstIndex(of: kept) ?? -1
    unsafe lanes[lane].start = columns.start[row]
    findRest(lane)
  }

  /// Finds from which age on a lane rests.
  private mutating func findRest(_ lane: Int) {
    guard lanes[lane].spring >= 0 else { return }
    var (displacement, amplitude): (Float, Float) = (0, 0)
    for dimension in 0..<dimensions {
      let state = states[lane * dimensions + dimension]
      displacement = max(displacement, abs(state.x))
      amplitude = max(amplitude, abs(state.y))
    }
    let bound = RestBound(
      shared.springs[lanes[lane].spring], displacement: Double(displacement) * Double(dimensions),
      amplitude: Double(amplitude) * Double(dimensions))
    lanes[lane].restAge = bound.age(shared.tolerance)
  }

  // MARK: - Steps

  /// Takes the steps of a lane up to a time.
  private mutating func move(_ lane: Int, to time: Double) {
    if time < lanes[lane].start {
      setOut(lane)
    }
    while let event = lanes[lane].clock.goOn(in: shared.sequence, shared.playback, until: time) {
      switch event {
      case .setsOut(_, isStill: true, _, _), .ends, .stalls:
        break
      case .setsOut(let phase, _, let moment, let last):
        setOut(lane, phase, after: last, at: moment)
      case .skips(let rounds, let seconds):
        skip(rounds, lane, seconds)
      }
    }
  }

  /// Has a lane set out for a phase, from what the motion before has come to.
  private mutating func setOut(_ lane: Int, _ phase: Int, after last: Int?, at moment: Double) {
    let basis = last.map { shared.steps[$0].basis } ?? basis(of: lane, at: moment)
    let step = shared.steps[phase]
    let index = lanes[lane].index
    for dimension in 0..<dimensions {
      let state = states[lane * dimensions + dimension]
      let value = (basis.valueOfDisplacement * state.x + basis.valueOfAmplitude * state.y) + state.z
      let velocity = basis.velocityOfDisplacement * state.x + basis.velocityOfAmplitude * state.y + 0
      var target = shared.sequence.targets[phase * dimensions + dimension]
      if !shared.variations.isEmpty {
        target = PhaseBatch.target(target, shared.variations[index * dimensions + dimension])
      }
      target += 0
      let displacement = step.rule.jumps ? 0 : value - target
      states[lane * dimensions + dimension] = SIMD3(
        displacement, step.rule.amplitude(displacement: displacement, velocity: velocity), target)
    }
    lanes[lane].spring = step.coefficients.isJump ? -1 : phase
    lanes[lane].start = moment
    findRest(lane)
  }

  private func basis(of lane: Int, at moment: Double) -> CohortBasis {
    guard lanes[lane].spring >= 0 else { return .rest }
    let age = moment - lanes[lane].start
    return age >= lanes[lane].restAge ? .rest : shared.springs[lanes[lane].spring].basis(age: age)
  }

  private mutating func skip(_ rounds: Int, _ lane: Int, _ seconds: Double) {
    let round = shared.round.power(rounds)
    lanes[lane].start += seconds
    for dimension in 0..<dimensions {
      let place = lane * dimensions + dimension
      let scale =
        shared.variations.isEmpty ? 1 : Double(shared.variations[lanes[lane].index * dimensions + dimension].y)
      let old = SIMD2(Double(states[place].x), Double(states[place].y))
      let new = round.state(after: old, dimension: dimension, scale: scale)
      (states[place].x, states[place].y) = (Float(new.x), Float(new.y))
    }
    findRest(lane)
  }

  // MARK: - Frames

  mutating func compute(_ frames: Range<Int>, into block: BakedLanes) {
    for lane in lanes.indices {
      var frame = frames.lowerBound
      while frame < frames.upperBound {
        move(lane, to: clock[frame])
        let next = lanes[lane].clock.next
        let end =
          clock.perSecond == nil ? frame + 1 : clock.end(of: frame..<frames.upperBound, until: next.nextDown)
        show(lane, frame..<end, from: frames.lowerBound, block)
        frame = end
      }
    }
    queue.bake(into: block)
  }

  /// Has a lane show the motion that it follows in some frames.
  private mutating func show(_ lane: Int, _ frames: Range<Int>, from first: Int, _ block: BakedLanes) {
    let state = states[lane * dimensions + dimension]
    let (spring, start, restAge) = (lanes[lane].spring, lanes[lane].start, lanes[lane].restAge)
    func moves(_ time: Double) -> Bool { Float(time - start) < Float(restAge) }
    let firstTime = clock[frames.lowerBound]
    let rest = spring >= 0 && moves(firstTime) ? clock.end(of: frames, while: moves) : frames.lowerBound
    if rest > frames.lowerBound {
      queue.move(
        lane, frames.lowerBound - first..<rest - first, spring, age: firstTime - start, state, block)
    }
    if rest < frames.upperBound {
      queue.stand(lane, rest - first..<frames.upperBound - first, at: state.z, block)
    }
  }
}
