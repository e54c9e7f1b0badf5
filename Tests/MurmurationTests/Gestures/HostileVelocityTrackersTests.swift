// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

/// Velocity trackers throw and keep their state, or go on with finite numbers, for any input.
struct HostileVelocityTrackersTests {
  /// Trackers of 5 tracks in 2 dimensions with three samples.
  private func moving() throws -> VelocityTrackers {
    var trackers = try VelocityTrackers(count: 5, dimensions: 2)
    for (time, scale) in [(1, 1), (2, 3), (3, 7)] as [(Double, Float)] {
      let values = (0..<10).map { scale * Float($0) }
      try trackers.record(values.span, at: time)
    }
    return trackers
  }

  @Test func impossibleSizesThrow() throws {
    for dimensions in [Int.min, -1, 0, 4097, .max] {
      #expect(throws: BatchError.invalidDimensions(dimensions)) {
        _ = try VelocityTrackers(count: 1, dimensions: dimensions)
      }
    }
    for count in [Int.min, -1, BatchLimits.maximumTracks + 1, .max] {
      #expect(throws: BatchError.capacityExceeded(count)) { _ = try VelocityTrackers(count: count) }
    }
    // 207 GB.
    #expect(throws: BatchError.capacityExceeded(BatchLimits.maximumTracks)) {
      _ = try VelocityTrackers(count: BatchLimits.maximumTracks, dimensions: 64)
    }
  }

  @Test func badSamplesThrowAndChangeNothing() throws {
    var trackers = try moving()
    let before = try trackers.velocities(at: 3)
    let good = [Float](repeating: 1, count: 10)
    func expect(_ error: BatchError, _ values: [Float], at time: Double) {
      var thrown: BatchError?
      do { try trackers.record(values.span, at: time) } catch { thrown = error }
      #expect(thrown?.description == error.description)
    }
    for time in [Double.nan, .infinity, -.infinity, 1.1e10, -1.1e10] { expect(.invalidTime(time), good, at: time) }
    let early = (3.0).nextDown.nextDown
    expect(.timeBeforeStart(time: early, start: 3), good, at: early)
    for count in [0, 9, 11] {
      expect(.wrongCount(of: "values", expected: 10, got: count), [Float](repeating: 1, count: count), at: 4)
    }
    for value in [Float.nan, .infinity, -.infinity, 1.1e15, -1.1e15] {
      for (time, index) in [(3.0, 0), (3, 9), (4, 0), (4, 9)] {
        var values = good
        values[index] = value
        expect(.invalidValue(of: "value", index: index, value: value), values, at: time)
      }
    }
    for index in [Int.min, -1, 5, .max] {
      #expect(throws: BatchError.trackOutOfRange(index, count: 5)) { try trackers.reset(index) }
    }
    #expect(trackers.lastTime == 3)
    #expect(try trackers.velocities(at: 3) == before)
    // The next sample meets the samples from before the error.
    try trackers.record([Float](repeating: 0, count: 10).span, at: 4)
    #expect(try trackers.velocities(at: 4) == (0..<10).map { 0.25 * -7 * Float($0) + 0.75 * 4 * Float($0) })
  }

  @Test(
    arguments: [
      (3, 9, .wrongCount(of: "output", expected: 10, got: 9)),
      (3, 11, .wrongCount(of: "output", expected: 10, got: 11)),
      (3, 0, .wrongCount(of: "output", expected: 10, got: 0)), (2, 10, .timeBeforeStart(time: 2, start: 3)),
      (.nan, 10, .invalidTime(.nan)), (.infinity, 10, .invalidTime(.infinity)), (1.1e10, 10, .invalidTime(1.1e10)),
    ] as [(Double, Int, BatchError)])
  func badQueriesThrowAndWriteNothing(_ time: Double, _ length: Int, _ expected: BatchError) throws {
    let trackers = try moving()
    var velocities = [Float](repeating: -77, count: length)
    var span = velocities.mutableSpan
    var thrown: BatchError?
    do { try trackers.velocities(at: time, into: &span) } catch { thrown = error }
    #expect(thrown?.description == expected.description && velocities.allSatisfy { $0 == -77 })
  }

  @Test func nothingIsWrittenBeyondTheVelocities() throws {
    for count in [1, 15, 16, 17, 33] {
      let trackers = try VelocityTrackers(count: count, dimensions: 2)
      var memory = [Float](repeating: -77, count: 2 * count + 32)
      memory.withUnsafeMutableBufferPointer { memory in
        var span = MutableSpan(_unsafeElements: memory.extracting(15..<(15 + 2 * count)))
        #expect(throws: Never.self) { try trackers.velocities(at: 0, into: &span) }
      }
      #expect(memory.prefix(15).allSatisfy { $0 == -77 } && memory.suffix(17).allSatisfy { $0 == -77 })
      #expect(memory[15..<(15 + 2 * count)].allSatisfy { $0 == 0 })
    }
  }

  @Test func theShortestSpansAndTheLargestValuesGiveFiniteVelocities() throws {
    let times = [0, .leastNonzeroMagnitude, .leastNormalMagnitude, 1e-300, 1e-30, 1e-22, 1, (1.0).nextUp]
    for first in times.indices {
      for second in times.indices where second > first {
        for third in times.indices where third > second {
          var trackers = try VelocityTrackers(count: 2)
          try trackers.record([1e15, 1e15].span, at: times[first])
          try trackers.record([-1e15, 1e15].span, at: times[second])
          let slope = try trackers.velocities(at: times[second])[0]
          #expect(slope < 0 && slope.isFinite, "\(times[first]) \(times[second])")
          try trackers.record([1e15, 1e15].span, at: times[third])
          let estimate = try trackers.velocities(at: times[third])
          #expect(estimate[0].isFinite && estimate[1] == 0, "\(times[first]) \(times[second]) \(times[third])")
          #expect(try trackers.velocities(at: 1e10) == [0, 0])
        }
      }
    }
  }
}
