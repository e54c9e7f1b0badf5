// SPDX-License-Identifier: MIT
import Kernels

/// What is known of the tracks of a batch of phases, and how each goes on. Lent for the duration of a bake.
@safe
final class PhaseTracks {
  private let sequence: PhaseSequence
  private let playback: PhaseBatch.Playback
  private let clocks: [PhaseClock]
  private let variations: [SIMD2<Float>]
  private let columns: SpringColumns
  private let slots: SlotTable
  private let tiles: TileTable
  private let round: Round
  let springs: PhaseSprings
  let dimensions: Int

  init(_ batch: borrowing PhaseBatch, _ steps: [SpringStep]) {
    (sequence, playback, dimensions) = (batch.sequence, batch.playback, batch.dimensions)
    (clocks, variations) = (batch.clocks, batch.variations)
    (slots, tiles) = (batch.springs.slots, batch.springs.tiles)
    columns = batch.springs.storage.columns
    springs = PhaseSprings(steps, dimensions: dimensions, batch.springs.tolerance.kernel)
    round = Round(steps, batch.sequence)
  }

  // MARK: - Motions

  /// Has a lane stand as its track does.
  func begin(_ place: Int, _ lanes: PhaseLanes) {
    let index = lanes[place].index
    guard slots.isLive(index) else { return }
    let row = slots.row(of: index)
    lanes[place].clock = clocks[index]
    if clocks[index].isPaused {
      lanes[place].clock.next = .infinity
    }
    for dimension in 0..<dimensions {
      let element = dimension * columns.dimensionStride + row
      lanes[place, dimension] = unsafe SIMD3(
        columns.displacement[element], columns.amplitude[element], columns.target[element])
    }
    let kept = unsafe SpringCoefficients(
      isOverdamped: tiles.kind(ofRow: row) == TileKind.overdamped, rate: columns.rate[row],
      decay: columns.decay[row])
    lanes[place].spring = springs.place(of: kept, after: Int(clocks[index].phase))
    unsafe lanes[place].start = columns.start[row]
    lanes[place].restAge = nil
  }

  // MARK: - Rest

  /// The first of some frames in which a lane is at rest, or the end of them; it takes no step within.
  ///
  /// - Parameter state: The lane's, in any dimension.
  @inline(__always)
  func rest(
    of place: Int, _ state: PhaseState, in frames: Range<Int>, _ lanes: PhaseLanes, _ clock: BakeClock
  ) -> Int {
    let spring = lanes[place].spring
    guard spring >= 0 else { return frames.lowerBound }
    // Most motions are followed by the next one long before they come to rest in any dimension.
    let lastAge = clock[frames.upperBound &- 1] - lanes[place].start
    return springs.bounds[spring].moves(state, until: lastAge)
      ? frames.upperBound : restFrame(of: place, in: frames, lanes, clock)
  }

  @inline(never)
  private func restFrame(of place: Int, in frames: Range<Int>, _ lanes: PhaseLanes, _ clock: BakeClock) -> Int {
    let (start, restAge) = (lanes[place].start, Float(restAge(of: place, lanes)))
    func moves(_ time: Double) -> Bool { Float(time - start) < restAge }
    return moves(clock[frames.lowerBound]) ? clock.end(of: frames, while: moves) : frames.lowerBound
  }

  /// From which age on all dimensions of a lane are at rest.
  private func restAge(of place: Int, _ lanes: PhaseLanes) -> Double {
    if let known = lanes[place].restAge { return known }
    var (displacement, amplitude): (Float, Float) = (0, 0)
    for dimension in 0..<dimensions {
      let state = lanes[place, dimension]
      displacement = max(displacement, abs(state.x))
      amplitude = max(amplitude, abs(state.y))
    }
    let age = springs.bounds[lanes[place].spring].restAge(displacement: displacement, amplitude: amplitude)
    lanes[place].restAge = age
    return age
  }

  // MARK: - Steps

  /// Takes the steps of a lane up to a time.
  @inline(never)
  func move(_ place: Int, _ lanes: PhaseLanes, to time: Double) {
    if time < lanes[place].start {
      begin(place, lanes)
    }
    while let event = lanes[place].clock.goOn(in: sequence, playback, until: time) {
      switch event {
      case .setsOut(_, isStill: true, _, _), .ends, .stalls:
        break
      case .setsOut(let phase, _, let moment, let last):
        setOut(place, lanes, phase, after: last, at: moment)
      case .skips(let rounds, let seconds):
        skip(rounds, place, lanes, seconds)
      }
    }
  }

  /// Has a lane set out for a phase, from what the motion before has come to.
  @inline(__always)
  private func setOut(_ place: Int, _ lanes: PhaseLanes, _ phase: Int, after last: Int?, at moment: Double) {
    let basis = last.map { springs.steps[$0].basis } ?? basis(of: place, lanes, at: moment)
    let step = springs.steps[phase]
    let rule = step.rule
    for dimension in 0..<dimensions {
      let state = lanes[place, dimension]
      let value = (basis.valueOfDisplacement * state.x + basis.valueOfAmplitude * state.y) + state.z
      let velocity = basis.velocityOfDisplacement * state.x + basis.velocityOfAmplitude * state.y + 0
      var target = sequence.targets[phase &* dimensions &+ dimension]
      if !variations.isEmpty {
        target = PhaseBatch.target(target, variations[lanes[place].index &* dimensions &+ dimension])
      }
      target += 0
      let displacement = rule.jumps ? 0 : value - target
      let amplitude = rule.amplitude(displacement: displacement, velocity: velocity)
      lanes[place, dimension] = SIMD3(displacement, amplitude, target)
    }
    lanes[place].spring = step.spring
    lanes[place].start = moment
    lanes[place].restAge = nil
  }

  @inline(never)
  private func basis(of place: Int, _ lanes: PhaseLanes, at moment: Double) -> CohortBasis {
    guard lanes[place].spring >= 0 else { return .rest }
    let age = moment - lanes[place].start
    return age >= restAge(of: place, lanes) ? .rest : springs.coefficients[lanes[place].spring].basis(age: age)
  }

  @inline(never)
  private func skip(_ rounds: Int, _ place: Int, _ lanes: PhaseLanes, _ seconds: Double) {
    let round = round.power(rounds)
    for dimension in 0..<dimensions {
      let scale =
        variations.isEmpty ? 1 : Double(variations[lanes[place].index * dimensions + dimension].y)
      let state = lanes[place, dimension]
      let new = round.state(after: SIMD2(Double(state.x), Double(state.y)), dimension: dimension, scale: scale)
      lanes[place, dimension] = SIMD3(Float(new.x), Float(new.y), state.z)
    }
    lanes[place].start += seconds
    lanes[place].restAge = nil
  }
}
