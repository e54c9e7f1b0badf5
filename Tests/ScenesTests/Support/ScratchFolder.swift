// SPDX-License-Identifier: MIT
@testable import Formats
import Foundation
import Testing

@testable import Scenes

/// A temporary folder of a test, removed when the test ends.
final class ScratchFolder {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("scenes-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of `name` in the folder.
  func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes a file and returns its path.
  func write(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
    let place = self(name)
    try Data(bytes).write(to: URL(fileURLWithPath: place))
    return place
  }

  /// The names in the folder, in order.
  var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

  /// The bytes of a file in the folder.
  func bytes(_ name: String) throws -> [UInt8] { try FileBytes.read(self(name), limit: 1 << 30) }
}

/// The error that `body` throws, or nil.
func fileError<T>(_ body: () throws -> T) -> FileError? {
  do {
    _ = try body()
    return nil
  } catch {
    return error as? FileError
  }
}

/// Expects that `body` throws an error whose text contains `words`.
func expectRefusal<T>(
  _ words: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> T
) {
  let found = fileError(body)?.description ?? "accepted"
  #expect(found.contains(words), "\(found)", sourceLocation: sourceLocation)
}

/// Expects that the first bytes of a file are refused, up to any byte, with a place that contains a word.
func expectPrefixesAreRefused<T>(
  _ bytes: [UInt8], at word: String, sourceLocation: SourceLocation = #_sourceLocation, _ read: ([UInt8]) throws -> T
) {
  for count in bytes.indices {
    let error = fileError { try read(Array(bytes[..<count])) }
    let isPlaced = error?.place.contains(word) == true
    #expect(isPlaced, "\(count) bytes: \(error?.description ?? "accepted")", sourceLocation: sourceLocation)
  }
}

/// The root of the package, from where this file stands.
let packageRoot = URL(fileURLWithPath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
