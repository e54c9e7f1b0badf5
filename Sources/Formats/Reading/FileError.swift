// SPDX-License-Identifier: MIT
import Text

/// The fault of a scene, a recording or an output: the file, the place in it, and the reason.
///
/// It reads as one line, for example `scene.json: groups[2].spring.bounce: must be in (−1, 1], is 3`.
public struct FileError: Error, Equatable, CustomStringConvertible {
  /// The file as the user named it; nil if the error is not about a file (a command-line option, a built-in scene).
  public var file: String?
  /// The place: a path of keys (`groups[2].count`), `line 7`, `byte 128`, an option (`--frames`); empty for the whole.
  public var place: String
  /// The reason, a phrase without a full stop.
  public var reason: String

  /// An error about `place` in `file`.
  public init(file: String? = nil, place: String = "", _ reason: String) {
    self.file = file
    self.place = place
    self.reason = reason
  }

  /// File, place and reason, separated by colons; those that are missing are left out.
  public var description: String {
    [file?.printable ?? "", place, reason].filter { !$0.isEmpty }.joined(separator: ": ")
  }

  /// This error with the name of its file, unless it names a file already.
  package func inFile(_ name: String) -> FileError {
    var copy = self
    if copy.file == nil { copy.file = name }
    return copy
  }
}
