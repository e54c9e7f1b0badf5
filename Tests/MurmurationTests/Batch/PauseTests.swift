// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

struct PauseTests {
  /// Ways to send a track from 0 to 10.
  private static let ways: [(String, @Sendable (inout AnimationBatch<Float>, [TrackHandle]) throws -> Void)] = [
    ("spring", { try $0.animate($1[0], to: 10, .bouncy) }),
    ("bulk", { try $0.animate($1, to: [Float](repeating: 10, count: $1.count), .smooth) }),
    ("overdamped", { try $0.animate($1[0], to: 10, .spring(duration: 0.5, bounce: -0.4)) }),
    ("slide", { try $0.decelerate([$1[0]], velocities: [50]) }),
    ("curve", { try $0.animate($1[0], to: 10, .easeInOut(duration: 0.8)) }),
    (
      "sum",
      {
        try $0.animate($1[0], to: 10, .bouncy)
        try $0.advance(to: $0.time + 0.05)
        try $0.animate($1[0], to: 4, .easeOut(duration: 0.8))
      }
    ),
    (
      "curves",
      {
        for (goal, animation) in [(10, .easeIn(duration: 0.7)), (4, .easeOut.delay(0.2)), (7, .linear(duration: 0.5))]
          as [(Float, Animation)]
        {
          try $0.animate($1[0], to: goal, animation)
          try $0.advance(to: $0.time + 0.05)
        }
      }
    ),
    ("custom", { try $0.animate($1[0], to: 10, Animation(ClipAnimationTests.Wobble())) }),
    ("clip", { try $0.play(try $0.load(Clip(curve: .easeIn)), on: $1[0]) }),
  ]

  @Test("Each motion has its name, on its way, paused and over")
  func names() throws {
    let names: [String: TrackMotion] = [
      "spring": .spring, "bulk": .spring, "overdamped": .spring, "slide": .deceleration, "curve": .curve, "sum": .sum,
      "curves": .sum, "custom": .sum,
    ]
    for (name, setOut) in Self.ways where name != "clip" {
      var batch = try AnimationBatch<Float>()
      let tracks = try batch.add([Float](repeating: 0, count: 20))
      let still = batch.motion(of: tracks[0])
      try setOut(&batch, tracks)
      var motions = [batch.motion(of: tracks[0])]
      try batch.advance(by: 0.1)
      motions.append(batch.motion(of: tracks[0]))
      try batch.pause([tracks[0]])
      motions.append(batch.motion(of: tracks[0]))
      try batch.resume([tracks[0]])
      try batch.advance(by: 100)
      motions.append(batch.motion(of: tracks[0]))
      #expect(still == .still && motions.allSatisfy { $0 == names[name] }, "\(name): \(motions)")
    }
  }

  @Test("A pause keeps the value, and the motion goes on after it as if no time had passed")
  func anyMotion() throws {
    for (name, setOut) in Self.ways {
      for count in [1, 40] {
        var batch = try AnimationBatch<Float>()
        var through = try AnimationBatch<Float>()
        let tracks = try batch.add([Float](repeating: 0, count: count))
        let twins = try through.add([Float](repeating: 0, count: count))
        try setOut(&batch, tracks)
        try setOut(&through, twins)
        let (track, twin, start) = (tracks[0], twins[0], batch.time)
        try batch.advance(to: start + 0.25)
        try through.advance(to: start + 0.25)
        let (value, speed, target) = (batch[track], batch.velocity(of: track), batch.target(of: track))
        let motion = batch.motion(of: track)
        try batch.pause([track, track])
        for time in [0.25, 1, 5] {
          try batch.advance(to: start + time)
          let (shown, heads, follows) = (batch[track], batch.target(of: track), batch.motion(of: track))
          #expect(shown == value && heads == target && follows == motion, "\(name)")
          let isPaused = batch.isPaused(track)
          #expect(isPaused == true)
          let (velocity, rests) = (batch.velocity(of: track), batch.isAtRest(track))
          let events = batch.events.filter { $0.track == track }
          #expect(velocity == 0 && (rests == false || name == "clip") && events.isEmpty, "\(name)")
        }
        if count > 1 {
          let other = batch[tracks[1]]
          #expect(other == (name == "bulk" ? 10 : 0), "\(name)")
        }
        #expect(throws: BatchError.self) { try batch.advance(to: start + 0.2) }
        try batch.resume([track])
        let (shown, goesOn) = (batch[track], batch.velocity(of: track))
        #expect(shown == value && (goesOn == speed || name == "clip"), "\(name)")
        let calledCount = batch.calledCount
        #expect(calledCount == (name == "custom" ? 1 : 0), "\(name)")
        var (ends, expected) = (0, 0)
        for frame in 1...40 {
          try batch.advance(to: start + 5 + 0.25 * Double(frame))
          try through.advance(to: start + 0.25 + 0.25 * Double(frame))
          let (shown, expectedValue) = (batch[track] ?? .nan, through[twin] ?? .nan)
          #expect(abs(shown - expectedValue) < 1e-4, "\(name) at frame \(frame): \(shown), \(expectedValue)")
          ends += batch.events.filter { $0.track == track }.count
          expected += through.events.filter { $0.track == twin }.count
        }
        #expect(ends == expected && expected > 0, "\(name)")
        let isPaused = batch.isPaused(track)
        #expect(isPaused == false)
      }
    }
  }

