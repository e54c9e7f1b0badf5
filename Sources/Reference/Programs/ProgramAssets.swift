// SPDX-License-Identifier: MIT
import Murmuration

/// The clips and phases that a batch is given before a program begins. They follow from a seed.
struct ProgramAssets: Sendable {
  let dimensions: Int
  /// The clips; the first one can be made anew from other values.
  private(set) var clips: [ClipContent] = []
  let restartableClips: Range<Int>
  /// The phases, and whether they loop.
  let plan: PhasePlan
  let loops: Bool
  /// The batch's names of the clips.
  var clipIDs: [ClipID] = []

  init(seed: UInt64, dimensions: Int) throws(ClipError) {
    self.dimensions = dimensions
    var timeline = RandomTimeline(seed: seed)
    (timeline.allowsJumpingCurves, timeline.allowsUprightCurves) = (false, false)
    timeline.allowsShortKeyframes = false
    for _ in 0..<3 { clips.append(try timeline.content(dimensions: dimensions)) }
    restartableClips = clips.indices
    clips.append(ClipContent(try Self.jump(dimensions: dimensions)))
    var random = SplitMix64(seed: seed ^ 0x5A5A)
    var targets: [[Float]] = []
    var animations: [Animation?] = []
    let hasSpringsAlone = random.next() & 1 == 0
    for phase in 0..<2 + Int(random.next() % 4) {
      let isStill = phase > 0 && random.unit() < 0.15
      targets.append(isStill ? targets[phase - 1] : (0..<dimensions).map { _ in Float(random.uniform(-100...100)) })
      let spring = Animation.spring(duration: random.uniform(0.1...0.8), bounce: random.uniform(-0.6...0.7))
      let curve = Animation.easeInOut(duration: random.uniform(0.1...0.8))
      animations.append(random.unit() < 0.1 ? nil : hasSpringsAlone || random.next() & 1 == 0 ? spring : curve)
    }
    plan = PhasePlan(targets: targets, animations: animations)
    loops = random.next() & 1 == 0
  }

  /// A clip of no length, which jumps in its one instant.
  private static func jump(dimensions: Int) throws(ClipError) -> Clip {
    let track = PieceTrack(components: [0], times: [0, 0, 0], pieces: [[SIMD4(1, 0, 0, 0), SIMD4(2, 0, 0, 0)]])
    return try Clip(
      dimensions: dimensions, initialValues: [Double](repeating: 3, count: dimensions), tracks: [track])
  }
}

extension RandomTimeline {
  /// A clip of timelines, one for each dimension, of which there are at most four.
  mutating func content(dimensions: Int) throws(ClipError) -> ClipContent {
    let values = (0..<dimensions).map { _ in number() }
    let tracks = (0..<dimensions).map { _ in sequence(count: 1 + Int(random.next() % 5)) { $0.number() } }
    let clip =
      switch dimensions {
      case 1: try Clip(initialValue: values[0]) { [track = tracks[0]] _ in KeyframeTrack(\Double.self) { track } }
      case 2: try Self.clip(SIMD2(values), tracks)
      case 3: try Self.clip(SIMD3(values), tracks)
      default: try Self.clip(SIMD4(values), tracks)
      }
    return ClipContent(clip) { dimension, value, velocity in
      guard let velocity else {
        return KeyframeTimeline(initialValue: value) { KeyframeTrack(\Double.self) { tracks[dimension] } }
      }
      return KeyframeTimeline(initialValue: value, initialVelocity: velocity) {
        KeyframeTrack(\Double.self) { tracks[dimension] }
      }
    }
  }

  private static func clip<Value: SIMD & Animatable & Sendable>(
    _ initialValue: Value, _ tracks: [KeyframeSequence<Double>]
  ) throws(ClipError) -> Clip where Value.Scalar == Double, Value.AnimatableData: ComponentVector {
    try Clip(initialValue: initialValue) { _ in
      for index in tracks.indices {
        KeyframeTrack(\Value.[index]) { tracks[index] }
      }
    }
  }
}
