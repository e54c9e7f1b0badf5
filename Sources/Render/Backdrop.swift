// SPDX-License-Identifier: MIT

/// The ground of a picture, and the effect of marks on it: on a dark backdrop they add light, on a light one they take
/// it away.
///
/// Marks of strength x leave 1 / (1 + x + x²/2) of the way from the background to white, or to black: more and more
/// marks at one place never reach the end, so that dense parts keep their shape.
package struct Backdrop: Equatable, Sendable {
  /// The light at the top and at the bottom; between them its root changes evenly, which is even to the eye.
  package var top: Light
  package var bottom: Light
  /// Whether marks take light away.
  package var isInked: Bool

  /// A backdrop of colours in levels of the screen.
  package init(top: SIMD3<UInt8>, bottom: SIMD3<UInt8>, isInked: Bool) {
    (self.top, self.bottom) = (Screen.light(top), Screen.light(bottom))
    self.isInked = isInked
  }

  private var limit: Light { isInked ? .zero : Light(1, 1, 1, 1) }

  /// The strength of marks that show as `colour` in the middle of the backdrop, as nearly as they can.
  package func strength(showing colour: SIMD3<UInt8>) -> Light {
    let (background, wanted) = ((top + bottom) / 2, Screen.light(colour))
    var strength = Light.zero
    for channel in 0..<3 {
      let room = limit[channel] - background[channel]
      let left = abs(room) < 1e-3 ? 1 : (limit[channel] - wanted[channel]) / room
      // The inverse of the share that is left; a colour beyond the limit is the strongest mark.
      let share = min(1, max(Self.leastShare, left))
      strength[channel] = (2 / share - 1).squareRoot() - 1
    }
    return strength
  }

  private static let leastShare: Float = 0.01

  /// The light that shows where marks of `strength` stand on `background`.
  @inline(__always)
  static func light(_ background: Light, _ limit: Light, _ strength: Light) -> Light {
    let left = 1 / (1 + strength + strength * strength * 0.5)
    return limit + (background - limit) * left
  }

  private func background(row: Int, of height: Int) -> Light {
    let (first, last) = (top.squareRoot(), bottom.squareRoot())
    let root = first + (last - first) * ((Float(row) + 0.5) / Float(height))
    return root * root
  }

  /// The levels of a pixel without marks in one row of a picture, up to the pattern that hides steps.
  package func emptyPixel(row: Int, of height: Int) -> SIMD3<UInt8> {
    let light = background(row: row, of: height)
    func level(_ light: Float) -> UInt8 { UInt8((Screen.sixteenths[Screen.index(of: light)] + 8) >> 4) }
    return SIMD3(level(light.x), level(light.y), level(light.z))
  }

  /// The picture of a raster on this backdrop.
  ///
  /// A background that changes from top to bottom would show steps. A fixed pattern of sixteenths of a level hides them.
  package func picture(of raster: Raster) -> Picture {
    var picture = Picture(width: raster.width, height: raster.height)
    let (width, height, limit) = (raster.width, raster.height, limit)
    let table = Screen.sixteenths
    let sixteenths = table.span
    let pixels = raster.pixels.span
    var bytes = picture.bytes.mutableSpan
    for row in 0..<height {
      let background = background(row: row, of: height)
      var place = row * width * 3
      for column in 0..<width {
        let light = Backdrop.light(background, limit, pixels[row * width + column])
        let offset = Self.pattern[(row & 3) * 4 + (column & 3)]
        bytes[place] = UInt8(truncatingIfNeeded: (sixteenths[Screen.index(of: light.x)] + offset) >> 4)
        bytes[place + 1] = UInt8(truncatingIfNeeded: (sixteenths[Screen.index(of: light.y)] + offset) >> 4)
        bytes[place + 2] = UInt8(truncatingIfNeeded: (sixteenths[Screen.index(of: light.z)] + offset) >> 4)
        place += 3
      }
    }
    return picture
  }

  /// The sixteenths of a level that are added to the pixels of a square, from 1 to 14: a whole level is not changed.
  private static let pattern: SIMD16<UInt16> = [1, 8, 2, 9, 11, 5, 12, 6, 3, 10, 2, 8, 14, 7, 13, 6]
}
