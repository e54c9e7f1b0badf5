// SPDX-License-Identifier: MIT

/// An instance of a ``KeyframeBatch`` has begun another leg.
public struct RepeatEvent: Hashable, Sendable {
  /// The instance.
  public var handle: TrackHandle
  /// The leg, counted from 0. Where several began within one call, this is the last of them.
  public var leg: Int

  /// An event of the given instance and leg.
  public init(handle: TrackHandle, leg: Int) {
    self.handle = handle
    self.leg = leg
  }
}
