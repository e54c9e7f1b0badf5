// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

struct PauseTests {
  /// Ways to send a track from 0 to 10; the motion of each, but for clips.
  private static let ways:
    [(String, TrackMotion?, @Sendable (inout AnimationBatch<Float>, [TrackHandle]) throws -> Void)] = [
      ("spring", .spring, { try $0.animate($1[0], to: 10, .bouncy) }),
      ("bulk", .spring, { try $0.animate($1, to: 10, .smooth) }),
      ("overdamped", .spring, { try $0.animate($1[0], to: 10, .spring(duration: 0.5, bounce: -0.4)) }),
      ("slide", .deceleration, { try $0.decelerate([$1[0]], velocities: [50]) }),
      ("curve", .curve, { try $0.animate($1[0], to: 10, .easeInOut(duration: 0.8)) }),
      ("sum", .sum, { try send($1[0], [(10, .bouncy), (4, .easeOut(duration: 0.8))], &$0) }),
      (
        "curves", .sum,
        { try send($1[0], [(10, .easeIn(duration: 0.7)), (4, .easeOut.delay(0.2)), (7, .linear(duration: 0.5))], &$0) }
      ),
      ("custom", .sum, { try $0.animate($1[0], to: 10, Animation(ClipAnimationTests.Wobble())) }),
      ("clip", nil, { try $0.play(try $0.load(Clip(curve: .easeIn)), on: $1[0]) }),
    ]

  private static func send(
    _ track: TrackHandle, _ ways: [(Float, Animation)], _ batch: inout AnimationBatch<Float>
  ) throws {
    for (goal, animation) in ways {
      try batch.animate(track, to: goal, animation)
      try batch.advance(by: 0.05)
    }
  }

  @Test("A pause keeps the value, and the motion goes on after it as if no time had passed")
  func anyMotion() throws {
    for (name, kind, setOut) in Self.ways {
      for count in [1, 40] {
        var batch = try AnimationBatch<Float>()
        var through = try AnimationBatch<Float>()
        let tracks = try batch.add([Float](repeating: 0, count: count))
        let twins = try through.add([Float](repeating: 0, count: count))
        let (track, twin) = (tracks[0], twins[0])
        #expect(batch.motion(of: track) == .still)
        try setOut(&batch, tracks)
        try setOut(&through, twins)
        let start = batch.time
        try batch.advance(to: start + 0.25)
        try through.advance(to: start + 0.25)
        let (value, speed, target) = (batch[track], batch.velocity(of: track), batch.target(of: track))
        let motion = batch.motion(of: track)
        #expect(kind == nil || motion == kind, "\(name)")
        try batch.pause([track, track])
        for time in [0.25, 1, 5] {
          try batch.advance(to: start + time)
          #expect(
            batch[track] == value && batch.target(of: track) == target && batch.motion(of: track) == motion, "\(name)")
          #expect(batch.isPaused(track) == true && batch.velocity(of: track) == 0, "\(name)")
          #expect(batch.isAtRest(track) == false || name == "clip", "\(name)")
          #expect(!batch.events.contains { $0.track == track }, "\(name)")
        }
        if count > 1 { #expect(batch[tracks[1]] == (name == "bulk" ? 10 : 0), "\(name)") }
        #expect(throws: BatchError.self) { try batch.advance(to: start + 0.2) }
        try batch.resume([track])
        #expect(batch[track] == value && (batch.velocity(of: track) == speed || name == "clip"), "\(name)")
        #expect(batch.calledCount == (name == "custom" ? 1 : 0), "\(name)")
        var (ends, expected) = (0, 0)
        for frame in 1...40 {
          try batch.advance(to: start + 5 + 0.25 * Double(frame))
          try through.advance(to: start + 0.25 + 0.25 * Double(frame))
          let (shown, expectedValue) = (batch[track] ?? .nan, through[twin] ?? .nan)
          #expect(abs(shown - expectedValue) < 1e-4, "\(name) at frame \(frame): \(shown), \(expectedValue)")
          ends += batch.events.count { $0.track == track }
          expected += through.events.count { $0.track == twin }
        }
        #expect(ends == expected && expected > 0, "\(name)")
        #expect(batch.isPaused(track) == false && (kind == nil || batch.motion(of: track) == kind), "\(name)")
      }
    }
  }

