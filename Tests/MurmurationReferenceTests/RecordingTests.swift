// SPDX-License-Identifier: MIT
import Murmuration
import TestSupport
import Testing

@testable import MurmurationReference

/// Recordings of batches: what they keep, their files, their source, and the checks that play them.
struct RecordingTests {
  private static let seeds = 0..<UInt64(Effort.draws(quick: 5, soak: 2_000))

  /// What a batch showed at the end, by index.
  private static func end(_ player: borrowing BatchPlayer) -> [Components?] {
    var values: [Components?] = []
    for index in 0..<player.batch.indexCount {
      values.append(player.batch.handle(at: index).flatMap { player.batch[$0] })
    }
    return values
  }

  @Test(arguments: [BatchPlayer.Spelling.asRecorded, .handles, .planar, .ranges])
  func aRecordingPlaysTheSameWhateverTheSpellingWas(_ spelling: BatchPlayer.Spelling) throws {
    for seed in Self.seeds {
      let program = RandomProgram.draw(seed: seed)
      var player = try BatchPlayer(program, spelling: spelling, kernels: .portable)
      var plain = try BatchPlayer(program, kernels: .portable)
      try player.record()
      for call in program.calls {
        let isAccepted = (try? plain.perform(call)) != nil
        try? player.perform(call, isAccepted: isAccepted)
      }
      let kept = player.batch.recording
      let recording = try #require(kept)
      var again = try BatchPlayer(recording, kernels: .portable)
      // A recording has accepted calls only.
      for call in recording.calls { try again.perform(call) }
      #expect(Self.end(again) == Self.end(player), "seed \(seed)")
    }
  }

  @Test func aRefusedCallIsNotRecorded() throws {
    var batch = try AnimationBatch<Float>()
    try batch.record()
    let track = try batch.add(1)
    let count = batch.recording?.calls.count
    #expect(throws: BatchError.self) { try batch.animate(track, to: .nan, .default) }
    #expect(throws: BatchError.self) { try batch.advance(to: .infinity) }
    let (later, all) = (batch.recording?.calls.count, batch.stopRecording()?.calls.count)
    #expect(later == count && all == count)
    let isOver = batch.recording == nil
    #expect(isOver)
    #expect(throws: BatchError.recordsFromStart) { try batch.record() }
  }

