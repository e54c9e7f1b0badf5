// SPDX-License-Identifier: MIT
import Murmuration

/// A small retained user interface that animates as `withAnimation` does: changes of properties, interruption, completion.
enum UIAnimator {
  /// Changes that were made together, and what is to happen when all of them are complete.
  private final class Block {
    var left = 0
    let completion: () -> Void
    init(_ completion: @escaping () -> Void) { self.completion = completion }
  }

  /// The properties of views, each a track; changes within `withAnimation` move, others jump.
  struct Interface: ~Copyable {
    private var batch: AnimationBatch<SIMD4<Float>>
    private var current: (animation: Animation, block: Block)?
    private var blocks: [ChangeID: Block] = [:]

    init() throws { batch = try AnimationBatch() }

    /// A view with a frame: x, y, width, height.
    mutating func add(_ frame: SIMD4<Float>) throws -> TrackHandle { try batch.add(frame) }

    /// The frame that is shown. Setting it animates it within `withAnimation`.
    func frame(of view: TrackHandle) -> SIMD4<Float> { batch[view] ?? .zero }

    mutating func set(_ view: TrackHandle, to frame: SIMD4<Float>) throws {
      guard let (animation, block) = current else { return _ = try batch.animate(view, to: frame, nil) }
      blocks[try batch.animate(view, to: frame, animation, completion: .logicallyComplete)] = block
      block.left += 1
    }

    /// Runs changes with an animation, and calls `completion` when all of them are logically complete.
    mutating func withAnimation(
      _ animation: Animation, completion: @escaping () -> Void = {}, _ changes: (inout Interface) throws -> Void
    ) throws {
      current = (animation, Block(completion))
      defer { current = nil }
      try changes(&self)
    }

    mutating func advance(to time: Double) throws {
      try batch.advance(to: time)
      for outcome in batch.outcomes {
        guard let block = blocks.removeValue(forKey: outcome.change), outcome.isComplete else { continue }
        block.left -= 1
        if block.left == 0 { block.completion() }
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
