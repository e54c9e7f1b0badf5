// SPDX-License-Identifier: MIT
import Formats
import Murmuration
import Scenes
import Text

extension SampleRequest {
  /// The motion as a rule of CSS with a class called `name`: a transition along `linear()` for a spring, its easing function
  /// for a curve, and keyframes of the property `--value` for a timeline.
  ///
  /// - Parameters:
  ///   - name: The class.
  ///   - tolerance: The largest error of a spring, as a share of its way. Other motions are the same cubics, or within 0.001
  ///     where CSS has no form for a curve.
  /// - Throws: `FileError` for a motion that CSS cannot show.
  func css(name: String, tolerance: Double) throws(FileError) -> String {
    switch self {
    case .spring(let sample):
      guard sample.velocity == 0, !sample.spring.isJump else {
        throw FileError("a spring is written as CSS if it starts from rest and has a duration")
      }
      let easing = try CSSLinear(sample.spring.spring, tolerance: tolerance)
      let duration = NumberText.short(easing.duration)
      return """
        /* A spring, within \(NumberText.short(tolerance)) of its way. */
        .\(name) { transition-duration: \(duration)s; transition-timing-function: \(easing.css); }

        """
    case .curve(let description, _):
      return ".\(name) { transition-timing-function: \(description.curve.css); }\n"
    case .timeline(let track, let initialValue, _):
      let clip: Clip
      do { clip = try BatchEngine.clip(of: track.timeline(initialValue: initialValue)) } catch {
        throw FileError("\(error)")
      }
      return try CSSKeyframes(clip, name: name, properties: [.init("--value", dimension: 0)]).css
    case .settling: throw FileError("the time to settle is no motion")
    }
  }
}
