// SPDX-License-Identifier: MIT

/// Lists of tracks that share their memory: each is a chain of chunks as long as a cache line.
///
/// It allocates only for more entries than there was room for.
struct TrackLists: ~Copyable {
  /// Entries of a chunk; behind them stands the next chunk of the list.
  static let entryCount = 15
  static let stride = 16
  static let none = IndexTable.none

  private(set) var chunks = OwnedColumn<UInt32>()
  private var firstFree = none
  /// The first chunk of each list, and the number of its entries; all other chunks are full.
  private(set) var heads = OwnedColumn<UInt32>()
  private(set) var fills = OwnedColumn<UInt8>()
  /// The number of entries of all lists.
  private(set) var count = 0

  /// A number of empty lists.
  init(count: Int) {
    heads.grow(to: count, with: Self.none)
    fills.grow(to: count, with: 0)
  }

  /// Takes memory for a number of entries, however they are spread over the lists. It is not touched before it is needed.
  mutating func reserve(_ entries: Int) {
    chunks.reserve(min(entries, entries / Self.entryCount + heads.count) * Self.stride)
  }

  mutating func code(_ coder: inout StateCoder) {
    chunks.code(&coder)
    heads.code(&coder)
    fills.code(&coder)
    coder.code(&firstFree)
    coder.code(&count)
  }

  /// Adds a track to a list.
  mutating func append(_ track: UInt32, to list: Int) {
    var head = heads[list]
    var fill = Int(fills[list])
    if head == Self.none || fill == Self.entryCount {
      let chunk = takeChunk()
      chunks[Int(chunk) * Self.stride + Self.entryCount] = head
      heads[list] = chunk
      (head, fill) = (chunk, 0)
    }
    chunks[Int(head) * Self.stride + fill] = track
    fills[list] = UInt8(truncatingIfNeeded: fill + 1)
    count += 1
  }

  /// Empties every list. Its memory is kept.
  mutating func removeAll() {
    for list in heads.indices { (heads[list], fills[list]) = (Self.none, 0) }
    (firstFree, count) = (Self.none, 0)
    for chunk in 0..<chunks.count / Self.stride { release(UInt32(chunk)) }
  }

  private mutating func release(_ chunk: UInt32) {
    chunks[Int(chunk) * Self.stride + Self.entryCount] = firstFree
    firstFree = chunk
  }

  /// Moves the tracks of a list into an array, in place of what the array holds.
  ///
  /// - Returns: Whether there were any tracks; otherwise the array stays as it is.
  mutating func take(from list: Int, into tracks: inout [UInt32]) -> Bool {
    var chunk = heads[list]
    guard chunk != Self.none else { return false }
    tracks.clear()
    var count = Int(fills[list])
    while chunk != Self.none {
      let first = Int(chunk) * Self.stride
      for entry in first..<first + count { tracks.append(chunks[entry]) }
      count = Self.entryCount
      let next = chunks[first + Self.entryCount]
      release(chunk)
      chunk = next
    }
    (heads[list], fills[list]) = (Self.none, 0)
    self.count -= tracks.count
    return true
  }

  private mutating func takeChunk() -> UInt32 {
    if firstFree == Self.none {
      let count = chunks.count / Self.stride
      let more = max(4, min(count, chunks.capacity / Self.stride - count))
      chunks.grow(to: (count + more) * Self.stride, with: Self.none)
      for chunk in (count..<count + more).reversed() { release(UInt32(truncatingIfNeeded: chunk)) }
    }
    let chunk = firstFree
    firstFree = chunks[Int(chunk) * Self.stride + Self.entryCount]
    return chunk
  }
}
