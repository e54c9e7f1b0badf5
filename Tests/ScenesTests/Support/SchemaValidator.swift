// SPDX-License-Identifier: MIT
import TestSupport

/// The part of JSON Schema (draft 2020-12) that the scene schema uses; any other keyword is an error, so that the tests
/// check everything that the schema says.
struct SchemaValidator {
  let root: JSONValue

  /// The faults of `value`, a line for each.
  func complaints(_ value: JSONValue) -> [String] { check(value, root, "$") }

  private static let silent: Set<String> = [
    "$schema", "$defs", "title", "description", "default", "additionalProperties",
  ]

  private func check(_ value: JSONValue, _ schema: JSONValue, _ path: String) -> [String] {
    if case .bool(let allowed) = schema { return allowed ? [] : ["\(path): is not allowed"] }
    guard case .object(let keywords) = schema else { return ["\(path): the schema is no object"] }
    return keywords.sorted { $0.key < $1.key }.flatMap { check(value, keyword: $0.key, $0.value, schema, path) }
  }

  private func check(
    _ value: JSONValue, keyword: String, _ rule: JSONValue, _ schema: JSONValue, _ path: String
  ) -> [String] {
    let wrong = ["\(path): \(keyword)"]
    switch keyword {
    case let name where Self.silent.contains(name): return []
    case "$ref": return check(value, definition(rule.string ?? ""), path)
    case "type": return Self.isKind(value, rule.string ?? "") ? [] : wrong
    case "const": return Self.isEqual(value, rule) ? [] : wrong
    case "enum": return rule.elements.contains { Self.isEqual(value, $0) } ? [] : wrong
    case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
      guard case .number(let number) = value, let limit = rule.number else { return [] }
      let fits = [
        "minimum": number >= limit, "maximum": number <= limit, "exclusiveMinimum": number > limit,
        "exclusiveMaximum": number < limit,
      ]
      return fits[keyword] == true ? [] : wrong
    case "minLength", "maxLength", "minItems", "maxItems": return Self.fits(value, keyword, rule) ? [] : wrong
    case "items": return value.elements.enumerated().flatMap { check($1, rule, "\(path)[\($0)]") }
    case "required":
      return rule.elements.compactMap(\.string).filter { value[$0] == nil }.map { "\(path).\($0): missing" }
    case "properties": return properties(value, rule, isClosed: schema["additionalProperties"]?.bool == false, path)
    case "anyOf": return rule.elements.contains { check(value, $0, path).isEmpty } ? [] : wrong
    case "oneOf": return rule.elements.count { check(value, $0, path).isEmpty } == 1 ? [] : wrong
    case "allOf": return rule.elements.flatMap { check(value, $0, path) }
    case "not": return check(value, rule, path).isEmpty ? wrong : []
    default: return ["the schema uses \(keyword), which the tests do not know"]
    }
  }

  private func properties(_ value: JSONValue, _ rules: JSONValue, isClosed: Bool, _ path: String) -> [String] {
    guard case .object(let members) = value else { return [] }
    return members.sorted { $0.key < $1.key }.flatMap { key, member in
      if let rule = rules[key] { return check(member, rule, "\(path).\(key)") }
      return isClosed ? ["\(path).\(key): unknown"] : []
    }
  }

  /// A definition of the schema by its reference, `#/$defs/name`.
  func definition(_ reference: String) -> JSONValue {
    root["$defs"]?[String(reference.split(separator: "/").last ?? "")] ?? .null
  }

  private static func isKind(_ value: JSONValue, _ kind: String) -> Bool {
    switch (value, kind) {
    case (.object, "object"), (.array, "array"), (.string, "string"), (.bool, "boolean"), (.number, "number"): true
    case (.number(let number), "integer"): number == number.rounded()
    default: false
    }
  }

  private static func fits(_ value: JSONValue, _ keyword: String, _ rule: JSONValue) -> Bool {
    let size: Int
    switch (value, keyword) {
    case (.string(let text), "minLength"), (.string(let text), "maxLength"): size = text.unicodeScalars.count
    case (.array(let elements), "minItems"), (.array(let elements), "maxItems"): size = elements.count
    default: return true
    }
    let limit = Int(rule.number ?? 0)
    return keyword.hasPrefix("min") ? size >= limit : size <= limit
  }

  private static func isEqual(_ left: JSONValue, _ right: JSONValue) -> Bool {
    switch (left, right) {
    case (.number(let left), .number(let right)): left == right
    case (.string(let left), .string(let right)): left == right
    default: false
    }
  }
}
