// SPDX-License-Identifier: MIT
import AnimationModel
import Murmuration
import TestSupport
import Testing

/// Clips of animations, and clips that start anew.
@Suite struct ClipAnimationTests {
  /// A smooth motion of a user.
  struct Wobble: CustomAnimation {
    var swings = 3.0
    func animate<V: VectorArithmetic>(value: V, time: Double, context: inout AnimationContext<V>) -> V? {
      guard time < 2 else { return nil }
      let phase = time / 2
      return value.scaled(by: phase * phase * (3 - 2 * phase) + 0.2 * wave(swings * phase))
    }
    /// A wave without the C library: up and down once in each unit.
    func wave(_ x: Double) -> Double {
      let y = 2 * (x - x.rounded(.down)) - 1
      return 3 * y * (1 - y * y) * (1 - y * y)
    }
  }

  /// A motion that depends on how often it has been asked.
  struct Counting: CustomAnimation {
    struct Calls: AnimationStateKey { static let defaultValue = 0 }
    func animate<V: VectorArithmetic>(value: V, time: Double, context: inout AnimationContext<V>) -> V? {
      context.state[Calls.self] += 1
      return time < 1 ? value.scaled(by: Double(context.state[Calls.self]) / 100) : nil
    }
  }

  /// Compares a clip with its animation at even times, and returns the highest value.
  @discardableResult
  private func compare(_ clip: Clip, _ animation: Animation, from start: Double = 0, over length: Double? = nil)
    -> Double
  {
    var highest = 0.0
    for index in 0...5000 {
      let time = start + (length ?? clip.duration) * Double(index) / 5000
      var context = AnimationContext<Double>()
      let expected = animation.animate(value: 1.0, time: time, context: &context) ?? 1
      let value = clip.value(dimension: 0, at: time)
      highest = max(highest, value)
      #expect(abs(value - expected) <= clip.report.valueErrorBound, "\(animation) at \(time) s")
    }
    return highest
  }

  @Test("Motions that are short between long pauses are not missed")
  func beats() throws {
    let beat = Animation.easeInOut(duration: 0.01).repeatCount(2, autoreverses: true).delay(30.003)
      .repeatForever(autoreverses: false)
    let beats = try Clip(beat, duration: 100)
    for start in [30.003, 60.026] { #expect(compare(beats, beat, from: start, over: 0.02) > 0.99) }
    let blip = Animation.easeInOut(duration: 0.0004).repeatCount(2, autoreverses: true).delay(0.50021)
    #expect(compare(try Clip(blip, duration: 1), blip, from: 0.50021, over: 0.0008) > 0.99)
    #expect(throws: ClipError.self) {
      try Clip(.linear(duration: 1e-5).repeatForever(autoreverses: true), duration: 1)
    }
    #expect(throws: ClipError.self) {
      try Clip(.timingCurve(UnitCurve.steps(1_000_000_000), duration: 1))
    }
  }

  @Test("Animations are met within the bound, which meets the tolerance")
  func animations() throws {
    let animations: [Animation] = [
      .easeInOut(duration: 0.7), .linear(duration: 1), .spring(duration: 0.5, bounce: 0.4),
      .easeIn(duration: 0.5).delay(0.2).speed(2), .easeInOut(duration: 0.3).repeatCount(4, autoreverses: true),
      .easeInOut(duration: 0.3).repeatCount(3, autoreverses: false), Animation(Wobble()), Animation(Wobble(swings: 90)),
    ]
    for animation in animations {
      let clip = try Clip(animation)
      #expect(clip.report.valueErrorBound <= 2 * 0x1p-16, "\(animation)")
      #expect(abs(clip.finalValues[0] - 1) < 1e-3)
      compare(clip, animation)
    }
    let endless = try Clip(.easeInOut(duration: 1).repeatForever(), duration: 4)
    #expect(endless.duration == 4)
    compare(endless, .easeInOut(duration: 1).repeatForever())
  }

  @Test func animationsThatCannotBeCompiledThrow() {
    #expect(throws: ClipError.endless(track: 0, key: 0)) { try Clip(.linear.repeatForever()) }
    do {
      _ = try Clip(custom: Counting())
      Issue.record("no error")
    } catch {
      #expect("\(error)".contains("no function of time alone at 0.0039"))
    }
    #expect(throws: ClipError.invalidDuration(-1, atLeast: 0)) { try Clip(.linear, duration: -1) }
    #expect(throws: ClipError.self) { try Clip(.linear, duration: .nan) }
  }

  @Test func restartedKeyframesTakeValueAndVelocityOver() throws {
    let clip = try Clip(initialValue: SIMD2(0.0, 0)) { start in
      CubicKeyframe(start + SIMD2(20, 10), duration: 0.4)
      SpringKeyframe(SIMD2(0, 0), duration: 0.5)
    }
    #expect(clip.isRestartable)
    let (values, velocities) = (
      (0..<2).map { clip.value(dimension: $0, at: 0.2) }, (0..<2).map { clip.velocity(dimension: $0, at: 0.2) }
    )
    let again = try clip.restarted(from: values, velocity: velocities)
    var player = KeyframePlayer(initialValue: SIMD2(0.0, 0)) { start in
      CubicKeyframe(start + SIMD2(20, 10), duration: 0.4)
      SpringKeyframe(SIMD2(0, 0), duration: 0.5)
    }
    player.trigger(at: 0)
    player.trigger(at: 0.2)
    for time in [0, 0.1, 0.3, 0.5, 0.9] {
      let expected = player.value(at: 0.2 + time)
      for index in 0..<2 { #expect(isClose(again.value(dimension: index, at: time), expected[index], absolute: 1e-3)) }
    }
    #expect(isClose(again.velocity(dimension: 0, at: 0), velocities[0], relative: 1e-12) && velocities[0] > 10)
    #expect(again.isRestartable && again.report.valueErrorBound < 1e-3)
  }

  @Test func otherClipsDoNotRestart() throws {
    #expect(throws: ClipError.notRestartable) { try Clip(curve: .easeIn).restarted(from: [0], velocity: [0]) }
    let clip = try Clip(initialValue: 1.0) { start in LinearKeyframe(start + 1, duration: 1) }
    #expect(throws: ClipError.wrongDimensions(of: "values", expected: 1, got: 2)) {
      try clip.restarted(from: [0, 1], velocity: [0])
    }
    #expect(throws: ClipError.self) { try clip.restarted(from: [.nan], velocity: [0]) }
    #expect(throws: ClipError.self) { try clip.restarted(from: [1e16], velocity: [0]) }
    #expect(try clip.restarted(from: [5], velocity: [0]).finalValues == [6])
  }
}
