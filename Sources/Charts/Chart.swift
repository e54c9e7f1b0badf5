// SPDX-License-Identifier: MIT

/// Curves over one horizontal axis, each with its value and its velocity, as `murmuration plot` draws them.
///
/// A chart holds numbers and words only; ``SVGChart`` and ``TerminalChart`` give them a shape.
package struct Chart: Equatable, Sendable {
  /// The quantity of the horizontal axis.
  package enum Horizontal: Equatable, Sendable {
    /// Seconds since the start.
    case time
    /// Progress from 0 to 1.
    case progress
  }

  /// The heading.
  package var title: String
  /// The quantity of the horizontal axis.
  package var horizontal: Horizontal
  /// Both ends of the horizontal axis, in seconds or progress; the upper one is greater than the lower.
  package var span: ClosedRange<Double>
  /// The curves; at least one.
  package var series: [Series]
  /// A value that all curves head for, drawn as a quiet line; nil if they have no common target.
  package var target: Double?
  /// The parts of the horizontal axis that have a name, in order.
  package var bands: [Band]

  /// A chart of these curves.
  package init(
    title: String, horizontal: Horizontal, span: ClosedRange<Double>, series: [Series], target: Double? = nil,
    bands: [Band] = []
  ) {
    self.title = title
    self.horizontal = horizontal
    self.span = span
    self.series = series
    self.target = target
    self.bands = bands
  }
}

extension Chart {
  /// One curve: columns of one length, and the moments worth marking.
  package struct Series: Equatable, Sendable {
    /// The name in the legend.
    package var name: String
    /// Seconds or progress, in order.
    package var times: [Double]
    /// The value at each time; a value that is not finite leaves a gap.
    package var values: [Double]
    /// The velocity at each time; a velocity that is not finite leaves a gap.
    package var velocities: [Double]
    /// Moments to mark, such as the perceptual duration.
    package var marks: [Mark]
    /// Places on the value curve to mark with a dot, such as the ends of keyframes, as (time, value).
    package var dots: [Dot]
    /// Values that the curve heads for, each from a time until the next one's; empty if there is nothing to show.
    package var goals: [Dot]

    /// A curve.
    package init(
      name: String, times: [Double], values: [Double], velocities: [Double], marks: [Mark] = [], dots: [Dot] = [],
      goals: [Dot] = []
    ) {
      self.name = name
      self.times = times
      self.values = values
      self.velocities = velocities
      self.marks = marks
      self.dots = dots
      self.goals = goals
    }
  }

  /// A moment with a name.
  package struct Mark: Equatable, Sendable {
    /// The event at the moment.
    package enum Kind: String, CaseIterable, Sendable {
      case perceptual, settling, end

      /// The word on the chart.
      package var word: String {
        switch self {
        case .perceptual: "perceptual"
        case .settling: "settling"
        case .end: "duration"
        }
      }
    }

    /// The event.
    package var kind: Kind
    /// The time in seconds; infinite if it never happens.
    package var time: Double

    /// A moment.
    package init(_ kind: Kind, at time: Double) {
      self.kind = kind
      self.time = time
    }
  }

  /// A part of the horizontal axis, such as a phase.
  package struct Band: Equatable, Sendable {
    /// The name: short, as it stands in the part if there is room.
    package var name: String
    /// The start and the end.
    package var span: ClosedRange<Double>

    /// A part.
    package init(name: String, span: ClosedRange<Double>) {
      self.name = name
      self.span = span
    }
  }

  /// A point on a value curve.
  package struct Dot: Equatable, Sendable {
    package var time: Double
    package var value: Double

    /// A point.
    package init(time: Double, value: Double) {
      self.time = time
      self.value = value
    }
  }
}

// MARK: - Axes

extension Chart {
  /// The horizontal axis, which ends exactly where the span does.
  package func timeAxis(ticks: Int) -> ChartAxis {
    switch horizontal {
    case .progress: ChartAxis(exactly: span, ticks: ticks, title: "progress", unit: .one)
    case .time: ChartAxis(exactly: span, ticks: ticks, title: "time", unit: .time(upTo: span.upperBound))
    }
  }

  /// The curves of each panel, by their indices: curves of different size, or far from each other, would be flat lines on
  /// one axis. A curve shares a panel where no curve of it covers less than a twelfth of the axis.
  package var panels: [[Int]] {
    var panels: [(curves: [Int], range: ClosedRange<Double>, least: Double)] = []
    let ranges = series.map { series in
      let numbers = typical(series.values, at: series.times).filter(\.isFinite)
      return (numbers.min() ?? 0)...(numbers.max() ?? 0)
    }
    for (index, range) in ranges.enumerated() {
      // A curve that stays where it is looks the same at any size.
      let extent = range.lowerBound < range.upperBound ? range.upperBound - range.lowerBound : .infinity
      func union(_ other: ClosedRange<Double>) -> ClosedRange<Double> {
        min(other.lowerBound, range.lowerBound)...max(other.upperBound, range.upperBound)
      }
      let fitting = panels.firstIndex { panel in
        let both = union(panel.range)
        return both.upperBound - both.lowerBound <= 12 * min(panel.least, extent)
      }
      if let fitting {
        panels[fitting].curves.append(index)
        panels[fitting].range = union(panels[fitting].range)
        panels[fitting].least = min(panels[fitting].least, extent)
      } else {
        panels.append(([index], range, extent))
      }
    }
    return panels.map(\.curves)
  }

  /// This chart with the curves of one panel alone.
  private func only(_ curves: [Int]) -> Chart {
    var chart = self
    chart.series = curves.map { series[$0] }
    return chart
  }

  /// The axis of the values of a panel, which covers each of its curves and the target.
  package func valueAxis(ticks: Int, of panel: [Int]) -> ChartAxis { only(panel).valueAxis(ticks: ticks) }

  /// The axis of the velocities of a panel, which covers each of its curves and 0.
  package func velocityAxis(ticks: Int, of panel: [Int]) -> ChartAxis { only(panel).velocityAxis(ticks: ticks) }

  /// The axis of the values, which covers every curve and the target.
  package func valueAxis(ticks: Int) -> ChartAxis {
    var numbers: [Double] = series.flatMap { typical($0.values, at: $0.times) + $0.goals.map(\.value) }
    if let target { numbers.append(target) }
    return ChartAxis(covering: numbers, ticks: ticks, title: horizontal == .progress ? "output" : "value")
  }

  /// The axis of the velocities, which covers every curve and 0.
  package func velocityAxis(ticks: Int) -> ChartAxis {
    let numbers: [Double] = [0] + series.flatMap { typical($0.velocities, at: $0.times) }
    return ChartAxis(covering: numbers, ticks: ticks, title: "velocity", per: horizontal == .progress ? "" : "per s")
  }

  /// The numbers that an axis should cover. Where a curve is vertical, as a circular one is at an end, the steepest 4 % of
  /// the span are left out and run off the panel.
  private func typical(_ numbers: [Double], at times: [Double]) -> [Double] {
    let finite = numbers.indices.filter { numbers[$0].isFinite }
    guard finite.count < numbers.count else { return numbers }
    var room = (span.upperBound - span.lowerBound) * 0.04
    var limit = 0.0
    for index in finite.sorted(by: { abs(numbers[$0]) > abs(numbers[$1]) }) {
      limit = abs(numbers[index])
      room -= index == 0 ? 0 : times[index] - times[index - 1]
      if room < 0 { break }
    }
    return finite.map { numbers[$0] }.filter { abs($0) <= limit }
  }
}
