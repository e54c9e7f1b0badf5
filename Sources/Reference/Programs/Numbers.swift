// SPDX-License-Identifier: MIT
import Murmuration

/// A value of up to four dimensions; dimensions that a batch does not have are 0.
typealias Vector = SIMD4<Float>

/// The numbers of one operation. The numbers of its n-th track follow from the seed and n alone, so an operation on
/// fewer tracks gives the first ones the same numbers.
struct Numbers: Equatable, Sendable {
  let seed: UInt64

  private enum Purpose: UInt64 {
    case spring, value, target, velocity, stillness, animation, playback, clip, factor, delay, speed, share
  }

  private func random(_ purpose: Purpose, _ index: Int) -> SplitMix64 {
    var random = SplitMix64(seed: seed ^ (purpose.rawValue << 56))
    return SplitMix64(seed: random.next() &+ UInt64(index))
  }

  /// The largest magnitude of values; velocities reach ten times as much.
  private var magnitude: Double { seed & 7 == 0 ? 1e4 : seed & 7 == 1 ? 1 : 100 }

  func spring(_ index: Int) -> Spring {
    var random = random(.spring, index)
    guard random.next() % 20 > 0 else {
      return Spring(duration: 0, bounce: 0)
    }
    let regime = SpringRegime.allCases[Int(random.next() % UInt64(SpringRegime.allCases.count))]
    return Spring(duration: random.logarithmic(0.05...10), bounce: regime.bounce(&random))
  }

  func value(_ index: Int) -> Vector { isStill(index) ? target(index) : vector(.value, index, magnitude) }

  func target(_ index: Int) -> Vector { vector(.target, index, magnitude) }

  func velocity(_ index: Int) -> Vector {
    isStill(index) || !hasVelocities ? .zero : vector(.velocity, index, 10 * magnitude)
  }

  /// Whether some velocities are not 0.
  var hasVelocities: Bool { seed & 24 != 0 }

  /// Whether a new track is at its target at once.
  func isStill(_ index: Int) -> Bool {
    var random = random(.stillness, index)
    return random.next() % 12 == 0
  }

  private func vector(_ purpose: Purpose, _ index: Int, _ magnitude: Double) -> Vector {
    var random = random(purpose, index)
    var vector = Vector.zero
    for dimension in vector.indices {
      vector[dimension] = Float(random.uniform(-magnitude...magnitude))
    }
    return vector
  }

  // MARK: - Other motions

  func animation(_ index: Int) -> Animation {
    var random = random(.animation, index)
    return random.animation()
  }

  /// A playback that may start near a time.
  func playback(_ index: Int, near time: Double?) -> Playback {
    var random = random(.playback, index)
    return random.playback(near: time)
  }

  /// A playback of one iteration, forwards, which can start from any value.
  func forwardPlayback(_ index: Int) -> Playback {
    var random = random(.playback, index)
    return Playback(speed: random.uniform(0.3...2.5), holdsAfter: random.next() & 1 == 0)
  }

  func clip(_ index: Int, among clips: Range<Int>) -> Int {
    var random = random(.clip, index)
    return clips.lowerBound + Int(random.next() % UInt64(clips.count))
  }

  /// Factors of the values of a clip.
  func factor(_ index: Int) -> Vector { vector(.factor, index, 2) }

  var deceleration: Deceleration { seed & 64 == 0 ? .normal : .fast }

  /// Seconds until a call, on a coarse grid, so that some calls coincide.
  func delay(_ index: Int) -> Double {
    var random = random(.delay, index)
    return Double(random.next() % 12) / 16
  }

  /// The speed of a clip; 0 for some tracks.
  func speed(_ index: Int) -> Double {
    var random = random(.speed, index)
    return random.unit() < 0.1 ? 0 : random.uniform(-2...2)
  }

  /// A share of a whole.
  func share(_ index: Int) -> Double {
    var random = random(.share, index)
    return random.unit()
  }

  // MARK: - Text

  func start(_ index: Int, _ dimensions: Int) -> String {
    "from \(value(index).text(dimensions)) velocity \(velocity(index).text(dimensions)) "
      + "to \(target(index).text(dimensions))"
  }

  /// The tracks in words if there are few, otherwise the first ones.
  func list(_ count: Int, _ text: (Int) -> String) -> String {
    (0..<(count > 3 ? 1 : count)).map(text).joined(separator: "; ") + (count > 3 ? "; … (numbers \(seed))" : "")
  }
}

extension Spring {
  var text: String { duration == 0 ? "jump" : "spring \(duration) s bounce \(bounce)" }
}

extension Vector {
  /// The numbers of the dimensions that a batch has.
  func numbers(_ dimensions: Int) -> [Float] { (0..<dimensions).map { self[$0] } }

  func text(_ dimensions: Int) -> String {
    "(" + (0..<dimensions).map { "\(self[$0])" }.joined(separator: ", ") + ")"
  }

  /// Vectors as the bulk calls take them: dimension 0 of all, then dimension 1, …
  static func planar(_ vectors: [Vector], dimensions: Int) -> [Float] {
    var numbers: [Float] = []
    numbers.reserveCapacity(vectors.count * dimensions)
    for dimension in 0..<dimensions {
      for vector in vectors {
        numbers.append(vector[dimension])
      }
    }
    return numbers
  }
}

extension SplitMix64 {
  /// A random animation: a curve or a spring, with and without modifiers.
  mutating func animation() -> Animation {
    var animation = base()
    for _ in 0..<next() % 3 {
      switch next() % 4 {
      case 0: animation = animation.delay(uniform(0...0.3))
      case 1: animation = animation.speed(uniform(0.3...3))
      case 2: animation = animation.repeatCount(1 + Int(next() % 4), autoreverses: next() & 1 == 0)
      default: animation = animation.logicallyComplete(after: uniform(0...0.5))
      }
    }
    return next() % 10 == 0 ? animation.repeatForever(autoreverses: next() & 1 == 0) : animation
  }

  private mutating func base() -> Animation {
    let duration = uniform(0.05...1)
    switch next() % 8 {
    case 0: return .linear(duration: duration)
    case 1: return .easeInOut(duration: duration)
    case 2: return .timingCurve(.circularEaseOut, duration: duration)
    case 3, 4:
      return .timingCurve(unit(), uniform(-0.5...1.5), unit(), uniform(-0.5...1.5), duration: duration)
    case 5: return .timingCurve(.steps(1 + Int(next() % 5)), duration: duration)
    case 6: return .spring(duration: duration, bounce: uniform(-0.8...0.8))
    default:
      return .interpolatingSpring(duration: duration, bounce: uniform(-0.5...0.8), initialVelocity: uniform(-5...5))
    }
  }
}
