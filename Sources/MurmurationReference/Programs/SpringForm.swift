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
}

extension Spring {
  package var form: SpringForm {
    // Each number is given back within some units in the last place; fewer digits are more likely to be those given.
    func near(_ number: Double) -> [Double] {
      let short = [1e12, 1e13, 1e14, 1e15, 1e16, 1e17].map { (number * $0).rounded() / $0 }
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
    let numbers = numbers
    return perceptual.first { $0.spring.numbers == numbers } ?? physical.first { $0.spring.numbers == numbers }
      ?? SpringForm(
        mass: mass, naturalFrequency: naturalFrequency, decayConstant: decayConstant,
        angularFrequency: angularFrequency)
  }

  /// All that it keeps, as texts: these tell all bits apart but those of NaN.
  private var numbers: [String] { [naturalFrequency, decayConstant, angularFrequency, mass].map(\.description) }
}
