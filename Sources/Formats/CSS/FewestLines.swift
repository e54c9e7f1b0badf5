// SPDX-License-Identifier: MIT

/// The continuous polyline with the fewest lines that stays within a tunnel around a function, from one given point to
/// another.
///
/// The tunnel lies between two polylines with corners at the same inputs. A line is followed as far as any line from the
/// part before reaches; the next one may begin anywhere between the last point where that line touches the tunnel and its
/// end. No polyline gets further with as many lines, wherever its corners are: every one has to cross those parts, one
/// line each. Source: Imai and Iri, “An optimal algorithm for approximating a piecewise linear function”, Journal of
/// Information Processing 9 (1986); Suri, “A linear time algorithm for minimum link paths inside a simple polygon”,
/// Computer Vision, Graphics and Image Processing 35 (1986).
struct FewestLines {
  /// A point of the polyline.
  struct Point: Equatable {
    var x: Double
    var y: Double
  }

  /// The part of a line on which the next one begins.
  private struct Window {
    var line: Line
    /// Where the line last touches one side of the tunnel, and where it leaves through the other.
    var touch: Double
    var end: Double
    var leavesBelow: Bool
  }

  private let xs: [Double]
  private let lower: [Double]
  private let upper: [Double]
  /// Lines steeper than this end no later than others.
  private let steepest: Double

  /// A tunnel. Both sides meet at its ends.
  init(xs: [Double], lower: [Double], upper: [Double]) {
    (self.xs, self.lower, self.upper) = (xs, lower, upper)
    var steepest = 1.0
    for index in 1..<xs.count {
      let run = xs[index] - xs[index - 1]
      steepest = max(
        steepest, abs(lower[index] - lower[index - 1]) / run, abs(upper[index] - upper[index - 1]) / run)
    }
    self.steepest = 2 * steepest
  }

  /// The corners of the polyline, with both ends.
  /// - Complexity: O(n) in the number of corners of the tunnel, times the few corners of the set of lines that is kept.
  func points() -> [Point] {
    let last = xs.count - 1
    var windows: [Window] = []
    // A line passes at least one corner of the tunnel.
    while windows.count <= last {
      let window = windows.last
      var lines = lines(after: window)
      var next = window.map { window in xs.partitioningIndex { $0 > window.touch } } ?? 1
      while next <= last {
        let (low, high) = lines.range(at: xs[next])
        if high < lower[next] - Self.slack || low > upper[next] + Self.slack { break }
        let isBeyond = window.map { xs[next] > $0.end } ?? true
        if isBeyond || window?.leavesBelow == true { lines.keep(below: upper[next], at: xs[next]) }
        if isBeyond || window?.leavesBelow == false { lines.keep(above: lower[next], at: xs[next]) }
        next += 1
      }
      guard next <= last else { return corners(windows, end: lines.line(through: upper[last], at: xs[last])) }
      windows.append(self.window(of: lines, leavingBefore: next, after: window))
    }
    return xs.indices.map { Point(x: xs[$0], y: (lower[$0] + upper[$0]) / 2) }
  }

  /// Differences this small are roundings.
  private static let slack = 0x1p-44

  /// The lines that may follow a window, or begin at the start of the tunnel.
  private func lines(after window: Window?) -> LineSet {
    guard let window else {
      return LineSet(origin: xs[0], heights: lower[0]...lower[0], slopes: -steepest...steepest)
    }
    let (touch, end) = (window.line.value(at: window.touch), window.line.value(at: window.end))
    let reach = abs(end - touch) + 2 * steepest * (window.end - window.touch)
    var lines = LineSet(
      origin: window.touch, heights: (touch - reach)...(touch + reach), slopes: -steepest...steepest)
    // A line that crosses the window passes its ends on these sides.
    if window.leavesBelow {
      lines.keep(below: touch, at: window.touch)
      lines.keep(above: end, at: window.end)
    } else {
      lines.keep(above: touch, at: window.touch)
      lines.keep(below: end, at: window.end)
    }
    return lines
  }

  /// The window of the line that gets furthest, of lines that all leave the tunnel between two of its corners.
  private func window(of lines: LineSet, leavingBefore next: Int, after before: Window?) -> Window {
    let leavesBelow = lines.range(at: xs[next]).high < lower[next] - Self.slack
    let side = leavesBelow ? lower : upper
    let start = max(xs[next - 1], before?.end ?? xs[0])
    let share = (start - xs[next - 1]) / (xs[next] - xs[next - 1])
    let height = side[next - 1] + (side[next] - side[next - 1]) * share
    var best = (line: lines.corners[0], end: -Double.infinity)
    for line in lines.corners {
      // Distances from the side that the line leaves through: inside at the start, outside at the corner.
      let inside = max(0, leavesBelow ? line.value(at: start) - height : height - line.value(at: start))
      let outside = leavesBelow ? side[next] - line.value(at: xs[next]) : line.value(at: xs[next]) - side[next]
      let end = start + (xs[next] - start) * (inside / max(inside + outside, .leastNormalMagnitude))
      if end > best.end { best = (line, min(end, xs[next])) }
    }
    return Window(
      line: best.line, touch: touch(of: best.line, onUpper: leavesBelow, before: next, after: before),
      end: best.end, leavesBelow: leavesBelow)
  }

