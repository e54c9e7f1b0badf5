// SPDX-License-Identifier: MIT
package import Kernels
import Synchronization

/// The columns of the values of tracks, for code that reads them in place. They are valid until the batch changes.
package struct TrackColumns {
  let indices: IndexTable
  /// The column of dimension 0, and floats from one dimension to the next.
  package let value: ConstantColumn<Float>
  package let dimensions: Int
  package let dimensionStride: Int
  package let indexCount: Int

  package func value(_ dimension: Int) -> ConstantColumn<Float> { value + dimension * dimensionStride }

  /// Throws ``NoTrack`` for the first index of a range that has no track.
  package func check(_ range: Range<Int>) throws(NoTrack) {
    guard !range.isEmpty else { return }
    guard range.lowerBound >= 0, range.upperBound <= indexCount else {
      throw NoTrack(index: range.lowerBound < 0 ? range.lowerBound : max(range.lowerBound, indexCount))
    }
    if let index = indices.firstWithoutTrack(range) { throw NoTrack(index: index) }
  }
}

/// An index that has no track.
package struct NoTrack: Error {
  package let index: Int
}

extension Engine {
  /// The values of the tracks, for code that reads them in place.
  package var columns: TrackColumns {
    outputsAreRead.store(true, ordering: .relaxed)
    return TrackColumns(
      indices: tracks.indices, value: tracks.columns.value.constant, dimensions: dimensions,
      dimensionStride: tracks.columns.dimensionStride, indexCount: indexCount)
  }
}

extension TrackStore {
  /// Writes columns by index, one vector a track: zeros for indices without a track.
  ///
  /// - Parameters:
  ///   - columns: The column of dimension 0.
  ///   - columnStride: Floats from one column to the next.
  ///   - output: Room for the vectors of all indices.
  ///   - stride: Floats from one vector to the next.
  ///   - fillsGaps: Whether what lies between vectors, and behind the last one up to the stride, may be written.
  func copy(
    _ columns: ConstantColumn<Float>, _ columnStride: Int, to output: Column<Float>, stride: Int, fillsGaps: Bool,
    _ table: KernelTable
  ) {
    guard indexCount > 0 else { return }
    if dimensions == 3, stride == 4, !fillsGaps {
      // For three components of four the kernel writes all four.
      table.interleave(columns, columnStride, 2, indexCount, output, stride)
      table.interleave(columns + 2 * columnStride, columnStride, 1, indexCount, output + 2, stride)
    } else {
      table.interleave(columns, columnStride, dimensions, indexCount, output, stride)
    }
    forEachIndexWithoutTrack { (output + $0 * stride).update(repeating: 0, count: dimensions) }
  }

  /// Writes a column by index: 0 for indices without a track.
  func copy(_ column: ConstantColumn<Float>, to output: Column<Float>) {
    guard indexCount > 0 else { return }
    output.update(from: column, count: indexCount)
    forEachIndexWithoutTrack { output[$0] = 0 }
  }

  /// Calls `body` with each index of a range, or of all, that has no track.
  func forEachIndexWithoutTrack(in range: Range<Int>? = nil, _ body: (Int) -> Void) {
    guard count < indexCount else { return }
    let range = range ?? 0..<indexCount
    for tile in range.lowerBound / laneCountOfTile..<(range.upperBound + laneCountOfTile - 1) / laneCountOfTile {
      let live = tiles.live[tile]
      (~live).forEachLane { lane in
        let index = tile * laneCountOfTile + lane
        if range.contains(index) { body(index) }
      }
    }
  }
}
