// SPDX-License-Identifier: MIT
package import Formats
package import Murmuration
import Text

/// A spring as JSON describes it.
///
/// It is one of the names `"smooth"`, `"snappy"`, `"bouncy"`, or an object with the keys of one of `Spring`'s initialisers
/// and their defaults: `duration` and `bounce`; `response` and `dampingRatio`; `mass`, `stiffness`, `damping` and
/// `allowOverDamping`; `settlingDuration`, `dampingRatio` and `epsilon`. Mixing the keys of two forms is an error.
///
/// It accepts the springs that a batch accepts: bounce in (−1, 1], duration in [10⁻⁴, 10⁶] s, or 0 for a jump to the
/// target. As in SwiftUI, the model clamps a settling duration outside [0.01, 10] s and its damping ratio above 1.
package struct SpringDescription: Decodable, Equatable, Sendable {
  /// The spring; unused if ``isJump``, since a duration of 0 has no finite frequency.
  package let spring: Spring
  /// Whether the duration is 0: the value is at its target, at rest, as soon as time has passed.
  package let isJump: Bool
  /// The parameters as they were given, for a legend: `duration 0.5, bounce 0.2`.
  package let summary: String

  /// The spring of a description without keys: `Spring()`, duration 0.5 and no bounce.
  package static let standard = SpringDescription(spring: Spring(), isJump: false, summary: "duration 0.5, bounce 0")

  /// A spring of the same parameters as `Spring(duration:bounce:)`, within the same limits as in a file.
  package init(duration: Double = 0.5, bounce: Double = 0) throws(DescriptionError) {
    try NumberRule.springDuration.check(duration, at: [.key("duration")])
    try NumberRule.bounce.check(bounce, at: [.key("bounce")])
    self.init(
      spring: Spring(duration: duration, bounce: bounce), isJump: duration == 0,
      summary: "duration \(NumberText.short(duration)), bounce \(NumberText.short(bounce))")
  }

  /// Reads a name or an object.
  package init(from decoder: any Decoder) throws(DescriptionError) {
    if let name = try? decoder.singleValueContainer().decode(String.self) {
      guard let preset = SpringDescription(named: name) else {
        throw DescriptionError(
          at: decoder.codingPath, reason: DescriptionError.unknown("spring", name, known: Self.names))
      }
      self = preset
      return
    }
    let fields = try StrictFields<Key>(decoder, expected: "a name or an object")
    let form = try Form(of: fields)
    self = try form.read(fields)
    try checkLimits(fields)
  }

  /// The names of springs: `smooth`, `snappy`, `bouncy`.
  package static let names = Preset.allCases.map(\.rawValue)

  /// The spring of a name; nil if no spring is called so.
  package init?(named name: String) {
    guard let preset = KnownNames(Self.names).meant(by: name).flatMap(Preset.init(rawValue:)) else { return nil }
    self.init(spring: preset.spring, isJump: false, summary: preset.rawValue)
  }

  private init(spring: Spring, isJump: Bool, summary: String) {
    self.spring = spring
    self.isJump = isJump
    self.summary = summary
  }

  /// Throws if parameters that are fine one by one make a spring that no batch accepts.
  private func checkLimits(_ fields: StrictFields<Key>) throws(DescriptionError) {
    guard !isJump else { return }
    let frequency = spring.naturalFrequency
    guard frequency.isFinite, frequency > 0, spring.decayConstant.isFinite else {
      throw fields.error("is damped too strongly to be computed")
    }
    // A given duration has been checked, and may read back an ulp outside the range.
    guard !fields.has(.duration), !fields.has(.response) else { return }
    let duration = 2 * Double.pi / frequency
    guard (1e-4...1e6).contains(duration) else {
      throw fields.error("must have a duration in [1e-4, 1e6], has \(NumberText.short(duration))")
    }
  }
}

// MARK: - The forms

extension SpringDescription {
  private enum Preset: String, CaseIterable {
    case smooth, snappy, bouncy

