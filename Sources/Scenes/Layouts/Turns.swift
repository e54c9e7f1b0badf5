/// Sine and cosine of angles in turns, from additions and multiplications alone.
///
/// A C library's sine has other last bits on other processors; scenes are laid out alike on all.
enum Turns {
  /// sin(2π · `turns`), to 2⁻⁵⁰.
  static func sine(_ turns: Double) -> Double {
    // To the eighth of a turn about the nearest quarter, exactly.
    let rest = turns - turns.rounded()
    let quarter = (rest * 4).rounded()
    let angle = (rest - quarter / 4) * (2 * Double.pi)
    switch quarter {
    case 0: return seriesSine(angle)
    case 1: return seriesCosine(angle)
    case -1: return -seriesCosine(angle)
    default: return -seriesSine(angle)
    }
  }

  /// cos(2π · `turns`), to 2⁻⁵⁰.
  static func cosine(_ turns: Double) -> Double { sine(turns - turns.rounded() + 0.25) }

  // Taylor's series: at π/4 the first term left out is below 2⁻⁶⁰.
  private static func seriesSine(_ x: Double) -> Double {
    let square = x * x
    var sum = 0.0
    for divisor in stride(from: 18.0, through: 2, by: -2) { sum = (1 + sum) * (-square / (divisor * (divisor + 1))) }
    return x * (1 + sum)
  }

  private static func seriesCosine(_ x: Double) -> Double {
    let square = x * x
    var sum = 0.0
    for divisor in stride(from: 17.0, through: 1, by: -2) { sum = (1 + sum) * (-square / (divisor * (divisor + 1))) }
    return 1 + sum
  }
}
