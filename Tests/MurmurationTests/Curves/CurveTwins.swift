// SPDX-License-Identifier: MIT
@testable import Murmuration

/// Two batches that get the same calls, but for compacting: one is compacted now and then, the other never.
final class CurveTwins {
  private var random: SplitMix64
  private var compacted: CurveBatch
  private var plain: CurveBatch
  private var handles: [(compacted: TrackHandle, plain: TrackHandle)] = []
  private var gone: [TrackHandle] = []
  private let animations: [Animation]
  /// The time of the last change.
  private var floor = 0.0
  private(set) var calls: [String] = []
  private(set) var compactions = 0
  private(set) var checks = 0

  init(seed: UInt64) throws {
    random = SplitMix64(seed: seed)
    let dimensions = seed % 2 == 0 ? 1 : 3
    var compacted = try CurveBatch(dimensions: dimensions)
    var plain = try CurveBatch(dimensions: dimensions, kernels: .portable)
    (compacted.computesVelocities, plain.computesVelocities) = (seed % 3 != 0, seed % 3 != 0)
    self.compacted = compacted
    self.plain = plain
    let plainKinds = CurveBatchTests.curves + CurveBatchTests.modified
    animations = seed % 3 == 1 ? plainKinds : plainKinds + CurveBatchTests.springs + CurveBatchTests.called
    for _ in 0..<60 { try add() }
  }

  private func numbers() -> [Float] { (0..<plain.dimensions).map { _ in Float(random.uniform(-10...10)) } }

  private func add() throws {
    let values = numbers()
    handles.append((try compacted.add(values: values.span)[0], try plain.add(values: values.span)[0]))
  }

  /// Frames, most of them short; and calls in between.
  func step() throws {
    let draw = random.unit()
    if draw < 0.4 {
      let now = plain.time
      let time =
        draw < 0.3
        ? now + random.uniform(0...0.1)
        : draw < 0.35 ? now + random.uniform(0...2) : random.uniform(floor...max(floor, now))
      calls.append("advance to \(time)")
      try compacted.advance(to: time)
      try plain.advance(to: time)
      return
    }
    floor = plain.time
    let place = Int(random.next() % UInt64(handles.count))
    let (a, b) = handles[place]
    let kind = random.next() % 12
    calls.append("call \(kind) of \(a.index)")
    switch kind {
    case 0:
      try add()
    case 1 where handles.count > 20:
      try compacted.remove(a)
      try plain.remove(b)
      gone.append(a)
      handles.swapAt(place, handles.count - 1)
      handles.removeLast()
    case 2:
      try compacted.pause(a)
      try plain.pause(b)
    case 3:
      try compacted.resume(a)
      try plain.resume(b)
    case 4, 5:
      try compacted.compact()
      compactions += 1
    case 6:
      try retarget(Array(handles.filter { _ in random.unit() < 0.5 }))
    default:
      try retarget([handles[place]])
    }
  }

  private func retarget(_ some: [(compacted: TrackHandle, plain: TrackHandle)]) throws {
    let targets = some.flatMap { _ in numbers() }
    let motions = some.map { _ in
      random.unit() < 0.05 ? nil : Optional(animations[Int(random.next() % UInt64(animations.count))])
    }
    let (a, b) = (some.map(\.compacted), some.map(\.plain))
    try compacted.retarget(a.span, to: targets.span, animations: motions.span)
    try plain.retarget(b.span, to: targets.span, animations: motions.span)
  }

  /// The first difference between the two; nil if there is none.
  func fault() throws -> String? {
    let reports = (compacted.logicallyComplete.map(\.index), plain.logicallyComplete.map(\.index))
    if reports.0 != reports.1 { return "complete: \(reports.0), not \(reports.1)" }
    let settled = (compacted.settled.map(\.index), plain.settled.map(\.index))
    if settled.0 != settled.1 { return "settled: \(settled.0), not \(settled.1)" }
    for handle in gone where compacted.contains(handle) { return "\(handle.index) lives, which was removed" }
    for (a, b) in handles {
      guard a.index == b.index, compacted.contains(a) else { return "\(a.index) is not \(b.index)" }
      let row = try compacted.rowIndex(of: a)
      if compacted.handle(atRow: row) != a { return "\(a.index) is not in its row \(row)" }
      let rests = (try compacted.isAtRest(a), try plain.isAtRest(b))
      let ends = (try compacted.logicalEndTime(of: a), try plain.logicalEndTime(of: b))
      if rests.0 != rests.1 || ends.0 != ends.1 { return "\(a.index) rests or ends otherwise" }
    }
    for dimension in 0..<plain.dimensions {
      let shown = try (numbers(of: &compacted, dimension), numbers(of: &plain, dimension))
      for (a, _) in handles {
        checks += 1
        let (value, expected) = (shown.0.values[a.index], shown.1.values[a.index])
        if value.bitPattern != expected.bitPattern { return "\(a.index).\(dimension) shows \(value), not \(expected)" }
        let (velocity, other) = (shown.0.velocities[a.index], shown.1.velocities[a.index])
        if velocity.bitPattern != other.bitPattern {
          return "\(a.index).\(dimension) moves at \(velocity), not \(other)"
        }
      }
    }
    return nil
  }

  private func numbers(of batch: inout CurveBatch, _ dimension: Int) throws -> (values: [Float], velocities: [Float]) {
    var values = [Float](repeating: 0, count: batch.indexCount)
    var velocities = values
    var span = values.mutableSpan
    try batch.copyValues(dimension: dimension, into: &span)
    span = velocities.mutableSpan
    try batch.copyVelocities(dimension: dimension, into: &span)
    return (values, velocities)
  }
}
