// SPDX-License-Identifier: MIT
import Kernels

/// The springs that a call gives tracks.
enum GivenSprings {
  /// Each track keeps its own. Tracks that follow none get the usual one.
  case own
  /// One for all.
  case one(SpringCoefficients)
  /// One for each goal: those of ``Engine/coefficients`` from a position on.
  case each(from: Int)

  /// The springs of the goals from a position on.
  func from(_ position: Int) -> GivenSprings {
    if case .each(let first) = self { .each(from: first + position) } else { self }
  }
}

// Calls that make tracks follow springs. Each track gets its spring and its start; where one call gives both to all lanes
// of a tile, kernels compute the factors of these lanes once, and no bit shows it.
extension Engine {
  // MARK: - One track

  /// The velocity that the next motion of a track takes over: the one that it has, or that it takes up again after its pause.
  @inline(__always)
  func ownVelocity(_ index: Int, _ dimension: Int) -> Float {
    guard valueBeforeCurve(index, dimension) == nil else { return 0 }
    return pausedVelocity(index, dimension) ?? tracks.columns.velocity[tracks.element(index, dimension)]
  }

  /// The velocity that a track takes up again after its pause; nil if it is not paused, or plays a clip.
  package func pausedVelocity(_ index: Int, _ dimension: Int) -> Float? {
    guard tracks.tiles.kind(at: index) == .still, pauses.contains(index) else { return nil }
    return pauses.velocity(index, dimension)
  }

  /// The spring that a track goes on with towards another target: its own, the critically damped one that decays as fast
  /// as a deceleration, or SwiftUI's usual one if it follows none.
  func coefficientsToKeep(at index: Int) -> SpringCoefficients {
    tracks.tiles.kind(at: index) == .spring
      ? springs.coefficients(at: index).toAnyTarget : SpringCoefficients(accepted: Spring())
  }

  /// The spring that a call gives a track, whose goal has a position in the call.
  @inline(__always)
  func coefficients(_ given: GivenSprings, _ index: Int, _ position: Int) -> SpringCoefficients {
    switch given {
    case .own: coefficientsToKeep(at: index)
    case .one(let spring): spring
    case .each(let first): coefficients[first + position]
    }
  }

  /// Starts a track towards a target with a spring.
  mutating func setOut(
    _ index: Int, _ coefficients: SpringCoefficients, at start: Double, _ change: UInt32, target: (Int) -> Float
  ) {
    if tracks.tiles.led[TileStore.tile(index)] & TileStore.bit(index) != 0 { curves.leave(index, &tracks) }
    if tracks.tiles.keeps(index) { endKept(index) }
    tracks.tiles.setMoving(index, true)
    springs.begin(index, coefficients, at: start, tracks, target: target)
    putTargetUnder(index)
    tracks.columns.change[index] = change
    velocities.mark(index)
  }

  /// Puts a track at a value, nil for its own, with a velocity.
  private mutating func put(
    _ index: Int, _ value: InputValues?, _ velocity: InputValues?, _ position: Int, goesOn: Bool, _ change: UInt32
  ) {
    let isStill = !goesOn || tracks.tiles.kind(at: index) != .spring
    for dimension in 0..<dimensions {
      let element = tracks.element(index, dimension)
      if let value { tracks.columns.value[element] = value[position, dimension] + 0 }
      tracks.columns.velocity[element] = velocity?[position, dimension] ?? 0
      if isStill { tracks.columns.target[element] = tracks.columns.value[element] + 0 }
    }
    velocities.mark(index)
    if tracks.tiles.kind(at: index) == .following {
      follows.wake(index)
    } else if isStill {
      stand(index)
      if let velocity, !(0..<dimensions).allSatisfy({ velocity[position, $0] == 0 }) { keep(index) }
    } else {
      let columns = tracks.columns
      return setOut(index, springs.coefficients(at: index).toAnyTarget, at: time, change) {
        columns.target[$0 * columns.dimensionStride + index]
      }
    }
    tracks.columns.change[index] = change
  }

