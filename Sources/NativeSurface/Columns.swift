// SPDX-License-Identifier: MIT
// The names are those of the header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase
import AnimationModel
public import CSurface
import ColumnKernels
import MurmurationClips
import Surface

/// Springs as the table of objects holds them.
private final class SpringsObject {
  let kernel: SpringKernel

  init(_ kernel: SpringKernel) { self.kernel = kernel }
}

private let kind = ObjectKind<SpringsObject>(OBJECT_SPRINGS, "set of springs")

/// The curves of the latest calls, made ready. When there are many they are dropped.
private let easeKernels = SharedValue<[EaseKey: EaseKernel]>([:])

private struct EaseKey: Hashable {
  let curve: UnitCurve
  let tolerance: Double
}

/// The numbers of a column to read.
private struct Column {
  let buffer: UnsafeBufferPointer<Float>

  /// - Parameter stride: 1, or 0 for one number that counts for all elements.
  init(
    _ name: String, _ start: UnsafePointer<Float>?, _ stride: Int32, count: Int32
  ) throws(Refusal) {
    guard 0...1 ~= stride else {
      throw Refusal(status: fail(MURMURATION_INVALID_STRIDE, "\(name): the stride must be 0 or 1, is \(stride)"))
    }
    guard start != nil || count == 0 else { throw Refusal(status: failNull(name)) }
    buffer = UnsafeBufferPointer(start: start.orNothing, count: count == 0 ? 0 : stride == 0 ? 1 : Int(count))
  }
}

/// A call that was refused.
private struct Refusal: Error {
  let status: Int32
}

/// The status of a call about columns.
private func status(_ body: () throws -> Void) -> Int32 {
  do { try body() } catch let refusal as Refusal { return refusal.status } catch let error as ColumnError {
    return fail(error.code, error.description)
  } catch { return fail(MURMURATION_INVALID_CODE, "\(error)") }
  return ok
}

extension ColumnError {
  /// The code of the header.
  fileprivate var code: Int {
    switch self {
    case .unsupportedKernels: MURMURATION_UNSUPPORTED_KERNELS
    case .invalidSpring: MURMURATION_INVALID_SPRING
    case .invalidCurve: MURMURATION_INVALID_ANIMATION
    case .invalidTolerance: MURMURATION_INVALID_TOLERANCE
    case .wrongCount: MURMURATION_INVALID_COUNT
    case .invalidAge, .invalidStep: MURMURATION_INVALID_TIME
    case .outOfMemory: MURMURATION_CAPACITY_EXCEEDED
    }
  }
}

// MARK: - Calls

@c @implementation
public func murmuration_springs_create(
  _ list: UnsafePointer<murmuration_spring>?, _ count: Int32, _ springs: UnsafeMutablePointer<murmuration_springs>?
) -> Int32 {
  guard let springs else { return failNull("springs") }
  guard count >= 0 else { return failCount("count", count) }
  guard let list = list ?? (count == 0 ? UnsafePointer(bitPattern: 64) : nil) else { return failNull("list") }
  if let fault = roomFault("springs", Int(count), of: Spring.self) { return fault }
  var models: [Spring] = []
  models.reserveCapacity(Int(count))
  for index in 0..<Int(count) {
    do throws(Defect) { models.append(try Spring(list[index])) } catch {
      return fail(error.code, "spring \(index): \(error.reason)")
    }
  }
  var number: Int32 = ok
  let made = status {
    let kernel = try models.withUnsafeBufferPointer { models in
      let span = models.span
      return try SpringKernel(each: span)
    }
    number = kind.register(SpringsObject(kernel), springs)
  }
  return made == ok ? number : made
}

@c @implementation
public func murmuration_springs_free(_ springs: murmuration_springs) -> Int32 { kind.free(springs) }

