// SPDX-License-Identifier: MIT
import CYardsticks
import ColumnKernels
import Murmuration

// Springs over columns of a program's own, without a batch.
extension ChangeBench {
  /// Columns of two components, and what calls make of them.
  private final class OwnColumns {
    static let euler = "yardstick.euler.own-columns"
    private let bench: ChangeBench
    /// Values, velocities, and two sets of goals, each in two components; and shares of a way.
    private let columns: [LineColumn]
    private var steps = 0

    init(_ bench: ChangeBench) {
      self.bench = bench
      columns = (0..<9).map { LineColumn(count: bench.tracks, stagger: $0) }
      for track in 0..<bench.tracks {
        for column in 4..<8 { columns[column].floats[track] = bench.goals[(column - 4) / 2][track][column & 1] }
        columns[8].floats[track] = Float(track % 97) / 96
      }
    }

    /// The columns of goals, which change every eighth step.
    private func goals(_ component: Int) -> LineColumn { columns[4 + 2 * (steps / 8 & 1) + component] }

    private func input(_ column: Int) -> UnsafeBufferPointer<Float> { UnsafeBufferPointer(columns[column].floats) }

    func value(_ track: Int) -> SIMD2<Float> { SIMD2(columns[0].floats[track], columns[1].floats[track]) }

    func step(_ kernel: SpringKernel) throws {
      steps += 1
      for component in 0..<2 {
        let goals = UnsafeBufferPointer(goals(component).floats)
        let (first, second) = (columns[component].floats, columns[2 + component].floats)
        let targets = goals.span
        var values = first.mutableSpan
        var velocities = second.mutableSpan
        try kernel.step(&values, &velocities, to: targets, seconds: ChangeBench.frame)
      }
    }

    func stepByEuler(_ spring: Spring) {
      steps += 1
      for component in 0..<2 {
        TrackYardstick.loops.step_columns(
          columns[component].address, columns[2 + component].address, goals(component).address, bench.tracks,
          Float(spring.stiffness), Float(spring.damping), Float(ChangeBench.frame))
      }
    }

    /// Computes values at one age, or at ages, of springs that left 0 for the goals of the first set.
    func evaluate(_ kernel: SpringKernel, atOneAge: Bool) throws {
      let zero: [Float] = [0]
      let moments = input(8)
      let (rest, ages) = (zero.span, moments.span)
      for component in 0..<2 {
        let (goals, values) = (input(4 + component), columns[component].floats)
        let targets = goals.span
        var results = values.mutableSpan
        if atOneAge {
          try kernel.evaluate(at: 0.3, values: rest, velocities: rest, targets: targets, into: &results)
        } else {
          try kernel.evaluate(at: ages, values: rest, velocities: rest, targets: targets, into: &results)
        }
      }
    }

    func ease(_ kernel: EaseKernel) throws {
      let shares = input(8)
      let progress = shares.span
      for component in 0..<2 {
        let (first, last, values) = (input(4 + component), input(6 + component), columns[component].floats)
        let (from, to) = (first.span, last.span)
        var results = values.mutableSpan
        try kernel.values(at: progress, from: from, to: to, into: &results)
      }
    }

    /// Takes some steps that must agree with the model.
    func check(_ kernel: SpringKernel, _ spring: (Int) -> Spring) throws {
      for frame in 0..<20 {
        steps = frame
        try step(kernel)
      }
      for track in Swift.stride(from: 0, to: bench.tracks, by: 37) {
        var (value, velocity) = (SIMD2<Double>.zero, SIMD2<Double>.zero)
        for frame in 1...20 {
          let goal = SIMD2<Double>(bench.goals[frame / 8 & 1][track])
          spring(track).update(value: &value, velocity: &velocity, target: goal, deltaTime: ChangeBench.frame)
        }
        let difference = SIMD2<Double>(self.value(track)) - value
        guard max(abs(difference.x), abs(difference.y)) <= 1e-3 else {
          throw BenchError.disagreement(index: track, kernel: self.value(track).x, scalar: value.x)
        }
      }
    }
  }

  /// Steps, ages and curves, beside explicit Euler over the very same columns.
  func ownColumns() throws -> [OperationResult] {
    let list = springs
    let span = list.span
    let (one, each) = (try SpringKernel(spring), try SpringKernel(each: span))
    let ease = try EaseKernel(.easeInOut)
    try OwnColumns(self).check(one) { _ in self.spring }
    try OwnColumns(self).check(each) { self.springs[$0] }
    let (columns, spring) = (OwnColumns(self), spring)
    func work(_ name: String, bytes: Double, _ run: @escaping () throws -> Void) -> Work {
      Work(name: name, yardstick: OwnColumns.euler, bytes: bytes * Double(tracks), run: run)
    }
    return try rows([
      work("columns.step", bytes: 40) { try columns.step(one) },
      work("columns.step.springs-each", bytes: 56) { try columns.step(each) },
      work("columns.evaluate", bytes: 16) { try columns.evaluate(one, atOneAge: true) },
      work("columns.evaluate.ages-each", bytes: 24) { try columns.evaluate(one, atOneAge: false) },
      work("columns.evaluate.springs-each", bytes: 64) { try columns.evaluate(each, atOneAge: false) },
      work("columns.ease", bytes: 32) { try columns.ease(ease) },
      Work(name: OwnColumns.euler, bytes: 40 * Double(tracks)) { columns.stepByEuler(spring) },
    ])
  }
}
