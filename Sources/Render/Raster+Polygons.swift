// SPDX-License-Identifier: MIT

extension Raster {
  /// Covers a polygon with `light`, in place of what was there; pixels at its rim are covered in part.
  ///
  /// Each edge adds its signed area to the pixels right of it, so that the sum along a row is the coverage.
  /// - Parameters:
  ///   - corners: In pixels, the last one joined to the first; at least three.
  ///   - opacity: From 0, which changes nothing, to 1.
  /// - Complexity: O(area of the box around the polygon).
  package mutating func fill(_ corners: [SIMD2<Float>], opacity: Float = 1, _ light: Light) {
    guard corners.count >= 3 else { return }
    var (low, high) = (corners[0], corners[0])
    for corner in corners {
      guard abs(corner.x) < Self.farthest, abs(corner.y) < Self.farthest else { return }
      low.replace(with: corner, where: corner .< low)
      high.replace(with: corner, where: corner .> high)
    }
    let columns = pixelRange(low.x, high.x, width)
    let rows = pixelRange(low.y, high.y, height)
    guard !columns.isEmpty, !rows.isEmpty else { return }
    // Two more columns take what edges add to the right of the last pixel.
    let stride = columns.count + 2
    if coverage.count < stride * rows.count { coverage = Array(repeating: 0, count: stride * rows.count) }
    let origin = SIMD2(Float(columns.lowerBound), Float(rows.lowerBound))
    for index in corners.indices {
      let next = index + 1 == corners.count ? 0 : index + 1
      addEdge(corners[index] - origin, corners[next] - origin, columns: columns.count, rows: rows.count)
    }
    let width = width
    coverage.withUnsafeMutableBufferPointer { coverage in
      pixels.withUnsafeMutableBufferPointer { pixels in
        for row in 0..<rows.count {
          var sum: Float = 0
          for column in 0..<columns.count {
            sum += coverage[row * stride + column]
            let share = min(1, abs(sum)) * opacity
            guard share > 1e-4 else { continue }
            let index = (rows.lowerBound + row) * width + columns.lowerBound + column
            pixels[index] += (light - pixels[index]) * share
          }
        }
        coverage[0..<stride * rows.count].update(repeating: 0)
      }
    }
  }

  private static let farthest: Float = 1e5

  /// Adds the area of one edge to the pixels right of it, in coordinates of the box.
  private mutating func addEdge(_ from: SIMD2<Float>, _ to: SIMD2<Float>, columns: Int, rows: Int) {
    guard from.y != to.y else { return }
    let sign: Float = from.y < to.y ? 1 : -1
    let (upper, lower) = from.y < to.y ? (from, to) : (to, from)
    let slope = (lower.x - upper.x) / (lower.y - upper.y)
    let stride = columns + 2
    for row in pixelRange(upper.y, lower.y, rows) {
      let (top, bottom) = (max(upper.y, Float(row)), min(lower.y, Float(row) + 1))
      guard bottom > top else { continue }
      let first = upper.x + (top - upper.y) * slope
      let second = upper.x + (bottom - upper.y) * slope
      // Left of the box an edge covers whole rows, right of it nothing.
      let (left, right) = (min(first, second), max(first, second))
      let height = (bottom - top) * sign
      addRow(row * stride, columns, left, right, height)
    }
  }

  /// Adds the part of an edge within one row, from `left` to `right` along it, of a signed height.
  private mutating func addRow(_ start: Int, _ columns: Int, _ left: Float, _ right: Float, _ height: Float) {
    let limit = Float(columns)
    let (a, b) = (min(limit, max(0, left)), min(limit, max(0, right)))
    let width = right - left
    // The height of the part left of the box, all of which counts from its first column on.
    guard width > 0, b > a else {
      let cell = Int(a)
      let inside = left < 0 ? 0 : a - Float(cell)
      coverage[start + cell] += height * (1 - inside)
      coverage[start + cell + 1] += height * inside
      return
    }
    coverage[start] += height * (a - left) / width
    for cell in pixelRange(a, b, columns) {
      let (from, to) = (max(a, Float(cell)), min(b, Float(cell) + 1))
      guard to > from else { continue }
      let part = height * (to - from) / width
      let inside = (from + to) / 2 - Float(cell)
      coverage[start + cell] += part * (1 - inside)
      coverage[start + cell + 1] += part * inside
    }
  }
}
