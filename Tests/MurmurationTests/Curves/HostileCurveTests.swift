// SPDX-License-Identifier: MIT
import AnimationModel
import Testing

@testable import Murmuration

/// Animations and times that make no sense.
struct HostileCurveTests {
  /// A table of some thousand pieces for each of 4 096 components would take gigabytes.
  @Test func aLongWayOfManyComponentsNeedsNoTable() throws {
    let ringing = Animation.interpolatingSpring(stiffness: 10_000, damping: 0.5)
    for dimensions in [2, 4_096] {
      var batch = try AnimationBatch<Components>(dimensions: dimensions)
      let track = try batch.add(Components(Array(repeating: 0, count: dimensions)))
      try batch.animate(track, to: Components(Array(repeating: 1, count: dimensions)), ringing)
      #expect(batch.calledCount == 0)
      try batch.advance(to: 0.3)
      var model = AnimatedValue(0.0)
      model.retarget(to: 1, with: ringing, at: 0)
      let (value, exact) = (batch[track]?[dimensions - 1] ?? .nan, model.value(at: 0.3))
      #expect(abs(value - exact) < 1e-4, "\(dimensions)")
    }
  }

  @Test("Any number of effects add up, as in the model, and a spring takes over from them")
  func effectsWithoutLimit() throws {
    var twins = try Modelled()
    for change in 1...1_100 {
      try twins.send(to: change % 2 == 0 ? 1 : -1, by: .linear.repeatForever())
      if change % 10 == 0 { try twins.advance(by: 0.01) }
    }
    #expect(twins.error < 1e-3 && twins.batch.calledCount == 0)
    try twins.send(to: 5, by: .bouncy)
    try twins.advance(by: 0.1)
    #expect(twins.error < 1e-2)
  }

  @Test("Curves are as near as asked for, within the range of tolerances")
  func curveTolerances() throws {
    for tolerance in [0x1p-41, 0x1p-1, .nan] {
      #expect(throws: BatchError.self) { _ = try AnimationBatch<Float>(curveTolerance: tolerance) }
      #expect(throws: BatchError.self) { _ = try AnimationBatch<Components>(dimensions: 2, curveTolerance: tolerance) }
    }
    let curve = UnitCurve.circularEaseInOut
    var errors: [Double] = []
    for tolerance in [0x1p-6, 0x1p-16, 0x1p-22] {
      var batch = try AnimationBatch<Float>(curveTolerance: tolerance)
      #expect(batch.curveTolerance == tolerance)
      let track = try batch.add(0)
      try batch.animate(track, to: 1, .timingCurve(curve, duration: 1))
      var error = 0.0
      for frame in 1..<200 {
        try batch.advance(to: Double(frame) / 200)
        let value = try #require(batch[track])
        error = max(error, abs(Double(value) - curve.value(at: Double(frame) / 200)))
      }
      #expect(error <= tolerance + 0x1p-23)
      errors.append(error)
    }
    #expect(errors[0] > errors[1] && errors[1] > errors[2])
  }

