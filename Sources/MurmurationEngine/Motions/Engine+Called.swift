// SPDX-License-Identifier: MIT
import Kernels

extension Engine {
  // MARK: - Changes

  /// Sends a track to a goal with an animation that is computed track by track.
  mutating func call(_ index: Int, _ animation: Animation, at moment: Double, _ change: UInt32, goal: (Int) -> Float) {
    var value = value(of: index, at: moment)
    value.retarget(to: vector { goal($0) + 0 }, with: animation, at: moment)
    beginCalled(index, value, at: moment, change)
  }

  /// Lets a track move to the target of a value of the model as that value does, which changed at a moment.
  mutating func beginCalled(_ index: Int, _ value: CalledValue, at moment: Double, _ change: UInt32) {
    let motion = CalledMotions.Motion(value: value, changed: moment)
    if tracks.tiles.kind(at: index) != .called {
      stand(index)
      tracks.tiles.call(index)
    }
    called.begin(index, motion)
    tracks.columns.change[index] = change
    velocities.mark(index)
    for dimension in 0..<dimensions {
      tracks.columns.target[tracks.element(index, dimension)] = Float(value.target[dimension])
    }
    called.showIfOver(index, at: moment, tracks)
  }

  /// The motion of a track, as a value to which an animation can add its effect at a moment.
  private func value(of index: Int, at moment: Double) -> CalledValue {
    let kind = tracks.tiles.kind(at: index)
    if kind == .called { return called[index].value }
    if kind == .curves { return value(ofCurves: index) }
    if kind.isClip || kind == .still || startsAfresh(index, at: moment) {
      return CalledValue(vector { tracks.columns.value[tracks.element(index, $0)] })
    }
    let target = vector { tracks.columns.target[tracks.element(index, $0)] }
    guard kind == .spring, !springs.isAtRest(index) else { return CalledValue(target) }
    return springValue(at: index, to: target)
  }

  /// The motion of a spring, perhaps under curves.
  func springValue(at index: Int, to target: TrackVector) -> CalledValue {
    let (columns, coefficients) = (springs.columns, springs.coefficients(at: index))
    let start = columns.start[index]
    let displacement = vector { columns.displacement[$0 * columns.startStride + index] }
    let amplitude = vector { columns.amplitude[$0 * columns.startStride + index] }
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
