// SPDX-License-Identifier: MIT
// Colours in four columns, from one encoding to another. Sources: IEC 61966-2-1 for sRGB; Björn Ottosson, "A perceptual color
// space for image processing", 2020, for OKLab. Each step walks the columns, which lie in the first cache. Sums and products
// are not fused, so the baseline, which would emulate fused ones, is as quick for its width as the wider sets. The bounds in the
// comments are tested (`ColorKernelTests`).

/// The steps of a conversion, in this order.
public struct ColorSteps: Sendable {
  /// Whether components are divided by alpha; they are 0 where alpha is.
  @usableFromInline let divides: Bool
  /// The spaces before and after: 1 for sRGB, 2 for amounts of light, 3 for OKLab.
  @usableFromInline let source, destination: Int32
  /// Whether components are multiplied by alpha.
  @usableFromInline let multiplies: Bool

  public init(divides: Bool, from source: Int32, to destination: Int32, multiplies: Bool) {
    (self.divides, self.source, self.destination, self.multiplies) = (divides, source, destination, multiplies)
  }
}

/// Colours in columns, for reading and writing.
public struct ColorColumns {
  /// The first of four columns.
  public let first: Column<Float>
  /// Floats from one column to the next.
  public let stride: Int
  /// The number of colours, a multiple of ``laneCountOfTile``.
  @usableFromInline let count: Int

  public init(_ first: Column<Float>, stride: Int, count: Int) {
    (self.first, self.stride, self.count) = (first, stride, count)
  }
}

