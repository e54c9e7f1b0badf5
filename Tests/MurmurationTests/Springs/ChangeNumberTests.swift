// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// Which number of a change the events of a track carry.
struct ChangeNumberTests {
  /// A call about all tracks of a tile numbers the tile once, so a later number has to take the place of that one.
  @Test("A later call about one track of a tile reports its own number", arguments: KernelSet.available, [false, true])
  func numberOfOneTrackAmongMany(_ set: KernelSet, _ compacts: Bool) throws {
    var batch = try AnimationBatch<Float>(kernels: set)
    let (zeros, goals) = ([Float](repeating: 0, count: 33), [Float](repeating: 5, count: 33))
    let springs = (0..<33).map { Spring(duration: 0.5, bounce: $0 < 16 ? 0.2 : -0.2) }
    let tracks = try batch.add(zeros, to: goals.reversed().map { $0 + 1 }, springs: springs)
    try batch.advance(to: 0.1)
    let all = try batch.retarget(.all, to: goals.span)
    let one = try batch.retarget(tracks[3], to: 7)
    let few = try batch.retarget([tracks[20], tracks[21]], to: [8, 9])
    let own = try batch.animate([tracks[9]], to: [-1], springs: [.snappy])
    #expect(Set([all, one, few, own]).count == 4)
    // A track that heads for the goal already has the number of the change before.
    let (same, sameAsOne) = (
      try batch.animate(tracks[0], to: 5, .smooth), try batch.animate(tracks[3], to: 7, .smooth)
    )
    #expect(same == all && sameAsOne == one)
    if compacts { try batch.compact() }
    try batch.advance(to: 60)
    let expected = tracks.indices.map { $0 == 3 ? one : $0 == 9 ? own : $0 == 20 || $0 == 21 ? few : all }
    for kind in [AnimationEvent.Kind.logicallyComplete, .settled] {
      let changes = batch.events.filter { $0.kind == kind }.map(\.change)
      #expect(changes == expected)
    }
  }

  /// A track that stands keeps its index when it is put somewhere, and has the number of that call from then on.
  @Test(arguments: KernelSet.available) func tracksThatStandWhereTheyArePut(_ set: KernelSet) throws {
    var batch = try AnimationBatch<SIMD2<Float>>(kernels: set)
    let values = (0..<20).map { SIMD2<Float>(Float($0), 1) }
    let zeros = [SIMD2<Float>](repeating: .zero, count: 20)
    let tracks = try batch.add(values)
    for time in [0.1, 0.2] {
      try batch.advance(to: time)
      let indices = tracks.map { batch.engine.tracks.index(of: $0) }
      let put =
        time == 0.1
        ? try batch.set(tracks, values, velocities: zeros) : try batch.displace(tracks, values, velocities: zeros)
      #expect(put == batch.latestChange)
      let after = tracks.map { batch.engine.tracks.index(of: $0) }
      #expect(after == indices)
      for (track, value) in zip(tracks, values) {
        let (shown, target, velocity, rests) = (
          batch[track], batch.target(of: track), batch.velocity(of: track), batch.isAtRest(track)
        )
        #expect(shown == value && target == value && velocity == .zero && rests == true)
        let before = try batch.animate(track, to: value, .bouncy)
        #expect(before == put)
      }
    }
    try batch.advance(to: 9)
    let (shown, events) = (tracks.map { batch[$0] }, batch.events)
    #expect(shown == values && events.isEmpty)
  }

  /// With a velocity, a track that is put where it stands still stays there, and the next spring takes the velocity over.
  @Test(arguments: [false, true]) func tracksThatArePutWithAVelocityStay(_ goesOn: Bool) throws {
    var batch = try AnimationBatch<Float>()
    let track = try batch.add(5)
    let put = try goesOn ? batch.displace([track], [5], velocities: [40]) : batch.set([track], [5], velocities: [40])
    try batch.advance(to: 1)
    let shown = batch[track]
    #expect(shown == 5)
    // The track heads for no goal, so a call to the goal where it stands starts another motion.
    try batch.set([track], [5], velocities: [40])
    let thrown = try batch.animate(track, to: 5, .smooth)
    #expect(thrown > put)
    try batch.advance(by: 0.05)
    let moved = batch[track] ?? .nan
    #expect(moved > 5)
  }
}
