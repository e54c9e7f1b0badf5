// SPDX-License-Identifier: MIT
@testable import Formats
import Scenes
import Testing

/// The value that a text describes, or the error as text.
func described<T: Decodable>(_ text: String, as type: T.Type = T.self) -> Result<T, JSONDocumentError> {
  do {
    return .success(try JSONDocument.decode(from: Array(text.utf8)))
  } catch {
    return .failure(error)
  }
}

/// Expects that a description is refused with a message.
func expectComplaint<T: Decodable>(_ text: String, as type: T.Type, _ message: String) {
  let complaint =
    switch described(text, as: type) {
    case .success: "accepted"
    case .failure(let error): error.description
    }
  #expect(complaint.hasPrefix(message), "\(text): \(complaint)")
}
