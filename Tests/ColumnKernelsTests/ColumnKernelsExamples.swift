// SPDX-License-Identifier: MIT
import ColumnKernels
import Murmuration
import Testing

/// The example of the module `ColumnKernels`, word for word between the lines `example:` and `end`. `DocumentationTests`
/// compares it with the document.
struct ColumnKernelsExamples {
  @Test func columnsFollowTheirTargets() throws {
    // example: Sources/ColumnKernels/ColumnKernels.docc/ColumnKernels.md
    let bouncy = try SpringKernel(.bouncy)
    var (x, v) = ([Float](repeating: 0, count: 100_000), [Float](repeating: 0, count: 100_000))
    let goals = x.indices.map { Float($0 % 640) }
    let targets = goals.span
    for _ in 0..<60 {
      var values = x.mutableSpan
      var velocities = v.mutableSpan
      try bouncy.step(&values, &velocities, to: targets, seconds: 1.0 / 60)
    }
    // end
    for index in stride(from: 0, to: x.count, by: 997) {
      let goal = Double(goals[index])
      #expect(abs(Double(x[index]) - Spring.bouncy.value(target: goal, time: 1)) < 1e-3)
    }
  }
}
