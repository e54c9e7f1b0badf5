// SPDX-License-Identifier: MIT

/// The places at which a curve is evaluated, so that its drawing misses nothing.
struct PlotSampling {
  /// The places, ascending, each once, within the span.
  let places: [Double]

  /// Evenly spread places, which get denser on both sides of each of `corners`, where a curve may jump, bend or be
  /// vertical.
  init(span: ClosedRange<Double>, count: Int, corners: [Double]) {
    let width = span.upperBound - span.lowerBound
    var places = (0...max(count, 1)).map { span.lowerBound + width * Double($0) / Double(max(count, 1)) }
    // With more corners than places, a corner shows even without dense neighbours.
    let halvings = corners.count <= 64 ? 24 : 0
    for corner in corners where span.contains(corner) {
      places += [corner.nextDown, corner, corner.nextUp]
      for power in 0..<halvings {
        let step = width / Double(max(count, 1)) / Double(1 << power)
        places += [corner - step, corner + step]
      }
    }
    self.places = places.filter(span.contains).sorted().reduce(into: []) { unique, place in
      if unique.last != place { unique.append(place) }
    }
  }
}
