// SPDX-License-Identifier: MIT

/// A track that a bulk call is about.
struct Pick {
  /// Its row when the call began; ``noRow`` for an index without a track.
  var row: UInt32
  var slot: UInt32
}

extension Span<Pick> {
  /// Whether their rows are consecutive.
  var areConsecutive: Bool {
    let first = self[0].row
    var differences: UInt32 = 0
    for index in indices {
      differences |= unsafe self[unchecked: index].row ^ (first &+ UInt32(truncatingIfNeeded: index))
    }
    return differences == 0
  }
}
