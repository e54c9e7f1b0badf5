// SPDX-License-Identifier: MIT
import Kernels
public import Murmuration

/// A spring for all elements of columns, or one for each element, made ready for many calls.
///
/// Columns are spans of Float of the caller. A result has as many elements as its span. Every other column has as many, or one
/// element, which counts for all; so it is with springs. A call with one spring allocates nothing.
///
/// Values, velocities and targets are not checked: a NaN or an infinity stays in its element.
public struct SpringKernel: Sendable {
  private let kernels: ElementKernels
  private let springs: SpringBlock

  /// One spring for all elements.
  ///
  /// - Parameters:
  ///   - spring: A spring that batches accept; one of duration 0 is at its target at once.
  ///   - kernels: The instruction set; nil for the one in force. All sets give the same bits.
  /// - Throws: ``ColumnError/invalidSpring(index:reason:)`` or ``ColumnError/unsupportedKernels(_:)``.
  public init(_ spring: Spring, kernels: KernelSet? = nil) throws(ColumnError) {
    self.kernels = try KernelTable.checked(kernels).elements
    springs = try SpringBlock(count: 1) { _ in spring }
  }

  /// A spring for each element.
  ///
  /// - Parameters:
  ///   - springs: Springs that batches accept.
  ///   - kernels: As above.
  /// - Throws: ``ColumnError/invalidSpring(index:reason:)``, ``ColumnError/outOfMemory(springs:)`` or
  ///   ``ColumnError/unsupportedKernels(_:)``.
  /// - Complexity: O(springs).
  public init(each springs: Span<Spring>, kernels: KernelSet? = nil) throws(ColumnError) {
    self.kernels = try KernelTable.checked(kernels).elements
    self.springs = try SpringBlock(count: springs.count) { springs[$0] }
  }

  /// The number of springs.
  public var count: Int { springs.count }
}

// MARK: - Ages

extension SpringKernel {
  /// Computes values and velocities at ages, exactly, in any order.
  ///
  /// The errors are at most those of a batch's springs: see <doc:Accuracy>. With one target of 0, values are displacements.
  ///
  /// - Parameters:
  ///   - ages: Seconds since the start, 0…10¹⁰.
  ///   - values: Where the elements start.
  ///   - velocities: Velocities at the start, per second.
  ///   - targets: Where the springs pull to.
  ///   - newValues: Gets the value of each element.
  ///   - newVelocities: Gets the velocity of each element.
  /// - Throws: ``ColumnError/wrongCount(of:expected:got:)`` or ``ColumnError/invalidAge(index:seconds:)``.
  /// - Complexity: O(elements).
  public func evaluate(
    at ages: Span<Float>, values: Span<Float>, velocities: Span<Float>, targets: Span<Float>,
    into newValues: inout MutableSpan<Float>, velocitiesInto newVelocities: inout MutableSpan<Float>
  ) throws(ColumnError) {
    let (ages, start) = (ElementNumbers(ages), Start(values, velocities, targets))
    try evaluate(ages, plus: 0, start, ElementResults(&newValues), ElementResults(&newVelocities))
  }

  /// Computes values at ages, as above.
  public func evaluate(
    at ages: Span<Float>, values: Span<Float>, velocities: Span<Float>, targets: Span<Float>,
    into newValues: inout MutableSpan<Float>
  ) throws(ColumnError) {
    let (ages, start) = (ElementNumbers(ages), Start(values, velocities, targets))
    try evaluate(ages, plus: 0, start, ElementResults(&newValues), nil)
  }

  /// Computes values and velocities at one age, as above. With one spring this takes as long as moving the numbers.
  public func evaluate(
    at age: Double, values: Span<Float>, velocities: Span<Float>, targets: Span<Float>,
    into newValues: inout MutableSpan<Float>, velocitiesInto newVelocities: inout MutableSpan<Float>
  ) throws(ColumnError) {
    let start = Start(values, velocities, targets)
    try evaluate(nil, plus: age, start, ElementResults(&newValues), ElementResults(&newVelocities))
  }

  /// Computes values at one age, as above.
  public func evaluate(
    at age: Double, values: Span<Float>, velocities: Span<Float>, targets: Span<Float>,
    into newValues: inout MutableSpan<Float>
  ) throws(ColumnError) {
    let start = Start(values, velocities, targets)
    try evaluate(nil, plus: age, start, ElementResults(&newValues), nil)
  }

  private struct Start {
    let values, velocities, targets: ElementNumbers

