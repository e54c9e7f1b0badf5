// SPDX-License-Identifier: MIT
package import CSurface
package import Murmuration

// What the arguments of calls stand for.

extension Engine {
  /// The tracks that `tracks`, `first` and `count` say.
  package func selection(
    _ tracks: UnsafePointer<murmuration_track>?, _ first: Int32, _ count: Int32
  ) throws(BatchError) -> SelectedTracks {
    guard first >= 0 else { throw .trackOutOfRange(Int(first), count: indexCount) }
    let first = Int(first)
    if let tracks {
      guard count >= 0 else { throw .wrongCount(of: "tracks", expected: 0, got: Int(count)) }
      let start = UnsafeRawPointer(tracks).assumingMemoryBound(to: TrackHandle.self) + first
      return .handles(UnsafeBufferPointer(start: start, count: Int(count)))
    }
    guard count != MURMURATION_ALL else {
      if first == 0 { return .all }
      guard first <= indexCount else { throw .trackOutOfRange(first, count: indexCount) }
      return .indices(first..<indexCount)
    }
    guard count >= 0 else { throw .wrongCount(of: "indices", expected: 0, got: Int(count)) }
    guard first <= indexCount, Int(count) <= indexCount - first else {
      throw .trackOutOfRange(max(first, indexCount), count: indexCount)
    }
    return .indices(first..<first + Int(count))
  }

  /// The numbers of some tracks in memory of the caller.
  ///
  /// The strides are not negative.
  func values(
    _ start: UnsafePointer<Float>, of tracks: SelectedTracks, _ trackStride: Int32, _ componentStride: Int32
  ) throws(BatchError) -> InputValues {
    try values(start, count: count(of: tracks), trackStride, componentStride)
  }

  /// The numbers of a number of tracks in memory of the caller.
  func values(
    _ start: UnsafePointer<Float>, count: Int, _ trackStride: Int32, _ componentStride: Int32
  ) throws(BatchError) -> InputValues {
    try checkReach("values", count, dimensions, trackStride, componentStride)
    return InputValues(
      start, count: count, dimensions: dimensions, componentStride: Int(componentStride), trackStride: Int(trackStride))
  }
}

/// Throws if strides lead beyond any memory.
package func checkReach(
  _ name: String, _ count: Int, _ dimensions: Int, _ trackStride: Int32, _ componentStride: Int32
) throws(BatchError) {
  let floats = Int64(count) * Int64(trackStride) + Int64(dimensions) * Int64(componentStride)
  guard floats <= Int64(Int.max / 4) else { throw .wrongCount(of: name, expected: .max, got: count) }
}

/// The fault of the arguments for numbers to read; nil if there is none.
///
/// - Parameter count: The number of tracks, as the caller says it: 0 if no number is read.
package func inputFault(
  _ name: String, _ start: UnsafePointer<Float>?, _ count: Int32, _ trackStride: Int32, _ componentStride: Int32
) -> Int32? {
  if start == nil, count != 0 { return failNull(name) }
  return strideFault(name, atLeast: 0, trackStride, componentStride)
}

/// The fault of the arguments for numbers to write; nil if there is none.
package func outputFault(
  _ name: String, _ start: UnsafeMutablePointer<Float>?, _ count: Int32, _ trackStride: Int32,
  _ componentStride: Int32
) -> Int32? {
  if start == nil, count != 0 { return failNull(name) }
  return strideFault(name, atLeast: 1, trackStride, componentStride)
}

private func strideFault(
  _ name: String, atLeast least: Int32, _ trackStride: Int32, _ componentStride: Int32
) -> Int32? {
  guard trackStride < least || componentStride < least else { return nil }
  return fail(
    MURMURATION_INVALID_STRIDE, "\(name): strides must be \(least) or more, are \(trackStride) and \(componentStride)")
}

extension UnsafePointer<Float>? {
  /// The address, or one for no numbers.
  package var orNothing: UnsafePointer<Float> { self ?? UnsafePointer(bitPattern: 64).unsafelyUnwrapped }
}

extension UnsafeMutablePointer<Float>? {
  /// The address, or one for no numbers.
  package var orNothing: UnsafeMutablePointer<Float> { self ?? UnsafeMutablePointer(bitPattern: 64).unsafelyUnwrapped }
}

extension UnsafeMutablePointer<UInt32>? {
  /// Writes the number of a change, if it is wanted.
  func take(_ change: UInt32) { self?.pointee = change }
}

/// Numbers of the caller, one for each of `count` tracks; none for a null pointer.
func span(_ numbers: UnsafePointer<Double>?, _ count: Int) -> UnsafeBufferPointer<Double> {
  UnsafeBufferPointer(start: numbers, count: numbers == nil ? 0 : count)
}
