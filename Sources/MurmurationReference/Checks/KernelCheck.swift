// SPDX-License-Identifier: MIT
import Kernels
package import Murmuration

/// Compares the spring kernels with the model on random springs, on several instruction sets at once.
///
/// Every lane has a spring, a start and an age of its own. Outputs are poisoned with NaN before each run, so a lane
/// that is not written shows. What lies behind the lanes must keep its poison, so a lane too many shows as well. The runs
/// of a check store in all ways in turn, as each way has a loop of its own.
package struct KernelCheck {
  private let sets: [KernelSet]

  /// A check of the kernels of these instruction sets. All sets must have the bits of the first one.
  package init(sets: [KernelSet]) { self.sets = sets }

  /// Checks mixed lanes of one regime, or of several in turns.
  ///
  /// - Returns: For each instruction set the value, the velocity, and the number of lanes whose bits differ from the
  ///   first set's. The bound of value and velocity is 8; see accuracy in ``AnimationBatch``.
  package func mixed(_ regimes: [SpringRegime], samples: Int, seed: UInt64) -> [CheckResult] {
    check("mixed.\(regimes.count == 1 ? regimes[0].rawValue : "all")", samples, seed) { random, stores in
      // The clock is anywhere; the starts lie before it, and round the ages.
      let now = random.uniform(0...1e6)
      // One less than a multiple of the tile, so that the last vector of every width holds a track.
      var draws = (0..<1_007).map { SpringDraw(regimes[$0 % regimes.count], &random) }
      for lane in draws.indices { draws[lane].age = now - (now - draws[lane].age) }
      return (draws, { run(draws, stores, $0, $0.evaluateMixed, now) })
    }
  }

  /// Checks uniform runs of one regime: 111 lanes share a spring and an age, values and velocities differ.
  package func uniform(_ regime: SpringRegime, samples: Int, seed: UInt64) -> [CheckResult] {
    check("uniform.\(regime.rawValue)", samples, seed) { random, stores in
      var draws = (0..<111).map { _ in SpringDraw(regime, &random) }
      for lane in draws.indices { (draws[lane].spring, draws[lane].age) = (draws[0].spring, draws[0].age) }
      let (lane, age) = (Int(random.next() % 111), draws[0].age)
      return (draws, { table in run(draws, stores, table, { table.evaluateUniform($0, $1, lane, $2, $3) }, age) })
    }
  }

  /// Checks baked lanes of one regime: one of the frames of each lane, anywhere between two anchors. The block of lanes
  /// is not full.
  package func baked(_ regime: SpringRegime, samples: Int, seed: UInt64) -> [CheckResult] {
    check("baked.\(regime.rawValue)", samples, seed) { random, _ in
      var draws = (0..<109).map { _ in SpringDraw(regime, &random) }
      let count = [1, 20, 600, 1100][Int(random.next() % 4)]
      let rate = random.logarithmic(5...1000)
      let times = BakeTimes(count: count, origin: random.uniform(-1e3...1e3), first: 7, rate: rate)
      let starts = draws.map { times(0) - $0.age }
      let frames = draws.map { _ in Int(random.next() % UInt64(count)) }
      for lane in draws.indices { draws[lane].age = times(frames[lane]) - starts[lane] }
      let shown = draws.indices.map { frames[$0] * draws.count + $0 }
      return (draws, { table in bake(draws, starts, times, table.bake, shown) })
    }
  }

  /// Draws lanes until there are enough samples, and compares what the kernels of each set make of them.
  private func check(
    _ name: String, _ samples: Int, _ seed: UInt64,
    _ draw: (inout SplitMix64, LaneRun.Stores) -> (draws: [SpringDraw], run: (KernelTable) -> [SIMD2<Float>]?)
  ) -> [CheckResult] {
    let ways: [LaneRun.Stores] = [.ordinary, .pastCaches]
    var random = SplitMix64(seed: seed)
    let units = ("2^-24 S", "2^-24 S w0")
    var results = sets.map {
      MotionResults(name, on: $0, units: units, bound: 8, rule: "same-bits", unit: "differing lanes")
    }
    for round in 0... {
      let (draws, run) = draw(&random, ways[round % ways.count])
      var first: [SIMD2<Float>]?
      for (index, set) in sets.enumerated() {
        guard let shown = run(set.table) else {
          results[index].value.record(.infinity, samples: draws.count, "a kernel writes behind the last lane")
          continue
        }
        first = first ?? shown
        for (lane, draw) in draws.enumerated() {
          results[index].record(draw.error(value: shown[lane].x, velocity: shown[lane].y), "\(draw)")
          results[index].expect(shown[lane].bits == first?[lane].bits, "\(draw)")
        }
      }
      if results[0].value.samples >= samples { break }
    }
    return results.map(\.value) + results.map(\.velocity) + results.dropFirst().map(\.rule)
  }
}

