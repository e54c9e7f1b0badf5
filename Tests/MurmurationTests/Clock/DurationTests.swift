// SPDX-License-Identifier: MIT
import Murmuration
import Testing

/// Durations in seconds, and calls that take them.
struct DurationTests {
  @Test func wholeNanosecondsAreTheNearestDouble() {
    #expect(Duration.milliseconds(100).seconds == 0.1)
    #expect(Duration.microseconds(-300).seconds == -0.0003)
    #expect(Duration.nanoseconds(1).seconds == 1e-9)
    #expect((Duration.seconds(1234567) + .nanoseconds(891)).seconds == 1234567.000000891)
    #expect(Duration.zero.seconds == 0 && Duration.seconds(-7).seconds == -7)
    #expect(Duration.seconds(1 << 53).seconds == 0x1p53)
  }

  @Test func anyOtherIsWithinAHundredthMoreThanHalfAnUlp() throws {
    var random = SplitMix64(seed: 3)
    let unit = Int128(1_000_000_000_000_000_000)
    for _ in 0..<10_000 {
      let seconds = Int64(random.next() % 1_000_000) >> Int64(random.next() % 20)
      let attoseconds = Int64(random.next() % 990_000_000_000_000_000) + 10_000_000_000_000_000
      let exact = Duration(secondsComponent: seconds, attosecondsComponent: attoseconds)
      let result = exact.seconds
      #expect((Duration.zero - exact).seconds == -result)
      // From 0.01 to 10⁶ s, a Double is a whole multiple of 2⁻⁶⁰, and so is the error in units of 2⁻⁶⁰ attoseconds.
      let whole = result.rounded(.down)
      let fraction = Int128((result - whole) * 0x1p60)
      let error = (Int128(whole) * unit - Int128(seconds) * unit - Int128(attoseconds)) << 60 + fraction * unit
      #expect(error.magnitude <= (Int128(result.ulp * 0x1p60) * unit).magnitude / 100 * 51, "\(exact)")
    }
    for seconds in [0.1, 0.3, 1.0 / 3, 2.5e-7] { #expect(Duration.seconds(seconds).seconds == seconds) }
  }

  @Test func batchesAdvanceByDurations() throws {
    var durations = try AnimationBatch<Float>()
    var seconds = try AnimationBatch<Float>()
    for sign in [1, -1] as [Float] {
      try durations.add([0, sign], to: [sign, 5], .bouncy)
      try seconds.add([0, sign], to: [sign, 5], .bouncy)
    }
    try durations.advance(to: .milliseconds(100))
    try seconds.advance(to: 0.1)
    #expect(durations.time == 0.1)
    try durations.advance(by: .milliseconds(50))
    try seconds.advance(by: 0.05)
    #expect(durations.time == seconds.time)
    var (left, right) = ([Float](repeating: 0, count: 4), [Float](repeating: 1, count: 4))
    try durations.copyValues(into: &left)
    try seconds.copyValues(into: &right)
    #expect(left == right)
    #expect(throws: BatchError.invalidTime(2e10)) { try durations.advance(to: .seconds(20_000_000_000)) }
  }

  @Test func particlesAdvanceByDurations() throws {
    var particles = Particles()
    try particles.advance(to: .milliseconds(300))
    try particles.advance(by: .milliseconds(-100))
    #expect(abs(particles.time - 0.2) < 1e-15)
    #expect(throws: BatchError.invalidTime(2e10)) { try particles.advance(to: .seconds(20_000_000_000)) }
  }
}
