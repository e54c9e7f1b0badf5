// SPDX-License-Identifier: MIT
import ModalMotion
package import Murmuration
import Rigs

/// Mixes random layers, and moves random networks of springs, and compares them with sums and forces in Double.
package enum MatrixCheck {
  /// Mixes until a number of outputs were compared.
  package static func mixers(on set: KernelSet, samples: Int, seed: UInt64) throws -> [CheckResult] {
    var result = CheckResult(name: "mixer.value", isa: set.rawValue)
    var random = SplitMix64(seed: seed)
    while result.samples < samples {
      // Now and then sums of hundreds of terms, which OpenBLAS may form.
      let isLong = random.next() % 16 == 0
      let (outputs, instances) = (Int(random.next() % (isLong ? 40 : 151)), Int(random.next() % 21))
      let base = random.floats(outputs, -10...10)
      let layers = (0..<1 + Int(random.next() % 4)).map { _ in
        let tracks = Int(random.next() % (isLong ? 700 : 6))
        return random.layer(random.next() % 2 == 0 ? .additive : .override, tracks: tracks, outputs: outputs)
      }
      var mixer = try Mixer(base: base, layers: layers, instances: instances, kernels: set)
      let inputs = random.floats(mixer.columnCount * instances, -1.2...1.2)
      try mixer.set(0..<mixer.columnCount, of: 0..<instances, to: inputs.span)
      let stride = outputs + Int(random.next() % 4)
      var mixed = [Float](repeating: .nan, count: instances * stride + 40)
      var span = mixed.mutableSpan
      try mixer.mix(into: &span, stride: stride)
      for place in mixed.indices where place >= instances * stride || place % stride >= outputs {
        if !mixed[place].isNaN { result.record(.infinity, "number \(place) beside the outputs was written") }
      }
      for instance in 0..<instances {
        let own = (0..<mixer.columnCount).map { inputs[$0 * instances + instance] }
        for (output, exact) in layers.exactOutputs(over: base, own, terms: mixer.termCount).enumerated() {
          let excess = Excess(value: mixed[instance * stride + output], velocity: nil, of: exact)
          result.record(excess.value, "\(layers.count) layers, instance \(instance), output \(output)")
        }
      }
    }
    return [result]
  }

  /// Moves networks until a number of points were compared. Without OpenBLAS there are no modes, and the result is
  /// empty.
  package static func networks(on set: KernelSet, samples: Int, seed: UInt64) throws -> [CheckResult] {
    guard BLAS.isUsable else { return [] }
    var results = MotionResults("modal", on: set, units: ("1e-5 of the amplitude", "1e-5 of the fastest mode"))
    var random = SplitMix64(seed: seed)
    while results.value.samples < samples { try move(random.network(), on: set, &random, &results) }
    return [results.value, results.velocity]
  }

  private static func move(
    _ network: SpringNetwork, on set: KernelSet, _ random: inout SplitMix64, _ results: inout MotionResults
  ) throws {
    let basis = try ModalBasis(network)
    let (count, fastest) = (basis.pointCount, basis.frequencies.max() ?? 1)
    var exact = NetworkMotion(network)
    exact.positions = (0..<count).map { _ in random.uniform(-1...1) }
    exact.velocities = (0..<count).map { _ in random.uniform(-2...2) }
    var batch = try ModalBatch(basis, instances: 1, kernels: set)
    try batch.add(instance: 0, displacements: exact.positions.span, velocities: exact.velocities.span)
    for frame in 1...8 {
      exact.advance(steps: 200, step: 0.25 / 200)
      try batch.advance(to: Double(frame) / 4, velocities: true)
      var places = [Float](repeating: .nan, count: count)
      var moving = places
      var span = places.mutableSpan
      try batch.copyPositions(axis: 0, into: &span)
      span = moving.mutableSpan
      try batch.copyVelocities(axis: 0, into: &span)
      let amplitude = exact.positions.reduce(2) { max($0, abs($1)) } * 1e-5
      let bound = ErrorBound(value: amplitude, velocity: amplitude * fastest)
      for point in 0..<count {
        let sample = MotionSample(value: exact.positions[point], velocity: exact.velocities[point], bound: bound)
        let excess = Excess(value: places[point], velocity: moving[point], of: sample)
        results.record(excess, "\(count) points, frame \(frame), point \(point)")
      }
    }
  }
}

extension SplitMix64 {
  /// A network of some points that hold each other and the ground.
  fileprivate mutating func network() -> SpringNetwork {
    let count = 2 + Int(next() % 14)
    let chain = (1..<count).map { ($0 - 1, $0) }
    let others = (0..<next() % 6).map { _ in (Int(next() % UInt64(count)), Int(next() % UInt64(count))) }
    let links = (chain + others.filter { $0 != $1 }).map { SpringNetwork.Link($0, $1, stiffness: uniform(1...30)) }
    return SpringNetwork(
      masses: (0..<count).map { _ in uniform(0.3...3) }, links: links,
      groundings: (0..<count).map { SpringNetwork.Grounding($0, stiffness: uniform(0.5...10)) },
      damping: .rayleigh(mass: uniform(0...2), stiffness: uniform(0...0.1)))
  }
}
