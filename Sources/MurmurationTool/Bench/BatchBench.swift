// SPDX-License-Identifier: MIT
import Murmuration
import Glibc

/// What a batch does around its kernels: retargets, arrivals and departures, sleep, whole frames.
///
/// Each row is timed by itself and compared with another of the same run, whose name it gives.
struct BatchBench {
  /// One row of the table of operations.
  struct Row: Codable {
    var name: String
    var tracks: Int
    /// The fastest round, the median one and that of the slowest tenth, per track of the call.
    var nsPerTrack: Double
    var medianNsPerTrack: Double
    var slowNsPerTrack: Double
  }

  private var rows: [Row] = []
  private let rounds: Int

  init(rounds: Int) { self.rounds = rounds }

  mutating func measure() throws -> [Row] {
    if getenv("ONLY") != nil { try frame(1_000_000); return rows }
    for tracks in [10_000, 100_000, 1_000_000] {
      try retargetAll(tracks)
      try retargetHandles(tracks)
      try retargetMixed(tracks)
      try retargetOne(tracks)
    }
    try churn(1_000_000, each: 10_000)
    try sleep(1_000_000)
    try frame(1_000_000)
    try threads(1_000_000)
    return rows
  }

  private mutating func record(_ name: String, tracks: Int, _ nanoseconds: [Double], per count: Int) {
    let sorted = nanoseconds.sorted()
    rows.append(
      Row(
        name: name, tracks: tracks, nsPerTrack: sorted[0] / Double(count),
        medianNsPerTrack: sorted[sorted.count / 2] / Double(count),
        slowNsPerTrack: sorted[sorted.count * 9 / 10] / Double(count)))
  }

  private func time(_ work: () throws -> Void) rethrows -> Double {
    let duration = try ContinuousClock().measure(work)
    return Double(duration.components.seconds) * 1e9 + Double(duration.components.attoseconds) * 1e-9
  }

