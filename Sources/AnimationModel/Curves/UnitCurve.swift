// SPDX-License-Identifier: MIT

/// A function that maps progress in time, 0 to 1, to progress in value.
///
/// The names and labels of the curves from ``linear`` to ``bezier(startControlPoint:endControlPoint:)`` are SwiftUI's. The
/// eases from ``easeInSine`` to ``easeInOutBounce`` are those of easings.net. Both clamp their input to 0…1;
/// ``steps(_:position:)`` and ``linear(points:)`` are the web's and go on outside as CSS says. An input that is not a number
/// gives NaN.
public struct UnitCurve: Hashable, Sendable {
  /// The kinds of curve.
  package enum Shape: Hashable, Sendable {
    case identity
    case named(NamedEase)
    case bezier(CubicBezier)
    case steps(StepCurve)
    case piecewiseLinear(PiecewiseLinearCurve)
  }

  /// The kind of curve, with its parameters.
  package let shape: Shape

  /// A curve of the given kind.
  package init(_ shape: Shape) { self.shape = shape }
}

// MARK: - Curves

extension UnitCurve {
  /// The identity: a constant pace.
  public static var linear: UnitCurve { UnitCurve(.identity) }

  /// Starts slowly: the Bézier curve of (0.42, 0) and (1, 1).
  public static var easeIn: UnitCurve {
    bezier(startControlPoint: UnitPoint(x: 0.42, y: 0), endControlPoint: UnitPoint(x: 1, y: 1))
  }

  /// Ends slowly: the Bézier curve of (0, 0) and (0.58, 1).
  public static var easeOut: UnitCurve {
    bezier(startControlPoint: UnitPoint(x: 0, y: 0), endControlPoint: UnitPoint(x: 0.58, y: 1))
  }

  /// Starts and ends slowly: the Bézier curve of (0.42, 0) and (0.58, 1).
  public static var easeInOut: UnitCurve {
    bezier(startControlPoint: UnitPoint(x: 0.42, y: 0), endControlPoint: UnitPoint(x: 0.58, y: 1))
  }

  /// A quarter of a circle that starts flat and ends vertical.
  public static var circularEaseIn: UnitCurve { UnitCurve(.named(NamedEase(.circ, .in))) }

  /// A quarter of a circle that starts vertical and ends flat.
  public static var circularEaseOut: UnitCurve { UnitCurve(.named(NamedEase(.circ, .out))) }

  /// Two quarters of a circle of half the size: flat at both ends and vertical in the middle.
  public static var circularEaseInOut: UnitCurve { UnitCurve(.named(NamedEase(.circ, .inOut))) }

  /// The cubic Bézier curve from (0, 0) to (1, 1) with the given control points.
  ///
  /// - Parameters:
  ///   - startControlPoint: The point that the curve leaves the origin towards; its x is clamped to 0…1.
  ///   - endControlPoint: The point that the curve comes to (1, 1) from; its x is clamped to 0…1.
  public static func bezier(startControlPoint: UnitPoint, endControlPoint: UnitPoint) -> UnitCurve {
    UnitCurve(.bezier(CubicBezier(startControlPoint, endControlPoint)))
  }

  /// The staircase of CSS `steps()`.
  ///
  /// - Parameters:
  ///   - count: The number of intervals of equal length; raised to the least valid one.
  ///   - position: Where the jumps are.
  public static func steps(_ count: Int, position: StepCurve.Position = .jumpEnd) -> UnitCurve {
    UnitCurve(.steps(StepCurve(count: count, position: position)))
  }

  /// The polyline of CSS `linear()`.
  ///
  /// - Parameter points: Points of the curve in order; see ``PiecewiseLinearCurve`` for what missing and falling inputs mean.
  public static func linear(points: [PiecewiseLinearCurve.Point]) -> UnitCurve {
    UnitCurve(.piecewiseLinear(PiecewiseLinearCurve(points)))
  }
}

// MARK: - Evaluation

extension UnitCurve {
  /// Progress in value at a progress in time.
  ///
  /// Bézier curves are solved to double precision: the result is exact for some progress within a few units in the last
  /// place of the given one, and exactly 0 and 1 at the ends. (SwiftUI's are rounded to multiples of 2⁻²⁰.) Named eases are
  /// within 10⁻¹⁵ of their formulas, and exactly 0 and 1 at the ends too.
  public func value(at progress: Double) -> Double {
    switch shape {
    case .steps(let steps): return steps.value(at: progress)
    case .piecewiseLinear(let line): return line.value(at: progress)
    default: break
    }
    if progress.isNaN { return .nan }
    let x = min(max(progress, 0), 1)
    return switch shape {
    case .identity, .steps, .piecewiseLinear: x
    case .named(let ease): ease.value(at: x)
    case .bezier(let curve): curve.value(at: x)
    }
  }

  /// Progress in value at a progress in 0…1. At the ends of a named ease that jumps there it is the limit from inside.
  package func limit(at progress: Double) -> Double {
    if case .named(let ease) = shape { ease.limit(at: progress) } else { value(at: progress) }
  }

  /// The slope of the curve at a progress in time: progress in value per progress in time.
  ///
  /// At the ends of a curve, and outside them, it is the limit from inside. It is infinite where the curve is vertical, 0
  /// on the steps of a staircase, and at a corner of a polyline the slope of the piece to the right. At a corner of a bounce
  /// it is the slope of one side.
  public func velocity(at progress: Double) -> Double {
    switch shape {
    case .steps: return progress.isNaN ? .nan : 0
    case .piecewiseLinear(let line): return line.velocity(at: progress)
    default: break
    }
    if progress.isNaN { return .nan }
    let x = min(max(progress, 0), 1)
    return switch shape {
    case .identity, .steps, .piecewiseLinear: 1
    case .named(let ease): ease.velocity(at: x)
    case .bezier(let curve): curve.velocity(at: x)
    }
  }

  /// The curve with time and value exchanged.
  ///
  /// As in SwiftUI, the inverse of a Bézier curve exchanges the coordinates of its control points (and then clamps them),
  /// and ``circularEaseInOut`` returns itself, which is not its mathematical inverse. A polyline that falls somewhere is
  /// exchanged as if it rose there. The other named eases that rise all the way have their mathematical inverse, which stays
  /// at 0 or 1 where the ease jumps over values. Those of `Back`, `Elastic` and `Bounce`, which fall somewhere, return
  /// themselves.
  public var inverse: UnitCurve {
    switch shape {
    case .identity: self
    case .named(let ease): UnitCurve(.named(ease.inverse))
    case .bezier(let curve):
      .bezier(startControlPoint: curve.start.transposed, endControlPoint: curve.end.transposed)
    case .steps(let steps): UnitCurve(.steps(steps.inverse))
    case .piecewiseLinear(let line): UnitCurve(.piecewiseLinear(line.inverse))
    }
  }
}
