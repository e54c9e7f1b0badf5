// SPDX-License-Identifier: MIT

/// Delays with which the tracks of a call set out one after another.
///
/// ```swift
/// try batch.animate(tiles, to: 1, .bouncy, delays: .each(0.02))
/// try batch.animate(tiles, to: 0, .smooth, delays: .over(0.5, from: .center, columns: 10, ease: .easeIn))
/// ```
///
/// The position of a track is its place in the call: in an array of handles, in a range, or its index with
/// ``TrackSelection/all``. Let d be the distance of a position from the origin, less the smallest one. Then the delay is
/// s · d with ``PerTrack/each(_:from:columns:ease:)``, and s · d / (the largest d) with
/// ``PerTrack/over(_:from:columns:ease:)``. An ease bends the course of the delays, and leaves the first and the last.
/// An ease such as `easeInBack` goes below 0. The delay is 0 there.
public struct Stagger: PerTrack, Hashable, Sendable {
  /// The place of the tracks that set out first.
  public enum Origin: Hashable, Sendable {
    case first
    case last
    case center
    /// Both ends, or the four sides of a grid. A grid of one row or one column has ends alone.
    case edges
    /// A position, also between tracks. In a grid it is a column of the first row.
    case position(Double)
    /// A point of a grid: a column and a row, also between tracks.
    case point(column: Double, row: Double)
    /// No place: an order drawn from a seed.
    case random(seed: UInt64)
  }

  /// Seconds for a step of distance, or until the last track sets out.
  let seconds: Double
  /// Whether the seconds are those until the last track.
  let isTotal: Bool
  let origin: Origin
  /// Tracks in a row of the grid; nil for a line.
  let columns: Int?
  let ease: UnitCurve

  public func withElements<Result>(
    of count: Int, _ body: (LentElements<Double>) throws(BatchError) -> Result
  ) throws(BatchError) -> Result {
    try delays(count: count).withElements(of: count, body)
  }

  /// The delay of each of `count` tracks, in seconds.
  public func delays(count: Int) -> [Double] {
    let distances = distances(count: count)
    let least = distances.min() ?? 0
    let spread = (distances.max() ?? 0) - least
    guard spread > 0 else { return distances.map { _ in 0 * seconds } }
    let total = isTotal ? seconds : seconds * spread
    return distances.map { distance in
      let share = (distance - least) / spread
      guard ease != .linear else { return isTotal ? seconds * share : seconds * (distance - least) }
      return total * max(0, ease.value(at: share))
    }
  }

  private func distances(count: Int) -> [Double] {
    let count = max(count, 0)
    if case .random(let seed) = origin {
      var random = SplitMix64(seed: seed)
      var order = (0..<count).map(Double.init)
      for last in stride(from: count - 1, to: 0, by: -1) { order.swapAt(last, Int(random.next() % UInt64(last + 1))) }
      return order
    }
    let width = min(max(columns ?? count, 1), max(count, 1))
    let (right, bottom) = (Double(width - 1), Double((count + width - 1) / width - 1))
    return (0..<count).map { index in
      let (x, y) = (Double(index % width), Double(index / width))
      func distance(_ column: Double, _ row: Double) -> Double {
        ((x - column) * (x - column) + (y - row) * (y - row)).squareRoot()
      }
      return switch origin {
      case .first, .random: distance(0, 0)
      case .last: distance(Double((count - 1) % width), bottom)
      case .center: distance(right / 2, bottom / 2)
      case .edges where bottom == 0: min(x, right - x)
      case .edges where right == 0: min(y, bottom - y)
      case .edges: min(x, right - x, y, bottom - y)
      case .position(let position): distance(position, 0)
      case .point(let column, let row): distance(column, row)
      }
    }
  }
}

extension PerTrack where Self == Stagger {
  /// Delays that grow by a number of seconds from track to track.
  ///
  /// - Parameters:
  ///   - seconds: Seconds for each step of distance, 0 or more.
  ///   - origin: The place of the tracks that set out first.
  ///   - columns: Tracks in a row of the grid that they fill row by row; nil for a line.
  ///   - ease: The course of the delays.
  public static func each(
    _ seconds: Double, from origin: Stagger.Origin = .first, columns: Int? = nil, ease: UnitCurve = .linear
  ) -> Stagger {
    Stagger(seconds: seconds, isTotal: false, origin: origin, columns: columns, ease: ease)
  }

  /// Delays from 0 to a number of seconds.
  ///
  /// - Parameters:
  ///   - seconds: The delay of the last track, 0 or more.
  ///   - origin: The place of the tracks that set out first.
  ///   - columns: Tracks in a row of the grid that they fill row by row; nil for a line.
  ///   - ease: The course of the delays.
  public static func over(
    _ seconds: Double, from origin: Stagger.Origin = .first, columns: Int? = nil, ease: UnitCurve = .linear
  ) -> Stagger {
    Stagger(seconds: seconds, isTotal: true, origin: origin, columns: columns, ease: ease)
  }
}
