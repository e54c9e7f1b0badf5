// SPDX-License-Identifier: MIT
import Foundation
import Synchronization
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// Each part of a job is done once, workers sleep and wake, and threads end with their pool.
@Suite(.serialized) struct WorkerPoolTests {
  /// Counts for each part; parts write their own element only.
  private func countParts(of pool: WorkerPool, jobs: Int, pause: Bool) -> [Int] {
    let counts = UnsafeMutableBufferPointer<Int>.allocate(capacity: 64)
    counts.initialize(repeating: 0)
    defer { counts.deallocate() }
    for job in 0..<jobs {
      pool.run(UnsafeMutableRawPointer(counts.baseAddress!), parts: pool.count) { context, index, _ in
        context.assumingMemoryBound(to: Int.self)[index] += 1
      }
      // The results of the workers are there once the job is over.
      if counts.reduce(0, +) != (job + 1) * pool.count {
        return Array(counts)
      }
      if pause, job % 10 == 9 {
        // Long enough for all to fall asleep.
        Thread.sleep(forTimeInterval: 0.002)
      }
    }
    return Array(counts[..<pool.count])
  }

  /// A pool has one worker at least.
  @Test(arguments: [1, 2, 3, 7, 64, 0, -1, Int.min], [false, true])
  func eachPartIsDoneOnce(_ count: Int, _ pause: Bool) {
    let pool = WorkerPool(count: count)
    let jobs = count > 7 ? 30 : 300
    #expect(pool.count == max(1, count))
    #expect(countParts(of: pool, jobs: jobs, pause: pause) == [Int](repeating: jobs, count: pool.count))
  }

  @Test(arguments: [2, 6], [false, true]) func threadsEndWithTheirPool(_ count: Int, _ asleep: Bool) {
    // Each thread marks itself; its mark is counted when it ends.
    let marks = Marks()
    defer { marks.deallocate() }
    for _ in 0..<20 {
      marks.forget()
      var pool: WorkerPool? = WorkerPool(count: count)
      withUnsafePointer(to: marks) { marks in
        // Parts wait for each other, so that every worker takes one.
        pool?.run(UnsafeMutableRawPointer(mutating: marks), parts: count) { context, _, count in
          context.assumingMemoryBound(to: Marks.self).pointee.arrive(of: count)
        }
      }
      if asleep { Thread.sleep(forTimeInterval: 0.002) }
      marks.unmarkThisThread()
      #expect(marks.arrived == count && marks.ended == 0)
      pool = nil
      #expect(marks.ended == count - 1)
    }
  }

  #if os(Linux)
    /// Threads that were told to end before they ran.
    @Test func poolsThatAreDroppedAtOnceLeaveNoThreads() throws {
      let before = try threadCount()
      for _ in 0..<150 { _ = WorkerPool(count: 6) }
      let after = try threadCount()
      // Other tests have their own threads meanwhile. If the pools' threads stayed, 750 would be left.
      #expect(after < before + 150, "\(before) threads before, \(after) after")
    }

    private func threadCount() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
    }
  #endif

  @Test func batchesLetGoOfTheirPools() throws {
    for round in 0..<10 {
      weak var first: WorkerPool?
      weak var second: WorkerPool?
      do {
        var batch = try AnimationBatch<Float>()
        batch.threadCount = 2 + round % 5
        first = batch.engine.frames.workers
        #expect(first != nil)
        try batch.add(1, to: 2, .smooth)
        try batch.advance(by: 0.1)
        batch.threadCount = 7 + round % 3
        second = batch.engine.frames.workers
        #expect(first == nil && second != nil)
        try batch.advance(by: 0.1)
      }
      #expect(second == nil)
    }
  }

  @Test("A part may run another pool, and nothing waits for ever") func aPartMayRunAnotherPool() {
    let outer = WorkerPool(count: 3)
    let counts = UnsafeMutablePointer<Int>.allocate(capacity: 6)
    counts.initialize(repeating: 0, count: 6)
    defer { counts.deallocate() }
    var work = Nested(pools: (0..<3).map { _ in WorkerPool(count: 2) }, counts: counts)
    for _ in 0..<50 {
      withUnsafeMutablePointer(to: &work) { work in
        outer.run(work, parts: outer.count) { context, index, _ in
          let work = context.assumingMemoryBound(to: Nested.self).pointee
          work.pools[index].run(work.counts + 2 * index, parts: work.pools[index].count) { context, index, _ in
            context.assumingMemoryBound(to: Int.self)[index] += 1
          }
        }
      }
    }
    #expect((0..<6).allSatisfy { counts[$0] == 50 })
  }

  private struct Nested {
    let pools: [WorkerPool]
    let counts: UnsafeMutablePointer<Int>
  }

  /// Marks that threads leave behind when they end.
  private struct Marks {
    private var key = pthread_key_t()
    private let arrivals = UnsafeMutablePointer<Atomic<Int>>.allocate(capacity: 1)
    private let ends = UnsafeMutablePointer<Atomic<Int>>.allocate(capacity: 1)

    init() {
      arrivals.initialize(to: Atomic(0))
      ends.initialize(to: Atomic(0))
      pthread_key_create(&key) { mark in
        let mark: UnsafeMutableRawPointer? = mark
        mark?.assumingMemoryBound(to: Atomic<Int>.self).pointee.add(1, ordering: .relaxed)
      }
    }

    func deallocate() {
      pthread_key_delete(key)
      arrivals.deallocate()
      ends.deallocate()
    }

    var arrived: Int { arrivals.pointee.load(ordering: .relaxed) }
    var ended: Int { ends.pointee.load(ordering: .relaxed) }

    func forget() {
      arrivals.pointee.store(0, ordering: .relaxed)
      ends.pointee.store(0, ordering: .relaxed)
    }

    /// Marks this thread, and waits for some seconds at most until the expected number of threads have come.
    func arrive(of count: Int) {
      pthread_setspecific(key, ends)
      arrivals.pointee.add(1, ordering: .relaxed)
      var turns = 0
      while arrived < count, turns < 20_000_000 {
        turns += 1
        sched_yield()
      }
    }

    func unmarkThisThread() { pthread_setspecific(key, nil) }
  }
}
