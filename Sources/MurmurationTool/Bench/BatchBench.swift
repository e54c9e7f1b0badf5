// SPDX-License-Identifier: MIT
import Foundation
import Murmuration

/// What a batch does around its kernels: retargets, arrivals and departures, rest, whole frames, threads. One dimension,
/// every track different.
struct BatchBench {
  let tracks: Int
  let rounds: Int
  let values: [Float]
  let targets: [[Float]]
  let springs: [Spring]

  /// A frame of 60 a second.
  static let frame = 1.0 / 60

  /// - Parameters:
  ///   - tracks: In each batch.
  ///   - rounds: Calls of each kind.
  init(tracks: Int, rounds: Int) {
    self.tracks = tracks
    self.rounds = rounds
    var random = SplitMix64(seed: 42)
    values = (0..<tracks).map { _ in Float(random.uniform(-100...100)) }
    targets = (0..<2).map { _ in (0..<tracks).map { _ in Float(random.uniform(-100...100)) } }
    springs = (0..<tracks).map { _ in
      Spring(duration: random.uniform(0.3...3), bounce: random.uniform(0.05...0.6))
    }
  }

  enum Kind: String, CaseIterable { case cohort, mixed }

  func batch(_ kind: Kind) throws -> SpringBatch {
    var batch = try SpringBatch(reservingCapacity: tracks)
    let targets = targets[0]
    switch kind {
    case .cohort: try batch.add(.bouncy, values: values.span, targets: targets.span)
    case .mixed: try batch.add(springs.span, values: values.span, targets: targets.span)
    }
    try batch.advance(to: Self.frame)
    return batch
  }

  private static func handles(of batch: borrowing SpringBatch) -> [TrackHandle] {
    (0..<batch.indexCount).compactMap { batch.handle(atIndex: $0) }
  }

  func time(_ work: () throws -> Void) rethrows -> Double {
    let duration = try ContinuousClock().measure(work)
    return Double(duration.components.seconds) * 1e9 + Double(duration.components.attoseconds) * 1e-9
  }

  // MARK: - Retargets

  /// Every track to a new target, frame after frame; with the springs that they have, and the frame that follows.
  func retargetsOfAll() throws -> [OperationResult] {
    var results: [OperationResult] = []
    for kind in Kind.allCases {
      var batch = try batch(kind)
      var (calls, frames): ([Double], [Double]) = ([], [])
      for round in 0..<rounds {
        let targets = targets[round & 1]
        calls.append(try time { try batch.retargetAll(to: targets.span) })
        frames.append(try time { try batch.advance(by: Self.frame) })
      }
      results.append(OperationResult("retarget.all.\(kind)", tracks: tracks, called: tracks, calls))
      results.append(OperationResult("retarget.all.\(kind).frame-after", tracks: tracks, called: tracks, frames))
    }
    return results
  }

  /// All tracks by handle in order and at random, a tenth of them at random in one call, and some one by one.
  func retargetsByHandle() throws -> [OperationResult] {
    var results: [OperationResult] = []
    var cohort = try batch(.cohort)
    let handles = Self.handles(of: cohort)
    let shuffled = Self.shuffled(handles)
    for (order, handles) in [("in-order", handles), ("random", shuffled)] {
      var calls: [Double] = []
      for round in 0..<rounds {
        let targets = targets[round & 1]
        calls.append(try time { try cohort.retarget(handles.span, to: targets.span, spring: .bouncy) })
        try cohort.advance(by: Self.frame)
      }
      results.append(OperationResult("retarget.handles.\(order)", tracks: tracks, called: tracks, calls))
    }

    let tenth = tracks / 10
    let some = Array(targets[0].prefix(tenth))
    var calls: [Double] = []
    for round in 0..<rounds {
      let part = (0..<tenth).map { shuffled[(round * tenth + $0) % tracks] }
      calls.append(try time { try cohort.retarget(part.span, to: some.span, spring: .bouncy) })
      try cohort.advance(by: Self.frame)
    }
    results.append(OperationResult("retarget.handles.random-tenth", tracks: tracks, called: tenth, calls))

    var mixed = try batch(.mixed)
    let order = Self.shuffled(Self.handles(of: mixed))
    let count = min(tracks, 10_000)
    calls = []
    for round in 0..<rounds {
      calls.append(
        try time {
          for index in 0..<count {
            try mixed.retarget(order[(round * count + index) % tracks], to: values[index])
          }
        })
      try mixed.advance(by: Self.frame)
    }
    results.append(OperationResult("retarget.one.random", tracks: tracks, called: count, calls))
    return results
  }

