// SPDX-License-Identifier: MIT

/// What a call says of its tracks: an array, a slice or a span with an element for each track, or one number, clip, playback or
/// rotation for all.
///
/// ```swift
/// var batch = try AnimationBatch<Float>()
/// let dots = try batch.add([0, 0, 0])
/// try batch.animate(dots, to: [1, 2, 3], delays: [0, 0.1, 0.2])
/// try batch.animate(dots, to: 5, delays: .each(0.1, from: .last))
/// ```
///
/// An element for each index belongs to a range of indices and to ``TrackSelection/all``; what is said of indices without a
/// track has no effect, but must be valid too. Another number of elements makes a call throw
/// ``BatchError/wrongCount(of:expected:got:)``.
public protocol PerTrack<Element>: ~Escapable {
  /// What is said of one track.
  associatedtype Element
  /// Calls `body` with the elements for `count` tracks, as a batch understands them.
  func withElements<Result>(
    of count: Int, _ body: (LentElements<Element>) throws(BatchError) -> Result
  ) throws(BatchError) -> Result
}

/// The elements of ``PerTrack``. It has no members for other code, and must not be kept.
@safe
@frozen
public struct LentElements<Element> {
  @usableFromInline let elements: UnsafeBufferPointer<Element>
  /// Whether the only element is for all tracks.
  @usableFromInline let isForAll: Bool
  /// Whether the caller gave any.
  @usableFromInline let areGiven: Bool

  @inlinable
  init(_ elements: UnsafeBufferPointer<Element>, isForAll: Bool = false, areGiven: Bool = true) {
    unsafe self.elements = elements
    (self.isForAll, self.areGiven) = (isForAll, areGiven)
  }

  /// Throws ``BatchError/wrongCount(of:expected:got:)`` unless there is an element for each of `count` tracks, or one for all.
  func check(_ what: String, count: Int) throws(BatchError) {
    if !isForAll { try BatchError.check(unsafe elements.count, of: what, expected: count) }
  }
}

extension Array: PerTrack {
  // It does not use `span`. If the type of the elements is generic, Swift 6.3.1 infers that a function that takes the `span`
  // of an array reads only the count. Optimised programs then leave out the writes to the elements of an array that nothing
  // else reads. (`Scripts/check-allocations` runs calls that would fail.)
  @inlinable
  public func withElements<Result>(
    of count: Int, _ body: (LentElements<Element>) throws(BatchError) -> Result
  ) throws(BatchError) -> Result {
    try unsafe withUnsafeBufferPointer { elements throws(BatchError) in try body(unsafe LentElements(elements)) }
  }
}

extension ArraySlice: PerTrack {
  @inlinable
  public func withElements<Result>(
    of count: Int, _ body: (LentElements<Element>) throws(BatchError) -> Result
  ) throws(BatchError) -> Result {
    try unsafe withUnsafeBufferPointer { elements throws(BatchError) in try body(unsafe LentElements(elements)) }
  }
}

extension Span: PerTrack {
  @inlinable
  public func withElements<Result>(
    of count: Int, _ body: (LentElements<Element>) throws(BatchError) -> Result
  ) throws(BatchError) -> Result {
    try unsafe withUnsafeBufferPointer { elements throws(BatchError) in try body(unsafe LentElements(elements)) }
  }
}

/// An argument of a call that was left out.
@frozen
public struct NotGiven<Element>: PerTrack {
  @inlinable init() {}

  @inlinable
  public func withElements<Result>(
    of count: Int, _ body: (LentElements<Element>) throws(BatchError) -> Result
  ) throws(BatchError) -> Result {
    try body(unsafe LentElements(UnsafeBufferPointer(start: nil, count: 0), areGiven: false))
  }
}

// MARK: - One for all

extension Double: PerTrack {
  public func withElements<Result>(
    of count: Int, _ body: (LentElements<Double>) throws(BatchError) -> Result
  ) throws(BatchError) -> Result {
    try lendForAll(self, body)
  }
}

extension ClipID: PerTrack {
  public func withElements<Result>(
    of count: Int, _ body: (LentElements<ClipID>) throws(BatchError) -> Result
  ) throws(BatchError) -> Result {
    try lendForAll(self, body)
  }
}

extension Playback: PerTrack {
  public func withElements<Result>(
    of count: Int, _ body: (LentElements<Playback>) throws(BatchError) -> Result
  ) throws(BatchError) -> Result {
    try lendForAll(self, body)
  }
}

/// Lends one element for all tracks.
func lendForAll<Element, Result>(
  _ element: Element, _ body: (LentElements<Element>) throws(BatchError) -> Result
) throws(BatchError) -> Result {
  try unsafe withUnsafePointer(to: element) { element throws(BatchError) in
    try body(unsafe LentElements(UnsafeBufferPointer(start: element, count: 1), isForAll: true))
  }
}
