// SPDX-License-Identifier: MIT
package import Murmuration

/// A spring by the numbers of an initializer that makes the very same one; else by those that it keeps.
package struct SpringForm: Codable {
  package var duration, bounce, mass, stiffness, damping: Double?
  package var naturalFrequency, decayConstant, angularFrequency: Double?

  /// The spring; one of impossible numbers if some are missing.
  var spring: Spring {
    if let duration { return Spring(duration: duration, bounce: bounce ?? 0) }
    if let stiffness {
      return Spring(mass: mass ?? 1, stiffness: stiffness, damping: damping ?? 0, allowOverDamping: true)
    }
    return Spring(
      naturalFrequency: naturalFrequency ?? .nan, decayConstant: decayConstant ?? .nan,
      angularFrequency: angularFrequency ?? .nan, mass: mass ?? 1)
  }

  /// Whether the spring has the same bits in all numbers.
  fileprivate func makes(_ other: Spring) -> Bool {
    let spring = spring
    return [\Spring.naturalFrequency, \.decayConstant, \.angularFrequency, \.mass].allSatisfy {
      spring[keyPath: $0].bitPattern == other[keyPath: $0].bitPattern
        || spring[keyPath: $0].isNaN && other[keyPath: $0].isNaN
    }
  }
}

extension Spring {
  package var form: SpringForm {
    // Each number is given back within some units in the last place; fewer digits are more likely to be those given.
    func near(_ number: Double) -> [Double] {
      let short = number == 0 || !number.isFinite ? [] : (12...17).compactMap { number.rounded(toDigits: $0) }
      return short + [number, number.nextUp, number.nextDown, number.nextUp.nextUp, number.nextDown.nextDown]
    }
    // A jump has no bounce that could be asked for.
    let bounces = duration == 0 ? [0] : near(bounce)
    let perceptual = near(duration).lazy.flatMap { duration in
      bounces.map { SpringForm(duration: duration, bounce: $0) }
    }
    let physical = near(stiffness).lazy.flatMap { stiffness in
      near(damping).map { SpringForm(mass: mass, stiffness: stiffness, damping: $0) }
    }
    return perceptual.first { $0.makes(self) } ?? physical.first { $0.makes(self) }
      ?? SpringForm(
        mass: mass, naturalFrequency: naturalFrequency, decayConstant: decayConstant,
        angularFrequency: angularFrequency)
  }
}

extension Double {
  fileprivate func rounded(toDigits digits: Int) -> Double? {
    var scale = 1.0
    var exponent = digits
    var size = abs(self)
    while size >= 1 {
      size /= 10
      exponent -= 1
    }
    for _ in 0..<max(0, exponent) { scale *= 10 }
    let rounded = (self * scale).rounded() / scale
    return rounded.isFinite ? rounded : nil
  }
}
