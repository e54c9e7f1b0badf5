// SPDX-License-Identifier: MIT
import Murmuration
import Testing

/// Each verb with any selection and any values means the same as with arrays of handles and values.
struct TrackSelectionTests {
  enum Verb: CaseIterable {
    case animate, animateBySprings, animateEach, animateLater, retarget, retargetLater, set, displace, push, decelerate
    case follow, followEach, setGoals, play, playEach, playPhases, setVariations, setSpeed, seek, seekProgress
    case pause, resume, stop, trigger, cancelDelays, remove
  }

  /// The form of the values of a call.
  enum Layout: CaseIterable { case one, array, slice, span, planar, interleaved }

  /// Forty tracks: springs of which some wait, clips, tracks that follow, and phases that wait for a trigger; every fourth is
  /// paused, and index 7 is free.
  private static func fill(_ batch: inout AnimationBatch<SIMD2<Float>>) throws -> [TrackHandle] {
    let tracks = try batch.add((0..<40).map { SIMD2(Float($0), 1) })
    try batch.animate(tracks, to: [50, -50], .bouncy(duration: 2))
    try batch.animate(Array(tracks[0..<12]), to: [-5, 5], .smooth, delays: [Double](repeating: 0.4, count: 12))
    try batch.play(try batch.load(try clip(duration: 3)), on: Array(tracks[12..<24]))
    let phases = try PhaseSequence([0, 1], target: { SIMD2<Float>(10 * Float($0), 1) }, animation: { _ in .snappy })
    try batch.play(try batch.load(phases), on: Array(tracks[24..<30]), .triggered)
    try batch.follow(Array(tracks[30..<34]))
    try batch.remove(tracks[7])
    try batch.advance(to: 0.2)
    try batch.pause(stride(from: 1, to: 40, by: 4).map { tracks[$0] })
    return tracks
  }

  private static func clip(duration: Double) throws -> Clip {
    try Clip(
      KeyframeTimeline(initialValue: SIMD2<Float>.zero) { CubicKeyframe(SIMD2<Float>(9, -4), duration: duration) })
  }

  /// The value for the track of an index; nil stands for all tracks.
  private static func value(_ index: Int?) -> SIMD2<Float> {
    index.map { SIMD2(Float($0) - 20, 3 * Float($0)) } ?? [7, -3]
  }

  private static func number(_ index: Int?) -> Double { index.map { 0.02 + 0.02 * Double($0) } ?? 0.3 }

  /// Makes a call about the tracks of indices.
  private static func call(
    _ verb: Verb, _ layout: Layout, _ batch: inout AnimationBatch<SIMD2<Float>>,
    _ tracks: some TrackSelection & ~Escapable, _ indices: [Int]
  ) throws {
    let values = indices.map { value(layout == .one ? nil : $0) }
    let numbers = indices.map { number(layout == .one ? nil : $0) }
    switch layout {
    case .one: try oneCall(verb, &batch, tracks, value(nil), number(nil), numbers)
    case .array: try listCall(verb, &batch, tracks, values, numbers, values, numbers)
    case .slice:
      // The elements begin anywhere.
      let (padded, times) = ([.zero] + values + [.zero], [9] + numbers + [9])
      let range = 1..<1 + values.count
      try listCall(verb, &batch, tracks, padded[range], times[range], values, numbers)
    case .span: try listCall(verb, &batch, tracks, values.span, numbers.span, values, numbers)
    case .planar: try planarCall(verb, &batch, tracks, values.map(\.x) + values.map(\.y), .planar, numbers)
    case .interleaved:
      let vertices: [Float] = [9, 9] + values.flatMap { [$0.x, $0.y, 9, 9, 9] }
      try planarCall(verb, &batch, tracks, vertices, .interleaved(stride: 5, offset: 2), numbers)
    }
  }

  private static func springs(_ numbers: [Double]) -> [Spring] { numbers.map { Spring(duration: 0.5 + $0) } }
  private static func eases(_ numbers: [Double]) -> [Animation?] { numbers.map { .easeOut(duration: 0.5 + $0) } }

  private static func loadPhases(_ batch: inout AnimationBatch<SIMD2<Float>>) throws -> PhaseSequenceID {
    try batch.load(try PhaseSequence([0, 1], target: { SIMD2<Float>(repeating: Float($0)) }))
  }

