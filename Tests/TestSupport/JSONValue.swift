// SPDX-License-Identifier: MIT

/// Any JSON value, for vectors whose members differ from one to the next.
@dynamicMemberLookup
public enum JSONValue: Decodable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let bool = try? container.decode(Bool.self) {
      self = .bool(bool)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let string = try? container.decode(String.self) {
      self = .string(string)
    } else if let array = try? container.decode([JSONValue].self) {
      self = .array(array)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  /// A member of an object, or nil.
  public subscript(dynamicMember name: String) -> JSONValue? { self[name] }

  /// A member of an object, or nil.
  public subscript(name: String) -> JSONValue? {
    get { if case .object(let members) = self { members[name] } else { nil } }
    set {
      guard case .object(var members) = self else { return }
      members[name] = newValue
      self = .object(members)
    }
  }

  /// The number; also one that is spelled "inf", "-inf" or "nan".
  public var number: Double? {
    switch self {
    case .number(let number): number
    case .string(let string): Double(string)
    default: nil
    }
  }

  public var string: String? { if case .string(let string) = self { string } else { nil } }
  public var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }
  public var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }
  public var numbers: [Double] { elements.compactMap(\.number) }
}
