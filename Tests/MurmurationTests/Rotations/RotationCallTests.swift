// SPDX-License-Identifier: MIT
import AnimationModel
import Foundation
import Testing

@testable import Murmuration

/// What calls about rotations promise, one by one.
struct RotationCallTests {
  private typealias Sample = RotationBatchTests

  private static let start = Rotation(axis: SIMD3(1, 2, -1), angle: .degrees(40))!
  private static let goal = Rotation(axis: SIMD3(-1, 0.5, 2), angle: .degrees(160))!
  private static let next = Rotation(axis: SIMD3(0.2, -1, 1), angle: .degrees(100))!

  // MARK: - Hand-over

  /// The calls that take over the angular velocity, from a spring, from following and from a clip on its way.
  /// A paused motion goes on before another one takes over.
  @Test(arguments: [Animation.linear(duration: 1), .smooth(duration: 2)])
  func aPausedTrackThatPlaysAClipKeepsItsTarget(_ animation: Animation) throws {
    var batch = try RotationBatch()
    let (track, goal) = (try batch.add(.identity), Rotation(vector: [0, 0, 1]))
    try batch.animate(track, to: goal, animation)
    try batch.advance(to: 0.5)
    try batch.pause(track)
    let clip = try Clip(dimensions: 4, initialValues: [0, 0, 1, 0], tracks: [], duration: 1)
    try batch.play(try batch.load(clip), on: track, Playback(delay: 1, holdsBefore: false, holdsAfter: false))
    let target = batch.target(of: track) ?? .identity
    #expect(abs((target.quaternion * goal.quaternion).sum()) > 1 - 1e-6)
    #expect(batch.angularVelocity(of: track) == .zero)
    // Before the clip, and after it, the target shows.
    for time in [0.7, 3] {
      try batch.advance(to: time)
      let shown = batch[track] ?? .identity
      #expect(abs((shown.quaternion * goal.quaternion).sum()) > 1 - 1e-6, "\(time)")
    }
  }

