// SPDX-License-Identifier: MIT
import Benchmark
import Murmuration

/// Something that goes on from frame to frame, and can tell whether it shows what it must.
private protocol Player: AnyObject {
  /// The next frame, with the calls that come with it.
  func frame() throws
  /// Whether what is shown is right.
  func isRight() throws -> Bool
}

/// What plays by itself: frames of it without an allocation, once there is room.
func registerPlayBenchmarks() {
  registerPlayer("clip.forward.10000", warmUp: 600) { try Instances() }
  registerPlayer("curve.repeating.10000", warmUp: 600) { try RepeatingCurves() }
  registerPlayer("curve.again.10000", warmUp: 1_200) { try CurvesThatSetOutAgain() }
  registerPlayer("phase.springs.10000", warmUp: 1_200) {
    try LoopingPhases(.bouncy(duration: 0.4), .smooth(duration: 0.5), .snappy(duration: 0.3))
  }
  registerPlayer("phase.tiles.10000", warmUp: 1_200) {
    try LoopingPhases(.bouncy(duration: 0.4), .spring(duration: 0.5, bounce: -0.3), .snappy(duration: 0.3))
  }
  registerPlayer("phase.curves.10000", warmUp: 1_200) {
    try LoopingPhases(.easeIn(duration: 0.4), .easeOut(duration: 0.5), .linear(duration: 0.3))
  }
  registerPlayer("phase.triggered.10000", warmUp: 1_200) { try TriggeredPhases() }
  registerPlayer("sampler.clock.10000", warmUp: 10) { try Sampled() }
  registerPlayer("mixer.100", warmUp: 10) { try Mixed() }
  registerPlayer("modal.cloths.20", warmUp: 600) { try Cloths() }
}

private func registerPlayer(
  _ name: String, warmUp: Int, _ make: @escaping () throws -> any Player
) {
  Benchmark(name, configuration: .bulk) { (benchmark: Benchmark, player: any Player) in
    orExit(name) {
      try benchmark.measureCounting { _ in
        for _ in 0..<10 {
          try player.frame()
        }
      }
      let isRight = try player.isRight()
      benchmark.check(isRight, "what is shown is wrong")
    }
  } setup: {
    orExit(name) {
      let player = try make()
      for _ in 0..<warmUp {
        try player.frame()
      }
      return player
    }
  }
}

private let trackCount = 10_000
private let frameDuration = 1.0 / 60

/// Instances of a clip that goes from 0 to 1 in half a second and back in a quarter, at a phase each; every third there and
/// back.
private final class Instances: Player {
  private var batch: KeyframeBatch
  private let handles: [TrackHandle]
  private var repeats = 0

  init() throws {
    let pieces: [SIMD4<Double>] = [SIMD4(0, 2, 0, 0), SIMD4(1, -4, 0, 0)]
    let clip = try Clip(
      dimensions: 1, initialValues: [0],
      tracks: [PieceTrack(components: [0], times: [0, 0.5, 0.75], pieces: [pieces])])
    var batch = try KeyframeBatch(reservingCapacity: trackCount)
    let id = try batch.load(clip)
    let names = [ClipID](repeating: id, count: trackCount)
    let playbacks = (0..<trackCount).map {
      Playback(
        repetition: .forever, autoreverses: $0 % 3 == 0, timeOffset: 0.75 * Double($0) / Double(trackCount))
    }
    handles = try batch.add(names.span, playbacks.span)
    self.batch = batch
  }

  func frame() throws {
    try batch.advance(by: frameDuration)
    repeats += batch.repeated.count
  }

  func isRight() throws -> Bool {
    for track in stride(from: 0, to: trackCount, by: 97) {
      guard let local = try batch.localTime(of: handles[track]) else { return false }
      let expected = local <= 0.5 ? 2 * local : 1 - 4 * (local - 0.5)
      let value: Float = try batch.value(of: handles[track])
      guard abs(Double(value) - expected) < 1e-5 else { return false }
    }
    return repeats > trackCount
  }
}

/// Tracks that go there and back on straight curves of durations of their own.
private final class RepeatingCurves: Player {
  private var batch: CurveBatch
  private let handles: [TrackHandle]

  private static func duration(_ track: Int) -> Double { 0.25 + Double(track % 1_000) / 1_000 }

  init() throws {
    let zeros = [Float](repeating: 0, count: trackCount)
    let ones = [Float](repeating: 1, count: trackCount)
    var batch = try CurveBatch(reservingCapacity: trackCount)
    let handles = try batch.add(values: zeros.span)
    let animations = (0..<trackCount).map { Optional(Animation.linear(duration: Self.duration($0)).repeatForever()) }
    try batch.retarget(handles.span, to: ones.span, animations: animations.span)
    self.handles = handles
    self.batch = batch
  }

