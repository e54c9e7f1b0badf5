// SPDX-License-Identifier: MIT
import Kernels
import Testing

@testable import Murmuration

/// Compacting phases changes rows, and nothing that anybody else sees.
struct PhaseCompactingTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let animations: [Animation?]
  }

  static let cases = [
    Case(testDescription: "springs", animations: [.bouncy(duration: 0.4), .smooth(duration: 0.2), .snappy]),
    Case(
      testDescription: "springs of both kinds",
      animations: [.bouncy(duration: 0.4), .spring(duration: 0.3, bounce: -0.4), .smooth(duration: 0.2)]),
    Case(
      testDescription: "curves",
      animations: [.easeIn(duration: 0.3), .easeOut(duration: 0.2).delay(0.1), .linear(duration: 0.25), nil]),
    Case(
      testDescription: "curves and springs",
      animations: [.easeInOut(duration: 0.3), .bouncy(duration: 0.3), .linear(duration: 0.1).repeatCount(2)]),
  ]

  /// Calls at random: what was compacted in between has the same bits, steps and answers as a twin that was not.
  @Test(arguments: cases, [PhaseBatch.Playback.loops, .triggered])
  func noCallTellsWhetherItWasCompacted(_ test: Case, _ playback: PhaseBatch.Playback) throws {
    var random = SplitMix64(seed: 71)
    let targets = test.animations.indices.map { [Float($0 * 3), Float(10 - $0 * $0)] }
    let sequence = try PhaseSequence(dimensions: 2, targets: targets, animations: test.animations)
    var compacted = try PhaseBatch(sequence, playback: playback)
    var plain = try PhaseBatch(sequence, playback: playback, kernels: .portable)
    (compacted.reportsPhaseChanges, plain.reportsPhaseChanges) = (true, true)
    var handles: [(compacted: TrackHandle, plain: TrackHandle)] = []
    var gone: [TrackHandle] = []
    var steps = 0
    for call in 0..<500 {
      let place = handles.isEmpty ? 0 : Int(random.next() % UInt64(handles.count))
      switch handles.count < 60 ? 0 : random.next() % 10 {
      case 0:
        let (start, offset) = (plain.time + random.uniform(-1...1), SIMD2(Float(random.unit()), Float(random.unit())))
        let added = try compacted.add(startingAt: start, offset: offset)
        handles.append((added, try plain.add(startingAt: start, offset: offset)))
      case 1 where handles.count > 40:
        try compacted.remove(handles[place].compacted)
        try plain.remove(handles[place].plain)
        gone.append(handles.remove(at: place).compacted)
      case 2, 3:
        try compacted.trigger(handles[place].compacted)
        try plain.trigger(handles[place].plain)
      case 4:
        try compacted.pause(handles[place].compacted)
        try plain.pause(handles[place].plain)
      case 5:
        try compacted.resume(handles[place].compacted)
        try plain.resume(handles[place].plain)
      case 6:
        try compacted.compact()
      default:
        let seconds = random.uniform(0...0.1)
        try compacted.advance(by: seconds)
        try plain.advance(by: seconds)
        steps += plain.phaseChanges.count
      }
      let changes = (compacted.phaseChanges, plain.phaseChanges)
      try #require(changes.0.map(\.handle.index) == changes.1.map(\.handle.index), "call \(call)")
      try #require(changes.0.map(\.time) == changes.1.map(\.time), "call \(call)")
      for (a, b) in handles {
        let values = (
          try compacted.value(of: a, as: SIMD2<Float>.self), try plain.value(of: b, as: SIMD2<Float>.self)
        )
        let velocities = (
          try compacted.velocity(of: a, as: SIMD2<Float>.self), try plain.velocity(of: b, as: SIMD2<Float>.self)
        )
        try #require(values.0 == values.1 && velocities.0 == velocities.1, "\(a.index) after call \(call)")
        let (phases, next) = (
          (try compacted.phase(of: a), try plain.phase(of: b)),
          (try compacted.nextStepTime(of: a), try plain.nextStepTime(of: b))
        )
        try #require(phases.0 == phases.1 && next.0 == next.1)
      }
      for handle in gone {
        let holds = compacted.contains(handle)
        try #require(!holds)
      }
    }
    #expect(steps > 100)
  }

  @Test(arguments: cases) func memoryIsGivenBack(_ test: Case) throws {
    let targets = test.animations.indices.map { [Float($0)] }
    let sequence = try PhaseSequence(dimensions: 1, targets: targets, animations: test.animations)
    var batch = try PhaseBatch(sequence, reservingCapacity: 4_000)
    let starts = [Double](repeating: 0, count: 4_000)
    let handles = try batch.add(startingAt: starts.span)
    try batch.advance(to: 0.05)
    let gone = Array(handles.dropFirst(20))
    try batch.remove(gone.span)
    let before = (batch.springs.storage.capacity + batch.curves.storage.capacity, batch.rowCount)
    try batch.compact()
    let after = (batch.springs.storage.capacity + batch.curves.storage.capacity, batch.rowCount)
    #expect(before.0 >= 4_000 && before.1 >= 4_000)
    // That of the twenty in tiles of two kinds at most, and the tile that the batch has which does not play.
    #expect(after.0 <= 20 + 16 * 3 && after.1 <= 20 + 16 * 2)
    try batch.advance(to: 3)
    let count = batch.count
    #expect(count == 20)
  }
}
