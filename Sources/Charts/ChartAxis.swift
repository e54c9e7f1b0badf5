// SPDX-License-Identifier: MIT
import Text

/// An axis with ticks at round numbers, whatever its span: milliseconds or days, 10⁻¹² or 10¹⁵.
package struct ChartAxis: Equatable, Sendable {
  /// The size and the name of one unit on the labels.
  package struct Unit: Equatable, Sendable {
    package let name: String
    package let worth: Double

    /// Plain numbers.
    package static let one = Unit(name: "", worth: 1)

    /// The unit in which times up to `seconds` are short numbers.
    package static func time(upTo seconds: Double) -> Unit {
      switch seconds {
      case ..<0.1: Unit(name: "ms", worth: 1e-3)
      case ..<600: Unit(name: "s", worth: 1)
      case ..<14_400: Unit(name: "min", worth: 60)
      case ..<345_600: Unit(name: "h", worth: 3600)
      default: Unit(name: "d", worth: 86_400)
      }
    }

    /// A power of a thousand that makes numbers up to `size` short.
    package static func power(of size: Double) -> Unit {
      guard size.isFinite, size > 0, size >= 1e5 || size < 1e-2 else { return .one }
      let exponent = Int((Double(PowerOfTen.exponent(of: size)) / 3).rounded(.down)) * 3
      let digits = String(abs(exponent)).unicodeScalars.map { Self.superscripts[Int($0.value) - 48] }
      return Unit(name: "×10" + (exponent < 0 ? "⁻" : "") + digits.joined(), worth: PowerOfTen.value(exponent))
    }

    private static let superscripts = ["⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"]
  }

  /// A tick and its label.
  package struct Tick: Equatable, Sendable {
    package let position: Double
    package let label: String
  }

  /// Both ends, in data units.
  package let range: ClosedRange<Double>
  /// The ticks from low to high.
  package let ticks: [Tick]
  /// The unit of the labels.
  package let unit: Unit
  /// The quantity of the axis, with its unit: `time (ms)`.
  package let title: String

  /// An axis from end to end of `range`, with ticks at the round numbers inside.
  package init(exactly range: ClosedRange<Double>, ticks count: Int, title: String, unit: Unit) {
    self.init(range: range, step: Self.roundStep(range, unit, count), unit: unit, title: title)
  }

  /// An axis around `numbers`, widened to the next round numbers, so that an overshoot stays inside.
  ///
  /// - Parameter per: The unit by which the numbers are counted, for the title: `per s`.
  package init(covering numbers: [Double], ticks count: Int, title: String, per: String = "") {
    let finite = numbers.filter(\.isFinite)
    var low = finite.min() ?? 0
    var high = finite.max() ?? 1
    let size = max(abs(low), abs(high))
    // A constant, or a span that the digits of a Double could not label, gets room around it. There is no power of a thousand
    // near the least Doubles, which count as 0.
    let isZero = size < 1e-290
    if isZero || high - low <= size * 1e-9 {
      let room = isZero ? 1 : size * 0.5
      (low, high) = (low - room, high + room)
    }
    let unit = Unit.power(of: max(abs(low), abs(high)))
    let step = Self.roundStep(low...high, unit, count)
    let widened = ((low / step).rounded(.down) * step)...((high / step).rounded(.up) * step)
    self.init(range: widened, step: step, unit: unit, title: title, per: per)
  }

  private init(range: ClosedRange<Double>, step: Double, unit: Unit, title: String, per: String = "") {
    self.range = range
    self.unit = unit
    let words = [unit.name, per].filter { !$0.isEmpty }.joined(separator: " ")
    self.title = words.isEmpty ? title : "\(title) (\(words))"
    let inUnits = step / unit.worth
    // The factor keeps a step one ulp below 0.1 from counting as hundredths.
    let decimals = max(0, -PowerOfTen.exponent(of: inUnits * (1 + 1e-9)))
    let first = (range.lowerBound / step - 1e-9).rounded(.up)
    let last = (range.upperBound / step + 1e-9).rounded(.down)
    ticks = stride(from: first, through: last, by: 1).map { index in
      Tick(position: index * step, label: NumberText.fixed(index * inUnits, decimals: decimals))
    }
  }

  /// 1, 2 or 5 times a power of ten of the unit, so that about `count` ticks stand in the range.
  private static func roundStep(_ range: ClosedRange<Double>, _ unit: Unit, _ count: Int) -> Double {
    let raw = (range.upperBound - range.lowerBound) / unit.worth / Double(max(count, 1))
    guard raw.isFinite, raw > 0 else { return unit.worth }
    let power = PowerOfTen.value(PowerOfTen.exponent(of: raw))
    // The nearest of them in ratio: the limits are √2, √10 and √50.
    let factor = raw < 1.414 * power ? 1.0 : raw < 3.162 * power ? 2 : raw < 7.071 * power ? 5 : 10
    return factor * power * unit.worth
  }

  /// The position of `number` between the ends: 0 at the lower, 1 at the upper.
  package func fraction(of number: Double) -> Double {
    (number - range.lowerBound) / (range.upperBound - range.lowerBound)
  }

  /// A moment on this axis with four digits and a unit: `1.045 s`; in a smaller unit than the axis's if it is short.
  package func moment(_ seconds: Double) -> String {
    guard seconds.isFinite else { return "∞" }
    let fitting = seconds < unit.worth / 100 ? Unit.time(upTo: seconds == 0 ? 1 : seconds) : unit
    let digits = NumberText.significant(seconds / fitting.worth, digits: 4)
    return fitting.name.isEmpty ? digits : "\(digits) \(fitting.name)"
  }
}
