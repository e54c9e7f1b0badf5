// SPDX-License-Identifier: MIT

/// Recorded answers of Apple's frameworks, from `swiftui_recorded.json`.
public enum RecordedVectors {
  private struct File: Decodable {
    var vectors: [JSONValue]
  }

  /// The vectors of one kind.
  public static func load(kind: String) throws -> [RecordedVector] {
    try Fixtures.decode(File.self, from: "swiftui_recorded.json").vectors.map(RecordedVector.init)
      .filter { $0.json.kind?.string == kind }
  }
}

/// One recorded vector.
public struct RecordedVector: Sendable, CustomStringConvertible {
  public var json: JSONValue

  public var id: String { json.id?.string ?? "?" }
  public var description: String { id }

  /// The given tolerance; nil for a vector without one.
  public var tolerance: Double? { json.tolerance?.number }
}

/// Delays of a stagger, as Swift computed them, for programs in every language: `Tests/Fixtures/staggers.json`.
public struct RecordedStagger: Decodable, Sendable, CustomStringConvertible {
  /// A curve by its name in Swift and JavaScript, and by its number in the header for C.
  public struct Ease: Decodable, Sendable {
    public let name: String
    public let kind: Int32
  }

  public let count: Int
  /// Seconds for a step of distance, or until the last track.
  public let each, over: Double?
  /// A place; `point` is a column and a row.
  public let place: String?
  public let point: [Double]?
  public let columns: Int?
  public let ease: Ease?
  public let seed: UInt64?
  public let delays: [Double]

  public var description: String {
    "\(count) from \(place ?? "\(point ?? [])"), columns \(columns ?? 0), seed \(seed ?? 0)"
  }

  public static func all() throws -> [RecordedStagger] {
    try Fixtures.decode([RecordedStagger].self, from: "staggers.json")
  }
}
