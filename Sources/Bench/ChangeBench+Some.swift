// SPDX-License-Identifier: MIT
import CYardsticks
import Murmuration

// A sixtieth of the tracks, at random, gets new goals in every frame: the calls, the frame, and an interleaved copy of all
// values; and all three for each track of the batch.
extension ChangeBench {
  private enum Spelling: String, CaseIterable {
    case oneByOne = "one-by-one"
    case arraysOfOne = "arrays-of-one"
    case bulk
  }

  /// The tracks of a frame, and their goals. Every sixty frames each track has its turn, each time in another order: no
  /// memory can come to lie in the order of the calls.
  private func some(_ round: Int) -> (indices: [Int], goals: [SIMD2<Float>]) {
    let (part, cycle) = (tracks / 60, round / 60)
    let places = round % 60 * part..<(round % 60 + 1) * part
    let indices = places.map { (0...cycle).reduce($0) { place, _ in order[place] } }
    return (indices, indices.map { goals[1 - cycle % 2][$0] })
  }

  /// Springs and eases in each spelling, beside calls in C for one track and for many.
  func sixtieths() throws -> [OperationResult] {
    let yardsticks = try sixtiethsInC()
    return try yardsticks.flatMap(\.rows)
      + ["spring", "ease"].flatMap { kind in
        try Spelling.allCases.flatMap { spelling in
          let animation = kind == "spring" ? Animation.spring(spring) : .easeOut(duration: 0.3)
          let timings = try sixtieths(spelling, animation, "sixtieth.\(kind).\(spelling.rawValue)")
          // There is no ease at random in C.
          let yardstick = kind == "ease" ? nil : yardsticks[spelling == .bulk ? 1 : 0]
          return timings.rows(beside: yardstick)
        }
      }
  }

  /// The last round in which a batch plays along.
  private static let lastChecked = 5

  private var rareRounds: Rounds { Rounds(tracks: tracks, count: rounds, warmUp: rounds / 2) }

  private func sixtieths(_ spelling: Spelling, _ animation: Animation, _ name: String) throws -> Timings {
    let (shared, handles) = try moving()
    var (some, goals): ([TrackHandle], [SIMD2<Float>]) = ([], [])
    var values = self.goals[0]
    return Timings(
      name, tracks: tracks,
      try rareRounds.time([
        Step { round in
          let (indices, new) = self.some(round)
          (some, goals) = (indices.map { handles[$0] }, new)
        },
        Step("\(name).call", called: tracks / 60) { _ in
          switch spelling {
          case .oneByOne:
            try shared.lend { batch in
              for (track, goal) in zip(some, goals) { try batch.animate(track, to: goal, animation) }
            }
          case .arraysOfOne:
            try shared.lend { batch in
              for (track, goal) in zip(some, goals) { try batch.animate([track], to: [goal], animation) }
            }
          case .bulk: try shared.batch.animate(some, to: goals, animation)
          }
        },
        Step("\(name).frame") { _ in try shared.batch.advance(by: Self.frame) },
        Step("\(name).read") { _ in try shared.batch.copyValues(into: &values) },
      ]))
  }

  /// The same in C, one by one and in one call, which must agree with a batch.
  private func sixtiethsInC() throws -> [Timings] {
    let output = LineColumn(count: 2 * tracks, stagger: 1)
    return try ["one-by-one", "bulk"].map { spelling in
      let name = "yardstick.sixtieth.\(spelling)"
      let (yardstick, (shared, handles)) = (try movingYardstick(), try moving())
      let motion = yardstick_motion(spring)
      var (indices, goals): ([UInt32], [SIMD2<Float>]) = ([], [])
      let timings = try rareRounds.time([
        Step { round in
          let (some, new) = self.some(round)
          (indices, goals) = (some.map { UInt32($0) }, new)
          guard round <= Self.lastChecked else { return }
          try shared.batch.animate(some.map { handles[$0] }, to: new, .spring(self.spring))
        },
        Step("\(name).call", called: tracks / 60) { _ in
          if spelling == "bulk" { return yardstick.send(indices, to: goals, self.spring) }
          for (index, goal) in zip(indices, goals) { yardstick.send(Int(index), to: goal, motion) }
        },
        Step("\(name).frame") { _ in yardstick.advance(to: yardstick.time + Self.frame) },
        Step("\(name).read") { _ in output.address.map(yardstick.copyValues) },
        Step { round in
          guard round <= Self.lastChecked else { return }
          try shared.batch.advance(to: yardstick.time)
          try self.check(shared) { SIMD2(output.floats[2 * $0], output.floats[2 * $0 + 1]) }
        },
      ])
      return Timings(name, tracks: tracks, timings)
    }
  }
}

/// The timings of the steps of one kind of frame.
struct Timings {
  private let steps: [Timing]

  /// Adds the whole frame to its steps.
  init(_ name: String, tracks: Int, _ steps: [Timing]) {
    let frames = steps[0].nanoseconds.indices.map { round in steps.reduce(0) { $0 + $1.nanoseconds[round] } }
    self.steps = steps + [Timing(name: "\(name).whole", tracks: tracks, called: tracks, nanoseconds: frames)]
  }

  /// A row for each step, and for the whole frame.
  var rows: [OperationResult] { steps.map { $0.row() } }

  /// The rows beside those of a yardstick with the same steps.
  func rows(beside yardstick: Timings?) -> [OperationResult] {
    guard let yardstick else { return rows }
    return zip(steps, yardstick.steps).map { own, other in
      var row = own.row(ratio: own.best / other.best)
      row.yardstick = other.name
      return row
    }
  }
}
