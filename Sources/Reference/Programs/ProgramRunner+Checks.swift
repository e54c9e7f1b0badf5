// SPDX-License-Identifier: MIT
import Murmuration

// The comparisons after each operation.
extension ProgramRunner where Subject: ~Copyable {
  private func describe(_ position: Int) -> String {
    let track = list[position]
    return "track \(position) (index \(track.handle.index), \(track.track.summary(at: batch.time))"
      + "\(track.isAtRest ? ", at rest" : ""))"
  }

  /// Takes one comparison of a track into account.
  mutating func record(_ aspect: Aspect, _ error: Double, _ position: Int, _ what: @autoclosure () -> String) throws {
    let text = findings.isWorst(aspect, error) ? "\(describe(position)): \(what())" : ""
    try findings.record(aspect, error, text)
  }

  /// Takes one comparison of a track into account that either holds or does not.
  mutating func expect(_ aspect: Aspect, _ holds: Bool, _ position: Int, _ what: @autoclosure () -> String) throws {
    try record(aspect, holds ? 0 : .infinity, position, what())
  }

  /// Compares everything after an advance.
  mutating func checkFrame(_ look: Look, hasMoved: Bool) throws {
    try checkReports(hasMoved: hasMoved)
    try checkMembership()
    let readsVelocities = look.readsVelocities || batch.computesVelocities
    try readColumns(velocities: readsVelocities)
    for position in list.tracks.indices {
      try checkTrack(position, readsVelocities: readsVelocities, hasMoved: hasMoved)
    }
    if look.asksRestTimes {
      for position in list.tracks.indices {
        try askRest(position, hasMoved: hasMoved)
      }
    }
  }

  /// Compares the state that a call must leave alone: the live tracks, and their values.
  mutating func checkNothingChanged() throws {
    try checkMembership()
    try readColumns(velocities: batch.computesVelocities)
    for position in list.tracks.indices {
      let shown = column(values, of: list[position].handle.index)
      if shown != list[position].shown, list[position].track.isJoined(at: batch.time) {
        // A frame at the moment of the call evaluates the sum for the first time.
        list[position].shown = shown
        try compare(position, shown, nil)
      } else {
        try expect(.state, shown == list[position].shown, position, "shows \(shown) all of a sudden")
      }
    }
  }

  // MARK: - Live tracks

  private mutating func checkMembership() throws {
    let (got, expected) = (batch.count, list.tracks.count)
    try findings.expect(.state, got == expected, "the batch counts \(got) tracks, not \(expected)")
    for index in 0..<batch.indexCount {
      let expected = list.position(ofIndex: index).map { list[$0].handle }
      let got = batch.handle(atIndex: index)
      guard got == expected else {
        throw Difference(
          aspect: .state, text: "index \(index) has \(String(describing: got)), not \(String(describing: expected))")
      }
    }
    for track in list.tracks {
      let row = try batch.rowIndex(of: track.handle)
      guard batch.contains(track.handle), batch.handle(atRow: row) == track.handle else {
        throw Difference(aspect: .state, text: "index \(track.handle.index) is not in its row \(row)")
      }
    }
    for handle in list.deadHandles where batch.contains(handle) {
      throw Difference(aspect: .state, text: "the handle of index \(handle.index) is good though its track is gone")
    }
  }

  // MARK: - Values and velocities

  private mutating func readColumns(velocities readsVelocities: Bool) throws {
    for dimension in 0..<dimensions {
      if values[dimension].count < batch.indexCount {
        values[dimension] = Array(repeating: 0, count: 2 * batch.indexCount)
        velocities[dimension] = values[dimension]
      }
      var span = values[dimension].mutableSpan
      try batch.copyValues(dimension: dimension, into: &span)
    }
    guard readsVelocities else {
      return
    }
    for dimension in 0..<dimensions {
      var span = velocities[dimension].mutableSpan
      try batch.copyVelocities(dimension: dimension, into: &span)
    }
  }

  private func column(_ columns: [[Float]], of index: Int) -> [Float] { columns.map { $0[index] } }

  private mutating func checkTrack(_ position: Int, readsVelocities: Bool, hasMoved: Bool) throws {
    let handle = list[position].handle
    let value = column(values, of: handle.index)
    let velocity = readsVelocities ? column(velocities, of: handle.index) : nil
    let single = try batch.shownValue(of: handle)
    try expect(.state, value == single, position, "\(value) by index, \(single) by handle")
    if let velocity {
      let single = try batch.shownVelocity(of: handle)
      try expect(.state, velocity == single, position, "velocity \(velocity) by index, \(single) by handle")
    }
    if hasMoved, let rests = try batch.rests(handle) {
      // A new tolerance counts from the next frame on.
      (list[position].isAtRest, list[position].wasLookedAt) = (rests, true)
    }
    list[position].shown = value
    try compare(position, value, velocity)
    if hasMoved {
      try checkPunctuality(position)
    }
  }

  /// Compares a track's value and velocity with its motion.
  mutating func compare(_ position: Int, _ value: [Float], _ velocity: [Float]?) throws {
    let track = list[position].track
    if list[position].isAtRest {
      try expect(.value, value == track.target, position, "shows \(value), not its target")
      try expect(.velocity, velocity?.allSatisfy { $0 == 0 } ?? true, position, "has a velocity of \(velocity ?? [])")
      return
    }
    // A paused track keeps showing the same.
    if case .sum(let sum) = track.motion, !track.isPaused {
      let evaluation = try batch.evaluation(of: list[position].handle)
      if sum.evaluation != evaluation { list[position].track.evaluateSums(as: evaluation) }
    }
    let moves = Subject.tellsRest && list[position].wasLookedAt
    let excess = list[position].track.excess(values: value, velocities: velocity, at: batch.time, moves: moves)
    try record(.value, excess.value, position, "shows \(value), \(excess.value) of the bound off")
    if let velocity {
      try record(.velocity, excess.velocity, position, "has velocity \(velocity), \(excess.velocity) of the bound off")
    }
  }
}