  func frame() throws { try batch.advance(by: frameDuration) }

  func isRight() throws -> Bool {
    for track in stride(from: 0, to: trackCount, by: 97) {
      let rounds = batch.time / Self.duration(track)
      let leg = rounds.rounded(.down)
      let expected = leg.truncatingRemainder(dividingBy: 2) == 0 ? rounds - leg : 1 - (rounds - leg)
      let value: Float = try batch.value(of: handles[track])
      guard abs(Double(value) - expected) < 1e-4 else { return false }
    }
    return true
  }
}

/// Tracks that go back where they came from once they have arrived, on eased curves of a few kinds.
private final class CurvesThatSetOutAgain: Player {
  private var batch: CurveBatch
  private let handles: [TrackHandle]
  private var places: [Float]
  private let animations: [Animation?]
  private var targets: [Float] = []
  private var next: [Animation?] = []

  init() throws {
    let animations: [Animation?] = (0..<trackCount).map { track in
      let duration = 0.5 + 0.0005 * Double(track % 1_000)
      return [.easeIn(duration: duration), .easeOut(duration: duration), .easeInOut(duration: duration)][track % 3]
    }
    let zeros = [Float](repeating: 0, count: trackCount)
    var batch = try CurveBatch(reservingCapacity: trackCount)
    let places = [Float](repeating: 1, count: trackCount)
    let handles = try batch.add(values: zeros.span)
    try batch.retarget(handles.span, to: places.span, animations: animations.span)
    (self.handles, self.places, self.animations) = (handles, places, animations)
    self.batch = batch
    targets.reserveCapacity(trackCount)
    next.reserveCapacity(trackCount)
  }

  func frame() throws {
    try batch.advance(by: frameDuration)
    targets.removeAll(keepingCapacity: true)
    next.removeAll(keepingCapacity: true)
    let settled = batch.settled
    for handle in settled {
      places[handle.index] = 1 - places[handle.index]
      targets.append(places[handle.index])
      next.append(animations[handle.index])
    }
    let (goals, motions) = (targets, next)
    try batch.retarget(settled.span, to: goals.span, animations: motions.span)
  }

  func isRight() throws -> Bool {
    for track in stride(from: 0, to: trackCount, by: 97) {
      let target: Float = try batch.target(of: handles[track])
      let value: Float = try batch.value(of: handles[track])
      guard target == places[track], -1e-4...1.0001 ~= value else { return false }
    }
    return true
  }
}

/// Tracks that loop through three phases, at a moment of their own each.
private final class LoopingPhases: Player {
  private var batch: PhaseBatch
  private let sequence: PhaseSequence
  private let starts: [Double]
  private let handles: [TrackHandle]
  private var changes = 0

  init(_ animations: Animation...) throws {
    sequence = try PhaseSequence([0, 1, 2], target: { Float($0 * $0) }, animation: { animations[$0] })
    var batch = try PhaseBatch(sequence, reservingCapacity: trackCount)
    batch.reportsPhaseChanges = true
    let starts = (0..<trackCount).map { 1.2 * Double($0) / Double(trackCount) }
    handles = try batch.add(startingAt: starts.span)
    self.starts = starts
    self.batch = batch
  }

  func frame() throws {
    try batch.advance(by: frameDuration)
    changes += batch.phaseChanges.count
  }

  /// A batch that comes here in one frame shows the same bits.
  func isRight() throws -> Bool {
    var other = try PhaseBatch(sequence)
    let tracks = stride(from: 0, to: trackCount, by: 997)
    let some = tracks.map { starts[$0] }
    let twins = try other.add(startingAt: some.span)
    for frame in 1...64 {
      try other.advance(to: batch.time * Double(frame) / 64)
    }
    for (track, twin) in zip(tracks, twins) {
      let value: Float = try batch.value(of: handles[track])
      let expected: Float = try other.value(of: twin)
      guard value == expected else { return false }
    }
    return changes > trackCount
  }
}

/// Runs of three phases that are triggered now and then, on the way as well.
private final class TriggeredPhases: Player {
  private var batch: PhaseBatch
  private let handles: [TrackHandle]
  private var number = 0
  private var completions = 0

  init() throws {
    let sequence = try PhaseSequence([0, 1, 2], target: { Float($0) }, animation: { _ in .smooth(duration: 0.25) })
    var batch = try PhaseBatch(sequence, playback: .triggered, reservingCapacity: trackCount)
    let starts = [Double](repeating: 0, count: trackCount)
    handles = try batch.add(startingAt: starts.span)
    self.batch = batch
  }

