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
    // Each number is given back within some units in the last place; few digits are likely to be those given.
    func near(_ number: Double) -> [Double] {
      [Double("\(Float(number))") ?? number] + [0, 1, -1, 2, -2, 3, -3, 4, -4].map { number + $0 * number.ulp }
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