/// Values and velocities that a kernel computes for lanes, without a batch around them; nil if it writes behind the last
/// one, into one of two more tiles.
private func run(
  _ draws: [SpringDraw], _ stores: LaneRun.Stores, _ table: KernelTable,
  _ kernel: (SpringColumns, LaneRun, Double, Bool) -> Void, _ time: Double
) -> [SIMD2<Float>]? {
  let storage = SpringStorage(dimensions: 1, count: draws.count + 3 * laneCountOfTile)
  let columns = storage.columns
  for (lane, draw) in draws.enumerated() {
    let coefficients = draw.coefficients
    (columns.start[lane], columns.rate[lane]) = (time - draw.age, coefficients.rate)
    (columns.decay[lane], columns.target[lane]) = (coefficients.decay, draw.target)
    (columns.displacement[lane], columns.amplitude[lane]) = (draw.displacement, draw.amplitude)
  }
  let (value, velocity) = (columns.value, columns.velocity)
  for lane in 0..<storage.capacity { (value[lane], velocity[lane]) = (.nan, .nan) }
  let padded = (draws.count + laneCountOfTile - 1) / laneCountOfTile * laneCountOfTile
  kernel(columns, LaneRun(firstLane: 0, laneCount: padded, stores: stores), time, true)
  table.fence()
  guard (padded..<storage.capacity).allSatisfy({ value[$0].isNaN && velocity[$0].isNaN }) else { return nil }
  return draws.indices.map { SIMD2(value[$0], velocity[$0]) }
}

/// Some of the numbers of all frames of some lanes; nil if the kernel writes behind the last one.
private func bake(
  _ draws: [SpringDraw], _ starts: [Double], _ times: BakeTimes, _ kernels: BakeKernels, _ shown: [Int]
) -> [SIMD2<Float>]? {
  let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: BakeLanes.byteCount, alignment: 64)
  defer { memory.deallocate() }
  let lanes = BakeLanes(memory: memory.bindMemory(to: UInt8.self).column!)
  for lane in 0..<BakeLanes.capacity { lanes.clear(lane) }
  for (lane, draw) in draws.enumerated() {
    let exact = draw.coefficients
    (lanes.start[lane], lanes.rate[lane], lanes.α[lane], lanes.κ[lane]) = (starts[lane], exact.rate, exact.α, exact.κ)
    lanes.steadyTime[lane] = BakeTimes.steadyTime(naturalFrequency: draw.spring.naturalFrequency)
    (lanes.displacement[lane], lanes.amplitude[lane]) = (draw.displacement, draw.amplitude)
    lanes.target[lane] = draw.target
  }
  let total = times.count * draws.count
  let storage = SpringStorage(dimensions: 1, count: total + 1)
  let (values, velocities) = (storage.columns.value, storage.columns.velocity)
  for number in 0..<storage.capacity { (values[number], velocities[number]) = (.nan, .nan) }
  let output = BakeOutput(
    values: values, velocities: velocities, frameStride: draws.count, laneStride: 1, isStreamed: false, overlap: 0,
    isContinued: false)
  kernels.lanes(lanes, draws.count, times, output)
  guard (total..<storage.capacity).allSatisfy({ values[$0].isNaN && velocities[$0].isNaN }) else { return nil }
  return shown.map { SIMD2(values[$0], velocities[$0]) }
}
