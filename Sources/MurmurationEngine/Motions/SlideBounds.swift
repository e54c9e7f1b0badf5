// SPDX-License-Identifier: MIT
import Kernels

/// The bounds of a slide, the points at which it may end, and the spring that leads to either.
public struct SlideBounds: Hashable, Sendable {
  /// A bound for each component, infinity for none; empty without bounds.
  public let lower, upper: [Float]
  public let spring: Spring
  /// The components of points, to the nearest of which the spring leads at once; nil for a slide that ends anywhere.
  public let points: [Float]?
  /// The spacing of a grid through the first point, one for each component; nil for the points alone.
  public let spacing: [Float]?

  /// - Parameters:
  ///   - lower: The lower bounds, one for each component, −infinity for none; empty without bounds.
  ///   - upper: The upper bounds, one for each component, at least the lower ones, infinity for none; empty without bounds.
  ///   - spring: The spring at a bound, or to a point.
  ///   - points: The components of the points at which the slide may end, point by point; nil for a slide that ends anywhere.
  ///   - spacing: The spacing of a grid through the first point, one for each component; nil for the points alone.
  package init(
    lower: [Float] = [], upper: [Float] = [], spring: Spring, points: [Float]? = nil, spacing: [Float]? = nil
  ) {
    (self.lower, self.upper, self.spring, self.points, self.spacing) = (lower, upper, spring, points, spacing)
  }

  /// The bounds of a component.
  package subscript(dimension: Int) -> ClosedRange<Double> {
    lower.isEmpty ? -.infinity ... .infinity : Double(lower[dimension])...Double(upper[dimension])
  }

  /// Throws ``BatchError`` unless batches accept the bounds and the points.
  ///
  /// - Returns: The spring, which batches accept too.
  func check(dimensions: Int) throws(BatchError) -> SpringCoefficients {
    for bounds in [lower, upper] where bounds.count != dimensions && !(lower.isEmpty && upper.isEmpty) {
      throw .wrongDimensions(of: "bounds", expected: dimensions, got: bounds.count)
    }
    for dimension in lower.indices where !(lower[dimension] <= upper[dimension]) {
      throw .invalidSlide(
        component: dimension, reason: "the upper bound must be at least the lower one's, is \(upper[dimension])")
    }
    let most = BatchLimits.maximumMagnitude
    for dimension in lower.indices where lower[dimension] > most || upper[dimension] < -most {
      throw .invalidSlide(
        component: dimension,
        reason: "the bounds must leave numbers within ±1e15, is \(lower[dimension])…\(upper[dimension])")
    }
    if let points {
      guard !points.isEmpty, points.count % dimensions == 0 else {
        throw .wrongCount(of: "snap points", expected: dimensions, got: points.count)
      }
      try BatchLimits.check(points.span, of: "component of the snap points")
    }
    if let spacing {
      try BatchError.check(spacing.count, of: "spacing", expected: dimensions)
      try BatchLimits.check(spacing.span, of: "spacing of component")
      for dimension in spacing.indices where spacing[dimension] <= 0 {
        throw .invalidSlide(component: dimension, reason: "the spacing must be above 0, is \(spacing[dimension])")
      }
    }
    return try SpringCoefficients(checked: spring)
  }

  /// A number of a component, or the bound that it lies beyond.
  private func limited(_ number: Double, _ dimension: Int) -> Double {
    let bounds = self[dimension]
    return min(max(number, bounds.lowerBound), bounds.upperBound)
  }

  /// Moves the end of a slide, limited to the bounds, to the nearest point, where points beyond a bound count at the bound.
  ///
  /// - Parameters:
  ///   - ends: Ends of slides. The numbers of this one stand at `first`, `first + stride`, ….
  ///   - points: Where slides may end. Of two points as near, a grid has the greater one, and others the first one.
  func snap(_ ends: inout [Float], _ first: Int, stride: Int, to points: [Float]) {
    let dimensions = ends.count / stride
    var (nearest, least) = (0, Double.infinity)
    for point in Swift.stride(from: 0, to: spacing == nil ? points.count : 0, by: dimensions) {
      var distance = 0.0
      for dimension in 0..<dimensions {
        let end = limited(Double(ends[first + stride * dimension]), dimension)
        let way = limited(Double(points[point + dimension]), dimension) - end
        distance += way * way
      }
      if distance < least { (nearest, least) = (point, distance) }
    }
    for dimension in 0..<dimensions {
      var point = Double(points[nearest + dimension])
      if let spacing {
        let (start, step) = (point, Double(spacing[dimension]))
        let end = limited(Double(ends[first + stride * dimension]), dimension)
        let number = ((end - start) / step).rounded(.down)
        point = start + number * step
        let next = start + (number + 1) * step
        if limited(next, dimension) - end <= end - limited(point, dimension) { point = next }
      }
      ends[first + stride * dimension] = Float(limited(point, dimension))
    }
  }
}

extension Engine {
  /// Lets those of the picked tracks that would leave bounds slide within them, and drops them from the call. They are
  /// computed one at a time, in Double. Their velocities are set.
  mutating func slidePicked(within bounds: SlideBounds, by deceleration: Deceleration, _ change: UInt32) {
    for position in 0..<picks.count where !picks[position].isDropped {
      let index = picks[position].index
      // Pauses and curves have ended: the columns have the velocities that slides take over.
      func velocity(_ dimension: Int) -> Double { Double(tracks.columns.velocity[tracks.element(index, dimension)]) }
      // Most slides end within their bounds.
      let staysWithin = (0..<dimensions).allSatisfy { dimension in
        let value = Double(tracks.columns.value[tracks.element(index, dimension)])
        let end = value + velocity(dimension) / deceleration.decayConstant
        let bounds = bounds[dimension]
        return bounds.contains(value) && bounds.contains(end)
      }
      if staysWithin { continue }
      let slides = (0..<dimensions).map { dimension in
        BoundedSlide(
          from: Double(tracks.columns.value[tracks.element(index, dimension)]),
          velocity: velocity(dimension), by: deceleration, within: bounds[dimension], bounds.spring)
      }
      guard slides.contains(where: { $0.meetsBound }) else { continue }
      picks.drop(position)
      let (near, slow) = (Double(springs.tolerance.value), springs.tolerance.velocity.map(Double.init))
      let end = slides.reduce(0) { max($0, $1.restTime(tolerance: near, velocityTolerance: slow)) }
      beginCalled(index, CalledValue(slides, at: time, end: end), at: time, change)
    }
  }
}
