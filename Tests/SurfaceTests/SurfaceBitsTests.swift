// SPDX-License-Identifier: MIT
import AnimationModel
import CSurface
import Murmuration
import Testing

/// The surface shows the bits of the same calls in Swift.
@Suite final class SurfaceBitsTests {
  private static let count = 100
  private var random = SplitMix64(seed: 1)
  private var swift: AnimationBatch<SIMD2<Float>>
  private let handles: [TrackHandle]
  private let c: CBatch
  private let tracks: [murmuration_track]
  /// The changes whose ends were told.
  private var outcomeCount = 0

  init() throws {
    swift = try AnimationBatch()
    c = try CBatch()
    let start = (0..<Self.count).map { SIMD2(Float($0), Float(-$0)) }
    handles = try swift.add(start)
    tracks = try c.add(start.flatMap { [$0.x, $0.y] })
  }

  /// Draws a vector for each track.
  private func draw(_ count: Int = count) -> [SIMD2<Float>] {
    (0..<count).map { _ in SIMD2(Float(random.uniform(-50...50)), Float(random.uniform(-50...50))) }
  }

  private func numbers(_ values: [SIMD2<Float>]) -> [Float] { values.flatMap { [$0.x, $0.y] } }

  /// Advances both, and compares values, velocities, targets and events.
  private func compare(
    until end: Double, frames: Int = 40, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let start = swift.time
    var values = [SIMD2<Float>](repeating: .zero, count: swift.indexCount)
    for frame in 0...frames {
      let time = start + (end - start) * Double(frame) / Double(frames)
      try swift.advance(to: time, velocities: true)
      #expect(murmuration_advance(c.id, time, MURMURATION_WITH_VELOCITIES) == ok)
      // Compared outside of the expectations, which would print all numbers.
      try swift.copyValues(into: &values)
      let hasValues = numbers(values).map(\.bitPattern) == c.read(MURMURATION_VALUES).map(\.bitPattern)
      var span = values.mutableSpan
      try swift.copyVelocities(into: &span)
      let hasVelocities = numbers(values).map(\.bitPattern) == c.read(MURMURATION_VELOCITIES).map(\.bitPattern)
      let targets = handles.map { swift.target(of: $0) ?? .zero }
      let hasTargets = numbers(targets) == c.read(MURMURATION_TARGETS)
      #expect(hasValues && hasVelocities && hasTargets, "at \(time)", sourceLocation: sourceLocation)
      let (a, b) = (swift.events, c.events)
      let hasEvents = a.elementsEqual(b) { a, b in
        a.track.index == Int(b.track.index) && a.change.rawValue == b.change && a.moment == b.time
          && Int64(a.number) == b.number && Int32(a.kind.rawValue) == b.kind
      }
      let hasOutcomes = swift.outcomes.elementsEqual(c.outcomes) { a, b in
        a.change.rawValue == b.change && a.completed == b.completed && a.replaced == b.replaced
          && a.removed == b.removed
      }
      let hasTrackOutcomes = swift.trackOutcomes.elementsEqual(c.trackOutcomes) { a, b in
        a.track.index == Int(b.track.index) && a.change.rawValue == b.change && Int32(a.result.rawValue) == b.result
      }
      outcomeCount += swift.outcomes.count
      #expect(hasEvents && hasOutcomes && hasTrackOutcomes, "at \(time)", sourceLocation: sourceLocation)
    }
  }

