// SPDX-License-Identifier: MIT
package import Murmuration

/// Bakes the next frames after random programs, in all orders, and compares them with the reference at their times.
package struct BakeCheck {
  private let set: KernelSet
  private var value: CheckResult
  private var velocity: CheckResult
  private var order: CheckResult

  private init(_ set: KernelSet) {
    self.set = set
    value = CheckResult(name: "bakes.value", isa: set.rawValue, unit: "of the bound", bound: 1)
    velocity = CheckResult(name: "bakes.velocity", isa: set.rawValue, unit: "of the bound", bound: 1)
    order = CheckResult(name: "bakes.same-bits", isa: set.rawValue, unit: "differing numbers", bound: 0)
  }

  private var passed: Bool { value.passed && velocity.passed && order.passed }

  /// Bakes until a number of values were compared, or a bake fails.
  ///
  /// - Returns: Values and velocities, as shares of their bounds, and whether all orders have the same bits. A failed one
  ///   has the source of a short program.
  package static func bakes(on set: KernelSet, samples: Int, seed: UInt64) throws -> [CheckResult] {
    var check = BakeCheck(set)
    var seeds = SplitMix64(seed: seed)
    while check.value.samples < samples, check.passed {
      let seed = seeds.next()
      var program = RandomProgram.draw(seed: seed)
      // After any call, also one that no frame has shown. Frames after a waiting call cannot be baked.
      program.calls = Array(program.calls.prefix(1 + Int(seeds.next() % UInt64(program.calls.count))))
      program.calls.append(BatchCall(.cancelDelays, .all))
      guard try check.bake(after: program, seed) else {
        check.value.record(.infinity, "the program of seed \(seed) fails before it is baked")
        break
      }
      if !check.passed { try check.shorten(program, seed) }
    }
    return [check.value, check.velocity, check.order]
  }

  /// Bakes frames that follow from a seed.
  ///
  /// - Returns: Whether the batch was as the reference says up to the bake.
  private mutating func bake(after program: BatchRecording, _ seed: UInt64) throws -> Bool {
    var check = try RecordingCheck(program, set)
    guard check.play().passed else { return false }
    var reference = check.reference
    var random = SplitMix64(seed: seed)
    let first = Int(random.next() % 30)
    let frames = BakeFrames(
      first..<first + 1 + Int(random.next() % 30), perSecond: random.uniform(10...120), start: reference.time)
    let component = Int(random.next() % UInt64(reference.dimensions))
    let components = component..<min(component + 3, reference.dimensions)
    let (count, width, length) = (reference.indexCount, components.count, frames.range.count)
    func bake(_ order: BakeOrder) throws -> (values: [Float], velocities: [Float]) {
      var values = [Float](repeating: .nan, count: length * count * width)
      var velocities = values
      var valueSpan = values.mutableSpan
      var velocitySpan = velocities.mutableSpan
      try check.player.batch.bake(
        BakeRequest(frames, indices: 0..<count, components: components, order: order),
        into: &valueSpan, velocities: &velocitySpan)
      return (values, velocities)
    }
    let (byTime, byTrack, interleaved) = (try bake(.timeMajor), try bake(.trackMajor), try bake(.interleaved))
    for (row, frame) in frames.range.enumerated() {
      let time = frames.time(of: frame)
      try reference.perform(BatchCall(.advance(to: time, velocities: true)))
      for index in 0..<count {
        let track = reference.track(at: index)
        // The numbers of indices without a track are 0.
        let exact = track.map { reference.state(of: $0) }
        for (column, dimension) in components.enumerated() {
          let place = (row * width + column) * count + index
          let (shown, speed) = (byTime.values[place], byTime.velocities[place])
          let excess = Excess(
            value: shown, velocity: speed, of: exact?[dimension] ?? MotionSample(value: 0, velocity: 0))
          func text() -> String {
            let summary = track.flatMap { reference[$0]?.summary(at: time) } ?? "no track"
            return "seed \(seed), frame \(frame) at \(time) s, component \(dimension) of index \(index) is \(shown), "
              + "velocity \(speed): \(summary), \(exact.map { "\($0[dimension])" } ?? "")"
          }
          value.record(excess.value, text())
          velocity.record(excess.velocity, text())
          for (other, place) in [
            (byTrack, (index * width + column) * length + row), (interleaved, (row * count + index) * width + column),
          ] {
            let isSame =
              shown.bitPattern == other.values[place].bitPattern
              && speed.bitPattern == other.velocities[place].bitPattern
            order.record(order.maxError + (isSame ? 0 : 1), text())
          }
        }
      }
    }
    return true
  }

  /// Finds a short program after which the bake fails too, and says so in the results.
  private mutating func shorten(_ program: BatchRecording, _ seed: UInt64) throws {
    let set = set
    let short = program.shrunk { candidate in
      var fresh = BakeCheck(set)
      return (try? fresh.bake(after: candidate, seed)) == true && !fresh.passed ? candidate : nil
    }
    var last = BakeCheck(set)
    _ = try last.bake(after: short, seed)
    for row in [\BakeCheck.value, \.velocity, \.order] where !last[keyPath: row].passed {
      if !self[keyPath: row].passed { self[keyPath: row].worst = last[keyPath: row].worst + "\n" + short.source }
    }
  }
}
