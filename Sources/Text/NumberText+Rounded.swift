// SPDX-License-Identifier: MIT

extension NumberText {
  /// `number` rounded to a fixed count of decimals (at most 17), with a real minus sign; never `-0`.
  package static func fixed(_ number: Double, decimals: Int) -> String {
    let decimals = min(max(decimals, 0), 17)
    let scaled = (abs(number) * PowerOfTen.value(decimals)).rounded()
    // Beyond 2⁵³ a Double has no decimals left to show.
    guard scaled < 0x1p53 else { return number < 0 ? "−" + short(-number) : short(number) }
    var digits = String(Int64(scaled))
    if decimals > 0 {
      digits = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
      digits.insert(".", at: digits.index(digits.endIndex, offsetBy: -decimals))
    }
    return number < 0 && scaled > 0 ? "−" + digits : digits
  }

  /// `number` rounded to a count of significant digits, without trailing zeros: `1.045`, `500000`.
  package static func significant(_ number: Double, digits: Int) -> String {
    guard number.isFinite, number != 0 else { return number.isFinite ? "0" : plain(number) }
    let decimals = digits - 1 - PowerOfTen.exponent(of: number)
    guard (-12...12).contains(decimals) else { return short(number) }
    if decimals < 0 {
      let unit = PowerOfTen.value(-decimals)
      return fixed((number / unit).rounded() * unit, decimals: 0)
    }
    var text = fixed(number, decimals: decimals)
    guard text.contains(".") else { return text }
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }

  /// `number` with three significant digits and a power of ten: `1.05e-7`.
  package static func scientific(_ number: Double) -> String {
    guard number.isFinite, number != 0 else { return short(number) }
    // Powers of ten by products: errors are never so small that three digits would suffer.
    var (digits, exponent) = (abs(number), 0)
    while digits >= 9.995 { (digits, exponent) = (digits / 10, exponent + 1) }
    while digits < 0.9995 { (digits, exponent) = (digits * 10, exponent - 1) }
    return "\(fixed(number < 0 ? -digits : digits, decimals: 2))e\(exponent)"
  }
}
