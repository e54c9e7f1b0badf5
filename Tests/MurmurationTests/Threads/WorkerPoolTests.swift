// SPDX-License-Identifier: MIT
import Foundation
import Testing

@testable import Murmuration

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
      // What the workers did is there once the job is over.
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

  @Test(arguments: [1, 2, 3, 7, 64], [false, true]) func eachPartIsDoneOnce(_ count: Int, _ pause: Bool) {
    let pool = WorkerPool(count: count)
    let jobs = count > 7 ? 60 : 1_000
    let done = countParts(of: pool, jobs: jobs, pause: pause)
    #expect(done == [Int](repeating: jobs, count: pool.count))
    #expect(pool.count == count)
  }

  @Test(arguments: [0, -1, Int.min]) func aPoolHasOneWorkerAtLeast(_ count: Int) {
    let pool = WorkerPool(count: count)
    #expect(pool.count == 1)
    #expect(countParts(of: pool, jobs: 10, pause: false) == [10])
  }

  @Test func threadsEndWithTheirPool() throws {
    let before = try threadCount()
    for round in 0..<150 {
      let pool = WorkerPool(count: 6)
      // Dropped before its threads ran, while they watch, and while they sleep.
      if round % 3 > 0 {
        let done = countParts(of: pool, jobs: 2, pause: false)
        #expect(done == [Int](repeating: 2, count: 6))
      }
      if round % 3 > 1 {
        Thread.sleep(forTimeInterval: 0.002)
      }
    }
    // Other tests run meanwhile, and have some threads of their own.
    let after = try threadCount()
    #expect(after < before + 150, "\(before) threads before, \(after) after")
  }

  @Test func batchesWithThreadsComeAndGo() throws {
    let before = try threadCount()
    for round in 0..<150 {
      var batch = try SpringBatch()
      batch.threadCount = 2 + round % 5
      try batch.add(.smooth, value: Float(1), target: 2)
      try batch.advance(by: 0.1)
      batch.threadCount = round % 7
      try batch.advance(by: 0.1)
    }
    let after = try threadCount()
    #expect(after < before + 150, "\(before) threads before, \(after) after")
  }

  @Test("Row 61: a part may run another pool, and nothing waits for ever") func aPartMayRunAnotherPool() {
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

  /// Threads of this process.
  private func threadCount() throws -> Int {
    #if os(Linux)
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
    #else
      0
    #endif
  }
}
