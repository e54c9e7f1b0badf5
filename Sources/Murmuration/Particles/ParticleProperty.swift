// SPDX-License-Identifier: MIT

/// A property of ``Particles``, such as a position; ``Particles/addProperty(_:)`` makes one.
public struct ParticleProperty<Value: TrackValue>: Hashable, Sendable {
  let index: Int
  /// The number of the particles' store.
  let store: UInt32

  /// A start of the property of new particles: it stands still, or sets out at once.
  ///
  /// - Parameters:
  ///   - values: The values at the start, one for each particle.
  ///   - velocities: The velocities per second, one for each particle; empty for rest.
  ///   - goals: The goals, one for each particle; nil for the values: without velocities the particles stand still then.
  ///   - spring: The spring that leads to the goals.
  public func start(
    at values: [Value], velocities: [Value] = [], to goals: [Value]? = nil, _ spring: Spring = Spring()
  ) -> ParticleStart<Value> {
    let stands = goals == nil && velocities.isEmpty
    return ParticleStart(
      property: self, values: values, departure: stands ? nil : (velocities, goals ?? values, spring))
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
      return try values.withInput { values throws(BatchError) in try values.check("value") }
    }
    _ = try SpringCoefficients(checked: departure.spring, index: property.index)
    try lend(departure) { departures throws(BatchError) in try departures.check(count: count) }
  }

  /// Adds the particles to the property; there must be room.
  func add(to box: EngineBox, _ handles: inout MutableSpan<TrackHandle>) throws(BatchError) {
    guard let departure else {
      return try values.withInput { values throws(BatchError) in
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
    try values.withInput { values throws(BatchError) in
      try departure.velocities.withInput { velocities throws(BatchError) in
        try departure.goals.withInput { goals throws(BatchError) in
          try body(Departures(values: values, velocities: velocities.ifAny, goals: goals))
        }
      }
    }
  }
}

extension Array where Element: TrackValue {
  /// Lends the values of a type that has dimensions of its own.
  fileprivate func withInput<Result>(_ body: (InputValues) throws(BatchError) -> Result) throws(BatchError) -> Result {
    try withElements(of: 0) { values throws(BatchError) in
      try body(unsafe LentValues(values.elements).input(dimensions: Element.dimensions))
    }
  }
}

/// One property of all particles: `sparks[property]`.
public struct ParticleTracks<Value: TrackValue>: AnimatedTracks, ~Copyable {
  public var core: TrackCore<Value>
}