  @Test func filesKeepEveryBit() throws {
    for seed in Self.seeds {
      let text = try RandomProgram.draw(seed: seed).json()
      #expect(try BatchRecording(json: text).json() == text, "seed \(seed)")
    }
    let odd = BatchRecording(
      dimensions: 1,
      calls: [
        BatchCall(.add, values: [-0.0, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .nan, .infinity]),
        BatchCall(.advance(to: 0.1 + 0.2, velocities: true)),
        BatchCall(.addMoving, values: [1], goals: [2], springs: [Spring(stiffness: 7, damping: 0.3)]),
      ])
    let again = try BatchRecording(json: odd.json())
    guard case .advance(let time, true) = again.calls[1].verb else { return #expect(Bool(false)) }
    let values = again.calls[0].values
    #expect(values.prefix(3).map(\.bitPattern) == [0x8000_0000, 1, Float.greatestFiniteMagnitude.bitPattern])
    #expect(values[3].isNaN && values[4] == .infinity && time == 0.1 + 0.2)
    #expect(again.calls[2].springs == [Spring(stiffness: 7, damping: 0.3)])
  }

  /// Also how long a clip lasts at least, with what tolerance it was fitted, and which of its boundaries are early.
  @Test func filesAndProgramsKeepWholeClips() throws {
    let keys = [[Keyframe.linear(to: 2.0, duration: 1, timingCurve: .easeIn)]]
    let steps = KeyframeTimeline(initialValue: 0.0) { LinearKeyframe(1.0, duration: 1, timingCurve: .steps(3)) }
    let clips = [
      try Clip(initialValues: [0], keyframes: keys, tolerance: 0x1p-9, leastDuration: 3),
      try Clip(initialValues: [0], keyframes: keys, tolerance: 0x1p-9), try Clip(steps),
    ]
    #expect(clips[0].duration == 3 && !clips[2].tracks[0].earlyBoundaries.isEmpty)
    let recording = BatchRecording(dimensions: 1, calls: clips.map { BatchCall(.loadClip($0)) })
    let read = try BatchRecording(json: recording.json())
    for (call, clip) in zip(read.calls, clips) {
      guard case .loadClip(let again) = call.verb else { return #expect(Bool(false)) }
      #expect(again.duration == clip.duration && again.tracks == clip.tracks)
    }
    #expect(recording.source.contains("duration: 3") && recording.source.contains("tolerance: 0.001953125"))
  }

  @Test(arguments: [
    #"""
    {"dimensions":1,"curveTolerance":0.001,"calls":[{"call":"loadClip","clip":{"initialValues":[0],"leastDuration":"nan",
    "keyframes":[[]],"tolerance":0.01}}]}
    """#,
    #"""
    {"dimensions":1,"curveTolerance":0.001,"calls":[{"call":"loadClip","clip":{"initialValues":[0],"tracks":[{
    "components":[0],"times":[0,1],"pieces":[[[0,0,0,0]]],"boundariesBelongToLater":true,"earlyBoundaries":[2]}]}}]}
    """#,
    "", "[]", "{}", #"{"dimensions":0,"curveTolerance":0.1,"calls":[]}"#,
    #"{"dimensions":1,"curveTolerance":0.001,"calls":[{"call":"fly"}]}"#,
    #"{"dimensions":2,"curveTolerance":0.001,"calls":[{"call":"add","values":[1]}]}"#,
    #"{"dimensions":1,"curveTolerance":0.001,"calls":[{"call":"unloadClip"}]}"#,
    #"{"dimensions":1,"curveTolerance":0.001,"calls":[{"call":"unloadPhases","sequences":[0,1]}]}"#,
    #"{"dimensions":1,"curveTolerance":0.001,"calls":[{"call":"playPhases","all":true}]}"#,
  ])
  func aBadFileIsRefused(_ text: String) {
    #expect(throws: RecordingError.self) { try BatchRecording(json: text) }
  }

  /// Numbers of tracks about which nothing can be counted up.
  @Test(arguments: [[Int.max, 1, 2], [.max - 2, .max - 1, .max], [.min, .min + 1, .min + 2], [.max, .min, 0]])
  func tracksThatThereNeverWereAreNamed(_ tracks: [Int]) throws {
    let recording = BatchRecording(dimensions: 1, calls: [BatchCall(.pause, .tracks(tracks))])
    #expect(recording.source.contains("// refused: try batch.pause("))
    #expect(try check(recording).passed)
  }

  /// Calls that name no clip, or no sequence of phases, are refused by the batch.
  @Test func aCallThatLacksANameIsRefused() throws {
    var player = try BatchPlayer(BatchRecording(dimensions: 1), kernels: .portable)
    try player.perform(BatchCall(.add, values: [1]))
    for call in [BatchCall(.unloadClip), BatchCall(.unloadPhases), BatchCall(.playPhases(.loops), .all)] {
      let isAccepted = (try? player.perform(call)) != nil
      #expect(!isAccepted, "\(call)")
      #expect(!BatchRecording(dimensions: 1, calls: [call]).source.isEmpty)
    }
  }

  /// A failure that needs twenty tracks and a later removal is shortened to just these.
  @Test func aProgramThatFailsIsShortened() {
    func failing(_ program: BatchRecording) -> BatchRecording? {
      var hasMany = false
      for (index, call) in program.calls.enumerated() {
        switch (call.verb, call.tracks) {
        case (.add, _): hasMany = hasMany || call.values.count >= 20 * program.dimensions
        case (.remove, .tracks(let list)?) where hasMany && !list.isEmpty:
          var part = program
          part.calls = Array(program.calls.prefix(index + 1))
          return part
        default: break
        }
      }
      return nil
    }
    let seed = (0..<500 as Range<UInt64>).first { failing(RandomProgram.draw(seed: $0, features: [.removals])) != nil }
    let short = RandomProgram.draw(seed: seed ?? 0, features: [.removals]).shrunk(failing: failing)
    #expect(short.calls.count == 2 && short.dimensions == 1, "\(short.source)")
    #expect(short.calls[0].verb.name == "add" && short.calls[0].values.count == 20, "\(short.source)")
  }

  /// Every kind of call is drawn, most calls are accepted, and a seed gives the same program each time.
  @Test func programsMakeEveryCall() throws {
    var names: Set<String> = []
    var texts: Set<String> = []
    var (refused, count) = (0, 0)
    for seed in 0..<60 as Range<UInt64> {
      let program = RandomProgram.draw(seed: seed)
      texts.insert(try program.json())
      texts.insert(try RandomProgram.draw(seed: seed).json())
      var player = try BatchPlayer(program, kernels: .portable)
      for call in program.calls {
        names.insert(call.verb.name)
        count += 1
        do throws(BatchError) { try player.perform(call) } catch { refused += 1 }
      }
    }
    #expect(names.count == 36 && texts.count == 60, "\(names.sorted())")
    #expect(refused > 20 && refused * 5 < count, "\(refused) of \(count) calls are refused")
  }

  @Test func theSourceOfARecordingNamesItsCalls() throws {
    let recording = BatchRecording(
      dimensions: 2,
      calls: [
        BatchCall(.add, values: [1, 2, 3, 4]),
        BatchCall(.animate, .tracks([1]), goals: [5, 6], animations: [.bouncy]),
        BatchCall(.advance(to: 0.25, velocities: false)), BatchCall(.remove, .tracks([7])),
      ])
    #expect(
      recording.source == """
        import Murmuration

        var batch = try AnimationBatch(dimensions: 2, curveTolerance: 1.52587890625e-05)
        var tracks: [TrackHandle] = []
        tracks += try batch.add([[1.0, 2.0], [3.0, 4.0]])
        try batch.animate([tracks[1]], to: [[5.0, 6.0]], .spring(Spring(duration: 0.5, bounce: 0.3)))
        try batch.advance(to: 0.25)
        // refused: try batch.remove([tracks[7]])

        """)
  }

  /// Goals of all indices were told in the wrong order of tracks, and one animation with delays as a list of one.
  @Test func theSourceOfCallsAboutAllIndicesNamesTheTracksThatAreThere() throws {
    let recording = BatchRecording(
      dimensions: 1,
      calls: [
        BatchCall(.add, values: [1, 2, 3]), BatchCall(.remove, .tracks([1])),
        BatchCall(.follow, .all, springs: [.bouncy]), BatchCall(.setGoals, .all, goals: [5, 6, 7]),
        BatchCall(.writeGoals, .all, goals: [5, 6, .infinity]),
        BatchCall(.animate, .all, goals: [8, 0, 9], animations: [.bouncy], numbers: [0, 0.25, 0.5]),
      ])
    let source = """
      tracks += try batch.add([[1.0], [2.0], [3.0]])
      try batch.remove([tracks[1]])
      try batch.follow([tracks[0], tracks[2]], with: Spring(duration: 0.5, bounce: 0.3))
      try batch.setGoals(of: [tracks[0], tracks[2]], [[5.0], [7.0]])
      try batch.withGoals(component: 0) { for (track, goal) in zip([tracks[0], tracks[2]], [5.0, .infinity] as [Float]) \
      { $0[track.index] = goal } }
      try batch.animate([tracks[0], tracks[2]], to: [[8.0], [9.0]], .spring(Spring(duration: 0.5, bounce: 0.3)), \
      delays: [0.0, 0.5])

      """
    #expect(recording.source.hasSuffix(source), "\(recording.source)")
    // The same lines as a program make the same calls.
    var batch = try AnimationBatch(dimensions: 1, curveTolerance: 0x1p-16)
    try batch.record()
    var tracks: [TrackHandle] = []
    tracks += try batch.add([[1.0], [2.0], [3.0]])
    try batch.remove([tracks[1]])
    try batch.follow([tracks[0], tracks[2]], with: Spring(duration: 0.5, bounce: 0.3))
    try batch.setGoals(of: [tracks[0], tracks[2]], [[5.0], [7.0]])
    try batch.withGoals(component: 0) {
      for (track, goal) in zip([tracks[0], tracks[2]], [5.0, .infinity] as [Float]) { $0[track.index] = goal }
    }
    try batch.animate(
      [tracks[0], tracks[2]], to: [[8.0], [9.0]], .spring(Spring(duration: 0.5, bounce: 0.3)), delays: [0.0, 0.5])
    let again = batch.recording?.source
    #expect(again?.hasSuffix(source) == true, "\(again ?? "")")
  }
}

/// Programs in other spellings, by other instruction sets, with threads and neighbours: the same bits.
struct SpellingTests {
  @Test(arguments: SpellingCheck.Way.all)
  func aSpellingChangesNoBit(_ way: SpellingCheck.Way) throws {
    for seed in 0..<UInt64(Effort.draws(quick: way.detour == nil ? 6 : 60, soak: 5_000)) {
      let program = RandomProgram.draw(seed: seed)
      let difference = try SpellingCheck.difference(program, way)
      #expect(difference == nil, "seed \(seed), \(way): \(difference.map { "\($0)" } ?? "")")
    }
  }

  /// A track that is named twice goes once, and the lowest free indices are given away first, however the call is spelled.
  @Test(arguments: [BatchPlayer.Spelling.single, .arraysOfOne])
  func tracksThatAreNamedTwiceGoOnce(_ spelling: BatchPlayer.Spelling) throws {
    let recording = BatchRecording(
      dimensions: 1,
      calls: [
        BatchCall(.add, values: [1, 2, 3]), BatchCall(.remove, .tracks([0, 1, 0])), BatchCall(.add, values: [4, 5]),
        BatchCall(.retarget, .indices(0..<3), goals: [7, 8, 9]), BatchCall(.advance(to: 1, velocities: true)),
      ])
    #expect(try SpellingCheck.difference(recording, SpellingCheck.Way(spelling: spelling)) == nil)
  }

  /// A tick of the long clip takes longer than the other keyframes: within it any of their states shows. And numbers that
  /// Float does not have are lost.
  @Test(arguments: [(0.3, 0x1p31, 10), (0.3, 1, 1e-300), (1, 1e9, 1e-44)])
  func clipsOfUnevenOrTinyKeyframesAreWithinTheirBounds(_ short: Double, _ long: Double, _ height: Double) throws {
    func keyframe(_ kind: Int, to value: Double, _ duration: Double) -> Keyframe<Double> {
      switch kind {
      case 0: .linear(to: value, duration: duration, timingCurve: .linear)
      case 1: .linear(to: value, duration: duration, timingCurve: .easeInOut)
      case 2: .linear(to: value, duration: duration, timingCurve: .steps(4))
      case 3: .cubic(to: value, duration: duration, startVelocity: nil, endVelocity: nil)
      default: .spring(to: value, duration: duration, spring: .smooth, startVelocity: nil)
      }
    }
    for kinds in 0..<75 {
      let (first, second, order) = (kinds % 5, kinds / 5 % 5, kinds / 25)
      var keyframes = (0..<3).map { keyframe(first, to: height * Double(($0 + 1) % 2), short) }
      keyframes.insert(keyframe(second, to: -0.3 * height, long), at: order)
      var batch = try AnimationBatch<Float>()
      try batch.record()
      let clip = try batch.load(Clip(initialValues: [0], keyframes: [keyframes], tolerance: 0x1p-16))
      _ = try batch.add(
        playing: clip, [Playback(), Playback(speed: -1), Playback(repetition: .count(2), autoreverses: true)])
      let times = (0..<20).map { Double($0) * 0.17 * short }
      let later = [long - 3 * short, 2 * long].flatMap { start in times.map { start + $0 } }
      for time in times + later where time >= batch.time {
        try batch.advance(to: time)
      }
      let kept = batch.stopRecording()
      let report = try check(try #require(kept))
      #expect(report.passed, "\(kinds): \(report.failure?.finding.description ?? "")")
    }
  }
}
