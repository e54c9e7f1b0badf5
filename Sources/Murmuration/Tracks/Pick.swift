// SPDX-License-Identifier: MIT

/// A track that a bulk call is about.
struct Pick {
  /// The row of the track when it was picked; ``noRow`` for an index without a track and for a track that was dropped.
  var row: UInt32
  var slot: UInt32

  /// The row of a pick that was dropped, or has no track.
  static var noRow: UInt32 { SlotTable.none }
}

extension Span<Pick> {
  /// Whether the rows of the picks are consecutive.
  var areConsecutive: Bool {
    let first = self[0].row
    var differences: UInt32 = 0
    for index in indices {
      differences |= unsafe self[unchecked: index].row ^ (first &+ UInt32(truncatingIfNeeded: index))
    }
    return differences == 0
  }
}
