// SPDX-License-Identifier: MIT
import AnimationModel
import Testing

@testable import Murmuration

/// The moments between the iterations of repeated curves, however late on the clock.
struct CurveLegTests {
  /// A track that sets out when the clock starts shows at each boundary what the model does, and next to it as well.
  @Test(
    "At boundaries near the start and about 10⁹ s kernels show the end that the model shows, and its velocity",
    arguments: [0.3, 0.1, 0.7, 0.01], [false, true])
  func boundaries(duration: Double, isLate: Bool) throws {
    for autoreverses in [false, true] {
      var batch = try AnimationBatch<Float>()
      let track = try batch.add(0)
      let animation = Animation.linear(duration: duration).repeatForever(autoreverses: autoreverses)
      try batch.animate(track, to: 1, animation)
      var model = AnimatedValue(0.0)
      model.retarget(to: 1, with: animation, at: 0)
      let first = isLate ? (1e9 / duration).rounded(.down) - 100 : 1
      for iteration in 0..<100 {
        let boundary = (first + Double(iteration)) * duration
        for time in [boundary.nextDown, boundary, boundary.nextUp] {
          try batch.advance(to: time, velocities: true)
          let (value, isByKernels) = (Double(batch[track] ?? .nan), batch.followsCurve(track))
          // The clock tells times apart that are a rounding off, at either end of an iteration.
          let expected = model.value(at: time)
          let bound = 2 * time.ulp / duration + 1e-6
          #expect(isByKernels && abs(value - expected) < bound, "\(value), not \(expected), at \(time)")
          let (velocity, slope) = (Double(batch.velocity(of: track) ?? .nan), model.velocity(at: time))
          #expect(abs(velocity - slope) < bound / duration, "\(velocity), not \(slope), at \(time)")
        }
      }
    }
  }

  /// A track that sets out late shows what the model shows at this moment or at a neighbouring one.
  @Test(
    "From starts up to 2³³ s iterations down to 1 ms show either end and nothing beyond", arguments: [0.3, 0.01, 0.001])
  func lateStarts(duration: Double) throws {
    for power in stride(from: 10, through: 33, by: 3) {
      for (number, autoreverses) in [false, true].enumerated() {
        var batch = try AnimationBatch<Float>()
        let animation = Animation.linear(duration: duration).repeatForever(autoreverses: autoreverses)
        for round in 0..<4 {
          try batch.advance(to: max(Double(1 << power) + Double(2 * round + number) * 0.1, batch.time))
          let track = try batch.add(0)
          try batch.animate(track, to: 1, animation)
          let start = batch.time
          var model = AnimatedValue(0.0)
          model.retarget(to: 1, with: animation, at: start)
          for iteration in 1...4 {
            let boundary = start + duration * Double(iteration)
            for time in [boundary.nextDown, boundary, boundary.nextUp] where time > batch.time {
              try batch.advance(to: time)
              let value = Double(batch[track] ?? .nan)
              let nearest = [time.nextDown, time, time.nextUp].map { abs(value - model.value(at: $0)) }.min() ?? 1
              #expect(nearest < 4 * time.ulp / duration + 1e-6, "\(value) from \(start) at \(time)")
            }
          }
          try batch.remove(track)
        }
      }
    }
  }

  /// The last piece of a curve with an upright end is a few ticks long. It used to be continued behind that end, which
  /// showed six hundredths of the way too much.
  @Test("A curve with an upright end shows its end at the end of an iteration", arguments: [0, 89_638.125])
  func uprightEnds(start: Double) throws {
    let bezier = UnitCurve.bezier(startControlPoint: UnitPoint(x: 0.5, y: 0), endControlPoint: UnitPoint(x: 1, y: 0.5))
    for curve in [.circularEaseIn, bezier] {
      for count in 1...3 {
        var batch = try AnimationBatch<Float>()
        try batch.advance(to: start)
        let track = try batch.add(0)
        try batch.animate(track, to: 1, .timingCurve(curve, duration: 0.25).repeatCount(count, autoreverses: false))
        // A layer before the last still shows its end at the moment of its end.
        if count == 1 { try batch.animate([track], to: [2], .linear(duration: 1).delay(9), delays: [0.125]) }
        for iteration in 1...count {
          try batch.advance(to: start + 0.25 * Double(iteration))
          let (value, isByKernels) = (batch[track] ?? .nan, batch.followsCurve(track))
          #expect(abs(value - 1) < 0x1p-15 && isByKernels, "\(curve), \(iteration) of \(count): \(value)")
        }
      }
    }
  }

