// SPDX-License-Identifier: MIT

/// The looks of a picture: one style sheet for light and dark, and the sizes of its text for layout.
enum SVGStyle {
  /// Font size of ticks, legend and titles, in pixels.
  static let size = 14.0
  /// Font size of the labels of marks, in pixels.
  static let smallSize = 13.0

  /// The colours of curves on light and on dark paper, after Okabe and Ito (2008): colour-blind eyes can tell them
  /// apart. Each has a contrast of at least 3 : 1 to its paper.
  static let colours: [(light: String, dark: String)] = [
    ("#0072b2", "#56b4e9"), ("#c04a00", "#ff9a4d"), ("#007a5a", "#2fd0a5"), ("#a83d7f", "#e48cc0"),
    ("#8a6d00", "#f0e442"), ("#4b3fbf", "#a79cff"), ("#b00020", "#ff7b8a"), ("#5c5c5c", "#c8c8c8"),
  ]

  /// An upper estimate of the drawn width of text, in pixels: fonts differ, so it is generous.
  static func width(of text: String, size: Double) -> Double {
    Double(text.unicodeScalars.count) * size * 0.58
  }

  /// The style sheet.
  static var sheet: String {
    """
    text { font-family: system-ui, -apple-system, "Segoe UI", "Helvetica Neue", Arial, "DejaVu Sans", sans-serif; \
    font-size: \(Int(size))px; fill: #1b1f24; }
    .heading { font-size: 20px; font-weight: 600; }
    .small { font-size: \(Int(smallSize))px; }
    .tick { fill: #50575f; font-variant-numeric: tabular-nums; }
    .paper { fill: #ffffff; }
    .grid { stroke: #e3e6ea; stroke-width: 1; }
    .reference { stroke: #8b949e; stroke-width: 1.25; }
    .curve { fill: none; stroke-width: 2.5; stroke-linejoin: round; stroke-linecap: round; }
    .goal { fill: none; stroke-width: 1.25; stroke-dasharray: 3 3; }
    .band { stroke: #8b949e; stroke-width: 1; }
    .mark { stroke-width: 1.5; }
    .perceptual { stroke-dasharray: 7 4; }
    .settling, .end { stroke-dasharray: 2 4; }
    line.shared { stroke: #50575f; }
    .dot { stroke: #ffffff; stroke-width: 1.5; }
    \(colours.enumerated().map { rules(index: $0.offset, colour: $0.element.light) }.joined(separator: "\n"))
    @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .tick { fill: #a9b3bd; }
    .paper { fill: #0d1117; }
    .grid { stroke: #262d36; }
    .reference { stroke: #6e7681; }
    .band { stroke: #6e7681; }
    line.shared { stroke: #a9b3bd; }
    .dot { stroke: #0d1117; }
    \(colours.enumerated().map { rules(index: $0.offset, colour: $0.element.dark) }.joined(separator: "\n"))
    }
    """
  }

  private static func rules(index: Int, colour: String) -> String {
    ".curve.c\(index), .goal.c\(index), .mark.c\(index) { stroke: \(colour); } "
      + "text.c\(index), circle.c\(index) { fill: \(colour); }"
  }
}
