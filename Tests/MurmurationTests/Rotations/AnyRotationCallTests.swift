// SPDX-License-Identifier: MIT
import AnimationModel
import MurmurationReference
import TestSupport
import Testing

@testable import Murmuration

/// Any calls about rotations, one after the other.
struct AnyRotationCallTests {
  private typealias Sample = RotationBatchTests

  /// The quaternions and the events of a program.
  private struct Shown: Equatable {
    var quaternions: [SIMD4<Float>] = []
    var events: [String] = []
  }

  /// A call about some tracks. It may be refused: the motions under way go on then.
  private static func call(
    _ batch: inout RotationBatch, _ tracks: [TrackHandle], _ clip: ClipID, _ random: inout SplitMix64
  ) throws(BatchError) {
    let spring = Spring(duration: random.uniform(0.05...1.5), bounce: random.uniform(-0.9...0.9))
    let (goal, delay) = (Sample.random(&random), random.uniform(0...0.2))
    let spin = SIMD3<Float>(Sample.vector(6, &random))
    switch random.next() % 20 {
    case 0: try batch.animate(tracks, to: goal, .spring(spring))
    case 1: try batch.animate(.all, to: goal, springs: [Spring](repeating: spring, count: batch.indexCount))
    case 2: try batch.animate(tracks, to: goal, .easeInOut(duration: delay + 0.1).repeatCount(3))
    case 3: try batch.animate(tracks, to: goal, .spring(spring).speed(2).delay(delay))
    case 4: try batch.animate(tracks, to: goal, .spring(spring), delay: delay)
    case 5: try batch.animate(tracks, to: goal, .easeOut(duration: 0.3), delays: .each(delay / 10))
    case 6: try batch.animate(tracks, to: goal, nil)
    case 7: try batch.retarget(tracks, to: tracks.map { _ in Sample.random(&random) }, delay: delay)
    case 8: try batch.retarget(.all, to: goal)
    case 9: try batch.set(tracks, goal, angularVelocity: spin)
    case 10: try batch.displace(tracks, tracks.map { _ in Sample.random(&random) }, angularVelocity: spin)
    case 11: try batch.follow(tracks, with: spring)
    case 12: try batch.setGoals(of: .all, goal)
    case 13: try batch.play(clip, on: tracks, Playback(repetition: .count(2)), start: .shownValue)
    case 14: try batch.seek(tracks, progress: random.uniform(0...1))
    case 15: try batch.setSpeed(random.uniform(0.3...3), of: tracks)
    case 16: try batch.pause(tracks)
    case 17: try batch.resume(.all)
    case 18: try batch.stop(tracks)
    default: try batch.cancelDelays(of: tracks)
    }
  }

  private static func play(_ set: KernelSet, seed: UInt64) throws -> Shown {
    var batch = try RotationBatch(kernels: set)
    var (random, shown) = (SplitMix64(seed: seed), Shown())
    let turns = (1...3).map { _ in Sample.random(&random).quaternion }
    let clip = try batch.load(
      try Clip(initialValue: turns[0]) { _ in
        CubicKeyframe(turns[1], duration: 0.2)
        CubicKeyframe(turns[2], duration: 0.2)
      })
    var tracks = try batch.add((0..<40).map { _ in Sample.random(&random) })
    var snapshot: BatchSnapshot?
    for step in 0..<120 {
      let first = Int(random.next() % UInt64(tracks.count))
      let some = Array(tracks[first..<min(tracks.count, first + 1 + Int(random.next() % 20))])
      do throws(BatchError) { try call(&batch, some, clip, &random) } catch { shown.events.append("\(error)") }
      if step % 30 == 7 {
        try batch.remove(tracks.removeFirst())
        tracks.append(try batch.add(Sample.random(&random)))
      }
      if step == 60 { snapshot = try batch.snapshot() }
      try batch.advance(by: random.uniform(0...0.06))
      #expect(batch.engine.checkInvariants() == nil, "seed \(seed), \(set), step \(step)")
      let quaternions = try batch.rotations()
      for track in tracks {
        let q = SIMD4<Double>(quaternions[track.index])
        guard abs((q * q).sum().squareRoot() - 1) <= 0x1p-21 else {
          Issue.record("seed \(seed), \(set), step \(step): track \(track.index) shows \(q)")
          return shown
        }
      }
      shown.quaternions += quaternions
      shown.events += batch.events.map { "\($0.track.index) \($0.kind) \($0.moment)" }
    }
    if let snapshot {
      try batch.restore(snapshot)
      try batch.advance(by: 0.1)
      shown.quaternions += try batch.rotations()
    }
    return shown
  }

  @Test(arguments: 1...Effort.draws(quick: 6, soak: 400))
  func leaveUnitQuaternionsAndTheSameBits(seed: Int) throws {
    let shown = try KernelSet.available.map { try Self.play($0, seed: UInt64(seed)) }
    let again = try Self.play(.portable, seed: UInt64(seed))
    #expect(shown.allSatisfy { $0 == again })
  }
}