  mutating func setVelocity(_ index: Int, _ velocity: InputValues, _ position: Int) {
    for dimension in 0..<dimensions {
      tracks.columns.velocity[tracks.element(index, dimension)] = velocity[position, dimension]
    }
    velocities.mark(index)
  }

  /// The value of a dimension at which a track ends that slides with a velocity.
  @inline(__always)
  package func projectedEnd(
    _ index: Int, _ dimension: Int, _ velocity: Float, _ coefficients: SpringCoefficients
  ) -> Float {
    let value = valueBeforeCurve(index, dimension) ?? tracks.columns.value[tracks.element(index, dimension)]
    return Float(Double(value) + Double(velocity) / coefficients.κ)
  }

  // MARK: - Many tracks

  /// Sends the picked tracks to goals with springs.
  mutating func animatePicked(_ goals: InputValues, _ given: GivenSprings) -> UInt32 {
    dropUnchanged(goals)
    endMotionsOfPicked()
    let change = nextChange()
    if case .own = given, follows.count > 0 { setGoalsOfPicked(goals) }
    restartPicked(goals, given, change)
    return change
  }

  /// Puts tracks at values with velocities, nil for 0. Tracks that follow go on.
  ///
  /// - Parameter goesOn: Whether tracks that follow springs go on to their targets too. All other tracks stay at their
  ///   values.
  package mutating func put(
    _ tracks: SelectedTracks, _ values: InputValues, _ velocities: InputValues?, goesOn: Bool
  ) throws(BatchError) -> UInt32 {
    if let velocities { try check(velocities, for: tracks, ("velocity", "velocities")) }
    try check(values, for: tracks, ("value", "values"))
    try pick(tracks)
    endMotionsOfPicked()
    let change = nextChange()
    forEachPick {
      $0.put(tileFrom: $1, values, velocities, goesOn: goesOn, change)
    } one: {
      $0.put($0.picks[$1].index, values, velocities, $1, goesOn: goesOn, change)
    }
    record {
      let numbers = $0.numbers(values)
      let given = velocities.map($0.numbers) ?? [Float](repeating: 0, count: numbers.count)
      return BatchCall(goesOn ? .displace : .set, $0.names(tracks), values: numbers, velocities: given)
    }
    return change
  }

  /// Adds to the velocities of tracks, which go on from their values as if they were put there.
  ///
  /// - Parameter velocities: One for each track.
  package mutating func push(_ tracks: SelectedTracks, by velocities: InputValues) throws(BatchError) -> UInt32 {
    try check(velocities, for: tracks, ("velocity", "velocities"))
    try pick(tracks)
    let sums = ofPicked { index, dimension, position in velocities[position, dimension] + ownVelocity(index, dimension)
    }
    try BatchLimits.check(sums.span, of: "component of the velocities")
    endMotionsOfPicked()
    let change = nextChange()
    withPlanes(sums) { engine, sums in
      for position in 0..<engine.picks.count where !engine.picks[position].isDropped {
        engine.put(engine.picks[position].index, nil, sums, position, goesOn: true, change)
      }
    }
    record { BatchCall(.push, $0.names(tracks), velocities: $0.numbers(velocities)) }
    return change
  }

  /// A number of each dimension of each picked track, in columns.
  @inline(__always)
  private func ofPicked(_ number: (_ index: Int, _ dimension: Int, _ position: Int) -> Float) -> [Float] {
    var numbers = [Float](repeating: 0, count: picks.count * dimensions)
    for position in 0..<picks.count where !picks[position].isDropped {
      for dimension in 0..<dimensions {
        numbers[dimension * picks.count + position] = number(picks[position].index, dimension, position)
      }
    }
    return numbers
  }

  /// Lends numbers of the picked tracks, in columns.
  private mutating func withPlanes(_ numbers: [Float], _ body: (inout Engine, InputValues) -> Void) {
    unsafe numbers.withUnsafeBufferPointer { memory in
      guard let start = memory.baseAddress else { return }
      body(
        &self,
        unsafe InputValues(
          start, count: picks.count, dimensions: dimensions, componentStride: picks.count, trackStride: 1))
    }
  }

