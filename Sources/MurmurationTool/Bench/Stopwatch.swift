// SPDX-License-Identifier: MIT

/// Times several pieces of work against each other.
///
/// Timings on a shared machine drift; so the pieces take turns, round after round, and each keeps its fastest and its
/// median round. Ratios between pieces of one comparison can be trusted, single figures less. What a piece throws ends the
/// comparison.
struct Comparison<Failure: Error> {
  /// One piece of work and what it took.
  struct Entry {
    let name: String
    fileprivate let work: () throws(Failure) -> Void
    fileprivate var repetitions = 1
    fileprivate var rounds: [Double] = []

    /// Nanoseconds of the fastest round.
    var best: Double { rounds.min() ?? .nan }
    /// Nanoseconds of the median round.
    var median: Double { rounds.isEmpty ? .nan : rounds.sorted()[rounds.count / 2] }
    /// Nanoseconds that nine rounds of ten keep within.
    var slow: Double { rounds.isEmpty ? .nan : rounds.sorted()[rounds.count * 9 / 10] }
  }

  private(set) var entries: [Entry] = []

  /// Whether an entry is the fastest of those of a yardstick.
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
  ///   - turn: What one turn lasts at least, nanoseconds.
  mutating func run(rounds: Int, turn: Double) throws(Failure) {
    for index in entries.indices {
      try entries[index].work()
      let once = try Self.nanoseconds(of: entries[index])
      entries[index].repetitions = max(1, Int((turn / max(once, 1)).rounded(.up)))
    }
    for _ in 0..<rounds {
      for index in entries.indices {
        let entry = entries[index]
        let total = try Self.nanoseconds(of: entry, repetitions: entry.repetitions)
        entries[index].rounds.append(total / Double(entry.repetitions))
      }
    }
  }

  private static func nanoseconds(of entry: Entry, repetitions: Int = 1) throws(Failure) -> Double {
    let start = ContinuousClock.now
    for _ in 0..<repetitions {
      try entry.work()
    }
    let duration = ContinuousClock.now - start
    return Double(duration.components.seconds) * 1e9 + Double(duration.components.attoseconds) * 1e-9
  }
}
