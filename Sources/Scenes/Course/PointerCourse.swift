// SPDX-License-Identifier: MIT

/// The moves of a pointer over a field, one after another.
struct PointerCourse {
  private let pointer: Pointer
  private let dimensions: Int
  private let path: @Sendable (Double) -> [Double]
  /// The home of each track of the field: component-major.
  private let homes: [Float]
  private let count: Int
  private let grid: HomeGrid
  /// The cosine and sine of the turn about the pointer, times the remaining share of the way to it.
  private let turn: (along: Double, across: Double)

  private var moves = 0
  /// The tracks that follow at the last move, in the order in which they came near.
  private var followers: [Int] = []
  /// The last move that was near each track, counted from 1.
  private var lastNear: [Int32]

  /// The pointer of group `index` over a field with the given homes.
  init(_ pointer: Pointer, homes: [Float], count: Int, index: Int, scene: Scene) {
    self.pointer = pointer
    self.homes = homes
    self.count = count
    dimensions = scene.dimensions
    path = Wander.path(
      reach: pointer.reach, pace: pointer.pace, dimensions: 2,
      seed: SceneRandom(seed: scene.seed, purpose: .path, group: index))
    grid = HomeGrid(homes: homes, count: count, radius: pointer.radius)
    let left = 1 - pointer.pull
    turn = (left * Turns.cosine(pointer.twist), left * Turns.sine(pointer.twist))
    lastNear = Array(repeating: 0, count: count)
  }

  /// The time of the next move.
  var nextTime: Double { Double(moves) / pointer.movesPerSecond }

  /// Moves on. Returns the tracks that it has left behind, which go home, and the tracks that follow it now.
  mutating func move() -> (released: Flock, followers: Flock) {
    let place = path(nextTime)
    moves += 1
    let move = Int32(moves)
    var newcomers: [Int] = []
    let grid = grid
    grid.forEachTrack(within: pointer.radius, of: place[0], place[1]) { track in
      if lastNear[track] != move - 1 || move == 1 { newcomers.append(track) }
      lastNear[track] = move
    }
    // Tracks that stay keep their order, so the batch need not move them.
    let released = followers.filter { lastNear[$0] != move }
    followers.removeAll { lastNear[$0] != move }
    followers += newcomers
    return (
      Flock(released, dimensions: dimensions) { track, component in homes[component * count + track] },
      flock(following: place)
    )
  }

  private func flock(following place: [Double]) -> Flock {
    let perSquare = 1 / (pointer.radius * pointer.radius)
    return Flock(followers, dimensions: dimensions) { track, component in
      let home = homes[component * count + track]
      guard component < 2 else { return home }
      let (x, y) = (Double(homes[track]) - place[0], Double(homes[count + track]) - place[1])
      let near = max(0, 1 - (x * x + y * y) * perSquare)
      let (turned, offset) =
        component == 0 ? (turn.along * x - turn.across * y, x) : (turn.along * y + turn.across * x, y)
      return Float(Double(home) + near * (turned - offset))
    }
  }
}
