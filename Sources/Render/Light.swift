// SPDX-License-Identifier: MIT

/// Red, green and blue in linear light, from 0 to 1 on a screen and beyond 1 in a raster; the fourth lane is unused.
package typealias Light = SIMD4<Float>

/// The transfer function of sRGB, between the levels of a screen and linear light. Source: IEC 61966-2-1.
package enum Screen {
  /// The light of each level, 0 to 255.
  private static let lightOfLevel: [Float] = (0...255).map { level in
    let value = Double(level) / 255
    return Float(value <= 0.04045 ? value / 12.92 : power(of: (value + 0.055) / 1.055, 2.4))
  }

  /// The light of a colour in levels of red, green and blue.
  package static func light(_ levels: SIMD3<UInt8>) -> Light {
    Light(lightOfLevel[Int(levels.x)], lightOfLevel[Int(levels.y)], lightOfLevel[Int(levels.z)], 0)
  }

  /// Lights whose levels are told apart, for each power of two.
  private static let stepsPerOctave = 1024
  /// The octaves below 1; darker lights are black.
  private static let octaves = 12
  /// The bits of the least light of the table, cut off.
  private static let firstBits = Int(Float(sign: .plus, exponent: -octaves, significand: 1).bitPattern >> 13)

  /// Sixteenths of levels, by the leading bits of a light.
  static let sixteenths: [UInt16] = {
    let lights = (0...octaves * stepsPerOctave).map { Float(bitPattern: UInt32($0 + firstBits) << 13) }
    return [0]
      + lights.dropFirst().map { light in
        let value = Double(light)
        let level = value <= 0.0031308 ? 12.92 * value : 1.055 * power(of: value, 1 / 2.4) - 0.055
        return UInt16((16 * 255 * level).rounded())
      }
  }()

  /// The index of a light in `sixteenths`; lights beyond 1 count as 1, and NaN as 0.
  @inline(__always)
  static func index(of light: Float) -> Int {
    // Rounded to the nearest entry. A negative light is a large number of bits, so it is cut off first.
    let bits = Int((max(0, min(1, light)).bitPattern &+ (1 << 12)) >> 13)
    return max(0, bits - firstBits)
  }

  /// `base` to the power of `exponent`, for a base in (0, 1], by square roots alone, so that all machines agree.
  static func power(of base: Double, _ exponent: Double) -> Double {
    var result = 1.0
    for _ in 0..<Int(exponent) { result *= base }
    // The binary digits of the fraction: one root after another.
    var (rest, root) = (exponent - exponent.rounded(.down), base)
    for _ in 0..<50 {
      (rest, root) = (rest * 2, root.squareRoot())
      if rest >= 1 { (rest, result) = (rest - 1, result * root) }
    }
    return result
  }
}
