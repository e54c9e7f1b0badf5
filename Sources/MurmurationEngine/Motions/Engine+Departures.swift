// SPDX-License-Identifier: MIT
import Kernels

/// The values, velocities and goals of new tracks.
package struct Departures {
  package let values: InputValues
  /// Per second; nil for tracks at rest.
  let velocities: InputValues?
  /// The values for tracks that have no others.
  let goals: InputValues
  /// Whether they only stand.
  let stand: Bool

  package init(values: InputValues, velocities: InputValues?, goals: InputValues?) {
    (self.values, self.velocities, self.goals) = (values, velocities, goals ?? values)
    stand = goals == nil && velocities == nil
  }

  /// Throws ``BatchError`` unless these are `count` tracks, with numbers that batches accept.
  package func check(count: Int) throws(BatchError) {
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
  /// Adds tracks that follow springs, or stand, and writes their handles.
  ///
  /// - Parameter springs: One for all, or one for each.
  /// - Throws: ``BatchError``; nothing is added or written then.
  package mutating func add(
    _ departures: Departures, springs: Span<Spring>, handles: inout MutableSpan<TrackHandle>
  ) throws(BatchError) {
    if departures.stand { return try add(departures.values, handles: &handles) }
    try coefficients.set(springs, table)
    let list = coefficients
    try departures.check(count: handles.count)
    try reserve(handles.count, for: .springs)
    let (change, isShared) = (nextChange(), springs.count == 1)
    var (position, ahead) = (0, tracks.indices.next)
    for _ in 0..<laneCountOfTile { prefetch(after: &ahead) }
    while position < handles.count {
      if isShared, handles.count - position >= laneCountOfTile, tracks.indices.nextAreTile {
        let tile = self.springs.takeTile(&tracks)
        tracks.tiles.setMoving(tile: tile)
        tracks.stand(tile: tile, departures.values, from: position)
        admit(tile: tile, to: &handles, at: position)
        (tracks.columns.change + tile * laneCountOfTile).update(repeating: change, count: laneCountOfTile)
        if let velocities = departures.velocities {
          for lane in 0..<laneCountOfTile { setVelocity(tile * laneCountOfTile + lane, velocities, position + lane) }
        }
        let start = self.springs.latest.start(list[0])
        self.springs.begin(
          tile..<tile + 1, start, keepsSpring: false, at: time, departures.goals, from: position, tracks)
        position += laneCountOfTile
      } else {
        prefetch(after: &ahead)
        let index = self.springs.takeIndex(&tracks, moves: true)
        handles[position] = admit(index, departures, position)
        setOut(index, list[isShared ? 0 : position], at: time, change) { departures.goals[position, $0] }
        position += 1
      }
    }
    record {
      BatchCall(
        .addMoving, values: $0.numbers(departures.values), velocities: $0.numbers(departures.velocities),
        goals: $0.numbers(departures.goals), springs: $0.list(springs))
    }
  }

  /// Prefetches the lines of the free index after another one: free indices are anywhere.
  private func prefetch(after index: inout Int) {
    guard let next = tracks.indices.free(after: index) else { return }
    index = next
    tracks.prefetchState(next)
    springs.prefetchStart(next)
  }

  /// Gives an index that was taken to a new track, which shows its value and velocity.
  private mutating func admit(_ index: Int, _ departures: Departures, _ position: Int) -> TrackHandle {
    tracks.stand(index) { departures.values[position, $0] }
    let handle = admit(index)
    if let velocities = departures.velocities { setVelocity(index, velocities, position) }
    return handle
  }
}