  func frame() throws {
    number += 1
    // A run takes 45 frames, and each track is triggered every 50; some of those 20 frames under way are once more.
    let (first, underWay) = (number &* 200 % trackCount, (number + 30) &* 200 % trackCount)
    let handles = handles
    try batch.trigger(handles.span.extracting(first..<first + 200))
    try batch.trigger(handles.span.extracting(underWay..<underWay + 20))
    try batch.advance(by: frameDuration)
    completions += batch.completed.count
  }

  func isRight() throws -> Bool {
    for track in stride(from: 0, to: trackCount, by: 97) {
      let value: Float = try batch.value(of: handles[track])
      guard -0.5...2.5 ~= value else { return false }
    }
    return completions > trackCount
  }
}

/// One clip of many values.
private final class Sampled: Player {
  private var sampler: ClipSampler
  private var number = 0

  init() throws {
    let ramps = (0..<trackCount).map { [SIMD4(Double($0), 1.0, 0, 0), SIMD4(Double($0) + 1, -1.0, 0, 0)] }
    let clip = try Clip(
      dimensions: trackCount, initialValues: (0..<trackCount).map(Double.init),
      tracks: [PieceTrack(components: Array(0..<trackCount), times: [0, 1, 2], pieces: ramps)])
    sampler = try ClipSampler(clip)
  }

  func frame() throws {
    number += 1
    try sampler.sample(at: Double(number) * frameDuration / 4, velocities: number % 2 == 0)
  }

  func isRight() throws -> Bool {
    let (order, time) = (sampler.order, min(2, sampler.time))
    let ramp = Float(time <= 1 ? time : 2 - time)
    return sampler.withValues { values in
      stride(from: 0, to: order.count, by: 97).allSatisfy { abs(values[$0] - (Float(order[$0]) + ramp)) < 0.01 }
    }
  }
}

/// A layer of tracks over a base, for many instances.
private final class Mixed: Player {
  private static let (instances, tracks, outputs) = (100, 32, 500)
  private var mixer: Mixer
  private var output = [Float](repeating: 0, count: instances * outputs)
  private let inputs = (0..<10).map { [Float](repeating: Float($0), count: instances * tracks) }
  private var number = 0

  init() throws {
    // Every output is the mean of the tracks, above 1.
    let shapes = [Float](repeating: 1 / Float(Self.tracks), count: Self.tracks * Self.outputs)
    let base = [Float](repeating: 1, count: Self.outputs)
    let layer = MixerLayer(.additive, trackCount: Self.tracks, shapes: shapes)
    mixer = try Mixer(base: base, layers: [layer], instances: Self.instances)
  }

  func frame() throws {
    number += 1
    let numbers = inputs[number % inputs.count]
    try mixer.set(0..<Self.tracks, of: 0..<Self.instances, to: numbers.span)
    var output: [Float] = []
    swap(&output, &self.output)
    var span = output.mutableSpan
    try mixer.mix(into: &span)
    swap(&output, &self.output)
  }

  func isRight() throws -> Bool { output.allSatisfy { abs($0 - 1 - Float(number % 10)) < 1e-4 } }
}

/// Cloths that were plucked and swing without end.
private final class Cloths: Player {
  private static let (cloths, side) = (20, 12)
  private var batch: ModalBatch
  private var positions: [Float]
  private var largest: Float = 0

  init() throws {
    let network = try SpringNetwork.cloth(columns: Self.side, rows: Self.side, stiffness: 900, shearStiffness: 300)
    let basis = try ModalBasis(network, modes: 40)
    var batch = try ModalBatch(basis, instances: Self.cloths)
    for cloth in 0..<Self.cloths {
      try batch.pluck(instance: cloth, point: (Self.side + 1) * 5, by: 1)
    }
    positions = [Float](repeating: 0, count: Self.cloths * basis.pointCount)
    self.batch = batch
  }

  func frame() throws {
    try batch.advance(to: batch.time + frameDuration)
    var positions: [Float] = []
    swap(&positions, &self.positions)
    var span = positions.mutableSpan
    try batch.copyPositions(into: &span)
    swap(&positions, &self.positions)
    largest = max(largest, abs(self.positions[(Self.side + 1) * 5]))
  }

  /// All cloths do the same, and none goes farther than it was pulled.
  func isRight() throws -> Bool {
    let points = positions.count / Self.cloths
    return largest > 0.1 && largest < 1.01
      && positions.indices.allSatisfy { abs(positions[$0] - positions[$0 % points]) < 1e-4 }
  }
}
