// SPDX-License-Identifier: MIT
import CProcessor
import Kernels

/// Numbers of many tracks that a caller lends: an array of vectors, columns, or any other layout with one stride from
/// component to component and one from track to track.
package struct InputValues {
  /// The number of tracks.
  package private(set) var count: Int
  private var start: ConstantColumn<Float>
  private let dimensions: Int
  private let componentStride: Int
  private var trackStride: Int
  /// The components of the tracks, if each has a list of them; nil for plain numbers.
  private let values: ConstantColumn<[Double]>?
  /// From one of the `values` to the next.
  private var valueStride: Int

  /// Numbers in memory of the caller.
  ///
  /// - Parameters:
  ///   - start: Component 0 of track 0.
  ///   - count: The number of tracks.
  ///   - dimensions: Components of each.
  ///   - componentStride: Floats from one component of a track to the next.
  ///   - trackStride: Floats from one track to the next.
  package init(
    _ start: UnsafePointer<Float>, count: Int, dimensions: Int, componentStride: Int, trackStride: Int
  ) {
    self.start = unsafe ConstantColumn(
      start, count: count == 0 ? 0 : (count - 1) * trackStride + (dimensions - 1) * componentStride + 1)
    self.count = count
    self.dimensions = dimensions
    self.componentStride = componentStride
    self.trackStride = trackStride
    (values, valueStride) = (nil, 0)
  }

  /// Lists in memory of the caller, each with a component for each dimension, or without components.
  package init(_ values: UnsafePointer<[Double]>, count: Int, dimensions: Int, valueStride: Int = 1) {
    let values = unsafe ConstantColumn(values, count: count)
    start = values.rebound(to: Float.self)
    self.count = count
    self.dimensions = dimensions
    (componentStride, trackStride) = (0, 0)
    self.values = values
    self.valueStride = valueStride
  }

  /// One value as the numbers of `count` tracks.
  package func repeated(_ count: Int) -> InputValues {
    var copy = self
    (copy.count, copy.trackStride, copy.valueStride) = (count, 0, 0)
    return copy
  }

  /// Whether this is one value that a caller gave for all tracks.
  var isForAll: Bool { count == 1 && trackStride | valueStride == 0 }

  /// The values of an argument that may be left out; nil if it was.
  package var ifAny: InputValues? { count == 0 ? nil : self }

  /// An address for no numbers.
  package static var nothing: UnsafePointer<Float> {
    unsafe UnsafePointer(bitPattern: MemoryLayout<Float>.alignment).unsafelyUnwrapped
  }

  /// Lends zeros as the numbers of `count` tracks.
  package static func withZeros<Result, Failure: Error>(
    _ count: Int, dimensions: Int, _ body: (InputValues) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let zero: Float = 0
    return try unsafe withUnsafePointer(to: zero) { zero throws(Failure) in
      try body(unsafe InputValues(zero, count: count, dimensions: dimensions, componentStride: 0, trackStride: 0))
    }
  }

  /// A component of a track.
  @inline(__always)
  package subscript(track: Int, dimension: Int) -> Float {
    if let values {
      let components = values[track &* valueStride]
      return dimension < components.count ? Float(components[dimension]) : 0
    }
    return start[track &* trackStride &+ dimension &* componentStride]
  }

  /// The number of tiles whose numbers can be lent together as columns without memory from the heap.
  var tilesAtOnce: Int { trackStride == 1 ? 64 : max(1, 16 / dimensions) }

  /// The tracks whose numbers differ in memory: only the first, if all have the same.
  private var distinct: Range<Int> { 0..<(trackStride | valueStride == 0 ? min(count, 1) : count) }

  /// Whether these are the numbers of one track, and accepted: the check of frequent calls.
  @inline(__always)
  var isAccepted: Bool {
    guard values == nil, count == 1 else { return false }
    var areAccepted = true
    for dimension in 0..<dimensions {
      // False for NaN too.
      areAccepted = areAccepted && abs(start[dimension &* componentStride]) <= BatchLimits.maximumMagnitude
    }
    return areAccepted
  }

  /// Throws ``BatchError/invalidValue(of:index:value:)`` for the first number that is NaN or too large, or
  /// ``BatchError/wrongDimensions(of:expected:got:)`` for the first value with another number of components.
  ///
  /// - Parameter what: The name of a single value, for the message.
  package func check(_ what: String) throws(BatchError) {
    try checkDimensions(what)
    if trackStride == 1 {
      for dimension in 0..<dimensions {
        let column = unsafe UnsafeBufferPointer(start: (start + dimension * componentStride).address, count: count)
        if let track = BatchLimits.firstRefused(unsafe column.span) { throw refusal(what, track, dimension) }
      }
    } else if componentStride == 1, trackStride == dimensions {
      let numbers = unsafe UnsafeBufferPointer(start: start.address, count: count * dimensions)
      if let index = BatchLimits.firstRefused(unsafe numbers.span) {
        throw refusal(what, index / dimensions, index % dimensions)
      }
    } else {
      for track in distinct {
        for dimension in 0..<dimensions where !(abs(self[track, dimension]) <= BatchLimits.maximumMagnitude) {
          throw refusal(what, track, dimension)
        }
      }
    }
  }

  /// Throws ``BatchError/wrongDimensions(of:expected:got:)`` for the first value that has components, but not one for
  /// each dimension.
  package func checkDimensions(_ what: String) throws(BatchError) {
    guard let values else { return }
    for track in distinct {
      let got = values[track].count
      guard got == dimensions || got == 0 else { throw .wrongDimensions(of: what, expected: dimensions, got: got) }
    }
  }

  /// Whether each value is a quaternion that can be made a rotation.
  func areRotations(_ table: KernelTable) -> Bool {
    var first = 0
    if values == nil, trackStride == 1 {
      first = count / laneCountOfTile * laneCountOfTile
      guard table.rotations.haveDirections(start, componentStride, first) else { return false }
    }
    return (first..<distinct.upperBound).allSatisfy { track in
      let square = (0..<4).reduce(Float(0)) { $0 + self[track, $1] * self[track, $1] }
      return RotationLimits.leastSquare...RotationLimits.largestSquare ~= square
    }
  }

  /// Throws ``BatchError/invalidValue(of:index:value:)`` or ``BatchError/invalidRotation(of:index:)`` for the first
  /// quaternion that cannot be made a rotation.
  func checkRotations(_ what: String, _ table: KernelTable) throws(BatchError) {
    try check(what)
    for track in distinct {
      var one = self
      (one.start, one.count) = (start + track * trackStride, 1)
      guard one.areRotations(table) else { throw .invalidRotation(of: what, index: track) }
    }
  }

  private func refusal(_ what: String, _ track: Int, _ dimension: Int) -> BatchError {
    .invalidValue(
      of: dimensions == 1 ? what : "component \(dimension) of \(what)", index: track, value: self[track, dimension])
  }

  /// Lends the numbers of consecutive tracks as columns: `first` is the column of component 0, and the column of each
  /// next component begins `stride` floats later.
  @inline(__always)
  func withColumns<Result>(
    of tracks: Range<Int>, _ body: (_ first: ConstantColumn<Float>, _ stride: Int) -> Result
  ) -> Result {
    if trackStride == 1 {
      return body(start + tracks.lowerBound, componentStride)
    }
    return unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: tracks.count * dimensions) { columns in
      let columns = unsafe columns.column.unsafelyUnwrapped
      copy(tracks, to: columns, stride: tracks.count)
      return body(columns.constant, tracks.count)
    }
  }

  /// Lends the numbers of consecutive tracks as those of all tracks, in columns.
  @inline(__always)
  func withPlanes<Result>(of tracks: Range<Int>, _ body: (InputValues) -> Result) -> Result {
    withColumns(of: tracks) { first, stride in
      body(
        unsafe InputValues(
          first.address, count: tracks.count, dimensions: dimensions, componentStride: stride, trackStride: 1))
    }
  }

  /// Copies the numbers of consecutive tracks into columns, `stride` floats apart.
  func copy(_ tracks: Range<Int>, to columns: Column<Float>, stride: Int) {
    if trackStride == 1 {
      for dimension in 0..<dimensions {
        (columns + dimension * stride).update(
          from: start + (dimension * componentStride + tracks.lowerBound), count: tracks.count)
      }
    } else if componentStride == 1 {
      unsafe lanes_deinterleave(
        (start + tracks.lowerBound * trackStride).address, trackStride, dimensions, tracks.count, columns.address,
        stride)
    } else {
      for dimension in 0..<dimensions {
        for track in tracks { columns[dimension * stride + track - tracks.lowerBound] = self[track, dimension] }
      }
    }
  }
}
