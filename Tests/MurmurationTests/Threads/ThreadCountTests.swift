// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// The number of threads changes no bit, with any tracks and after any change of the number.
@Suite(.serialized) struct ThreadCountTests {
  /// Plays a crowd with a number of threads for each frame, the last one also for all later frames.
  private func play(dimensions: Int, velocities: Bool, _ threads: [Int]) throws -> [Int] {
    var crowd = try Crowd.make(dimensions: dimensions)
    return try (0..<5).map { frame in
      let wanted = threads[min(frame, threads.count - 1)]
      crowd.batch.threadCount = wanted
      #expect(crowd.batch.threadCount == min(max(1, wanted), 64))
      try crowd.play(frame, velocities: velocities)
      let isShared = crowd.isShared
      #expect(isShared, "the crowd is too small for this test")
      return try crowd.hash()
    }
  }

  /// Numbers out of range are taken for the nearest, and the number may change with each frame.
  @Test("Any number of threads gives the same bits", arguments: [1, 3], [true, false])
  func anyNumberGivesTheSameBits(_ dimensions: Int, _ velocities: Bool) throws {
    let alone = try play(dimensions: dimensions, velocities: velocities, [1])
    #expect(Set(alone).count == 5)
    for threads in [[2], [7], [Int.min], [.max], [1, 4, 64, 0, 3]] {
      #expect(try play(dimensions: dimensions, velocities: velocities, threads) == alone, "\(threads) threads")
    }
  }

  @Test(arguments: KernelSet.available) func eachInstructionSetGivesTheSameBitsInParts(_ set: KernelSet) throws {
    var alone = try Crowd.make(dimensions: 1, kernels: set)
    var shared = try Crowd.make(dimensions: 1, kernels: set)
    shared.batch.threadCount = 3
    for frame in 0..<3 {
      try alone.play(frame)
      try shared.play(frame)
      let (one, other) = (try alone.hash(), try shared.hash())
      #expect(one == other, "frame \(frame)")
    }
  }

  /// The properties of particles share their threads.
  @Test func particlesOfManyPropertiesShareThreads() throws {
    let count = 5_000
    var random = SplitMix64(seed: 62)
    let values = (0..<count).map { _ in SIMD3<Float> { _ in Float(random.uniform(-9...9)) } }
    let (zeros, sizes) = ([SIMD3<Float>](repeating: .zero, count: count), values.map(\.x))
    func play(_ threads: Int) throws -> [[UInt32]] {
      var particles = Particles()
      particles.threadCount = threads
      let (place, size) = (try particles.addProperty(SIMD3<Float>.self), try particles.addProperty(Float.self))
      particles[place].engine.frames.parallelCost = .init(watching: 500, asleep: 500)
      particles[size].engine.frames.parallelCost = .init(watching: 500, asleep: 500)
      let handles = try particles.add(
        place.start(at: values, to: zeros, .bouncy), size.start(at: sizes, to: zeros.map(\.x), .smooth))
      try particles[size].displace(handles, sizes, velocities: zeros.map(\.x))
      #expect(particles.threadCount == threads)
      return try (1...3).map { frame in
        try particles.advance(to: Double(frame) / 60)
        return particles[place].bits(of: handles) + particles[size].bits(of: handles)
      }
    }
    #expect(try play(3) == play(1))
  }

  // MARK: - Tasks

  /// Each batch has its own owner: many may advance at once, each with threads.
  @Test func batchesOfSeveralTasksDoNotDisturbEachOther() async throws {
    let expected = try (0..<3).map { try Self.lastHash(seed: UInt64($0), threads: 1) }
    try await withThrowingTaskGroup(of: (Int, Int).self) { group in
      for task in 0..<9 {
        group.addTask { (task, try Self.lastHash(seed: UInt64(task % 3), threads: 1 + task % 4)) }
      }
      for try await (task, hash) in group { #expect(hash == expected[task % 3], "task \(task)") }
    }
  }

  /// A frame does not ask whether its task is cancelled.
  @Test("In a task that is cancelled a frame is completed as in any other")
  func aCancelledTaskCompletesItsFrames() async throws {
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try Self.lastHash(seed: 1, threads: 3)
    }
    task.cancel()
    #expect(try await task.value == Self.lastHash(seed: 1, threads: 1))
  }

  @Test func aBatchTakesItsThreadsWhereItGoes() async throws {
    var crowd = try Crowd.make(dimensions: 3)
    crowd.batch.threadCount = 3
    try crowd.play(0)
    let moved = Mover(crowd)
    #expect(try await Task.detached { try moved.playOn() }.value == Self.lastHash(seed: 60, threads: 1))
  }

  private final class Mover: @unchecked Sendable {
    private var crowd: Crowd
    init(_ crowd: consuming Crowd) { self.crowd = crowd }
    func playOn() throws -> Int {
      try crowd.play(1)
      return try crowd.hash()
    }
  }

  private static func lastHash(seed: UInt64, threads: Int) throws -> Int {
    var crowd = try Crowd.make(dimensions: 3, seed: seed)
    crowd.batch.threadCount = threads
    for frame in 0..<2 { try crowd.play(frame) }
    return try crowd.hash()
  }
}
