// SPDX-License-Identifier: MIT
package import Formats
package import Murmuration
import Text

/// An animation with its modifiers as JSON describes it: `{"curve": "easeInOut", "duration": 0.4, "repeats": 3, "delay": 1}`.
/// Without modifiers it may be the name of a spring, or a curve's name or CSS: `"bouncy"`, `"easeIn"`, `"cubic-bezier(0.3, 0, 0.1, 1)"`.
///
/// The modifiers act in the order of `Animation.repeatCount(_:autoreverses:)`, `speed(_:)` and `delay(_:)`: the delay comes
/// once, before the repeats, in seconds of the clock.
package struct AnimationDescription: Equatable, Sendable, Decodable {
  /// The curve or spring that moves the value.
  package enum Base: Equatable, Sendable {
    /// A curve, and the seconds that it takes.
    case curve(CurveDescription, duration: Double)
    /// A spring.
    case spring(SpringDescription)
  }

  /// The curve or spring that moves the value.
  package var base: Base
  /// How often it plays; nil for once.
  package var repeats: Playback.Repetition?
  /// Whether every second iteration goes the other way.
  package var autoreverses: Bool
  /// How fast it plays.
  package var speed: Double
  /// Seconds until it begins; a negative delay skips the beginning.
  package var delay: Double

  /// The keys of an animation.
  package enum Key: String, CodingKey, CaseIterable {
    case curve, duration, spring, repeats, autoreverses, speed, delay
  }

  /// The seconds that a curve takes without a duration, as in SwiftUI.
  private static let duration = 0.35

  /// An animation put together in code.
  package init(
    _ base: Base, repeats: Playback.Repetition? = nil, autoreverses: Bool = false, speed: Double = 1, delay: Double = 0
  ) {
    (self.base, self.repeats, self.autoreverses, self.speed, self.delay) = (base, repeats, autoreverses, speed, delay)
  }

  /// Reads an animation, strictly: an object, or the name of a spring or of a curve, or an easing function of CSS.
  package init(from decoder: any Decoder) throws(DescriptionError) {
    try self.init(from: decoder) { fields, key, rule, fallback throws(DescriptionError) in
      try fields.number(key, rule, default: fallback)
    }
  }

  /// Reads an animation, strictly. `number` reads the number of a key, and may accept other values for it.
  init(
    from decoder: any Decoder,
    number: (StrictFields<Key>, Key, NumberRule, _ fallback: Double) throws(DescriptionError) -> Double
  ) throws(DescriptionError) {
    if let name = try? decoder.singleValueContainer().decode(String.self) {
      if let spring = SpringDescription(named: name) {
        base = .spring(spring)
      } else {
        do {
          base = .curve(try CurveDescription(name), duration: Self.duration)
        } catch {
          let known = SpringDescription.names + CurveDescription.names
          throw DescriptionError(
            at: decoder.codingPath,
            reason: name.contains("(") ? error.reason : DescriptionError.unknown("animation", name, known: known))
        }
      }
      (repeats, autoreverses, speed, delay) = (nil, false, 1, 0)
      return
    }
    let fields = try StrictFields<Key>(decoder, expected: "a name or an object")
    guard fields.has(.curve) != fields.has(.spring) else {
      throw fields.error("must have one of the keys curve and spring")
    }
    if fields.has(.curve) {
      base = .curve(
        try fields.value(.curve), duration: try number(fields, .duration, .keyframeDuration, Self.duration))
    } else {
      guard !fields.has(.duration) else { throw fields.error(.duration, "stands in the spring, not beside it") }
      let spring: SpringDescription = try fields.value(.spring)
      guard !spring.isJump else { throw fields.error(.spring, "needs a duration of more than 0") }
      base = .spring(spring)
    }
    repeats = try Self.repeats(fields)
    autoreverses = try fields.optional(.autoreverses) ?? false
    guard repeats != nil || !fields.has(.autoreverses) else { throw fields.error(.autoreverses, "goes with repeats") }
    speed = try number(fields, .speed, NumberRule("in (0, 1e6]") { $0 > 0 && $0 <= 1e6 }, 1)
    delay = try number(fields, .delay, NumberRule("within ±1e6") { abs($0) <= 1e6 }, 0)
  }

  private static func repeats(_ fields: StrictFields<Key>) throws(DescriptionError) -> Playback.Repetition? {
    guard fields.has(.repeats) else { return nil }
    guard let name = try? fields.value(.repeats, as: String.self) else {
      return .count(try fields.integer(.repeats, in: 1...(1 << 53)))
    }
    guard name == "forever" else {
      throw fields.error(.repeats, DescriptionError.unknown("number of repeats", name, known: ["forever"]))
    }
    return .forever
  }

  /// The animation of the model.
  package var animation: Animation {
    var animation: Animation
    switch base {
    case .curve(let curve, let duration): animation = .timingCurve(curve.curve, duration: duration)
    case .spring(let spring): animation = .spring(spring.spring)
    }
    switch repeats {
    case nil: break
    case .count(let count): animation = animation.repeatCount(count, autoreverses: autoreverses)
    case .forever: animation = animation.repeatForever(autoreverses: autoreverses)
    }
    if speed != 1 { animation = animation.speed(speed) }
    if delay != 0 { animation = animation.delay(delay) }
    return animation
  }

  /// The ends of the iterations that begin before `time`, in seconds, on the way from one value to another: at most
  /// `limit`.
  package func ends(from: Double, to target: Double, until time: Double, limit: Int) -> [Double] {
    let duration =
      switch base {
      case .curve(_, let duration): duration
      case .spring(let spring): Self.end(of: .spring(spring.spring), from: from, to: target)
      }
    let leg = duration / speed
    guard leg > 0, leg.isFinite else { return [] }
    let count =
      switch repeats {
      case nil: 1.0
      case .count(let count): Double(count)
      case .forever: Double.infinity
      }
    let first = max(1, (-delay / leg).rounded(.up))
    let last = min(count, ((time - delay) / leg).rounded(.up), first + Double(limit) - 1)
    guard first <= last else { return [] }
    return (0...Int(last - first)).map { delay + leg * (first + Double($0)) }.filter { $0 > 0 }
  }

  /// The seconds until a value has come from one value to another for good; infinite if it never does.
  package func end(from: Double, to target: Double) -> Double { Self.end(of: animation, from: from, to: target) }

  private static func end(of animation: Animation, from: Double, to target: Double) -> Double {
    var value = AnimatedValue(from)
    value.retarget(to: target, with: animation, at: 0)
    return value.endTime
  }

  /// The animation in few words, for a legend.
  package func summary(_ curveSummary: (CurveDescription) -> String) -> String {
    var words: [String] = []
    switch base {
    case .curve(let curve, let duration): words = [curveSummary(curve), "\(NumberText.short(duration)) s"]
    case .spring(let spring): words = [spring.summary]
    }
    switch repeats {
    case nil: break
    case .count(let count): words.append("\(count) times")
    case .forever: words.append("for ever")
    }
    if autoreverses { words.append("to and fro") }
    if speed != 1 { words.append("speed \(NumberText.short(speed))") }
    if delay != 0 { words.append("delay \(NumberText.short(delay)) s") }
    return words.joined(separator: ", ")
  }
}