  private static func oneCall(
    _ verb: Verb, _ batch: inout AnimationBatch<SIMD2<Float>>, _ tracks: some TrackSelection & ~Escapable,
    _ value: SIMD2<Float>, _ number: Double, _ numbers: [Double]
  ) throws {
    switch verb {
    case .animate: try batch.animate(tracks, to: value, .snappy)
    case .animateBySprings: try batch.animate(tracks, to: value, springs: springs(numbers))
    case .animateEach: try batch.animate(tracks, to: value, animations: eases(numbers))
    case .animateLater: try batch.animate(tracks, to: value, .smooth, delay: number)
    case .retarget: try batch.retarget(tracks, to: value)
    case .retargetLater: try batch.retarget(tracks, to: value, delay: number)
    case .set: try batch.set(tracks, value, velocity: value)
    case .displace: try batch.displace(tracks, value, velocity: value)
    case .push: try batch.push(tracks, by: value)
    case .decelerate: try batch.decelerate(tracks, velocity: value)
    case .setGoals: try batch.setGoals(of: tracks, value)
    case .playPhases:
      try batch.play(loadPhases(&batch), on: tracks, startingAt: 0.2 + number, offset: value, scale: value)
    case .setVariations: try batch.setVariation(of: tracks, scale: value, offset: value)
    default: try plainCall(verb, &batch, tracks, number, Playback(speed: number), numbers)
    }
  }

  private static func listCall<Values: PerTrack<SIMD2<Float>> & ~Escapable>(
    _ verb: Verb, _ batch: inout AnimationBatch<SIMD2<Float>>, _ tracks: some TrackSelection & ~Escapable,
    _ values: Values, _ numbers: some PerTrack<Double> & ~Escapable, _ vectors: [SIMD2<Float>], _ times: [Double]
  ) throws {
    switch verb {
    case .animate: try batch.animate(tracks, to: values, .snappy)
    case .animateBySprings: try batch.animate(tracks, to: values, springs: springs(times))
    case .animateEach: try batch.animate(tracks, to: values, animations: eases(times))
    case .animateLater: try batch.animate(tracks, to: values, .smooth, delays: numbers)
    case .retarget: try batch.retarget(tracks, to: values)
    case .retargetLater: try batch.retarget(tracks, to: values, delays: numbers)
    case .set: try batch.set(tracks, values, velocities: values)
    case .displace: try batch.displace(tracks, values, velocities: values)
    case .push: try batch.push(tracks, by: values)
    case .decelerate: try batch.decelerate(tracks, velocities: values)
    case .setGoals: try batch.setGoals(of: tracks, values)
    case .playPhases:
      let starts = times.map { 0.2 + $0 }
      try batch.play(loadPhases(&batch), on: tracks, startingAt: starts, offsets: vectors, scales: vectors)
    case .setVariations: try batch.setVariations(of: tracks, scales: values, offsets: values)
    default: try plainCall(verb, &batch, tracks, numbers, times.map { Playback(speed: $0) }, times)
    }
  }

  private static func planarCall(
    _ verb: Verb, _ batch: inout AnimationBatch<SIMD2<Float>>, _ tracks: some TrackSelection & ~Escapable,
    _ floats: [Float], _ layout: ColumnLayout, _ numbers: [Double]
  ) throws {
    switch verb {
    case .animate: try batch.animate(tracks, toPlanar: floats, layout: layout, .snappy)
    case .animateBySprings: try batch.animate(tracks, toPlanar: floats, layout: layout, springs: springs(numbers))
    case .animateEach: try batch.animate(tracks, toPlanar: floats, layout: layout, animations: eases(numbers))
    case .animateLater: try batch.animate(tracks, toPlanar: floats, layout: layout, .smooth, delays: numbers)
    case .retarget: try batch.retarget(tracks, toPlanar: floats, layout: layout)
    case .retargetLater: try batch.retarget(tracks, toPlanar: floats, layout: layout, delays: numbers)
    case .set: try batch.set(tracks, planar: floats, velocities: floats, layout: layout)
    case .displace: try batch.displace(tracks, planar: floats, velocities: floats, layout: layout)
    case .push: try batch.push(tracks, byPlanar: floats, layout: layout)
    case .decelerate: try batch.decelerate(tracks, planarVelocities: floats, layout: layout)
    case .setGoals: try batch.setGoals(of: tracks, planar: floats, layout: layout)
    case .playPhases:
      try batch.play(
        loadPhases(&batch), on: tracks, startingAt: numbers.map { 0.2 + $0 }, planarOffsets: floats, scales: floats,
        layout: layout)
    case .setVariations: try batch.setVariations(of: tracks, planarScales: floats, offsets: floats, layout: layout)
    default: try plainCall(verb, &batch, tracks, numbers, numbers.map { Playback(speed: $0) }, numbers)
    }
  }

