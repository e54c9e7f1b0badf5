// SPDX-License-Identifier: MIT
import Kernels
import Murmuration

extension KernelCheck {
  /// Lanes that are baked together, in a block that is not full.
  private static let bakedLanes = 109

  /// Checks baked lanes of one regime: one of the frames of each lane, anywhere between two anchors.
  package func baked(_ regime: SpringRegime, samples: Int, seed: UInt64) -> [CheckResult] {
    var random = SplitMix64(seed: seed)
    var tally = Tally(name: "baked.\(regime.rawValue)", sets: sets)
    let count = Self.bakedLanes
    repeat {
      var draws = (0..<count).map { _ in SpringDraw(regime, &random) }
      let frameCount = [1, 20, 600, 1100][Int(random.next() % 4)]
      let rate = random.logarithmic(5...1000)
      let times = BakeTimes(count: frameCount, origin: random.uniform(-1e3...1e3), first: 7, rate: rate)
      let starts = draws.map { times(0) - $0.age }
      let frames = draws.map { _ in Int(random.next() % UInt64(frameCount)) }
      for lane in draws.indices {
        draws[lane].age = times(frames[lane]) - starts[lane]
      }
      let references = draws.map { $0.reference(age: $0.age) }
      var first: [(value: Float, velocity: Float)] = []
      for (index, set) in sets.enumerated() {
        let (values, velocities) = Self.bake(draws, starts, times, set.table)
        let answers = draws.indices.map { lane in
          (value: values[frames[lane] * count + lane], velocity: velocities[frames[lane] * count + lane])
        }
        tally.compare(index, answers, overran: values.count != frameCount * count + 1, draws, references, &first)
      }
    } while tally.samples < samples
    return tally.results
  }

  /// All frames of some lanes. One more number is returned if the kernel wrote behind the last lane.
  private static func bake(
    _ draws: [SpringDraw], _ starts: [Double], _ times: BakeTimes, _ table: KernelTable
  ) -> (values: [Float], velocities: [Float]) {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: BakeLanes.byteCount, alignment: 64)
    defer { memory.deallocate() }
    let lanes = BakeLanes(memory: memory.bindMemory(to: UInt8.self).column!)
    for lane in 0..<BakeLanes.capacity {
      lanes.clear(lane)
    }
    for (lane, draw) in draws.enumerated() {
      let exact = SpringCoefficients(accepted: draw.spring)
      // The coefficients as a batch stores them.
      let kept = SpringCoefficients(isOverdamped: exact.isOverdamped, rate: exact.rate, decay: exact.decay)
      (lanes.start[lane], lanes.rate[lane], lanes.α[lane], lanes.κ[lane]) = (starts[lane], exact.rate, kept.α, kept.κ)
      lanes.steadyTime[lane] = BakeTimes.steadyTime(naturalFrequency: draw.spring.naturalFrequency)
      lanes.displacement[lane] = draw.displacement
      lanes.amplitude[lane] = AmplitudeRule(exact).amplitude(displacement: draw.displacement, velocity: draw.velocity)
      lanes.target[lane] = draw.target
    }
    let total = times.count * draws.count
    var values = [Float](repeating: .nan, count: total + 1)
    var velocities = [Float](repeating: .nan, count: total + 1)
    values.withUnsafeMutableBufferPointer { values in
      velocities.withUnsafeMutableBufferPointer { velocities in
        if let start = values.column, let speeds = velocities.column {
          let output = BakeOutput(
            values: start, velocities: speeds, frameStride: draws.count, laneStride: 1, isStreamed: false, overlap: 0,
            isContinued: false)
          table.bake.lanes(lanes, draws.count, times, output)
        }
      }
    }
    return values[total].isNaN && velocities[total].isNaN ? (values, velocities) : (values + [0], velocities)
  }
}
