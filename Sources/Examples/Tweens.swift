// SPDX-License-Identifier: MIT
import Murmuration

/// The features of tween libraries: eases, delays, repeats, ending a tween early, and noticing its end.
enum Tweens {
  static func run() throws -> Sketch {
    var batch = try AnimationBatch<Float>()
    batch.reports = .iterations
    let lanes = try batch.add([Float](repeating: 10, count: 6))
    let ends = [Float](repeating: 140, count: 3)

    // One curve for three values, each a little later than the one before.
    try batch.animate(Array(lanes[0..<3]), to: ends, .easeInOut(duration: 0.8), delays: [0, 0.1, 0.2])
    // There and back three times.
    try batch.animate(lanes[3], to: 140, .easeOut(duration: 0.4).repeatCount(3, autoreverses: true))
    // A curve of one's own.
    try batch.animate(lanes[4], to: 140, .timingCurve(0.6, -0.4, 0.3, 1.4, duration: 1))
    // Without end, until somebody kills it.
    try batch.animate(lanes[5], to: 140, .linear(duration: 0.5).repeatForever(autoreverses: true))

    var sketch = Sketch(150, 100)
    for frame in 0...84 {
      if frame == 60 {
        try batch.stop([lanes[5]])  // stays where it is
        print("killed at \(batch[lanes[5]] ?? 0)")
      }
      try batch.advance(to: Double(frame) / 60)
      for event in batch.events where event.kind == .logicallyComplete {
        print("lane \(event.track.index) is complete, at \(event.moment) s")
      }
      if frame % 21 == 0 {
        sketch.panel("\(frame) frames")
        for (index, lane) in lanes.enumerated() { sketch.dot([batch[lane] ?? 0, 12 + 15 * Float(index)], 5) }
      }
    }
    return sketch
  }
}
