// SPDX-License-Identifier: MIT
import Murmuration

/// A drag that goes on with the velocity of the finger: as a throw, or with a spring to where the throw would end.
enum DragAndFling {
  static func run() throws -> Sketch {
    var batch = try AnimationBatch<SIMD2<Float>>()
    let cards = try batch.add([[20, 40], [20, 110]])
    var finger = try VelocityTrackers(count: 2, dimensions: 2)

    // The drag, as samples of the pointer: column x of both cards, then column y.
    var dragged: [SIMD2<Float>] = []
    for sample in 0...8 {
      let x = 20 + 0.55 * Float(sample * sample)
      try finger.record([x, x, 40, 110].span, at: Double(sample) / 120)
      try batch.advance(to: Double(sample) / 120)
      dragged.append([x, 40])
    }
    var velocities = [Float](repeating: 0, count: 4)
    try finger.velocities(at: batch.time, into: &velocities)
    let (x, speed) = (dragged[8].x, SIMD2<Float>(velocities[0], velocities[2]))
    try batch.set(cards, [[x, 40], [x, 110]], velocities: [speed, speed])

    // The upper card slides until friction stops it. The lower one snaps to a multiple of 50 near the place where it
    // would have stopped, and its spring takes the velocity over.
    let end = try batch.projectedEnd(of: cards[1], by: .fast) ?? .zero
    try batch.decelerate([cards[0]], by: .fast)
    try batch.animate(cards[1], to: [(end.x / 50).rounded() * 50, 110], .bouncy)
    print("velocity \(speed.x) points a second; a throw ends at \(end.x)")

    var trails = [dragged, dragged.map { [$0.x, 110] }]
    for _ in 1...120 {
      try batch.advance(by: 1.0 / 120)
      for (index, card) in cards.enumerated() { trails[index].append(batch[card] ?? .zero) }
    }
    var sketch = Sketch(270, 150)
    sketch.panel("Dragged to the line; then thrown, or sent on")
    sketch.line([[x, 0], [x, 150]], "#dc2626")
    for trail in trails { for point in trail { sketch.dot(point, 3, opacity: 0.3) } }
    return sketch
  }
}
