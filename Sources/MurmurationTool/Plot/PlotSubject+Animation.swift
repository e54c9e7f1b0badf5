// SPDX-License-Identifier: MIT
import Charts
import Murmuration
import Scenes

extension PlotSubject {
  /// The most iterations of a repeated animation that are drawn, unless more are asked for.
  private static let turns = 4
  /// The most ends of iterations around which a curve is drawn more finely.
  private static let cornerLimit = 60

  /// The length in seconds of an animation, or of its first iterations if there are many.
  static func length(_ animation: AnimationDescription, from: Double, target: Double) -> Double {
    let end = animation.end(from: from, to: target)
    let turns = animation.ends(from: from, to: target, until: .infinity, limit: turns)
    if let last = turns.last, end > 1.01 * last { return last }
    return end.isFinite ? end : 1
  }

  /// The curve of an animation from one value to another over `span`.
  func animation(
    _ description: AnimationDescription, from: Double, target: Double, over span: ClosedRange<Double>
  ) -> Chart.Series {
    var value = AnimatedValue(from)
    value.retarget(to: target, with: description.animation, at: 0)
    let end = value.endTime
    let ends = description.ends(from: from, to: target, until: span.upperBound, limit: Self.cornerLimit)
    let corners = [0, max(0, description.delay)] + ends
    let times = PlotSampling(span: span, count: min(max(1200, ends.count * 200), 8000), corners: corners).places
    return Chart.Series(
      name: name, times: times, values: times.map { value.value(at: $0) },
      velocities: times.map { value.velocity(at: $0) }, marks: [.init(.end, at: end)],
      dots: ends.filter { $0 < end }.map { .init(time: $0, value: value.value(at: $0)) })
  }
}
