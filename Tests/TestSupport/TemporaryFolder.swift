// SPDX-License-Identifier: MIT
#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A folder that is gone when the test is.
public final class TemporaryFolder {
  public let url = FileManager.default.temporaryDirectory.appendingPathComponent("murmuration-\(UUID().uuidString)")

  public init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The path of a name in the folder.
  public func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// Writes a file to the folder, and returns its path.
  @discardableResult
  public func write(_ name: String, _ bytes: some Sequence<UInt8>) -> String {
    _ = FileManager.default.createFile(atPath: path(name), contents: Data(bytes))
    return path(name)
  }

  /// Writes a text to the folder, and returns the path of the file.
  @discardableResult
  public func write(_ name: String, _ text: String) -> String { write(name, text.utf8) }

  /// The bytes of a file in the folder.
  public func data(_ name: String) throws -> Data { try Data(contentsOf: url.appendingPathComponent(name)) }

  /// The bytes of a file in the folder.
  public func bytes(_ name: String) throws -> [UInt8] { Array(try data(name)) }

  /// The text of a file in the folder.
  public func text(_ name: String) throws -> String { String(decoding: try data(name), as: UTF8.self) }

  /// The names of everything in the folder, in order.
  public var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted() }
}
