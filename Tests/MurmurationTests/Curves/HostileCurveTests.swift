// SPDX-License-Identifier: MIT
import AnimationModel
import Testing

@testable import Murmuration

/// Animations, times and handles that make no sense, given to batches of curves.
struct HostileCurveTests {
  @Test("Animations of impossible numbers are refused, and nothing changes")
  func badAnimationsAreRefused() throws {
    let bad: [Animation] = [
      .linear(duration: .nan), .linear(duration: .infinity), .timingCurve(0, .nan, 1, 1),
      .timingCurve(.nan, 0, 1, 1), .easeIn.delay(.nan), .easeIn.delay(.infinity), .easeIn.speed(.nan),
      .easeIn.speed(.infinity), .easeIn.logicallyComplete(after: .nan), .spring(duration: 1e-5),
      .spring(duration: 0.5, bounce: -1), .interpolatingSpring(stiffness: .nan, damping: 1),
      .interpolatingSpring(duration: 0.5, initialVelocity: .infinity), .linear(duration: .nan).repeatCount(2).delay(1),
    ]
    var batch = try CurveBatch()
    let handle = try batch.add(value: Float(1))
    try batch.retarget(handle, to: Float(2), with: .easeIn(duration: 1))
    try batch.advance(to: 0.25)
    let value = try batch.value(of: handle, as: Float.self)
    let handles = [handle]
    let targets: [Float] = [5]
    for animation in bad {
      let animations = [Optional(animation)]
      #expect(throws: BatchError.self, "\(animation)") { try batch.retarget(handle, to: Float(3), with: animation) }
      #expect(throws: BatchError.self) { try batch.retarget(handles.span, to: targets.span, with: animation) }
      #expect(throws: BatchError.self) {
        try batch.retarget(handles.span, to: targets.span, animations: animations.span)
      }
    }
    try batch.advance(to: 0.25)
    #expect(try batch.value(of: handle, as: Float.self) == value)
    #expect(try batch.target(of: handle, as: Float.self) == 2)
  }

  @Test("Curves with an impossible point, or one out of all proportion, are refused, by phases too")
  func badCurvesAreRefused() throws {
    let bad = [
      Self.polyline((0.8, .nan)), Self.polyline((0.8, 1e300)), Self.polyline((0.8, -.infinity)),
      Self.polyline((.nan, 0.5)), Self.polyline((0.8, 2e10)),
      // It is 1e10 at a point, and far beyond where the line goes on from there.
      .linear(points: [.init(input: 0.5, output: 0), .init(input: 0.5.nextUp, output: 1e10)]),
      .bezier(startControlPoint: UnitPoint(x: 0.5, y: 1e300), endControlPoint: UnitPoint(x: 0.5, y: 1)),
    ]
    for curve in bad {
      for animation in [Animation.timingCurve(curve, duration: 1), .timingCurve(curve, duration: 1).delay(1)] {
        var batch = try CurveBatch()
        let handle = try batch.add(value: Float(1))
        #expect(throws: BatchError.self, "\(curve)") { try batch.retarget(handle, to: Float(2), with: animation) }
        #expect(try batch.target(of: handle, as: Float.self) == 1)
        #expect(throws: PhaseError.self, "\(curve)") {
          _ = try PhaseSequence([0, 1], target: { Float($0) }, animation: { _ in animation })
        }
      }
    }
    // The farthest that are accepted, over the longest way.
    var batch = try CurveBatch()
    let handle = try batch.add(value: -BatchLimits.maximumMagnitude)
    let curve = Self.polyline((0.8, 1e10))
    try batch.retarget(handle, to: BatchLimits.maximumMagnitude, with: .timingCurve(curve, duration: 1))
    for time in [0.1, 0.7, 0.8, 0.9] {
      try batch.advance(to: time)
      #expect(try batch.value(of: handle, as: Float.self).isFinite)
      #expect(try batch.velocity(of: handle, as: Float.self).isFinite)
    }
  }

  private static func polyline(_ point: (input: Double, output: Double)) -> UnitCurve {
    .linear(points: [
      .init(input: 0, output: 0), .init(input: 0.6, output: 1), .init(input: point.input, output: point.output),
      .init(input: 1, output: 1),
    ])
  }

  @Test("Curves without duration, upright ones, repeats of nothing and without end show finite numbers at any time")
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
    var batch = try CurveBatch()
    var handles: [TrackHandle] = []
    for animation in odd {
      let handle = try batch.add(value: Float(1))
      handles.append(handle)
      try batch.retarget(handle, to: Float(3), with: animation)
      let velocity = try batch.velocity(of: handle, as: Float.self)
      #expect(velocity.isFinite)
    }
    for time in [0, 1e-300, 1e-9, 0.1, 0.35, 1, 1.5, 1e3, 1e9, 1e10] {
      try batch.advance(to: time)
      for index in odd.indices {
        let handle = handles[index]
        let value = try batch.value(of: handle, as: Float.self)
        let velocity = try batch.velocity(of: handle, as: Float.self)
        #expect(value.isFinite && velocity.isFinite, "\(odd[index]) at \(time)")
      }
    }
    // Those that end have.
    for index in [0, 1, 2, 3, 8, 12, 13, 15, 16, 17, 18, 20, 24] {
      let handle = handles[index]
      #expect(try batch.value(of: handle, as: Float.self) == 3, "\(odd[index])")
    }
  }

  /// Effects that add up without end are limited.
  @Test func endlessEffectsAreRefused() throws {
    var batch = try CurveBatch()
    let handle = try batch.add(value: Float(0))
    let endless = Animation.linear.repeatForever()
    for change in 1..<CurveBatch.maximumAnimationCount {
      try batch.retarget(handle, to: Float(change), with: endless)
      try batch.advance(by: 0.001)
    }
    try batch.retarget(handle, to: Float(-1), with: endless)
    try batch.advance(by: 0.001)
    #expect(throws: BatchError.tooManyAnimations(handle)) { try batch.retarget(handle, to: Float(0), with: endless) }
    #expect(try batch.target(of: handle, as: Float.self) == -1)
    #expect(try batch.value(of: handle, as: Float.self).isFinite)
  }

  @Test("Impossible numbers, times and sizes are refused")
  func badNumbersAreRefused() throws {
    var batch = try CurveBatch()
    let handle = try batch.add(value: Float(1))
    try batch.advance(to: 1)
    let handles = [handle]
    let numbers: [Float] = [1, .nan]
    #expect(throws: BatchError.self) { try batch.add(value: Float.nan) }
    #expect(throws: BatchError.self) { try batch.add(values: numbers.span) }
    #expect(throws: BatchError.self) { try batch.retarget(handle, to: Float.infinity, with: .easeIn) }
    #expect(throws: BatchError.self) { try batch.retarget(handle, to: Float(2e15), with: nil) }
    #expect(throws: BatchError.wrongCount(of: "targets", expected: 1, got: 2)) {
      try batch.retarget(handles.span, to: numbers.span, with: .easeIn)
    }
    #expect(throws: BatchError.wrongDimensions(of: "value", expected: 1, got: 2)) {
      try batch.add(value: SIMD2<Float>(0, 0))
    }
    for time in [Double.nan, .infinity, -.infinity, 2e10, -0.5] {
      #expect(throws: BatchError.self) { try batch.advance(to: time) }
    }
    #expect(throws: BatchError.self) { try batch.advance(by: .nan) }
    #expect(throws: BatchError.self) { try batch.reserve(.max) }
    #expect(throws: BatchError.self) { _ = try CurveBatch(reservingCapacity: -1) }
    #expect(throws: BatchError.self) { _ = try CurveBatch(dimensions: 0) }
    #expect(throws: BatchError.self) { _ = try CurveBatch(curveTolerance: .nan) }
    #expect(batch.time == 1 && batch.count == 1)
  }

  @Test("Handles of tracks that are gone, of other batches and of nothing are refused")
  func staleHandlesAreRefused() throws {
    var batch = try CurveBatch()
    var other = try CurveBatch()
    let (gone, foreign) = (try batch.add(value: Float(0)), try other.add(value: Float(0)))
    try batch.retarget(gone, to: Float(1), with: .easeIn)
    try batch.remove(gone)
    let good = try batch.add(value: Float(7))
    let forged = TrackHandle(slot: .max, generation: .max, store: good.store)
    let targets: [Float] = [1, 2]
    for (handle, error) in [
      (gone, BatchError.staleHandle(gone)), (foreign, .storeMismatch(foreign)), (forged, .staleHandle(forged)),
    ] {
      let handles = [good, handle]
      #expect(throws: error) { _ = try batch.value(of: handle, as: Float.self) }
      #expect(throws: error) { _ = try batch.velocity(of: handle, as: Float.self) }
      #expect(throws: error) { _ = try batch.target(of: handle, as: Float.self) }
      #expect(throws: error) { _ = try batch.isAtRest(handle) }
      #expect(throws: error) { _ = try batch.logicalEndTime(of: handle) }
      #expect(throws: error) { try batch.retarget(handle, to: Float(1), with: .easeIn) }
      #expect(throws: error) { try batch.retarget(handles.span, to: targets.span, with: .easeIn) }
      #expect(throws: error) { try batch.pause(handle) }
      #expect(throws: error) { try batch.resume(handle) }
      #expect(throws: error) { try batch.remove(handle) }
      #expect(throws: error) { try batch.remove(handles.span) }
    }
    #expect(batch.count == 1)
    #expect(try batch.value(of: good, as: Float.self) == 7)
  }

  @Test("Tracks that come, go and change at random end where a dictionary says")
  func randomCallsKeepTracksApart() throws {
    var batch = try CurveBatch()
    var random = SplitMix64(seed: 5)
    var targets: [TrackHandle: Float] = [:]
    let animations = CurveBatchTests.curves + CurveBatchTests.modified.prefix(4) + CurveBatchTests.springs
    for round in 0..<3000 {
      let some = targets.keys.min { $0.slot &* 2_654_435_761 < $1.slot &* 2_654_435_761 }
      switch (random.next() % 8, some) {
      case (0...2, _):
        let value = Float(round)
        targets[try batch.add(value: value)] = value
      case (3, let handle?):
        try batch.remove(handle)
        targets[handle] = nil
      case (4...6, let handle?):
        try batch.retarget(handle, to: Float(-round), with: animations[round % animations.count])
        targets[handle] = Float(-round)
      default:
        try batch.advance(by: random.uniform(0...0.1))
      }
    }
    #expect(batch.count == targets.count)
    try batch.advance(by: 100)
    for (handle, target) in targets {
      #expect(try batch.value(of: handle, as: Float.self) == target)
    }
  }

  @Test("Before its delay a curve holds, after its end it is exactly its target")
  func curvesHold() throws {
    for curve in [UnitCurve.linear, .easeIn, .circularEaseInOut, .steps(3), .linear(points: [.init(output: 1 / 3)])] {
      for duration in [1e-6, 1, 1e6] {
        var batch = try CurveBatch()
        let handle = try batch.add(value: Float(0.1))
        try batch.retarget(handle, to: Float(0.7), with: .timingCurve(curve, duration: duration).delay(2))
        for time in [0, 1, 2.0.nextDown] {
          try batch.advance(to: time)
          let (value, velocity) = (
            try batch.value(of: handle, as: Float.self), try batch.velocity(of: handle, as: Float.self)
          )
          let start = Self.start(of: curve)
          // Where a curve does not begin at 0, what it shows is rounded.
          let bound: Float = start == 0.1 ? 0 : 1e-7
          #expect(velocity == 0 && abs(value - start) <= bound, "\(curve), \(duration) s, at \(time)")
        }
        for time in [2 + duration + 1e-6, 1e7, 1e10] {
          try batch.advance(to: time)
          let (value, velocity) = (
            try batch.value(of: handle, as: Float.self), try batch.velocity(of: handle, as: Float.self)
          )
          #expect(value == 0.7 && velocity == 0, "\(curve), \(duration) s, at \(time)")
        }
      }
    }
  }

  /// What a track on its way from 0.1 to 0.7 shows at the start of a curve, which need not begin at 0.
  private static func start(of curve: UnitCurve) -> Float {
    var value = AnimatedValue(Double(Float(0.1)))
    value.retarget(to: Double(Float(0.7)), with: .timingCurve(curve, duration: 1), at: 0)
    return Float(value.value(at: 0))
  }

  @Test("The lists of an advance may be walked while tracks come, go and set out again")
  func listsMayBeWalked() throws {
    var batch = try CurveBatch()
    let zeros = [Float](repeating: 0, count: 40)
    let ones = [Float](repeating: 1, count: 40)
    let handles = try batch.add(values: zeros.span)
    try batch.retarget(handles.span, to: ones.span, with: .easeIn(duration: 1))
    try batch.advance(to: 2)
    let (complete, settled) = (batch.logicallyComplete.count, batch.settled.count)
    #expect(complete == 40 && settled == 40)
    for handle in batch.logicallyComplete { try batch.retarget(handle, to: Float(2), with: .linear(duration: 1)) }
    for handle in batch.settled {
      try batch.remove(handle)
      #expect(throws: BatchError.staleHandle(handle)) { try batch.retarget(handle, to: Float(0), with: nil) }
      let heir = try batch.add(value: Float(5))
      #expect(heir != handle)
    }
    #expect(batch.settled.count == 40 && batch.count == 40)
    try batch.advance(to: 9)
    #expect(batch.settled.isEmpty && batch.logicallyComplete.isEmpty)
  }

  @Test("Room for more tracks than there may be is refused", arguments: [Int.max, 1 << 40, -1, .min])
  func room(_ count: Int) throws {
    #expect(throws: BatchError.capacityExceeded(count)) { _ = try CurveBatch(reservingCapacity: count) }
    var batch = try CurveBatch()
    let handle = try batch.add(value: Float(3))
    #expect(throws: BatchError.capacityExceeded(count)) { try batch.reserve(count) }
    #expect(try batch.value(of: handle, as: Float.self) == 3)
  }

  @Test("In a task that is cancelled frames are completed") func aCancelledTask() async throws {
    func play() throws -> [Float] {
      var batch = try CurveBatch()
      let values = (0..<1000).map { Float($0) }
      let handles = try batch.add(values: values.span)
      let targets = values.map { -$0 }
      try batch.retarget(handles.span, to: targets.span, with: .easeInOut(duration: 2))
      for frame in 1...4 { try batch.advance(to: Double(frame) * 0.3) }
      return try handles.map { handle in try batch.value(of: handle, as: Float.self) }
    }
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try play()
    }
    task.cancel()
    let shown = try await task.value
    #expect(try shown == play())
  }
}
