// SPDX-License-Identifier: MIT

/// Tracks that can be sent to goals and read: the tracks of an ``AnimationBatch``, or of one property of ``Particles``.
///
/// ```swift
/// func total(_ tracks: borrowing some AnimatedTracks<Float> & ~Copyable) throws -> Float {
///   try tracks.withValues(component: 0) { values in
///     values.indices.reduce(0) { tracks.handle(at: $1) == nil ? $0 : $0 + values[$1] }
///   }
/// }
/// ```
///
/// ### Indices
/// A track keeps its *index* (``TrackHandle/index``) for life, and has the element of its index in every column.
/// `copyValues` copies columns, with zeros for indices without a track; `withValues` lends a column, without
/// a copy.
///
/// Only the library makes a ``TrackCore``, so other types cannot conform.
public protocol AnimatedTracks<Value>: MovingTracks, ~Copyable {}

/// Tracks that move in time, whatever their values mean: ``AnimatedTracks``, or the rotations of a ``RotationBatch``.
public protocol MovingTracks<Value>: TrackSet, ~Copyable {
  /// The value of a track.
  associatedtype Value: TrackValue
  /// The storage of the tracks.
  var core: TrackCore<Value> { get set }
}

/// The storage of tracks. It has no members for other code.
public struct TrackCore<Value: TrackValue>: ~Copyable, Sendable {
  let box: EngineBox
  @usableFromInline let lent: LentEngine
  fileprivate var address: UnsafeMutablePointer<Engine> { unsafe box.address }

  init(engine: consuming Engine) { self.init(box: EngineBox(engine)) }

  init(box: EngineBox) {
    self.box = box
    lent = LentEngine(box)
  }
}

extension AnimationBatch {
  /// The engine that moves the tracks. (By the protocol, each call would look up the conformance of a generic type.)
  var engine: Engine {
    unsafeAddress { unsafe UnsafePointer(core.address) }
    unsafeMutableAddress { unsafe core.address }
  }
}

extension MovingTracks where Self: ~Copyable {
  /// The engine that moves the tracks.
  var engine: Engine {
    unsafeAddress { unsafe UnsafePointer(core.address) }
    unsafeMutableAddress { unsafe core.address }
  }
}