  /// Puts the tracks of a full tile at values, at rest, if the picks from a position on fill one in order, and
  /// their motions can be ended together.
  ///
  /// - Returns: Whether that is so.
  private mutating func put(
    tileFrom position: Int, _ values: InputValues, _ velocities: InputValues?, goesOn: Bool, _ change: UInt32
  ) -> Bool {
    guard let tile = picks.tileFilled(from: position, tracks), tracks.tiles.following[tile] == 0,
      !goesOn || tracks.tiles.moving[tile] == 0,
      (0..<dimensions).allSatisfy({ dimension in
        (position..<position + laneCountOfTile).allSatisfy { velocities?[$0, dimension] ?? 0 == 0 }
      })
    else { return false }
    stand(tile: tile)
    tracks.stand(tile: tile, values, from: position)
    (tracks.columns.change + tile * laneCountOfTile).update(repeating: change, count: laneCountOfTile)
    self.velocities.mark(.max, of: tile)
    return true
  }

  /// Lets tracks slide from their values, ever more slowly, to their projected ends.
  ///
  /// - Parameters:
  ///   - velocities: At the start, one for each track; nil for the velocities of the tracks.
  ///   - bounds: The bounds that they do not leave, and the points at which they end; nil for none.
  package mutating func decelerate(
    _ tracks: SelectedTracks, _ velocities: InputValues?, by deceleration: Deceleration,
    within bounds: SlideBounds? = nil
  ) throws(BatchError) -> UInt32 {
    var motion = try SpringCoefficients(checked: deceleration)
    let spring = try bounds?.check(dimensions: dimensions)
    if let velocities { try check(velocities, for: tracks, ("velocity", "velocities")) }
    try pick(tracks)
    var ends = ofPicked { index, dimension, position in
      projectedEnd(index, dimension, velocities?[position, dimension] ?? ownVelocity(index, dimension), motion)
    }
    try BatchLimits.check(ends.span, of: "component of the projected ends")
    if let bounds, let spring, let points = bounds.points {
      for position in 0..<picks.count where !picks[position].isDropped {
        bounds.snap(&ends, position, stride: picks.count, to: points)
      }
      try BatchLimits.check(ends.span, of: "component of the snap points")
      motion = spring
    }
    endMotionsOfPicked()
    if let velocities {
      for position in 0..<picks.count where !picks[position].isDropped {
        setVelocity(picks[position].index, velocities, position)
      }
    }
    let change = nextChange()
    if let bounds, bounds.points == nil { slidePicked(within: bounds, by: deceleration, change) }
    withPlanes(ends) { $0.restartPicked($1, .one(motion), change) }
    record {
      BatchCall(.decelerate(deceleration, within: bounds), $0.names(tracks), velocities: $0.numbers(velocities))
    }
    return change
  }

  private mutating func restartPicked(_ goals: InputValues, _ given: GivenSprings, _ change: UInt32) {
    var position = 0
    while position < picks.count { position += restart(position, given, goals, change) }
  }

  /// Starts tracks from a pick on: full neighbouring tiles in place, or one track.
  ///
  /// - Returns: The number of picks that this has dealt with.
  private mutating func restart(
    _ position: Int, _ given: GivenSprings, _ goals: InputValues, _ change: UInt32
  ) -> Int {
    guard !picks[position].isDropped else { return 1 }
    if picks.mayFillTile(from: position) {
      let tiles = tilesFilled(from: position, goals.tilesAtOnce)
      guard tiles.isEmpty else {
        for tile in tiles { velocities.mark(.max, of: tile) }
        restart(tiles, given, goals, from: position, change)
        return tiles.count * laneCountOfTile
      }
    }
    prefetch(after: position)
    let index = picks[position].index
    setOut(index, coefficients(given, index, position), at: time, change) { goals[position, $0] }
    return 1
  }

