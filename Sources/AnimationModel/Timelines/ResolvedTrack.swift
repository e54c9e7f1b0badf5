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

  /// Whether the track animates the value as a whole.
  var isWhole: Bool { get }

  /// The ends of the keyframes, in seconds.
  var ends: [Double] { get }

  /// The index of the first keyframe that is made of something that is no number.
  var undefinedKey: Int? { get }

  /// The keyframes by component, or nil if the property's data is no ``ComponentVector``.
  var componentPath: ComponentPath? { get }

  /// Sets the property's data to the given components; does nothing if it is no ``ComponentVector``.
  func set(components: [Double], in root: inout Root)

  /// The components of the property's data; empty if it is no ``ComponentVector``.
  func components(in root: Root) -> [Double]
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

// MARK: - Components

extension PropertyTrack {
  package var isWhole: Bool { Property.self == Root.self && keyPath == \Root.self }

  package var ends: [Double] { path.segments.map(\.end) }

  package var undefinedKey: Int? { path.undefinedKey }

  package var componentPath: ComponentPath? {
    func opened<Data: ComponentVector>(_ type: Data.Type) -> ComponentPath? {
      (path as? KeyframePath<Data>)?.componentPath
    }
    guard let type = Property.AnimatableData.self as? any ComponentVector.Type else { return nil }
    return opened(type)
  }

  package func set(components: [Double], in root: inout Root) {
    func opened<Data: ComponentVector>(_ type: Data.Type) {
      guard let data = Data(components: components) as? Property.AnimatableData else { return }
      root[keyPath: keyPath].animatableData = data
    }
    guard let type = Property.AnimatableData.self as? any ComponentVector.Type else { return }
    opened(type)
  }

  package func components(in root: Root) -> [Double] {
    (root[keyPath: keyPath].animatableData as? any ComponentVector)?.components ?? []
  }
}
