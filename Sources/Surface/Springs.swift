// SPDX-License-Identifier: MIT
// The names are those of the header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase
import AnimationModel
public import CSurface
import Murmuration

// The model: springs, curves and animations from plain structs, and their values for charts.

extension Spring {
  /// The spring of a struct; nil for an unknown form.
  init?(_ spring: murmuration_spring) {
    let (a, b, c) = spring.parameters
    switch Int(spring.form) {
    case MURMURATION_DURATION_BOUNCE: self.init(duration: a, bounce: b)
    case MURMURATION_RESPONSE_DAMPING_RATIO: self.init(response: a, dampingRatio: b)
    case MURMURATION_MASS_STIFFNESS_DAMPING: self.init(mass: a, stiffness: b, damping: c)
    case MURMURATION_MASS_STIFFNESS_ANY_DAMPING:
      self.init(mass: a, stiffness: b, damping: c, allowOverDamping: true)
    case MURMURATION_SETTLING_DURATION: self.init(settlingDuration: a, dampingRatio: b, epsilon: c)
    default: return nil
    }
  }
}

extension UnitCurve {
  /// The curve of a struct; nil for an unknown kind.
  init?(_ curve: murmuration_curve) {
    switch Int(curve.kind) {
    case MURMURATION_LINEAR: self = .linear
    case MURMURATION_EASE_IN: self = .easeIn
    case MURMURATION_EASE_OUT: self = .easeOut
    case MURMURATION_EASE_IN_OUT: self = .easeInOut
    case MURMURATION_CIRCULAR_EASE_IN: self = .circularEaseIn
    case MURMURATION_CIRCULAR_EASE_OUT: self = .circularEaseOut
    case MURMURATION_CIRCULAR_EASE_IN_OUT: self = .circularEaseInOut
    case MURMURATION_BEZIER:
      self = .bezier(
        startControlPoint: UnitPoint(x: curve.x1, y: curve.y1), endControlPoint: UnitPoint(x: curve.x2, y: curve.y2))
    default: return nil
    }
  }
}

extension UnsafePointer<murmuration_animation> {
  /// The animation of a struct; nil for a jump.
  ///
  /// - Throws: ``BatchError/invalidAnimation(index:reason:)`` for a kind, form or count that the header does not list.
  func animation(index: Int = 0) throws(BatchError) -> Animation? {
    var animation: Animation
    switch Int(pointee.kind) {
    case MURMURATION_JUMP:
      guard pointee.modifier_count == 0 else {
        throw .invalidAnimation(index: index, reason: "a jump has no modifiers")
      }
      return nil
    case MURMURATION_SPRING: animation = .spring(try spring(index))
    case MURMURATION_INTERPOLATING_SPRING:
      animation = .interpolatingSpring(try spring(index), initialVelocity: pointee.initial_velocity)
    case MURMURATION_CURVE:
      guard let curve = UnitCurve(pointee.curve) else {
        throw .invalidAnimation(index: index, reason: "\(pointee.curve.kind) is no kind of curve")
      }
      animation = .timingCurve(curve, duration: pointee.duration)
    default: throw .invalidAnimation(index: index, reason: "\(pointee.kind) is no kind of animation")
    }
    let count = pointee.modifier_count
    guard 0...Int32(MURMURATION_MAXIMUM_MODIFIERS) ~= count else {
      throw .invalidAnimation(
        index: index, reason: "it has 0 to \(MURMURATION_MAXIMUM_MODIFIERS) modifiers, not \(count)")
    }
    if count == 0 { return animation }
    var modifiers = pointee.modifiers
    try withUnsafeBytes(of: &modifiers) { bytes throws(BatchError) in
      let modifiers = bytes.bindMemory(to: murmuration_modifier.self)
      for place in 0..<Int(count) { animation = try animation.modified(modifiers[place], index) }
    }
    return animation
  }

  private func spring(_ index: Int) throws(BatchError) -> Spring {
    guard let spring = Spring(pointee.spring) else {
      throw .invalidAnimation(index: index, reason: "\(pointee.spring.form) is no form of a spring")
    }
    return spring
  }
}

