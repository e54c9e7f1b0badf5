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
      var twins = try Modelled()
      try twins.send(to: 1, by: .linear(duration: duration).repeatForever(autoreverses: autoreverses))
      let first = isLate ? (1e9 / duration).rounded(.down) - 100 : 1
      for iteration in 0..<100 {
        let boundary = (first + Double(iteration)) * duration
        for time in [boundary.nextDown, boundary, boundary.nextUp] {
          try twins.advance(to: time, velocities: true)
          // The clock tells times apart that are a rounding off, at either end of an iteration.
          let (error, slip, bound) = (twins.error, twins.velocityError(), 2 * time.ulp / duration + 1e-6)
          #expect(twins.isByKernels() && error < bound && slip < bound / duration, "\(error), \(slip) at \(time)")
        }
      }
    }
  }

  /// A track that sets out late shows what the model shows at this moment or at a neighbouring one.
  @Test(
    "From starts up to 2³³ s iterations down to 1 ms show either end and nothing beyond", arguments: [0.3, 0.01, 0.001])
  func lateStarts(duration: Double) throws {
    for (power, autoreverses) in stride(from: 10, through: 33, by: 3).flatMap({ [($0, false), ($0, true)] }) {
      for round in 0..<4 {
        var twins = try Modelled()
        let start = Double(1 << power) + Double(2 * round + (autoreverses ? 1 : 0)) * 0.1
        try twins.advance(to: start)
        try twins.send(to: 1, by: .linear(duration: duration).repeatForever(autoreverses: autoreverses))
        for iteration in 1...4 {
          let boundary = start + duration * Double(iteration)
          for time in [boundary.nextDown, boundary, boundary.nextUp] where time > twins.batch.time {
            try twins.advance(to: time)
            let value = Double(twins.batch[twins.tracks[0]] ?? .nan)
            let near = [time.nextDown, time, time.nextUp].map { abs(value - twins.models[0].value(at: $0)) }
            #expect(near.min() ?? 1 < 4 * time.ulp / duration + 1e-6, "\(value) from \(start) at \(time)")
          }
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
          #expect(abs((batch[track] ?? .nan) - 1) < 0x1p-15, "\(curve), \(iteration) of \(count)")
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
      func begin(_ batch: inout AnimationBatch<Float>) throws -> [TrackHandle] {
        try batch.advance(to: start)
        let tracks = try batch.add([0.1, 0.1, 0.1, 0.1])
        try batch.animate(tracks, to: 0.7, animations: animations)
        return tracks
      }
      let (tracks, twins) = (try begin(&often), try begin(&seldom))
      for iteration in 1...40 {
        let boundary = start + 0.1 * Double(iteration)
        for time in [boundary - 0.02, boundary.nextDown, boundary, boundary.nextUp] {
          try often.advance(to: time)
          // Here and there, to come to the boundary from afar or from the other side.
          try seldom.advance(to: iteration % 3 == 0 ? time + 5 : start)
          try seldom.advance(to: time)
          #expect(often.bits(of: tracks) == seldom.bits(of: twins), "from \(start) at \(time)")
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
      var twins = try Modelled()
      try twins.send(to: 1, by: animation)
      let leg = animation == animations[2] ? twins.models[0].endTime / Double(counts.inner * counts.outer) : 0.25
      for boundary in (1...20).map({ Double($0) * leg }) {
        for time in [boundary.nextDown, boundary, boundary.nextUp] {
          try twins.advance(to: time)
          #expect(twins.error < 1e-4, "\(animation) at \(time)")
        }
      }
    }
  }
}
