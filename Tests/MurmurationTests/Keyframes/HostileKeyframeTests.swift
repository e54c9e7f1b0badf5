// SPDX-License-Identifier: MIT
import AnimationModel
import Testing

@testable import Murmuration

/// Clips, playbacks, times and calls that make no sense, given to instances of clips. `HostileClipTests` tests what a clip
/// itself refuses.
///
/// A view that outlives a change and a change during an advance do not compile; `Scripts/check-ownership` proves it.
struct HostileKeyframeTests {
  private static func constant(_ value: Double) -> SIMD4<Double> { SIMD4(value, 0, 0, 0) }

  /// A straight line from 2 to 5 in `duration` seconds.
  private static func ramp(duration: Double = 1) throws -> Clip {
    let track = PieceTrack(components: [0], times: [0, duration], pieces: [[SIMD4(2, 3 / duration, 0, 0)]])
    return try Clip(dimensions: 1, initialValues: [2], tracks: [track])
  }

  private static func fill(_ batch: inout KeyframeBatch, _ clip: Clip, _ playbacks: [Playback]) throws -> [TrackHandle]
  {
    let name = try batch.load(clip)
    return try batch.add(name, playbacks.span)
  }

  @Test("A timeline without keyframes, and one key, are constants that end at once")
  func constants() throws {
    let none = try Clip(KeyframeTimeline(initialValue: 4.0) { KeyframeSequence<Double>() })
    let one = try HostileClipTests.clip(times: [0, 0], [Self.constant(4)])
    for clip in [none, one] {
      for repetition in [Playback.Repetition.count(1), .count(1 << 53), .forever] {
        var batch = try KeyframeBatch()
        let handles = try Self.fill(&batch, clip, [Playback(repetition: repetition, autoreverses: true)])
        for time in [0, 1e-9, 1, 1e9] {
          try batch.advance(to: time)
          #expect(try batch.value(of: handles[0]) == Float(4))
          #expect(try batch.velocity(of: handles[0]) == Float(0))
          #expect(batch.completed == (time == 0 ? handles : []), "\(repetition) at \(time)")
        }
      }
    }
  }

  @Test(
    "Keys at one time, and closer than the clock can tell, have no slope between them",
    arguments: [0, 1e-10])
  func duplicateKeys(_ gap: Double) throws {
    let timeline = KeyframeTimeline(initialValue: 0.0) {
      LinearKeyframe(1, duration: 3600)
      LinearKeyframe(5, duration: gap)
      CubicKeyframe(-5, duration: gap)
      LinearKeyframe(9, duration: gap)
      LinearKeyframe(8, duration: 1)
    }
    let clip = try Clip(timeline)
    var batch = try KeyframeBatch()
    let handles = try Self.fill(&batch, clip, [Playback(), Playback(speed: -1), Playback(speed: 1e6)])
    for time in [0, 3599, 3600.0.nextDown, 3600, 3600.0.nextUp, 3600.000_01, 3600.5, 3601, 1e9] {
      try batch.advance(to: time)
      for handle in handles {
        let (value, velocity): (Float, Float) = (try batch.value(of: handle), try batch.velocity(of: handle))
        #expect(-5.001...9.001 ~= value && velocity.isFinite, "\(value) at \(time)")
      }
      if time > 3600.0001 {
        let (value, expected) = (try batch.value(of: handles[0], as: Float.self), Float(timeline.value(time: time)))
        #expect(abs(value - expected) < 1e-4)
      }
    }
  }