  @Test(arguments: KernelSet.available, [1, 16, 21])
  func theAngularVelocityIsContinuous(set: KernelSet, count: Int) throws {
    typealias Call = (inout RotationBatch, [TrackHandle]) throws -> Void
    let firsts: [Call] = [
      { try $0.animate($1, to: Self.goal, .spring(Spring(duration: 0.6, bounce: 0.4))) },
      { batch, tracks in
        try batch.follow(tracks)
        try batch.setGoals(of: tracks, Self.goal)
      },
      { try $0.play($0.load(Self.clip()), on: $1) },
    ]
    let seconds: [Call] = [
      { try $0.animate($1, to: Self.next, .spring(Spring(duration: 0.3))) }, { try $0.retarget($1, to: Self.next) },
      { batch, tracks in
        try batch.follow(tracks)
        try batch.setGoals(of: .all, planar: Self.columns(of: Self.next, count: batch.indexCount))
      },
      { try $0.follow($1, with: Spring(duration: 0.3)) },
    ]
    for (first, begin) in firsts.enumerated() {
      for (second, takeOver) in seconds.enumerated() {
        var batch = try Sample.batch(set)
        let tracks = try batch.add([Rotation](repeating: Self.start, count: count))
        try begin(&batch, tracks)
        for frame in 1...12 { try batch.advance(to: Double(frame) / 60) }
        let before = (batch[tracks[0]]!, batch.angularVelocity(of: tracks[0])!)
        let speed = Sample.length(before.1)
        #expect(speed > 1)
        try takeOver(&batch, tracks)
        for track in tracks {
          let after = (batch[track]!, batch.angularVelocity(of: track)!)
          #expect(Sample.angle(before.0, after.0) < 0x1p-20, "\(first) to \(second)")
          #expect(Sample.length(before.1 - after.1) < 0x1p-19 * speed, "\(first) to \(second)")
        }
        try batch.advance(by: 1e-5)
        #expect(Sample.angle(before.0, batch[tracks[0]]!) < 2e-5 * speed + 0x1p-20)
        for _ in 0..<200 { try batch.advance(by: 0.05) }
        if second < 3 { #expect(Sample.angle(batch[tracks[0]]!, Self.next) < 1e-6, "\(first) to \(second)") }
      }
    }
  }

  private static func columns(of rotation: Rotation, count: Int) -> [Float] {
    (0..<4).flatMap { part in [Float](repeating: 3 * Float(rotation.quaternion[part]), count: count) }
  }

  /// A clip of quaternions whose length is not 1.
  private static func clip() throws -> Clip {
    let keys = [start.quaternion, 1.1 * next.quaternion, goal.quaternion]
    return try Clip(initialValue: keys[0]) { _ in
      CubicKeyframe(keys[1], duration: 0.4)
      CubicKeyframe(keys[2], duration: 0.4)
    }
  }

  @Test func aClipTakesOverFromASpringAndBack() throws {
    var batch = try Sample.batch(.portable)
    let tracks = try batch.add([Self.start, Self.start])
    try batch.animate(tracks, to: Self.goal, .spring(Spring(duration: 0.5, bounce: 0.3)))
    try batch.advance(to: 0.1)
    let (shown, spin) = (batch[tracks[0]]!, batch.angularVelocity(of: tracks[0])!)
    try batch.play(try batch.load(Self.clip()), on: tracks[0], start: .shownValue)
    try batch.advance(to: 0.1)
    #expect(Sample.angle(batch[tracks[0]]!, shown) < 0x1p-20)
    #expect(Sample.length(batch.angularVelocity(of: tracks[0])! - spin) < 1e-4 * Sample.length(spin))
    #expect(batch.target(of: tracks[0])!.angle(to: Self.goal).radians < 0x1p-20)
    // The other track of the tile goes on.
    try batch.advance(to: 2)
    #expect(Sample.angle(batch[tracks[1]]!, Self.goal) < 0x1p-20)
    for q in try batch.rotations() { #expect(abs(Double((q * q).sum()).squareRoot() - 1) < 0x1p-21) }
    // A spring leads it back.
    try batch.animate(tracks[0], to: Self.start)
    try batch.advance(to: 6)
    #expect(Sample.angle(batch[tracks[0]]!, Self.start) < 0x1p-20 && batch.isAtRest(tracks[0]) == true)
    // A refused clip leaves a spring as it was.
    try batch.animate(tracks[1], to: Self.next)
    try batch.advance(to: 6.1)
    let before = (batch[tracks[1]]!, batch.angularVelocity(of: tracks[1])!)
    let pieces = try batch.load(Clip(dimensions: 4, initialValues: [0, 0, 0, 1], tracks: [], duration: 1))
    #expect(throws: BatchError.self) { try batch.play(pieces, on: tracks[1], start: .shownValue) }
    for _ in 0..<2 {
      #expect(batch[tracks[1]]! == before.0 && batch.angularVelocity(of: tracks[1])! == before.1)
      try batch.advance(to: 6.1)
    }
  }

  // MARK: - Delays, pauses, state

  /// Columns and vertices hold the rotations of single tracks, for any selection.
  @Test func rotationsGoIntoVertices() throws {
    var batch = try Sample.batch(.portable)
    var random = SplitMix64(seed: 9)
    let tracks = try batch.add((0..<40).map { _ in Sample.random(&random) })
    try batch.animate(tracks, to: Self.goal, .bouncy, delays: (0..<40).map { Double($0) * 0.01 })
    try batch.remove(tracks[7])
    try batch.advance(to: 0.3)
    let shown = try batch.rotations()
    for track in tracks where batch.contains(track) {
      #expect(batch[track]! == Rotation(quaternion: SIMD4<Double>(shown[track.index]))!)
    }
    for component in 0..<4 {
      try batch.withValues(component: component) { column in
        #expect(column.count == 40 && shown.indices.allSatisfy { $0 == 7 || column[$0] == shown[$0][component] })
      }
    }
    #expect(throws: BatchError.dimensionOutOfRange(4, count: 4)) { try batch.withValues(component: 4) { _ in } }
    let some = [tracks[30], tracks[2], tracks[17]]
    let layout = VertexLayout(offset: 4, stride: 20)
    var memory = [Float](repeating: -7, count: 5 * 40)
    func copied(_ count: Int, _ copy: (inout MutableRawSpan) throws -> Void) throws -> [SIMD4<Float>] {
      var floats = memory.mutableSpan
      var span = floats.mutableBytes
      try copy(&span)
      return (0..<count).map { vertex in SIMD4 { memory[5 * vertex + 1 + $0] } }
    }
    #expect(try copied(40) { try batch.copyValues(into: &$0, layout: layout) } == shown)
    #expect(try copied(9) { try batch.copyValues(of: 20..<29, into: &$0, layout: layout) } == Array(shown[20..<29]))
    #expect(
      try copied(3) { try batch.copyValues(of: some, into: &$0, layout: layout) } == some.map { shown[$0.index] })
  }

  @Test func pausesSpeedsAndSnapshotsAreThoseOfOtherValues() throws {
    var batch = try Sample.batch(.portable)
    let tracks = try batch.add([Self.start, Self.start, Self.start])
    try batch.animate(tracks, to: Self.goal, .spring(Spring(duration: 0.5)))
    try batch.advance(to: 0.1)
    let (shown, spin) = (batch[tracks[0]]!, batch.angularVelocity(of: tracks[0])!)
    try batch.pause(tracks[0])
    try batch.setSpeed(0.5, of: tracks[1])
    #expect(Sample.length(batch.angularVelocity(of: tracks[1])! - spin / 2) < 1e-5)
    let snapshot = try batch.snapshot()
    try batch.advance(to: 0.3)
    #expect(batch[tracks[0]]! == shown && batch.angularVelocity(of: tracks[0])! == .zero)
    let later = try batch.rotations()
    try batch.stop(tracks)
    try batch.restore(snapshot)
    try batch.advance(to: 0.3)
    #expect(try batch.rotations() == later)
    let bytes = try snapshot.bytes()
    for kernels in KernelSet.available {
      var copy = try RotationBatch(BatchSnapshot(bytes: bytes), kernels: kernels)
      try copy.advance(to: 0.3)
      #expect(try copy.rotations() == later)
    }
    #expect(throws: BatchError.snapshotMismatch) { _ = try AnimationBatch<SIMD4<Float>>(snapshot) }
    // A paused track goes on first, and then takes the new goal.
    try batch.animate(tracks[0], to: Self.next, .spring(Spring(duration: 0.5)))
    #expect(Sample.length(batch.angularVelocity(of: tracks[0])! - spin) < 1e-4)
    try batch.advance(to: 5)
    #expect(Sample.angle(batch[tracks[0]]!, Self.next) < 0x1p-20)
    #expect(batch.events.contains { $0.track == tracks[0] && $0.kind == .settled })
    try batch.remove(tracks[1])
    #expect(batch[tracks[1]] == nil && batch.angularVelocity(of: tracks[1]) == nil && batch.count == 2)
    #expect(try batch.rotations()[tracks[1].index] == .zero)
    let again = try batch.add(Self.start)
    #expect(again.index == tracks[1].index && Sample.angle(batch[again]!, Self.start) < 0x1p-21)
  }

  /// A goal that a track heads for already changes nothing, whatever the sign of its quaternion.
  @Test func theSameGoalChangesNothing() throws {
    var batch = try Sample.batch(.portable)
    let track = try batch.add(Self.start)
    try batch.animate(track, to: Self.goal, .spring(Spring(duration: 0.5)))
    try batch.advance(to: 0.1)
    let end = batch.restTime(of: track)
    try batch.animate(track, to: Rotation(quaternion: -Self.goal.quaternion)!, .spring(Spring(duration: 3)))
    #expect(batch.restTime(of: track) == end)
  }

  // MARK: - Long programs

  @Test func quaternionsKeepTheirLengthAndTheirSignFor100000Frames() throws {
    var batch = try Sample.batch(KernelSet.available.last!)
    var random = SplitMix64(seed: 7)
    let tracks = try batch.add((0..<8).map { _ in Sample.random(&random) })
    try batch.follow(tracks[0..<4])
    var (longest, nearest) = (0.0, 1.0)
    var before = try batch.rotations()
    for frame in 0..<100_000 {
      if frame % 7 == 0 {
        try batch.setGoals(of: tracks[frame % 4], Sample.random(&random))
        try batch.animate(
          tracks[4 + frame % 4], to: Sample.random(&random), .spring(Spring(duration: 0.4, bounce: 0.3)))
      }
      try batch.advance(by: 1 / 240)
      let shown = try batch.rotations()
      for (q, old) in zip(shown, before) {
        longest = max(longest, abs(Double((q * q).sum()).squareRoot() - 1))
        nearest = min(nearest, Double((q * old).sum()))
      }
      before = shown
    }
    #expect(longest < 0x1p-21, "\(longest)")
    // A quaternion never becomes its negative from one frame to the next.
    #expect(nearest > 0.5, "\(nearest)")
  }

  /// A fast spin has an offset of several turns.
  @Test(arguments: KernelSet.available) func offsetsOfSeveralTurns(set: KernelSet) throws {
    var batch = try Sample.batch(set)
    let track = try batch.add(.identity)
    let (spring, spin) = (Spring(duration: 2), SIMD3<Float>(3, -40, 20))
    try batch.animate(track, to: Self.goal, .spring(spring))
    try batch.displace(track, .identity, angularVelocity: spin)
    let offset = Self.goal.inverse.vector
    let rate = Rotation.rate(at: offset, angularVelocity: SIMD3(spin))
    var longest = 0.0
    for frame in 1...200 {
      let time = Double(frame) / 100
      try batch.advance(to: time)
      let φ = offset + spring.value(target: -offset, initialVelocity: rate, time: time)
      longest = max(longest, Sample.length(φ))
      #expect(Sample.angle(batch[track]!, Self.goal * Rotation(vector: φ)) < 8 * 0x1p-24 * 20 + 0x1p-20, "\(time)")
    }
    #expect(longest > 2 * .pi)
  }

  // MARK: - Refusals

  @Test func whatIsNoRotationIsRefused() throws {
    #expect(Rotation(quaternion: .zero) == nil && Rotation(quaternion: SIMD4(0, .nan, 0, 1)) == nil)
    #expect(Rotation(quaternion: SIMD4(0, .infinity, 0, 1)) == nil && Rotation(axis: .zero, angle: .degrees(1)) == nil)
    #expect(Rotation(axis: SIMD3(1, 0, 0), angle: Angle(radians: .nan)) == nil)
    var batch = try Sample.batch(.portable)
    let tracks = try batch.add([Rotation](repeating: Self.start, count: 20))
    try batch.follow(tracks)
    try batch.setGoals(of: tracks, Self.goal)
    try batch.advance(to: 0.1)
    var shown = try batch.rotations()
    var goals = Self.columns(of: Self.next, count: 20)
    for part in 0..<4 { goals[20 * part + 17] = 0 }
    #expect(throws: BatchError.invalidRotation(of: "goal", index: 17)) {
      try batch.setGoals(of: .all, planar: goals)
    }
    goals[20 + 17] = .nan
    #expect(throws: BatchError.self) { try batch.setGoals(of: .all, planar: goals) }
    #expect(throws: BatchError.wrongCount(of: "goals", expected: 20, got: 2)) {
      try batch.animate(tracks, to: [Self.goal, Self.next])
    }
    #expect(throws: BatchError.self) { try batch.set(tracks[0], Self.next, angularVelocity: SIMD3(.nan, 0, 0)) }
    #expect(throws: BatchError.self) { try batch.animate(tracks[0], to: Self.next, delay: -1) }
    #expect(throws: BatchError.self) { try batch.animate(tracks[0], to: Self.next, .easeIn(duration: .nan)) }
    try batch.remove(tracks[5])
    #expect(throws: BatchError.staleHandle(tracks[5])) { try batch.animate(tracks, to: Self.next) }
    #expect(throws: BatchError.staleHandle(tracks[5])) { try batch.set(tracks[5], Self.next) }
    shown[tracks[5].index] = .zero
    #expect(try batch.rotations() == shown)
  }

  // MARK: - Angles

  @Test(arguments: [AngleUnit.radians, .degrees, .turns]) func anglesTakeTheShortestTurn(unit: AngleUnit) throws {
    var batch = try AnimationBatch<Float>()
    let full = Float(unit.fullTurn)
    let starts: [Float] = [350 / 360, 10 / 360, 0, 2.9, -5.2].map { $0 * full }
    let goals: [Float] = [10 / 360, 350 / 360, 0.4, 0.1, 0.1].map { $0 * full }
    let tracks = try batch.add(starts)
    try batch.turn(tracks, to: goals, in: unit, .spring(Spring(duration: 0.2)))
    try batch.advance(to: 10)
    for (index, track) in tracks.enumerated() {
      let exact = Angle(radians: Double(goals[index] / full) * 2 * .pi)
        .nearest(to: Angle(radians: Double(starts[index] / full) * 2 * .pi))
      #expect(abs(Double(batch[track]! / full) - exact.radians / (2 * .pi)) < 1e-6)
      #expect(abs(batch[track]! - starts[index]) <= full / 2 * 1.0001)
    }
    try batch.follow(tracks)
    try batch.turnGoals(of: tracks, to: starts, in: unit)
    try batch.advance(to: 10.1)
    for _ in 0..<300 { try batch.advance(by: 0.05) }
    for (index, track) in tracks.enumerated() {
      let turns = (batch[track]! - starts[index]) / full
      #expect(abs(turns - turns.rounded()) < 1e-5)
    }
    #expect(throws: BatchError.self) { try batch.turn(tracks, to: [.nan, 0, 0, 0, 0], in: unit) }
  }
}
