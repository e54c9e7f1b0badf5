// SPDX-License-Identifier: MIT
import Kernels

/// The place and the format of the numbers of a track within a vertex.
///
/// Several batches, or properties of particles, fill one vertex by a copy each, as here three floats, four bytes and a float:
///
/// ```swift
/// // `memory` is what a graphics library mapped: 20 bytes for each of indexCount vertices.
/// let bytes = UnsafeMutableRawBufferPointer(start: memory, count: 20 * sparks.indexCount)
/// var vertices = MutableRawSpan(_unsafeBytes: bytes)
/// let (position, scale) = (VertexLayout(stride: 20), VertexLayout(offset: 16, stride: 20))
/// let color = VertexLayout(offset: 12, stride: 20, .unorm8, components: [2, 1, 0, 3])  // b g r a
/// try sparks[positions].copyValues(into: &vertices, layout: position)
/// try sparks[colors].copyValues(into: &vertices, layout: color)
/// try sparks[scales].copyValues(into: &vertices, layout: scale)
/// ```
public struct VertexLayout: Hashable, Sendable {
  /// The format of a number in a vertex, with the byte order of the processor.
  ///
  /// Formats but `float32` round to nearest, ties to even, with the same bits on every processor. The raw value is the code in
  /// C.
  public enum Format: Int32, CaseIterable, Sendable {
    /// The number itself, in 4 bytes.
    case float32
    /// IEEE half precision, in 2 bytes. From 65 520 on it is infinite; a NaN stays one.
    case float16
    /// 0…1 as 0…255, in a byte. A number is clamped, with 0 for NaN, then multiplied in Float, and then rounded. So it is in
    /// the formats that follow.
    case unorm8
    /// −1…1 as −127…127, in a signed byte.
    case snorm8
    /// 0…1 as 0…65 535, in 2 bytes.
    case unorm16
    /// −1…1 as −32 767…32 767, in 2 signed bytes.
    case snorm16

    /// Bytes of a number.
    public var size: Int {
      switch self {
      case .float32: 4
      case .unorm8, .snorm8: 1
      case .float16, .unorm16, .snorm16: 2
      }
    }
  }

  /// The byte of the first number of the first vertex, 0 or more. It may be odd.
  public var offset: Int
  /// Bytes from one vertex to the next, at least those of its numbers; nil for these alone, without gaps.
  public var stride: Int?
  /// The format of the numbers.
  public var format: Format
  /// The component of each number, which may be any of a value's, also twice; empty for all in their order.
  public var components: [Int]
  /// A conversion of colours before they are written; nil for none. ``components`` are those of the converted colours.
  public var color: ColorConversion?

  /// A layout. A call throws ``BatchError/invalidStride(_:)`` or ``BatchError/dimensionOutOfRange(_:count:)`` if it is out of
  /// range; with a conversion of colours, also ``BatchError/wrongDimensions(of:expected:got:)`` for values without four
  /// components, and ``BatchError/velocitiesOfColors``.
  public init(
    offset: Int = 0, stride: Int? = nil, _ format: Format = .float32, components: [Int] = [],
    color: ColorConversion? = nil
  ) {
    (self.offset, self.stride, self.format) = (offset, stride, format)
    (self.components, self.color) = (components, color)
  }
}

/// A layout for values of some dimensions, checked.
struct CheckedLayout {
  let offset: Int
  let stride: Int
  /// The component of each number of a vertex; empty for all in their order.
  let components: [Int]
  /// The components from the least to the greatest of these.
  let range: Range<Int>
  /// The numbers of a vertex.
  let slots: Int
  /// Bytes of these.
  let bytes: Int
  let format: Int32
  let color: ColorConversion?

  /// Throws ``BatchError/invalidStride(_:)``, ``BatchError/dimensionOutOfRange(_:count:)``, or
  /// ``BatchError/wrongDimensions(of:expected:got:)``.
  init(_ layout: VertexLayout, dimensions: Int) throws(BatchError) {
    #if REAL_TIME_ONLY
      // JavaScript converts no colours.
      color = nil
    #else
      color = layout.color
    #endif
    guard color == nil || dimensions == 4 else {
      throw .wrongDimensions(of: "conversion of colours", expected: dimensions, got: 4)
    }
    var (first, end) = layout.components.isEmpty ? (0, dimensions) : (dimensions, 0)
    for component in layout.components {
      guard 0..<dimensions ~= component else { throw .dimensionOutOfRange(component, count: dimensions) }
      (first, end) = (min(first, component), max(end, component + 1))
    }
    // All numbers of a colour are converted.
    range = color == nil ? first..<end : 0..<4
    components = layout.components
    slots = components.isEmpty ? dimensions : components.count
    let size = slots.multipliedReportingOverflow(by: layout.format.size)
    (bytes, stride) = (size.partialValue, layout.stride ?? size.partialValue)
    guard !size.overflow, stride >= bytes, stride <= Int32.max else { throw .invalidStride(stride) }
    guard 0...Int(Int32.max) ~= layout.offset else { throw .invalidStride(layout.offset) }
    (offset, format) = (layout.offset, layout.format.rawValue)
  }

  /// The bytes that a number of vertices reach over; `Int.max` for more than there can be.
  func reach(ofTracks count: Int) -> Int {
    guard count > 0 else { return 0 }
    // Exact up to 2⁵³, and without overflow.
    let total = Double(count - 1) * Double(stride) + Double(offset) + Double(bytes)
    return total <= min(0x1p53, Double(Int.max)) ? Int(total) : .max
  }
}

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