  /// Calls that take no values.
  private static func plainCall(
    _ verb: Verb, _ batch: inout AnimationBatch<SIMD2<Float>>, _ tracks: some TrackSelection & ~Escapable,
    _ numbers: some PerTrack<Double> & ~Escapable, _ playbacks: some PerTrack<Playback>, _ times: [Double]
  ) throws {
    switch verb {
    case .follow: try batch.follow(tracks, with: .bouncy)
    case .followEach: try batch.follow(tracks, springs: springs(times))
    case .play: try batch.play(try batch.load(clip(duration: 2)), on: tracks, playbacks)
    case .playEach:
      let clips = [try batch.load(clip(duration: 1)), try batch.load(clip(duration: 2))]
      try batch.play(times.map { $0 < 0.4 ? clips[0] : clips[1] }, on: tracks, Playback(speed: 2))
    case .setSpeed: try batch.setSpeed(numbers, of: tracks)
    case .seek: try batch.seek(tracks, to: numbers)
    case .seekProgress: try batch.seek(tracks, progress: numbers)
    case .pause: try batch.pause(tracks)
    case .resume: try batch.resume(tracks)
    case .stop: try batch.stop(tracks)
    case .trigger: try batch.trigger(tracks)
    case .cancelDelays: try batch.cancelDelays(of: tracks)
    case .remove: try batch.remove(tracks)
    default: Issue.record("\(verb) takes values")
    }
  }

  private static func shown(_ batch: borrowing AnimationBatch<SIMD2<Float>>, _ tracks: [TrackHandle]) -> [SIMD2<Float>?]
  {
    tracks.flatMap { [batch[$0], batch.velocity(of: $0), batch.target(of: $0)] }
  }

  /// What tracks show in some frames.
  private static func frames(
    _ batch: inout AnimationBatch<SIMD2<Float>>, _ tracks: [TrackHandle]
  ) throws -> [[SIMD2<Float>?]] {
    var frames: [[SIMD2<Float>?]] = []
    for time in [0.2, 0.3, 0.5, 1.5] {
      try batch.advance(to: time)
      frames.append(shown(batch, tracks))
    }
    return frames
  }

  // MARK: - The table

  @Test(arguments: Verb.allCases) func everyCellMeansTheSame(_ verb: Verb) throws {
    for layout in Layout.allCases {
      var other = try AnimationBatch<SIMD2<Float>>()
      let others = try Self.fill(&other)
      let live = (2..<33).filter { $0 != 7 }
      // One value is that value for each.
      if layout == .one {
        for index in live { try Self.call(verb, .one, &other, [others[index]], [index]) }
      } else {
        try Self.call(verb, .array, &other, live.map { others[$0] }, live)
      }
      let expected = try Self.frames(&other, live.map { others[$0] })
      for selection in 0..<7 {
        var batch = try AnimationBatch<SIMD2<Float>>()
        let tracks = try Self.fill(&batch)
        switch selection {
        case 0: for range in [2..<7, 8..<33] { try Self.call(verb, layout, &batch, tracks[range], Array(range)) }
        case 1:
          for range in [2..<7, 8..<33] {
            let list = Array(tracks[range])
            try Self.call(verb, layout, &batch, list.span, Array(range))
          }
        case 2: try Self.call(verb, layout, &batch, 2..<33, Array(2..<33))
        // The track of index 7 is gone.
        case 3: try Self.call(verb, layout, &batch, .live(Array(tracks[2..<33])), Array(2..<33))
        case 4:
          let group = TrackGroup(tracks[2..<33].reversed() + [tracks[9], tracks[2]])
          try Self.call(verb, layout, &batch, group, Array(2..<33))
        case 5: for index in live { try Self.call(verb, layout, &batch, tracks[index], [index]) }
        default: try Self.call(verb, layout, &batch, .all, Array(0..<40))
        }
        let frames = try Self.frames(&batch, live.map { tracks[$0] })
        #expect(frames == expected, "\(layout), selection \(selection)")
      }
    }
  }

