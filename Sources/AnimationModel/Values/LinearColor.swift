// SPDX-License-Identifier: MIT

/// A colour by the amounts of light of the three sRGB primaries, not gamma-encoded, so that a mix looks like mixed light.
public struct LinearColor: Hashable, Sendable {
  /// The amount of red light, from 0 (no light) to 1 (full).
  public var red: Double

  /// The amount of green light, from 0 (no light) to 1 (full).
  public var green: Double

  /// The amount of blue light, from 0 (no light) to 1 (full).
  public var blue: Double

  /// How much the colour covers what lies behind it; 0 is invisible and 1 is opaque. The primaries are not multiplied by it.
  public var opacity: Double

  /// A colour of the given amounts of light. Values outside 0…1, which a bouncy spring makes, are kept.
  @inlinable
  public init(red: Double, green: Double, blue: Double, opacity: Double = 1) {
    self.red = red
    self.green = green
    self.blue = blue
    self.opacity = opacity
  }

  /// The colour that the gamma-encoded components name, as web colours and image files write them.
  ///
  /// Source: IEC 61966-2-1, extended to negative components by symmetry.
  public init(sRGBRed red: Double, green: Double, blue: Double, opacity: Double = 1) {
    self.init(red: Self.light(red), green: Self.light(green), blue: Self.light(blue), opacity: opacity)
  }
}

extension LinearColor: Animatable {
  /// Red, green, blue and opacity.
  @inlinable
  public var animatableData: SIMD4<Double> {
    get { SIMD4(red, green, blue, opacity) }
    set { (red, green, blue, opacity) = (newValue.x, newValue.y, newValue.z, newValue.w) }
  }
}
