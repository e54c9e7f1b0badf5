// SPDX-License-Identifier: MIT

/// Where the components of many values lie in memory.
///
/// Component c of track t is number ``offset`` + t · ``trackStride`` + c · ``componentStride``. Whole columns one after the
/// other, ``planar``, need no layout to be named; vertices of eight floats with the position from the third on are
/// ``interleaved(stride:offset:)`` with 8 and 2.
public struct ColumnLayout: Hashable, Sendable {
  /// The first number, 0 or more.
  public var offset: Int
  /// Numbers from one track to the next, 1 or more.
  public var trackStride: Int
  /// Numbers from one component to the next, 1 or more; nil for whole columns, of ``trackStride`` numbers for each track.
  public var componentStride: Int?

  /// A layout of the given strides. A call throws ``BatchError/invalidStride(_:)`` if one is out of range.
  public init(offset: Int = 0, trackStride: Int = 1, componentStride: Int? = nil) {
    (self.offset, self.trackStride, self.componentStride) = (offset, trackStride, componentStride)
  }

  /// Component 0 of all tracks, then component 1, …
  public static var planar: ColumnLayout { ColumnLayout() }

  /// The components of a track side by side, with other numbers between tracks.
  public static func interleaved(stride: Int, offset: Int = 0) -> ColumnLayout {
    ColumnLayout(offset: offset, trackStride: stride, componentStride: 1)
  }

  /// Throws ``BatchError/invalidStride(_:)`` unless all numbers are in range.
  private func check() throws(BatchError) {
    for stride in [trackStride, componentStride ?? 1] where !(1...Int(Int32.max) ~= stride) {
      throw .invalidStride(stride)
    }
    guard 0...Int(Int32.max) ~= offset else { throw .invalidStride(offset) }
  }

  /// The numbers from one component to the next, and how many numbers `count` tracks reach over; `Int.max`
  /// for more than there can be.
  ///
  /// - Throws: ``BatchError/invalidStride(_:)``.
  func reach(ofTracks count: Int, dimensions: Int) throws(BatchError) -> (componentStride: Int, total: Int) {
    try check()
    guard count > 0 else { return (1, 0) }
    // The strides may be far too large for any memory.
    let column = count.multipliedReportingOverflow(by: trackStride)
    let component = componentStride ?? column.partialValue
    let columns = (dimensions - 1).multipliedReportingOverflow(by: component)
    let sum = columns.partialValue.addingReportingOverflow(column.partialValue - trackStride)
    let total = sum.partialValue.addingReportingOverflow(offset + 1)
    let fits = !column.overflow && !columns.overflow && !sum.overflow && !total.overflow
    return (component, fits ? total.partialValue : .max)
  }

  /// The values in memory of the caller.
  ///
  /// - Parameter limit: The number of tracks, where it is known. Unless these are whole columns, there may be more memory.
  /// - Throws: ``BatchError/unequalColumns(count:dimensions:)``, or ``BatchError/invalidStride(_:)``.
  func input(
    _ numbers: UnsafeBufferPointer<Float>, dimensions: Int, atMost limit: Int = .max
  ) throws(BatchError) -> InputValues {
    try check()
    let length = max(numbers.count - offset, 0)
    // In whole columns the last track may lack the numbers that follow its own.
    let (places, rest) = ((length + trackStride - 1) / trackStride).quotientAndRemainder(dividingBy: dimensions)
    if componentStride == nil, rest != 0 {
      throw .unequalColumns(count: numbers.count, dimensions: dimensions)
    }
    let column = componentStride ?? places * trackStride
    let last = length - 1 - (dimensions - 1) * column
    let fitting = last < 0 || length == 0 ? 0 : last / trackStride + 1
    let count = componentStride == nil ? fitting : min(fitting, limit)
    let start = unsafe numbers.baseAddress.map { unsafe $0 + offset }
    return unsafe InputValues(
      count == 0 ? InputValues.nothing : start ?? InputValues.nothing, count: count, dimensions: dimensions,
      componentStride: column, trackStride: trackStride)
  }
}