  @Test(arguments: Verb.allCases) func selectionsThatNameNoTracksAreRefusedOrEmpty(_ verb: Verb) throws {
    var other = try AnimationBatch<SIMD2<Float>>()
    let stranger = try other.add([1, 1])
    for layout in Layout.allCases {
      var batch = try AnimationBatch<SIMD2<Float>>()
      let tracks = try Self.fill(&batch)
      let before = Self.shown(batch, tracks)
      #expect(throws: BatchError.trackOutOfRange(40, count: 40)) {
        try Self.call(verb, layout, &batch, 30..<41, Array(30..<41))
      }
      #expect(throws: BatchError.staleHandle(tracks[7])) {
        try Self.call(verb, layout, &batch, tracks[5..<9], [5, 6, 7, 8])
      }
      #expect(throws: BatchError.staleHandle(tracks[7])) { try Self.call(verb, layout, &batch, tracks[7], [7]) }
      try Self.call(verb, layout, &batch, 7..<8, [7])
      try Self.call(verb, layout, &batch, tracks[0..<0], [])
      // Tracks that are gone are passed over, and tracks of another batch are not.
      try Self.call(verb, layout, &batch, .live([tracks[7]]), [7])
      try Self.call(verb, layout, &batch, TrackGroup([tracks[7]]), [7])
      #expect(throws: BatchError.storeMismatch(stranger)) {
        try Self.call(verb, layout, &batch, .live([tracks[3], stranger, tracks[4]]), [3, 4, 5])
      }
      #expect(Self.shown(batch, tracks) == before)
    }
  }

  // MARK: - Tracks that are gone

  @Test func aTrackThatIsGoneReadsAsZero() throws {
    var batch = try AnimationBatch<SIMD2<Float>>()
    let tracks = try Self.fill(&batch)
    try batch.advance(to: 0.3, velocities: true)
    let names = [tracks[3], tracks[7], tracks[13]]
    var values = [SIMD2<Float>](repeating: [9, 9], count: 3)
    try batch.copyValues(of: .live(names), into: &values)
    #expect(values == [batch[tracks[3]], .zero, batch[tracks[13]]])
    var columns = [Float](repeating: 9, count: 6)
    var span = columns.mutableSpan
    try batch.copyVelocities(of: .live(names), planar: &span)
    #expect(columns[0] == batch.velocity(of: tracks[3])?.x && columns[1] == 0 && columns[4] == 0)
  }

  @Test func aGroupKeepsTheNewestTrackOfEachIndexInOrder() throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add((0..<5).map(Float.init))
    try batch.remove(tracks[2])
    let later = try batch.add(9)
    var group = TrackGroup([tracks[4], later, tracks[0], tracks[2], tracks[4]])
    #expect(group.tracks == [tracks[0], later, tracks[4]])
    group.tracks.append(tracks[1])
    #expect(group.tracks == [tracks[0], tracks[1], later, tracks[4]])
    try batch.remove(group)
    #expect(batch.count == 1)
    try batch.animate(group, to: 4)
  }

  /// The first track waits for a call, plays phases or is paused, while calls pass over tracks that are gone.
  @Test func tracksThatArePassedOverLeaveTheFirstOneAlone() throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([0, 0, 0])
    try batch.remove(tracks[2])
    let gone = LiveTracks.live([tracks[2], tracks[2]])
    try batch.animate(tracks[0], to: 5, .linear(duration: 1), delay: 1)
    try batch.stop(gone)
    try batch.advance(to: 1.5)
    #expect(batch[tracks[0]] == 2.5)
    try batch.pause(tracks[0])
    try batch.animate(gone, to: [9, 9])
    try batch.set(gone, 9)
    #expect(batch.isPaused(tracks[0]) == true)
    let sequence = try PhaseSequence([0, 1] as [Float], target: { $0 })
    try batch.play(try batch.load(sequence), on: tracks[0])
    try batch.follow(gone)
    #expect(batch.phase(of: tracks[0]) == 0)
  }

  /// A recording began after the batch had gone back to a time without tracks.
  @Test func aRecordingKnowsNoTracksOfBeforeItsStart() throws {
    var batch = try AnimationBatch<Float>()
    let empty = try batch.snapshot()
    let gone = try batch.add([0, 0, 0])
    try batch.restore(empty)
    try batch.record()
    try batch.add(1)
    try batch.stop(.live(gone))
    #expect(batch.recording?.calls.last?.tracks == .tracks([]))
  }

  @Test func aRecordingLeavesOutWhatIsPassedOver() throws {
    var batch = try AnimationBatch<Float>()
    try batch.record()
    let tracks = try batch.add([0, 0, 0])
    try batch.remove(tracks[1])
    let newer = try batch.add(7)
    try batch.animate(.live(tracks), to: [1, 2, 3], springs: [.smooth, .bouncy, .snappy])
    let call = try #require(batch.recording?.calls.last)
    #expect(call.tracks == .tracks([0, 2]) && call.goals == [1, 3])
    #expect(call.animations == [.spring(.smooth), .spring(.snappy)])
    #expect(batch.target(of: newer) == 7)
  }
}
