// SPDX-License-Identifier: MIT

/// Spring motions computed with 50 digits and rounded to Double, from `golden_springs.json`.
public struct GoldenSprings: Decodable, Sendable {
  /// One state of one motion about a target at 0.
  public struct Row: Sendable, CustomStringConvertible {
    public var duration, bounce, start, velocity, time: Double
    public var expectedValue, expectedVelocity: Double

    public init(_ numbers: [Double]) {
      (duration, bounce, start, velocity, time) = (numbers[0], numbers[1], numbers[2], numbers[3], numbers[4])
      (expectedValue, expectedVelocity) = (numbers[5], numbers[6])
    }

    /// ω₀ in radians per second.
    public var naturalFrequency: Double { 2 * .pi / duration }

    /// S, the natural scale of positions: max(|x₀|, |v₀|/ω₀).
    public var scale: Double { max(start.magnitude, velocity.magnitude / naturalFrequency) }

    public var description: String {
      "duration \(duration), bounce \(bounce), from \(start) with velocity \(velocity), at \(time) s"
    }
  }

  /// A motion whose target and spring change as it runs.
  public struct Retarget: Decodable, Sendable {
    public struct State: Decodable, Sendable {
      public var x, v: Double
    }

    public struct Event: Decodable, Sendable {
      public var t, target, duration, bounce: Double
    }

    public var initial: State
    public var events: [Event]
    /// Time, position and velocity, absolute.
    public var samples: [[Double]]
  }

  public var rows: [Row]
  /// Cases at the edge of the parameters, with the mathematical limit: `x0`, `v0`, `t`, `y`, `v`, `duration` and `bounce`.
  public var limits: [JSONValue]
  public var retarget: [Retarget]

  enum CodingKeys: CodingKey {
    case rows, limits, retarget
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    rows = try container.decode([[Double]].self, forKey: .rows).map(Row.init)
    limits = try container.decode([JSONValue].self, forKey: .limits)
    retarget = try container.decode([Retarget].self, forKey: .retarget)
  }

  /// Reads the file.
  public static func load() throws -> GoldenSprings { try Fixtures.decode(self, from: "golden_springs.json") }
}
