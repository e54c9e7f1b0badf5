// SPDX-License-Identifier: MIT
package import Formats

/// A sequence of keyframes as JSON describes it: an array of ``KeyframeDescription``, which may be empty.
package struct TrackDescription: Decodable, Equatable, Sendable {
  /// The keyframes, in the order they play.
  package let keyframes: [KeyframeDescription]

  /// A track of these keyframes.
  package init(keyframes: [KeyframeDescription]) { self.keyframes = keyframes }

  /// Reads an array of keyframes.
  package init(from decoder: any Decoder) throws(DescriptionError) {
    var container: any UnkeyedDecodingContainer
    do {
      container = try decoder.unkeyedContainer()
    } catch {
      throw DescriptionError(at: decoder.codingPath, reason: "must be an array of keyframes, is \(decoder.foundKind)")
    }
    var keyframes: [KeyframeDescription] = []
    while !container.isAtEnd {
      do {
        keyframes.append(try container.decode(KeyframeDescription.self))
      } catch {
        throw DescriptionError(error, at: container.codingPath)
      }
    }
    self.keyframes = keyframes
  }
}
