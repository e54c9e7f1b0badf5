// SPDX-License-Identifier: MIT
import Text

/// The place where a description is wrong, as a path of keys and indices, and the reason.
///
/// Its text reads `spring.bounce: must be in (−1, 1], is 3`.
package struct DescriptionError: Error, Equatable, Sendable, CustomStringConvertible {
  /// One step from a container to a value inside it.
  package enum Step: Equatable, Sendable {
    /// The value under this key of an object.
    case key(String)
    /// The value at this position of an array, counted from 0.
    case index(Int)
  }

  /// The steps from the root of the document to the offending value.
  package var path: [Step]
  /// The demand on the value, and the value itself, without the place.
  package var reason: String

  /// An error at a place given by steps.
  package init(path: [Step], reason: String) {
    self.path = path
    self.reason = reason
  }

  /// An error at the place that a decoder's coding path names, or at `key` in it.
  package init(at codingPath: [any CodingKey], _ key: (any CodingKey)? = nil, reason: String) {
    let keys = codingPath + (key.map { [$0] } ?? [])
    self.init(path: keys.map { key in key.intValue.map(Step.index) ?? .key(key.stringValue) }, reason: reason)
  }

  /// The path as people write it: `track[2].spring.bounce`; empty for the root.
  package var place: String {
    path.reduce(into: "") { text, step in
      switch step {
      case .key(let name): text += (text.isEmpty ? "" : ".") + name.printable
      case .index(let index): text += "[\(index)]"
      }
    }
  }

  /// The place and the reason in one line.
  package var description: String {
    path.isEmpty ? reason : "\(place): \(reason)"
  }

  /// The same error as seen from the container `count` steps further in.
  package func droppingFirst(_ count: Int) -> DescriptionError {
    DescriptionError(path: Array(path.dropFirst(count)), reason: reason)
  }
}

extension DescriptionError {
  /// The reason for an unknown name, with the nearest one: `unknown shape "hart" (known: point, heart); did you mean “heart”?`.
  package static func unknown(_ what: String, _ name: String, known: some Sequence<String>) -> String {
    "unknown \(what) \"\(name.printable)\" (known: \(known.joined(separator: ", ")))"
      + KnownNames(known).suggestion(for: name)
  }
}

extension DescriptionError {
  /// The error for any error that a decoder threw at `path`; an error of ours stays as it is.
  package init(_ error: any Error, at path: [any CodingKey], _ key: (any CodingKey)? = nil) {
    switch error {
    case let error as DescriptionError:
      self = error
    case DecodingError.keyNotFound(let missing, let context):
      self.init(at: context.codingPath, missing, reason: "is missing")
    case DecodingError.typeMismatch(let type, let context), DecodingError.valueNotFound(let type, let context):
      let found = Self.found(in: context.debugDescription).map { ", is \($0)" } ?? ""
      self.init(at: context.codingPath, reason: "must be \(Self.kindName(of: type))\(found)")
    case DecodingError.dataCorrupted(let context):
      self.init(at: context.codingPath, reason: "cannot be read")
    default:
      // For numbers beyond Double the decoder of the toolchain throws a type of its own, without a path.
      self.init(at: path, key, reason: "must be a number that a Double can hold")
    }
  }

  /// The kind of value that the decoder's sentence names between "found" and "instead".
  private static func found(in sentence: String) -> String? {
    guard let start = sentence.firstRange(of: "found ")?.upperBound,
      let end = sentence[start...].firstRange(of: " instead")?.lowerBound
    else { return nil }
    let words = String(sentence[start..<end])
    if words.hasPrefix("null") { return "null" }
    return ["number": "a number", "bool": "true or false", "a dictionary": "an object"][words] ?? words
  }

  /// The JSON name of a type, with its article.
  static func kindName(of type: any Any.Type) -> String {
    switch type {
    case is Double.Type, is Int.Type: "a number"
    case is String.Type: "a string"
    case is Bool.Type: "true or false"
    case is [Double].Type: "an array of numbers"
    default: type is any Collection.Type ? "an array" : "an object"
    }
  }
}
