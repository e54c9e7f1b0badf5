// SPDX-License-Identifier: MIT
package import Murmuration

extension SplitMix64 {
  /// A playback of any kind: at any speed, also 0, repeated or not, autoreversing or not.
  ///
  /// - Parameter time: A time near which it may start; nil if it starts with the call.
  package mutating func playback(near time: Double? = nil) -> Playback {
    var playback = Playback()
    if let time, unit() < 0.3 { playback.start = time + uniform(-2...2) }
    if unit() < 0.3 { playback.delay = uniform(-0.5...1.5) }
    if unit() < 0.6 { playback.speed = uniform(-2...3) }
    if unit() < 0.05 { playback.speed = 0 }
    if unit() < 0.7 { playback.repetition = unit() < 0.5 ? .forever : .count(1 + Int(next() % 4)) }
    playback.autoreverses = unit() < 0.5
    if unit() < 0.3 { playback.timeOffset = uniform(-1...5) }
    playback.holdsBefore = unit() < 0.5
    playback.holdsAfter = unit() < 0.5
    return playback
  }
}
