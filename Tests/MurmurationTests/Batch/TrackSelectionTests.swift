// SPDX-License-Identifier: MIT
import Murmuration
import Testing

/// Any selection means the same as an array of its handles.
struct TrackSelectionTests {
  enum Verb: CaseIterable {
    case animate, retarget, play, pause, resume, stop, trigger, cancelDelays, setSpeed, remove
  }

  /// Forty tracks: springs of which some wait, clips, and phases that wait for a trigger; every fourth is paused.
  private static func fill(_ batch: inout AnimationBatch<Float>) throws -> [TrackHandle] {
    let tracks = try batch.add((0..<40).map { Float($0) })
    try batch.animate(tracks, to: 50, .bouncy(duration: 2))
    try batch.animate(Array(tracks[0..<12]), to: -5, .smooth, delays: [Double](repeating: 0.4, count: 12))
    let clip = try batch.load(Clip(curve: .easeInOut, duration: 3))
    try batch.play(clip, on: Array(tracks[12..<24]))
    let phases = try PhaseSequence([0, 1], target: { Float(10 * $0) }, animation: { _ in .snappy })
    let sequence = try batch.load(phases)
    try batch.play(sequence, on: Array(tracks[24..<30]), .triggered)
    try batch.remove(tracks[7])
    try batch.advance(to: 0.2)
    try batch.pause(stride(from: 1, to: 40, by: 4).map { tracks[$0] })
    return tracks
  }

  private static func call<Tracks: TrackSelection & ~Copyable & ~Escapable>(
    _ verb: Verb, _ batch: inout AnimationBatch<Float>, _ tracks: borrowing Tracks
  ) throws {
    switch verb {
    case .animate: try batch.animate(tracks, to: 3, .snappy)
    case .retarget: try batch.retarget(tracks, to: -3)
    case .play: try batch.play(try batch.load(Clip(curve: .easeOut)), on: tracks)
    case .pause: try batch.pause(tracks)
    case .resume: try batch.resume(tracks)
    case .stop: try batch.stop(tracks)
    case .trigger: try batch.trigger(tracks)
    case .cancelDelays: try batch.cancelDelays(of: tracks)
    case .setSpeed: try batch.setSpeed(2, of: tracks)
    case .remove: try batch.remove(tracks)
    }
  }

  private static func shown(_ batch: borrowing AnimationBatch<Float>, _ tracks: [TrackHandle]) -> [Float?] {
    tracks.flatMap { [batch[$0], batch.velocity(of: $0), batch.target(of: $0)] }
  }

  @Test(arguments: Verb.allCases) func everySelectionMeansItsHandles(_ verb: Verb) throws {
    for form in 0..<5 {
      var batch = try AnimationBatch<Float>()
      var other = try AnimationBatch<Float>()
      let (tracks, others) = (try Self.fill(&batch), try Self.fill(&other))
      switch form {
      case 0: for range in [2..<7, 8..<33] { try Self.call(verb, &batch, tracks[range]) }
      case 1: for range in [2..<7, 8..<33] { try Self.call(verb, &batch, Array(tracks[range]).span) }
      case 2: try Self.call(verb, &batch, 2..<33)
      case 3: for index in 2..<33 where index != 7 { try Self.call(verb, &batch, tracks[index]) }
      default: try Self.call(verb, &batch, .all)
      }
      let named = (form == 4 ? 0..<40 : 2..<33).filter { $0 != 7 }.map { others[$0] }
      try Self.call(verb, &other, named)
      for time in [0.2, 0.3, 0.5, 1.5] {
        try batch.advance(to: time)
        try other.advance(to: time)
        let (values, expected) = (Self.shown(batch, tracks), Self.shown(other, others))
        #expect(values == expected, "\(form) at \(time)")
      }
    }
  }

  @Test(arguments: Verb.allCases) func selectionsThatNameNoTracksAreRefusedOrEmpty(_ verb: Verb) throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try Self.fill(&batch)
    let before = Self.shown(batch, tracks)
    #expect(throws: BatchError.trackOutOfRange(40, count: 40)) { try Self.call(verb, &batch, 30..<41) }
    #expect(throws: BatchError.staleHandle(tracks[7])) { try Self.call(verb, &batch, tracks[5..<9]) }
    #expect(throws: BatchError.staleHandle(tracks[7])) { try Self.call(verb, &batch, tracks[7]) }
    try Self.call(verb, &batch, 7..<8)
    try Self.call(verb, &batch, tracks[0..<0])
    let after = Self.shown(batch, tracks)
    #expect(after.elementsEqual(before) { $0?.bitPattern == $1?.bitPattern })
  }
}