  @Test("Own values, scales and offsets that are no numbers are refused")
  func ownNumbers() throws {
    var batch = try KeyframeBatch(variations: true)
    let handle = try batch.add(try batch.load(Self.ramp()))
    let handles = [handle]
    try batch.advance(to: 0.5)
    for bad in [Float.nan, .infinity, -.infinity, 1e38] {
      let (numbers, good) = ([bad], [Float(1)])
      #expect(throws: BatchError.self) { try batch.set(handle, to: bad) }
      #expect(throws: BatchError.self) { try batch.set(handles.span, to: numbers.span) }
      #expect(throws: BatchError.self) {
        try batch.setVariations(handles.span, scales: numbers.span, offsets: good.span)
      }
      #expect(throws: BatchError.self) {
        try batch.setVariations(handles.span, scales: good.span, offsets: numbers.span)
      }
    }
    try batch.advance(to: 0.75)
    #expect(try batch.value(of: handle) == Float(4.25))
  }

  @Test("The curves that are hardest to solve stay within the bound of their clip")
  func hardCurves() throws {
    for (x1, y1, x2, y2) in [(1.0, 0.0, 0.0, 1.0), (0, 1, 0, 1), (1, 1, 1, 0), (0, 0, 0, 0), (-2, 0, 7, 1)] {
      let curve = UnitCurve.bezier(
        startControlPoint: UnitPoint(x: x1, y: y1), endControlPoint: UnitPoint(x: x2, y: y2))
      let clip = try Clip(curve: curve)
      var batch = try KeyframeBatch()
      let handles = try Self.fill(&batch, clip, [Playback()])
      for step in 0...1000 {
        let time = Double(step) / 1000
        try batch.advance(to: time)
        let value = Double(try batch.value(of: handles[0], as: Float.self))
        // A tick of the batch's clock on either side: an upright curve shows all of it.
        let near = [time - 0x1p-31, time, time + 0x1p-31].map { curve.value(at: $0) }
        let bound = clip.report.valueErrorBound + 8 * 0x1p-24
        #expect(near.min()! - bound...near.max()! + bound ~= value, "\(curve) at \(time)")
      }
    }
  }

  @Test("Before the start and after the end an instance holds, and the ends are exact")
  func holds() throws {
    for duration in [1e-9, 1, 1e9] {
      var batch = try KeyframeBatch()
      let handles = try Self.fill(
        &batch, Self.ramp(duration: duration), [Playback(start: 1), Playback(start: 1, speed: -1)])
      for time in [0, 1.0.nextDown, 1] {
        try batch.advance(to: time)
        #expect(try batch.value(of: handles[0]) == Float(2) && batch.value(of: handles[1]) == Float(5))
      }
      for time in [1 + duration, 1 + 2 * duration, 9e9] {
        try batch.advance(to: time)
        #expect(try batch.value(of: handles[0]) == Float(5) && batch.value(of: handles[1]) == Float(2))
        #expect(try batch.velocity(of: handles[0]) == Float(0) || time == 1 + duration)
      }
    }
    // Progress outside of 0…1 is taken for the nearest end, as times outside of the clip are.
    var batch = try KeyframeBatch()
    let handles = try Self.fill(&batch, Self.ramp(), [Playback()])
    try batch.pause(handles[0])
    for (progress, value) in [(-5, 2), (0, 2), (0.5, 3.5), (1, 5), (1e300, 5)] as [(Double, Float)] {
      try batch.scrub(handles[0], toProgress: progress)
      try batch.advance(by: 0)
      #expect(try batch.value(of: handles[0]) == value, "\(progress)")
      try batch.scrub(handles[0], to: progress)
      try batch.advance(by: 0)
      #expect(try batch.value(of: handles[0]) == value, "\(progress) s")
    }
  }

  @Test(
    "Loops of no length, of almost none and of 2⁵³ times, at any speed, end or go on without a hang")
  func loops() throws {
    for duration in [0, Double.leastNonzeroMagnitude, 1e-300, 1e-30, 1e-12, 1] {
      let clip: Clip
      do {
        clip =
          duration == 0
          ? try HostileClipTests.clip(times: [0, 0, 0], [Self.constant(2), Self.constant(5)])
          : try Clip(curve: .linear, duration: duration)
      } catch {
        // A slope that no number holds.
        #expect(duration < 1e-30, "\(error)")
        continue
      }
      var playbacks: [Playback] = []
      for repetition in [Playback.Repetition.count(1 << 53), .count(2), .forever] {
        for speed in [0, 1, -1, Double.leastNonzeroMagnitude, .greatestFiniteMagnitude, -.greatestFiniteMagnitude] {
          playbacks.append(Playback(speed: speed, repetition: repetition, autoreverses: true))
          playbacks.append(Playback(delay: 1e10, speed: speed, repetition: repetition, timeOffset: -1e10))
        }
      }
      var batch = try KeyframeBatch()
      let handles = try Self.fill(&batch, clip, playbacks)
      for time in [0, 1e-300, 1, 1e9, 1e10] {
        try batch.advance(to: time)
        for (index, handle) in handles.enumerated() {
          let value: Float = try batch.value(of: handle)
          #expect(value.isFinite && 0...5 ~= value, "\(duration) s, \(playbacks[index]) at \(time): \(value)")
        }
        // However many legs have passed, each instance has at most one event of a kind.
        #expect(batch.repeated.count <= handles.count && batch.completed.count <= handles.count)
      }
    }
  }

  @Test("The lists of an advance may be walked while instances come, go and begin again")
  func listsMayBeWalked() throws {
    var batch = try KeyframeBatch()
    let clip = try batch.load(Self.ramp())
    for index in 0..<40 { try batch.add(clip, Playback(repetition: .count(1 + index % 2))) }
    try batch.advance(to: 1.5)
    #expect(batch.repeated.count == 20 && batch.completed.count == 20)
    for event in batch.repeated { try batch.remove(event.handle) }
    for handle in batch.completed {
      try batch.remove(handle)
      #expect(throws: BatchError.staleHandle(handle)) { try batch.trigger(handle) }
      let heir = try batch.add(clip)
      #expect(heir != handle)
      try batch.trigger(heir, Playback(delay: 0.1))
    }
    #expect(batch.count == 20 && batch.repeated.count == 20 && batch.completed.count == 20)
    try batch.advance(to: 9)
    let completed = batch.completed
    let areThere = completed.allSatisfy { handle in batch.contains(handle) }
    #expect(completed.count == 20 && areThere)
  }

  @Test(
    "Room for more instances than there may be is refused", arguments: [Int.max, 1 << 40, -1, .min])
  func room(_ count: Int) throws {
    #expect(throws: BatchError.capacityExceeded(count)) { _ = try KeyframeBatch(reservingCapacity: count) }
    var batch = try KeyframeBatch()
    let handles = try Self.fill(&batch, Self.ramp(), [Playback()])
    try batch.advance(to: 0.5)
    #expect(throws: BatchError.capacityExceeded(count)) { try batch.reserve(count) }
    try batch.advance(to: 1)
    #expect(try batch.value(of: handles[0]) == Float(5) && batch.count == 1)
  }

  @Test("0, 1, 3 and more threads than tiles show the same bits", arguments: [0, 3, 1000])
  func threads(_ threads: Int) throws {
    var hashes: Set<UInt64> = []
    for count in [1, threads] {
      var batch = try KeyframeBatch()
      batch.threadCount = count
      let clip = try batch.load(Self.ramp())
      let playbacks = (0..<20_000).map { Playback(delay: 1e-4 * Double($0), repetition: .forever) }
      try batch.add(clip, playbacks.span)
      var hash = UInt64(0xcbf2_9ce4_8422_2325)
      for frame in 1...5 {
        try batch.advance(to: Double(frame) * 0.7)
        try batch.withValues(dimension: 0) { column in
          for row in column.indices { hash = (hash ^ UInt64(column[row].bitPattern)) &* 0x100_0000_01b3 }
        }
      }
      hashes.insert(hash)
    }
    #expect(hashes.count == 1)
  }

  @Test("In a task that is cancelled, and in one beside others, a frame is completed")
  func tasks() async throws {
    func play() throws -> [Float] {
      var batch = try KeyframeBatch()
      let handles = try Self.fill(&batch, Self.ramp(), (0..<5000).map { Playback(delay: 1e-3 * Double($0)) })
      batch.threadCount = 3
      for frame in 1...4 { try batch.advance(to: Double(frame)) }
      #expect(batch.time == 4)
      return try handles.map { handle in try batch.value(of: handle) }
    }
    let expected = try play()
    let shown = try await withThrowingTaskGroup(of: [Float].self) { group in
      for _ in 0..<4 {
        group.addTask {
          while !Task.isCancelled { await Task.yield() }
          return try play()
        }
      }
      group.cancelAll()
      return try await group.reduce(into: [[Float]]()) { $0.append($1) }
    }
    #expect(shown.count == 4 && shown.allSatisfy { $0 == expected })
  }
}
