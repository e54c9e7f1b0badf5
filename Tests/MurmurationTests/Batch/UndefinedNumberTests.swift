// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

/// Batches, clips and phases refuse animations with NaN or infinities, whichever factory made them. The factories never
/// throw.
struct UndefinedNumberTests {
  static let numbers: [Double] = [.nan, .infinity, -.infinity]

  /// One animation from each factory and argument, with `x` for that argument.
  static func animations(_ x: Double) -> [(name: String, animation: Animation)] {
    var all: [(String, Animation)] = [
      ("linear", .linear(duration: x)), ("easeIn", .easeIn(duration: x)), ("easeOut", .easeOut(duration: x)),
      ("easeInOut", .easeInOut(duration: x)), ("timingCurve", .timingCurve(.circularEaseIn, duration: x)),
      ("timingCurve p1x", .timingCurve(x, 0, 1, 1)), ("timingCurve p1y", .timingCurve(0, x, 1, 1)),
      ("timingCurve p2x", .timingCurve(0, 0, x, 1)), ("timingCurve p2y", .timingCurve(0, 0, 1, x)),
      ("timingCurve duration", .timingCurve(0, 0, 1, 1, duration: x)),
      (
        "linear points input",
        .timingCurve(.linear(points: [.init(input: x, output: 0), .init(output: 1)]), duration: 1)
      ),
      ("linear points output", .timingCurve(.linear(points: [.init(output: 0), .init(output: x)]), duration: 1)),
      (
        "inverse",
        .timingCurve(
          UnitCurve.bezier(
            startControlPoint: UnitPoint(x: 0, y: x), endControlPoint: UnitPoint(x: 1, y: 1)
          ).inverse, duration: 1)
      ),
      ("spring duration", .spring(duration: x)), ("spring blend", .spring(duration: 1, blendDuration: x)),
      ("spring response", .spring(response: x, dampingFraction: 1)),
      ("spring damping", .spring(response: 1, dampingFraction: x)), ("smooth", .smooth(duration: x)),
      ("snappy", .snappy(duration: x)), ("bouncy", .bouncy(duration: x)),
      ("interactive response", .interactiveSpring(response: x)),
      ("interactive damping", .interactiveSpring(response: 1, dampingFraction: x)),
      ("interactive duration", .interactiveSpring(duration: x, extraBounce: 0)),
      ("interactive blend", .interactiveSpring(blendDuration: x)),
      ("mass", .interpolatingSpring(mass: x, stiffness: 1, damping: 1)),
      ("stiffness", .interpolatingSpring(mass: 1, stiffness: x, damping: 1)),
      ("damping", .interpolatingSpring(mass: 1, stiffness: 1, damping: x)),
      ("velocity", .interpolatingSpring(stiffness: 1, damping: 1, initialVelocity: x)),
      ("interpolating duration", .interpolatingSpring(duration: x)),
      ("interpolating velocity", .interpolatingSpring(duration: 1, initialVelocity: x)),
      ("Spring duration", .spring(Spring(duration: x))),
      ("Spring response", .spring(Spring(response: x, dampingRatio: 1))),
      ("Spring damping ratio", .spring(Spring(response: 1, dampingRatio: x))),
      ("Spring mass", .spring(Spring(mass: x, stiffness: 1, damping: 1))),
      ("Spring stiffness", .spring(Spring(mass: 1, stiffness: x, damping: 1))),
      ("Spring damping", .spring(Spring(mass: 1, stiffness: 1, damping: x))),
      ("interpolating Spring", .interpolatingSpring(Spring(duration: x))),
    ]
    all += [
      ("bounce", .spring(duration: 1, bounce: x)), ("smooth bounce", .smooth(extraBounce: x)),
      ("snappy bounce", .snappy(extraBounce: x)), ("bouncy bounce", .bouncy(extraBounce: x)),
      ("interactive bounce", .interactiveSpring(duration: 1, extraBounce: x)),
      ("interpolating bounce", .interpolatingSpring(duration: 1, bounce: x)),
    ]
    // The settling duration of a spring is clamped, as SwiftUI's is.
    if x.isNaN {
      all += [
        ("settling duration", .spring(Spring(settlingDuration: x, dampingRatio: 0.5))),
        ("settling ratio", .spring(Spring(settlingDuration: 1, dampingRatio: x))),
        ("logicallyComplete", .linear.logicallyComplete(after: x)),
      ]
    }
    let modified: [(String, Animation)] = [("delay", .linear.delay(x)), ("speed", .linear.speed(x))]
    let nested = all.map {
      ("\($0.0) within modifiers", $0.1.repeatCount(2).speed(2).logicallyComplete(after: 1).delay(1))
    }
    return all + modified + nested
  }

  @Test(arguments: numbers) func everyBatchClipAndSequenceRefusesThem(_ x: Double) throws {
    for (name, animation) in Self.animations(x) {
      var batch = try AnimationBatch<Float>()
      let tracks = try batch.add([0, 0])
      var sparks = Particles()
      let scale = try sparks.addProperty(Float.self)
      let burst = try sparks.add(scale.start(at: [0]))
      let name = "\(name) of \(x)"
      func isRefused(_ reason: String, _ body: () throws -> Void) {
        do {
          try body()
          Issue.record("\(name): accepted by \(reason)")
        } catch BatchError.invalidAnimation(_, _), PhaseError.invalidAnimation(_, _), ClipError.invalidAnimation(_) {
        } catch {
          Issue.record("\(name): \(reason) throws \(error)")
        }
      }
      isRefused("a call") { try batch.animate(tracks[0], to: 1, animation) }
      isRefused("a bulk call") { try batch.animate(tracks, to: [1, 1], animation) }
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
    let values = tracks.map { batch[$0] }
    #expect(values == [Float](repeating: 4, count: jumps.count))
  }
}
