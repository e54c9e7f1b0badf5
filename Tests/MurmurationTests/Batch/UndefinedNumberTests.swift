// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

/// Batches, clips and phases refuse animations with NaN or infinities, whichever factory made them. The factories never
/// throw.
struct UndefinedNumberTests {
  static let numbers: [Double] = [.nan, .infinity, -.infinity]

  /// One animation from each factory and argument, with `x` for that argument.
  static func animations(_ x: Double) -> [Animation] {
    let bezier = UnitCurve.bezier(startControlPoint: UnitPoint(x: 0, y: x), endControlPoint: UnitPoint(x: 1, y: 1))
    var all: [Animation] = [
      .linear(duration: x), .easeIn(duration: x), .easeOut(duration: x), .easeInOut(duration: x),
      .timingCurve(.circularEaseIn, duration: x), .timingCurve(x, 0, 1, 1), .timingCurve(0, x, 1, 1),
      .timingCurve(0, 0, x, 1), .timingCurve(0, 0, 1, x), .timingCurve(0, 0, 1, 1, duration: x),
      .timingCurve(.linear(points: [.init(input: x, output: 0), .init(output: 1)]), duration: 1),
      .timingCurve(.linear(points: [.init(output: 0), .init(output: x)]), duration: 1),
      .timingCurve(bezier.inverse, duration: 1),
      .spring(duration: x), .spring(duration: 1, blendDuration: x), .spring(response: x, dampingFraction: 1),
      .spring(response: 1, dampingFraction: x), .smooth(duration: x), .snappy(duration: x), .bouncy(duration: x),
      .interactiveSpring(response: x), .interactiveSpring(response: 1, dampingFraction: x),
      .interactiveSpring(duration: x, extraBounce: 0), .interactiveSpring(blendDuration: x),
      .interpolatingSpring(mass: x, stiffness: 1, damping: 1), .interpolatingSpring(mass: 1, stiffness: x, damping: 1),
      .interpolatingSpring(mass: 1, stiffness: 1, damping: x),
      .interpolatingSpring(stiffness: 1, damping: 1, initialVelocity: x), .interpolatingSpring(duration: x),
      .interpolatingSpring(duration: 1, initialVelocity: x), .interpolatingSpring(Spring(duration: x)),
      .spring(Spring(duration: x)), .spring(Spring(response: x, dampingRatio: 1)),
      .spring(Spring(response: 1, dampingRatio: x)), .spring(Spring(mass: x, stiffness: 1, damping: 1)),
      .spring(Spring(mass: 1, stiffness: x, damping: 1)), .spring(Spring(mass: 1, stiffness: 1, damping: x)),
    ]
    all += [
      .spring(duration: 1, bounce: x), .smooth(extraBounce: x), .snappy(extraBounce: x), .bouncy(extraBounce: x),
      .interactiveSpring(duration: 1, extraBounce: x), .interpolatingSpring(duration: 1, bounce: x),
    ]
    // The settling duration of a spring is clamped, as SwiftUI's is.
    if x.isNaN {
      all += [
        .spring(Spring(settlingDuration: x, dampingRatio: 0.5)), .spring(Spring(settlingDuration: 1, dampingRatio: x)),
        .linear.logicallyComplete(after: x),
      ]
    }
    let nested = all.map { $0.repeatCount(2).speed(2).logicallyComplete(after: 1).delay(1) }
    return all + [.linear.delay(x), .linear.speed(x)] + nested
  }

