// SPDX-License-Identifier: MIT
import AnimationModel
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// Tracks on springs, alone and in bulk, and tracks that stand among them.
struct SpringTrackTests {
  @Test func retargetingKeepsValueAndVelocity() throws {
    var batch = try AnimationBatch<SIMD2<Float>>()
    let handle = try batch.add([0, 10], to: [100, -50], .bouncy)
    try batch.advance(to: 0.2)
    let (value, velocity) = (batch[handle] ?? .zero, batch.velocity(of: handle) ?? .zero)
    #expect(velocity != .zero)
    try batch.animate(handle, to: [-20, 0], .smooth)
    #expect(batch[handle] == value && batch.velocity(of: handle) == velocity)
    // Just after, it has moved by velocity · time and no more.
    try batch.advance(by: 1e-5)
    let step = (batch[handle] ?? .zero) - value - velocity * 1e-5
    #expect(abs(step.x) < 1e-4 && abs(step.y) < 1e-4)
  }

  /// The coefficients of the last spring are kept from call to call.
  @Test func callsOneAfterTheOtherFollowTheirOwnSprings() throws {
    let springs = [
      Spring.bouncy, .bouncy, .smooth, Spring(mass: 2, stiffness: 80, damping: 3), .smooth,
      Spring(duration: Spring.smooth.duration, bounce: 1e-9),
    ]
    var batch = try AnimationBatch<Float>()
    let handles = try batch.add([Float](repeating: 0, count: springs.count))
    for (handle, spring) in zip(handles, springs) { try batch.animate(handle, to: 1, .spring(spring)) }
    // A refused spring, and a blend duration that is no number, are refused each time.
    for refused in [
      Animation.spring(Spring(mass: -1, stiffness: 1, damping: 1)), .spring(.smooth, blendDuration: .nan),
    ] {
      for _ in 0..<2 { #expect(throws: BatchError.self) { try batch.animate(handles[0], to: 2, refused) } }
    }
    try batch.advance(to: 0.2)
    for (handle, spring) in zip(handles, springs) {
      #expect(batch.excess(of: handle, Motion(value: 0, target: 1, spring: spring).exact()) <= 1, "\(spring)")
    }
  }

  @Test func tracksAddedWhileVelocitiesWaitShowTheirStartWhenThoseAreRead() throws {
    var batch = try AnimationBatch<Float>()
    let moving = try batch.add(0, to: 10, .bouncy)
    try batch.advance(to: 0.1)
    let jump = Spring(duration: 0, bounce: 0)
    let alone = try batch.add(3, velocity: 100, to: 8, jump)
    try batch.advance(to: 0.2)
    let many = try batch.add([5], velocities: [5], to: [6], jump)
    let late = try batch.add(3, velocity: 100, to: 8, jump)
    let velocities = [moving, alone, many[0], late].map { batch.velocity(of: $0) }
    #expect(velocities[0] != 0 && velocities[1...] == [0, 5, 100])
    #expect([alone, many[0], late].map { batch[$0] } == [8, 5, 3])
  }

  // MARK: - Tracks that stand

  /// Their lanes may have the springs of followers, which have no start.
  @Test func theyStandWhereOthersFollowed() throws {
    var batch = try AnimationBatch<Float>()
    try batch.advance(to: -1e6)
    let followers = try batch.add([Float](repeating: 0, count: 16))
    try batch.follow(followers, with: Spring(duration: 0.1))
    try batch.remove(followers)
    try batch.advance(by: 0.1)
    let tracks = try batch.add([Float](repeating: 2, count: 20))
    for track in tracks[0..<7] { try batch.animate(track, to: 5, .spring(duration: 0.1)) }
    try batch.animate(tracks[3], to: 2, nil)
    for time in [-1e6 + 0.2, -1e3, 0, 1e6] {
      try batch.advance(to: time, velocities: true)
      for track in [tracks[3]] + tracks[7...] {
        #expect(batch[track] == 2 && batch.velocity(of: track) == 0, "\(time)")
      }
    }
  }

  /// Frames evaluate tracks that stand if their neighbours move, and must show what they show alone.
  @Test func aValueOfMinusZeroIsShownAsZero() throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([Float](repeating: -0.0, count: 20))
    try batch.set([tracks[1]], [-0.0], velocities: [0])
    for moves in [false, true] {
      if moves { try batch.animate(tracks[0], to: 1, .smooth) }
      try batch.advance(by: 0.1)
      for track in tracks[1...] { #expect(batch[track]?.bitPattern == 0, "moves: \(moves)") }
    }
  }

  // MARK: - Jumps

  /// A jump among other tracks in its tile, with the frequency 0 that it has in the columns.
  @Test(arguments: KernelSet.available, [1e-30, 0.001, 5] as [Float])
  func aJumpThatMovesAloneIsOverAtOnce(_ set: KernelSet, _ tolerance: Float) throws {
    let jump = Spring(duration: 0, bounce: 0)
    var batch = try AnimationBatch<SIMD2<Float>>(kernels: set)
    batch.restTolerance = try RestTolerances(value: tolerance)
    try batch.add([1e6, 2], to: .zero, .bouncy)
    let jumping = try batch.add([3, 4], velocity: [100, -100], to: [8, 9], jump)
    let sent = try batch.add([3, 4], velocity: [100, -100], to: .zero, .smooth)
    try batch.animate(sent, to: [8, 9], .spring(jump))
    #expect(batch[jumping] == [3, 4])
    try batch.advance(to: 1e-6)
    for handle in [jumping, sent] {
      #expect(batch.isAtRest(handle) == true && batch.restTime(of: handle) == 0)
      #expect(batch[handle] == [8, 9] && batch.velocity(of: handle) == .zero)
    }
    #expect(batch.logicallyComplete == [jumping, sent] && batch.settled == [jumping, sent])
    // It goes on jumping when its spring is kept.
    try batch.retarget(jumping, to: [-1, 0])
    try batch.advance(by: 1e-9)
    #expect(batch[jumping] == [-1, 0])
  }

  /// Sending a moving track to its own target changes nothing, but a jump ends the motion.
  @Test(arguments: [nil, Animation.bouncy, .easeInOut(duration: 1)], 0..<3)
  func aJumpToTheTargetOfAMovingTrackEndsItsMotion(_ way: Animation?, _ spelling: Int) throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([Float](repeating: 1, count: 20))
    for track in tracks where way == nil { try batch.animate(track, to: 5, .smooth) }
    if let way { try batch.animate(tracks, to: 5, way) }
    try batch.advance(to: 0.125)
    switch spelling {
    case 0: for track in tracks { try batch.animate(track, to: 5, nil) }
    case 1: try batch.animate(tracks, to: 5, nil)
    default: try batch.animate(tracks, to: 5, nil, delays: [Double](repeating: 0.0625, count: 20))
    }
    try batch.advance(to: 0.25)
    #expect(tracks.allSatisfy { batch[$0] == 5 && batch.velocity(of: $0) == 0 } && batch.settled.isEmpty)
  }

  /// A jump needs no spring: a track that has only ever played a clip stands after it.
  @Test(arguments: [false, true]) func aJumpEndsTheOnlyClip(isWithMany: Bool) throws {
    var batch = try AnimationBatch<Float>()
    let clip = try batch.load(Clip(initialValue: 0.0) { _ in LinearKeyframe(10.0, duration: 1) })
    let tracks = try batch.add(playing: clip, [Playback(), Playback()])
    try batch.advance(to: 0.5)
    if isWithMany { try batch.animate(tracks, to: 3, nil) } else { try batch.animate(tracks[0], to: 3, nil) }
    try batch.advance(to: 0.75)
    #expect(tracks.map { batch[$0] } == [3, isWithMany ? 3 : 7.5])
  }
}
