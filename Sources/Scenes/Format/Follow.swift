// SPDX-License-Identifier: MIT
package import Formats

/// Targets that follow recorded data: track i follows channel i, and after the last channel the first one again.
///
/// In two dimensions track i follows channels 2i and 2i+1, and so on. Each recorded frame is a retarget at its own time.
package struct Follow: Equatable, Sendable, Decodable {
  /// The file's name; it stands beside the scene file.
  package var file: String
  /// Recorded frames per second; nil for the rate that the file states, or 60 if it states no rate.
  package var framesPerSecond: Double?
  /// The factor by which each value is multiplied.
  package var scale: Double

  /// The rate of a recording that states no rate.
  package static let defaultFramesPerSecond = 60.0

  /// The keys of a follow.
  package enum Key: String, CodingKey, CaseIterable { case file, framesPerSecond, scale }

  /// A follow put together in code.
  package init(file: String, framesPerSecond: Double? = nil, scale: Double = 1) {
    self.file = file
    self.framesPerSecond = framesPerSecond
    self.scale = scale
  }

  /// Reads a follow, strictly.
  package init(from decoder: any Decoder) throws(DescriptionError) {
    let fields = try StrictFields<Key>(decoder)
    file = try fields.value(.file)
    framesPerSecond = try fields.optionalNumber(.framesPerSecond, .frameRate)
    scale = try fields.number(.scale, NumberRule("within ±1e6") { abs($0) <= 1e6 }, default: 1)
    // A scene of unknown origin must not make the reader open files outside of its folder.
    guard !file.isEmpty, file.utf8.count <= 255, file != ".", file != "..",
      !file.unicodeScalars.contains(where: { $0 == "/" || $0 == "\\" || $0.properties.generalCategory == .control })
    else { throw fields.error(.file, "must be the plain name of a file beside the scene, without a folder") }
  }

  /// The recorded frames per second of `recording`.
  func rate(of recording: Recording) -> Double {
    framesPerSecond ?? recording.framesPerSecond ?? Follow.defaultFramesPerSecond
  }
}