  private static func numbers(_ count: Int, seed: UInt64) -> [Float] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in Float(random.uniform(-100...100)) }
  }

  private static func shuffled<T>(_ array: [T]) -> [T] {
    var random = SplitMix64(seed: 7)
    var array = array
    for index in stride(from: array.count - 1, to: 0, by: -1) {
      array.swapAt(index, Int(random.next() % UInt64(index + 1)))
    }
    return array
  }

  private static func springs(_ count: Int) -> [Spring] {
    var random = SplitMix64(seed: 3)
    return (0..<count).map { _ in Spring(duration: random.uniform(0.3...3), bounce: random.uniform(0.05...0.6)) }
  }

  private mutating func retargetAll(_ tracks: Int) throws {
    let values = Self.numbers(tracks, seed: 1)
    let first = Self.numbers(tracks, seed: 2)
    let second = Self.numbers(tracks, seed: 3)
    var batch = try SpringBatch()
    try batch.add(.bouncy, values: values.span, targets: first.span)
    var times: [Double] = []
    for round in 0..<rounds {
      try batch.advance(by: 0.01)
      let to = round & 1 == 0 ? second : first
      times.append(try time { try batch.retargetAll(to: to.span, spring: .bouncy) })
    }
    record("batch.retarget-all.cohort", tracks: tracks, times, per: tracks)
  }

  private mutating func retargetHandles(_ tracks: Int) throws {
    let values = Self.numbers(tracks, seed: 1)
    let first = Self.numbers(tracks, seed: 2)
    let second = Self.numbers(tracks, seed: 3)
    var batch = try SpringBatch()
    let handles = try batch.add(.bouncy, values: values.span, targets: first.span)
    let orders = [("in-order", handles), ("random", Self.shuffled(handles))]
    for (name, order) in orders {
      var times: [Double] = []
      for round in 0..<rounds {
        try batch.advance(by: 0.01)
        let to = round & 1 == 0 ? second : first
        times.append(try time { try batch.retarget(order.span, to: to.span, spring: .bouncy) })
      }
      record("batch.retarget-handles.\(name)", tracks: tracks, times, per: tracks)
    }
    // A tenth, another one each time.
    let count = tracks / 10
    var times: [Double] = []
    let order = Self.shuffled(handles)
    for round in 0..<rounds {
      try batch.advance(by: 0.01)
      let part = (0..<count).map { order[(round * count + $0) % tracks] }
      let to = Array((round & 1 == 0 ? second : first)[0..<count])
      times.append(try time { try batch.retarget(part.span, to: to.span, spring: .bouncy) })
    }
    record("batch.retarget-handles.random-tenth", tracks: tracks, times, per: count)
  }

  private mutating func retargetMixed(_ tracks: Int) throws {
    let values = Self.numbers(tracks, seed: 1)
    let first = Self.numbers(tracks, seed: 2)
    let second = Self.numbers(tracks, seed: 3)
    let springs = Self.springs(tracks)
    var batch = try SpringBatch()
    try batch.add(springs.span, values: values.span, targets: first.span)
    var times: [Double] = []
    var frames: [Double] = []
    for round in 0..<rounds {
      frames.append(try time { try batch.advance(by: 0.01) })
      let to = round & 1 == 0 ? second : first
      times.append(try time { try batch.retargetAll(to: to.span) })
    }
    record("batch.retarget-all.mixed", tracks: tracks, times, per: tracks)
    record("batch.frame-after-it", tracks: tracks, frames, per: tracks)
  }

  private mutating func retargetOne(_ tracks: Int) throws {
    let values = Self.numbers(tracks, seed: 1)
    let targets = Self.numbers(tracks, seed: 2)
    let springs = Self.springs(tracks)
    var batch = try SpringBatch()
    let handles = Self.shuffled(try batch.add(springs.span, values: values.span, targets: targets.span))
    var times: [Double] = []
    let count = min(tracks, 10_000)
    for round in 0..<rounds {
      try batch.advance(by: 0.01)
      times.append(
        try time {
          for index in 0..<count {
            try batch.retarget(handles[(round * count + index) % tracks], to: targets[index])
          }
        })
    }
    record("batch.retarget-one.random", tracks: tracks, times, per: count)
  }

  private mutating func churn(_ tracks: Int, each: Int) throws {
    let values = Self.numbers(tracks, seed: 1)
    let targets = Self.numbers(tracks, seed: 2)
    var batch = try SpringBatch(reservingCapacity: 2 * tracks)
    let some = Array(values[0..<each])
    let to = Array(targets[0..<each])
    for (name, isRandom) in [("oldest", false), ("random", true)] {
      batch.removeAll()
      var living: [TrackHandle] = []
      for _ in 0..<tracks / each {
        living += try batch.add(.smooth, values: some.span, targets: to.span)
        try batch.advance(by: 0.001)
      }
      var handles = [TrackHandle](repeating: living[0], count: each)
      var random = SplitMix64(seed: 9)
      var (emits, removes, frames): ([Double], [Double], [Double]) = ([], [], [])
      var oldest = 0
      for _ in 0..<max(rounds, 120) {
        var gone: [TrackHandle] = []
        for index in 0..<each {
          let place = isRandom ? Int(random.next() % UInt64(living.count)) : (oldest + index) % tracks
          gone.append(living[place])
          if isRandom {
            living.swapAt(place, living.count - 1)
            living.removeLast()
          }
        }
        removes.append(try time { try batch.remove(gone.span) })
        emits.append(
          try time {
            var span = handles.mutableSpan
            try batch.emit(.smooth, values: some.span, targets: to.span, handles: &span)
          })
        if isRandom {
          living += handles
        } else {
          for index in 0..<each {
            living[(oldest + index) % tracks] = handles[index]
          }
          oldest += each
        }
        frames.append(try time { try batch.advance(by: 0.001) })
      }
      record("batch.remove.\(name)", tracks: tracks, removes, per: each)
      record("batch.emit.\(name)", tracks: tracks, emits, per: each)
      record("batch.frame.after-\(name)", tracks: tracks, frames, per: tracks)
    }
  }

  private mutating func sleep(_ tracks: Int) throws {
    let values = Self.numbers(tracks, seed: 1)
    let targets = Self.numbers(tracks, seed: 2)
    let springs = Self.springs(tracks)
    for isMixed in [false, true] {
      var batch = try SpringBatch()
      if isMixed {
        try batch.add(springs.span, values: values.span, targets: targets.span)
      } else {
        try batch.add(.smooth, values: values.span, targets: targets.span)
      }
      let name = isMixed ? "mixed" : "cohort"
      var (awake, asleep): ([Double], [Double]) = ([], [])
      try batch.advance(by: 0.001)
      for _ in 0..<rounds {
        awake.append(try time { try batch.advance(by: 0.001) })
      }
      try batch.advance(by: 1000)
      try batch.advance(by: 1000)
      for _ in 0..<rounds {
        asleep.append(try time { try batch.advance(by: 0.001) })
      }
      record("batch.awake.\(name)", tracks: tracks, awake, per: tracks)
      record("batch.asleep.\(name)", tracks: tracks, asleep, per: tracks)
    }
  }

  /// A million tracks in a thousand cohorts, a tenth of them alone.
  private mutating func frame(_ tracks: Int) throws {
    let alone = tracks / 10
    let each = (tracks - alone) / 1000
    let values = Self.numbers(tracks, seed: 1)
    let targets = Self.numbers(tracks, seed: 2)
    let springs = Self.springs(tracks)
    for velocities in [false, true] {
      var batch = try SpringBatch()
      batch.computesVelocities = velocities
      for cohort in 0..<1000 {
        let range = cohort * each..<(cohort + 1) * each
        try batch.add(springs[cohort], values: values.span.extracting(range), targets: targets.span.extracting(range))
      }
      let rest = tracks - alone..<tracks
      try batch.add(
        springs.span.extracting(rest), values: values.span.extracting(rest), targets: targets.span.extracting(rest))
      try batch.advance(by: 0.001)
      var (frames, kernels): ([Double], [Double]) = ([], [])
      var events = 0
      for _ in 0..<max(60, rounds) {
        frames.append(try time { try batch.advance(by: 1.0 / 60) })
        events += batch.logicallyComplete.count + batch.settled.count
        kernels.append(time { batch.runKernels() })
      }
      let name = velocities ? "value-and-velocity" : "value"
      record("batch.frame.\(name)", tracks: tracks, frames, per: tracks)
      record("batch.kernels.\(name)", tracks: tracks, kernels, per: tracks)
      print(name, "events", events, "ratio of sums", frames.reduce(0, +) / kernels.reduce(0, +))
    }
  }

  private mutating func threads(_ tracks: Int) throws {
    let values = Self.numbers(tracks, seed: 1)
    let targets = Self.numbers(tracks, seed: 2)
    var springs = Self.springs(tracks)
    for index in springs.indices { springs[index] = Spring(duration: springs[index].duration * 100, bounce: 0.3) }
    for threads in [1, 2] {
      var batch = try SpringBatch()
      try batch.add(springs.span, values: values.span, targets: targets.span)
      batch.threadCount = threads
      try batch.advance(by: 0.001)
      var times: [Double] = []
      for _ in 0..<rounds {
        times.append(try time { try batch.advance(by: 0.001) })
      }
      record("batch.frame.mixed.\(threads)-threads", tracks: tracks, times, per: tracks)
    }
  }
}
