// SPDX-License-Identifier: MIT

/// Times several pieces of work against each other.
///
/// Timings on a shared machine drift. So the pieces take turns, round after round, and each keeps its fastest and its
/// median round. Trust the ratios between pieces of one comparison more than single figures. An error of a piece ends the
/// comparison.
struct Comparison<Failure: Error> {
  /// One piece of work and its timings.
  struct Entry {
    let name: String
    fileprivate let work: () throws(Failure) -> Void
    fileprivate var repetitions = 1
    /// Nanoseconds of each round.
    fileprivate(set) var rounds: [Double] = []

    /// Nanoseconds of the fastest round.
    var best: Double { rounds.min() ?? .nan }
    /// Nanoseconds of the median round.
    var median: Double { rounds.isEmpty ? .nan : rounds.sorted()[rounds.count / 2] }
    /// The nanoseconds that nine of ten rounds keep within.
    var slow: Double { rounds.isEmpty ? .nan : rounds.sorted()[rounds.count * 9 / 10] }
  }

  private(set) var entries: [Entry] = []

  /// Whether an entry is the fastest one of a yardstick.
  func isFastest(_ entry: Entry, of yardstick: KernelYardstick) -> Bool {
    entries.allSatisfy { !yardstick.owns($0.name) || entry.best <= $0.best }
  }

  /// Adds a piece of work, which is run many times.
  mutating func add(_ name: String, _ work: @escaping () throws(Failure) -> Void) {
    entries.append(Entry(name: name, work: work))
  }

  /// Runs all pieces by turns.
  ///
  /// - Parameters:
  ///   - rounds: Turns of each piece.
  ///   - turn: The least duration of one turn, in nanoseconds.
  mutating func run(rounds: Int, turn: Double) throws(Failure) {
    for index in entries.indices {
      try entries[index].work()
      let once = try nanoseconds(entries[index].work)
      entries[index].repetitions = max(1, Int((turn / max(once, 1)).rounded(.up)))
    }
    for _ in 0..<rounds {
      for index in entries.indices {
        let entry = entries[index]
        let total = try nanoseconds { () throws(Failure) in for _ in 0..<entry.repetitions { try entry.work() } }
        entries[index].rounds.append(total / Double(entry.repetitions))
      }
    }
  }
}
