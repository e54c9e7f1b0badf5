// SPDX-License-Identifier: MIT
import AnimationModel
import CYardsticks
import Murmuration

// Calls that tracks hear of now and then, and what frames cost after them.
extension ChangeBench {
  // MARK: - Setting out

  /// Frames of springs that set out at random, by one call each, by arrays of one, and by one call.
  func settingOut() throws -> [OperationResult] {
    let name = "yardstick.set-out"
    let yardstick = try scatteredYardstick()
    yardstick.advance(to: 0.1)
    var works = [Work(name: name) { yardstick.advance(to: yardstick.time + 1e-6) }]
    for spelling in ["one-by-one", "arrays-of-one", "bulk"] {
      let (shared, handles) = try standing()
      if spelling == "bulk" {
        try shared.batch.animate(order.map { handles[$0] }, to: order.map { goals[0][$0] }, .spring(spring))
      } else {
        for index in order {
          if spelling == "one-by-one" {
            try shared.batch.animate(handles[index], to: goals[0][index], .spring(spring))
          } else {
            try shared.batch.animate([handles[index]], to: [goals[0][index]], .spring(spring))
          }
        }
      }
      try shared.batch.advance(to: 0.1)
      works.append(
        Work(name: "set-out.\(spelling).frame", yardstick: name) { try shared.batch.advance(by: 1e-6) })
    }
    return try rows(works)
  }

  /// Springs that set out after up to 0.4 s, and the thirty frames after the call.
  func delays() throws -> [OperationResult] {
    let (shared, handles) = try standing()
    var random = SplitMix64(seed: 3)
    let delays = (0..<tracks).map { _ in random.uniform(0...0.4) }
    var timings = try Rounds(tracks: tracks, count: min(rounds, 8), warmUp: 1).time([
      Step("delays.call") {
        try shared.batch.animate(handles, to: self.goals[$0 & 1], .spring(self.spring), delays: delays)
      },
      Step("delays.frame") { _ in for _ in 0..<30 { try shared.batch.advance(by: Self.frame) } },
    ])
    timings[1].nanoseconds = timings[1].nanoseconds.map { $0 / 30 }
    return timings.map { $0.row() }
  }

  // MARK: - Effects

  /// An ease of 0.3 s to all in every frame, so that 18 are on top of each other, by one call and by a call for each track; and
  /// 4 and 18 effects in C.
  func effects() throws -> [OperationResult] {
    let duration = 0.3
    let (all, _) = try standing()
    let (single, handles) = try standing()
    let yardsticks = try [4, 18].map { layers in
      (layers, try EffectYardstick(count: tracks, layers: layers, .easeOut, duration: duration))
    }
    func start(_ round: Int, at time: Double) {
      for (_, yardstick) in yardsticks { yardstick.start(towards: goals[round & 1], at: time) }
    }
    func time(_ name: String, _ shared: Batch, _ call: @escaping (Int) throws -> Void) throws -> Timings {
      let frame = Step("\(name).frame") { _ in try shared.batch.advance(by: Self.frame) }
      let steps = [Step { start($0, at: shared.batch.time) }, Step("\(name).call", call), frame]
      return Timings(name, tracks: tracks, try Rounds(tracks: tracks, count: min(rounds, 5), warmUp: 18).time(steps))
    }
    let timings = [
      try time("effects.one-by-one", single) {
        let goals = self.goals[$0 & 1]
        try single.lend { batch in
          for (handle, goal) in zip(handles, goals) {
            try batch.animate(handle, to: goal, .easeOut(duration: duration))
          }
        }
      },
      try time("effects.all", all) {
        try all.batch.animate(.all, to: self.goals[$0 & 1], .easeOut(duration: duration))
      },
    ]
    let name = "yardstick.effects.18"
    let yardstick = yardsticks[1].1
    yardstick.advance(to: all.batch.time)
    // Eight cubics follow the curve to a few thousandths.
    try check(all, { yardstick[$0] }, within: 1)
    let moment = all.batch.time
    let inC = try rows(
      yardsticks.map { layers, yardstick in
        Work(name: "yardstick.effects.\(layers)", bytes: Double(tracks) * (20 * Double(layers) + 8)) {
          yardstick.advance(to: moment)
        }
      })
    let best = inC[1].nsPerTrack
    return inC
      + timings.flatMap(\.rows).map { row in
        // There is no call in C.
        guard !row.name.hasSuffix(".call") else { return row }
        var row = row
        (row.yardstick, row.ratio) = (name, row.nsPerTrack / best)
        return row
      }
  }

