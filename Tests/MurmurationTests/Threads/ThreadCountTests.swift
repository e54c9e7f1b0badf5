// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// The number of threads changes no bit, with any tracks and after any change of the number.
@Suite(.serialized) struct ThreadCountTests {
  private static let frames = 5

  /// Plays a crowd, with a number of threads for each frame.
  private func play(dimensions: Int, velocities: Bool, _ threads: (Int) -> Int) throws -> [Int] {
    var crowd = try Crowd.make(dimensions: dimensions)
    return try (0..<Self.frames).map { frame in
      let wanted = threads(frame)
      crowd.batch.threadCount = wanted
      let got = crowd.batch.threadCount
      #expect(got == min(max(1, wanted), 64))
      try crowd.play(frame, velocities: velocities)
      let isShared = crowd.isShared
      #expect(isShared, "the crowd is too small for this test")
      return try crowd.hash()
    }
  }

  @Test("Any number of threads gives the same bits", arguments: [1, 3], [true, false])
  func anyNumberGivesTheSameBits(_ dimensions: Int, _ velocities: Bool) throws {
    let alone = try play(dimensions: dimensions, velocities: velocities) { _ in 1 }
    #expect(Set(alone).count == Self.frames)
    for threads in [2, 7] {
      let shared = try play(dimensions: dimensions, velocities: velocities) { _ in threads }
      #expect(shared == alone, "\(threads) threads")
    }
  }

  @Test func numbersOutOfRangeAreTakenForTheNearest() throws {
    let alone = try play(dimensions: 3, velocities: true) { _ in 1 }
    for threads in [Int.min, .max] {
      let shared = try play(dimensions: 3, velocities: true) { _ in threads }
      #expect(shared == alone, "\(threads) threads")
    }
  }

  @Test func theNumberMayChangeWithEachFrame() throws {
    let alone = try play(dimensions: 1, velocities: true) { _ in 1 }
    let counts = [1, 4, 64, 0, 3]
    let shared = try play(dimensions: 1, velocities: true) { counts[$0] }
    #expect(shared == alone)
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

  /// Each batch has its own owner: many may advance at once, each with threads.
  @Test func batchesOfSeveralTasksDoNotDisturbEachOther() async throws {
    let expected = try (0..<3).map { try Self.lastHash(seed: UInt64($0), threads: 1) }
    let got = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
      for task in 0..<9 {
        group.addTask { (task, try Self.lastHash(seed: UInt64(task % 3), threads: 1 + task % 4)) }
      }
      return try await group.reduce(into: [Int: Int]()) { $0[$1.0] = $1.1 }
    }
    for task in 0..<9 {
      #expect(got[task] == expected[task % 3], "task \(task)")
    }
  }

  /// The properties of particles share their threads.
  @Test func particlesOfManyPropertiesShareThreads() throws {
    let count = 5_000
    var random = SplitMix64(seed: 62)
    let values = (0..<count).map { _ in SIMD3<Float> { _ in Float(random.uniform(-9...9)) } }
    let (zeros, sizes) = ([SIMD3<Float>](repeating: .zero, count: count), values.map(\.x))
    var columns: [[Float]] = []
    for threads in [1, 3] {
      var particles = Particles()
      particles.threadCount = threads
      let place = try particles.addProperty(SIMD3<Float>.self)
      let size = try particles.addProperty(Float.self)
      particles[place].engine.frames.parallelCost = .init(watching: 500, asleep: 500)
      particles[size].engine.frames.parallelCost = .init(watching: 500, asleep: 500)
      let handles = try particles.add(
        place.start(at: values, to: zeros, .bouncy), size.start(at: sizes, to: zeros.map(\.x), .smooth))
      try particles[size].displace(handles, sizes, velocities: zeros.map(\.x))
      for frame in 1...3 {
        try particles.advance(to: Double(frame) / 60)
        var column = [Float](repeating: .nan, count: count)
        for component in [0, 2] {
          var span = column.mutableSpan
          try particles[place].copyValues(component: component, planar: &span)
          columns.append(column)
        }
        try particles[size].copyValues(into: &column)
        columns.append(column)
      }
      let got = particles.threadCount
      #expect(got == threads)
    }
    #expect(Array(columns[..<9]) == Array(columns[9...]))
  }

  /// A frame does not ask whether its task is cancelled.
  @Test("In a task that is cancelled a frame is completed as in any other")
  func aCancelledTaskCompletesItsFrames() async throws {
    let expected = try Self.lastHash(seed: 1, threads: 1)
    let task = Task {
      while !Task.isCancelled {
        await Task.yield()
      }
      return try Self.lastHash(seed: 1, threads: 3)
    }
    task.cancel()
    let got = try await task.value
    #expect(got == expected)
  }

  @Test func aBatchTakesItsThreadsWhereItGoes() async throws {
    var crowd = try Crowd.make(dimensions: 3)
    crowd.batch.threadCount = 3
    try crowd.play(0)
    let moved = Mover(crowd)
    let got = try await Task.detached { try moved.playOn() }.value
    var stayed = try Crowd.make(dimensions: 3)
    try stayed.play(0)
    try stayed.play(1)
    let expected = try stayed.hash()
    #expect(got == expected)
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
