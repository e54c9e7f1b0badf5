// SPDX-License-Identifier: MIT
import Kernels

/// The bounds of a slide, and the spring that holds a track at them.
public struct SlideBounds: Hashable, Sendable {
  /// A bound for each component; infinity for none.
  public let lower, upper: [Float]
  public let spring: Spring

  /// - Parameters:
  ///   - lower: The lower bounds, one for each component; −infinity for none.
  ///   - upper: The upper bounds, one for each component, at least the lower ones; infinity for none.
  ///   - spring: The spring at a bound.
  package init(lower: [Float], upper: [Float], spring: Spring) {
    (self.lower, self.upper, self.spring) = (lower, upper, spring)
  }

  /// The bounds of a component.
  package subscript(dimension: Int) -> ClosedRange<Double> { Double(lower[dimension])...Double(upper[dimension]) }

  /// Throws ``BatchError`` unless batches accept the bounds and the spring.
  func check(dimensions: Int) throws(BatchError) {
    for bounds in [lower, upper] where bounds.count != dimensions {
      throw .wrongDimensions(of: "bounds", expected: dimensions, got: bounds.count)
    }
    for dimension in 0..<dimensions where !(lower[dimension] <= upper[dimension]) {
      throw .invalidValue(of: "component \(dimension) of the upper bound", index: 0, value: upper[dimension])
    }
    _ = try SpringCoefficients(checked: spring)
  }
}

#if !hasFeature(Embedded)
  extension Engine {
    /// Lets those of the picked tracks that would leave bounds slide within them, and drops them from the call. They are
    /// computed one at a time, in Double. Their velocities are set.
    mutating func slidePicked(within bounds: SlideBounds, by deceleration: Deceleration, _ change: UInt32) {
      for position in 0..<picks.count where !picks[position].isDropped {
        let index = picks[position].index
        // Most slides end within their bounds.
        let staysWithin = (0..<dimensions).allSatisfy { dimension in
          let value = Double(tracks.columns.value[tracks.element(index, dimension)])
          let end = value + Double(ownVelocity(index, dimension)) / deceleration.decayConstant
          let bounds = bounds[dimension]
          return bounds.contains(value) && bounds.contains(end)
        }
        if staysWithin { continue }
        let slides = (0..<dimensions).map { dimension in
          let element = tracks.element(index, dimension)
          return BoundedSlide(
            from: Double(tracks.columns.value[element]), velocity: Double(ownVelocity(index, dimension)),
            by: deceleration,
            within: bounds[dimension], bounds.spring)
        }
        guard slides.contains(where: \.meetsBound) else { continue }
        picks.drop(position)
        let tolerance = springs.tolerance
        let end = slides.reduce(0) {
          max(
            $0,
            $1.restTime(
              tolerance: Double(tolerance.value), velocityTolerance: tolerance.velocity.map(Double.init)))
        }
        let target = vector { Float(slides[$0].end) + 0 }
        beginCalled(index, CalledValue(slides, target: target, at: time, end: end), at: time, change) {
          Float(target[$0])
        }
      }
    }
  }
#endif
