// SPDX-License-Identifier: MIT
public import Murmuration
import Text

/// A motion as the easing function `linear()` of CSS, with the fewest points for a given error.
///
/// ```swift
/// let easing = try CSSLinear(.bouncy, tolerance: 0.002)
/// print("transition: translate \(easing.duration)s \(easing.css);")
/// ```
///
/// The polyline begins and ends exactly where the motion does. Between, it differs by at most the tolerance, and no
/// continuous polyline with fewer points stays within 0.995 of the tolerance, wherever its corners are. The rest of the
/// tolerance is for the rounding of the points to a few decimals, and for samples that stand for the motion. Within the
/// first and the last 4 096th of the duration the tolerance shrinks to nothing at the ends.
public struct CSSLinear: Sendable, Equatable {
  /// The polyline, in shares of the duration.
  public let points: [PiecewiseLinearCurve.Point]
  /// The duration of the motion in seconds.
  public let duration: Double
  /// The largest difference between the polyline and the motion, measured between the samples too.
  public let measuredError: Double

  /// The tolerances that can be met, in shares of the way.
  public static let tolerances = 1e-5...0.5

  /// A curve.
  /// - Parameters:
  ///   - curve: The curve, followed from 0 to 1.
  ///   - duration: Passed on; a curve has none of its own.
  ///   - tolerance: The largest error, in ``tolerances``.
  /// - Throws: ``FileError`` for another tolerance, and for a curve that jumps by a quarter of the tolerance or more; jumps of
  ///   up to a sixth are accepted.
  /// - Complexity: O(n) in the number of samples, some hundreds to 2¹⁸.
  public init(_ curve: UnitCurve, duration: Double = 1, tolerance: Double = 0.001) throws(FileError) {
    try self.init(duration: duration, tolerance: tolerance, start: curve.value(at: 0), end: curve.value(at: 1)) {
      curve.limit(at: $0)
    }
  }

  /// A spring from 0 to 1 from rest.
  ///
  /// The motion ends when it stays within half of the tolerance of 1, and then is 1.
  /// - Parameters:
  ///   - spring: The spring.
  ///   - tolerance: The largest error as a share of the way, in ``tolerances``.
  /// - Throws: ``FileError`` for another tolerance, and for a spring that does not come to rest within 10⁴ of its periods.
  public init(_ spring: Spring, tolerance: Double = 0.001) throws(FileError) {
    try Self.check(tolerance)
    let duration = spring.restTime(tolerance: tolerance / 2, velocityTolerance: .infinity)
    guard duration > 0, duration <= 1e4 * spring.duration else {
      throw FileError("the spring makes no motion with an end: its rest time is \(NumberText.short(duration)) s")
    }
    try self.init(duration: duration, tolerance: tolerance, start: 0, end: 1) {
      spring.value(target: 1.0, time: $0 * duration)
    }
  }

  /// An animation from 0 to 1, which must be a function of time alone.
  /// - Parameters:
  ///   - animation: The animation.
  ///   - duration: Seconds after which the motion is cut; nil for the end of the animation.
  ///   - tolerance: The largest error as a share of the way, in ``tolerances``.
  /// - Throws: ``FileError`` for another tolerance, an animation without an end if no duration is given, and one that
  ///   jumps.
  public init(_ animation: Animation, duration: Double? = nil, tolerance: Double = 0.001) throws(FileError) {
    let end = animation.endTime(value: 1.0, context: AnimationContext())
    let duration = duration ?? end
    guard duration > 0, duration <= Clip.maximumDuration else {
      throw FileError("the duration must be in (0, 1e10] seconds, is \(NumberText.short(duration))")
    }
    func value(_ time: Double) -> Double {
      var context = AnimationContext<Double>()
      return animation.animate(value: 1, time: time, context: &context) ?? 1
    }
    // An animation may begin a little beside its start, and end beside its target, and then is there: the moments next to
    // these count for the way.
    try self.init(duration: duration, tolerance: tolerance, start: value(0), end: value(duration)) { share in
      value(max(0x1p-900, min(share, 1 - 0x1p-30)) * duration)
    }
  }

  /// A function of the share of the duration, and the values at the start and at the end, to which the function comes near.
  private init(
    duration: Double, tolerance: Double, start: Double, end: Double, _ value: (Double) -> Double
  ) throws(FileError) {
    try Self.check(tolerance)
    let samples = try Self.samples(value, tolerance: tolerance)
    // Of the tolerance, 1/1000 is for what samples miss, and 1/500 for the rounding of points.
    let width = tolerance * 0.997
    for (end, share, place) in [(start, 0.0, "start"), (end, 1, "end")] where !(abs(end - value(share)) <= width) {
      throw FileError(place: "the \(place) of the duration", "jumps, and linear() here is continuous")
    }
    var (lower, upper) = (samples.map { $0.y - width }, samples.map { $0.y + width })
    (lower[0], upper[0]) = (start, start)
    (lower[samples.count - 1], upper[samples.count - 1]) = (end, end)
    let corners = FewestLines(xs: samples.map(\.x), lower: lower, upper: upper).points()
    points = Self.rounded(corners, tolerance: tolerance)
    self.duration = duration
    let line = PiecewiseLinearCurve(points)
    var largest = 0.0
    for (sample, next) in zip(samples, samples.dropFirst()) {
      for share in [0, 0.25, 0.5, 0.75, 1] {
        let x = sample.x + (next.x - sample.x) * share
        largest = max(largest, abs(line.value(at: x) - value(x)))
      }
    }
    measuredError = largest
  }

