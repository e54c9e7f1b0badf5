// SPDX-License-Identifier: MIT
import Kernels

extension Engine {
  // MARK: - Changes

  /// Sends the track of a row to a goal with an animation that is computed track by track.
  mutating func call(_ row: Int, _ animation: Animation, at moment: Double, _ change: UInt32, goal: (Int) -> Float) {
    var value = value(ofRow: row, at: moment)
    value.retarget(to: vector { goal($0) + 0 }, with: animation, at: moment)
    beginCalled(row, value, at: moment, change, goal: goal)
  }

  /// Lets the track of a row move as a value of the model does, which changed at a moment.
  mutating func beginCalled(
    _ row: Int, _ value: CalledValue, at moment: Double, _ change: UInt32, goal: (Int) -> Float
  ) {
    let motion = CalledMotions.Motion(value: value, changed: moment)
    if tracks.tiles.kind(ofRow: row) != .called {
      stand(row)
      tracks.tiles.call(row)
    }
    called.begin(row, motion)
    tracks.columns.change[row] = change
    velocities.mark(row)
    for dimension in 0..<dimensions {
      tracks.columns.target[tracks.element(row, dimension)] = goal(dimension) + 0
    }
    called.showIfOver(row, at: moment, tracks)
  }

  /// The motion of a row, as a value to which an animation can add its effect at a moment.
  private func value(ofRow row: Int, at moment: Double) -> CalledValue {
    let kind = tracks.tiles.kind(ofRow: row)
    if kind == .called { return called[row].value }
    if kind == .curves { return value(ofCurveRow: row) }
    if kind.isClip || kind == .still || startsAfresh(row, at: moment) {
      return CalledValue(vector { tracks.columns.value[tracks.element(row, $0)] })
    }
    let target = vector { tracks.columns.target[tracks.element(row, $0)] }
    guard kind == .spring, !springs.isAtRest(row) else { return CalledValue(target) }
    return springValue(ofRow: row, to: target)
  }

  /// The motion of a spring, perhaps under curves.
  func springValue(ofRow row: Int, to target: TrackVector) -> CalledValue {
    let (columns, coefficients) = (springs.columns, springs.coefficients(ofRow: row))
    let start = columns.start[row]
    let displacement = vector { columns.displacement[$0 * columns.startStride + row] }
    let amplitude = vector { columns.amplitude[$0 * columns.startStride + row] }
    if coefficients.isDeceleration {
      // The way follows from the amplitude, v/κ: far from 0 the displacement has fewer digits than the velocity at the
      // start.
      var value = CalledValue(target - amplitude)
      // A change at the start adds to the slide, so the slide must have started before.
      value.retarget(to: target, with: .deceleration(decayConstant: coefficients.κ), at: start.nextDown)
      return value
    }
    guard let spring = Spring(coefficients) else { return CalledValue(target) }
    let velocity = amplitude.scaled(by: coefficients.κ) - displacement.scaled(by: coefficients.α)
    return CalledValue(target + displacement, velocity: velocity, target: target, with: spring, at: start)
  }

  /// A vector with a component for each dimension.
  func vector(_ component: (Int) -> Float) -> TrackVector { TrackVector(count: dimensions) { Double(component($0)) } }
}

extension Spring {
  /// The spring of coefficients that are neither a jump's nor a deceleration's; nil for these.
  fileprivate init?(_ coefficients: SpringCoefficients) {
    guard !coefficients.isJump, !coefficients.isDeceleration else { return nil }
    let decay = coefficients.isOverdamped ? coefficients.α + coefficients.κ / 2 : coefficients.α
    self.init(
      naturalFrequency: coefficients.naturalFrequency, decayConstant: decay,
      angularFrequency: coefficients.isOverdamped ? -coefficients.κ / 2 : coefficients.κ, mass: 1)
  }
}
