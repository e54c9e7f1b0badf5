// SPDX-License-Identifier: MIT
import Murmuration

/// One value and many: the same spring by hand and in a batch, sent elsewhere on its way.
enum HelloSpring {
  static func run() throws -> Sketch {
    // One value, at any time: the model.
    print("The model after 0.25 s:", Spring.bouncy.value(target: 100.0, time: 0.25))

    // A thousand values: a batch, advanced frame by frame.
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([Float](repeating: 0, count: 1_000))
    try batch.animate(tracks, to: [Float](repeating: 100, count: 1_000), .bouncy)

    var way: [SIMD2<Float>] = []
    for frame in 0...90 {
      if frame == 10 {
        // A track that is sent elsewhere keeps its value and its velocity: no corner in the curve.
        try batch.animate(tracks[0], to: 20, .smooth)
      }
      try batch.advance(to: Double(frame) / 60)
      way.append([Float(frame) * 3, 130 - (batch[tracks[0]] ?? 0)])
      if frame == 15 { print("The batch after 0.25 s:", batch[tracks[1]] ?? 0) }
    }
    print("Track 1 has come to rest:", batch.isAtRest(tracks[1]) ?? false)

    var sketch = Sketch(270, 150)
    sketch.panel("A bouncy spring to 100, sent to 20 on its way")
    sketch.line(way)
    return sketch
  }
}
