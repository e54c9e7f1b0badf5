// SPDX-License-Identifier: MIT
import Text

/// SVG text under construction: elements with attributes, with all text from outside escaped.
struct SVGText {
  private(set) var text = ""
  private var depth = 0

  /// Writes an element with content; in `attributes`, only values may be text from outside.
  mutating func element(
    _ name: String, _ attributes: KeyValuePairs<String, String> = [:], content: (inout SVGText) -> Void
  ) {
    open(name, attributes, end: ">\n")
    depth += 1
    content(&self)
    depth -= 1
    text += indent + "</\(name)>\n"
  }

  /// Writes an element without content.
  mutating func element(_ name: String, _ attributes: KeyValuePairs<String, String>) {
    open(name, attributes, end: "/>\n")
  }

  /// Writes an element that holds words.
  mutating func element(_ name: String, _ attributes: KeyValuePairs<String, String> = [:], words: String) {
    open(name, attributes, end: ">")
    text += Self.escaped(words) + "</\(name)>\n"
  }

  /// Writes a style sheet, which holds no text from outside.
  mutating func style(_ sheet: String) {
    open("style", [:], end: ">\n")
    text += sheet + "\n" + indent + "</style>\n"
  }

  /// A whole picture of the width of ``SVGChart``, with its title as its heading.
  ///
  /// - Parameters:
  ///   - summary: The description for those who do not see the picture.
  ///   - height: The height in pixels.
  ///   - sheet: A style sheet beside the common one.
  ///   - left: Where the heading starts.
  static func picture(
    title: String, summary: String, height: Double, sheet: String? = nil, left: Double = 24,
    content: (inout SVGText) -> Void
  ) -> String {
    let (width, height) = (coordinate(SVGChart.width), coordinate(height))
    var picture = SVGText()
    picture.element(
      "svg",
      [
        "xmlns": "http://www.w3.org/2000/svg", "viewBox": "0 0 \(width) \(height)", "width": width, "height": height,
        "role": "img", "aria-labelledby": "title summary",
      ]
    ) { text in
      text.element("title", ["id": "title"], words: title)
      text.element("desc", ["id": "summary"], words: summary)
      text.style(SVGStyle.sheet)
      if let sheet { text.style(sheet) }
      text.element("rect", ["class": "paper", "width": "100%", "height": "100%"])
      text.element("text", ["class": "heading", "x": coordinate(left), "y": "34"], words: title)
      content(&text)
    }
    return picture.text
  }

  private var indent: String { String(repeating: "  ", count: depth) }

  private mutating func open(_ name: String, _ attributes: KeyValuePairs<String, String>, end: String) {
    text += indent + "<" + name
    for (key, value) in attributes { text += " \(key)=\"\(Self.escaped(value))\"" }
    text += end
  }

  /// `words` with the marks of XML escaped, and without the control characters that XML 1.0 cannot hold.
  static func escaped(_ words: String) -> String {
    var escaped = ""
    for scalar in words.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "\u{0}"..<"\u{20}", "\u{7F}"..<"\u{A0}", "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// A coordinate to a hundredth of a pixel.
  static func coordinate(_ number: Double) -> String {
    let text = NumberText.fixed(number, decimals: 2).replacing("−", with: "-")
    if text.hasSuffix(".00") { return String(text.dropLast(3)) }
    return text.hasSuffix("0") ? String(text.dropLast()) : text
  }
}
