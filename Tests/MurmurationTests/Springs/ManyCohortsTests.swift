// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

/// Cohorts of every size side by side: those with tiles of their own, and those that share tiles.
struct ManyCohortsTests {
  private struct Member {
    var motions: [Motion]
    var spring: Spring
    /// Where the cohort stands in the common batch, and in one of its own.
    var handles: [TrackHandle] = []
    var twins: [TrackHandle] = []
    var values: [Float] { motions.map(\.value) }
    var targets: [Float] { motions.map(\.target) }
    var velocities: [Float] { motions.map(\.velocity) }
  }

  /// All sizes up to 50, in an order that mixes them.
  private func members() -> [Member] {
    var random = SplitMix64(seed: 61)
    return (1...50).shuffled(using: &random).map { size in
      let regime = Motion.Regime.allCases[size % Motion.Regime.allCases.count]
      let motions = (0..<size).map { _ in Motion(regime, &random) }
      return Member(motions: motions, spring: motions[0].spring)
    }
  }

  @Test(arguments: KernelSet.available) func eachMovesAsItDoesAlone(_ set: KernelSet) throws {
    var members = members()
    var together = try SpringBatch(kernels: set)
    for index in members.indices {
      let (values, targets, velocities) = (members[index].values, members[index].targets, members[index].velocities)
      members[index].handles = try together.add(
        members[index].spring, values: values.span, targets: targets.span, velocities: velocities.span)
    }
    let times = [1e-3, 0.1, 0.3, 0.5, 1, 2, 5, 10, 30, 31]
    var bits = members.map { _ in [[UInt32]]() }
    var settled = members.map { _ in [Int]() }
    for time in times {
      try together.advance(to: time)
      let (values, velocities) = (try together.values(), try together.velocities())
      let reported = Set(together.settled)
      for index in members.indices {
        let tracks = members[index].handles.map(\.index)
        bits[index].append(tracks.map { values[$0].bitPattern } + tracks.map { velocities[$0].bitPattern })
        settled[index].append(members[index].handles.filter { reported.contains($0) }.count)
      }
      // A part of each is sent elsewhere, and a part removed.
      if time == 0.3 {
        for member in members {
          let part = Array(member.handles.prefix(member.handles.count / 2))
          let targets = [Float](repeating: 7, count: part.count)
          try together.retarget(part.span, to: targets.span)
        }
      }
    }
    for index in members.indices {
      var alone = try SpringBatch(kernels: set)
      let member = members[index]
      let (values, targets, velocities) = (member.values, member.targets, member.velocities)
      let handles = try alone.add(
        member.spring, values: values.span, targets: targets.span, velocities: velocities.span)
      for (frame, time) in times.enumerated() {
        try alone.advance(to: time)
        let got = try alone.bits()
        #expect(got == bits[index][frame], "\(member.motions.count) tracks at \(time)")
        let count = alone.settled.count
        #expect(count == settled[index][frame])
        if time == 0.3 {
          let part = Array(handles.prefix(handles.count / 2))
          let sevens = [Float](repeating: 7, count: part.count)
          try alone.retarget(part.span, to: sevens.span)
        }
      }
    }
  }

  /// Cohorts that lose tracks are packed into fewer tiles, and nobody sees it.
  @Test func aCohortThatShrinksMovesOn() throws {
    var random = SplitMix64(seed: 62)
    for count in [17, 40, 100, 500] {
      let motions = (0..<count).map { _ in Motion(.bouncy, &random) }
      let (values, targets) = (motions.map(\.value), motions.map(\.target))
      var shrinking = try SpringBatch()
      var whole = try SpringBatch()
      var handles = try shrinking.add(.bouncy, values: values.span, targets: targets.span)
      let twins = try whole.add(.bouncy, values: values.span, targets: targets.span)
      handles.shuffle(using: &random)
      for frame in 1...60 {
        try shrinking.advance(to: Double(frame) / 30)
        try whole.advance(to: Double(frame) / 30)
        let (one, other) = (try shrinking.values(), try whole.values())
        let (speed, otherSpeed) = (try shrinking.velocities(), try whole.velocities())
        for handle in handles {
          let index = handle.index
          #expect(one[index].bitPattern == other[index].bitPattern && speed[index] == otherSpeed[index])
        }
        let settled = shrinking.settled.sorted { $0.index < $1.index }
        let live = Set(handles.map(\.index))
        let expected = whole.settled.map(\.index).filter { live.contains($0) }
        #expect(settled.map(\.index) == expected)
        for _ in 0..<min(count / 20, handles.count) {
          try shrinking.remove(handles.removeLast())
        }
        let (rows, trackCount) = (shrinking.rowCount, shrinking.count)
        #expect(rows >= trackCount && twins.count == count)
      }
    }
  }
}
