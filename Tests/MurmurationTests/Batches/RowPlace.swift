// SPDX-License-Identifier: MIT
import Testing

/// Where a track stands, among rows of what kind.
typealias RowPlace<Kind: Comparable> = (row: Int, kind: Kind, index: Int)

/// Expects what a compacted batch is like: kind after kind, within each by index, without holes.
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
