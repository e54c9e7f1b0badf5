// SPDX-License-Identifier: MIT

/// Tracks that change a value over time: what stands between the braces of a ``KeyframeTimeline``.
///
/// ``KeyframeTrack`` conforms to it, and your own groups of tracks can: give them a `body`.
public protocol Keyframes<Value> {
  /// The type of value that the tracks animate.
  associatedtype Value = Body.Value

  /// The type of the tracks that these tracks are made of.
  associatedtype Body: Keyframes

  /// The tracks that these tracks are made of.
  @KeyframesBuilder<Value> var body: Body { get }

  /// Adds these tracks to `tracks`, in order.
  ///
  /// The default adds the tracks of `body`; you need not write this method.
  func append(to tracks: inout KeyframeTracks<Value>)
}

extension Keyframes where Body.Value == Value {
  /// Adds the tracks of `body` to `tracks`, in order.
  public func append(to tracks: inout KeyframeTracks<Value>) {
    body.append(to: &tracks)
  }
}

extension Keyframes where Body == Self {
  /// The tracks themselves: they are not made of other tracks.
  public var body: Self { self }

  /// Adds nothing: content that is its own body adds its tracks itself.
  public func append(to tracks: inout KeyframeTracks<Value>) {}
}

/// Tracks side by side as data; where two change the same property the later one wins.
public struct KeyframeTracks<Root>: Keyframes, Sendable {
  /// The type of value that the tracks animate.
  public typealias Value = Root

  /// Tracks are their own body.
  public typealias Body = KeyframeTracks<Root>

  package var plans: [any TrackPlan<Root>]

  /// No tracks: the value keeps its initial value.
  public init() { plans = [] }

  /// Adds these tracks to others.
  public func append(to tracks: inout KeyframeTracks<Root>) {
    tracks.plans += plans
  }
}

/// The keyframes of one property, before their start value is known.
package protocol TrackPlan<Root>: Sendable {
  associatedtype Root

  /// The track that starts at the property's value in `root` and takes over the motion `carried`.
  func track(from root: Root, carrying carried: CarriedMotion<Root>) -> any ResolvedTrack<Root>
}

/// The motion that a timeline takes over when it starts.
package enum CarriedMotion<Root> {
  /// Nothing moves yet.
  case none
  /// Each animated property of the value is its velocity, in units per second.
  case velocity(Root)
  /// Another timeline's motion at a time of its own.
  case timeline(KeyframeTimeline<Root>, time: Double)
}