  private static func check(_ tolerance: Double) throws(FileError) {
    guard tolerances.contains(tolerance) else {
      throw FileError("the tolerance must be in [1e-5, 0.5], is \(NumberText.short(tolerance))")
    }
  }

  // MARK: - Samples

  /// The longest, and the shortest distance of samples.
  private static let cells = 256
  private static let shortest = 0x1p-40
  private static let sampleLimit = 1 << 18

  /// Points of the function whose polyline is within a thousandth of the tolerance.
  private static func samples(
    _ value: (Double) -> Double, tolerance: Double
  ) throws(FileError) -> [FewestLines.Point] {
    func point(_ x: Double) throws(FileError) -> FewestLines.Point {
      let y = value(x)
      guard abs(y) <= 1e6 else {
        throw FileError(place: "at \(NumberText.short(x)) of the duration", "is not within ±1e6")
      }
      return FewestLines.Point(x: x, y: y)
    }
    var samples = [try point(0)]
    // The ends of cells, the last on top. The first and the last cell are short: the tunnel narrows to its ends in them.
    var waiting: [FewestLines.Point] = []
    for x in [0x1p-12] + (1..<cells).map({ Double($0) / Double(cells) }) + [1 - 0x1p-12, 1] {
      waiting.append(try point(x))
    }
    waiting.reverse()
    while let end = waiting.last {
      let start = samples[samples.count - 1]
      let run = end.x - start.x
      var error = 0.0
      var middle = end
      for share in [0.25, 0.75, 0.5] {
        middle = try point(start.x + run * share)
        error = max(error, abs(middle.y - (start.y + (end.y - start.y) * share)))
      }
      if error <= tolerance / 1000 {
        samples.append(waiting.removeLast())
      } else if run > shortest {
        waiting.append(middle)
      } else {
        guard error <= tolerance / 8 else {
          throw FileError(
            place: "at \(NumberText.short(end.x)) of the duration", "jumps, and linear() here is continuous")
        }
        samples.append(waiting.removeLast())
      }
      guard samples.count + waiting.count <= sampleLimit else { throw FileError("is too rough for this tolerance") }
    }
    return samples
  }

  // MARK: - Text

  /// The points with as few decimals as change nothing by more than a thousandth of the tolerance.
  private static func rounded(_ corners: [FewestLines.Point], tolerance: Double) -> [PiecewiseLinearCurve.Point] {
    var steepest = 0.0
    for (from, to) in zip(corners, corners.dropFirst()) where to.x > from.x {
      steepest = max(steepest, abs(to.y - from.y) / (to.x - from.x))
    }
    let outputUnit = PowerOfTen.value(PowerOfTen.exponent(of: tolerance / 500))
    // An input in percent has two decimals fewer than the share.
    let inputUnit = min(1e-3, PowerOfTen.value(PowerOfTen.exponent(of: tolerance / 500 / max(steepest, 1e-3))))
    return corners.indices.map { index in
      let (corner, isEnd) = (corners[index], index == 0 || index == corners.count - 1)
      let y = isEnd ? corner.y : (corner.y / outputUnit).rounded() * outputUnit
      let x = isEnd ? corner.x : (corner.x / inputUnit).rounded() * inputUnit
      // Multiples of a power of ten as the nearest Double, so that they are short as text.
      return .init(input: short(x), output: isEnd ? y : short(y))
    }
  }

  static func short(_ number: Double) -> Double { (number * 1e12).rounded() / 1e12 }

  /// `linear(0, 0.25 12.5%, …, 1)`.
  public var css: String { Self.text(PiecewiseLinearCurve(points)) }

  /// The easing function as a curve.
  public var curve: UnitCurve { .linear(points: points) }

  /// The text of a polyline: inputs in percent, but for the first and the last if they are 0 and 1.
  static func text(_ line: PiecewiseLinearCurve) -> String {
    let last = line.inputs.count - 1
    let stops = line.inputs.indices.map { index in
      let (input, output) = (line.inputs[index], NumberText.short(line.outputs[index]))
      let isImplied = index == 0 && input == 0 || index == last && input == 1
      return isImplied ? output : "\(output) \(percent(input))"
    }
    return "linear(\(stops.joined(separator: ", ")))"
  }

  /// A share in percent, which reads back as the same share.
  static func percent(_ share: Double) -> String {
    let short = NumberText.short((share * 1e12).rounded() / 1e10)
    if Double("\(short)e-2") == share { return "\(short)%" }
    // The shortest digits of the share itself, and two more powers of ten.
    let parts = NumberText.short(share).split(separator: "e")
    return "\(parts[0])e\((parts.count > 1 ? Int(parts[1]) ?? 0 : 0) + 2)%"
  }
}