  /// Every call that has a completion, with both, and changes that are complete, replaced and removed.
  @Test func endsOfChanges() throws {
    let (settled, logical) = (Int32(MURMURATION_UNTIL_SETTLED), Int32(MURMURATION_UNTIL_LOGICALLY_COMPLETE))
    var (bouncy, each) = (spring(0.5, 0.3), [spring(0.2, 0), murmuration_animation()])
    #expect(murmuration_animate(c.id, tracks, 0, 40, [7, 8], 0, 1, &bouncy, nil, settled, nil) == ok)
    try swift.animate(Array(handles[..<40]), to: [7, 8], .bouncy, completion: .settled)
    // The number of tracks decides which call of the engine it is.
    #expect(murmuration_animate_each(c.id, tracks, 40, 2, [7, 8], 0, 1, each, [0, 0.1], logical, nil) == ok)
    try swift.animate(
      Array(handles[40..<42]), to: [7, 8], animations: [.spring(duration: 0.2), nil], delays: [0, 0.1],
      completion: .logicallyComplete)
    #expect(murmuration_animate_each(c.id, tracks, 42, 1, [7, 8], 0, 1, each, nil, logical, nil) == ok)
    try swift.animate(handles[42], to: [7, 8], .spring(duration: 0.2), completion: .logicallyComplete)
    #expect(murmuration_retarget(c.id, tracks, 43, 10, [7, 8], 0, 1, nil, settled, nil) == ok)
    try swift.retarget(Array(handles[43..<53]), to: [7, 8], completion: .settled)
    #expect(murmuration_decelerate(c.id, tracks, 53, 10, [90, 9], 0, 1, 0.99, nil, nil, 0, nil, settled, nil) == ok)
    try swift.decelerate(Array(handles[53..<63]), velocity: [90, 9], by: .fast, completion: .settled)
    var (clip, phases) = (murmuration_clip(), murmuration_phases())
    let cubic = keyframe(MURMURATION_CUBIC_KEYFRAME, to: 5, duration: 0.4)
    #expect(murmuration_load_clip(c.id, [0, 0], [cubic, cubic], [1, 1], 2, 0, &clip, nil) == ok)
    let model = try Clip(initialValue: SIMD2<Double>(0, 0)) { _ in
      KeyframeTrack(\.x) { CubicKeyframe(5, duration: 0.4) }
      KeyframeTrack(\.y) { CubicKeyframe(5, duration: 0.4) }
    }
    #expect(murmuration_play_clip(c.id, &clip, tracks, 63, 10, nil, 0, 0, logical, nil) == ok)
    try swift.play(try swift.load(model), on: Array(handles[63..<73]), completion: .logicallyComplete)
    #expect(murmuration_load_phases(c.id, [0, 0, 1, 1], [each[0], each[0]], 2, 2, &phases) == ok)
    let sequence = try PhaseSequence(
      dimensions: 2, targets: [[0, 0], [1, 1]],
      animations: [.spring(duration: 0.2, bounce: 0), .spring(duration: 0.2, bounce: 0)])
    let mode = Int32(MURMURATION_TRIGGERED)
    #expect(murmuration_play_phases(c.id, &phases, tracks, 73, 10, mode, nil, nil, 0, 0, nil, 0, 0, nil) == ok)
    try swift.play(try swift.load(sequence), on: Array(handles[73..<83]), .triggered)
    #expect(murmuration_trigger(c.id, tracks, 73, 10, settled, nil) == ok)
    try swift.trigger(Array(handles[73..<83]), completion: .settled)
    try compare(until: 0.1)
    #expect(murmuration_stop(c.id, tracks, 0, 3) == ok && murmuration_remove(c.id, tracks, 5, 4) == ok)
    try swift.stop(Array(handles[..<3]))
    try swift.remove(Array(handles[5..<9]))
    try compare(until: 9, frames: 200)
    #expect(outcomeCount == 7)
  }