  // MARK: - Other calls

  /// Calls in bulk about all tracks, each with a frame after it that is not timed.
  func bulkCalls() throws -> [OperationResult] {
    let (shared, handles) = try moving()
    let clip = try shared.batch.load(
      Clip(
        KeyframeTimeline(initialValue: SIMD2<Float>.zero) {
          LinearKeyframe(SIMD2<Float>(100, 50), duration: 1)
          CubicKeyframe(SIMD2<Float>(-20, 0), duration: 1)
        }))
    let zeros = [SIMD2<Float>](repeating: .zero, count: tracks)
    let frame = Step { _ in try shared.batch.advance(by: Self.frame) }
    let calls: [(String, (Int) throws -> Void)] = [
      ("animate", { try shared.batch.animate(handles, to: self.goals[$0 & 1], .spring(self.spring)) }),
      ("pause", { _ in try shared.batch.pause(handles) }), ("resume", { _ in try shared.batch.resume(handles) }),
      ("set", { try shared.batch.set(handles, self.goals[$0 & 1], velocities: zeros) }),
      ("decelerate", { try shared.batch.decelerate(handles, velocities: self.goals[$0 & 1]) }),
      ("play", { _ in try shared.batch.play(clip, on: handles) }), ("stop", { _ in try shared.batch.stop(handles) }),
    ]
    return try Rounds(tracks: tracks, count: min(rounds, 8), warmUp: 1).rows(
      calls.flatMap { name, call in [Step("call.\(name)", call), frame] })
  }

  /// Tracks that come one by one, and tracks at rest that go.
  func lives() throws -> [OperationResult] {
    let shared = Batch(try AnimationBatch())
    let added = try Rounds(tracks: tracks, count: min(rounds, 8)).rows([
      Step { _ in shared.batch = try AnimationBatch() },
      Step("life.add-and-animate") { _ in
        try shared.lend { batch in
          for goal in self.goals[0] {
            try batch.animate(try batch.add(.zero), to: goal, .spring(self.spring))
          }
        }
      },
    ])
    let (living, _) = try moving()
    let few = [SIMD2<Float>](repeating: .zero, count: tracks / 100)
    var removed = 0
    let gone = try Rounds(tracks: tracks, count: rounds, warmUp: 2).rows([
      Step { _ in
        // They arrive in the next frame, and the others go on for long.
        let arriving = try living.batch.add(few)
        try living.batch.animate(arriving, to: SIMD2(1, 1), .linear(duration: 1e-5))
        try living.batch.advance(by: 1e-4)
      },
      Step("life.remove-settled", called: few.count) { _ in removed = living.batch.removeSettled() },
      Step { _ in
        guard removed == few.count else { throw BenchError.wrongCount(removed, expected: few.count) }
      },
    ])
    return added + gone
  }

  /// Batches of one track and of a hundred: a frame; and a life, from the batch to its end, for each batch.
  func small() throws -> [OperationResult] {
    try [1, 100].flatMap { count in
      let goals = Array(goals[0].prefix(count))
      let zeros = [SIMD2<Float>](repeating: .zero, count: count)
      let shared = Batch(try AnimationBatch())
      let tracks = try shared.batch.add(zeros)
      try shared.batch.animate(tracks, to: goals, .spring(spring))
      return try Rounds(tracks: count, count: 2 * rounds, warmUp: 2, repetitions: 500).rows([
        Step("small.\(count).frame", called: 1) { _ in try shared.batch.advance(by: 1e-7) },
        Step("small.\(count).life", called: 1) { _ in
          var batch = try AnimationBatch<SIMD2<Float>>()
          let tracks = try batch.add(zeros)
          try batch.animate(tracks, to: goals, .spring(self.spring))
          try batch.advance(by: Self.frame)
        },
      ])
    }
  }
}
