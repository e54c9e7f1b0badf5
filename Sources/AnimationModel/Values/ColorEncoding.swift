// SPDX-License-Identifier: MIT
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What the four numbers of a colour mean: the space of the first three, and whether these are multiplied by the fourth, alpha.
///
/// Alpha is the same number in each encoding. Numbers beyond 0…1 are colours out of gamut, and are kept.
public struct ColorEncoding: Hashable, Sendable {
  /// The space of three components. All have the primaries and the white of sRGB.
  public enum Space: Int32, CaseIterable, Sendable {
    /// Red, green and blue, gamma-encoded, as in web colours and image files. Source: IEC 61966-2-1, extended to negative
    /// components by symmetry.
    case sRGB = 1
    /// Red, green and blue as amounts of light.
    case linear
    /// OKLab: lightness 0…1, *a* from green to red, and *b* from blue to yellow, both within ±0.4 for colours of sRGB. Equal
    /// steps look equal. Source: Björn Ottosson, "A perceptual color space for image processing", 2020, with the matrices of
    /// 2021-01-25.
    case okLab
  }

  /// The space of the first three numbers.
  public var space: Space
  /// Whether the first three numbers are those of the space times alpha.
  public var isPremultiplied: Bool

  /// An encoding, by default with straight alpha.
  public init(_ space: Space, isPremultiplied: Bool = false) {
    (self.space, self.isPremultiplied) = (space, isPremultiplied)
  }

  /// sRGB with straight alpha.
  public static var sRGB: ColorEncoding { ColorEncoding(.sRGB) }
  /// Amounts of light with straight alpha: the numbers of a ``LinearColor``.
  public static var linear: ColorEncoding { ColorEncoding(.linear) }
  /// OKLab with straight alpha.
  public static var okLab: ColorEncoding { ColorEncoding(.okLab) }

  /// The same space with components that are multiplied by alpha.
  public var premultiplied: ColorEncoding { ColorEncoding(space, isPremultiplied: true) }
}

extension LinearColor {
  /// The colour of four numbers. One with premultiplied components and alpha 0 is 0 in all of them.
  public init(_ numbers: SIMD4<Double>, in encoding: ColorEncoding) {
    let alpha = numbers.w
    var color = SIMD3(numbers.x, numbers.y, numbers.z)
    if encoding.isPremultiplied { color = alpha == 0 ? .zero : color / alpha }
    switch encoding.space {
    case .linear: break
    case .sRGB: color = SIMD3(Self.light(color.x), Self.light(color.y), Self.light(color.z))
    case .okLab: color = Self.light(okLab: color)
    }
    self.init(red: color.x, green: color.y, blue: color.z, opacity: alpha)
  }

  /// The four numbers of the colour, the last of which is ``opacity``.
  public func numbers(in encoding: ColorEncoding) -> SIMD4<Double> {
    var color = SIMD3(red, green, blue)
    switch encoding.space {
    case .linear: break
    case .sRGB: color = SIMD3(Self.level(red), Self.level(green), Self.level(blue))
    case .okLab: color = Self.okLab(color)
    }
    if encoding.isPremultiplied { color *= opacity }
    return SIMD4(color, opacity)
  }

  /// The amount of light of a gamma-encoded component.
  static func light(_ level: Double) -> Double {
    let size = level.magnitude
    let light = size <= 0.04045 ? size / 12.92 : pow((size + 0.055) / 1.055, 2.4)
    return level < 0 ? -light : light
  }

  /// The gamma-encoded component of an amount of light.
  private static func level(_ light: Double) -> Double {
    let size = light.magnitude
    let level = size <= 0.0031308 ? size * 12.92 : 1.055 * pow(size, 1 / 2.4) - 0.055
    return light < 0 ? -level : level
  }

  private static func okLab(_ c: SIMD3<Double>) -> SIMD3<Double> {
    let l = cbrt(0.4122214708 * c.x + 0.5363325363 * c.y + 0.0514459929 * c.z)
    let m = cbrt(0.2119034982 * c.x + 0.6806995451 * c.y + 0.1073969566 * c.z)
    let s = cbrt(0.0883024619 * c.x + 0.2817188376 * c.y + 0.6299787005 * c.z)
    return [
      0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
      1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
      0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s,
    ]
  }

  private static func light(okLab c: SIMD3<Double>) -> SIMD3<Double> {
    func cube(_ x: Double) -> Double { x * x * x }
    let l = cube(c.x + 0.3963377774 * c.y + 0.2158037573 * c.z)
    let m = cube(c.x - 0.1055613458 * c.y - 0.0638541728 * c.z)
    let s = cube(c.x - 0.0894841775 * c.y - 1.2914855480 * c.z)
    return [
      4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
      -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
      -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s,
    ]
  }
}