    var spring: Spring {
      switch self {
      case .smooth: .smooth
      case .snappy: .snappy
      case .bouncy: .bouncy
      }
    }
  }

  private enum Key: String, CodingKey, CaseIterable {
    case duration, bounce, response, dampingRatio, mass, stiffness, damping, allowOverDamping, settlingDuration, epsilon
  }

  private enum Form: CaseIterable {
    case perceptual, response, physical, settling

    var keys: [Key] {
      switch self {
      case .perceptual: [.duration, .bounce]
      case .response: [.response, .dampingRatio]
      case .physical: [.mass, .stiffness, .damping, .allowOverDamping]
      case .settling: [.settlingDuration, .dampingRatio, .epsilon]
      }
    }

    /// The form that has all of the object's keys; the first form if the object is empty.
    init(of fields: StrictFields<Key>) throws(DescriptionError) {
      let present = Key.allCases.filter { fields.has($0) }
      let fitting = Form.allCases.filter { form in present.allSatisfy(form.keys.contains) }
      guard let form = fitting.first else {
        let names = present.map(\.stringValue).joined(separator: ", ")
        throw fields.error("mixes \(names), which belong to different forms")
      }
      self = form
    }

    func read(_ fields: StrictFields<Key>) throws(DescriptionError) -> SpringDescription {
      switch self {
      case .perceptual:
        return try SpringDescription.perceptual(fields)
      case .response:
        return try SpringDescription.response(fields)
      case .physical:
        return try SpringDescription.physical(fields)
      case .settling:
        return try SpringDescription.settling(fields)
      }
    }
  }

  private static func perceptual(_ fields: StrictFields<Key>) throws(DescriptionError) -> SpringDescription {
    let duration = try fields.number(.duration, .springDuration, default: 0.5)
    let bounce = try fields.number(.bounce, .bounce, default: 0)
    return SpringDescription(
      spring: Spring(duration: duration, bounce: bounce), isJump: duration == 0,
      summary: "duration \(NumberText.short(duration)), bounce \(NumberText.short(bounce))")
  }

  private static func response(_ fields: StrictFields<Key>) throws(DescriptionError) -> SpringDescription {
    guard fields.has(.response) else { throw fields.error("needs response or settlingDuration beside dampingRatio") }
    let response = try fields.number(.response, .springDuration)
    let ratio = try fields.number(.dampingRatio, .notNegative)
    return SpringDescription(
      spring: Spring(response: response, dampingRatio: ratio), isJump: response == 0,
      summary: "response \(NumberText.short(response)), damping ratio \(NumberText.short(ratio))")
  }

  private static func physical(_ fields: StrictFields<Key>) throws(DescriptionError) -> SpringDescription {
    let mass = try fields.number(.mass, .positive, default: 1)
    let stiffness = try fields.number(.stiffness, .positive)
    let damping = try fields.number(.damping, .notNegative)
    let allowOverDamping = try fields.optional(.allowOverDamping, as: Bool.self) ?? false
    let spring = Spring(mass: mass, stiffness: stiffness, damping: damping, allowOverDamping: allowOverDamping)
    let numbers = [mass, stiffness, damping].map(NumberText.short)
    return SpringDescription(
      spring: spring, isJump: false, summary: "mass \(numbers[0]), stiffness \(numbers[1]), damping \(numbers[2])")
  }

  private static func settling(_ fields: StrictFields<Key>) throws(DescriptionError) -> SpringDescription {
    let settling = try fields.number(.settlingDuration, .settlingDuration)
    let ratio = try fields.number(.dampingRatio, .notNegative)
    let epsilon = try fields.number(.epsilon, .epsilon, default: 0.001)
    return SpringDescription(
      spring: Spring(settlingDuration: settling, dampingRatio: ratio, epsilon: epsilon), isJump: false,
      summary: "settling \(NumberText.short(settling)), damping ratio \(NumberText.short(ratio))")
  }
}
