// SPDX-License-Identifier: MIT

// How the arguments of calls reach the engine: as tracks that it understands, and numbers in memory of the caller.
extension MovingTracks where Self: ~Copyable {
  /// Lends the tracks of a call.
  func lend<Result>(
    _ tracks: some TrackSelection & ~Escapable, _ body: (LentEngine, SelectedTracks) throws(BatchError) -> Result
  ) throws(BatchError) -> Result {
    let lent = core.lent
    return try tracks.withNames { named throws(BatchError) in try body(lent, named.tracks) }
  }

  /// Lends the tracks of a call, and what is said of each.
  func lend<Element, Result>(
    _ tracks: some TrackSelection & ~Escapable, each elements: some PerTrack<Element> & ~Escapable,
    _ body: (LentEngine, SelectedTracks, LentElements<Element>) throws(BatchError) -> Result
  ) throws(BatchError) -> Result {
    try lend(tracks) { lent, tracks throws(BatchError) in
      let count = try lent.count(of: tracks)
      return try elements.withElements(of: count) { elements throws(BatchError) in
        try body(lent, tracks, elements)
      }
    }
  }
}

extension AnimatedTracks where Self: ~Copyable {
  /// Lends the tracks of a call, and one value for all of them.
  func lend<Result>(
    _ tracks: some TrackSelection & ~Escapable, _ value: Value,
    _ body: (LentEngine, SelectedTracks, InputValues) throws(BatchError) -> Result
  ) throws(BatchError) -> Result {
    try lend(tracks) { lent, tracks throws(BatchError) in
      try unsafe withUnsafePointer(to: value) { value throws(BatchError) in
        let count = try lent.count(of: tracks)
        let one = unsafe LentValues(forAll: value).input(dimensions: lent.dimensions)
        return try body(lent, tracks, one.repeated(count))
      }
    }
  }

  /// Lends the tracks of a call, and a value for each.
  func lend<Result>(
    _ tracks: some TrackSelection & ~Escapable, _ values: some PerTrack<Value> & ~Escapable,
    _ body: (LentEngine, SelectedTracks, InputValues) throws(BatchError) -> Result
  ) throws(BatchError) -> Result {
    try lend(tracks, each: values) { lent, tracks, values throws(BatchError) in
      try body(lent, tracks, input(values))
    }
  }

  /// Lends the tracks of a call, and their numbers in columns.
  func lend<Result>(
    _ tracks: some TrackSelection & ~Escapable, planar numbers: some PerTrack<Float> & ~Escapable,
    _ layout: ColumnLayout,
    _ body: (LentEngine, SelectedTracks, InputValues) throws(BatchError) -> Result
  ) throws(BatchError) -> Result {
    try lend(tracks, each: numbers) { lent, tracks, numbers throws(BatchError) in
      let count = try lent.count(of: tracks)
      let values = try unsafe layout.input(numbers.elements, dimensions: lent.dimensions, atMost: count)
      return try body(lent, tracks, values)
    }
  }

  /// The values of a list.
  func input(_ values: LentElements<Value>) -> InputValues {
    unsafe LentValues(values.elements).input(dimensions: dimensions)
  }

  /// Lends values; nil if they are left out.
  func lend<Values: PerTrack<Value> & ~Escapable, Result>(
    _ values: Values?, _ body: (InputValues?) throws(BatchError) -> Result
  ) throws(BatchError) -> Result {
    guard let values else { return try body(nil) }
    return try values.withElements(of: 0) { values throws(BatchError) in
      try body(input(values))
    }
  }

  /// Lends one value; nil if it is left out.
  func lend<Result>(
    _ value: Value?, _ body: (InputValues?) throws(BatchError) -> Result
  ) throws(BatchError) -> Result {
    guard let value else { return try body(nil) }
    return try unsafe withUnsafePointer(to: value) { value throws(BatchError) in
      try body(unsafe LentValues(forAll: value).input(dimensions: dimensions))
    }
  }

  /// Lends numbers in columns; nil if they are left out.
  func lend<Numbers: PerTrack<Float> & ~Escapable, Result>(
    planar numbers: Numbers?, _ layout: ColumnLayout, atMost limit: Int = .max,
    _ body: (InputValues?) throws(BatchError) -> Result
  ) throws(BatchError) -> Result {
    guard let numbers else { return try body(nil) }
    return try numbers.withElements(of: 0) { numbers throws(BatchError) in
      try body(unsafe layout.input(numbers.elements, dimensions: dimensions, atMost: limit))
    }
  }
}

