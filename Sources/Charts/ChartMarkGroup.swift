// SPDX-License-Identifier: MIT

/// A moment to mark on a chart, of one curve or of several that share it.
struct ChartMarkGroup: Equatable {
  /// The event.
  let kind: Chart.Mark.Kind
  /// The time in seconds.
  let time: Double
  /// The indices of the curves it belongs to.
  var series: [Int]
  /// The label.
  let text: String
  /// The number of curves of the chart.
  private let seriesCount: Int

  /// The style class of the curve's colour, or of no colour if several curves share the moment.
  var colourClass: String { series.count == 1 && seriesCount > 1 ? "c\(series[0])" : "shared" }

  /// The marks after 0 and inside the chart's span, with equal ones joined, in the order of the curves.
  static func groups(in chart: Chart, axis: ChartAxis) -> [ChartMarkGroup] {
    var groups: [ChartMarkGroup] = []
    for (index, series) in chart.series.enumerated() {
      for mark in series.marks where mark.time > 0 && chart.span.contains(mark.time) {
        if let known = groups.firstIndex(where: { $0.kind == mark.kind && $0.time == mark.time }) {
          groups[known].series.append(index)
        } else {
          groups.append(
            ChartMarkGroup(
              kind: mark.kind, time: mark.time, series: [index], text: "\(mark.kind.word) \(axis.moment(mark.time))",
              seriesCount: chart.series.count))
        }
      }
    }
    return groups
  }
}
