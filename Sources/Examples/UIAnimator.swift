// SPDX-License-Identifier: MIT
import Murmuration

/// A small retained user interface that animates as `withAnimation` does: changes of properties, interruption, completion.
enum UIAnimator {
  /// The properties of views, each a track; changes within `withAnimation` move, others jump.
  struct Interface: ~Copyable {
    private var batch: AnimationBatch<SIMD4<Float>>
    private var animation: Animation?
    /// The number of the latest block, the block of each change under way, and the changes that a block waits for.
    private var block = 0
    private var blocks: [UInt32: Int] = [:]
    private var left: [Int: Int] = [:]
    private var completions: [Int: () -> Void] = [:]

    init() throws { batch = try AnimationBatch() }

    /// A view with a frame: x, y, width, height.
    mutating func add(_ frame: SIMD4<Float>) throws -> TrackHandle { try batch.add(frame) }

    /// The frame that is shown. Setting it animates it within `withAnimation`.
    func frame(of view: TrackHandle) -> SIMD4<Float> { batch[view] ?? .zero }

    mutating func set(_ view: TrackHandle, to frame: SIMD4<Float>) throws {
      let before = batch.latestChange
      let change = try batch.animate(view, to: frame, animation)
      // A view that heads for this frame already goes on as before.
      guard animation != nil, change != before else { return }
      blocks[change] = block
      left[block, default: 0] += 1
    }

    /// Runs changes with an animation, and calls `completion` when all of them are logically complete.
    mutating func withAnimation(
      _ animation: Animation, completion: @escaping () -> Void = {}, _ changes: (inout Interface) throws -> Void
    ) throws {
      block += 1
      self.animation = animation
      try changes(&self)
      self.animation = nil
      if left[block] != nil { completions[block] = completion }
    }

    mutating func advance(to time: Double) throws {
      try batch.advance(to: time)
      for event in batch.events where event.kind == .logicallyComplete {
        guard let block = blocks.removeValue(forKey: event.change), let others = left[block].map({ $0 - 1 }) else {
          continue
        }
        left[block] = others > 0 ? others : nil
        if others == 0 { completions.removeValue(forKey: block)?() }
      }
    }
  }

  static func run() throws -> Sketch {
    var interface = try Interface()
    let views = try (0..<4).map { try interface.add([10, 10 + 34 * Float($0), 40, 26]) }
    var sketch = Sketch(150, 150)
    for frame in 0...72 {
      switch frame {
      case 0:
        try interface.withAnimation(.bouncy, completion: { print("never printed: interrupted") }) { interface in
          for (index, view) in views.enumerated() {
            try interface.set(view, to: [100, 10 + 34 * Float(index), 40, 26])
          }
        }
      case 12:
        // An interruption: each view goes on from where it is, as fast as it is.
        try interface.withAnimation(.smooth, completion: { print("the grid is complete") }) { interface in
          for (index, view) in views.enumerated() {
            try interface.set(view, to: [10 + 68 * Float(index % 2), 10 + 68 * Float(index / 2), 62, 62])
          }
        }
      default: break
      }
      try interface.advance(to: Double(frame) / 60)
      if [0, 11, 17, 24, 72].contains(frame) {
        sketch.panel("\(frame) frames")
        for view in views {
          let frame = interface.frame(of: view)
          sketch.box([frame.x, frame.y], [frame.z, frame.w], opacity: 0.7)
        }
      }
    }
    return sketch
  }
}
