// SPDX-License-Identifier: MIT

/// Memory of the caller that calls write values, numbers or handles into: an array, or a mutable span. They never change its
/// length.
public protocol TrackOutput<Element>: ~Copyable, ~Escapable {
  /// The type of a value, number or handle.
  associatedtype Element
  /// Calls `body` with the memory, as the library understands it.
  mutating func withMutableElements<Result, Failure: Error>(
    _ body: (LentOutput<Element>) throws(Failure) -> Result
  ) throws(Failure) -> Result
}

/// The memory of ``TrackOutput``. It has no members for other code, and must not be kept.
@safe
@frozen
public struct LentOutput<Element> {
  @usableFromInline package let elements: UnsafeMutableBufferPointer<Element>

  init(_ elements: UnsafeMutableBufferPointer<Element>) { unsafe self.elements = elements }
}

extension Array: TrackOutput {
  public mutating func withMutableElements<Result, Failure: Error>(
    _ body: (LentOutput<Element>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe withUnsafeMutableBufferPointer { elements throws(Failure) in try body(unsafe LentOutput(elements)) }
  }
}

extension MutableSpan: TrackOutput {
  public mutating func withMutableElements<Result, Failure: Error>(
    _ body: (LentOutput<Element>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe withUnsafeMutableBufferPointer { elements throws(Failure) in try body(unsafe LentOutput(elements)) }
  }
}
