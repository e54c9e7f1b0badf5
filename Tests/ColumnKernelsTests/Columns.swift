// SPDX-License-Identifier: MIT
import AnimationModel
import ColumnKernels
import Murmuration

/// What tests of columns share: counts, springs of every regime, and calls with arrays.
enum Columns {
  static let counts = [0, 1, 15, 16, 17, 33, 1000]

  /// Overdamped, critical, nearly critical, underdamped and undamped springs, slow and quick ones, and one that jumps.
  static let springs: [Spring] =
    [-0.999_999, -0.7, -1e-3, -1e-9, 0, 1e-9, 1e-3, 0.3, 0.9, 0.999, 1].flatMap { bounce in
      [0.001, 0.05, 0.5, 10, 1000].map { Spring(duration: $0, bounce: bounce) }
    } + [Spring(duration: 0)]

  /// Floats drawn from −size to size.
  static func numbers(_ count: Int, size: Double, _ random: inout SplitMix64) -> [Float] {
    (0..<count).map { _ in Float(random.uniform(-size...size)) }
  }

  static func bits(_ numbers: [Float]) -> [UInt32] { numbers.map(\.bitPattern) }
  static func bits(_ motion: (values: [Float], velocities: [Float])) -> [UInt32] {
    bits(motion.values + motion.velocities)
  }
  static func bits(_ start: Start) -> [UInt32] { bits((start.values, start.velocities)) }
}

/// The start of some elements.
struct Start {
  var values, velocities, targets: [Float]

  /// A start for each of `count` elements, or for all of them one velocity and one target.
  init(_ count: Int, isShared: Bool = false, _ random: inout SplitMix64) {
    values = Columns.numbers(count, size: 100, &random)
    velocities = Columns.numbers(isShared ? 1 : count, size: 1000, &random)
    targets = Columns.numbers(isShared ? 1 : count, size: 100, &random)
  }

  func value(_ index: Int) -> Double { Double(values[index]) }
  func velocity(_ index: Int) -> Double { Double(velocities[velocities.count == 1 ? 0 : index]) }
  func target(_ index: Int) -> Double { Double(targets[targets.count == 1 ? 0 : index]) }
}

extension SpringKernel {
  init(_ springs: [Spring], kernels: KernelSet? = nil) throws {
    let span = springs.span
    try self.init(each: span, kernels: kernels)
  }

  /// Values and velocities at ages, or at one age.
  func motion(_ start: Start, at ages: [Float]) throws -> (values: [Float], velocities: [Float]) {
    try motion(start, at: ages, age: nil)
  }

  func motion(_ start: Start, at age: Double) throws -> (values: [Float], velocities: [Float]) {
    try motion(start, at: [], age: age)
  }

  private func motion(_ start: Start, at ages: [Float], age: Double?) throws -> (values: [Float], velocities: [Float]) {
    let count = start.values.count
    var (values, velocities) = ([Float](repeating: 7, count: count), [Float](repeating: 7, count: count))
    let (ages, from) = (ages.span, start.values.span)
    let (pushes, targets) = (start.velocities.span, start.targets.span)
    var alone = [Float](repeating: 7, count: count)
    do {
      var first = values.mutableSpan
      var second = velocities.mutableSpan
      var third = alone.mutableSpan
      if let age {
        try evaluate(at: age, values: from, velocities: pushes, targets: targets, into: &first, velocitiesInto: &second)
        try evaluate(at: age, values: from, velocities: pushes, targets: targets, into: &third)
      } else {
        try evaluate(
          at: ages, values: from, velocities: pushes, targets: targets, into: &first, velocitiesInto: &second)
        try evaluate(at: ages, values: from, velocities: pushes, targets: targets, into: &third)
      }
    }
    precondition(Columns.bits(alone) == Columns.bits(values), "velocities change values")
    return (values, velocities)
  }

  /// Takes a step of a start.
  func step(_ start: inout Start, seconds: Double) throws {
    let goals = start.targets
    let targets = goals.span
    var (values, velocities) = (start.values, start.velocities)
    do {
      var first = values.mutableSpan
      var second = velocities.mutableSpan
      try step(&first, &second, to: targets, seconds: seconds)
    }
    (start.values, start.velocities) = (values, velocities)
  }
}
