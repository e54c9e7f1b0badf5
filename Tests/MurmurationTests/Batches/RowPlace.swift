// SPDX-License-Identifier: MIT
import Testing

/// The position of a track among the rows of its kind.
typealias RowPlace<Kind: Comparable> = (row: Int, kind: Kind, index: Int)

/// Expects the order of a compacted batch: kind after kind, each by index, without holes.
func expectRunsOfKinds<Kind: Comparable>(
  _ places: [RowPlace<Kind>], sourceLocation: SourceLocation = #_sourceLocation
) {
  let sorted = places.sorted { $0.row < $1.row }
  for (one, next) in zip(sorted, sorted.dropFirst()) {
    #expect(
      one.kind < next.kind || (one.kind == next.kind && one.index < next.index && one.row + 1 == next.row),
      sourceLocation: sourceLocation)
  }
}