  @Test(arguments: numbers) func everyBatchClipAndSequenceRefusesThem(_ x: Double) throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([0, 0])
    var sparks = Particles()
    let scale = try sparks.addProperty(Float.self)
    let burst = try sparks.add(scale.start(at: [0]))
    for (number, animation) in Self.animations(x).enumerated() {
      func isRefused(_ reason: String, _ body: () throws -> Void) {
        do {
          try body()
          Issue.record("\(reason) accepts animation \(number), \(animation)")
        } catch BatchError.invalidAnimation(_, _), PhaseError.invalidAnimation(_, _), ClipError.invalidAnimation(_) {
        } catch {
          Issue.record("\(reason) throws \(error) for animation \(number), \(animation)")
        }
      }
      isRefused("a call about one track") { try batch.animate(tracks[0], to: 1, animation) }
      isRefused("a call about some") { try batch.animate(tracks, to: [1, 1], animation) }
      isRefused("a call with one each") { try batch.animate(tracks, to: [1, 1], animations: [nil, animation]) }
      isRefused("a call with delays") { try batch.animate(tracks, to: [1, 1], animation, delays: [1, 1]) }
      isRefused("a call about all") { try batch.animate(.all, to: [1, 1], animation) }
      isRefused("a property of particles") { try sparks[scale].animate(burst, to: 1, animation) }
      isRefused("phases") {
        _ = try PhaseSequence([0, 1] as [Float], target: { $0 }, animation: { _ in animation })
      }
      isRefused("a clip") { _ = try Clip(animation, duration: 1) }
    }
  }

  @Test(arguments: numbers) func clipsRefuseKeyframesOfThem(_ x: Double) {
    func refuses(
      _ name: String, @KeyframeTrackContentBuilder<Double> _ content: () -> some KeyframeTrackContent<Double>
    ) {
      let sequence = KeyframeSequence(content: content)
      let timeline = KeyframeTimeline(initialValue: 0.0) {
        KeyframeTrack {
          sequence
          LinearKeyframe(2, duration: 1)
        }
      }
      #expect(throws: ClipError.self, "\(name) of \(x)") { try Clip(timeline) }
    }
    let spring = Spring(duration: x)
    refuses("linear duration") { LinearKeyframe(1, duration: x) }
    refuses("linear value") { LinearKeyframe(x, duration: 1) }
    refuses("linear curve") {
      LinearKeyframe(
        1, duration: 1,
        timingCurve: .bezier(startControlPoint: UnitPoint(x: x, y: 0), endControlPoint: UnitPoint(x: 1, y: 1)))
    }
    refuses("cubic duration") { CubicKeyframe(1, duration: x) }
    refuses("cubic value") { CubicKeyframe(x, duration: 1) }
    refuses("cubic start velocity") { CubicKeyframe(1, duration: 1, startVelocity: x) }
    refuses("cubic end velocity") { CubicKeyframe(1, duration: 1, endVelocity: x) }
    refuses("spring duration") { SpringKeyframe(1, duration: x) }
    refuses("spring value") { SpringKeyframe(x, duration: 1) }
    refuses("spring velocity") { SpringKeyframe(1, duration: 1, startVelocity: x) }
    refuses("move") { MoveKeyframe(x) }
    if x.isNaN {
      refuses("spring") { SpringKeyframe(1, spring: spring) }
      refuses("spring with a duration") { SpringKeyframe(1, duration: 1, spring: spring) }
    }
    #expect(throws: ClipError.self) { try Clip(curve: .easeIn, duration: x) }
    #expect(throws: ClipError.self) { try Clip(curve: .linear(points: [.init(output: 0), .init(output: x)])) }
  }

  /// A factory's own limits stay: a spring takes a negative duration for zero.
  @Test func negativeDurationsJump() throws {
    var batch = try AnimationBatch<Float>()
    let jumps: [Animation] = [
      .spring(duration: -1), .bouncy(duration: -1e300), .interpolatingSpring(duration: -2), .linear(duration: -3),
      .spring(response: -1, dampingFraction: 0.5),
    ]
    let tracks = try batch.add([Float](repeating: 0, count: jumps.count))
    try batch.animate(tracks, to: [Float](repeating: 4, count: jumps.count), animations: jumps)
    try batch.advance(to: 1e-9)
    #expect(tracks.map { batch[$0] } == [Float](repeating: 4, count: jumps.count))
  }
}
