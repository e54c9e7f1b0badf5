// SPDX-License-Identifier: MIT
import Charts
import Scenes

extension PlotSubject {
  /// The most steps that are drawn; with more there would be nothing to see.
  static let stepLimit = 10_000.0

  /// The number of rounds that are drawn of an endless sequence: two if there is room for both, so that the seam shows.
  private static func rounds(_ group: PhaseGroup) -> Double { group.phases.count <= 8 ? 2 : 1 }

  /// The length in seconds of a triggered round of phases, or of one or two rounds of an endless sequence.
  static func length(_ group: PhaseGroup) -> Double {
    let motion = PhaseMotion(group, until: 0)
    return motion.length.isFinite ? motion.length : rounds(group) * motion.cycle
  }

  /// The curve of one component of a sequence of phases over `span`.
  func phases(_ group: PhaseGroup, _ component: Int, over span: ClosedRange<Double>) -> Chart.Series {
    let motion = PhaseMotion(group, until: span.upperBound)
    let corners = [0] + motion.steps.map(\.start)
    let count = min(max(1200, motion.steps.count * 32), 8000)
    let times = PlotSampling(span: span, count: count, corners: corners).places
    return Chart.Series(
      name: name, times: times, values: times.map { motion.value(component, at: $0) },
      velocities: times.map { motion.velocity(component, at: $0) },
      marks: motion.length.isFinite ? [.init(.end, at: motion.cycle)] : [],
      goals: motion.targets(component).map { .init(time: $0.time, value: $0.target) })
  }

  /// The phases that a chart over `span` shows; empty if this is no sequence of phases.
  func bands(over span: ClosedRange<Double>) -> [Chart.Band] {
    guard case .phases(let group, _) = motion else { return [] }
    return PhaseMotion(group, until: span.upperBound).steps.map { step in
      Chart.Band(name: "phase \(step.phase + 1)", span: step.start...step.end)
    }
  }
}
