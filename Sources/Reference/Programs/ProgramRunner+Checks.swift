// SPDX-License-Identifier: MIT
import Murmuration

// What is compared after each operation.
extension ProgramRunner {
  private func describe(_ place: Int) -> String {
    let track = model[place]
    return "track \(place) (index \(track.handle.index), \(track.spring.text), from \(track.from.text(dimensions)) "
      + "velocity \(track.velocity.text(dimensions)) to \(track.target.text(dimensions)), "
      + "age \(batch.time - track.start) s\(track.isAtRest ? ", at rest" : ""))"
  }

  /// Takes a comparison of one track into account.
  mutating func record(_ aspect: Aspect, _ error: Double, _ place: Int, _ what: @autoclosure () -> String) throws {
    let text = findings.isWorst(aspect, error) ? "\(describe(place)): \(what())" : ""
    try findings.record(aspect, error, text)
  }

  /// Takes a comparison of one track into account that either holds or does not.
  mutating func expect(_ aspect: Aspect, _ holds: Bool, _ place: Int, _ what: @autoclosure () -> String) throws {
    try record(aspect, holds ? 0 : .infinity, place, what())
  }

  /// Compares everything after an advance.
  mutating func checkFrame(_ look: Look, hasMoved: Bool) throws {
    try checkReports(hasMoved: hasMoved)
    try checkMembership()
    let readsVelocities = look.readsVelocities || batch.computesVelocities
    try readColumns(velocities: readsVelocities)
    for place in model.tracks.indices {
      try checkTrack(place, readsVelocities: readsVelocities, hasMoved: hasMoved)
    }
    if look.asksRestTimes {
      for place in model.tracks.indices {
        try askRestTime(place, hasMoved: hasMoved)
      }
    }
  }

  /// Compares what a call must leave alone: who lives, and what they show.
  mutating func checkNothingChanged() throws {
    try checkMembership()
    try readColumns(velocities: batch.computesVelocities)
    for place in model.tracks.indices {
      let shown = column(values, of: model[place].handle.index)
      try expect(.state, shown == model[place].shown, place, "shows \(shown) all of a sudden")
    }
  }

  // MARK: - Who lives

  private mutating func checkMembership() throws {
    let (got, expected) = (batch.count, model.tracks.count)
    try findings.expect(.state, got == expected, "the batch counts \(got) tracks, not \(expected)")
    for index in 0..<batch.indexCount {
      let expected = model.place(ofIndex: index).map { model[$0].handle }
      let got = batch.handle(atIndex: index)
      guard got == expected else {
        throw Difference(
          aspect: .state, text: "index \(index) has \(String(describing: got)), not \(String(describing: expected))")
      }
    }
    for track in model.tracks {
      let row = try batch.rowIndex(of: track.handle)
      guard batch.contains(track.handle), batch.handle(atRow: row) == track.handle else {
        throw Difference(aspect: .state, text: "index \(track.handle.index) is not in its row \(row)")
      }
    }
    for handle in model.deadHandles where batch.contains(handle) {
      throw Difference(aspect: .state, text: "the handle of index \(handle.index) is good though its track is gone")
    }
  }

  // MARK: - What they show

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

  private func column(_ columns: [[Float]], of index: Int) -> Vector {
    var vector = Vector.zero
    for dimension in 0..<dimensions {
      vector[dimension] = columns[dimension][index]
    }
    return vector
  }

  private mutating func checkTrack(_ place: Int, readsVelocities: Bool, hasMoved: Bool) throws {
    let handle = model[place].handle
    let value = column(values, of: handle.index)
    let velocity = readsVelocities ? column(velocities, of: handle.index) : nil
    let single = try batch.shownValue(of: handle)
    try expect(.state, value == single, place, "\(value) by index, \(single) by handle")
    if let velocity {
      let single = try batch.shownVelocity(of: handle)
      try expect(.state, velocity == single, place, "velocity \(velocity) by index, \(single) by handle")
    }
    if hasMoved {
      // A new tolerance counts from the next frame on.
      model[place].isAtRest = try batch.isAtRest(handle)
    }
    model[place].shown = value
    try compare(place, value, velocity)
    if hasMoved {
      try checkPunctuality(place)
    }
  }

  /// Compares what a track shows with its motion.
  mutating func compare(_ place: Int, _ value: Vector, _ velocity: Vector?) throws {
    let track = model[place]
    let time = batch.time
    if track.isAtRest {
      try expect(.value, value == track.target, place, "shows \(value), not its target")
      try expect(.velocity, velocity ?? .zero == .zero, place, "has a velocity of \(velocity ?? .zero)")
    } else {
      let excess = track.excess(value: value, velocity: velocity, at: time)
      try record(.value, excess.value, place, "shows \(value), \(excess.value) of the bound off")
      if let velocity {
        try record(.velocity, excess.velocity, place, "has velocity \(velocity), \(excess.velocity) of the bound off")
      }
    }
  }
}
