// SPDX-License-Identifier: MIT

/// A track that a call is about, by its row; or a row without a track, or one that was dropped from the call.
struct Pick {
  /// The row, and ``droppedBit`` if the call leaves it alone.
  fileprivate var bits: UInt32

  private static var droppedBit: UInt32 { 1 << 31 }

  init(row: UInt32, isDropped: Bool = false) { bits = row | (isDropped ? Self.droppedBit : 0) }

  var row: Int { Int(bits & ~Self.droppedBit) }

  /// Whether the call leaves the row alone.
  var isDropped: Bool { bits & Self.droppedBit != 0 }

  mutating func drop() { bits |= Self.droppedBit }
}

extension Span<Pick> {
  /// Whether the rows of the picks are consecutive, and none is dropped if the first is not.
  var areConsecutive: Bool {
    let first = self[0].bits
    var differences: UInt32 = 0
    for index in indices {
      differences |= unsafe self[unchecked: index].bits ^ (first &+ UInt32(truncatingIfNeeded: index))
    }
    return differences == 0
  }
}
