// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// Calls for any number of tracks side by side.
struct ManyCallsTests {
  private typealias Batch = AnimationBatch<Float>

  /// Motions of one spring, and their tracks in a batch.
  private struct Member {
    let motions: [Motion]
    var handles: [TrackHandle] = []

    func add(to batch: inout Batch) throws -> [TrackHandle] {
      try batch.add(
        motions.map(\.value), velocities: motions.map(\.velocity), to: motions.map(\.target), motions[0].spring)
    }

    /// Sends half of its tracks elsewhere.
    func redirect(_ handles: [TrackHandle], _ batch: inout Batch) throws {
      let part = Array(handles.prefix(handles.count / 2))
      try batch.retarget(part, to: [Float](repeating: 7, count: part.count))
    }
  }

  @Test(arguments: KernelSet.available) func eachMovesAsItDoesAlone(_ set: KernelSet) throws {
    var random = SplitMix64(seed: 61)
    var members = [1, 2, 5, 9, 15, 16, 17, 20, 31, 32, 33, 50].shuffled(using: &random).map { size in
      let regime = Motion.Regime.allCases[size % Motion.Regime.allCases.count]
      return Member(motions: (0..<size).map { _ in Motion(regime, &random) })
    }
    var together = try Batch(kernels: set)
    for index in members.indices { members[index].handles = try members[index].add(to: &together) }
    let times = [1e-3, 0.1, 0.3, 0.5, 1, 2, 5, 10, 30, 31]
    var bits = members.map { _ in [[UInt32]]() }
    var settled = members.map { _ in [Int]() }
    for time in times {
      try together.advance(to: time, velocities: true)
      let (values, velocities) = (try together.values(), try together.velocities())
      let reported = Set(together.settled)
      for (index, member) in members.enumerated() {
        let tracks = member.handles.map(\.index)
        bits[index].append(tracks.map { values[$0].bitPattern } + tracks.map { velocities[$0].bitPattern })
        settled[index].append(member.handles.count { reported.contains($0) })
        if time == 0.3 { try member.redirect(member.handles, &together) }
      }
    }
    for (index, member) in members.enumerated() {
      var alone = try Batch(kernels: set)
      let handles = try member.add(to: &alone)
      for (frame, time) in times.enumerated() {
        try alone.advance(to: time)
        let (got, count) = (try alone.bits(), alone.settled.count)
        #expect(got == bits[index][frame] && count == settled[index][frame], "\(handles.count) tracks at \(time)")
        if time == 0.3 { try member.redirect(handles, &alone) }
      }
    }
  }

  /// Tracks that leave change no value of the others.
  @Test func aTileThatShrinksMovesOn() throws {
    var random = SplitMix64(seed: 62)
    for count in [17, 40, 300] {
      var motions = (0..<count).map { _ in Motion(.bouncy, &random) }
      // It is complete while tracks leave, and rests after that.
      motions[0].spring = Spring(duration: 0.2, bounce: 0.4)
      let member = Member(motions: motions)
      var shrinking = try Batch()
      var whole = try Batch()
      var handles = try member.add(to: &shrinking)
      _ = try member.add(to: &whole)
      handles.shuffle(using: &random)
      for frame in 1...30 {
        try shrinking.advance(to: Double(frame) / 30, velocities: frame % 2 == 0)
        try whole.advance(to: Double(frame) / 30)
        let (one, other) = (try shrinking.bits(), try whole.bits())
        let isSame = handles.allSatisfy {
          one[$0.index] == other[$0.index] && one[count + $0.index] == other[count + $0.index]
        }
        #expect(isSame)
        let live = Set(handles.map(\.index))
        let (events, expected) = (shrinking.events, whole.events.filter { live.contains($0.track.index) })
        #expect(events.map(\.track.index) == expected.map(\.track.index) && events.map(\.kind) == expected.map(\.kind))
        for _ in 0..<min(count / 20 + 1, handles.count) { try shrinking.remove(handles.removeLast()) }
        let (indexCount, trackCount) = (shrinking.indexCount, shrinking.count)
        #expect(indexCount >= trackCount)
      }
    }
  }
}
