// SPDX-License-Identifier: MIT
import Text

/// The fields of one JSON object, read strictly: unknown keys, values of another type and values out of range are
/// refused.
///
/// `Key` lists every key the object may have; the initialiser refuses any other.
package struct StrictFields<Key: CodingKey & CaseIterable> {
  private let container: KeyedDecodingContainer<Key>

  /// The place of the object in its document.
  package var codingPath: [any CodingKey] { container.codingPath }

  /// Opens the object that `decoder` reads; `expected` names the other kinds of value that are allowed in its place.
  package init(
    _ decoder: any Decoder, keys: Key.Type = Key.self, expected: String = "an object"
  ) throws(DescriptionError) {
    container = try decoder.object(keyedBy: Key.self, expected: expected)
    try Self.rejectUnknownKeys(decoder)
  }

  /// Opens the object to read the keys that name its kind; unknown keys are not refused yet.
  package init(peekingAt decoder: any Decoder, keys: Key.Type = Key.self) throws(DescriptionError) {
    container = try decoder.object(keyedBy: Key.self, expected: "an object")
  }

  /// Throws for the first key, in alphabetical order, that `Key` does not have.
  package static func rejectUnknownKeys(_ decoder: any Decoder) throws(DescriptionError) {
    let container = try decoder.object(keyedBy: AnyKey.self, expected: "an object")
    let known = Key.allCases.map(\.stringValue)
    let unknown = container.allKeys.map(\.stringValue).filter { !known.contains($0) }.sorted()
    guard let first = unknown.first else { return }
    throw DescriptionError(at: decoder.codingPath, reason: DescriptionError.unknown("key", first, known: known))
  }

  /// Whether the object has the key, even with null.
  package func has(_ key: Key) -> Bool { container.contains(key) }

  /// The place of one of the fields, as steps from the root of the document.
  package func path(_ key: Key) -> [DescriptionError.Step] {
    DescriptionError(at: codingPath, key, reason: "").path
  }

  /// An error at one of the fields.
  package func error(_ key: Key, _ reason: String) -> DescriptionError {
    DescriptionError(at: codingPath, key, reason: reason)
  }

  /// An error at the object as a whole.
  package func error(_ reason: String) -> DescriptionError {
    DescriptionError(at: codingPath, reason: reason)
  }

  /// The value of a key that must be there.
  package func value<T: Decodable>(_ key: Key, as type: T.Type = T.self) throws(DescriptionError) -> T {
    guard container.contains(key) else { throw error(key, "is missing") }
    do {
      return try container.decode(T.self, forKey: key)
    } catch let DecodingError.typeMismatch(_, context) where context.codingPath.count <= codingPath.count + 1 {
      throw error(key, "must be \(DescriptionError.kindName(of: T.self)), is \(foundKind(key))")
    } catch let DecodingError.valueNotFound(_, context) where context.codingPath.count <= codingPath.count + 1 {
      throw error(key, "must be \(DescriptionError.kindName(of: T.self)), is null")
    } catch {
      throw DescriptionError(error, at: codingPath, key)
    }
  }

  /// The value of a key, or nil if the key is missing; null is refused.
  package func optional<T: Decodable>(_ key: Key, as type: T.Type = T.self) throws(DescriptionError) -> T? {
    // The type is named: otherwise the optional of T would be decoded, and that accepts null.
    container.contains(key) ? try value(key, as: T.self) : nil
  }

  /// The number under a key that must be there.
  package func number(_ key: Key, _ rule: NumberRule) throws(DescriptionError) -> Double {
    let number: Double = try value(key)
    try rule.check(number, at: path(key))
    return number
  }

  /// The number under a key, or a default if the key is missing.
  package func number(_ key: Key, _ rule: NumberRule, default fallback: Double) throws(DescriptionError) -> Double {
    container.contains(key) ? try number(key, rule) : fallback
  }

  /// The number under a key, or nil if the key is missing or holds null.
  package func optionalNumber(_ key: Key, _ rule: NumberRule) throws(DescriptionError) -> Double? {
    guard container.contains(key), (try? container.decodeNil(forKey: key)) != true else { return nil }
    return try number(key, rule)
  }

  /// The whole number under a key that must be there; 3.5, 1e30 and numbers outside `range` are refused.
  package func integer(_ key: Key, in range: ClosedRange<Int>) throws(DescriptionError) -> Int {
    let number: Double = try value(key)
    guard let integer = Int(exactly: number), range.contains(integer) else {
      let limits = "\(range.lowerBound) to \(range.upperBound)"
      throw error(key, "must be a whole number from \(limits), is \(NumberText.short(number))")
    }
    return integer
  }

  /// The numbers of an array under a key that must be there, each within the rule.
  package func numbers(_ key: Key, _ rule: NumberRule) throws(DescriptionError) -> [Double] {
    let numbers: [Double]
    do {
      numbers = try value(key)
    } catch {
      // The array as a whole failed: find the first element at fault, for its error.
      throw try firstFault(key) ?? error
    }
    for (index, number) in numbers.enumerated() {
      try rule.check(number, at: path(key) + [.index(index)])
    }
    return numbers
  }

  /// The numbers of an array under a key, or nil if the key is missing.
  package func optionalNumbers(_ key: Key, _ rule: NumberRule) throws(DescriptionError) -> [Double]? {
    container.contains(key) ? try numbers(key, rule) : nil
  }

  private func firstFault(_ key: Key) throws(DescriptionError) -> DescriptionError? {
    guard var elements = try? container.nestedUnkeyedContainer(forKey: key) else { return nil }
    while !elements.isAtEnd {
      guard let element = try? elements.superDecoder() else { return nil }
      if (try? Double(from: element)) == nil {
        let kind = element.foundKind
        let reason = kind == "a number" ? "must be a number that a Double can hold" : "must be a number, is \(kind)"
        return DescriptionError(at: element.codingPath, reason: reason)
      }
    }
    return nil
  }

  private func foundKind(_ key: Key) -> String {
    (try? container.superDecoder(forKey: key))?.foundKind ?? "something else"
  }
}
