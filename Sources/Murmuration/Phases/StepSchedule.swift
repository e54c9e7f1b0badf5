// SPDX-License-Identifier: MIT

/// When each track has its next step: a wheel of short spans of time, so that an advance looks at those alone that are due.
///
/// A track has at most one entry that counts. What was put elsewhere since is passed over where it lies. Times beyond one
/// turn of the wheel stay where they are for another.
struct StepSchedule {
  private static let spansPerSecond = 256.0
  private static let spanCount = 1 << 10
  private static let nowhere = Int.min
  private static let looked = Int.min + 1

  private var spans = [[UInt32]](repeating: [], count: spanCount)
  /// The number of the span in which each track has its time, counted from time 0.
  private var numbers: [Int] = []
  /// The number of the span of the last time, counted from time 0.
  private var current = 0
  private var looks: [UInt32] = []
  private var kept: [Int] = []

  /// Makes room for tracks.
  mutating func grow(to tracks: Int) {
    if tracks > numbers.count {
      numbers.append(contentsOf: repeatElement(Self.nowhere, count: tracks - numbers.count))
    }
  }

  private static func number(_ time: Double) -> Int { Int((time * spansPerSecond).rounded(.down)) }

  private static func place(_ number: Int) -> Int { number & (spanCount - 1) }

  /// Has a track wait for a time, or for nothing if that is beyond what a clock may show.
  mutating func set(_ track: Int, _ time: Double) {
    guard time <= BatchLimits.maximumTime else {
      numbers[track] = Self.nowhere
      return
    }
    let number = max(Self.number(time), current)
    let old = numbers[track]
    numbers[track] = number
    // In the same place an entry lies already.
    if old <= Self.looked || Self.place(old) != Self.place(number) {
      spans[Self.place(number)].append(UInt32(track))
    }
  }

  /// Sets the clock back. Tracks whose time was set since are to be set anew.
  mutating func turnBack(to time: Double) { current = min(current, Self.number(time)) }

  /// Takes out the tracks whose time has come, and notes them.
  ///
  /// - Parameters:
  ///   - time: The clock, from now on.
  ///   - next: The time that a track waits for.
  ///   - due: Gets the tracks whose time is `time` or earlier.
  /// - Complexity: O(entries in the spans of time that are passed), at most one turn of the wheel.
  mutating func collect(until time: Double, next: (Int) -> Double, into due: inout DueTracks) {
    let last = Self.number(time)
    let first = min(current, last)
    current = last
    for number in first...min(last, first + Self.spanCount - 1) {
      let place = Self.place(number)
      guard !spans[place].isEmpty else { continue }
      swap(&looks, &spans[place])
      for entry in looks {
        let track = Int(entry)
        let own = numbers[track]
        guard own > Self.looked else { continue }
        // Only what is in the span of the time itself has to be compared with it.
        if own < last || own == last && next(track) <= time {
          numbers[track] = Self.nowhere
          due.insert(track)
        } else if Self.place(own) == place {
          numbers[track] = Self.looked
          spans[place].append(entry)
          kept.append(own)
        }
      }
      for index in kept.indices {
        numbers[Int(spans[place][index])] = kept[index]
      }
      looks.removeAll(keepingCapacity: true)
      kept.removeAll(keepingCapacity: true)
    }
  }

}

/// A set of tracks, gone through in their order, so that neighbours are worked on together.
struct DueTracks {
  private var words: [UInt64] = []

  mutating func grow(to tracks: Int) {
    let count = (tracks + 63) / 64
    if count > words.count {
      words.append(contentsOf: repeatElement(0, count: count - words.count))
    }
  }

  mutating func insert(_ track: Int) { words[track >> 6] |= 1 << UInt64(track & 63) }

  /// How many words there are, each of 64 tracks.
  var wordCount: Int { words.count }

  /// Takes the tracks of a word out of the set, the first one lowest.
  mutating func take(word: Int) -> UInt64 {
    let bits = words[word]
    words[word] = 0
    return bits
  }
}
