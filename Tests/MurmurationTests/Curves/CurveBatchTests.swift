// SPDX-License-Identifier: MIT
import AnimationModel
import Reference
import TestSupport
import Testing

@testable import Murmuration

/// Curves, and whatever adds to them, against the model.
struct CurveBatchTests {
  /// One that the model calls: it covers its way in steps of a tenth of a second.
  struct Staircase: CustomAnimation {
    func animate<V: VectorArithmetic>(value: V, time: Double, context: inout AnimationContext<V>) -> V? {
      time >= 0.4 ? nil : value.scaled(by: (time * 10).rounded(.down) / 4)
    }
  }

  static let curves: [Animation] = [
    .linear(duration: 0.3), .easeIn, .easeOut(duration: 0.8), .easeInOut(duration: 0.5),
    .timingCurve(0.2, -0.8, 0.4, 1.6, duration: 0.4), .timingCurve(.circularEaseIn, duration: 0.5),
    .timingCurve(.steps(4, position: .jumpStart), duration: 0.6),
  ]
  static let modified: [Animation] = [
    .easeInOut.delay(0.2), .easeIn.speed(2), .linear(duration: 0.2).delay(0.1).repeatCount(3),
    .easeOut(duration: 0.25).repeatCount(4).speed(0.5), .easeInOut(duration: 0.3).repeatForever(),
    .linear(duration: 0.4).repeatForever(autoreverses: false), .easeIn(duration: 0.3).repeatCount(2).delay(0.15),
    .easeIn.delay(-0.1), .linear(duration: 0.1).repeatCount(2).delay(0.05).repeatCount(3, autoreverses: false),
    .easeInOut.logicallyComplete(after: 0.1),
  ]
  static let springs: [Animation] = [
    .bouncy, .smooth(duration: 0.3), .spring(duration: 0.4, bounce: -0.3), .interpolatingSpring,
    .interpolatingSpring(duration: 0.3, bounce: 0.4, initialVelocity: 2).delay(0.1),
  ]
  static let called: [Animation] = [
    Animation(Staircase()), .bouncy.delay(0.1), .smooth.speed(2), .snappy.repeatCount(2),
    Animation(Staircase()).delay(0.1), .easeIn.delay(-0.1).speed(-1),
  ]

  /// Tracks whose targets change at random, to curves, springs and others in turn, show what the model shows.
  @Test(arguments: [curves, curves + modified, curves + springs, curves + modified + springs + called])
  func tracksMoveAsTheModelSays(animations: [Animation]) throws {
    var random = SplitMix64(seed: 11)
    var batch = try CurveBatch(dimensions: 2)
    let count = 30
    let values = (0..<2 * count).map { _ in Float(random.uniform(-10...10)) }
    let handles = try batch.add(values: values.span)
    var models = (0..<count).map {
      SumMotion([values[$0], values[count + $0]], curveTolerance: batch.curveTolerance)
    }
    var largest = (value: 0.0, velocity: 0.0)
    for _ in 0..<Effort.draws(quick: 60, soak: 150) {
      for track in 0..<count where random.unit() < 0.06 {
        let target = SIMD2<Float>(Float(random.uniform(-10...10)), Float(random.uniform(-10...10)))
        let animation = random.unit() < 0.1 ? nil : animations[Int(random.next() % UInt64(animations.count))]
        try batch.retarget(handles[track], to: target, with: animation)
        models[track].animate(to: [Double(target.x), Double(target.y)], with: animation, at: batch.time)
      }
      try batch.advance(by: random.uniform(0...0.08))
      for track in 0..<count {
        models[track].advance(to: batch.time)
        let value = try batch.value(of: handles[track], as: SIMD2<Float>.self)
        let velocity = try batch.velocity(of: handles[track], as: SIMD2<Float>.self)
        models[track].evaluation = try batch.isLane(handles[track]) ? .fitted : .called
        let excess = models[track].excess(
          values: [value.x, value.y], velocities: [velocity.x, velocity.y], at: batch.time)
        largest = (max(largest.value, excess.value), max(largest.velocity, excess.velocity))
        #expect(excess.value < 1, "track \(track) at \(batch.time)")
        #expect(excess.velocity < 1, "track \(track) at \(batch.time)")
        let atRest = try batch.isAtRest(handles[track])
        if models[track].isFinished(at: batch.time) {
          #expect(atRest)
        }
      }
    }
    print("curves, \(animations.count) animations: \(largest) of the bounds")
  }

