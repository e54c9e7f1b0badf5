// SPDX-License-Identifier: MIT
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Why a JSON text is refused: it is not JSON, or its content is wrong.
package enum JSONDocumentError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The text is not JSON, at a line, column and byte.
  case syntax(JSONSyntaxError)
  /// The text is JSON, and one of its values is wrong.
  case content(DescriptionError)

  /// The place and the reason in one line.
  package var description: String {
    switch self {
    case .syntax(let error): error.description
    case .content(let error): error.description
    }
  }
}

/// The one way from JSON text to descriptions.
package enum JSONDocument {
  /// The value that `bytes` describe, after a strict check of their syntax.
  ///
  /// - Parameter takesTextsAsNumbers: Whether "inf", "-inf" and "nan" stand for what JSON has no numbers for.
  package static func decode<T: Decodable>(
    _ type: T.Type = T.self, from bytes: [UInt8], takesTextsAsNumbers: Bool = false
  ) throws(JSONDocumentError) -> T {
    do {
      try JSONSyntax.check(bytes)
    } catch {
      throw .syntax(error)
    }
    do {
      let decoder = JSONDecoder()
      if takesTextsAsNumbers {
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
          positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
      }
      return try decoder.decode(T.self, from: Data(bytes))
    } catch {
      throw .content(DescriptionError(error, at: []))
    }
  }
}
