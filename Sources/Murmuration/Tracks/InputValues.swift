// SPDX-License-Identifier: MIT
import Kernels

/// Numbers of many tracks that a caller lends: an array of vectors, or columns, or anything with a fixed distance from
/// component to component and from track to track.
@safe
struct InputValues {
  /// Tracks.
  let count: Int
  private let start: UnsafePointer<Float>
  private let dimensions: Int
  private let componentStride: Int
  private let trackStride: Int

  /// Numbers in memory of the caller.
  ///
  /// - Parameters:
  ///   - start: Component 0 of track 0.
  ///   - count: Tracks.
  ///   - dimensions: Components of each.
  ///   - componentStride: Floats from one component of a track to the next.
  ///   - trackStride: Floats from one track to the next.
  init(
    _ start: UnsafePointer<Float>, count: Int, dimensions: Int, componentStride: Int, trackStride: Int
  ) {
    unsafe self.start = start
    self.count = count
    self.dimensions = dimensions
    self.componentStride = componentStride
    self.trackStride = trackStride
  }

  /// A component of a track.
  @inline(__always)
  subscript(track: Int, dimension: Int) -> Float {
    unsafe start[track * trackStride + dimension * componentStride]
  }

  /// Throws ``BatchError/invalidValue(of:index:value:)`` for the first number that is NaN or too large.
  ///
  /// - Parameter what: The word for the value of one track, for the message.
  func check(_ what: String) throws(BatchError) {
    if trackStride == 1 {
      for dimension in 0..<dimensions {
        let column = unsafe UnsafeBufferPointer(start: start + dimension * componentStride, count: count)
        if let track = BatchLimits.firstRefused(unsafe column.span) { throw refusal(what, track, dimension) }
      }
    } else if componentStride == 1, trackStride == dimensions {
      let numbers = unsafe UnsafeBufferPointer(start: start, count: count * dimensions)
      if let index = BatchLimits.firstRefused(unsafe numbers.span) {
        throw refusal(what, index / dimensions, index % dimensions)
      }
    } else {
      for track in 0..<count {
        for dimension in 0..<dimensions where !(abs(self[track, dimension]) <= BatchLimits.maximumMagnitude) {
          throw refusal(what, track, dimension)
        }
      }
    }
  }

  private func refusal(_ what: String, _ track: Int, _ dimension: Int) -> BatchError {
    .invalidValue(
      of: dimensions == 1 ? what : "component \(dimension) of \(what)", index: track, value: self[track, dimension])
  }

  /// Lends the numbers of some neighbouring tracks as columns: component 0 of all, and so many floats behind each the next.
  @inline(__always)
  func withColumns<Result>(
    of tracks: Range<Int>, _ body: (_ first: UnsafePointer<Float>, _ stride: Int) -> Result
  ) -> Result {
    if trackStride == 1 {
      return unsafe body(start + tracks.lowerBound, componentStride)
    }
    return unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: tracks.count * dimensions) { columns in
      let columns = unsafe columns.baseAddress.unsafelyUnwrapped
      for dimension in 0..<dimensions {
        for track in tracks {
          unsafe columns[dimension * tracks.count + track - tracks.lowerBound] = self[track, dimension]
        }
      }
      return unsafe body(columns, tracks.count)
    }
  }
}