  /// Where a line last touches one side of the tunnel, of the corners and the end of the window that bound it.
  private func touch(of line: Line, onUpper: Bool, before next: Int, after window: Window?) -> Double {
    let side = onUpper ? upper : lower
    var (touch, least) = (xs[0], Double.infinity)
    func meet(_ x: Double, _ distance: Double) {
      // Of two distances that differ by roundings, the later one counts.
      if distance <= least + Self.slack { (touch, least) = (x, min(least, distance)) }
    }
    if let window {
      // The touch of the window bounds lines on that side, its end on the other.
      let isAtTouch = window.leavesBelow == onUpper
      let x = isAtTouch ? window.touch : window.end
      meet(x, abs(line.value(at: x) - window.line.value(at: x)))
      for index in xs.partitioningIndex(where: { $0 > x })..<next {
        meet(xs[index], abs(side[index] - line.value(at: xs[index])))
      }
    } else {
      for index in 0..<next { meet(xs[index], abs(side[index] - line.value(at: xs[index]))) }
    }
    return touch
  }

  /// The corners between the lines of the windows and the last line.
  private func corners(_ windows: [Window], end: Line) -> [Point] {
    var points = [Point(x: xs[0], y: lower[0])]
    for (index, window) in windows.enumerated() {
      let next = index + 1 < windows.count ? windows[index + 1].line : end
      let turn = next.slope - window.line.slope
      let meeting =
        turn == 0 ? window.end : window.end + (window.line.value(at: window.end) - next.value(at: window.end)) / turn
      let x = min(max(meeting, window.touch), window.end)
      points.append(Point(x: x, y: window.line.value(at: x)))
    }
    points.append(Point(x: xs[xs.count - 1], y: upper[xs.count - 1]))
    return points
  }
}

/// y = height + slope · (x − origin).
private struct Line {
  var origin: Double
  var height: Double
  var slope: Double

  func value(at x: Double) -> Double { height + slope * (x - origin) }
}

/// A convex set of lines: a polygon of heights and slopes.
private struct LineSet {
  private(set) var corners: [Line]

  init(origin: Double, heights: ClosedRange<Double>, slopes: ClosedRange<Double>) {
    corners = [
      Line(origin: origin, height: heights.lowerBound, slope: slopes.lowerBound),
      Line(origin: origin, height: heights.lowerBound, slope: slopes.upperBound),
      Line(origin: origin, height: heights.upperBound, slope: slopes.upperBound),
      Line(origin: origin, height: heights.upperBound, slope: slopes.lowerBound),
    ]
    if heights.lowerBound == heights.upperBound { corners.removeLast(2) }
  }

  /// The least and the greatest value of a line at x.
  func range(at x: Double) -> (low: Double, high: Double) {
    corners.reduce((Double.infinity, -Double.infinity)) { range, line in
      let value = line.value(at: x)
      return (min(range.0, value), max(range.1, value))
    }
  }

  /// Keeps the lines that pass x at this height or below.
  mutating func keep(below height: Double, at x: Double) { keep { height - $0.value(at: x) } }

  /// Keeps the lines that pass x at this height or above.
  mutating func keep(above height: Double, at x: Double) { keep { $0.value(at: x) - height } }

  /// Cuts the polygon along the line on which a linear function is 0, and keeps what is not negative. Of a set that lies
  /// outside by a rounding, the nearest line stays.
  private mutating func keep(_ distance: (Line) -> Double) {
    var kept: [Line] = []
    for (index, corner) in corners.enumerated() {
      let other = corners[(index + 1) % corners.count]
      let (here, there) = (distance(corner), distance(other))
      if here >= 0 { kept.append(corner) }
      if here * there < 0 {
        let share = here / (here - there)
        kept.append(
          Line(
            origin: corner.origin, height: corner.height + (other.height - corner.height) * share,
            slope: corner.slope + (other.slope - corner.slope) * share))
      }
    }
    if let nearest = corners.max(by: { distance($0) < distance($1) }), kept.isEmpty { kept = [nearest] }
    corners = kept
  }

  /// A line of the set with this value at x, which is in its range there but for a rounding.
  func line(through y: Double, at x: Double) -> Line {
    var (low, high) = (corners[0], corners[0])
    for line in corners {
      if line.value(at: x) < low.value(at: x) { low = line }
      if line.value(at: x) > high.value(at: x) { high = line }
    }
    let (from, to) = (low.value(at: x), high.value(at: x))
    let share = to > from ? min(max((y - from) / (to - from), 0), 1) : 0
    return Line(
      origin: low.origin, height: low.height + (high.height - low.height) * share,
      slope: low.slope + (high.slope - low.slope) * share)
  }
}

extension [Double] {
  /// The first index at which a condition holds that holds from some index on.
  fileprivate func partitioningIndex(where isBeyond: (Double) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBeyond(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
