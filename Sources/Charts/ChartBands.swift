// SPDX-License-Identifier: MIT

/// The parts of a chart's horizontal axis that are drawn.
enum ChartBands {
  /// The most parts; more lines would hide the curves.
  static let limit = 60

  /// The parts that are not empty and begin within the chart's span, cut off at its end; an empty list if there are too
  /// many.
  static func visible(in chart: Chart) -> [Chart.Band] {
    let bands = chart.bands.filter { band in
      band.span.lowerBound < band.span.upperBound && band.span.lowerBound < chart.span.upperBound
        && band.span.upperBound > chart.span.lowerBound
    }
    guard bands.count <= limit else { return [] }
    return bands.map { Chart.Band(name: $0.name, span: $0.span.clamped(to: chart.span)) }
  }
}
