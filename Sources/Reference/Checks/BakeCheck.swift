// SPDX-License-Identifier: MIT
package import Murmuration

/// Bakes frames of random tracks in both orders, and compares them with the references of the tracks.
package struct BakeCheck {
  private let set: KernelSet
  private var value: CheckResult
  private var velocity: CheckResult
  private var order: CheckResult

  /// A check of batches that run on one instruction set.
  package init(_ subject: BatchCheck.Subject, set: KernelSet) {
    self.set = set
    func result(_ kind: String, _ unit: String, _ bound: Double) -> CheckResult {
      CheckResult(name: "bake.\(subject.rawValue).\(kind)", isa: set.rawValue, unit: unit, bound: bound)
    }
    value = result("value", "of the bound", 1)
    velocity = result("velocity", "of the bound", 1)
    order = result("same-bits", "differing numbers", 0)
  }

  /// Bakes until a number of values were compared.
  ///
  /// - Returns: Values and velocities, as shares of their bounds, and whether both orders have the same bits.
  package static func bakes(
    of subject: BatchCheck.Subject, on set: KernelSet, samples: Int, seed: UInt64
  ) throws -> [CheckResult] {
    var check = BakeCheck(subject, set: set)
    var seeds = SplitMix64(seed: seed)
    while check.value.samples < samples {
      switch subject {
      case .animations:
        for kind in [CallKind.spring, .springs, .decelerate, .animations, .play] {
          try check.bake(AnimationSubject<SIMD2<Float>>.self, kind, seeds.next())
        }
      case .phases: try check.bake(PhaseSubject<SIMD2<Float>>.self, .trigger, seeds.next())
      }
    }
    return [check.value, check.velocity, check.order]
  }

  private static let tracks = 37

  private mutating func bake<S: BakedSubject & ~Copyable>(_ type: S.Type, _ kind: CallKind, _ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var assets = try ProgramAssets(seed: seed, dimensions: S.calls.dimensions.lowerBound)
    var batch = try S.make(&assets, on: set)
    let numbers = Numbers(seed: random.next() >> 8)
    let values = Vector.planar((0..<Self.tracks).map(numbers.value), dimensions: assets.dimensions)
    let handles = try batch.add(Self.tracks, at: values, assets)
    var tracks = (0..<Self.tracks).map { track in
      batch.reference(at: (0..<assets.dimensions).map { values[$0 * Self.tracks + track] }, assets)
    }
    let call = numbers.call(kind, count: Self.tracks, at: batch.time, assets)
    _ = try batch.perform(call, on: .many(handles), assets)
    for track in tracks.indices {
      try tracks[track].take(call, track, of: Self.tracks, at: batch.time, assets)
      tracks[track].evaluateSums(as: .either)
    }
    let first = Int(random.next() % 30)
    let frames = BakeFrames(
      first..<first + 1 + Int(random.next() % 90), perSecond: random.uniform(10...120), start: batch.time)
    for dimension in 0..<assets.dimensions {
      try compare(batch, tracks, frames, dimension, "seed \(seed), dimension \(dimension)")
    }
  }

  private mutating func compare<S: BakedSubject & ~Copyable>(
    _ batch: borrowing S, _ start: [ReferenceTrack], _ frames: BakeFrames, _ dimension: Int, _ place: String
  ) throws {
    var tracks = start
    let (count, length) = (tracks.count, frames.range.count)
    let byTime = try Self.bake(batch, frames, dimension, .timeMajor)
    let byTrack = try Self.bake(batch, frames, dimension, .trackMajor)
    for (row, frame) in frames.range.enumerated() {
      let time = frames.time(of: frame)
      for track in tracks.indices {
        // At the moment of the call a bake may show the state before it, as a frame may.
        _ = tracks[track].advance(to: time, startsWaiting: time > frames.start)
        tracks[track].evaluateSums(as: .either)
        let (shown, speed) = (byTime.values[row * count + track], byTime.velocities[row * count + track])
        let excess = Excess(value: shown, velocity: speed, of: tracks[track].sample(dimension, at: time))
        func text() -> String { "\(place), frame \(frame), track \(track): \(tracks[track].summary(at: time))" }
        value.record(excess.value, text())
        velocity.record(excess.velocity, text())
        let differs =
          shown.bitPattern != byTrack.values[track * length + row].bitPattern
          || speed.bitPattern != byTrack.velocities[track * length + row].bitPattern
        order.record(order.maxError + (differs ? 1 : 0), text())
      }
    }
  }

  private static func bake<S: BakedSubject & ~Copyable>(
    _ batch: borrowing S, _ frames: BakeFrames, _ dimension: Int, _ order: BakeOrder
  ) throws -> (values: [Float], velocities: [Float]) {
    try batch.bake(
      BakeRequest(frames, indices: 0..<batch.indexCount, components: dimension..<dimension + 1, order: order))
  }
}

/// A batch that programs drive, and that bakes.
protocol BakedSubject: ProgramSubject, ~Copyable {
  /// Values and velocities of frames.
  func bake(_ request: BakeRequest) throws(BatchError) -> (values: [Float], velocities: [Float])
}
