// SPDX-License-Identifier: MIT
import Foundation
import Murmuration

/// The program of the tutorial: a thousand tracks, from the first call to a picture. The lines `example:` begin its steps.
enum FirstTracks {
  static func run() throws -> Sketch {
    // example: Sources/Murmuration/Murmuration.docc/Articles/FirstTracks.md
    // 1. A batch, and a thousand dots in rows.
    var batch = try AnimationBatch<SIMD2<Float>>()
    let rows = (0..<1_000).map { SIMD2<Float>(11 + 2.6 * Float($0 % 50), 20 + 5.5 * Float($0 / 50)) }
    let dots = try batch.add(rows)
    print("\(batch.count) dots; the first is at \(batch[dots[0]] ?? .zero)")

    // example: Sources/Murmuration/Murmuration.docc/Articles/FirstTracks.md
    // 2. A picture of what the batch shows: every third dot.
    var sketch = Sketch(150, 150)
    func draw(_ title: String) {
      sketch.panel(title)
      for index in stride(from: 0, to: dots.count, by: 3) {
        guard let place = batch[dots[index]] else { continue }
        sketch.dot(place, 1.5, index % 2 == 0 ? "#dc2626" : "#2563eb")
      }
    }
    draw("rows")

    // example: Sources/Murmuration/Murmuration.docc/Articles/FirstTracks.md
    // 3. Goals: a disc. One call sends all dots.
    let disc = (0..<1_000).map { index in
      let (angle, radius) = (2.4 * Float(index), 1.9 * Float(index).squareRoot())
      return SIMD2<Float>(75 + radius * cos(angle), 75 + radius * sin(angle))
    }
    try batch.animate(dots, to: disc, .bouncy)

    // example: Sources/Murmuration/Murmuration.docc/Articles/FirstTracks.md
    // 4. Time passes, frame by frame.
    for frame in 1...12 {
      try batch.advance(to: Double(frame) / 60)
      if frame == 6 { draw("0.1 s: on the way") }
    }

    // example: Sources/Murmuration/Murmuration.docc/Articles/FirstTracks.md
    // 5. Half of the dots are sent elsewhere before they arrive.
    let red = stride(from: 0, to: dots.count, by: 2).map { dots[$0] }
    let ring = red.indices.map { index in
      let angle = 2 * Float.pi * Float(index) / Float(red.count)
      return SIMD2<Float>(75 + 70 * cos(angle), 75 + 70 * sin(angle))
    }
    let (place, velocity) = (batch[red[0]], batch.velocity(of: red[0]))
    let change = try batch.animate(red, to: ring, .smooth(duration: 0.8))
    print("no jump:", batch[red[0]] == place && batch.velocity(of: red[0]) == velocity)
    try batch.advance(to: 0.4)
    draw("0.4 s: red turns round")

    // example: Sources/Murmuration/Murmuration.docc/Articles/FirstTracks.md
    // 6. The events of each frame say what has ended.
    var (arrived, last) = (0, 0.0)
    for frame in 25...180 {
      try batch.advance(to: Double(frame) / 60)
      for event in batch.events where event.kind == .settled && event.change == change {
        (arrived, last) = (arrived + 1, event.moment)
      }
    }
    print("\(arrived) dots rest on the ring, the last one since \(last) s")
    draw("3 s: at rest")

    // example: Sources/Murmuration/Murmuration.docc/Articles/FirstTracks.md
    // 7. Removed tracks leave; the handles of the others stay good.
    try batch.remove(red)
    print("\(batch.count) dots are left; red[0] has \(batch[red[0]] == nil ? "no" : "a") value")
    draw("without red")
    return sketch
    // end
  }
}
