// SPDX-License-Identifier: MIT

/// Curves and keyframe pieces computed with 50 digits and rounded to Double, from `golden_easing.json`.
public struct GoldenEasing: Decodable, Sendable {
  /// A table of numbers, of which some are missing.
  public struct Table: Decodable, Sendable {
    public var columns: [String]
    public var rows: [[Double?]]
  }

  /// A track of keys with samples of time and value.
  public struct Track: Decodable, Sendable {
    public var times, values: [Double]
    public var samples: [[Double]]
  }

  /// Tracks of one kind of interpolation.
  public struct Tracks: Decodable, Sendable {
    public var tracks: [Track]
  }

  /// Columns x1, y1, x2, y2, X, s, Y, slope; the slope is missing where the curve is vertical.
  public var bezier: Table
  public var hermite: Table
  public var catmullRom: Tracks
  public var linear: Tracks

  enum CodingKeys: String, CodingKey {
    case bezier, hermite, linear
    case catmullRom = "catmull_rom"
  }

  /// Reads the file.
  public static func load() throws -> GoldenEasing { try Fixtures.decode(self, from: "golden_easing.json") }
}

/// Rows of numbers derived with 60 digits by `Scripts/derive-model-vectors`, from `model_vectors.json`.
public struct ModelVectors: Decodable, Sendable {
  /// Motions about a target at 0: duration, bounce, start, velocity, time, value then, velocity then.
  public let springs: [[Double]]
  /// Last moments at which a motion about 0 exceeds a tolerance, and its speed that times ω₀: duration, bounce, start,
  /// velocity, tolerance, last in value, last in speed.
  public let restTimes: [[Double]]
  /// Points of cubic Bézier curves: x1, y1, x2, y2, x, y, slope.
  public let beziers: [[Double]]
  /// Motions that slow down: rate, start, velocity, time, value then, velocity then, projected end.
  public let decelerations: [[Double]]
  /// Last moments at which they exceed a tolerance: rate, velocity, tolerance, velocity tolerance, last moment.
  public let decelerationRestTimes: [[Double]]

  /// Reads the file.
  public static func load() throws -> ModelVectors { try Fixtures.decode(self, from: "model_vectors.json") }
}