  // MARK: - Arrivals and departures

  /// A hundredth of the tracks goes, and as many come, each frame: the oldest ones, or any.
  func churn() throws -> [OperationResult] {
    var results: [OperationResult] = []
    let each = tracks / 100
    let some = (values: Array(values.prefix(each)), targets: Array(targets[0].prefix(each)))
    for isRandom in [false, true] {
      var batch = try SpringBatch(reservingCapacity: 2 * tracks)
      var living: [TrackHandle] = []
      for _ in 0..<100 {
        living += try batch.add(.smooth, values: some.values.span, targets: some.targets.span)
        try batch.advance(by: Self.frame / 10)
      }
      var random = SplitMix64(seed: 9)
      var (removals, emissions, frames): ([Double], [Double], [Double]) = ([], [], [])
      // Long enough for every place to be taken by another track.
      for frame in 0..<max(rounds, 150) {
        let places = (0..<each).map { index in
          isRandom ? index * 100 + Int(random.next() % 100) : frame % 100 * each + index
        }
        var handles = places.map { living[$0] }
        removals.append(try time { try batch.remove(handles.span) })
        emissions.append(
          try time {
            var span = handles.mutableSpan
            try batch.emit(.smooth, values: some.values.span, targets: some.targets.span, handles: &span)
          })
        for (place, handle) in zip(places, handles) {
          living[place] = handle
        }
        frames.append(try time { try batch.advance(by: Self.frame / 10) })
      }
      let which = isRandom ? "random" : "oldest"
      results.append(OperationResult("remove.\(which)", tracks: tracks, called: each, removals))
      results.append(OperationResult("emit.after-\(which)", tracks: tracks, called: each, emissions))
      results.append(OperationResult("churn.frame.\(which)", tracks: tracks, called: tracks, frames))
    }
    return results
  }

  // MARK: - Frames

  /// Frames while all tracks move, and while all are at rest.
  func rest() throws -> [OperationResult] {
    var results: [OperationResult] = []
    for kind in Kind.allCases {
      var batch = try batch(kind)
      var (awake, asleep): ([Double], [Double]) = ([], [])
      for _ in 0..<rounds {
        awake.append(try time { try batch.advance(by: Self.frame / 100) })
      }
      // Once to come to rest, once to leave the plan.
      try batch.advance(by: 1000)
      try batch.advance(by: 1000)
      for _ in 0..<rounds {
        asleep.append(try time { try batch.advance(by: Self.frame) })
      }
      results.append(OperationResult("frame.awake.\(kind)", tracks: tracks, called: tracks, awake))
      results.append(
        OperationResult(
          "frame.asleep.\(kind)", tracks: tracks, called: tracks, asleep,
          ratio: asleep.reduce(0, +) / awake.reduce(0, +)))
    }
    return results
  }

  /// Whole frames, with reports, of a thousand cohorts and a tenth of tracks that move alone; and the kernels of each frame
  /// run again.
  func framesOfCohorts() throws -> [OperationResult] {
    var results: [OperationResult] = []
    let each = tracks * 9 / 10 / 1000
    for velocities in [false, true] {
      var batch = try SpringBatch(reservingCapacity: tracks)
      batch.computesVelocities = velocities
      let targets = targets[0]
      for cohort in 0..<1000 {
        let part = cohort * each..<(cohort + 1) * each
        try batch.add(springs[cohort], values: values.span.extracting(part), targets: targets.span.extracting(part))
      }
      let part = 1000 * each..<tracks
      try batch.add(
        springs.span.extracting(part), values: values.span.extracting(part), targets: targets.span.extracting(part))
      try batch.advance(to: Self.frame)
      var (frames, kernels): ([Double], [Double]) = ([], [])
      for _ in 0..<max(rounds, 60) {
        frames.append(try time { try batch.advance(by: Self.frame) })
        kernels.append(time { batch.runKernels() })
      }
      let what = velocities ? "value-and-velocity" : "value"
      results.append(OperationResult("kernels.cohorts.\(what)", tracks: tracks, called: tracks, kernels))
      results.append(
        OperationResult(
          "frame.cohorts.\(what)", tracks: tracks, called: tracks, frames,
          ratio: frames.reduce(0, +) / kernels.reduce(0, +)))
    }
    return results
  }

  private static func shuffled<T>(_ array: [T]) -> [T] {
    var random = SplitMix64(seed: 7)
    var array = array
    for index in stride(from: array.count - 1, to: 0, by: -1) {
      array.swapAt(index, Int(random.next() % UInt64(index + 1)))
    }
    return array
  }
}