  @Test("A pause prolongs the wait of a call, even of a call made during the pause")
  func waitingCalls() throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([0, 0])
    try batch.animate(tracks, to: [10, 20], nil, delays: [1, 2])
    try batch.advance(to: 0.5)
    try batch.pause([tracks[0]])
    try batch.advance(to: 4)
    let (waits, gone) = (batch[tracks[0]], batch[tracks[1]])
    #expect(waits == 0 && gone == 20)
    try batch.animate([tracks[0]], to: [30], nil, delays: [1])
    try batch.advance(to: 6)
    let still = batch[tracks[0]]
    #expect(still == 0)
    try batch.resume(tracks)
    try batch.advance(to: 6.9)
    let before = batch[tracks[0]]
    try batch.advance(to: 7)
    let after = batch[tracks[0]]
    #expect(before == 0 && after == 30)
  }

  @Test("A track that stands is not paused, and a track removed in a pause leaves no state")
  func tracksThatStand() throws {
    var batch = try AnimationBatch<Float>()
    let track = try batch.add(1)
    try batch.pause([track])
    let isPaused = batch.isPaused(track)
    #expect(isPaused == false)
    try batch.animate(track, to: 10, .smooth)
    try batch.advance(to: 0.2)
    try batch.pause([track])
    let removed = batch.removeSettled()
    #expect(removed == 0)
    try batch.remove(track)
    let next = try batch.add(3)
    let heir = batch.isPaused(next)
    #expect(next.index == track.index && heir == false)
    try batch.advance(to: 0)
  }

  @Test("A clip without length that is paused at its one instant keeps showing it, and is over when it goes on")
  func clipsWithoutLength() throws {
    let jump = PieceTrack(components: [0], times: [0, 0, 0], pieces: [[SIMD4(1, 0, 0, 0), SIMD4(2, 0, 0, 0)]])
    var batch = try AnimationBatch<Float>()
    let track = try batch.add(0)
    let clip = try batch.load(try Clip(dimensions: 1, initialValues: [3], tracks: [jump]))
    try batch.play(clip, on: track, Playback(holdsAfter: false))
    try batch.advance(to: 0)
    let instant = batch[track]
    #expect(instant != 0)
    try batch.pause([track])
    for time in [0, 1] as [Double] {
      try batch.advance(to: time)
      let shown = batch[track]
      #expect(shown == instant)
    }
    try batch.resume([track])
    try batch.advance(to: 2)
    let over = batch[track]
    #expect(over == 0)
  }

  @Test("A paused clip that is moved to its end reports nothing, and is over when it goes on")
  func clipsAtTheirEnds() throws {
    var batch = try AnimationBatch<Float>()
    let clip = try batch.load(Clip(curve: .linear))
    // One is paused on its way, and one at its end.
    let tracks = try batch.add(playing: clip, [Playback(), Playback(speed: 4)])
    try batch.advance(to: 0.5)
    let ended = batch.events.map(\.track)
    #expect(ended == [tracks[1], tracks[1]])
    try batch.pause(tracks)
    for time in [0.75, 1, 1.25] as [Double] {
      try batch.seek(tracks, progress: [1, 1])
      try batch.advance(to: time)
      let (shown, events) = (tracks.map { batch[$0] }, batch.events.count)
      #expect(shown == [1, 1] && events == 0)
    }
    try batch.resume(tracks)
    try batch.advance(to: 1.5)
    let events = batch.events.map { "\($0.track.index) \($0.kind) \(Float($0.moment))" }
    #expect(events == ["0 logicallyComplete 1.25", "0 settled 1.25", "1 logicallyComplete 1.25", "1 settled 1.25"])
  }

  @Test("A track that rests and waits for a call stands in a pause, whatever the tolerance of rest becomes")
  func restInAPause() throws {
    for count in [1, 40] {
      var batch = try AnimationBatch<Float>()
      let tracks = try batch.add([Float](repeating: 0, count: count))
      batch.restTolerance = try RestTolerances(value: 5)
      try batch.animate(tracks, to: [Float](repeating: 10, count: count), .smooth)
      try batch.animate([tracks[0]], to: [0], nil, delays: [9])
      try batch.advance(to: 0.4)
      let (rested, rests) = (batch[tracks[0]], batch.isAtRest(tracks[0]))
      #expect(rested == 10 && rests == true)
      try batch.pause([tracks[0]])
      batch.restTolerance = try RestTolerances(value: 1e-6)
      try batch.advance(to: 0.5)
      let (shown, velocity) = (batch[tracks[0]], batch.velocity(of: tracks[0]))
      #expect(shown == 10 && velocity == 0)
      // It goes on from there as any spring does under the new tolerance.
      try batch.resume([tracks[0]])
      let resumed = batch.velocity(of: tracks[0])
      #expect(resumed == 0)
      try batch.advance(to: 0.51)
      let goesOn = batch[tracks[0]] ?? 0
      #expect(goesOn > 9.5 && goesOn < 9.9)
    }
  }

  @Test("A clip that is paused at the moment of its end keeps showing its end until it goes on")
  func momentsOfEnds() throws {
    var batch = try AnimationBatch<Float>()
    let clip = try batch.load(Clip(curve: .linear))
    // One comes to its end, and one is moved there.
    let tracks = try batch.add(
      playing: clip, [Playback(holdsAfter: false), Playback(speed: 0.25, holdsAfter: false)])
    try batch.advance(to: 1)
    try batch.seek(tracks[1], progress: 1)
    try batch.pause(tracks)
    for time in [1, 2] as [Double] {
      try batch.advance(to: time)
      let shown = tracks.map { batch[$0] }
      #expect(shown == [1, 1])
    }
    try batch.resume(tracks)
    try batch.advance(to: 2)
    let resumed = tracks.map { batch[$0] }
    try batch.advance(to: 3)
    let over = tracks.map { batch[$0] }
    #expect(resumed == [1, 1] && over == [0, 0])
  }

  @Test("A stop ends whatever a track follows where it is, and reports nothing")
  func stops() throws {
    for (name, setOut) in Self.ways {
      for pauses in [false, true] {
        var batch = try AnimationBatch<Float>()
        let tracks = try batch.add([Float](repeating: 0, count: 3))
        try setOut(&batch, tracks)
        try batch.animate([tracks[2]], to: [5], nil, delays: [2])
        try batch.advance(to: batch.time + 0.25)
        let value = batch[tracks[0]]
        if pauses { try batch.pause(tracks) }
        try batch.stop(tracks)
        let (speed, motion) = (batch.velocity(of: tracks[0]), batch.motion(of: tracks[0]))
        #expect(speed == 0 && motion == .still, "\(name)")
        try batch.advance(to: 9)
        let (shown, target, waited) = (batch[tracks[0]], batch.target(of: tracks[0]), batch[tracks[2]])
        #expect(shown == value && target == value && waited != 5 && batch.events.isEmpty, "\(name)")
        let rests = batch.isAtRest(tracks[0])
        #expect(rests == true)
      }
    }
  }

  /// A velocity that was set is not shown in a pause, and is taken over after it.
  @Test func velocitiesByHandWait() throws {
    var batch = try AnimationBatch<Float>()
    var twin = try AnimationBatch<Float>()
    let (track, other) = (try batch.add([0])[0], try twin.add([0])[0])
    try batch.set([track], [3], velocities: [50])
    try batch.animate([track], to: [10], .smooth, delays: [0.25])
    try batch.pause([track])
    #expect(batch.velocity(of: track) == 0)
    try batch.advance(to: 1)
    #expect(batch[track] == 3)
    try batch.resume([track])
    #expect(batch.velocity(of: track) == 50)
    try batch.advance(to: 1.5)
    try twin.set([other], [3], velocities: [50])
    try twin.animate([other], to: [10], .smooth, delays: [0.25])
    try twin.advance(to: 0.5)
    let (value, expected) = (batch[track], twin[other])
    #expect(value == expected)
  }

  /// A paused clip goes on when its track is to play phases, as a spring does.
  @Test func phasesResumeAPausedClip() throws {
    var batch = try AnimationBatch<Float>()
    let track = try batch.add([0])
    try batch.play(try batch.load(Clip(initialValue: 0.0) { _ in LinearKeyframe(1.0, duration: 4) }), on: track)
    try batch.advance(to: 1)
    try batch.pause(track)
    let sequence = try PhaseSequence(dimensions: 1, targets: [[5], [9]], animations: [nil, nil])
    try batch.play(try batch.load(sequence), on: track, .triggered)
    try batch.animate(track, to: [7], nil, delays: [0.5])
    #expect(batch.checkInvariants() == nil)
    try batch.advance(to: 1.25)
    #expect(batch[track[0]] == 0.3125)
    try batch.advance(to: 2)
    #expect(batch[track[0]] == 7 && batch.checkInvariants() == nil)
  }

  /// Whole tiles pause and go on in place, with the bits of tracks that are paused one by one.
  @Test func wholeTilesPauseInPlace() throws {
    var batch = try AnimationBatch<SIMD2<Float>>()
    var twin = try AnimationBatch<SIMD2<Float>>()
    let zeros = [SIMD2<Float>](repeating: .zero, count: 40)
    let (tracks, others) = (try batch.add(zeros), try twin.add(zeros))
    let springs = tracks.map {
      Spring(duration: 0.4 + Double($0.index % 7) / 9, bounce: Double($0.index % 5) / 5 - 0.4)
    }
    let goals = tracks.map { SIMD2(Float($0.index * 13 % 29) - 9, Float($0.index)) }
    try batch.animate(tracks, to: goals, springs: springs)
    for (position, track) in others.enumerated() {
      try twin.animate(track, to: goals[position], .spring(springs[position]))
    }
    // The last tracks slide.
    try batch.decelerate(Array(tracks[32...]), velocities: goals.suffix(8))
    try twin.decelerate(Array(others[32...]), velocities: goals.suffix(8))
    for frame in 0..<60 {
      switch frame {
      case 10, 30:
        let indices = tracks.map { batch.index(of: $0) }
        let speeds = tracks.map { batch.velocity(of: $0) }
        try batch.pause(tracks)
        for track in others { try twin.pause([track]) }
        let (stillIndices, motions) = (tracks.map { batch.index(of: $0) }, tracks.map { batch.motion(of: $0) })
        #expect(Array(stillIndices.prefix(32)) == Array(indices.prefix(32)), "whole tiles stay")
        let isAsBefore = motions.enumerated().allSatisfy { $1 == ($0 < 32 ? .spring : .deceleration) }
        #expect(isAsBefore && tracks.allSatisfy { batch.velocity(of: $0) == .zero })
        if frame == 30 { try batch.compact() }
        try batch.animate([tracks[3]], to: [SIMD2(7, 7)], .smooth, delays: [0.05])
        try twin.animate([others[3]], to: [SIMD2(7, 7)], .smooth, delays: [0.05])
        try batch.advance(by: 1)
        try twin.advance(by: 1)
        #expect(batch.checkInvariants() == nil)
        try batch.resume(tracks)
        for track in others.reversed() { try twin.resume([track]) }
        let resumed = tracks.map { batch.velocity(of: $0) }
        #expect(resumed == speeds && batch.checkInvariants() == nil)
      default: break
      }
      try batch.advance(by: 1 / 60)
      try twin.advance(by: 1 / 60)
      for (track, other) in zip(tracks, others) {
        #expect(batch[track] == twin[other] && batch.velocity(of: track) == twin.velocity(of: other), "frame \(frame)")
      }
      #expect(batch.events.count == twin.events.count, "frame \(frame)")
    }
  }

  @Test("Springs that go on report their own changes")
  func changesOfSpringsThatGoOn() throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([0, 0])
    let changes = try tracks.map { try batch.animate($0, to: 1, .spring(duration: 0.3)) }
    try batch.advance(by: 0.1)
    for track in tracks { try batch.pause([track]) }
    for track in tracks.reversed() { try batch.resume([track]) }
    try batch.advance(by: 5)
    for (track, change) in zip(tracks, changes) {
      let own = batch.events.filter { $0.track == track }
      #expect(!own.isEmpty && own.allSatisfy { $0.change == change })
    }
  }
}