  /// What is shown depends on the time and not on the frames, the order of times, or the instruction set.
  @Test func bitsFollowFromTheTime() throws {
    let animations = Self.curves + Self.modified + Self.springs
    let targets = (0..<animations.count).map { Float($0) - 3.5 }
    let starts = [Float](repeating: 2.25, count: animations.count)
    let optional = animations.map(Optional.some)
    var shown: [[UInt32]] = []
    for set in KernelSet.available {
      for times in [[1.1], [0.2, 0.5, 0.9, 1.1], [3, 0.7, 1.1], Array(stride(from: 0.0, to: 1.1, by: 0.01)) + [1.1]] {
        var batch = try CurveBatch(kernels: set)
        let handles = try batch.add(values: starts.span)
        try batch.retarget(handles.span, to: targets.span, animations: optional.span)
        for time in times {
          try batch.advance(to: time)
        }
        var bits: [UInt32] = []
        for handle in handles {
          bits.append(try batch.value(of: handle, as: Float.self).bitPattern)
          bits.append(try batch.velocity(of: handle, as: Float.self).bitPattern)
        }
        shown.append(bits)
      }
    }
    #expect(shown.dropFirst().allSatisfy { $0 == shown[0] })
  }

  /// The moment between two repetitions shows the end of the earlier one; afterwards the next begins.
  @Test func boundariesBelongToTheEarlierLeg() throws {
    var batch = try CurveBatch()
    let (back, again) = (try batch.add(value: Float(0)), try batch.add(value: Float(0)))
    try batch.retarget(back, to: Float(8), with: .linear(duration: 0.5).repeatCount(2))
    try batch.retarget(again, to: Float(8), with: .linear(duration: 0.5).repeatCount(2, autoreverses: false))
    func expect(_ time: Double, _ first: Float, _ second: Float) throws {
      try batch.advance(to: time)
      #expect(try batch.value(of: back, as: Float.self) == first)
      #expect(try batch.value(of: again, as: Float.self) == second)
    }
    try expect(0.25, 4, 4)
    try expect(0.5, 8, 8)
    try expect(0.625, 6, 2)
    try expect(1, 0, 8)
    try expect(1.01, 8, 8)
  }

  /// Completion is reported once, with the first frame from its moment on.
  @Test func completionIsReported() throws {
    var batch = try CurveBatch()
    let zeros: [Float] = [0, 0, 0, 0]
    let handles = try batch.add(values: zeros.span)
    try batch.retarget(handles[0], to: Float(1), with: .linear(duration: 0.5))
    try batch.retarget(handles[1], to: Float(1), with: .linear(duration: 0.5).logicallyComplete(after: 0.25))
    try batch.retarget(handles[2], to: Float(1), with: .smooth(duration: 0.25))
    try batch.retarget(handles[3], to: Float(1), with: Animation(Staircase()))
    var (logical, settled): ([Double: [TrackHandle]], [Double: [TrackHandle]]) = ([:], [:])
    for frame in 1...16 {
      try batch.advance(to: Double(frame) / 16)
      for handle in batch.logicallyComplete { logical[batch.time, default: []].append(handle) }
      for handle in batch.settled { settled[batch.time, default: []].append(handle) }
    }
    #expect(logical == [0.25: [handles[1], handles[2]], 0.5: [handles[0]], 0.4375: [handles[3]]])
    #expect(settled[0.5]?.contains(handles[0]) == true)
    #expect(settled[0.5]?.contains(handles[1]) == true)
    #expect(settled[0.4375] == [handles[3]])
    #expect(settled.values.joined().count == 4)
  }

  /// A change at the very moment of the first replaces it; at another moment it adds.
  @Test func aChangeAtTheSameMomentReplaces() throws {
    for first in [Animation.easeIn(duration: 1), .smooth, .linear.repeatForever()] {
      for second in [Animation.easeOut(duration: 0.5), .bouncy] {
        var batch = try CurveBatch()
        let handle = try batch.add(value: Float(1))
        var model = AnimatedValue(1.0)
        try batch.advance(to: 0.25)
        try batch.retarget(handle, to: Float(9), with: first)
        model.retarget(to: 9, with: first, at: 0.25)
        try batch.retarget(handle, to: Float(-4), with: second)
        model.retarget(to: -4, with: second, at: 0.25)
        for frame in 1...20 {
          try batch.advance(to: 0.25 + Double(frame) * 0.03)
          model.advance(to: batch.time)
          let error = abs(Double(try batch.value(of: handle, as: Float.self)) - model.value(at: batch.time))
          // A way of 5 on pieces that are within 2⁻¹⁶ of it, and roundings.
          #expect(error < 5 * 0x1p-16 + 4e-6, "\(first), \(second) at \(batch.time)")
        }
      }
    }
  }