@c @implementation
public func murmuration_springs_values(
  _ springs: murmuration_springs, _ values: UnsafePointer<Float>?, _ valueStride: Int32,
  _ velocities: UnsafePointer<Float>?, _ velocityStride: Int32, _ targets: UnsafePointer<Float>?, _ targetStride: Int32,
  _ ages: UnsafePointer<Float>?, _ age: Double, _ count: Int32, _ newValues: UnsafeMutablePointer<Float>?,
  _ newVelocities: UnsafeMutablePointer<Float>?
) -> Int32 {
  guard count >= 0 else { return failCount("count", count) }
  guard newValues != nil || count == 0 else { return failNull("new_values") }
  return kind.with(springs) { springs in
    withUnsafePointer(to: Float(0)) { zero in
      status {
        func column(_ name: String, _ start: UnsafePointer<Float>?, _ stride: Int32) throws(Refusal) -> Column {
          try Column(name, start ?? zero, start == nil ? 0 : stride, count: count)
        }
        // The span of a temporary in a call with typed errors crashes Swift 6.3.1.
        let starts = try Column("values", values, valueStride, count: count).buffer
        let pushes = try column("velocities", velocities, velocityStride).buffer
        let goals = try column("targets", targets, targetStride).buffer
        let output = UnsafeMutableBufferPointer(start: newValues.orNothing, count: Int(count))
        let secondOutput = UnsafeMutableBufferPointer(start: newVelocities.orNothing, count: Int(count))
        let moments = UnsafeBufferPointer(start: ages.orNothing, count: Int(count))
        let (values, velocities, targets, own) = (starts.span, pushes.span, goals.span, moments.span)
        var results = output.mutableSpan
        var changes = secondOutput.mutableSpan
        let kernel = springs.kernel
        switch (ages != nil, newVelocities != nil) {
        case (false, false):
          try kernel.evaluate(at: age, values: values, velocities: velocities, targets: targets, into: &results)
        case (true, false):
          try kernel.evaluate(at: own, values: values, velocities: velocities, targets: targets, into: &results)
        case (false, true):
          try kernel.evaluate(
            at: age, values: values, velocities: velocities, targets: targets, into: &results, velocitiesInto: &changes)
        case (true, true):
          try kernel.evaluate(
            at: own, values: values, velocities: velocities, targets: targets, into: &results, velocitiesInto: &changes)
        }
      }
    }
  }
}

@c @implementation
public func murmuration_springs_step(
  _ springs: murmuration_springs, _ values: UnsafeMutablePointer<Float>?, _ velocities: UnsafeMutablePointer<Float>?,
  _ targets: UnsafePointer<Float>?, _ targetStride: Int32, _ seconds: Double, _ count: Int32
) -> Int32 {
  guard count >= 0 else { return failCount("count", count) }
  guard values != nil || count == 0 else { return failNull("values") }
  guard velocities != nil || count == 0 else { return failNull("velocities") }
  return kind.with(springs) { springs in
    status {
      let goals = try Column("targets", targets, targetStride, count: count).buffer
      let first = UnsafeMutableBufferPointer(start: values.orNothing, count: Int(count))
      let second = UnsafeMutableBufferPointer(start: velocities.orNothing, count: Int(count))
      let targets = goals.span
      var values = first.mutableSpan
      var velocities = second.mutableSpan
      try springs.kernel.step(&values, &velocities, to: targets, seconds: seconds)
    }
  }
}

@c @implementation
public func murmuration_ease(
  _ curve: UnsafePointer<murmuration_curve>?, _ tolerance: Double, _ progress: UnsafePointer<Float>?,
  _ progressStride: Int32, _ from: UnsafePointer<Float>?, _ fromStride: Int32, _ to: UnsafePointer<Float>?,
  _ toStride: Int32, _ count: Int32, _ values: UnsafeMutablePointer<Float>?
) -> Int32 {
  guard let curve else { return failNull("curve") }
  guard count >= 0 else { return failCount("count", count) }
  guard values != nil || count == 0 else { return failNull("values") }
  let model: UnitCurve
  do throws(Defect) { model = try UnitCurve(curve.pointee) } catch { return fail(error) }
  return status {
    let kernel = try easeKernel(EaseKey(curve: model, tolerance: tolerance))
    let shares = try Column("progress", progress, progressStride, count: count).buffer
    let output = UnsafeMutableBufferPointer(start: values.orNothing, count: Int(count))
    let progress = shares.span
    var values = output.mutableSpan
    guard from != nil || to != nil else { return try kernel.shares(at: progress, into: &values) }
    let first = try Column("from", from, fromStride, count: count).buffer
    let last = try Column("to", to, toStride, count: count).buffer
    let (starts, ends) = (first.span, last.span)
    try kernel.values(at: progress, from: starts, to: ends, into: &values)
  }
}

/// A curve made ready, by an earlier call or now.
private func easeKernel(_ key: EaseKey) throws(ColumnError) -> EaseKernel {
  if let known = easeKernels.withLock({ $0[key] }) { return known }
  let kernel = key.tolerance == 0 ? try EaseKernel(key.curve) : try EaseKernel(key.curve, tolerance: key.tolerance)
  easeKernels.withLock { kernels in
    if kernels.count >= 256 { kernels.removeAll() }
    kernels[key] = kernel
  }
  return kernel
}
