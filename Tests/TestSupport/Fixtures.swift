// SPDX-License-Identifier: MIT
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The files of `Tests/Fixtures`; its README says where each comes from.
public enum Fixtures {
  /// The path of a file by its name.
  public static func path(_ name: String) -> String { url(name).path }

  /// The text of a file, by its path from the folder of the fixtures.
  public static func text(_ path: String) throws -> String { try String(contentsOf: url(path), encoding: .utf8) }

  private static func url(_ name: String) -> URL {
    // This file is Tests/TestSupport/Fixtures.swift.
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Fixtures").appendingPathComponent(name)
  }

  static func decode<T: Decodable>(_ type: T.Type, from name: String) throws -> T {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return try decoder.decode(type, from: Data(contentsOf: url(name)))
  }
}
