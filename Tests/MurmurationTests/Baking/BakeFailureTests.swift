// SPDX-License-Identifier: MIT
import Kernels
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// Errors that come up within a bake end it with that error, on any thread.
struct BakeFailureTests {
  @Test("The first error counts")
  func first() throws {
    let failure = BakeFailure()
    try failure.check()
    failure.note(.capacityExceeded(1))
    failure.note(.capacityExceeded(2))
    #expect(throws: BatchError.capacityExceeded(1)) { try failure.check() }
  }

  /// The plan is made for times that can be baked. Then other times are baked, before the last step: no copy of a track
  /// that plays phases can show them.
  @Test("An error of copied tracks is thrown", arguments: [BakeOrder.timeMajor, .interleaved, .trackMajor], [1, 4])
  func copies(_ order: BakeOrder, _ threads: Int) throws {
    var batch = try AnimationBatch<SIMD2<Float>>()
    batch.threadCount = threads
    let count = 300
    let tracks = try batch.add([SIMD2<Float>](repeating: .zero, count: count))
    try batch.play(try batch.load(try PhaseBatchTests.sequence(PhaseBatchTests.curves)), on: tracks)
    try batch.advance(to: 2)
    let late = batch.engine.phases.latestStep
    #expect(late > 0.5)
    let (good, bad) = ((0..<64).map { 2 + Double($0) / 16 }, (0..<64).map { 0.001 * Double($0) })
    let request = BakeRequest(at: good, indices: 0..<count, order: order)
    var values = [Float](repeating: 0, count: good.count * count * 2)
    try values.withUnsafeMutableBufferPointer { values in
      let values = try #require(values.column)
      try good.withUnsafeBufferPointer { good in
        try bad.withUnsafeBufferPointer { bad in
          var plan = try batch.engine.plan(request, BakeTimes(each: good), got: nil)
          try batch.engine.bake(0..<good.count, of: plan, order, values, nil)
          plan.times = BakeTimes(each: bad)
          #expect(throws: BatchError.timeBeforeStart(time: 0, start: late)) {
            try batch.engine.bake(0..<bad.count, of: plan, order, values, nil)
          }
        }
      }
    }
  }
}