    init(_ values: Span<Float>, _ velocities: Span<Float>, _ targets: Span<Float>) {
      (self.values, self.velocities) = (ElementNumbers(values), ElementNumbers(velocities))
      self.targets = ElementNumbers(targets)
    }
  }

  /// - Parameter ages: Nil for ages of 0 before `age` is added.
  private func evaluate(
    _ ages: ElementNumbers?, plus age: Double, _ start: Start, _ newValues: ElementResults,
    _ newVelocities: ElementResults?
  ) throws(ColumnError) {
    let count = newValues.count
    try springs.check(count: count)
    try start.values.check("values", count: count)
    try start.velocities.check("velocities", count: count)
    try start.targets.check("targets", count: count)
    try ages?.check("ages", count: count)
    if let newVelocities, newVelocities.count != count {
      throw .wrongCount(of: "new velocities", expected: count, got: newVelocities.count)
    }
    try Self.check(ages, plus: age)
    ElementPart.forEach(of: count) { part in
      part.withOutput(newValues, tile: 0) { values in
        func run(_ velocities: Column<Float>?) {
          let elements = SpringElements(
            springs: springs.numbers.from(part.first), values: part.input(start.values, tile: 2),
            velocities: part.input(start.velocities, tile: 3), targets: part.input(start.targets, tile: 4),
            ages: part.input(ages, tile: 5), newValues: values, newVelocities: velocities)
          kernels.evaluate(elements, part.laneCount, age)
        }
        guard let newVelocities else { return run(nil) }
        part.withOutput(newVelocities, tile: 1) { run($0) }
      }
    }
  }

  private static func check(_ ages: ElementNumbers?, plus age: Double) throws(ColumnError) {
    guard 0...BatchLimits.maximumTime ~= age else { throw .invalidAge(index: 0, seconds: age) }
    guard let ages else { return }
    // The bits of Floats from 0 up are in their order, with NaN last; those of negative ones are negative. The sum makes −0
    // a 0.
    let limit = Int32(bitPattern: Float(BatchLimits.maximumTime).bitPattern)
    var signs: Int32 = 0
    for index in 0..<ages.count {
      let bits = Int32(bitPattern: (ages.column[index] + 0).bitPattern)
      signs |= bits | (limit &- bits)
    }
    guard signs < 0 else { return }
    for index in 0..<ages.count where !(0...Float(BatchLimits.maximumTime) ~= ages.column[index]) {
      throw .invalidAge(index: index, seconds: Double(ages.column[index]))
    }
  }
}

// MARK: - Steps

extension SpringKernel {
  /// Moves values and velocities on by some seconds, in place.
  ///
  /// The step is exact for targets that stand still meanwhile, however long it is; it is the step of tracks that follow, and
  /// has their errors and their bits: see <doc:Following>. No element comes to rest by itself: it stops up to 2⁻²⁴/(1 − ρ) of
  /// its target's size away, where ρ is the part of a deviation that a step leaves. A step of 0 s changes nothing.
  ///
  /// With a spring for each element, a second step of the same length keeps what follows from spring and length, 20 bytes a
  /// spring, and later ones take half the time.
  ///
  /// - Parameters:
  ///   - values: The value of each element.
  ///   - velocities: The velocity of each element, per second.
  ///   - targets: Where the springs pull to.
  ///   - seconds: 0…10¹⁰.
  /// - Throws: ``ColumnError/wrongCount(of:expected:got:)`` or ``ColumnError/invalidStep(seconds:)``.
  /// - Complexity: O(elements).
  public func step(
    _ values: inout MutableSpan<Float>, _ velocities: inout MutableSpan<Float>, to targets: Span<Float>, seconds: Double
  ) throws(ColumnError) {
    let (values, velocities) = (ElementResults(&values), ElementResults(&velocities))
    let targets = ElementNumbers(targets)
    let count = values.count
    try springs.check(count: count)
    guard velocities.count == count else {
      throw .wrongCount(of: "velocities", expected: count, got: velocities.count)
    }
    try targets.check("targets", count: count)
    guard 0...BatchLimits.maximumTime ~= seconds else { throw .invalidStep(seconds: seconds) }
    guard seconds > 0 else { return }
    let steps = springs.steps(of: seconds, kernels)
    ElementPart.forEach(of: count) { part in
      part.withOutput(values, tile: 0) { values in
        part.withOutput(velocities, tile: 1) { velocities in
          let elements = StepElements(
            springs: springs.numbers.from(part.first), steps: steps?.numbers.from(part.first), values: values,
            velocities: velocities,
            targets: part.input(targets, tile: 2))
          kernels.step(elements, part.laneCount, seconds)
        }
      }
    }
  }
}
