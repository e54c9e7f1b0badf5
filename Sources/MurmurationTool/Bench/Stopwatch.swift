// SPDX-License-Identifier: MIT

/// Times several pieces of work against each other.
///
/// Timings on a shared machine drift; so the pieces take turns, round after round, and each keeps its fastest and its
/// median round. Ratios between pieces of one comparison can be trusted, single figures less.
struct Comparison {
  /// One piece of work and what it took.
  struct Entry {
    let name: String
    fileprivate let work: () -> Void
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
  mutating func add(_ name: String, _ work: @escaping () -> Void) {
    entries.append(Entry(name: name, work: work))
  }

  /// Runs all pieces by turns.
  ///
  /// - Parameters:
  ///   - rounds: Turns of each piece.
  ///   - turn: What one turn lasts at least, nanoseconds.
  mutating func run(rounds: Int, turn: Double) {
    for index in entries.indices {
      entries[index].work()
      let once = Self.nanoseconds(entries[index].work)
      entries[index].repetitions = max(1, Int((turn / max(once, 1)).rounded(.up)))
    }
    for _ in 0..<rounds {
      for index in entries.indices {
        let entry = entries[index]
        let total = Self.nanoseconds {
          for _ in 0..<entry.repetitions {
            entry.work()
          }
        }
        entries[index].rounds.append(total / Double(entry.repetitions))
      }
    }
  }

  private static func nanoseconds(_ work: () -> Void) -> Double {
    let duration = ContinuousClock().measure(work)
    return Double(duration.components.seconds) * 1e9 + Double(duration.components.attoseconds) * 1e-9
  }
}