  @Test("A pause prolongs the wait of a call, even of a call made during the pause")
  func waitingCalls() throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([0, 0])
    try batch.animate(tracks, to: [10, 20], nil, delays: [1, 2])
    try batch.advance(to: 0.5)
    try batch.pause(tracks[0])
    try batch.advance(to: 4)
    #expect(tracks.map { batch[$0] } == [0, 20])
    try batch.animate(tracks[0], to: 30, nil, delay: 1)
    for (time, value) in [(6, 0), (6.9, 0), (7, 30)] {
      try batch.advance(to: time)
      #expect(batch[tracks[0]] == Float(value))
      if time == 6 { try batch.resume(tracks) }
    }
  }

  @Test("A track that stands is not paused, and a track removed in a pause leaves no state")
  func tracksThatStand() throws {
    var batch = try AnimationBatch<Float>()
    let track = try batch.add(1)
    try batch.pause(track)
    #expect(batch.isPaused(track) == false)
    try batch.animate(track, to: 10, .smooth)
    try batch.advance(to: 0.2)
    try batch.pause(track)
    #expect(batch.removeSettled() == 0)
    try batch.remove(track)
    let next = try batch.add(3)
    #expect(next.index == track.index && batch.isPaused(next) == false)
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
    try batch.pause(track)
    for time in [0, 1] as [Double] {
      try batch.advance(to: time)
      #expect(batch[track] == instant && instant != 0)
    }
    try batch.resume(track)
    try batch.advance(to: 2)
    #expect(batch[track] == 0)
  }

  @Test("A paused clip that is moved to its end reports nothing, and is over when it goes on")
  func clipsAtTheirEnds() throws {
    var batch = try AnimationBatch<Float>()
    let clip = try batch.load(Clip(curve: .linear))
    // One is paused on its way, and one at its end.
    let tracks = try batch.add(playing: clip, [Playback(), Playback(speed: 4)])
    try batch.advance(to: 0.5)
    #expect(batch.events.map(\.track) == [tracks[1], tracks[1]])
    try batch.pause(tracks)
    for time in [0.75, 1, 1.25] as [Double] {
      try batch.seek(tracks, progress: [1, 1])
      try batch.advance(to: time)
      #expect(tracks.map { batch[$0] } == [1, 1] && batch.events.isEmpty)
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
      try batch.animate(tracks, to: 10, .smooth)
      try batch.animate(tracks[0], to: 0, nil, delay: 9)
      try batch.advance(to: 0.4)
      #expect(batch[tracks[0]] == 10 && batch.isAtRest(tracks[0]) == true)
      try batch.pause(tracks[0])
      batch.restTolerance = try RestTolerances(value: 1e-6)
      try batch.advance(to: 0.5)
      #expect(batch[tracks[0]] == 10 && batch.velocity(of: tracks[0]) == 0)
      // It goes on from there as any spring does under the new tolerance.
      try batch.resume(tracks[0])
      #expect(batch.velocity(of: tracks[0]) == 0)
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
    let tracks = try batch.add(playing: clip, [1, 0.25].map { Playback(speed: $0, holdsAfter: false) })
    try batch.advance(to: 1)
    try batch.seek(tracks[1], progress: 1)
    try batch.pause(tracks)
    for (time, value) in [(1, 1), (2, 1), (2, 1), (3, 0)] {
      try batch.advance(to: Double(time))
      #expect(tracks.map { batch[$0] } == [Float(value), Float(value)])
      if time == 2 { try batch.resume(tracks) }
    }
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
    for index in 0..<40 { try twin.animate(others[index], to: goals[index], .spring(springs[index])) }
    // The last tracks slide.
    try batch.decelerate(tracks[32...], velocities: goals.suffix(8))
    try twin.decelerate(others[32...], velocities: goals.suffix(8))
    for frame in 0..<60 {
      if frame == 10 || frame == 30 {
        let (indices, speeds) = (tracks.map { batch.index(of: $0) }, tracks.map { batch.velocity(of: $0) })
        try batch.pause(tracks)
        for track in others { try twin.pause(track) }
        #expect(tracks[..<32].map { batch.index(of: $0) } == Array(indices[..<32]), "whole tiles stay")
        #expect(tracks.allSatisfy { batch.motion(of: $0) == ($0.index < 32 ? .spring : .deceleration) })
        #expect(tracks.allSatisfy { batch.velocity(of: $0) == .zero })
        if frame == 30 { try batch.compact() }
        try batch.animate(tracks[3], to: SIMD2(7, 7), .smooth, delay: 0.05)
        try twin.animate(others[3], to: SIMD2(7, 7), .smooth, delay: 0.05)
        try batch.advance(by: 1)
        try twin.advance(by: 1)
        #expect(batch.checkInvariants() == nil)
        try batch.resume(tracks)
        for track in others.reversed() { try twin.resume(track) }
        #expect(tracks.map { batch.velocity(of: $0) } == speeds && batch.checkInvariants() == nil)
      }
      try batch.advance(by: 1 / 60)
      try twin.advance(by: 1 / 60)
      #expect(batch.bits(of: tracks) == twin.bits(of: others), "frame \(frame)")
      #expect(batch.events.count == twin.events.count, "frame \(frame)")
    }
  }
}
