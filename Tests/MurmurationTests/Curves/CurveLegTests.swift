// SPDX-License-Identifier: MIT
import AnimationModel
import Testing

@testable import Murmuration

/// The moments between the legs of repeated curves, however late on the clock.
struct CurveLegTests {
  /// A track that sets out when the clock starts shows at each boundary what the model does, and next to it as well.
  @Test(
    "At boundaries near the start and about 10⁹ s lanes show the end that the model shows",
    arguments: [0.3, 0.1, 0.7, 0.01], [false, true])
  func boundaries(duration: Double, isLate: Bool) throws {
    for autoreverses in [false, true] {
      var batch = try CurveBatch()
      let handle = try batch.add(value: Float(0))
      let animation = Animation.linear(duration: duration).repeatForever(autoreverses: autoreverses)
      try batch.retarget(handle, to: Float(1), with: animation)
      var model = AnimatedValue(0.0)
      model.retarget(to: 1, with: animation, at: 0)
      let first = isLate ? (1e9 / duration).rounded(.down) - 500 : 1
      for leg in 0..<500 {
        let boundary = (first + Double(leg)) * duration
        for time in [boundary.nextDown, boundary, boundary.nextUp] {
          try batch.advance(to: time)
          let value = Double(try batch.value(of: handle, as: Float.self))
          // The clock tells times apart that are a rounding off, at either end of a leg.
          #expect(abs(value - model.value(at: time)) < 2 * time.ulp / duration + 1e-6, "at \(time)")
          #expect(batch.tracks[handle.index].kind == .lane)
        }
      }
    }
  }

  /// A track that sets out late shows what the model shows at this moment or at a neighbouring one.
  @Test("From starts up to 2³³ s legs down to 1 ms show either end and nothing beyond", arguments: [0.3, 0.01, 0.001])
  func lateStarts(duration: Double) throws {
    for power in stride(from: 10, through: 33, by: 1) {
      for (number, autoreverses) in [false, true].enumerated() {
        var batch = try CurveBatch()
        let animation = Animation.linear(duration: duration).repeatForever(autoreverses: autoreverses)
        for track in 0..<8 {
          try batch.advance(to: max(Double(1 << power) + Double(2 * track + number) * 0.1, batch.time))
          let handle = try batch.add(value: Float(0))
          try batch.retarget(handle, to: Float(1), with: animation)
          let start = batch.time
          var model = AnimatedValue(0.0)
          model.retarget(to: 1, with: animation, at: start)
          for leg in 1...4 {
            let boundary = start + duration * Double(leg)
            for time in [boundary.nextDown, boundary, boundary.nextUp] where time > batch.time {
              try batch.advance(to: time)
              let value = Double(try batch.value(of: handle, as: Float.self))
              let nearest = [time.nextDown, time, time.nextUp].map { abs(value - model.value(at: $0)) }.min() ?? 1
              #expect(nearest < 4 * time.ulp / duration + 1e-6, "from \(start) at \(time)")
            }
          }
          try batch.remove(handle)
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
    for (start, animation) in animations.flatMap({ animation in [0.0, 0.1, 1e7 + 0.3].map { ($0, animation) } }) {
      var often = try CurveBatch()
      var seldom = try CurveBatch()
      try often.advance(to: start)
      try seldom.advance(to: start)
      let handles = [try often.add(value: Float(0.1)), try seldom.add(value: Float(0.1))]
      try often.retarget(handles[0], to: Float(0.7), with: animation)
      try seldom.retarget(handles[1], to: Float(0.7), with: animation)
      for leg in 1...60 {
        let boundary = start + 0.1 * Double(leg)
        for time in [boundary - 0.02, boundary.nextDown, boundary, boundary.nextUp] {
          try often.advance(to: time)
          // Here and there, to come to the boundary from afar or from the other side.
          try seldom.advance(to: leg % 3 == 0 ? time + 5 : start)
          try seldom.advance(to: time)
          let (one, other) = (
            try often.value(of: handles[0], as: Float.self), try seldom.value(of: handles[1], as: Float.self)
          )
          #expect(one == other, "\(animation) from \(start) at \(time)")
          let (velocity, otherVelocity) = (
            try often.velocity(of: handles[0], as: Float.self), try seldom.velocity(of: handles[1], as: Float.self)
          )
          #expect(velocity == otherVelocity, "\(animation) from \(start) at \(time)")
        }
      }
    }
  }
}
