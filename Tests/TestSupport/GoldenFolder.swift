// SPDX-License-Identifier: MIT
#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The folder of vectors that stands beside a developer's checkout. It is no part of the repository: tests that read it are
/// skipped without it, and others of equal strength stand on vectors of our own.
public enum GoldenFolder {
  /// Why a test that needs the folder was skipped.
  public static let absence = "the folder ../shared/vectors is not here"

  /// The folder `shared` beside the package.
  public static var shared: URL {
    var root = URL(fileURLWithPath: #filePath)
    // This file is Tests/TestSupport/GoldenFolder.swift: three levels up is the package, one more its neighbours.
    for _ in 0..<4 { root.deleteLastPathComponent() }
    return root.appendingPathComponent("shared")
  }

  /// Whether the vectors are there.
  public static var isPresent: Bool {
    FileManager.default.fileExists(atPath: url("golden_springs.json").path)
  }

  static func url(_ name: String) -> URL { shared.appendingPathComponent("vectors").appendingPathComponent(name) }

  static func decode<T: Decodable>(_ type: T.Type, from name: String) throws -> T {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return try decoder.decode(type, from: Data(contentsOf: url(name)))
  }
}
