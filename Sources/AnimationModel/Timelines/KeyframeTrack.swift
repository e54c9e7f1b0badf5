// SPDX-License-Identifier: MIT

/// Keyframes in sequence for one property of a value, or for the value as a whole.
public struct KeyframeTrack<Root, Property: Animatable, Content: KeyframeTrackContent>: Keyframes
where Content.Value == Property {
  /// The type of value that the track animates a property of.
  public typealias Value = Root

  /// A track is its own body.
  public typealias Body = KeyframeTrack<Root, Property, Content>

  private let plan: PropertyPlan<Root, Property>

  /// The track of the property at `keyPath`.
  ///
  /// The keyframes run one after another from the start of the timeline; without keyframes the property keeps its
  /// initial value. The key path must be sendable, as literals are, so that timelines are sendable.
  public init(
    _ keyPath: any WritableKeyPath<Root, Property> & Sendable,
    @KeyframeTrackContentBuilder<Property> content: () -> Content
  ) {
    var sequence = KeyframeSequence<Property>()
    content().append(to: &sequence)
    plan = PropertyPlan(keyPath: keyPath, keyframes: sequence.keyframes)
  }

  /// The track of the value as a whole.
  public init(@KeyframeTrackContentBuilder<Property> content: () -> Content) where Root == Property {
    self.init(\.self, content: content)
  }

  /// Adds this track to `tracks`.
  public func append(to tracks: inout KeyframeTracks<Root>) { tracks.plans.append(plan) }
}

extension KeyframeTrack: Sendable {}

/// The keyframes of the property at a key path.
struct PropertyPlan<Root, Property: Animatable>: TrackPlan {
  let keyPath: any WritableKeyPath<Root, Property> & Sendable
  let keyframes: [Keyframe<Property.AnimatableData>]

  func track(from root: Root, carrying carried: CarriedMotion<Root>) -> any ResolvedTrack<Root> {
    let path = KeyframePath(
      initialValue: root[keyPath: keyPath].animatableData, initialVelocity: velocity(of: carried, from: root),
      keyframes: keyframes)
    return PropertyTrack(keyPath: keyPath, path: path)
  }

  private func velocity(of carried: CarriedMotion<Root>, from root: Root) -> Property.AnimatableData {
    switch carried {
    case .none:
      return .zero
    case .velocity(let velocity):
      return velocity[keyPath: keyPath].animatableData
    case .timeline(let timeline, let time):
      // If two tracks animate one property, the later one shows.
      for track in timeline.tracks.reversed() {
        if let track = track as? PropertyTrack<Root, Property>, track.keyPath == keyPath {
          return track.path.velocity(at: time)
        }
        if track.isWhole || Property.self == Root.self { break }
      }
      // Tracks may also animate what the property is a part of, or parts of the property. What they leave alone stands.
      var velocity = root
      velocity[keyPath: keyPath].animatableData = .zero
      let rest = velocity[keyPath: keyPath].animatableData
      timeline.update(velocity: &velocity, time: time)
      return velocity[keyPath: keyPath].animatableData - rest
    }
  }
}
