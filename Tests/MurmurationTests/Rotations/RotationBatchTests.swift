// SPDX-License-Identifier: MIT
import AnimationModel
import Foundation
import MurmurationReference
import Testing

@testable import Murmuration

extension RotationBatch {
  /// The quaternions of all indices; zeros for indices without a track.
  func rotations() throws -> [SIMD4<Float>] {
    var quaternions = [SIMD4<Float>](repeating: .zero, count: indexCount)
    try copyValues(into: &quaternions)
    return quaternions
  }
}

/// Rotations against the definition in Double.
struct RotationBatchTests {
  private static let u = 0x1p-24

  static func length(_ v: SIMD3<Double>) -> Double { (v * v).sum().squareRoot() }

  static func random(_ random: inout SplitMix64) -> Rotation {
    Rotation(vector: vector(3, &random)) * Rotation(vector: vector(3, &random))
  }

  static func vector(_ size: Double, _ random: inout SplitMix64) -> SIMD3<Double> {
    SIMD3(random.uniform(-size...size), random.uniform(-size...size), random.uniform(-size...size))
  }

  /// The angle between two rotations, without the rounding of an arc of sines near 0.
  static func angle(_ a: Rotation, _ b: Rotation) -> Double { a.angle(to: b).radians }

  static func batch(_ set: KernelSet, count: Int = 0) throws -> RotationBatch {
    var batch = try RotationBatch(reservingCapacity: count, kernels: set)
    batch.restTolerance = try RestTolerances(value: 1e-9, velocity: 1e-9)
    return batch
  }

  // MARK: - Programs

  /// A program of calls about some tracks, and the same calls of the reference.
  private struct Program: ~Copyable {
    var batch: RotationBatch
    var references: [ReferenceRotation] = []
    var handles: [TrackHandle] = []
    /// Calls that wait: a track, a moment, a goal, a motion.
    var waiting: [Int: (time: Double, goal: Rotation, motion: ReferenceRotation.Motion)] = [:]
    var random: SplitMix64
    var (time, worst, longest) = (0.0, 0.0, 0.0)

    init(_ batch: consuming RotationBatch, seed: UInt64) {
      self.batch = batch
      random = SplitMix64(seed: seed)
    }

    mutating func add(_ tracks: Int) throws {
      let rotations = (0..<tracks).map { _ in RotationBatchTests.random(&random) }
      handles = try batch.add(rotations)
      references = rotations.map { ReferenceRotation($0) }
    }

    /// A goal that is no half turn away, where two ways are the shortest.
    mutating func goal(for track: Int, at time: Double) -> Rotation {
      while true {
        let goal = RotationBatchTests.random(&random)
        if RotationBatchTests.angle(references[track].state(at: time).rotation, goal) < 3.1 { return goal }
      }
    }

    mutating func begin(_ track: Int, _ motion: ReferenceRotation.Motion, _ goal: Rotation, at time: Double) {
      references[track].begin(motion, to: goal, at: time)
    }

    mutating func call() throws {
      let track = Int(random.next() % UInt64(handles.count))
      let spring = Spring(duration: random.uniform(0.2...1.5), bounce: random.uniform(-0.5...0.8))
      let kind = random.next() % 9
      let goal = goal(for: track, at: time)
      if kind != 8 { waiting[track] = nil }
      switch kind {
      case 0, 1:
        try batch.animate(handles[track], to: goal, .spring(spring))
        begin(track, .spring(spring), goal, at: time)
      case 2:
        let duration = random.uniform(0.1...1)
        try batch.animate(handles[track], to: goal, .easeInOut(duration: duration))
        begin(track, .curve(.easeInOut, duration: duration), goal, at: time)
      case 3:
        try batch.animate(handles[track], to: goal, nil)
        begin(track, .still, goal, at: time)
        references[track].put(goal, spin: .zero, goesOn: false, at: time)
      case 4:
        let spin = SIMD3<Float>(RotationBatchTests.vector(4, &random))
        try batch.set(handles[track], goal, angularVelocity: spin)
        references[track].put(goal, spin: SIMD3(spin), goesOn: false, at: time)
      case 5:
        let spin = SIMD3<Float>(RotationBatchTests.vector(4, &random))
        try batch.displace(handles[track], goal, angularVelocity: spin)
        references[track].put(goal, spin: SIMD3(spin), goesOn: true, at: time)
      case 6:
        try batch.retarget(handles[track], to: goal)
        if case .spring(let own) = references[track].motion {
          begin(track, .spring(own), goal, at: time)
        } else if case .following(let own) = references[track].motion {
          begin(track, .following(own), goal, at: time)
        } else {
          begin(track, .spring(Spring()), goal, at: time)
        }
      case 7:
        try batch.follow(handles[track], with: spring)
        if case .following = references[track].motion {
          return begin(track, .following(spring), references[track].goal, at: time)
        }
        begin(track, .following(spring), references[track].state(at: time).rotation, at: time)
        try batch.setGoals(of: handles[track], goal)
        begin(track, .following(spring), goal, at: time)
      default:
        let delay = random.uniform(0...0.3)
        let later = self.goal(for: track, at: time + delay)
        try batch.animate(handles[track], to: later, .spring(spring), delay: delay)
        waiting[track] = (time + delay, later, .spring(spring))
      }
    }