extension Animation {
  fileprivate func modified(_ modifier: murmuration_modifier, _ index: Int) throws(BatchError) -> Animation {
    let value = modifier.value
    switch Int(modifier.kind) {
    case MURMURATION_DELAY: return delay(value)
    case MURMURATION_SPEED: return speed(value)
    case MURMURATION_LOGICALLY_COMPLETE: return logicallyComplete(after: value)
    case MURMURATION_REPEAT, MURMURATION_REPEAT_AUTOREVERSED:
      let autoreverses = modifier.kind == MURMURATION_REPEAT_AUTOREVERSED
      if value == .infinity { return repeatForever(autoreverses: autoreverses) }
      guard let count = Int(exactly: value), count >= 1 else {
        throw .invalidAnimation(
          index: index, reason: "a repeat has a whole number of iterations from 1 on, not \(value)")
      }
      return repeatCount(count, autoreverses: autoreverses)
    default: throw .invalidAnimation(index: index, reason: "\(modifier.kind) is no kind of modifier")
    }
  }
}

// MARK: - For charts

@c @implementation
public func murmuration_spring_describe(
  _ spring: UnsafePointer<murmuration_spring>?, _ info: UnsafeMutablePointer<murmuration_spring_info>?
) -> Int32 {
  withSpring(spring) { spring in
    guard let info else { return failNull("info") }
    info.pointee = murmuration_spring_info(
      duration: spring.duration, bounce: spring.bounce, damping_ratio: spring.dampingRatio, mass: spring.mass,
      stiffness: spring.stiffness, damping: spring.damping)
    return ok
  }
}

@c @implementation
public func murmuration_spring_values(
  _ spring: UnsafePointer<murmuration_spring>?, _ from: Double, _ to: Double, _ velocity: Double,
  _ times: UnsafePointer<Double>?, _ count: Int32, _ values: UnsafeMutablePointer<Double>?,
  _ velocities: UnsafeMutablePointer<Double>?
) -> Int32 {
  withSpring(spring) { spring in
    guard count >= 0 else { return failCount("count", count) }
    guard let times else { return count == 0 ? ok : failNull("times") }
    for index in 0..<Int(count) {
      let time = times[index]
      values?[index] = from + spring.value(target: to - from, initialVelocity: velocity, time: time)
      velocities?[index] = spring.velocity(target: to - from, initialVelocity: velocity, time: time)
    }
    return ok
  }
}

@c @implementation
public func murmuration_spring_settling_duration(
  _ spring: UnsafePointer<murmuration_spring>?, _ target: Double, _ velocity: Double, _ epsilon: Double,
  _ seconds: UnsafeMutablePointer<Double>?
) -> Int32 {
  withSpring(spring) { spring in
    guard let seconds else { return failNull("seconds") }
    guard epsilon > 0, epsilon.isFinite else {
      return fail(MURMURATION_INVALID_TOLERANCE, "epsilon must be positive and finite, is \(epsilon)")
    }
    guard target.isFinite, velocity.isFinite else {
      return fail(MURMURATION_INVALID_VALUE, "target and velocity must be finite, are \(target) and \(velocity)")
    }
    seconds.pointee = spring.settlingDuration(target: target, initialVelocity: velocity, epsilon: epsilon)
    return ok
  }
}

@c @implementation
public func murmuration_curve_values(
  _ curve: UnsafePointer<murmuration_curve>?, _ progress: UnsafePointer<Double>?, _ count: Int32,
  _ values: UnsafeMutablePointer<Double>?, _ velocities: UnsafeMutablePointer<Double>?
) -> Int32 {
  guard let curve else { return failNull("curve") }
  guard count >= 0 else { return failCount("count", count) }
  guard let model = UnitCurve(curve.pointee) else { return failCode("curve", curve.pointee.kind) }
  guard let progress else { return count == 0 ? ok : failNull("progress") }
  for index in 0..<Int(count) {
    values?[index] = model.value(at: progress[index])
    velocities?[index] = model.velocity(at: progress[index])
  }
  return ok
}

/// Runs a call about a spring that batches accept.
private func withSpring(_ spring: UnsafePointer<murmuration_spring>?, _ body: (Spring) -> Int32) -> Int32 {
  guard let spring else { return failNull("spring") }
  guard let model = Spring(spring.pointee) else { return failCode("form", spring.pointee.form) }
  if let defect = BatchLimits.defect(of: model) { return fail(MURMURATION_INVALID_SPRING, defect) }
  return body(model)
}
