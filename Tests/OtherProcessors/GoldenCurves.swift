// SPDX-License-Identifier: MIT
import AnimationModel
import Kernels
@testable import Murmuration
@testable import MurmurationClips
@testable import MurmurationEngine

/// A clip of one value, and the bounds of the errors that kernels may show.
private struct GoldenClip {
  private let clip: Clip
  private let tables: ClipTables
  private let bound: (value: Double, velocity: Double)

  /// A clip of given pieces, which are themselves within some errors of the golden curve.
  ///
  /// A value is within 9 · 2⁻²⁴ of the sum of its terms and half a tick of its slope, a slope within 10 · 2⁻²⁴ of the sum
  /// of its terms and half a tick of its rate of change.
  init(times: [Double], pieces: [SIMD4<Double>], errors: (value: Double, velocity: Double) = (0, 0)) {
    let track = PieceTrack(components: [0], times: times, pieces: [pieces])
    let given = try? Clip(
      checkedTracks: [track], initialValues: [0], duration: times[times.count - 1], valueErrorBounds: [errors.value],
      velocityErrorBounds: [errors.velocity], remake: nil)
    guard let clip = given else { fatalError("a golden clip is refused") }
    let reach = ClipReach(clip, dimension: 0)
    let (u, halfTick) = (0x1p-24, clip.duration * 0x1p-33)
    self.clip = clip
    tables = ClipTables(clip)!
    bound = (
      errors.value + 9 * u * reach.value + halfTick * reach.slope,
      errors.velocity + 10 * u * reach.slope + halfTick * reach.acceleration
    )
  }

  /// Compares the kernels with a golden value and velocity; a velocity that is NaN is not compared.
  func check(at time: Double, _ value: Double, _ velocity: Double, _ tally: inout GoldenTally) {
    let columns = PlaybackColumns(
      origin: zeroed(laneCountOfTile), base: zeroed(laneCountOfTile), rate: zeroed(laneCountOfTile), scale: nil,
      offset: nil, value: zeroed(laneCountOfTile), velocity: zeroed(laneCountOfTile), dimensionStride: laneCountOfTile,
      dimensions: 1)
    if time < 0 || time > clip.duration {
      let timing = ClipTiming(clip)
      columns.base[0] = Double(time < 0 ? timing.beforeTick : timing.afterTick)
    } else {
      columns.base[0] = Double(ClipTick.start)
      columns.rate[0] = TickScale(duration: clip.duration).ticksPerSecond
      columns.origin[0] = -time
    }
    let run = [ClipRun(firstLane: 0, laneCount: laneCountOfTile, clip: 0)]
    withUnsafePointer(to: tables.table) { table in
      run.withUnsafeBufferPointer { kernels.evaluateClips(columns, $0, ConstantColumn(table, count: 1), 0, true) }
    }
    let shown = columns.velocity[0]
    tally.add(
      value: columns.value[0], velocity: shown, expected: (value, velocity.isNaN ? Double(shown) : velocity),
      bound: bound)
  }
}

/// The cubic between two keys, the constant coefficient first.
private func cubic(
  from: Double, _ startVelocity: Double, to: Double, _ endVelocity: Double, duration: Double
) -> SIMD4<Double> {
  let slope = (to - from) / duration
  return SIMD4(
    from, startVelocity, (3 * slope - 2 * startVelocity - endVelocity) / duration,
    (startVelocity + endVelocity - 2 * slope) / (duration * duration))
}

/// Rows of Hermite cubics: t₀, t₁, p₀, m₀, p₁, m₁, t, value, velocity.
@_cdecl("golden_hermite")
public func goldenHermite(
  _ numbers: UnsafePointer<Double>, _ count: Int, _ worst: UnsafeMutablePointer<Double>
) -> UInt64 {
  var tally = GoldenTally()
  for index in 0..<count / 9 {
    let row = numbers + 9 * index
    let duration = row[1] - row[0]
    let piece = cubic(from: row[2], row[3], to: row[4], row[5], duration: duration)
    GoldenClip(times: [0, duration], pieces: [piece]).check(at: row[6] - row[0], row[7], row[8], &tally)
  }
  return tally.report(to: worst)
}

/// Rows of Bézier curves: x₁, y₁, x₂, y₂, X, s, Y, slope, which is NaN where the curve is vertical.
@_cdecl("golden_bezier")
public func goldenBezier(
  _ numbers: UnsafePointer<Double>, _ count: Int, _ worst: UnsafeMutablePointer<Double>
) -> UInt64 {
  var tally = GoldenTally()
  for index in 0..<count / 8 {
    let row = numbers + 8 * index
    let curve = UnitCurve.bezier(
      startControlPoint: UnitPoint(x: row[0], y: row[1]), endControlPoint: UnitPoint(x: row[2], y: row[3]))
    // The default tolerance of clips.
    guard let fit = CurveFit(curve, tolerance: 0x1p-16) else { fatalError("a golden curve has no fit") }
    let clip = GoldenClip(times: fit.times, pieces: fit.pieces, errors: (fit.valueError, fit.velocityError))
    clip.check(at: row[4], row[6], row[7], &tally)
  }
  return tally.report(to: worst)
}

/// A Catmull-Rom track of keys, and samples of time and value.
@_cdecl("golden_catmull_rom")
public func goldenCatmullRom(
  _ times: UnsafePointer<Double>, _ values: UnsafePointer<Double>, _ keyCount: Int, _ samples: UnsafePointer<Double>,
  _ count: Int, _ worst: UnsafeMutablePointer<Double>
) -> UInt64 {
  let velocities = (0..<keyCount).map { key in
    let (before, after) = (max(0, key - 1), min(keyCount - 1, key + 1))
    return CubicSegment.automaticVelocity(
      previous: values[before], before: times[key] - times[before], next: values[after],
      after: times[after] - times[key])
  }
  let pieces = (0..<keyCount - 1).map { key in
    cubic(
      from: values[key], velocities[key], to: values[key + 1], velocities[key + 1],
      duration: times[key + 1] - times[key])
  }
  let clip = GoldenClip(times: (0..<keyCount).map { times[$0] - times[0] }, pieces: pieces)
  var tally = GoldenTally()
  for index in 0..<count / 2 {
    clip.check(at: samples[2 * index] - times[0], samples[2 * index + 1], .nan, &tally)
  }
  return tally.report(to: worst)
}
