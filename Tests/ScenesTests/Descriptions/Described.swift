// SPDX-License-Identifier: MIT
@testable import Formats
import Scenes

/// The value that a text describes, or the error as text.
func described<T: Decodable>(_ text: String, as type: T.Type = T.self) -> Result<T, JSONDocumentError> {
  do {
    return .success(try JSONDocument.decode(from: Array(text.utf8)))
  } catch {
    return .failure(error)
  }
}

/// The error of a description, or "accepted".
func complaint<T: Decodable>(_ text: String, as type: T.Type) -> String {
  switch described(text, as: type) {
  case .success: "accepted"
  case .failure(let error): error.description
  }
}
