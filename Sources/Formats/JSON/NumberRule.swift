// SPDX-License-Identifier: MIT
import Text

/// The numbers that a field accepts, and the words for them in an error.
///
/// The ranges are the batches' ranges: a batch accepts every number that a description accepts.
package struct NumberRule: Sendable {
  /// The rule in words, after "must be": `in (−1, 1]`.
  package let words: String
  private let accepts: @Sendable (Double) -> Bool

  /// A rule in words and as a function. `accepts` is called for finite numbers only.
  package init(_ words: String, accepts: @escaping @Sendable (Double) -> Bool) {
    self.words = words
    self.accepts = accepts
  }

  /// Why `number` is refused, or nil if the rule accepts it.
  package func complaint(about number: Double) -> String? {
    number.isFinite && accepts(number) ? nil : "must be \(words), is \(NumberText.short(number))"
  }

  /// Throws the complaint about the number at `path`, if there is one.
  package func check(
    _ number: Double, at path: @autoclosure () -> [DescriptionError.Step]
  ) throws(DescriptionError) {
    if let complaint = complaint(about: number) { throw DescriptionError(path: path(), reason: complaint) }
  }
}

extension NumberRule {
  /// Values, targets and velocities: at most 10¹⁵ in size, so that squares stay finite in single precision.
  package static let value = NumberRule("within ±1e15") { abs($0) <= 1e15 }
  /// A spring's bounce: (−1, 1].
  package static let bounce = NumberRule("in (−1, 1]") { $0 > -1 && $0 <= 1 }
  /// A spring's duration or response in seconds: 10⁻⁴ to 10⁶, or 0 for a jump.
  package static let springDuration = NumberRule("0 or in [1e-4, 1e6]") { $0 == 0 || (1e-4...1e6).contains($0) }
  /// A keyframe's duration in seconds: not negative, at most 10⁶.
  package static let keyframeDuration = NumberRule("in [0, 1e6]") { (0...1e6).contains($0) }
  /// Greater than 0, at most 10¹⁵.
  package static let positive = NumberRule("in (0, 1e15]") { $0 > 0 && $0 <= 1e15 }
  /// From 0 to 10¹⁵.
  package static let notNegative = NumberRule("in [0, 1e15]") { (0...1e15).contains($0) }
  /// The settling duration in seconds that is asked for; the model clamps it to [0.01, 10] as SwiftUI does.
  package static let settlingDuration = NumberRule("in (0, 1e6]") { $0 > 0 && $0 <= 1e6 }
  /// A tolerance for a distance of 1.
  package static let epsilon = NumberRule("in (0, 1)") { $0 > 0 && $0 < 1 }
  /// Any finite number: moments in time, progress.
  package static let finite = NumberRule("a finite number") { _ in true }
  /// The horizontal coordinate of a Bézier control point.
  package static let fraction = NumberRule("in [0, 1]") { (0...1).contains($0) }
}