  @Test func columnsAndPartsAndOneGoal() throws {
    let goals = draw(40)
    var smooth = spring(0.5, 0)
    // Columns of 40 tracks, for the handles from 20 on.
    #expect(
      murmuration_animate(c.id, tracks, 20, 40, goals.map(\.x) + goals.map(\.y), 1, 40, &smooth, nil, 0, nil) == ok)
    try swift.animate(Array(handles[20..<60]), to: goals, .smooth)
    // One goal for a range of indices, with one number for both components.
    var snappy = spring(0.4, 0.15)
    #expect(murmuration_animate(c.id, nil, 60, 30, [7], 0, 0, &snappy, nil, 0, nil) == ok)
    try swift.animate(60..<90, to: [SIMD2<Float>](repeating: [7, 7], count: 30).span, .snappy(duration: 0.4))
    try compare(until: 1)
    // Every track, and the indices from one on.
    let everywhere = draw()
    #expect(murmuration_retarget(c.id, nil, 0, all, numbers(everywhere), 2, 1, nil, 0, nil) == ok)
    try swift.retarget(.all, to: everywhere.span)
    try compare(until: 1.3)
    #expect(murmuration_retarget(c.id, nil, 50, all, numbers(everywhere.reversed()), 2, 1, nil, 0, nil) == ok)
    try swift.retarget(50..<100, to: Array(Array(everywhere.reversed())[..<50]).span)
    try compare(until: 4)
  }

  @Test func eachItsAnimationAndDelay() throws {
    let goals = draw()
    var (each, swifts): ([murmuration_animation], [Animation?]) = ([], [])
    func modified(_ animation: murmuration_animation, _ kind: Int, _ number: Double) -> murmuration_animation {
      murmuration_modified(animation, Int32(kind), number)
    }
    let pushed = murmuration_interpolating_spring(murmuration_spring_of_stiffness(1, 100, 8), 0.5)
    let eased = murmuration_curve_animation(murmuration_named_curve(Int32(MURMURATION_EASE_IN)), 0.3)
    let turning = modified(eased, MURMURATION_REPEAT_AUTOREVERSED, 3)
    for index in 0..<100 {
      let (duration, bounce) = (random.uniform(0.1...2), random.uniform(-0.5...0.9))
      let curve = murmuration_curve_animation(murmuration_bezier(0.3, 0.1, 0.2, 1.4), duration)
      let pairs: [(murmuration_animation, Animation?)] = [
        (spring(duration, bounce), .spring(duration: duration, bounce: bounce)), (murmuration_animation(), nil),
        (curve, .timingCurve(0.3, 0.1, 0.2, 1.4, duration: duration)),
        (
          modified(modified(pushed, MURMURATION_SPEED, 2), MURMURATION_DELAY, 0.1),
          .interpolatingSpring(mass: 1, stiffness: 100, damping: 8, initialVelocity: 0.5).speed(2).delay(0.1)
        ),
        (
          modified(turning, MURMURATION_LOGICALLY_COMPLETE, 0.5),
          .easeIn(duration: 0.3).repeatCount(3, autoreverses: true).logicallyComplete(after: 0.5)
        ),
      ]
      each.append(pairs[index % 5].0)
      swifts.append(pairs[index % 5].1)
    }
    #expect(murmuration_animate_each(c.id, tracks, 0, 100, numbers(goals), 2, 1, each, nil, 0, nil) == ok)
    try swift.animate(handles, to: goals, animations: swifts)
    try compare(until: 0.5)
    let delays = (0..<100).map { Double($0) / 100 }
    #expect(murmuration_retarget(c.id, tracks, 0, 100, [1, 2], 0, 1, delays, 0, nil) == ok)
    try swift.retarget(handles, to: [SIMD2<Float>](repeating: [1, 2], count: 100), delays: delays)
    #expect(murmuration_cancel_delays(c.id, tracks, 90, 10) == ok)
    try swift.cancelDelays(of: Array(handles[90...]))
    try compare(until: 4)
  }

  @Test func byHand() throws {
    let (values, speeds, goals) = (draw(), draw(), draw())
    var bouncy = spring(0.5, 0.3)
    #expect(murmuration_animate(c.id, nil, 0, all, numbers(goals), 2, 1, &bouncy, nil, 0, nil) == ok)
    try swift.animate(.all, to: goals.span, .bouncy)
    try compare(until: 0.2)
    #expect(
      murmuration_set(c.id, tracks, 0, 30, numbers(values), 2, 1, numbers(speeds), 2, 1, nil) == ok)
    try swift.set(Array(handles[..<30]), Array(values[..<30]), velocities: Array(speeds[..<30]))
    #expect(murmuration_displace(c.id, tracks, 30, 30, numbers(values), 2, 1, nil, 0, 0, nil) == ok)
    try swift.displace(Array(handles[30..<60]), Array(values[..<30]))
    #expect(murmuration_push(c.id, tracks, 50, 30, numbers(speeds), 2, 1, nil) == ok)
    try swift.push(Array(handles[50..<80]), by: Array(speeds[..<30]))
    #expect(murmuration_decelerate(c.id, tracks, 60, 20, numbers(speeds), 2, 1, 0.99, nil, nil, 0, nil, 0, nil) == ok)
    try swift.decelerate(Array(handles[60..<80]), velocities: Array(speeds[..<20]), by: .fast)
    #expect(murmuration_decelerate(c.id, tracks, 80, 20, nil, 0, 0, 0.998, nil, nil, 0, nil, 0, nil) == ok)
    try swift.decelerate(Array(handles[80...]))
    var snappy = murmuration_spring_of_duration(0.4, 0.2)
    let (bounds, grid, points): ([Float], [Float], [Float]) = (
      [-80, -.infinity, 90, 40], [25, 10, 3, -1], [0, 0, 100, 20, -50, 500]
    )
    #expect(
      murmuration_decelerate(c.id, tracks, 0, 10, numbers(speeds), 2, 1, 0.998, bounds, nil, 0, &snappy, 0, nil) == ok)
    let limits = (lower: SIMD2<Float>(-80, -.infinity), upper: SIMD2<Float>(90, 40))
    let spring = Spring(duration: 0.4, bounce: 0.2)
    try swift.decelerate(Array(handles[..<10]), velocities: Array(speeds[..<10]), within: limits, spring: spring)
    let grids = Int32(MURMURATION_GRID)
    #expect(murmuration_decelerate(c.id, tracks, 10, 5, nil, 0, 0, 0.998, nil, grid, grids, nil, 0, nil) == ok)
    try swift.decelerate(Array(handles[10..<15]), snap: .every([25, 10], from: [3, -1]))
    #expect(murmuration_decelerate(c.id, tracks, 15, 5, nil, 0, 0, 0.99, bounds, points, 3, &snappy, 0, nil) == ok)
    try swift.decelerate(
      Array(handles[15..<20]), by: .fast, within: limits, snap: .values([[0, 0], [100, 20], [-50, 500]]), spring: spring
    )
    try compare(until: 0.6)
    #expect(murmuration_pause(c.id, nil, 20, 30) == ok)
    try swift.pause(Array(handles[20..<50]))
    #expect(murmuration_stop(c.id, tracks, 60, 5) == ok)
    try swift.stop(Array(handles[60..<65]))
    try compare(until: 1)
    #expect(murmuration_resume(c.id, tracks, 0, 100) == ok)
    try swift.resume(handles)
    try compare(until: 5)
  }

  @Test func clips() throws {
    let springy = murmuration_spring_of_duration(0.3, 0.4)
    let keyframes = [
      keyframe(
        MURMURATION_LINEAR_KEYFRAME, to: 10, duration: 0.25, curve: murmuration_named_curve(Int32(MURMURATION_EASE_OUT))
      ),
      keyframe(
        MURMURATION_CUBIC_KEYFRAME, to: -3, duration: 0.5, flags: MURMURATION_HAS_END_VELOCITY, velocities: (0, 4)),
      keyframe(MURMURATION_SPRING_KEYFRAME, to: 2, spring: springy), keyframe(MURMURATION_MOVE, to: 5),
      keyframe(
        MURMURATION_SPRING_KEYFRAME, to: 8, duration: 0.4,
        flags: MURMURATION_HAS_DURATION | MURMURATION_HAS_START_VELOCITY, spring: springy, velocities: (-2, 0)),
    ]
    var clip = murmuration_clip()
    var duration = 0.0
    #expect(murmuration_load_clip(c.id, [1, 4], keyframes, [3, 2], 2, 0, &clip, &duration) == ok)
    let model = try Clip(initialValue: SIMD2<Double>(1, 4)) { _ in
      KeyframeTrack(\.x) {
        LinearKeyframe(10, duration: 0.25, timingCurve: .easeOut)
        CubicKeyframe(-3, duration: 0.5, endVelocity: 4)
        SpringKeyframe(2, spring: Spring(duration: 0.3, bounce: 0.4))
      }
      KeyframeTrack(\.y) {
        MoveKeyframe(5)
        SpringKeyframe(8, duration: 0.4, spring: Spring(duration: 0.3, bounce: 0.4), startVelocity: -2)
      }
    }
    #expect(duration == model.duration)
    let id = try swift.load(model)
    #expect(murmuration_play_clip(c.id, &clip, tracks, 0, 40, nil, 0, Int32(MURMURATION_FIRST_VALUE), 0, nil) == ok)
    try swift.play(id, on: Array(handles[..<40]))
    var (playbacks, swifts): ([murmuration_playback], [Playback]) = ([], [])
    for index in 0..<40 {
      var playback = murmuration_playback()
      #expect(murmuration_playback_default(&playback) == ok)
      playback.delay = Double(index) / 80
      playback.iterations = index % 2 == 0 ? .infinity : 3
      playback.speed = index % 3 == 0 ? -1 : 1.5
      playback.flags = Int32(MURMURATION_AUTOREVERSES | MURMURATION_STARTS_AT | MURMURATION_TARGET_AFTER)
      playback.start = 0.25
      playbacks.append(playback)
      swifts.append(
        Playback(
          start: 0.25, delay: playback.delay, speed: playback.speed,
          repetition: index % 2 == 0 ? .forever : .count(3), autoreverses: true, holdsAfter: false))
    }
    #expect(murmuration_set_reports(c.id, MURMURATION_REPORT_ITERATIONS) == ok)
    swift.reports = .iterations
    #expect(
      murmuration_play_clip(c.id, &clip, tracks, 40, 40, playbacks, 40, Int32(MURMURATION_FIRST_VALUE), 0, nil) == ok)
    try swift.play([ClipID](repeating: id, count: 40), on: Array(handles[40..<80]), swifts)
    try compare(until: 0.6)
    // Anew from what the tracks show.
    #expect(murmuration_play_clip(c.id, &clip, tracks, 0, 10, nil, 0, Int32(MURMURATION_SHOWN_VALUE), 0, nil) == ok)
    try swift.play(id, on: Array(handles[..<10]), start: .shownValue)
    #expect(murmuration_set_speed(c.id, tracks, 10, 10, [0.5], 1) == ok)
    try swift.setSpeed(0.5, of: Array(handles[10..<20]))
    #expect(murmuration_seek(c.id, tracks, 20, 2, [0.1, 0.9], 2) == ok)
    try swift.seek(Array(handles[20..<22]), to: [0.1, 0.9])
    #expect(murmuration_vary(c.id, tracks, 22, 10, [2], 0, 0, [1, -1], 0, 1) == ok)
    try swift.setVariations(
      of: Array(handles[22..<32]), scales: [SIMD2<Float>](repeating: [2, 2], count: 10),
      offsets: [SIMD2<Float>](repeating: [1, -1], count: 10))
    try compare(until: 4)
    #expect(murmuration_unload_clip(c.id, &clip) == MURMURATION_CLIP_IN_USE)
    #expect(c.info.clip_count == Int32(swift.clipCount))
  }

  @Test func phases() throws {
    var animations = [spring(0.3, 0), murmuration_animation(), spring(0.2, 0.4)]
    animations[1] = murmuration_curve_animation(murmuration_named_curve(Int32(MURMURATION_EASE_IN_OUT)), 0.2)
    var phases = murmuration_phases()
    #expect(murmuration_load_phases(c.id, [0, 0, 10, -10, 3, 4], animations, 2, 3, &phases) == ok)
    let sequence = try PhaseSequence(
      dimensions: 2, targets: [[0, 0], [10, -10], [3, 4]],
      animations: [.spring(duration: 0.3, bounce: 0), .easeInOut(duration: 0.2), .spring(duration: 0.2, bounce: 0.4)])
    let id = try swift.load(sequence)
    swift.reports = .phases
    #expect(murmuration_set_reports(c.id, MURMURATION_REPORT_PHASES) == ok)
    let starts = (0..<50).map { Double($0) / 25 }
    let offsets = draw(50)
    #expect(
      murmuration_play_phases(
        c.id, &phases, tracks, 0, 50, Int32(MURMURATION_LOOPS), starts, [2], 0, 0, numbers(offsets), 2, 1, nil) == ok)
    try swift.play(
      id, on: Array(handles[..<50]), startingAt: starts, offsets: offsets, scales: .init(repeating: [2, 2], count: 50))
    #expect(
      murmuration_play_phases(
        c.id, &phases, tracks, 50, 50, Int32(MURMURATION_TRIGGERED), nil, nil, 0, 0, nil, 0, 0, nil) == ok)
    try swift.play(id, on: Array(handles[50...]), .triggered)
    try compare(until: 1)
    var change: UInt32 = 0
    #expect(murmuration_trigger(c.id, nil, 60, 20, 0, &change) == ok)
    #expect(try swift.trigger(Array(handles[60..<80])).rawValue == change)
    try compare(until: 4)
    var info = murmuration_track_info()
    var track = tracks[60]
    #expect(murmuration_track_describe(c.id, &track, &info) == ok)
    #expect(
      Int(info.phase) == swift.phase(of: handles[60]) && info.next_step_time == swift.nextStepTime(of: handles[60]))
  }

  @Test func bakes() throws {
    var bouncy = spring(0.5, 0.3)
    let goals = draw()
    #expect(murmuration_animate(c.id, tracks, 0, 100, numbers(goals), 2, 1, &bouncy, nil, 0, nil) == ok)
    try swift.animate(handles, to: goals, .bouncy)
    for (order, code) in [
      (BakeOrder.timeMajor, MURMURATION_TIME_MAJOR), (.interleaved, MURMURATION_INTERLEAVED),
      (.trackMajor, MURMURATION_TRACK_MAJOR),
    ] {
      var request = murmuration_bake_request(
        start: 0.1, frames_per_second: 60, first_frame: 3, frame_count: 20, first_index: 10, index_count: 50,
        first_component: 0, component_count: all, order: Int32(code), reserved: 0)
      var (values, speeds) = ([Float](repeating: .nan, count: 2_000), [Float](repeating: .nan, count: 2_000))
      #expect(murmuration_bake(c.id, &request, nil, 0, &values, &speeds, 2_000) == ok)
      var (expected, expectedSpeeds) = (values, speeds)
      var span = expected.mutableSpan
      var speedSpan = expectedSpeeds.mutableSpan
      try swift.bake(
        BakeRequest(BakeFrames(3..<23, perSecond: 60, start: 0.1), indices: 10..<60, order: order), into: &span,
        velocities: &speedSpan)
      #expect(values == expected && speeds == expectedSpeeds)
      (request.first_component, request.component_count) = (1, 1)
      let times = [0.5, 0.1, 7]
      var few = [Float](repeating: .nan, count: 150)
      #expect(murmuration_bake(c.id, &request, times, 3, &few, nil, 150) == ok)
      var other = few
      span = other.mutableSpan
      try swift.bake(BakeRequest(at: times, indices: 10..<60, components: 1..<2, order: order), into: &span)
      #expect(few == other && murmuration_bake(c.id, &request, times, 3, &few, nil, 149) == MURMURATION_INVALID_COUNT)
      #expect(murmuration_bake(c.id, &request, nil, 0, nil, nil, 0) == MURMURATION_INVALID_COUNT)
    }
  }

  @Test func removalAndIndices() throws {
    #expect(murmuration_remove(c.id, nil, 10, 20) == ok && murmuration_remove(c.id, tracks, 50, 3) == ok)
    try swift.remove(Array(handles[10..<30]) + handles[50..<53])
    try compare(until: 0.1)
    var bouncy = spring(0.2, 0)
    let goals = draw()
    #expect(murmuration_animate(c.id, nil, 0, all, numbers(goals), 2, 1, &bouncy, nil, 0, nil) == ok)
    try swift.animate(.all, to: goals.span, .spring(duration: 0.2))
    try compare(until: 0.3)
    #expect(murmuration_compact(c.id) == ok)
    try swift.compact()
    let count = c.info.index_count
    #expect(count == Int32(swift.indexCount) && c.info.count == 77)
    for component in 0..<2 {
      var (column, length): (UnsafePointer<Float>?, Int32) = (nil, 0)
      #expect(murmuration_column(c.id, Int32(MURMURATION_VALUES), Int32(component), &column, &length) == ok)
      #expect(length == count && UInt(bitPattern: column) % 64 == 0)
      let values = c.read(MURMURATION_VALUES)
      for index in 0..<swift.indexCount where swift.handle(at: index) != nil {
        #expect(column?[index] == values[2 * index + component])
      }
    }
    try compare(until: 9)
    var removed: Int32 = 0
    #expect(
      murmuration_remove_settled(c.id, &removed) == ok && removed == Int32(swift.removeSettled()) && removed == 77)
    #expect(murmuration_remove_all(c.id) == ok && c.info.count == 0)
  }

  /// Values are written between numbers of the caller, which stay.
  @Test func readingWithStrides() throws {
    #expect(murmuration_advance(c.id, 0.1, 0) == ok && murmuration_remove(c.id, tracks, 7, 1) == ok)
    let values = c.read(MURMURATION_VALUES)
    #expect(values[14] == 0 && values[15] == 0)
    func expect(_ track: Int32, _ component: Int32, _ first: Int, _ count: Int, _ handles: [murmuration_track]?) {
      var output = [Float](repeating: -7, count: 1_000)
      #expect(
        murmuration_read(
          c.id, Int32(MURMURATION_VALUES), handles, Int32(first), Int32(count), &output, track, component) == ok)
      var expected = [Float](repeating: -7, count: 1_000)
      for index in 0..<count {
        for dimension in 0..<2 {
          expected[index * Int(track) + dimension * Int(component)] = values[2 * (first + index) + dimension]
        }
      }
      #expect(output == expected)
    }
    for (track, component) in [(2, 1), (1, 100), (3, 1), (5, 2), (1, 300)] as [(Int32, Int32)] {
      expect(track, component, 0, 100, nil)
      expect(track, component, 5, 90, nil)
      expect(track, component, 20, 60, tracks)
    }
    // By handle, velocities need not have been computed.
    var numbers = [Float](repeating: 0, count: 200)
    let what = Int32(MURMURATION_VELOCITIES)
    #expect(murmuration_read(c.id, what, nil, 0, all, &numbers, 2, 1) == MURMURATION_VELOCITIES_NOT_COMPUTED)
    #expect(murmuration_read(c.id, what, tracks, 20, 60, &numbers, 2, 1) == ok)
    #expect(murmuration_read(c.id, what, tracks, 0, 100, &numbers, 2, 1) == MURMURATION_STALE_HANDLE)
  }

  @Test func verticesHaveTheBytesOfSwift() throws {
    #expect(murmuration_advance(c.id, 0.1, 1) == ok)
    try swift.advance(to: 0.1, velocities: true)
    for (code, format) in VertexLayout.Format.allCases.enumerated() {
      for (offset, stride, components) in [(0, 0, []), (3, 13, [1, 0, 1])] as [(Int32, Int32, [Int32])] {
        var (bytes, expected) = ([UInt8](repeating: 7, count: 1_400), [UInt8](repeating: 7, count: 1_400))
        let fits = stride == 0 || format.size * components.count <= stride
        components.withUnsafeBufferPointer { list in
          var layout = murmuration_vertex_layout(
            components: list.isEmpty ? nil : list.baseAddress, component_count: Int32(list.count), format: Int32(code),
            offset: offset, stride: stride, color_source: 0, color_destination: 0)
          let what = Int32(MURMURATION_VELOCITIES)
          let status = murmuration_copy_vertices(c.id, what, nil, 3, 97, &layout, &bytes, 1_400)
          #expect(status == (fits ? ok : Int32(MURMURATION_INVALID_STRIDE)))
        }
        guard fits else { continue }
        var span = expected.mutableSpan
        var output = span.mutableBytes
        let layout = VertexLayout(
          offset: Int(offset), stride: stride == 0 ? nil : Int(stride), format, components: components.map { Int($0) })
        try swift.copyVelocities(of: 3..<100, into: &output, layout: layout)
        #expect(bytes == expected)
      }
    }
  }

  @Test func theHashIsTheSameEverywhere() {
    var hash: UInt64 = 0
    #expect(murmuration_same_bits(&hash) == ok && hash == 0x4e4b_3474_32dd_aacd)
  }
}
