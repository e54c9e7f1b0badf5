// SPDX-License-Identifier: MIT

/// One track of a timeline, with all values known.
package protocol ResolvedTrack<Root>: Sendable {
  associatedtype Root

  /// Seconds to the end of the last keyframe.
  var duration: Double { get }

  /// Writes the value at `time` seconds into the track's property.
  func update(value: inout Root, time: Double)

  /// Writes the rate of change at `time` seconds, per second, into the track's property.
  func update(velocity: inout Root, time: Double)
}

/// The track of the property at a key path.
package struct PropertyTrack<Root, Property: Animatable>: ResolvedTrack {
  package let keyPath: any WritableKeyPath<Root, Property> & Sendable
  package let path: KeyframePath<Property.AnimatableData>

  package var duration: Double { path.duration }

  package func update(value: inout Root, time: Double) {
    value[keyPath: keyPath].animatableData = path.value(at: time)
  }

  package func update(velocity: inout Root, time: Double) {
    velocity[keyPath: keyPath].animatableData = path.velocity(at: time)
  }
}
