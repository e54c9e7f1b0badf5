// SPDX-License-Identifier: MIT
package import Murmuration

/// Bakes the next frames after random programs, in all orders, and compares them with the reference at their times.
package enum BakeCheck {
  /// Bakes until a number of values were compared, or a bake fails.
  ///
  /// - Returns: Values and velocities, as shares of their bounds, and whether all orders have the same bits. A failed one
  ///   has the source of a short program.
  package static func bakes(on set: KernelSet, samples: Int, seed: UInt64) throws -> [CheckResult] {
    let fresh = MotionResults("bakes", on: set, rule: "same-bits", unit: "differing numbers")
    var results = fresh
    var seeds = SplitMix64(seed: seed)
    while results.value.samples < samples, results.passed {
      let seed = seeds.next()
      var program = RandomProgram.draw(seed: seed)
      // After any call, also one that no frame has shown. Frames after a waiting call cannot be baked.
      program.calls = Array(program.calls.prefix(1 + Int(seeds.next() % UInt64(program.calls.count))))
      program.calls.append(BatchCall(.cancelDelays, .all))
      try bake(after: program, on: set, seed, &results)
      if results.passed { continue }
      let short = program.shrunk { candidate in
        var results = fresh
        try? bake(after: candidate, on: set, seed, &results)
        return results.passed ? nil : candidate
      }
      results = fresh
      try bake(after: short, on: set, seed, &results, note: "\n" + short.source)
    }
    return results.all
  }

  /// Bakes frames that follow from a seed; `note` is put behind the samples that results name.
  private static func bake(
    after program: BatchRecording, on set: KernelSet, _ seed: UInt64, _ results: inout MotionResults, note: String = ""
  ) throws {
    var check = try RecordingCheck(program, set)
    if let failure = check.play().failure {
      return results.value.record(.infinity, "the program of seed \(seed) fails before it is baked: \(failure.finding)")
    }
    var reference = check.reference
    reference.endLeads()
    var random = SplitMix64(seed: seed)
    let first = Int(random.next() % 30)
    let frames = BakeFrames(
      first..<first + 1 + Int(random.next() % 30), perSecond: random.uniform(10...120), start: reference.time)
    let component = Int(random.next() % UInt64(reference.dimensions))
    let components = component..<min(component + 3, reference.dimensions)
    let (count, width, length) = (reference.indexCount, components.count, frames.range.count)
    func bake(_ order: BakeOrder) throws -> (_ number: Int) -> SIMD2<Float> {
      var values = [Float](repeating: .nan, count: length * count * width)
      var velocities = values
      var valueSpan = values.mutableSpan
      var velocitySpan = velocities.mutableSpan
      try check.player.batch.bake(
        BakeRequest(frames, indices: 0..<count, components: components, order: order),
        into: &valueSpan, velocities: &velocitySpan)
      return { [values, velocities] in SIMD2(values[$0], velocities[$0]) }
    }
    let (byTime, byTrack, interleaved) = (try bake(.timeMajor), try bake(.trackMajor), try bake(.interleaved))
    for (row, frame) in frames.range.enumerated() {
      let time = frames.time(of: frame)
      try reference.perform(BatchCall(.advance(to: time, velocities: true)))
      for index in 0..<count {
        let track = reference.track(at: index)
        let exact = track.map { reference.state(of: $0) }
        for (column, dimension) in components.enumerated() {
          let shown = byTime((row * width + column) * count + index)
          // The numbers of indices without a track are 0.
          let sample = exact?[dimension] ?? MotionSample(value: 0, velocity: 0)
          func text() -> String {
            "seed \(seed), frame \(frame) at \(time) s, component \(dimension) of index \(index) is \(shown.x), velocity "
              + "\(shown.y), exactly \(sample): \(track.flatMap { reference[$0]?.summary } ?? "no track")\(note)"
          }
          results.record(Excess(value: shown.x, velocity: shown.y, of: sample), text())
          results.expect(shown.bits == byTrack((index * width + column) * length + row).bits, text())
          results.expect(shown.bits == interleaved((row * count + index) * width + column).bits, text())
        }
      }
    }
  }
}
