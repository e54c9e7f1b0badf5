// SPDX-License-Identifier: MIT

// Colours in memory of the caller, on their way into a batch.
extension ColorConversion {
  /// Converts colours in place.
  ///
  /// - Throws: ``BatchError/unsupportedKernels(_:)``.
  /// - Complexity: O(colours).
  public func convert(
    _ colors: inout some TrackOutput<SIMD4<Float>> & ~Copyable & ~Escapable
  ) throws(BatchError) {
    try colors.withMutableElements { colors throws(BatchError) in
      let floats = unsafe UnsafeMutableRawBufferPointer(colors.elements).bindMemory(to: Float.self)
      try unsafe convert(floats, count: floats.count / 4, offset: 0, trackStride: 4, componentStride: 1)
    }
  }

  /// Converts colours in place that are columns of floats, or lie in another layout.
  ///
  /// - Parameters:
  ///   - colors: Component 0 of all colours, then component 1, …, or another layout. What lies between stays as it is.
  ///   - layout: Where the components lie.
  /// - Throws: ``BatchError/unequalColumns(count:dimensions:)``, ``BatchError/invalidStride(_:)``, or
  ///   ``BatchError/unsupportedKernels(_:)``; nothing is written then.
  /// - Complexity: O(colours).
  public func convert(
    planar colors: inout some TrackOutput<Float> & ~Copyable & ~Escapable, layout: ColumnLayout = .planar
  ) throws(BatchError) {
    try colors.withMutableElements { colors throws(BatchError) in
      let floats = unsafe colors.elements
      let input = try unsafe layout.input(UnsafeBufferPointer(floats), dimensions: 4)
      try unsafe convert(
        floats, count: input.count, offset: layout.offset, trackStride: layout.trackStride,
        componentStride: layout.componentStride ?? (floats.count - layout.offset) / 4)
    }
  }

  /// Converts colours of four bytes each, side by side, with 0…1 as 0…255.
  ///
  /// - Parameters:
  ///   - bytes: An array or a span of four bytes for each colour.
  ///   - colors: Gets the colours.
  /// - Throws: ``BatchError/wrongCount(of:expected:got:)``, or ``BatchError/unsupportedKernels(_:)``; nothing is written then.
  /// - Complexity: O(colours).
  public func convert(
    unorm8 bytes: some PerTrack<UInt8> & ~Escapable,
    into colors: inout some TrackOutput<SIMD4<Float>> & ~Copyable & ~Escapable
  ) throws(BatchError) {
    try colors.withMutableElements { colors throws(BatchError) in
      let (floats, count) = unsafe (
        UnsafeMutableRawBufferPointer(colors.elements).bindMemory(to: Float.self), colors.elements.count
      )
      try bytes.withElements(of: 4 * count) { lent throws(BatchError) in
        let bytes = unsafe lent.elements
        try BatchError.check(bytes.count, of: "bytes of colours", expected: 4 * count)
        guard let bytes = bytes.baseAddress, let output = floats.baseAddress else { return }
        try unsafe convert(unorm8: bytes, count: count, to: output, trackStride: 4, componentStride: 1)
      }
    }
  }

  private func convert(
    _ floats: UnsafeMutableBufferPointer<Float>, count: Int, offset: Int, trackStride: Int, componentStride: Int
  ) throws(BatchError) {
    guard count > 0, let start = floats.baseAddress else { return }
    let colors = unsafe start + offset
    try unsafe convert(
      InputValues(colors, count: count, dimensions: 4, componentStride: componentStride, trackStride: trackStride),
      to: colors, trackStride: trackStride, componentStride: componentStride)
  }
}
