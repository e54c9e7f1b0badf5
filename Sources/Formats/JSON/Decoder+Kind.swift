// SPDX-License-Identifier: MIT

/// A key of any name.
struct AnyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension Decoder {
  /// The object that this decoder reads.
  func object<Key: CodingKey>(
    keyedBy type: Key.Type, expected: String
  ) throws(DescriptionError) -> KeyedDecodingContainer<Key> {
    do {
      return try container(keyedBy: type)
    } catch {
      throw DescriptionError(at: codingPath, reason: "must be \(expected), is \(foundKind)")
    }
  }

  /// The kind of JSON value that this decoder reads, with its article, for messages.
  package var foundKind: String {
    if let value = try? singleValueContainer() {
      if value.decodeNil() { return "null" }
      if (try? value.decode(Bool.self)) != nil { return "true or false" }
      if (try? value.decode(String.self)) != nil { return "a string" }
      if (try? value.decode(Double.self)) != nil { return "a number" }
    }
    if (try? unkeyedContainer()) != nil { return "an array" }
    if (try? container(keyedBy: AnyKey.self)) != nil { return "an object" }
    return "a number"
  }
}
