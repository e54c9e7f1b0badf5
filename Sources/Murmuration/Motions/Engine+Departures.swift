// SPDX-License-Identifier: MIT
import Kernels

/// The values, velocities and goals of new tracks.
struct Departures {
  let values: InputValues
  /// Per second; nil for tracks at rest.
  let velocities: InputValues?
  let goals: InputValues

  /// Throws ``BatchError`` unless these are `count` tracks, with numbers that batches accept.
  func check(count: Int) throws(BatchError) {
    try BatchError.check(values.count, of: "values", expected: count)
    try BatchError.check(velocities?.count ?? count, of: "velocities", expected: count)
    try BatchError.check(goals.count, of: "goals", expected: count)
    try values.check("value")
    try velocities?.check("velocity")
    try goals.check("goal")
  }
}

// Adding tracks that move from the start: one call in place of three, which changes nothing if it throws.
extension Engine {
  /// Adds tracks that follow one spring, and writes their handles.
  ///
  /// - Throws: ``BatchError``; nothing is added or written then.
  mutating func add(
    _ departures: Departures, _ spring: Spring, handles: inout MutableSpan<TrackHandle>
  ) throws(BatchError) {
    let coefficients = try SpringCoefficients(checked: spring)
    try departures.check(count: handles.count)
    try reserve(handles.count, for: .springs)
    let change = nextChange()
    var index = 0
    while index < handles.count {
      if handles.count - index >= laneCountOfTile, tracks.isDense {
        let tile = springs.takeTile(&tracks)
        tracks.tiles.setMoving(tile: tile)
        tracks.stand(tile: tile, departures.values, from: index)
        for lane in 0..<laneCountOfTile {
          let row = tile * laneCountOfTile + lane
          handles[index + lane] = admit(row)
          tracks.columns.change[row] = change
          if let velocities = departures.velocities { setVelocity(row, velocities, index + lane) }
        }
        springs.begin(
          tile..<tile + 1, springs.latest.start(coefficients), keepsSpring: false, at: time, departures.goals,
          from: index)
        index += laneCountOfTile
      } else {
        let row = takeRow(.spring)
        handles[index] = admit(row, departures, index)
        setOut(row, coefficients, at: time, change) { departures.goals[index, $0] }
        index += 1
      }
    }
    record(departures, [spring])
  }

  /// Adds tracks that follow a spring each, and writes their handles.
  ///
  /// - Throws: ``BatchError``; nothing is added or written then.
  mutating func add(
    _ departures: Departures, springs: Span<Spring>, handles: inout MutableSpan<TrackHandle>
  ) throws(BatchError) {
    try SpringCoefficients.convert(springs, to: &coefficients)
    let list = coefficients
    try BatchError.check(springs.count, of: "springs", expected: handles.count)
    try departures.check(count: handles.count)
    try reserve(handles.count, for: .springs)
    let change = nextChange()
    for index in handles.indices {
      let row = takeRow(.spring)
      handles[index] = admit(row, departures, index)
      setOut(row, list[index], at: time, change) { departures.goals[index, $0] }
    }
    record(departures, springs.indices.map { springs[$0] })
  }

  private func record(_ departures: Departures, _ springs: @autoclosure () -> [Spring]) {
    record {
      BatchCall(
        .addMoving, values: $0.numbers(departures.values), velocities: $0.numbers(departures.velocities),
        goals: $0.numbers(departures.goals), springs: springs())
    }
  }

  /// Gives a row that was taken to a new track, which shows its value and velocity.
  private mutating func admit(_ row: Int, _ departures: Departures, _ index: Int) -> TrackHandle {
    tracks.stand(row) { departures.values[index, $0] }
    let handle = admit(row)
    if let velocities = departures.velocities { setVelocity(row, velocities, index) }
    return handle
  }
}
