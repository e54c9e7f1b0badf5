// SPDX-License-Identifier: MIT

/// A call that is refused for one bad argument, as `Tests/Fixtures/refusals.json` has it for every language.
public struct Refusal: Sendable, CustomStringConvertible {
  /// The name of the call.
  public let call: String
  /// The name of the argument.
  public let argument: String
  /// Words for its bad value.
  public let value: String
  /// The name of the error, as the header for C has it.
  public let error: String

  public var description: String { "\(call), \(argument) \(value)" }

  /// The refusals that a language can meet: those of calls that it has, and of values that it can say.
  public static func all(in language: String) throws -> [Refusal] {
    let table = try Fixtures.decode(Table.self, from: "refusals.json")
    let absent = (table.without[language] ?? "").split(separator: " ")
    var refusals: [Refusal] = []
    for row in table.rows where row.in?.split(separator: " ").contains(Substring(language)) ?? true {
      for (argument, calls) in row.where {
        let names = calls.split(separator: " ").map { table.calls[String($0)] ?? String($0) }.joined(separator: " ")
        for call in names.split(separator: " ") where !absent.contains(call) {
          for (error, values) in row.refuses {
            refusals += values.map { Refusal(call: String(call), argument: argument, value: $0, error: error) }
          }
        }
      }
    }
    return refusals
  }

  private struct Table: Decodable {
    struct Row: Decodable {
      let `in`: String?
      let `where`: [String: String]
      let refuses: [String: [String]]
    }

    let calls: [String: String]
    let without: [String: String]
    let rows: [Row]
  }
}