extension AnimationBatch {
  /// Lends the numbers and springs of new tracks.
  @inlinable
  func lend<Values: PerTrack<Value> & ~Escapable, Result>(
    _ values: Values, _ velocities: Values?, to goals: Values?, _ spring: Spring,
    _ springs: some PerTrack<Spring> & ~Escapable, _ body: (LentDepartures) throws(BatchError) -> Result
  ) throws(BatchError) -> Result {
    try values.withElements(of: 0) { values throws(BatchError) in
      try lendIfAny(velocities) { velocities throws(BatchError) in
        try lendIfAny(goals) { goals throws(BatchError) in
          try springs.withElements(of: unsafe values.elements.count) { springs throws(BatchError) in
            try unsafe withUnsafePointer(to: spring) { spring throws(BatchError) in
              let one = unsafe UnsafeBufferPointer(start: spring, count: 1)
              return try body(
                unsafe LentDepartures(
                  values: LentValues(values.elements), velocities: velocities, goals: goals,
                  springs: springs.areGiven ? springs.elements : one, isOneSpring: !springs.areGiven))
            }
          }
        }
      }
    }
  }

  /// Lends values, as calls about many tracks take them; nil if they are left out.
  @inlinable
  func lendIfAny<Values: PerTrack<Value> & ~Escapable, Result>(
    _ values: Values?, _ body: (LentValues?) throws(BatchError) -> Result
  ) throws(BatchError) -> Result {
    guard let values else { return try body(nil) }
    return try values.withElements(of: 0) { values throws(BatchError) in try body(unsafe LentValues(values.elements)) }
  }

  /// Lends the numbers, in columns, and the springs of new tracks.
  func lend<Numbers: PerTrack<Float> & ~Escapable, Result>(
    planar values: Numbers, _ velocities: Numbers?, to goals: Numbers?, _ layout: ColumnLayout, _ spring: Spring,
    _ springs: some PerTrack<Spring> & ~Escapable,
    _ body: (Departures, LentElements<Spring>) throws(BatchError) -> Result
  ) throws(BatchError) -> Result {
    try values.withElements(of: 0) { values throws(BatchError) in
      let values = try unsafe layout.input(values.elements, dimensions: dimensions)
      return try lend(planar: velocities, layout, atMost: values.count) { velocities throws(BatchError) in
        try lend(planar: goals, layout, atMost: values.count) { goals throws(BatchError) in
          let departures = Departures(values: values, velocities: velocities?.ifAny, goals: goals)
          return try lend(departures, spring, springs, body)
        }
      }
    }
  }

  private func lend<Result>(
    _ departures: Departures, _ spring: Spring, _ springs: some PerTrack<Spring> & ~Escapable,
    _ body: (Departures, LentElements<Spring>) throws(BatchError) -> Result
  ) throws(BatchError) -> Result {
    try springs.withElements(of: departures.values.count) { springs throws(BatchError) in
      if springs.areGiven { return try body(departures, springs) }
      return try lendForAll(spring) { spring throws(BatchError) in try body(departures, spring) }
    }
  }
}

extension LentEngine {
  /// Makes a call that gives a change, and watches for its end if that is to be told.
  func change(
    _ tracks: SelectedTracks, _ completion: CompletionCriteria?,
    _ call: (inout Engine) throws(BatchError) -> UInt32
  ) throws(BatchError) -> ChangeID {
    ChangeID(rawValue: try engine.watching(tracks, until: completion, call))
  }
}

extension LentValues {
  /// One value for each track.
  @inlinable
  init<Value: TrackValue>(_ values: UnsafeBufferPointer<Value>) {
    unsafe self.init(
      UnsafeRawPointer(values.baseAddress), count: values.count, stride: MemoryLayout<Value>.stride / 4,
      areLists: Value.self == Components.self)
  }

  /// One value for all tracks.
  @inlinable
  init<Value: TrackValue>(forAll value: UnsafePointer<Value>) {
    unsafe self.init(UnsafeRawPointer(value), count: 1, stride: 0, areLists: Value.self == Components.self)
  }
}
