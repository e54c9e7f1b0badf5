// SPDX-License-Identifier: MIT
import Formats

extension Follow {
  /// The targets from frame `frame` of `recording`: component-major.
  func targets(_ recording: Recording, frame: Int, count: Int, dimensions: Int) -> [Float] {
    var targets = [Float](repeating: 0, count: count * dimensions)
    for component in 0..<dimensions {
      var channel = component % recording.channels
      let step = dimensions % recording.channels
      for track in 0..<count {
        // Scaled in Double, so that a scale of 1 changes no bit.
        targets[component * count + track] = Float(Double(recording.value(frame: frame, channel: channel)) * scale)
        channel += step
        if channel >= recording.channels { channel -= recording.channels }
      }
    }
    return targets
  }
}
