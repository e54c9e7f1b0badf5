// SPDX-License-Identifier: MIT
import CYardsticks
import Murmuration

// Frames in which nothing changes, back to back. Each is a microsecond after the one before, so that nothing comes to rest.
extension ChangeBench {
  private static let one = "yardstick.steady.one-spring"
  private static let each = "yardstick.steady.each"
  private static let step = 1e-6
  /// All springs move by then.
  private static let start = 0.1

  /// Springs that share spring and start, all of them or those of calls for 160 tracks, or have their own; one component;
  /// springs of every bounce; springs among eases; clips in ranges and at random; phases; tracks at rest; a few that are
  /// awake.
  func steadyFrames() throws -> [OperationResult] {
    let (one, each) = (try batch(of: "one-spring"), try batch(of: "each"))
    let (cohort, scattered) = (try movingYardstick(), try scatteredYardstick())
    var works = [
      try frames("steady.one-spring", one, beside: Self.one), try frames("steady.each", each, beside: Self.each),
      frames(Self.one, cohort, bytes: 34), frames(Self.each, scattered, bytes: 58),
      try frames("steady.calls-for-160", try batch(of: "calls-for-160"), beside: Self.one),
    ]
    works += try ["scattered", "bounces", "springs-and-eases"].map { name in
      try frames("steady.\(name)", try batch(of: name), beside: Self.each)
    }
    var results = try rows(works)
    for (shared, yardstick) in [(one, cohort), (each, scattered)] {
      let time = max(shared.batch.time, yardstick.time) + 0.01
      try shared.batch.advance(to: time)
      yardstick.advance(to: time)
      try check(shared) { yardstick[$0] }
    }
    results += try rows(oneComponent() + clips())
    try one.batch.comeToRest()
    return try results + rows([frames("steady.at-rest", one, beside: nil)]) + awake()
  }

  private func frames<Value>(
    _ name: String, _ shared: SharedBatch<Value>, beside yardstick: String?, called: Int? = nil, by step: Double = step
  ) throws -> Work {
    try shared.batch.advance(to: shared.batch.time + Self.start)
    let bytes = called == nil ? Double(shared.batch.bytesPerFrame) : nil
    return Work(name: name, yardstick: yardstick, bytes: bytes, called: called) {
      try shared.batch.advance(by: step)
    }
  }

  private func frames(_ name: String, _ yardstick: TrackYardstick, bytes: Double) -> Work {
    yardstick.advance(to: Self.start)
    return Work(name: name, bytes: bytes * Double(tracks)) { yardstick.advance(to: yardstick.time + Self.step) }
  }

  /// Tracks that left 0 for the first goals in a way with a name.
  func batch(of kind: String) throws -> Batch {
    let (shared, handles) = try standing()
    switch kind {
    case "one-spring": try shared.batch.animate(.all, to: goals[0], .spring(spring))
    case "each": try shared.batch.animate(handles, to: goals[0], springs: springs)
    case "calls-for-160":
      for first in stride(from: 0, to: tracks, by: 160) {
        let part = first..<min(first + 160, tracks)
        try shared.batch.animate(Array(handles[part]), to: Array(goals[0][part]), .spring(springs[first]))
      }
    case "scattered":
      // Sixteen springs; the members of each stand anywhere.
      for group in 0..<16 {
        let members = stride(from: group, to: tracks, by: 16).map { order[$0] }
        try shared.batch.animate(members.map { handles[$0] }, to: members.map { goals[0][$0] }, .spring(springs[group]))
      }
    case "bounces":
      let bounces = springs.enumerated().map { index, spring in
        Spring(duration: spring.duration, bounce: -0.99 + 1.98 * Double(order[index]) / Double(tracks))
      }
      try shared.batch.animate(handles, to: goals[0], springs: bounces)
    default:
      let animations = (0..<tracks).map { index in
        order[index] % 2 == 0
          ? Optional(Animation.spring(springs[index])) : .easeInOut(duration: 10 + springs[index].duration)
      }
      try shared.batch.animate(handles, to: goals[0], animations: animations)
    }
    return shared
  }

  private func oneComponent() throws -> [Work] {
    let values = goals.map { $0.map(\.x) }
    let one = SharedBatch(try AnimationBatch<Float>(reservingCapacity: tracks))
    try one.batch.add(values[0], to: values[1], spring)
    let each = SharedBatch(try AnimationBatch<Float>(reservingCapacity: tracks))
    try each.batch.add(values[0], to: values[1], springs: springs)
    return [
      try frames("steady.one-component.one-spring", one, beside: nil),
      try frames("steady.one-component.each", each, beside: nil),
    ]
  }

  /// 64 clips of one component, and phases. The tracks of a clip are neighbours, or stand anywhere: the yardstick of
  /// these are those.
  private func clips() throws -> [Work] {
    func batch(_ clip: (Int) -> Int) throws -> SharedBatch<Float> {
      var batch = try AnimationBatch<Float>(reservingCapacity: tracks)
      var random = SplitMix64(seed: 42)
      let clips = try (0..<64).map { _ in try batch.load(KeyframeBench.clip(&random)) }
      let playbacks = (0..<tracks).map { _ in Playback(repetition: .forever, timeOffset: random.uniform(0...5)) }
      try batch.add(playing: (0..<tracks).map { clips[clip($0)] }, playbacks)
      return SharedBatch(batch)
    }
    let (ranges, random) = (try batch { $0 * 64 / self.tracks }, try batch { self.order[$0] % 64 })
    let phases = try PhaseBench.phases(tracks: tracks)
    return [
      try frames("steady.clips.in-ranges", ranges, beside: nil, by: Self.frame),
      try frames("steady.clips.at-random", random, beside: "steady.clips.in-ranges", by: Self.frame),
      try frames("steady.phases", phases, beside: nil, by: Self.frame),
    ]
  }

  /// Frames in which a hundredth of the tracks moves, at random, among tracks at rest; for each track that moves.
  private func awake() throws -> [OperationResult] {
    let few = order.prefix(tracks / 100)
    let (shared, handles) = try moving()
    try shared.batch.comeToRest()
    let yardstick = try TrackYardstick(count: tracks)
    yardstick.advance(to: shared.batch.time)
    // At rest at the goals, as the batch is.
    yardstick.sendAll(to: goals[0], spring)
    yardstick.advance(to: yardstick.time + 3)
    try shared.batch.advance(to: yardstick.time)
    try shared.batch.animate(few.map { handles[$0] }, to: few.map { goals[1][$0] }, .spring(spring))
    yardstick.send(few.map { UInt32($0) }, to: few.map { goals[1][$0] }, spring)
    let name = "yardstick.steady.awake-1-percent"
    let results = try rows([
      try frames("steady.awake-1-percent", shared, beside: name, called: few.count),
      Work(name: name, called: few.count) { yardstick.advance(to: yardstick.time + Self.step) },
    ])
    let time = max(shared.batch.time, yardstick.time) + 0.01
    try shared.batch.advance(to: time)
    yardstick.advance(to: time)
    try check(shared) { yardstick[$0] }
    return results
  }
}
