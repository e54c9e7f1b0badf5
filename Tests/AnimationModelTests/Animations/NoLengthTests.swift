// SPDX-License-Identifier: MIT
import AnimationModel
import Testing

/// Animations of no length, which are over before they start, except that a delay passes first.
@Suite struct NoLengthTests {
  /// Animations that jump after one second.
  static let jumpsAfterOneSecond: [Animation] = [
    .linear(duration: 0).delay(1), .easeIn(duration: -3).delay(1),
    .interpolatingSpring(duration: 0).delay(1), .interpolatingSpring(duration: -2, bounce: 0.5).delay(1),
    .spring(duration: 0).delay(1), .bouncy(duration: -1).delay(1), .spring(response: 0).delay(1),
    .linear(duration: 0).speed(2).delay(1), .linear(duration: 0).delay(2).speed(2),
    .linear(duration: 0).speed(-3).delay(1),
    .linear(duration: 0).repeatCount(4).delay(1),
    .linear(duration: 1).delay(-2).delay(1), .linear(duration: 0).logicallyComplete(after: 5).delay(1),
  ]

  @Test(arguments: jumpsAfterOneSecond) func theStartShowsUntilTheDelayIsOver(_ animation: Animation) {
    for time in [0, 0.5, 1.0.nextDown] {
      #expect(animation.share(at: time) == 0 && animation.pace(at: time) == 0, "at \(time)")
      #expect(!animation.isLogicallyComplete(at: time), "at \(time)")
    }
    for time in [1, 1.0.nextUp, 9] { #expect(animation.share(at: time) == nil, "at \(time)") }
    #expect(animation.length == 1 && animation.logicalLength == 1)
  }

  @Test func withoutADelayItIsOverAtOnce() {
    for animation in [
      Animation.linear(duration: 0), .linear(duration: -1), .spring(duration: 0), .interpolatingSpring(duration: 0),
      .linear(duration: 0).speed(0), .spring(duration: 0).speed(-1), .interpolatingSpring(duration: 0).speed(-1),
      .linear(duration: 0).repeatCount(2), .linear(duration: 0).delay(-1),
      // The clock stands still where the delay has led, behind the end.
      .linear(duration: 1).delay(-2).speed(0), .smooth.delay(-2).delay(-2).speed(0),
    ] {
      for time in [0, 1.0] { #expect(animation.share(at: time) == nil, "\(animation)") }
      #expect(animation.length == 0 && animation.logicalLength == 0, "\(animation)")
    }
  }
}
