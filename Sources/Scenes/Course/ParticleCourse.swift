// SPDX-License-Identifier: MIT
import Murmuration

/// The tracks of a burst at their birth: component-major, all in one point.
package struct Sparks {
  /// The indices of the tracks in the group.
  package var tracks: Range<Int>
  package var values: [Float]
  package var velocities: [Float]
  package var targets: [Float]
  package var springs: DrawnSprings
}

/// A change to particles at one moment.
package struct ParticleChange {
  package enum Kind {
    /// The pointer moved.
    case move(released: Flock, followers: Flock)
    /// Tracks are born.
    case birth(Sparks)
  }

  /// The time in seconds.
  package var time: Double
  package var kind: Kind
}

/// The changes to a group of particles, one after another in time.
///
/// Both the player and the reference that checks it walk a course of their own. Deaths are not among the changes: the
/// batch decides when a track comes to rest.
package struct ParticleCourse {
  private let particles: Particles
  private let index: Int
  private let count: Int
  private let scene: Scene
  private let springs: SpringChoice
  private var pointer: PointerCourse?
  private var bursts = 0
  private var nextSpark: Int

  /// The course of group `index` of `scene`, from the start; `start` is the start of the field.
  package init(_ group: SpringGroup, _ particles: Particles, start: GroupStart, index: Int, count: Int, scene: Scene) {
    self.particles = particles
    self.index = index
    self.count = count
    self.scene = scene
    springs = group.springs
    nextSpark = particles.fieldCount(of: count)
    pointer = particles.pointer.map {
      PointerCourse(
        $0, homes: start.values, count: particles.fieldCount(of: count), index: index, scene: scene)
    }
  }

  /// The next change up to and including `time`, or nil without one; each change is returned once.
  package mutating func next(until time: Double) -> ParticleChange? {
    let burst = bursts < particles.bursts.count ? particles.bursts[bursts] : nil
    let moveTime = pointer?.nextTime ?? .infinity
    if let burst, burst.time <= min(time, moveTime) {
      defer { bursts += 1 }
      return ParticleChange(time: burst.time, kind: .birth(sparks(of: burst)))
    }
    guard moveTime <= time, let (released, followers) = pointer?.move() else { return nil }
    return ParticleChange(time: moveTime, kind: .move(released: released, followers: followers))
  }

  private mutating func sparks(of burst: ParticleBurst) -> Sparks {
    let size = burst.count(of: count)
    let dimensions = scene.dimensions
    let tracks = nextSpark..<(nextSpark + size)
    nextSpark += size
    var random = SceneRandom(seed: scene.seed, purpose: .bursts, group: index, event: bursts)
    var velocities = [Float](repeating: 0, count: size * dimensions)
    for spark in 0..<size {
      let direction = random.direction(dimensions: dimensions)
      let speed = random.number(in: burst.speed)
      for component in 0..<dimensions { velocities[component * size + spark] = Float(speed * direction[component]) }
    }
    return Sparks(
      tracks: tracks,
      values: burst.origin.flatMap { [Float](repeating: Float($0), count: size) },
      velocities: velocities,
      targets: burst.target.points(
        count: size, dimensions: dimensions,
        random: SceneRandom(seed: scene.seed, purpose: .targets, group: index, event: bursts)),
      // Event 0 of this purpose drew the springs with which the group starts.
      springs: (burst.springs ?? springs).drawn(count: size, seed: scene.seed, group: index, event: bursts + 1))
  }
}

extension SceneRandom {
  /// A random direction, all equally likely: a vector of length 1.
  package mutating func direction(dimensions: Int) -> [Double] {
    var vector = [Double](repeating: 0, count: dimensions)
    var square = 0.0
    // A point within the ball: the corners of the cube would favour its diagonals.
    while !(0.01...1).contains(square) {
      square = 0
      for axis in vector.indices {
        vector[axis] = number(in: -1...1)
        square += vector[axis] * vector[axis]
      }
    }
    let scale = 1 / square.squareRoot()
    for axis in vector.indices { vector[axis] *= scale }
    return vector
  }
}