  /// A pause takes no time from any of the motions that add up, nor from a spring, a repeat or one that is called.
  @Test func aPauseStopsTheClock() throws {
    let later: [Animation] = [
      .easeOut(duration: 0.6), .smooth(duration: 0.5), .linear(duration: 0.1).repeatCount(9), .bouncy.delay(0.1),
    ]
    for animation in later {
      var batch = try CurveBatch()
      let handle = try batch.add(value: Float(1))
      var model = AnimatedValue(1.0)
      try batch.retarget(handle, to: Float(9), with: .easeInOut(duration: 0.8))
      model.retarget(to: 9, with: .easeInOut(duration: 0.8), at: 0)
      try batch.advance(to: 0.2)
      try batch.retarget(handle, to: Float(-4), with: animation)
      model.retarget(to: -4, with: animation, at: 0.2)
      try batch.advance(to: 0.35)
      try batch.pause(handle)
      try batch.advance(to: 1.35)
      let (held, still) = (try batch.value(of: handle, as: Float.self), try batch.velocity(of: handle, as: Float.self))
      #expect(abs(Double(held) - model.value(at: 0.35)) < 2e-6)
      #expect(still == 0)
      try batch.resume(handle)
      for frame in 1...40 {
        try batch.advance(to: 1.35 + Double(frame) * 0.02)
        model.advance(to: batch.time - 1)
        let error = abs(Double(try batch.value(of: handle, as: Float.self)) - model.value(at: batch.time - 1))
        // A rounding where a spring takes over and one of what is shown, of values below 16.
        #expect(error < 2e-6, "\(animation) at \(batch.time)")
      }
    }
  }

  /// A target given to many lets those that are paused go on, as one given to a single track does.
  @Test func targetsForManyLetPausedTracksGoOn() throws {
    var batch = try CurveBatch()
    let zeros: [Float] = [0, 0, 0]
    let handles = try batch.add(values: zeros.span)
    let (eights, motions) = ([Float](repeating: 8, count: 3), [Animation?](repeating: .linear(duration: 1), count: 3))
    try batch.retarget(handles.span, to: eights.span, with: .linear(duration: 1))
    try batch.advance(to: 0.5)
    for handle in handles { try batch.pause(handle) }
    try batch.advance(to: 2)
    let fours: [Float] = [4, 4]
    try batch.retarget(handles.span.extracting(0..<1), to: fours.span.extracting(0..<1), with: .linear(duration: 1))
    try batch.retarget(
      handles.span.extracting(1..<2), to: fours.span.extracting(1..<2), animations: motions.span.extracting(1..<2))
    try batch.retarget(handles[2], to: Float(4), with: .linear(duration: 1))
    for (time, value) in [(2, 4), (2.25, 5.5), (2.5, 6), (3, 4)] as [(Double, Float)] {
      try batch.advance(to: time)
      for handle in handles {
        #expect(try !batch.isPaused(handle) && abs(batch.value(of: handle, as: Float.self) - value) < 1e-5)
      }
    }
  }

  /// A track moved to a batch of springs goes on with value and velocity.
  @Test func springsTakeOver() throws {
    var batch = try CurveBatch(dimensions: 2)
    var springs = try SpringBatch(dimensions: 2)
    let handle = try batch.add(value: SIMD2<Float>(1, 2))
    try batch.retarget(handle, to: SIMD2<Float>(9, -6), with: .easeInOut(duration: 1))
    try batch.advance(to: 0.2)
    try batch.retarget(handle, to: SIMD2<Float>(0, 4), with: .easeOut(duration: 0.5))
    try batch.advance(to: 0.4)
    try springs.advance(to: 0.4)
    var model = AnimatedValue(SIMD2(1.0, 2))
    model.retarget(to: SIMD2(9.0, -6), with: .easeInOut(duration: 1), at: 0)
    model.retarget(to: SIMD2(0.0, 4), with: .easeOut(duration: 0.5), at: 0.2)
    model.retarget(to: SIMD2(5.0, 5), with: .bouncy, at: 0.4)
    let moved = try batch.move(handle, to: &springs, spring: .bouncy, target: [5, 5])
    #expect(batch.count == 0)
    for frame in 0...30 {
      try springs.advance(to: 0.41 + Double(frame) * 0.02)
      let value = try springs.value(of: moved, as: SIMD2<Float>.self)
      let expected = model.value(at: springs.time)
      #expect(abs(Double(value.x) - expected.x) < 1e-4)
      #expect(abs(Double(value.y) - expected.y) < 1e-4)
    }
    #expect(throws: BatchError.staleHandle(handle)) {
      try batch.move(handle, to: &springs, spring: .bouncy)
    }
  }

  /// Who is called for each frame is counted apart.
  @Test func calledTracksAreCounted() throws {
    var batch = try CurveBatch()
    let zeros: [Float] = [0, 0, 0]
    let handles = try batch.add(values: zeros.span)
    try batch.retarget(handles[0], to: Float(1), with: Animation(Staircase()))
    try batch.retarget(handles[1], to: Float(1), with: .easeIn)
    try batch.retarget(handles[2], to: Float(1), with: .smooth)
    #expect(batch.calledCount == 1)
    #expect(batch.singleCount == 2)
    try batch.advance(to: 0.25)
    #expect(try batch.value(of: handles[0], as: Float.self) == 0.5)
    try batch.advance(to: 0.5)
    #expect(batch.calledCount == 0)
    try batch.advance(to: 5)
    #expect(batch.singleCount == 0)
  }
}
