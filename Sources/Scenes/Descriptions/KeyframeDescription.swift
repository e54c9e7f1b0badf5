// SPDX-License-Identifier: MIT
package import Formats
import Murmuration

/// One keyframe of a track as JSON describes it; its type decides which keys it may have.
///
/// ```json
/// {"type": "linear", "to": 10, "duration": 0.2, "timingCurve": "easeInOut"}
/// {"type": "cubic", "to": 0, "duration": 0.2, "startVelocity": 5, "endVelocity": 0}
/// {"type": "spring", "to": 4, "duration": 0.3, "spring": {"duration": 0.4, "bounce": 0.3}, "startVelocity": 0}
/// {"type": "move", "to": 1}
/// ```
/// A spring without a duration, or with null for it, runs until it has settled. A velocity that is missing or null
/// follows from the neighbours. Durations are in seconds, in [0, 10⁶]; velocities per second.
package enum KeyframeDescription: Decodable, Equatable, Sendable {
  /// A straight way to a value, along a timing curve.
  case linear(to: Double, duration: Double, timingCurve: CurveDescription)
  /// A smooth way to a value; a velocity that is nil follows from the neighbours.
  case cubic(to: Double, duration: Double, startVelocity: Double?, endVelocity: Double?)
  /// A spring towards a value.
  case spring(to: Double, duration: Double?, spring: SpringDescription, startVelocity: Double?)
  /// A jump to a value, which takes no time.
  case move(to: Double)

  private enum Kind: String, CaseIterable { case linear, cubic, spring, move }
  private enum AnyKind: String, CodingKey, CaseIterable { case type }
  private enum Linear: String, CodingKey, CaseIterable { case type, to, duration, timingCurve }
  private enum Cubic: String, CodingKey, CaseIterable { case type, to, duration, startVelocity, endVelocity }
  private enum Springy: String, CodingKey, CaseIterable { case type, to, duration, spring, startVelocity }
  private enum Move: String, CodingKey, CaseIterable { case type, to }

  /// Reads one keyframe.
  package init(from decoder: any Decoder) throws(DescriptionError) {
    let common = try StrictFields<AnyKind>(peekingAt: decoder)
    let name: String = try common.value(.type)
    switch Kind(rawValue: name) {
    case .linear:
      let fields = try StrictFields<Linear>(decoder)
      self = .linear(
        to: try fields.number(.to, .value), duration: try fields.number(.duration, .keyframeDuration),
        timingCurve: try fields.optional(.timingCurve, as: CurveDescription.self) ?? .named(.linear))
    case .cubic:
      let fields = try StrictFields<Cubic>(decoder)
      self = .cubic(
        to: try fields.number(.to, .value), duration: try fields.number(.duration, .keyframeDuration),
        startVelocity: try fields.optionalNumber(.startVelocity, .value),
        endVelocity: try fields.optionalNumber(.endVelocity, .value))
    case .spring:
      self = try Self.spring(StrictFields<Springy>(decoder))
    case .move:
      self = .move(to: try StrictFields<Move>(decoder).number(.to, .value))
    case nil:
      throw common.error(
        .type, DescriptionError.unknown("keyframe", name, known: Kind.allCases.map(\.rawValue)))
    }
  }

  private static func spring(_ fields: StrictFields<Springy>) throws(DescriptionError) -> KeyframeDescription {
    let target = try fields.number(.to, .value)
    let duration = try fields.optionalNumber(.duration, .keyframeDuration)
    let spring = try fields.optional(.spring, as: SpringDescription.self) ?? .standard
    if duration == nil, !spring.isJump, spring.spring.decayConstant == 0 {
      throw fields.error("needs a duration, since its spring never settles")
    }
    return .spring(
      to: target, duration: duration, spring: spring,
      startVelocity: try fields.optionalNumber(.startVelocity, .value))
  }
}
