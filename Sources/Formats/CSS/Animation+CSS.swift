// SPDX-License-Identifier: MIT
public import Murmuration
import Text

extension Animation {
  /// The animation that a transition of CSS describes: a duration, an easing function and a delay, as in
  /// `400ms cubic-bezier(0.3, 0, 0.1, 1) 100ms`.
  ///
  /// As in CSS, the order is free but for the two times, of which the first is the duration; the easing function is `ease` if
  /// none is named, and names of properties are refused. A negative delay, which begins in the middle, is refused too.
  /// - Throws: `FileError` with the byte of the text.
  public init(css text: String) throws(FileError) {
    var rest = try CSSText(text)
    var curve: UnitCurve?
    var times: [Double] = []
    while !rest.isAtEnd {
      let start = rest
      if let (value, unit) = try rest.number() {
        guard unit == "s" || unit == "ms" else { throw start.error("expected a time in s or ms") }
        guard value >= 0, times.count < 2 else { throw start.error("expected a duration and a delay from 0 on") }
        times.append(unit == "s" ? value : value / 1000)
      } else if curve == nil, let read = try UnitCurve.read(&rest) {
        curve = read
      } else {
        throw start.error("unexpected “\(start.rest)”")
      }
    }
    guard let duration = times.first else { throw rest.error("expected a duration in s or ms") }
    let ease = UnitCurve.bezier(
      startControlPoint: UnitPoint(x: 0.25, y: 0.1), endControlPoint: UnitPoint(x: 0.25, y: 1))
    let animation = Animation.timingCurve(curve ?? ease, duration: duration)
    self = times.count > 1 && times[1] > 0 ? animation.delay(times[1]) : animation
  }
}