    /// Advances by a frame, and compares all tracks.
    mutating func frame() throws {
      time += random.uniform(0.001...0.05)
      try batch.advance(to: time)
      for track in handles.indices {
        if let call = waiting[track], call.time <= time {
          begin(track, call.motion, call.goal, at: call.time)
          waiting[track] = nil
        }
        references[track].step(at: time)
        let (shown, spin) = (batch[handles[track]]!, batch.angularVelocity(of: handles[track])!)
        let (exact, bound) = (references[track].state(at: time), references[track].bound())
        let errors = (
          RotationBatchTests.angle(shown, exact.rotation) / bound.angle,
          RotationBatchTests.length(spin - exact.spin) / bound.spin
        )
        if max(errors.0, errors.1) > 1 {
          Issue.record("track \(track) at \(time): \(errors) \(references[track].motion)")
        }
        worst = max(worst, errors.0, errors.1)
      }
      for q in try batch.rotations() { longest = max(longest, abs(Double((q * q).sum()).squareRoot() - 1)) }
    }
  }

  @Test(arguments: [1, 7, 16, 33], Array(1...10) as [UInt64])
  func programsStayWithinTheBoundAndHaveTheSameBits(tracks: Int, seed: UInt64) throws {
    var bits: [[SIMD4<Float>]] = []
    for set in KernelSet.available {
      var program = Program(try Self.batch(set), seed: seed)
      try program.add(tracks)
      var shown: [SIMD4<Float>] = []
      for _ in 0..<40 {
        for _ in 0..<max(1, tracks / 8) { try program.call() }
        for _ in 0..<4 { try program.frame() }
        #expect(program.batch.engine.checkInvariants() == nil, "seed \(seed), \(set)")
        shown += try program.batch.rotations()
      }
      bits.append(shown)
      #expect(program.longest < 0x1p-21, "seed \(seed), \(set): length off by \(program.longest)")
      if ProcessInfo.processInfo.environment["ROTATION_WORST"] != nil {
        print("worst", set, tracks, seed, program.worst, program.longest / Self.u)
      }
    }
    #expect(bits.allSatisfy { $0 == bits[0] }, "seed \(seed)")
  }

  @Test func threadsGiveTheSameBits() throws {
    var random = SplitMix64(seed: 3)
    let rotations = (0..<30_000).map { _ in Self.random(&random) }
    var shown: [[SIMD4<Float>]] = []
    for threads in [1, 3] {
      var batch = try Self.batch(KernelSet.available.last!, count: rotations.count)
      batch.threadCount = threads
      let tracks = try batch.add(rotations)
      try batch.animate(tracks, to: rotations.reversed())
      try batch.follow(tracks[..<5000])
      try batch.setGoals(of: 0..<20_000, Array(rotations.suffix(20_000)))
      for frame in 1...5 { try batch.advance(to: 0.05 * Double(frame)) }
      shown.append(try batch.rotations())
    }
    #expect(shown[0] == shown[1])
  }
}
