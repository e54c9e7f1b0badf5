// SPDX-License-Identifier: MIT
import Murmuration

/// A ring of snapshots behind a slider of time: the user drags it back, and the program goes on from there.
enum TimeSlider {
  /// The last seconds of a batch, in memory that is used again.
  private struct History {
    private var ring: [BatchSnapshot] = []
    private var next = 0
    let capacity: Int

    init(capacity: Int) { self.capacity = capacity }

    mutating func keep(_ batch: borrowing AnimationBatch<SIMD2<Float>>) throws {
      if ring.count < capacity {
        ring.append(try batch.snapshot())
      } else {
        try batch.snapshot(into: &ring[next])
      }
      next = (next + 1) % capacity
    }

    /// The latest moment that is not after a time.
    func moment(at time: Double) -> BatchSnapshot? {
      ring.filter { $0.time <= time }.max { $0.time < $1.time }
    }
  }

  static func run() throws -> Sketch {
    var batch = try AnimationBatch<SIMD2<Float>>()
    let middle = SIMD2<Float>(75, 75)
    let places = (0..<400).map { SIMD2<Float>(Float($0 % 20) - 9.5, Float($0 / 20) - 9.5) }
    let dots = try batch.add(places.map { middle + 2 * $0 })
    let goals = places.map { middle + 6.4 * $0 }
    try batch.animate(dots, to: goals, .bouncy(duration: 0.8), delays: .over(1.2, from: .center, columns: 20))
    var history = History(capacity: 120)
    var sketch = Sketch(150, 150)
    func show(_ title: String) {
      sketch.panel(title)
      for dot in dots { sketch.dot(batch[dot] ?? .zero, 1) }
    }
    for frame in 0..<150 {
      try batch.advance(to: Double(frame) / 60)
      try history.keep(batch)
    }
    show("2.5 s")
    for time in [1.5, 1.0, 0.6] {
      guard let moment = history.moment(at: time) else { continue }
      try batch.restore(moment)
      show("back to \(time) s")
    }
    try batch.retarget(.all, to: [75, 75])
    try batch.advance(by: 0.25)
    show("and on from there")
    return sketch
  }
}
