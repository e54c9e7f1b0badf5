// SPDX-License-Identifier: MIT
import CYardsticks
import Murmuration

// New goals for all tracks in every frame: a call and the frame after it.
extension ChangeBench {
  /// The call of a row, with which of the two sets of goals come next.
  private typealias Call = (_ set: Int) throws -> Void

  /// Every way to say it, beside two passes in C that do the same, the exact step, and the loops that people write.
  func following() throws -> [OperationResult] {
    let yardsticks = try Yardsticks(self)
    try yardsticks.check()
    let passes = Yardsticks.passes
    var works: [Work] = []
    func add(_ name: String, beside yardstick: String = passes, _ make: (Batch, [TrackHandle]) -> Call) throws {
      let (shared, handles) = try moving()
      let call = make(shared, handles)
      var set = 0
      works.append(
        Work(name: name, yardstick: yardstick) {
          set = 1 - set
          try call(set)
          try shared.batch.advance(by: Self.frame)
        })
    }
    let (goals, spring, springs) = (goals, spring, springs)
    try add("follow.retarget-all") { shared, _ in { try shared.batch.retarget(.all, to: goals[$0]) } }
    try add("follow.animate-all") { shared, _ in { try shared.batch.animate(.all, to: goals[$0], .spring(spring)) } }
    try add("follow.handles") { shared, handles in { try shared.batch.retarget(handles, to: goals[$0]) } }
    try add("follow.springs-each") { shared, handles in
      { try shared.batch.animate(handles, to: goals[$0], springs: springs) }
    }
    try add("follow.one-by-one", beside: Yardsticks.single) { shared, handles in
      { set in
        try shared.lend { batch in
          for (handle, goal) in zip(handles, goals[set]) { try batch.retarget(handle, to: goal) }
        }
      }
    }
    // Goals that differ by less than the tolerance of rest.
    let near = goals[0].map { $0 + 1e-4 }
    try add("follow.within-tolerance") { shared, _ in
      { try shared.batch.retarget(.all, to: $0 == 0 ? goals[0] : near) }
    }
    return try rows(works + followers() + yardsticks.works)
  }

  /// Tracks that follow, beside explicit Euler over columns. The Euler loop finds its goals in columns; what it takes to
  /// write them is in the rows that say so.
  private func followers() throws -> [Work] {
    let goals = goals
    let planar = goals.map { set in (0..<2).map { component in set.map { $0[component] } } }
    var works: [Work] = []
    func add(
      _ name: String, _ spring: Spring?, frames: [Double] = [Self.frame], bytes: Double? = nil,
      _ write: @escaping (Batch, Int) throws -> Void = { _, _ in }
    ) throws {
      let (shared, handles) = try standing()
      // A spring that moves for hours where no goals are written.
      if let spring {
        try shared.batch.follow(handles, with: spring)
      } else {
        try shared.batch.follow(
          handles, springs: springs.map { Spring(duration: 1e4 * $0.duration, bounce: $0.bounce) })
      }
      try shared.batch.setGoals(of: handles, goals[0])
      var step = 0
      works.append(
        Work(name: name, yardstick: Yardsticks.euler, bytes: bytes.map { $0 * Double(tracks) }) {
          step += 1
          try write(shared, step & 1)
          try shared.batch.advance(by: frames[step % frames.count])
        })
    }
    let slow = Spring(duration: 1e4)
    try add("following.steps", slow, bytes: 40)
    try add("following.goals-in-columns", spring, bytes: 56) { shared, set in
      for component in 0..<2 {
        let from = planar[set][component]
        try shared.batch.withGoals(component: component) { goals in
          for index in goals.indices { goals[index] = from[index] }
        }
      }
    }
    try add("following.goals-interleaved", spring) { shared, set in try shared.batch.setGoals(of: .all, goals[set]) }
    try add("following.springs-each", nil, bytes: 64)
    try add("following.springs-each-jitter", nil, frames: [Self.frame, 1.01 * Self.frame])
    let (resting, handles) = try standing()
    try resting.batch.follow(handles, with: spring)
    works.append(
      Work(name: "following.at-rest", yardstick: Yardsticks.euler, bytes: 16 * Double(tracks)) {
        try resting.batch.advance(by: Self.frame)
      })
    return works
  }

  /// The loops in C that follow the same goals.
  final class Yardsticks {
    static let passes = "yardstick.follow.two-passes"
    static let single = "yardstick.follow.one-by-one"
    static let euler = "yardstick.euler.columns"
    private let bench: ChangeBench
    private let whole: TrackYardstick
    private let single: TrackYardstick
    private let columns: FollowingYardstick
    private let bodies: FollowingYardstick
    private var set = 0

    init(_ bench: ChangeBench, loops: yardstick_loops = TrackYardstick.loops) throws {
      self.bench = bench
      (whole, single) = (
        try TrackYardstick(count: bench.tracks, loops: loops), try TrackYardstick(count: bench.tracks, loops: loops)
      )
      columns = FollowingYardstick(goals: bench.goals, bench.spring, frame: ChangeBench.frame, loops: loops)
      bodies = FollowingYardstick(goals: bench.goals, bench.spring, frame: ChangeBench.frame, loops: loops)
    }

    private func followInTwoPasses(_ set: Int) {
      whole.sendAll(to: bench.goals[set], bench.spring)
      whole.advance(to: whole.time + ChangeBench.frame)
    }

    private func followOneByOne(_ set: Int) {
      let motion = yardstick_motion(bench.spring)
      for index in 0..<bench.tracks { single.send(index, to: bench.goals[set][index], motion) }
      single.advance(to: single.time + ChangeBench.frame)
    }

    /// Plays some frames with a batch and in each way, which must agree: Euler over columns with Euler over structs, the
    /// others with the batch.
    func check() throws {
      let (shared, _) = try bench.standing()
      for frame in 0..<20 {
        let set = frame & 1
        try shared.batch.animate(.all, to: bench.goals[set], .spring(bench.spring))
        try shared.batch.advance(to: whole.time + ChangeBench.frame)
        followInTwoPasses(set)
        followOneByOne(set)
        columns.follow(set)
      }
      for yardstick in [{ self.whole[$0] }, { self.single[$0] }, { self.columns.column($0) }] {
        try bench.check(shared, yardstick)
      }
      columns.reset()
      for frame in 0..<20 {
        columns.stepColumns(frame & 1)
        bodies.stepBodies(frame & 1)
      }
      for index in 0..<bench.tracks {
        let (column, body) = (columns.column(index), bodies.body(index))
        let distance = abs(column.x - body.x) + abs(column.y - body.y)
        guard distance <= 0.01, body != .zero else {
          throw BenchError.disagreement(index: index, kernel: column.x, scalar: Double(body.x))
        }
      }
    }

    /// The rows. Bytes are those of the columns that a loop reads and writes.
    var works: [Work] {
      let count = Double(bench.tracks)
      func work(_ name: String, bytes: Double?, _ follow: @escaping (Int) -> Void) -> Work {
        Work(name: name, bytes: bytes.map { $0 * count }) { [self] in
          set = 1 - set
          follow(set)
        }
      }
      return [
        work(Self.passes, bytes: 94, followInTwoPasses), work(Self.single, bytes: nil, followOneByOne),
        work("yardstick.follow.step", bytes: 40.125, columns.follow),
        work(Self.euler, bytes: 40, columns.stepColumns),
        work("yardstick.euler.structs", bytes: 72, bodies.stepBodies),
      ]
    }
  }
}