#if !REAL_TIME_ONLY
  /// An exponent, and a part of it with 11 bits, so that the product with the exponent of a Float is exact.
  @usableFromInline
  struct PowerExponent {
    @usableFromInline let whole, high, rest: Float

    @export(implementation) @inline(__always)
    init(_ whole: Float, high: Float, rest: Float) { (self.whole, self.high, self.rest) = (whole, high, rest) }
  }

  extension InstructionSet {
    /// Converts colours in place.
    @inline(never)
    @export(implementation)
    static func convert(_ colors: ColorColumns, _ steps: ColorSteps) {
      if steps.divides {
        transform(colors) { component, alpha in
          let isZero = isGreater(Ints(repeating: 1), unsafe unsafeBitCast(magnitude(alpha), to: Ints.self))
          return clear(component / alpha, where: isZero)
        }
      }
      if steps.source == 1 { transform(colors) { component, _ in linear(component) } }
      if steps.source == 3 {
        mix(
          colors, (1, 0.3963377774, 0.2158037573), (1, -0.1055613458, -0.0638541728), (1, -0.0894841775, -1.2914855480),
          cubes: true)
        mix(
          colors, (4.0767416621, -3.3077115913, 0.2309699292), (-1.2684380046, 2.6097574011, -0.3413193965),
          (-0.0041960863, -0.7034186147, 1.7076147010))
      }
      if steps.destination == 1 { transform(colors) { component, _ in gammaEncoded(component) } }
      if steps.destination == 3 {
        mix(
          colors, (0.4122214708, 0.5363325363, 0.0514459929), (0.2119034982, 0.6806995451, 0.1073969566),
          (0.0883024619, 0.2817188376, 0.6299787005))
        transform(colors) { component, _ in cubeRoot(component) }
        mix(
          colors, (0.2104542553, 0.7936177850, -0.0040720468), (1.9779984951, -2.4285922050, 0.4505937099),
          (0.0259040371, 0.7827717662, -0.8086757660))
      }
      if steps.multiplies { transform(colors) { component, alpha in component * alpha } }
    }

    /// Replaces each component by a function of it and of alpha.
    @export(implementation) @inline(__always)
    static func transform(_ colors: ColorColumns, _ function: (Floats, Floats) -> Floats) {
      let alphas = colors.first + 3 &* colors.stride
      var column = colors.first
      while column != alphas {
        var lane = 0
        while lane < colors.count {
          column.store(function(load(column, lane), load(alphas, lane)), at: lane)
          lane &+= Floats.scalarCount
        }
        column += colors.stride
      }
    }

    /// Multiplies the components of each colour by the rows of a matrix, and cubes the sums if asked to.
    @export(implementation) @inline(__always)
    static func mix(
      _ colors: ColorColumns, _ a: (Float, Float, Float), _ b: (Float, Float, Float), _ c: (Float, Float, Float),
      cubes: Bool = false
    ) {
      let (first, second) = (colors.first, colors.first + colors.stride)
      let third = second + colors.stride
      var lane = 0
      while lane < colors.count {
        let (x, y, z) = (load(first, lane), load(second, lane), load(third, lane))
        @inline(__always)
        func sum(_ row: (Float, Float, Float)) -> Floats {
          let sum = x * splat(row.0) + y * splat(row.1) + z * splat(row.2)
          return cubes ? sum * sum * sum : sum
        }
        first.store(sum(a), at: lane)
        second.store(sum(b), at: lane)
        third.store(sum(c), at: lane)
        lane &+= Floats.scalarCount
      }
    }

    /// The amount of light of a component of sRGB; at most 4 · 10⁻⁷ of its value off.
    @export(implementation) @inline(__always)
    static func linear(_ level: Floats) -> Floats {
      let size = magnitude(level)
      let base = size * splat(1 / 1.055) + splat(0.055 / 1.055)
      let power = base * power(base, PowerExponent(1.4, high: 1434 / 1024, rest: -0.000390625))
      return signed(blend(isAbove(0.04045, size), power, size * splat(1 / 12.92)), as: level)
    }

    /// The component of sRGB of an amount of light; at most 4 · 10⁻⁷ of its value off.
    @export(implementation) @inline(__always)
    static func gammaEncoded(_ light: Floats) -> Floats {
      let size = magnitude(light)
      let power = size * power(size, PowerExponent(-7 / 12, high: -597 / 1024, rest: -0.00032552084))
      return signed(
        blend(isAbove(0.0031308, size), power * splat(1.055) - splat(0.055), size * splat(12.92)), as: light)
    }

    /// The cube root of each lane, at most 2 · 10⁻⁷ of its value off; below 2⁻¹⁰⁰ it falls to 0 along a line.
    @export(implementation) @inline(__always)
    static func cubeRoot(_ x: Floats) -> Floats {
      x * power(magnitude(x), PowerExponent(-2 / 3, high: -683 / 1024, rest: 0.00032552084))
    }

    /// All bits of a lane set where a number that is not negative is above a limit, or NaN.
    @export(implementation) @inline(__always)
    static func isAbove(_ limit: Float, _ x: Floats) -> Ints {
      isGreater(unsafe unsafeBitCast(x, to: Ints.self), Ints(repeating: Int32(bitPattern: limit.bitPattern)))
    }

    /// A number that is not negative with the sign of another.
    @export(implementation) @inline(__always)
    static func signed(_ size: Floats, as other: Floats) -> Floats {
      let sign = unsafe unsafeBitCast(other, to: Ints.self) & Ints(repeating: .min)
      return unsafe unsafeBitCast(unsafeBitCast(size, to: Ints.self) | sign, to: Floats.self)
    }

    /// A power of each lane, at most 2 · 10⁻⁷ of its value off, for exponents within ±1.4. What lies outside of 2⁻¹⁰⁰…2⁸⁰, or is
    /// no number, counts as one of these ends.
    @export(implementation) @inline(__always)
    static func power(_ x: Floats, _ exponent: PowerExponent) -> Floats {
      let inside = blend(isAbove(0x1p80, x), splat(0x1p80), maximum(x, splat(0x1p-100)))
      let bits = unsafe unsafeBitCast(inside, to: Ints.self)
      // x = 2ᵉ · m with m in √½…√2.
      let e = (bits &- Ints(repeating: 0x3F35_04F3)) &>> Ints(repeating: 23)
      let m = unsafe unsafeBitCast(bits &- (e &<< Ints(repeating: 23)), to: Floats.self)
      // log₂ m = 2 · artanh(s)/ln 2, an odd function: 2⁻³⁰ of it is left out.
      let s = (m - splat(1)) / (m + splat(1))
      let square = s * s
      var p = splat(0.43173789978027344)
      p = p * square + splat(0.5767143368721008)
      p = p * square + splat(0.9617988467216492)
      p = p * square + splat(2.885390043258667)
      let fraction = s * p * splat(exponent.whole)
      let whole = convert(e)
      let n = nearestInteger(whole * splat(exponent.whole) + fraction)
      let r = (whole * splat(exponent.high) - n) + (whole * splat(exponent.rest) + fraction)
      // 2ʳ for r within ±½: the polynomial of `exp2OfNegative`, with products that are not fused.
      var q = splat(0.00015461444854736328)
      q = q * r + splat(0.0013400427997112274)
      q = q * r + splat(0.009618056938052177)
      q = q * r + splat(0.05550327152013779)
      q = q * r + splat(0.24022650718688965)
      q = q * r + splat(0.6931471824645996)
      q = q * r + splat(1)
      return scale(q, byPowerOf: n)
    }
  }
#endif
