// SPDX-License-Identifier: MIT
import Murmuration

/// A game over a network plays frames before it has every input. When an input of an earlier frame comes, it goes back to that
/// frame and plays it and the later ones again. It shows the bits of a game that had the input in time.
enum Rollback {
  struct OtherBits: Error {}

  /// A game that keeps the state before each of its latest frames.
  private struct Game: ~Copyable {
    private var batch: AnimationBatch<SIMD2<Float>>
    private let dots: [TrackHandle]
    private var moments: [BatchSnapshot] = []
    /// The push that the player gives in a frame.
    private var inputs: [Int: SIMD2<Float>] = [:]
    private(set) var path: [[SIMD2<Float>]] = []

    init() throws {
      var batch = try AnimationBatch<SIMD2<Float>>()
      let dots = try batch.add((0..<7).map { SIMD2(12, 14 + 18 * Float($0)) })
      try batch.animate(dots, to: (0..<7).map { SIMD2(160, 122 - 18 * Float($0)) }, .bouncy(duration: 0.3))
      self.batch = batch
      self.dots = dots
    }

    mutating func play(_ frame: Int) throws {
      moments.append(try batch.snapshot())
      if let push = inputs[frame] { try batch.push(dots, by: push) }
      try batch.advance(to: Double(frame + 1) / 30)
      path.append(dots.map { batch[$0] ?? .zero })
    }

    mutating func receive(_ push: SIMD2<Float>, ofFrame frame: Int) throws {
      inputs[frame] = push
      guard frame < moments.count else { return }
      try batch.restore(moments[frame])
      let played = moments.count
      moments.removeSubrange(frame...)
      path.removeSubrange(frame...)
      for frame in frame..<played { try play(frame) }
    }
  }

  static func run() throws -> Sketch {
    var game = try Game()
    for frame in 0..<10 { try game.play(frame) }
    let guess = game.path
    try game.receive([0, 420], ofFrame: 3)  // seven frames late

    var other = try Game()
    try other.receive([0, 420], ofFrame: 3)
    for frame in 0..<10 { try other.play(frame) }
    guard game.path == other.path else { throw OtherBits() }
    print("10 frames, 7 of them twice: the same bits as with an input in time")

    var sketch = Sketch(180, 150)
    for (title, path) in [("before the input came", guess), ("played again", game.path), ("in time", other.path)] {
      sketch.panel(title)
      for dot in 0..<7 { sketch.line(path.map { $0[dot] }) }
    }
    return sketch
  }
}
