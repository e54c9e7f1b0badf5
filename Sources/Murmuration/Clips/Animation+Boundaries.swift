// SPDX-License-Identifier: MIT

extension Animation {
  /// The most boundaries; more would leave too few pieces for the motion between them.
  private static var mostBoundaries: Int { 4096 }

  /// The moments after 0 and up to `end` right after which a motion of ours from 0 to 1 may jump or bend, ascending.
  /// These are the corners and ends of curves, the ends of delays and the starts of iterations. The moments within a
  /// custom animation are not known.
  ///
  /// - Returns: nil if there are more than 4 096.
  func boundaries(until end: Double) -> [Double]? {
    guard end > 0 else { return [] }
    switch structure {
    case .curve(let curve, let duration):
      guard let corners = curve.corners, corners.count < Self.mostBoundaries else { return nil }
      return (corners.map { $0 * duration } + [duration]).filter { $0 > 0 && $0 <= end }
    case .spring, .interpolatingSpring, .custom:
      return [endTime(value: 1.0, context: AnimationContext())].filter { $0 <= end }
    case .delay(let base, let seconds):
      let inner = base.boundaries(until: end - seconds)
      return inner.map { ([0] + $0).map { $0 + seconds }.filter { $0 > 0 } }
    case .speed(let base, let speed):
      guard speed > 0 else { return [] }
      return base.boundaries(until: end * speed).map { $0.map { $0 / speed } }
    case .repeat(let base, let count, let autoreverses):
      return base.boundaries(until: end, rounds: count, autoreverses: autoreverses)
    case .logicallyComplete(let base, _):
      return base.boundaries(until: end)
    }
  }

  private func boundaries(until end: Double, rounds: Int?, autoreverses: Bool) -> [Double]? {
    let length = endTime(value: 1.0, context: AnimationContext())
    guard length > 0, let inner = boundaries(until: min(length, end)) else { return length > 0 ? nil : [] }
    guard length < end else { return inner }
    let count = min((end / length).rounded(.up), rounds.map(Double.init) ?? .infinity)
    guard count * Double(inner.count + 1) <= Double(Self.mostBoundaries) else { return nil }
    let back = inner.reversed().map { length - $0 }
    var all: [Double] = []
    for round in 0..<Int(count) {
      let start = Double(round) * length
      for moment in autoreverses && round % 2 == 1 ? back : inner { all.append(start + moment) }
      all.append(Double(round + 1) * length)
    }
    return all.filter { $0 > 0 && $0 <= end }
  }
}
