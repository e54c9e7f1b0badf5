// SPDX-License-Identifier: MIT
import Kernels

// Numbers of tracks in the layout of vertices.
extension Engine {
  /// Floats that are gathered at a time of tracks that are named by handles.
  private static let gatheredAtOnce = 1 << 13

  /// Writes numbers of tracks into vertices; zeros for indices without a track, and for handles of tracks that are gone. What
  /// lies between the numbers stays.
  ///
  /// - Throws: ``BatchError``; nothing is written then.
  package func copy(
    _ numbers: Numbers, of tracks: SelectedTracks, into output: UnsafeMutableRawBufferPointer, _ layout: VertexLayout
  ) throws(BatchError) {
    let layout = try CheckedLayout(layout, dimensions: dimensions)
    guard layout.color == nil || numbers != .velocities else { throw .velocitiesOfColors }
    let (indices, count) = (try indices(of: tracks), count(of: tracks))
    let reach = layout.reach(ofTracks: count)
    guard output.count >= reach else {
      throw .wrongCount(of: "bytes of the output", expected: reach, got: output.count)
    }
    guard let start = output.baseAddress else { return }
    let bytes = unsafe Column(start.assumingMemoryBound(to: UInt8.self), count: output.count) + layout.offset
    if let handles = try unsafe checkedHandles(of: tracks) {
      return try unsafe copy(numbers, of: handles.span, to: bytes, layout)
    }
    let range = indices ?? 0..<0
    let (columns, stride) = try columns(of: numbers)
    write(columns + range.lowerBound, columnStride: stride, count, to: bytes, layout)
    self.tracks.forEachIndexWithoutTrack(in: range) { index in
      (bytes + (index - range.lowerBound) * layout.stride).update(repeating: 0, count: layout.bytes)
    }
  }

  /// Gathers numbers of some tracks in columns, and writes those, for tracks of handles of this batch.
  private func copy(
    _ numbers: Numbers, of handles: Span<TrackHandle>, to output: Column<UInt8>, _ layout: CheckedLayout
  ) throws(BatchError) {
    let range = layout.range
    let atOnce = min(handles.count, max(Self.gatheredAtOnce / range.count, laneCountOfTile))
    var gathered = [Float](repeating: 0, count: atOnce * range.count)
    var done = 0
    while done < handles.count {
      let count = min(atOnce, handles.count - done)
      try unsafe gathered.withUnsafeMutableBufferPointer { memory throws(BatchError) in
        guard let column = unsafe memory.column else { return }
        try copy(numbers, of: handles.extracting(done..<done + count), range, to: column, 1, atOnce)
        let component0 = (column - range.lowerBound * atOnce).constant
        write(component0, columnStride: atOnce, count, to: output + done * layout.stride, layout)
      }
      done += count
    }
  }

  private func write(
    _ columns: ConstantColumn<Float>, columnStride: Int, _ count: Int, to output: Column<UInt8>, _ layout: CheckedLayout
  ) {
    #if !REAL_TIME_ONLY
      if let color = layout.color {
        return color.convert(count, table) { colors, block in
          for component in 0..<4 {
            (block.first + component * block.stride).update(
              from: columns + (component * columnStride + colors.lowerBound), count: colors.count)
          }
        } to: { colors, block in
          writeAsTheyAre(
            block.first.constant, columnStride: block.stride, colors.count,
            to: output + colors.lowerBound * layout.stride, layout)
        }
      }
    #endif
    writeAsTheyAre(columns, columnStride: columnStride, count, to: output, layout)
  }

  private func writeAsTheyAre(
    _ columns: ConstantColumn<Float>, columnStride: Int, _ count: Int, to output: Column<UInt8>, _ layout: CheckedLayout
  ) {
    layout.components.withConstantColumn { components in
      let numbers = VertexNumbers(
        columns, columnStride: columnStride, components: layout.components.isEmpty ? nil : components,
        slots: layout.slots,
        format: layout.format)
      table.writeVertices(numbers, count, output, layout.stride)
    }
  }
}
