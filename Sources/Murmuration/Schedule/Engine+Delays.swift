// SPDX-License-Identifier: MIT
import Kernels

// Calls that wait: until its delay is over a track keeps its motion, and then takes over from what it shows at that very
// moment, whenever frames are.
extension Engine {
  /// Sends the picked tracks to goals, each after a delay.
  ///
  /// - Parameter motions: What to follow, of each pick; nil to keep the spring that each follows then.
  mutating func animatePicked(
    _ goals: InputValues, delays: Span<Double>, _ motions: (Int) -> MotionRequest?
  ) throws(BatchError) -> UInt32 {
    guard delays.count == picks.count else { throw .wrongCount(expected: picks.count, got: delays.count) }
    for index in delays.indices {
      // False for NaN too.
      guard delays[index] >= 0, time + delays[index] <= BatchLimits.maximumTime else {
        throw .invalidTime(delays[index])
      }
    }
    waiting.reserve(picks.count, slots: tracks.slots.count)
    let change = nextChange()
    for index in 0..<picks.count where picks[index].row != Pick.noRow {
      waiting.add(Int(picks[index].slot), at: time + delays[index], motions(index), change: change) {
        goals[index, $0]
      }
    }
    return change
  }

  /// Has the tracks set out whose delay is over at a time, each at its moment.
  mutating func startWaiting(until seconds: Double) throws(BatchError) {
    guard waiting.nextTime <= seconds else { return }
    try reserveTiles(2 * (waiting.count / laneCountOfTile + 2), for: .springs)
    while let order = waiting.next(until: seconds) {
      let row = tracks.slots.row(of: order.slot)
      let kind = tracks.tiles.kind(ofRow: row)
      if kind.isSpring {
        reportCompletion(ofRow: row, until: order.time)
        show(row, at: order.time)
      } else if kind == .called {
        reportCompletion(ofCalled: order.slot, until: order.time)
        // At the moment of the last frame the columns show it, and not yet what has begun since.
        if order.time > time { show(called[order.slot].value, order.slot, at: order.time) }
      } else if kind.isClip {
        showClip(row, at: order.time)
      }
      velocities.mark(row)
      let goals = waiting
      begin(row, order.motion, at: order.time, order.change) { goals.target(order.slot, $0) }
    }
  }

  /// Reports what the motion of a row completes until it ends at a moment.
  private mutating func reportCompletion(ofRow row: Int, until end: Double) {
    let (slot, change) = (tracks.slot(ofRow: row), springs.change(ofRow: row, tracks))
    let completion = springs.completion(ofRow: row, tracks)
    if !completion.isLogicalReported, end >= completion.logicalTime {
      events.append(.logicallyComplete, slot: slot, change, at: completion.logicalTime)
    }
    if !completion.isRestReported, end >= completion.restTime {
      events.append(.settled, slot: slot, change, at: completion.restTime)
    }
  }

  /// Makes the columns of a row that plays a clip show it at a moment, and reports what has happened to it until then.
  private mutating func showClip(_ row: Int, at moment: Double) {
    let shown = shown(ofClipRow: row, at: moment)
    clips.place(row, at: moment, tracks, &events)
    let largest = Double(AmplitudeRule.largestVelocity)
    for dimension in 0..<dimensions {
      let element = tracks.element(row, dimension)
      unsafe tracks.columns.value[element] = Float(shown.values[dimension])
      unsafe tracks.columns.velocity[element] = Float(max(-largest, min(largest, shown.velocities[dimension]))) + 0
    }
  }

  /// Makes the columns of a row of springs show its motion at a moment.
  private mutating func show(_ row: Int, at moment: Double) {
    let columns = springs.columns
    let start: Double
    let rests: Bool
    if let cohort = springs.cohort(ofRow: row, tracks) {
      start = springs.cohorts[cohort].start
      rests = moment >= springs.cohorts[cohort].restTime ?? .infinity
    } else {
      start = unsafe columns.start[row]
      rests = unsafe Float(moment - start) >= columns.restAge[row]
    }
    let basis = rests ? .rest : springs.coefficients(ofRow: row, tracks).basis(age: moment - start)
    for dimension in 0..<dimensions {
      let element = tracks.element(row, dimension)
      let y = unsafe columns.displacement[dimension * columns.startStride + row]
      let a = unsafe columns.amplitude[dimension * columns.startStride + row]
      unsafe columns.value[element] =
        (basis.valueOfDisplacement * y + basis.valueOfAmplitude * a) + columns.target[element]
      unsafe columns.velocity[element] = basis.velocityOfDisplacement * y + basis.velocityOfAmplitude * a + 0
    }
  }
}
