// SPDX-License-Identifier: MIT

/// A JSON value of any kind, for files in which a text names the place of a value.
enum JSONTree: Decodable {
  case object([String: JSONTree])
  case array([JSONTree])
  case number(Double)
  case bool(Bool)
  /// A text, or a number that a Double cannot hold.
  case other
  case null

  init(from decoder: any Decoder) throws {
    // Most values are numbers, and an attempt that fails is slow.
    if let number = try? decoder.singleValueContainer().decode(Double.self) {
      self = .number(number)
    } else if let fields = try? decoder.container(keyedBy: AnyKey.self) {
      var object: [String: JSONTree] = [:]
      for key in fields.allKeys { object[key.stringValue] = try fields.decode(JSONTree.self, forKey: key) }
      self = .object(object)
    } else if var elements = try? decoder.unkeyedContainer() {
      var array: [JSONTree] = []
      while !elements.isAtEnd { array.append(try elements.decode(JSONTree.self)) }
      self = .array(array)
    } else {
      let value = try decoder.singleValueContainer()
      self = value.decodeNil() ? .null : (try? value.decode(Bool.self)).map { .bool($0) } ?? .other
    }
  }

  /// The members of an object that have one of these keys.
  init(_ decoder: any Decoder, keys: Set<String>) throws {
    let fields = try decoder.container(keyedBy: AnyKey.self)
    var object: [String: JSONTree] = [:]
    for key in fields.allKeys where keys.contains(key.stringValue) {
      object[key.stringValue] = try fields.decode(JSONTree.self, forKey: key)
    }
    self = .object(object)
  }
}
