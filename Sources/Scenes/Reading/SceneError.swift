// SPDX-License-Identifier: MIT
import Text

/// What is wrong with a scene, a recording or an output: which file, where in it, and why.
///
/// It reads as one line, for example `scene.json: groups[2].spring.bounce: must be in (−1, 1], is 3`.
package struct SceneError: Error, Equatable, CustomStringConvertible {
  /// The file as the user named it; nil where the error is not about a file (a command-line option, a built-in scene).
  package var file: String?
  /// The place: a path of keys (`groups[2].count`), `line 7`, `byte 128`, an option (`--frames`); empty for the whole.
  package var place: String
  /// The reason, a phrase without a full stop.
  package var reason: String

  /// An error about `place` in `file`.
  package init(file: String? = nil, place: String = "", _ reason: String) {
    self.file = file
    self.place = place
    self.reason = reason
  }

  /// File, place and reason, with a colon between those that there are.
  package var description: String {
    [file?.printable ?? "", place, reason].filter { !$0.isEmpty }.joined(separator: ": ")
  }

  /// This error with the file it happened in, unless it names one already.
  package func inFile(_ name: String) -> SceneError {
    var copy = self
    if copy.file == nil { copy.file = name }
    return copy
  }
}
