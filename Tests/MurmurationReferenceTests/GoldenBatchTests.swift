// SPDX-License-Identifier: MIT
import Murmuration
import TestSupport
import Testing

/// Motions computed with 50 digits, through whole batches: value and velocity within 8 · 2⁻²⁴ of the scale.
struct GoldenBatchTests {
  private static let u = 0x1p-24

  @Test(arguments: KernelSet.available) func everyRowIsWithin8u(_ set: KernelSet) throws {
    // A row of age t is added at −t, the oldest first; at time 0 all have the age that the table asks for.
    let rows = try GoldenSprings.load().rows.sorted { $0.time > $1.time }
    var batch = try AnimationBatch<Float>(kernels: set)
    // A tolerance so small that motions are compared until they are 0.
    batch.restTolerance = try RestTolerances(value: 1e-30)
    var handles: [TrackHandle] = []
    for row in rows {
      try batch.advance(to: -row.time)
      let spring = Spring(duration: row.duration, bounce: row.bounce)
      handles += try batch.add([Float(row.start)], velocities: [Float(row.velocity)], to: [0], spring)
    }
    try batch.advance(to: 0)
    var worst = 0.0
    for (row, handle) in zip(rows, handles) {
      let (value, velocity) = (batch[handle] ?? .nan, batch.velocity(of: handle) ?? .nan)
      let error = abs(Double(value) - row.expectedValue) / (Self.u * row.scale)
      let velocityError = abs(Double(velocity) - row.expectedVelocity) / (Self.u * row.scale * row.naturalFrequency)
      #expect(error <= 8 && velocityError <= 8, "\(row): \(error) u, velocity \(velocityError) u")
      worst = max(worst, error, velocityError)
    }
    #expect(worst > 0.1, "an error this small means that nothing was compared")
    print("golden springs, \(set.rawValue): worst \(worst) u of \(rows.count) rows")
  }

  /// Chains of retargets: each adds at most one error of the motion that it ends, carried by the later ones.
  @Test(arguments: KernelSet.available) func retargetChainsHold(_ set: KernelSet) throws {
    for chain in try GoldenSprings.load().retarget {
      var batch = try AnimationBatch<Float>(kernels: set)
      batch.restTolerance = try RestTolerances(value: 1e-30)
      let handle = try batch.add(Float(chain.initial.x), velocity: Float(chain.initial.v), to: 0, .smooth)
      var events = chain.events[...]
      var scale = 0.0
      var frequencies: [Double] = []
      for sample in chain.samples {
        while let event = events.first, frequencies.isEmpty || event.t < sample[0] {
          try batch.advance(to: event.t)
          let spring = Spring(duration: event.duration, bounce: event.bounce)
          try batch.animate(handle, to: Float(event.target), .spring(spring))
          frequencies.append(spring.naturalFrequency)
          events.removeFirst()
        }
        try batch.advance(to: sample[0])
        let (value, velocity) = (batch[handle] ?? .nan, batch.velocity(of: handle) ?? .nan)
        let (slowest, fastest) = (frequencies.min() ?? 0, frequencies.max() ?? 0)
        scale = max(scale, abs(sample[1]) + 100, abs(sample[2]) / slowest)
        let bound = 8 * Self.u * scale * Double(chain.events.count + 1)
        #expect(abs(Double(value) - sample[1]) <= bound, "at \(sample[0])")
        #expect(abs(Double(velocity) - sample[2]) <= bound * fastest, "at \(sample[0])")
      }
    }
  }
}
