// SPDX-License-Identifier: MIT
import Foundation

/// A picture of a few moments: panels side by side, as SVG. The examples draw with it; an application has its own way.
struct Sketch {
  /// The width and height of a panel.
  let size: SIMD2<Float>
  private var panels: [(title: String, shapes: [String])] = []

  init(_ width: Float, _ height: Float) { size = [width, height] }

  /// Begins a panel.
  mutating func panel(_ title: String) { panels.append((title, [])) }

  private mutating func draw(_ shape: String) { panels[panels.count - 1].shapes.append(shape) }

  mutating func dot(_ center: SIMD2<Float>, _ radius: Float = 1.5, _ color: String = "#2563eb", opacity: Float = 1) {
    draw("<circle cx='\(text(center.x))' cy='\(text(center.y))' r='\(text(radius))'\(paint(color, opacity))/>")
  }

  mutating func box(_ corner: SIMD2<Float>, _ extent: SIMD2<Float>, _ color: String = "#2563eb", opacity: Float = 1) {
    let (width, height) = (text(max(0, extent.x)), text(max(0, extent.y)))
    let place = "x='\(text(corner.x))' y='\(text(corner.y))'"
    draw("<rect \(place) width='\(width)' height='\(height)' rx='2'\(paint(color, opacity))/>")
  }

  mutating func line(_ points: [SIMD2<Float>], _ color: String = "#2563eb") {
    let list = points.map { "\(text($0.x)),\(text($0.y))" }.joined(separator: " ")
    draw("<polyline points='\(list)' fill='none' stroke='\(color)' stroke-width='1.5'/>")
  }

  private func paint(_ color: String, _ opacity: Float) -> String {
    " fill='\(color)'" + (opacity < 1 ? " opacity='\(text(opacity))'" : "")
  }

  private func text(_ number: Float) -> String { String(format: "%.4g", Double((number * 10).rounded() / 10)) }

  /// The picture as a file's content.
  var svg: String {
    let (step, height) = (size.x + 12, size.y + 34)
    let content = panels.enumerated().map { index, panel in
      "<g transform='translate(\(text(12 + Float(index) * step)) 22)'><text y='-7'>\(panel.title)</text>"
        + "<rect width='\(text(size.x))' height='\(text(size.y))' fill='#fff' stroke='#cbd5e1'/>"
        + panel.shapes.joined() + "</g>"
    }
    let width = text(12 + Float(panels.count) * step)
    return "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 \(width) \(text(height))' font-family='sans-serif' "
      + "font-size='11' fill='#334155'><rect width='100%' height='100%' fill='#f8fafc'/>" + content.joined()
      + "</svg>\n"
  }
}
