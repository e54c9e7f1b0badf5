// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

/// Springs of duration 0, which are at their target as soon as time passes.
struct JumpTests {
  private static let jump = Spring(duration: 0, bounce: 0)

  /// A jump among other tracks in its tile, with the frequency 0 that it has in the columns.
  @Test(arguments: KernelSet.available, [1e-30, 0.001, 5] as [Float])
  func aJumpThatMovesAloneIsOverAtOnce(_ set: KernelSet, _ tolerance: Float) throws {
    var batch = try AnimationBatch<SIMD2<Float>>(kernels: set)
    batch.restTolerance = try RestTolerances(value: tolerance)
    try batch.add([1e6, 2], to: .zero, .bouncy)
    let jumping = try batch.add([3, 4], velocity: [100, -100], to: [8, 9], Self.jump)
    let sent = try batch.add([3, 4], velocity: [100, -100], to: .zero, .smooth)
    try batch.animate(sent, to: [5, 6], .spring(Self.jump))
    try batch.advance(to: 1e-6)
    for handle in [jumping, sent] {
      let (isAtRest, restTime) = (batch.isAtRest(handle), batch.restTime(of: handle))
      #expect(isAtRest == true && restTime == 0)
    }
    let (logical, settled) = (batch.logicallyComplete, batch.settled)
    #expect(logical == [jumping, sent] && settled == [jumping, sent])
  }

  @Test("An animation of nil puts a track at its goal, and nothing is reported", arguments: KernelSet.available)
  func aJumpByNilIsNotReported(_ set: KernelSet) throws {
    let ways: [Animation?] = [nil, .bouncy, .easeIn(duration: 1)]
    for count in [1, 40] {
      for way in ways {
        var batch = try AnimationBatch<Float>(kernels: set)
        let tracks = try batch.add([Float](repeating: 1, count: count))
        if way != nil { try batch.animate(tracks, to: [Float](repeating: 9, count: count), way) }
        try batch.advance(to: 0.1)
        try batch.animate(tracks, to: [Float](repeating: 5, count: count), nil)
        for time in [0.1, 0.2, 3, 100] {
          try batch.advance(to: time)
          let (value, isSilent, isAtRest) = (batch[tracks[count - 1]], batch.events.isEmpty, batch.isAtRest(tracks[0]))
          #expect(value == 5 && isSilent && isAtRest == true, "\(count) tracks at \(time)")
        }
      }
    }
  }

  /// Sending a moving track to its own target changes nothing, but a jump ends the motion.
  @Test(arguments: [nil, Animation.bouncy, .easeInOut(duration: 1)])
  func aJumpToTheTargetOfAMovingTrackEndsItsMotion(_ way: Animation?) throws {
    for spelling in 0..<6 {
      var batch = try AnimationBatch<Float>()
      let tracks = try batch.add([Float](repeating: 1, count: 20))
      let goals = [Float](repeating: 5, count: 20)
      if let way {
        try batch.animate(tracks, to: goals, way)
      } else {
        for track in tracks { try batch.animate(track, to: 5, .smooth) }
      }
      try batch.advance(to: 0.125)
      switch spelling {
      case 0: for track in tracks { try batch.animate(track, to: 5, nil) }
      case 1: try batch.animate(tracks, to: goals, nil)
      case 2: try batch.animate(0..<20, to: goals.span, nil)
      case 3: try batch.animate(.all, to: goals, nil)
      case 4: try batch.animate(tracks, to: goals, animations: tracks.map { _ in nil })
      default: try batch.animate(tracks, to: goals, nil, delays: [Double](repeating: 0.0625, count: 20))
      }
      try batch.advance(to: 0.25)
      for track in tracks {
        let (value, velocity) = (batch[track], batch.velocity(of: track))
        #expect(value == 5 && velocity == 0, "spelling \(spelling)")
      }
      #expect(batch.settled.isEmpty, "spelling \(spelling)")
    }
  }

  /// A jump needs no spring: a track that has only ever played a clip stands after it.
  @Test(arguments: [false, true]) func aJumpEndsTheOnlyClip(isWithMany: Bool) throws {
    var batch = try AnimationBatch<Float>()
    let clip = try batch.load(
      Clip(initialValue: 0.0) { _ in
        KeyframeTrack(\Double.self) { LinearKeyframe(10, duration: 1) }
      })
    let tracks = try batch.add(playing: clip, [Playback(), Playback()])
    try batch.advance(to: 0.5)
    if isWithMany { try batch.animate(tracks, to: [3, 3], nil) } else { try batch.animate(tracks[0], to: 3, nil) }
    try batch.advance(to: 0.75)
    let values = tracks.map { batch[$0] }
    #expect(values == [3, isWithMany ? 3 : 7.5])
  }
}
