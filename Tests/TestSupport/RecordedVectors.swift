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
