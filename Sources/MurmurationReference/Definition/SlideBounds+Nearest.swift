// SPDX-License-Identifier: MIT
import Murmuration

extension SlideBounds {
  /// The point nearest to the end of a slide, where both are limited to the bounds, and whether a batch finds it too, whose
  /// slides end elsewhere by the bounds of these samples.
  func nearest(of points: [Float], to slide: [MotionSample]) -> (end: [Float], isCertain: Bool) {
    let ends = slide.indices.map { limited(slide[$0].value, $0) }
    guard let spacing else {
      let candidates = points.chunks(of: ends.count).map { point in
        point.indices.map { limited(Double(point[$0]), $0) }
      }
      let (end, isCertain) = Self.nearest(candidates, to: ends, slide.reduce(0) { $0 + $1.bound.value })
      return (end.map { Float($0) }, isCertain)
    }
    var (nearest, isCertain) = ([Float](), true)
    for (dimension, step) in spacing.map(Double.init).enumerated() {
      let start = Double(points[dimension])
      let number = ((ends[dimension] - start) / step).rounded()
      // Of two as near the greater one counts, so it is first.
      let candidates = [1.0, 0, -1].map { [limited(start + (number + $0) * step, dimension)] }
      let error = slide[dimension].bound.value
      let (end, isAlone) = Self.nearest(candidates, to: [ends[dimension]], error)
      nearest.append(Float(end[0]))
      isCertain = isCertain && isAlone && step > 2 * error
    }
    return (nearest, isCertain)
  }

  /// The first of the nearest candidates, and whether none that differs from it is nearer to an end that is elsewhere by an
  /// error.
  private static func nearest(
    _ candidates: [[Double]], to end: [Double], _ error: Double
  ) -> (end: [Double], isCertain: Bool) {
    let distances = candidates.map { zip($0, end).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot() }
    let best = distances.indices.min { distances[$0] < distances[$1] } ?? 0
    let isCertain = candidates.indices.allSatisfy {
      candidates[$0] == candidates[best] || distances[$0] - distances[best] > 2 * error
    }
    return (candidates[best], isCertain)
  }

  private func limited(_ number: Double, _ dimension: Int) -> Double {
    min(max(number, self[dimension].lowerBound), self[dimension].upperBound)
  }
}