  /// At the boundaries too the bits follow from the time alone, and not from the frames before.
  @Test func framesBeforeABoundaryChangeNothing() throws {
    let animations: [Animation] = [
      .linear(duration: 0.3).repeatForever(autoreverses: false), .easeIn(duration: 0.1).delay(0.2).repeatCount(900),
      .linear(duration: 0.1).speed(3).repeatForever(),
      .linear(duration: 0.1).repeatCount(2).delay(0.05).repeatForever(autoreverses: false).speed(0.7),
    ]
    for start in [0, 0.1, 1e7 + 0.3] {
      var often = try AnimationBatch<Float>()
      var seldom = try AnimationBatch<Float>()
      try often.advance(to: start)
      try seldom.advance(to: start)
      let (tracks, twins) = (try often.add([0.1, 0.1, 0.1, 0.1]), try seldom.add([0.1, 0.1, 0.1, 0.1]))
      let goals: [Float] = [0.7, 0.7, 0.7, 0.7]
      try often.animate(tracks, to: goals, animations: animations)
      try seldom.animate(twins, to: goals, animations: animations)
      for iteration in 1...40 {
        let boundary = start + 0.1 * Double(iteration)
        for time in [boundary - 0.02, boundary.nextDown, boundary, boundary.nextUp] {
          try often.advance(to: time)
          // Here and there, to come to the boundary from afar or from the other side.
          try seldom.advance(to: iteration % 3 == 0 ? time + 5 : start)
          try seldom.advance(to: time)
          for (track, twin) in zip(tracks, twins) {
            let (one, other) = (often[track], seldom[twin])
            let (velocity, otherVelocity) = (often.velocity(of: track), seldom.velocity(of: twin))
            #expect(one == other && velocity == otherVelocity, "\(track.index) from \(start) at \(time)")
          }
        }
      }
    }
  }

  /// A repeat that goes there and back is at its start when a leg around it ends, and shows no target for a moment.
  @Test(
    "Repeats within repeats show at each boundary what the model does",
    arguments: [(2, 2), (2, 3), (3, 2), (4, 3)], [false, true])
  func repeatsInRepeats(counts: (inner: Int, outer: Int), autoreverses: Bool) throws {
    let ease = Animation.easeInOut(duration: 0.25)
    let animations = [
      ease.repeatCount(counts.inner).repeatCount(counts.outer, autoreverses: autoreverses),
      ease.repeatCount(counts.inner).delay(0.25).repeatCount(counts.outer, autoreverses: autoreverses).speed(0.5),
      Animation.interpolatingSpring(duration: 0.25).repeatCount(counts.inner)
        .repeatCount(counts.outer, autoreverses: autoreverses),
    ]
    for animation in animations {
      var batch = try AnimationBatch<Float>()
      let track = try batch.add(0)
      try batch.animate(track, to: 1, animation)
      var model = AnimatedValue(0.0)
      model.retarget(to: 1, with: animation, at: 0)
      let leg = animation == animations[2] ? model.endTime / Double(counts.inner * counts.outer) : 0.25
      for boundary in 1...20 {
        let boundary = Double(boundary) * leg
        for time in [boundary.nextDown, boundary, boundary.nextUp] {
          try batch.advance(to: time)
          let (value, expected) = (Double(batch[track] ?? .nan), model.value(at: time))
          #expect(abs(value - expected) < 1e-4, "\(animation) at \(time): \(value), not \(expected)")
        }
      }
    }
  }
}
