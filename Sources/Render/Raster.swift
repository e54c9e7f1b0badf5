// SPDX-License-Identifier: MIT

/// A grid of pixels that gathers marks: the sum of what soft discs and lines add, before a ``Backdrop`` turns it into a
/// picture.
///
/// Pixel (0, 0) is at the top left and covers the square from (0, 0) to (1, 1). Marks outside the grid, and marks whose
/// numbers are not finite, add nothing. The order of additions is the order of calls, so the same calls give the same
/// bits.
package struct Raster: Sendable {
  /// The number of pixels across and down.
  package let width: Int
  package let height: Int
  /// The marks at each pixel, row after row.
  var pixels: [Light]
  /// The coverage of a polygon's pixels, kept for the next polygon.
  var coverage: [Float] = []

  /// The smallest radius of a disc, in pixels: a smaller disc is drawn fainter, so that it does not flicker as it moves.
  package static let smallestRadius: Float = 1.25

  /// An empty raster; both sizes are at least 1.
  package init(width: Int, height: Int) {
    (self.width, self.height) = (max(1, width), max(1, height))
    pixels = Array(repeating: .zero, count: self.width * self.height)
  }

  /// Removes all marks.
  package mutating func clear() {
    pixels.withUnsafeMutableBufferPointer { $0.update(repeating: .zero) }
  }

  /// Multiplies all marks by `factor`.
  package mutating func fade(by factor: Float) {
    pixels.withUnsafeMutableBufferPointer { pixels in
      for index in pixels.indices {
        // Traces too faint to be seen are taken away before they become denormal numbers, which are slow.
        let faded = pixels[index] * factor
        pixels[index] = faded.max() < 1e-5 ? .zero : faded
      }
    }
  }

  /// Adds a soft disc: `light` in the middle, less and less towards the rim.
  ///
  /// - Parameters:
  ///   - x, y: The middle in pixels.
  ///   - radius: In pixels; beneath ``smallestRadius`` the light is spread over a disc of that radius.
  /// - Complexity: O(radius²).
  package mutating func addDisc(x: Float, y: Float, radius: Float, _ light: Light) {
    var (radius, light) = (radius, light)
    if radius < Self.smallestRadius {
      light *= (radius / Self.smallestRadius) * (radius / Self.smallestRadius)
      radius = Self.smallestRadius
    }
    // Comparisons with NaN fail, so nothing that is not finite goes on.
    guard x > -radius, x < Float(width) + radius, y > -radius, y < Float(height) + radius, radius < Self.largestRadius
    else { return }
    let columns = pixelRange(x - radius, x + radius, width)
    let rows = pixelRange(y - radius, y + radius, height)
    let perSquare = 1 / (radius * radius)
    let width = width
    pixels.withUnsafeMutableBufferPointer { pixels in
      for row in rows {
        let dy = Float(row) + 0.5 - y
        let left = 1 - dy * dy * perSquare
        for column in columns {
          let dx = Float(column) + 0.5 - x
          let near = max(0, left - dx * dx * perSquare)
          pixels[row * width + column] += light * (near * near)
        }
      }
    }
  }

  /// Adds a line of an even width with soft edges, `light` in its middle.
  ///
  /// The ends are cut square along the pixels, so that lines that follow each other join without a seam.
  /// - Parameter width: In pixels; beneath 1 the line is fainter instead.
  /// - Complexity: O(length · width).
  package mutating func addLine(x0: Float, y0: Float, x1: Float, y1: Float, width: Float, _ light: Light) {
    guard let part = clip(x0, y0, x1, y1, margin: width) else { return }
    let (dx, dy) = (part.x1 - part.x0, part.y1 - part.y0)
    // Steps go along the longer side, over columns or over rows.
    if abs(dx) >= abs(dy) {
      guard abs(dx) > 0 else { return }
      add(part.x0, part.y0, part.x1, part.y1, width, light, along: (1, self.width), across: (self.width, height))
    } else {
      add(part.y0, part.x0, part.y1, part.x1, width, light, along: (self.width, height), across: (1, self.width))
    }
  }

  /// Adds a line that goes further along one side of the grid than across; each side has the distance of its pixels in
  /// memory and their number.
  private mutating func add(
    _ a0: Float, _ b0: Float, _ a1: Float, _ b1: Float, _ width: Float, _ light: Light,
    along: (step: Int, count: Int), across: (step: Int, count: Int)
  ) {
    let (a0, b0, a1, b1) = a0 <= a1 ? (a0, b0, a1, b1) : (a1, b1, a0, b0)
    let slope = (b1 - b0) / (a1 - a0)
    // Measured across, a slanting line is wider than it is.
    let slant = (1 + slope * slope).squareRoot()
    let half = max(1, width) * slant / 2 + 0.5
    let light = light * min(1, width)
    pixels.withUnsafeMutableBufferPointer { pixels in
      for place in pixelRange(a0, a1, along.count) {
        let (from, to) = (max(a0, Float(place)), min(a1, Float(place) + 1))
        guard to > from else { continue }
        let middle = b0 + ((from + to) / 2 - a0) * slope
        for other in pixelRange(middle - half, middle + half, across.count) {
          // The share of the pixel that lies within the line, between its edges.
          let near = min(1, max(0, half - abs(Float(other) + 0.5 - middle)))
          pixels[place * along.step + other * across.step] += light * (near * (to - from))
        }
      }
    }
  }

  /// The largest radius of a disc.
  private static let largestRadius: Float = 4096

  /// The part of a line that is within `margin` of the grid; nil if there is none, or an end is not finite.
  private func clip(
    _ x0: Float, _ y0: Float, _ x1: Float, _ y1: Float, margin: Float
  ) -> (x0: Float, y0: Float, x1: Float, y1: Float)? {
    guard margin >= 0, margin < Self.largestRadius, abs(x0) < 1e9, abs(y0) < 1e9, abs(x1) < 1e9, abs(y1) < 1e9 else {
      return nil
    }
    let (dx, dy) = (x1 - x0, y1 - y0)
    var (from, to) = (Float(0), Float(1))
    let sides = [
      (dx, x0, -margin, Float(width) + margin), (dy, y0, -margin, Float(height) + margin),
    ]
    for (step, start, low, high) in sides {
      if step == 0 {
        guard start >= low, start <= high else { return nil }
        continue
      }
      let (first, second) = ((low - start) / step, (high - start) / step)
      from = max(from, min(first, second))
      to = min(to, max(first, second))
    }
    return from < to ? (x0 + from * dx, y0 + from * dy, x0 + to * dx, y0 + to * dy) : nil
  }
}

/// The pixels that the stretch from `low` to `high` touches, of `count`; both are finite and below 2³⁰.
@inline(__always)
func pixelRange(_ low: Float, _ high: Float, _ count: Int) -> Range<Int> {
  // A conversion cuts towards 0, so both are above 0 first.
  let first = Int(max(0, low))
  let last = min(count, Int(max(0, high)) + (high >= 0 ? 1 : 0))
  return first < last ? first..<last : 0..<0
}
