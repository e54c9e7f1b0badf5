// SPDX-License-Identifier: MIT
import Foundation
import Murmuration

/// Particles that are emitted, move, come to rest and are removed.
enum Burst {
  static func run() throws -> Sketch {
    var sparks = Particles()
    let position = try sparks.addProperty(SIMD2<Float>.self)
    let opacity = try sparks.addProperty(Float.self)

    var sketch = Sketch(150, 150)
    var most = 0
    for frame in 0..<150 {
      if frame % 30 == 0, frame < 90 {
        // Two hundred sparks from one point, each with a goal of its own: one call.
        let center: SIMD2<Float> = [[50, 60], [100, 50], [75, 100]][frame / 30]
        let goals = (0..<200).map { spark in
          let (angle, reach) = (2.4 * Float(spark), 3.2 * Float(spark).squareRoot())
          return center + reach * SIMD2(cos(angle), sin(angle))
        }
        try sparks.add(
          position.start(at: [SIMD2<Float>](repeating: center, count: 200), to: goals, .bouncy),
          opacity.start(
            at: [Float](repeating: 1, count: 200), to: [Float](repeating: 0, count: 200), .smooth(duration: 1.5)))
      }
      try sparks.advance(to: Double(frame) / 60)
      most = max(most, sparks.count)
      // A particle is removed when all its properties are at rest.
      let removed = sparks.removeSettled()
      if removed > 0 { print("frame \(frame): \(removed) sparks removed, \(sparks.count) left") }
      if [5, 15, 35, 65, 95].contains(frame) {
        sketch.panel("\(frame) frames")
        for index in stride(from: 0, to: sparks.indexCount, by: 2) {
          guard let spark = sparks.handle(at: index), let center = sparks[position][spark] else { continue }
          sketch.dot(center, 1.5, "#ea580c", opacity: sparks[opacity][spark] ?? 0)
        }
      }
    }
    print("At most \(most) sparks lived at once; \(sparks.count) are left.")
    return sketch
  }
}