  /// Full neighbouring tiles whose tracks are the picks from a position on, in their order.
  ///
  /// - Parameter limit: The largest number of tiles.
  private func tilesFilled(from position: Int, _ limit: Int) -> Range<Int> {
    let first = picks[position].index / laneCountOfTile
    var (end, next) = (first, position)
    while end - first < limit, next < picks.count, picks.tileFilled(from: next, tracks) == end {
      (end, next) = (end + 1, next + laneCountOfTile)
    }
    return first..<end
  }

  /// Starts full neighbouring tiles anew, whose tracks have consecutive goals.
  mutating func restart(
    _ tiles: Range<Int>, _ given: GivenSprings, _ goals: InputValues, from first: Int, _ change: UInt32
  ) {
    let lanes = tiles.count * laneCountOfTile
    for tile in tiles { endOthers(tile) }
    (tracks.columns.change + tiles.lowerBound * laneCountOfTile).update(repeating: change, count: lanes)
    if case .each(let position) = given {
      for tile in tiles { tracks.tiles.setMoving(tile: tile) }
      springs.setSprings(tiles, coefficients, from: position + first)
      return restartEach(tiles, goals, from: first)
    }
    var tile = tiles.lowerBound
    while tile < tiles.upperBound {
      let number = numberOfSpring(ofTile: tile)
      var end = tile + 1
      while end < tiles.upperBound, numberOfSpring(ofTile: end) == number { end += 1 }
      let position = first + (tile - tiles.lowerBound) * laneCountOfTile
      if case .own = given, number == nil {
        keepSprings(tile..<end)
        restartEach(tile..<end, goals, from: position)
      } else {
        let spring = coefficients(given, tile * laneCountOfTile, position)
        restart(tile..<end, spring, hasSpring: number ?? 0 != 0, goals, from: position)
      }
      tile = end
    }
  }

  /// The number of the spring of all tracks of a full tile; 0 if they stand, and nil if they have springs of their own.
  private func numberOfSpring(ofTile tile: Int) -> UInt32? {
    switch tracks.tiles.moving[tile] {
    case 0: 0
    case .max: springs.watch.spring(ofTile: tile)
    default: nil
    }
  }

  /// Starts full neighbouring tiles anew with one spring.
  ///
  /// - Parameters:
  ///   - coefficients: The spring.
  ///   - hasSpring: Whether they have one spring.
  private mutating func restart(
    _ tiles: Range<Int>, _ coefficients: SpringCoefficients, hasSpring: Bool, _ goals: InputValues, from first: Int
  ) {
    let index = tiles.lowerBound * laneCountOfTile
    let spring = springs.latest.start(coefficients)
    let keepsSpring =
      hasSpring && springs.coefficients(at: index) == spring.coefficients
      && tiles.allSatisfy { springs.watch.moveTogether($0) }
    for tile in tiles { tracks.tiles.setMoving(tile: tile) }
    springs.begin(tiles, spring, keepsSpring: keepsSpring, at: time, goals, from: first, tracks)
  }

  /// Gives each lane of full neighbouring tiles the spring with which it goes on to any target.
  private mutating func keepSprings(_ tiles: Range<Int>) {
    let indices = tiles.lowerBound * laneCountOfTile..<tiles.upperBound * laneCountOfTile
    for index in indices where springs.columns.decay[index] == 0 {
      let spring = springs.coefficients(at: index)
      if spring.isDeceleration { springs.setSpring(index, spring.toAnyTarget) }
    }
    for tile in tiles where tracks.tiles.moving[tile] != .max {
      // Tracks that stood get the usual spring.
      let usual = SpringCoefficients(accepted: Spring())
      (~tracks.tiles.moving[tile]).forEachLane { springs.setSpring(tile * laneCountOfTile + $0, usual) }
      tracks.tiles.setMoving(tile: tile)
    }
  }

  /// Starts full neighbouring tiles anew, each lane with its spring.
  private mutating func restartEach(_ tiles: Range<Int>, _ goals: InputValues, from first: Int) {
    goals.withColumns(of: first..<first + tiles.count * laneCountOfTile) { goals, stride in
      table.restartMixed(springs.columns, LaneRun(tiles), time, goals, stride)
    }
    springs.expect(tiles, nil, at: time, tracks)
  }
}
