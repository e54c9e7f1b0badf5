// SPDX-License-Identifier: MIT

extension FileError {
  /// The error for refused JSON text.
  package init(_ error: JSONDocumentError) {
    switch error {
    case .syntax(let syntax): self.init(place: syntax.place, syntax.reason)
    case .content(let content): self.init(place: content.place, content.reason)
    }
  }
}