  @Test("Curves with an impossible point, or one out of all proportion, are refused, by phases too")
  func badCurvesAreRefused() throws {
    let bad = [
      Self.polyline((0.8, .nan)), Self.polyline((0.8, 1e300)), Self.polyline((0.8, -.infinity)),
      Self.polyline((.nan, 0.5)), Self.polyline((0.8, 2e10)),
      // The line is at 1e10 at its last point, and far beyond that after it.
      .linear(points: [.init(input: 0.5, output: 0), .init(input: 0.5.nextUp, output: 1e10)]),
      .bezier(startControlPoint: UnitPoint(x: 0.5, y: 1e300), endControlPoint: UnitPoint(x: 0.5, y: 1)),
    ]
    var batch = try AnimationBatch<Float>()
    let track = try batch.add(1)
    for curve in bad {
      for animation in [Animation.timingCurve(curve, duration: 1), .timingCurve(curve, duration: 1).delay(1)] {
        #expect(throws: BatchError.self, "\(curve)") { try batch.animate(track, to: 2, animation) }
        #expect(batch.target(of: track) == 1)
        #expect(throws: PhaseError.self, "\(curve)") {
          _ = try PhaseSequence([0, 1], target: { Float($0) }, animation: { _ in animation })
        }
      }
    }
    // The farthest points that are accepted, over the longest way.
    try batch.set([track], [-BatchLimits.maximumMagnitude], velocities: [0])
    let curve = Self.polyline((0.8, 1e10))
    try batch.animate(track, to: BatchLimits.maximumMagnitude, .timingCurve(curve, duration: 1))
    for time in [0.1, 0.7, 0.8, 0.9] {
      try batch.advance(to: time)
      #expect((batch[track] ?? .nan).isFinite && (batch.velocity(of: track) ?? .nan).isFinite)
    }
  }

  private static func polyline(_ point: (input: Double, output: Double)) -> UnitCurve {
    .linear(points: [
      .init(input: 0, output: 0), .init(input: 0.6, output: 1), .init(input: point.input, output: point.output),
      .init(input: 1, output: 1),
    ])
  }

  @Test("Curves without duration, vertical curves, and repeats of nothing or without end show finite numbers")
  func oddAnimationsEnd() throws {
    let odd: [Animation] = [
      .linear(duration: 0), .linear(duration: -1), .linear(duration: 1e-300), .linear(duration: .leastNonzeroMagnitude),
      .linear(duration: 0).repeatForever(), .linear(duration: 0).repeatCount(.max), .easeIn.repeatCount(.max),
      .easeIn.repeatCount(.min), .easeIn(duration: 0).delay(1), .easeIn.speed(0), .easeIn.speed(-2),
      .easeIn.speed(.leastNonzeroMagnitude), .easeIn.speed(1e10), .easeIn.delay(-1e10), .easeIn.delay(1e10),
      .timingCurve(1, 0, 0, 1), .timingCurve(0, 1, 0, 1), .timingCurve(1, 1, 1, 0), .timingCurve(0, 0, 0, 0),
      .timingCurve(0.5, 1e9, 0.5, -1e9), .timingCurve(.circularEaseInOut, duration: 1),
      .timingCurve(.linear(points: []), duration: 1), .timingCurve(.steps(0), duration: 1),
      .linear(duration: 1e-9).repeatForever(), .spring(duration: 1), .spring(duration: 0.5, bounce: 1),
      .smooth.repeatForever(), .interpolatingSpring(duration: 1, bounce: 1),
    ]
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([Float](repeating: 1, count: odd.count))
    try batch.animate(tracks, to: [Float](repeating: 3, count: odd.count), animations: odd)
    for time in [0, 1e-300, 1e-9, 0.1, 0.35, 1, 1.5, 1e3, 1e9, 1e10] {
      try batch.advance(to: time)
      for index in odd.indices {
        let (value, velocity) = (batch[tracks[index]] ?? .nan, batch.velocity(of: tracks[index]) ?? .nan)
        #expect(value.isFinite && velocity.isFinite, "\(odd[index]) at \(time)")
      }
    }
    // Curves with an end have ended.
    for index in [0, 1, 2, 3, 8, 12, 13, 15, 16, 17, 18, 20, 24] {
      #expect(batch[tracks[index]] == 3, "\(odd[index])")
    }
  }

  @Test("Before its delay a curve holds, after its end it is exactly its target")
  func curvesHold() throws {
    for curve in [UnitCurve.linear, .easeIn, .circularEaseInOut, .steps(3), .linear(points: [.init(output: 1 / 3)])] {
      for duration in [1e-6, 1, 1e6] {
        var batch = try AnimationBatch<Float>()
        let track = try batch.add(0.1)
        try batch.animate(track, to: 0.7, .timingCurve(curve, duration: duration).delay(2))
        for time in [0, 1, 2.0.nextDown, 2 + duration + 1e-6, 1e7, 1e10] {
          try batch.advance(to: time)
          #expect(batch[track] == (time < 2 ? 0.1 : 0.7), "\(curve), \(duration) s, at \(time)")
          #expect(batch.velocity(of: track) == 0, "\(curve), \(duration) s, at \(time)")
        }
      }
    }
  }
}
