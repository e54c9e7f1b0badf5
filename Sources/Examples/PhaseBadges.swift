// SPDX-License-Identifier: MIT
import Murmuration

/// Badges that go through phases: some pulse for ever, others run once through their phases when something happens.
enum PhaseBadges {
  /// The phases of a pulse, with the scale and the height of a badge in each.
  enum Beat: CaseIterable {
    case rest, swell, sink

    var target: SIMD2<Float> {
      switch self {
      case .rest: [1, 0]
      case .swell: [1.4, 0]
      case .sink: [0.8, 0]
      }
    }
  }

  /// The phases of a badge with news.
  enum Alert: CaseIterable {
    case calm, up, shake, down

    var target: SIMD2<Float> {
      switch self {
      case .calm: [1, 0]
      case .up: [1.2, -30]
      case .shake: [1.6, -30]
      case .down: [1, 4]
      }
    }
  }

  static func run() throws -> Sketch {
    // A badge's scale and height.
    var batch = try AnimationBatch<SIMD2<Float>>()
    batch.reports = .phases
    let pulse = try PhaseSequence(
      Beat.allCases, target: \.target,
      animation: { $0 == .rest ? .smooth(duration: 0.4) : .bouncy(duration: 0.3) })
    let alert = try PhaseSequence(
      Alert.allCases, target: \.target,
      animation: { $0 == .shake ? .easeInOut(duration: 0.15) : .snappy(duration: 0.3) })

    let badges = try batch.add([SIMD2<Float>](repeating: [1, 0], count: 10))
    // The upper row pulses, each badge a little later than its neighbour; the lower one waits.
    try batch.play(try batch.load(pulse), on: Array(badges[0..<5]), startingAt: (0..<5).map { 0.12 * Double($0) })
    try batch.play(try batch.load(alert), on: Array(badges[5..<10]), .triggered)

    var (sketch, steps) = (Sketch(150, 110), 0)
    for frame in 0...90 {
      if frame == 15 { try batch.trigger([badges[6]]) }
      if frame == 30 { try batch.trigger([badges[8], badges[9]]) }
      try batch.advance(to: Double(frame) / 60)
      for event in batch.events {
        if event.kind == .phase { steps += 1 }
        if event.kind == .settled { print("badge \(event.track.index) is back at rest after \(event.moment) s") }
      }
      if [0, 20, 34, 46, 90].contains(frame) {
        sketch.panel("\(frame) frames")
        for (index, badge) in badges.enumerated() {
          let (value, row) = (batch[badge] ?? .zero, index / 5)
          let center = SIMD2<Float>(20 + 27 * Float(index % 5), row == 0 ? 30 : 85 + value.y)
          sketch.dot(center, 8 * value.x, row == 0 ? "#db2777" : "#2563eb", opacity: 0.8)
        }
      }
    }
    print("\(steps) steps; badge 0 is in phase \(batch.phase(of: badges[0]) ?? 0)")
    return sketch
  }
}
