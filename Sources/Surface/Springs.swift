// SPDX-License-Identifier: MIT
// The names are those of the header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase
package import AnimationModel
public import CSurface
import Murmuration

// The model: springs, curves and animations from plain structs, and their values for charts.

/// Why a struct is not what the header says.
package struct Defect: Error {
  package let code: Int
  package let reason: String

  package init(code: Int, reason: String) { (self.code, self.reason) = (code, reason) }

  /// A kind, form, flag or another code that the header does not list.
  package static func unlisted(_ name: String, _ code: Int32) -> Defect {
    Defect(code: MURMURATION_INVALID_CODE, reason: "\(name) \(code) is none that the header lists")
  }

  /// Throws unless the reserved field of a struct is 0.
  package static func checkReserved(_ reserved: Int32) throws(Defect) {
    guard reserved == 0 else {
      throw Defect(code: MURMURATION_INVALID_CODE, reason: "reserved must be 0, is \(reserved)")
    }
  }
}

extension Spring {
  /// The spring of a struct.
  ///
  /// The model takes a bounce above 1 for 1, as SwiftUI does: such a spring would never rest.
  package init(_ spring: murmuration_spring) throws(Defect) {
    let (a, b, c) = spring.parameters
    try Defect.checkReserved(spring.reserved)
    switch Int(spring.form) {
    case MURMURATION_DURATION_BOUNCE:
      guard b > -1 && b <= 1 else {
        throw Defect(code: MURMURATION_INVALID_SPRING, reason: "the bounce must be in (-1, 1], is \(b)")
      }
      // A duration of 0 jumps, also without damping.
      self.init(duration: a, bounce: a == 0 ? 0 : b)
    case MURMURATION_RESPONSE_DAMPING_RATIO: self.init(response: a, dampingRatio: b)
    case MURMURATION_MASS_STIFFNESS_DAMPING: self.init(mass: a, stiffness: b, damping: c)
    case MURMURATION_MASS_STIFFNESS_ANY_DAMPING:
      self.init(mass: a, stiffness: b, damping: c, allowOverDamping: true)
    case MURMURATION_SETTLING_DURATION: self.init(settlingDuration: a, dampingRatio: b, epsilon: c)
    default: throw .unlisted("form", spring.form)
    }
  }

  /// The spring of a struct, which batches accept.
  init(accepted spring: murmuration_spring) throws(Defect) {
    try self.init(spring)
    if let defect = BatchLimits.defect(of: self) { throw Defect(code: MURMURATION_INVALID_SPRING, reason: defect) }
  }
}

extension UnitCurve {
  /// The curve of a struct.
  package init(_ curve: murmuration_curve) throws(Defect) {
    try Defect.checkReserved(curve.reserved)
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
    case MURMURATION_EASE_IN_SINE...MURMURATION_EASE_IN_OUT_BOUNCE:
      let (family, direction) = (Int(curve.kind) - MURMURATION_EASE_IN_SINE).quotientAndRemainder(dividingBy: 3)
      self.init(.named(NamedEase(NamedEase.Family.allCases[family], NamedEase.Direction.allCases[direction])))
    default: throw .unlisted("kind", curve.kind)
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
    case MURMURATION_CURVE: animation = .timingCurve(try curve(index), duration: pointee.duration)
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
    do throws(Defect) { return try Spring(pointee.spring) } catch {
      throw .invalidAnimation(index: index, reason: error.reason)
    }
  }

  private func curve(_ index: Int) throws(BatchError) -> UnitCurve {
    do throws(Defect) { return try UnitCurve(pointee.curve) } catch {
      throw .invalidAnimation(index: index, reason: error.reason)
    }
  }
}

extension Animation {
  fileprivate func modified(_ modifier: murmuration_modifier, _ index: Int) throws(BatchError) -> Animation {
    let value = modifier.value
    guard modifier.reserved == 0 else {
      throw .invalidAnimation(index: index, reason: "reserved must be 0, is \(modifier.reserved)")
    }
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
  let model: UnitCurve
  do throws(Defect) { model = try UnitCurve(curve.pointee) } catch { return fail(error) }
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
  let model: Spring
  do throws(Defect) { model = try Spring(accepted: spring.pointee) } catch { return fail(error) }
  return body(model)
}
