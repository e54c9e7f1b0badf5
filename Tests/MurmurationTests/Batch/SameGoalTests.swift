// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

/// `retarget` to the goal that a track heads for already changes nothing and reports nothing, however it is spelled.
struct SameGoalTests {
  /// The spellings of one call about all tracks.
  enum Spelling: CaseIterable {
    case single, handles, oneGoal, range, all, allToOne, planar, planarRange, planarAll, delays, shuffled, withOthers
  }

  /// The motions that tracks have when they are retargeted.
  enum Kind: CaseIterable { case bulk, alone, overdamped, curve, sum, slide, called, atRest }

  /// A full tile, and tracks in another one.
  private static let count = 20

  private static func begin(_ kind: Kind, _ batch: inout AnimationBatch<Float>) throws -> [TrackHandle] {
    let tracks = try batch.add([Float](repeating: 1, count: count))
    try batch.advance(to: 0)
    switch kind {
    case .bulk: try batch.animate(tracks, to: 5, .bouncy)
    case .alone: for track in tracks { try batch.animate(track, to: 5, .bouncy) }
    case .overdamped: for track in tracks { try batch.animate(track, to: 5, .spring(duration: 0.4, bounce: -0.5)) }
    case .curve: try batch.animate(tracks, to: 5, .easeInOut(duration: 0.5))
    case .sum:
      try batch.animate(tracks, to: 9, .linear(duration: 0.5))
      try batch.advance(to: 0.125)
      try batch.animate(tracks, to: 5, .easeInOut(duration: 0.5))
    case .slide: try batch.decelerate(tracks, velocity: 8, by: .fast)
    case .called: try batch.animate(tracks, to: 5, .linear(duration: 0.5).speed(-1).logicallyComplete(after: 0.5))
    case .atRest: try batch.animate(tracks, to: 5, nil)
    }
    try batch.advance(to: 0.25)
    return tracks
  }

  private static func retarget(
    _ batch: inout AnimationBatch<Float>, _ tracks: [TrackHandle], _ spelling: Spelling
  ) throws {
    let goals = tracks.map { batch.target(of: $0) ?? .nan }
    switch spelling {
    case .single: for (track, goal) in zip(tracks, goals) { try batch.retarget(track, to: goal) }
    case .handles: try batch.retarget(tracks, to: goals)
    case .oneGoal: try batch.retarget(tracks, to: goals[0])
    case .range: try batch.retarget(0..<tracks.count, to: goals.span)
    case .all: try batch.retarget(.all, to: goals)
    case .allToOne: try batch.retarget(.all, to: goals[0])
    case .planar: try batch.retarget(tracks.span, toPlanar: goals.span)
    case .planarRange: try batch.retarget(0..<tracks.count, toPlanar: goals.span)
    case .planarAll: try batch.retarget(.all, toPlanar: goals.span)
    case .delays: try batch.retarget(tracks, to: goals, delays: [Double](repeating: 0.01, count: tracks.count))
    case .shuffled: try batch.retarget(tracks.reversed(), to: goals.reversed())
    case .withOthers: try batch.retarget(Array(tracks.dropFirst(3)), to: Array(goals.dropFirst(3)))
    }
  }

  @Test(arguments: Kind.allCases, Spelling.allCases)
  func nothingChangesAndNothingIsReportedTwice(_ kind: Kind, _ spelling: Spelling) throws {
    var batch = try AnimationBatch<Float>()
    var twin = try AnimationBatch<Float>()
    let (tracks, others) = (try Self.begin(kind, &batch), try Self.begin(kind, &twin))
    func told(_ events: [AnimationEvent]) -> [String] { events.map { "\($0.kind) \($0.track.index) \($0.moment)" } }
    var (events, expected): ([String], [String]) = ([], [])
    // Frames on the way, and some until everything rests.
    for time in [0.25, 0.27, 0.29, 0.5, 0.75, 1, 1.5, 2, 3, 4, 6, 6.02] {
      try Self.retarget(&batch, tracks, spelling)
      try batch.advance(to: time, velocities: true)
      try twin.advance(to: time, velocities: true)
      events += told(batch.events)
      expected += told(twin.events)
      #expect(batch.bits(of: tracks) == twin.bits(of: others), "at \(time)")
    }
    #expect(events == expected)
    #expect(events.count == (kind == .atRest ? 0 : kind == .called ? tracks.count : 2 * tracks.count))
  }

  /// Only the tracks of a call that get another goal start anew.
  @Test(arguments: [Kind.bulk, .alone, .curve], [Spelling.handles, .range, .all])
  func othersOfTheSameCallStartAnew(_ kind: Kind, _ spelling: Spelling) throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try Self.begin(kind, &batch)
    let goals = tracks.indices.map { Float($0 % 3 == 0 ? 7 : 5) }
    switch spelling {
    case .handles: try batch.retarget(tracks, to: goals)
    case .range: try batch.retarget(0..<tracks.count, to: goals.span)
    default: try batch.retarget(.all, to: goals)
    }
    let change = batch.latestChange
    try batch.advance(to: 20)
    let settled = batch.events.filter { $0.kind == .settled }
    #expect(settled.map(\.track) == tracks && tracks.map { batch[$0] } == goals)
    #expect(settled.map { $0.change == change } == tracks.map { $0.index % 3 == 0 })
  }

  @Test func theNumberOfTheChangeBeforeIsReturned() throws {
    var batch = try AnimationBatch<Float>()
    let track = try batch.add(0)
    let change = try batch.animate(track, to: 3, .bouncy)
    #expect(try batch.retarget(track, to: 3) == change)
    // −0 and 0 are the same goal.
    let zero = try batch.retarget(track, to: 0)
    #expect(try zero != change && batch.retarget(track, to: -0.0) == zero)
  }
}
