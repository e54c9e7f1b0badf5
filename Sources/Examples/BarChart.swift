// SPDX-License-Identifier: MIT
import Murmuration

/// A bar chart whose data changes: bars grow one after the other, new ones enter, old ones leave and are removed.
enum BarChart {
  /// A bar's left edge, height and opacity.
  typealias Bar = SIMD3<Float>

  static func run() throws -> Sketch {
    var batch = try AnimationBatch<Bar>()
    var bars: [String: TrackHandle] = [:]
    var leaving: Set<TrackHandle> = []

    /// Sends the chart to new data.
    func show(_ data: [(name: String, value: Float)]) throws {
      let names = Set(data.map(\.name))
      for (name, bar) in bars where !names.contains(name) {
        // It shrinks where it stands, and goes when the motion is complete.
        var goal = batch.target(of: bar) ?? .zero
        (goal.y, goal.z) = (0, 0)
        try batch.animate(bar, to: goal, .easeIn(duration: 0.3))
        leaving.insert(bar)
        bars[name] = nil
      }
      for (index, entry) in data.enumerated() {
        let goal = Bar(10 + 22 * Float(index), entry.value, 1)
        let bar = try bars[entry.name] ?? batch.add(Bar(goal.x, 0, 0))
        bars[entry.name] = bar
        // A stagger: each bar a little later than its neighbour.
        try batch.animate([bar], to: [goal], .bouncy(duration: 0.6), delays: [0.04 * Double(index)])
      }
    }

    var sketch = Sketch(150, 130)
    for frame in 0...120 {
      if frame == 0 { try show([("ant", 40), ("bee", 90), ("cat", 65), ("dog", 110), ("eel", 30)]) }
      if frame == 60 { try show([("bee", 50), ("dog", 95), ("fox", 115), ("ant", 80), ("gnu", 60), ("hen", 20)]) }
      try batch.advance(to: Double(frame) / 60)
      for event in batch.events where event.kind == .settled && leaving.remove(event.track) != nil {
        try batch.remove(event.track)
      }
      if [6, 14, 60, 68, 120].contains(frame) {
        sketch.panel("\(frame) frames, \(batch.count) bars")
        for index in 0..<batch.indexCount {
          guard let handle = batch.handle(at: index), let bar = batch[handle] else { continue }
          sketch.box(
            [bar.x, 125 - bar.y], [18, bar.y], leaving.contains(handle) ? "#dc2626" : "#2563eb", opacity: bar.z)
        }
      }
    }
    return sketch
  }
}
