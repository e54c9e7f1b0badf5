// SPDX-License-Identifier: MIT

/// A property of ``Particles``, such as a position; ``Particles/addProperty(_:)`` makes one.
public struct ParticleProperty<Value: TrackValue>: Hashable, Sendable {
  let index: Int
  /// The number of the particles' store.
  let store: UInt32

  /// A start at which the property of new particles stands still.
  ///
  /// - Parameter values: The values, one for each particle.
  public func start(at values: [Value]) -> ParticleStart<Value> {
    ParticleStart(property: self, values: values, departure: nil)
  }

  /// A start at which the property of new particles sets out at once.
  ///
  /// - Parameters:
  ///   - values: The values at the start, one for each particle.
  ///   - velocities: The velocities per second, one for each particle; empty for rest.
  ///   - goals: The goals, one for each particle.
  ///   - spring: The spring that leads to the goals.
  public func start(
    at values: [Value], velocities: [Value] = [], to goals: [Value], _ spring: Spring
  ) -> ParticleStart<Value> {
    ParticleStart(property: self, values: values, departure: (velocities, goals, spring))
  }
}

/// How one property of new particles starts: see ``Particles/add(_:handles:)``.
public struct ParticleStart<Value: TrackValue>: Sendable {
  let property: ParticleProperty<Value>
  let values: [Value]
  /// The motion that it sets out with; nil if it stands.
  let departure: (velocities: [Value], goals: [Value], spring: Spring)?

  /// Throws ``BatchError`` unless there are `count` values, and batches accept them.
  func check(count: Int) throws(BatchError) {
    guard let departure else {
      guard values.count == count else { throw .wrongCount(of: "values", expected: count, got: values.count) }
      return try values.withInput(Value.dimensions) { values throws(BatchError) in try values.check("value") }
    }
    _ = try SpringCoefficients(checked: departure.spring, index: property.index)
    try lend(departure) { departures throws(BatchError) in try departures.check(count: count) }
  }

  /// Adds the particles to the property; there must be room.
  func add(to box: EngineBox, _ handles: inout MutableSpan<TrackHandle>) throws(BatchError) {
    guard let departure else {
      return try values.withInput(Value.dimensions) { values throws(BatchError) in
        try box.engine.add(values, handles: &handles)
      }
    }
    try lend(departure) { departures throws(BatchError) in
      try departure.spring.withList { springs throws(BatchError) in
        try box.engine.add(departures, springs: springs, handles: &handles)
      }
    }
  }

  private func lend(
    _ departure: (velocities: [Value], goals: [Value], spring: Spring),
    _ body: (Departures) throws(BatchError) -> Void
  ) throws(BatchError) {
    try Departures.lend(
      values, velocities: departure.velocities, to: departure.goals, dimensions: Value.dimensions, body)
  }
}

/// One property of all particles: `sparks[property]`.
public struct ParticleTracks<Value: TrackValue>: AnimatedTracks, ~Copyable {
  public var core: TrackCore<Value>
}
