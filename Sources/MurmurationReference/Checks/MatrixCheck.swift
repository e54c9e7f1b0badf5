// SPDX-License-Identifier: MIT
package import Murmuration

/// Mixes random layers, and moves random networks of springs, and compares them with sums and forces in Double.
package struct MatrixCheck {
  private let set: KernelSet

  /// A check of the kernels of one instruction set.
  package init(set: KernelSet) { self.set = set }

  /// Mixes until a number of outputs were compared.
  package func mixers(samples: Int, seed: UInt64) throws -> [CheckResult] {
    var result = CheckResult(name: "mixer.value", isa: set.rawValue, unit: "of the bound", bound: 1)
    var random = SplitMix64(seed: seed)
    while result.samples < samples {
      let (outputs, instances) = (1 + Int(random.next() % 150), 1 + Int(random.next() % 20))
      let base = random.floats(outputs, -10...10)
      let layers = (0..<1 + Int(random.next() % 4)).map { _ in
        random.layer(random.next() % 2 == 0 ? .additive : .override, tracks: Int(random.next() % 6), outputs: outputs)
      }
      var mixer = try Mixer(base: base, layers: layers, instances: instances, kernels: set)
      let inputs = random.floats(mixer.columnCount * instances, -1.2...1.2)
      try mixer.set(0..<mixer.columnCount, of: 0..<instances, to: inputs.span)
      var mixed = [Float](repeating: .nan, count: instances * outputs)
      var span = mixed.mutableSpan
      try mixer.mix(into: &span, stride: outputs)
      let reference = MixerReference(base: base, layers: layers)
      for instance in 0..<instances {
        let own = (0..<mixer.columnCount).map { inputs[$0 * instances + instance] }
        for (output, exact) in reference.outputs(own, terms: mixer.termCount).enumerated() {
          let excess = Excess(value: mixed[instance * outputs + output], velocity: nil, of: exact)
          result.record(excess.value, "\(layers.count) layers, instance \(instance), output \(output)")
        }
      }
    }
    return [result]
  }

  /// Moves networks until a number of points were compared. Without OpenBLAS there are no modes, and the result is
  /// empty.
  package func networks(samples: Int, seed: UInt64) throws -> [CheckResult] {
    do {
      return try moveNetworks(samples: samples, seed: seed)
    } catch ModalError.needsOpenBLAS, ModalError.matrices(.unusableBLAS) {
      return []
    }
  }

  private func moveNetworks(samples: Int, seed: UInt64) throws -> [CheckResult] {
    var value = CheckResult(name: "modal.value", isa: set.rawValue, unit: "1e-5 of the amplitude", bound: 1)
    var velocity = CheckResult(name: "modal.velocity", isa: set.rawValue, unit: "1e-5 of the fastest mode", bound: 1)
    var random = SplitMix64(seed: seed)
    while value.samples < samples {
      let network = random.network()
      let basis = try ModalBasis(network)
      var forces = NetworkMotion(network)
      for point in forces.positions.indices {
        forces.positions[point] = random.uniform(-1...1)
        forces.velocities[point] = random.uniform(-2...2)
      }
      var batch = try ModalBatch(basis, instances: 1, kernels: set)
      let (displacements, speeds) = (forces.positions, forces.velocities)
      try batch.add(instance: 0, displacements: displacements.span, velocities: speeds.span)
      let fastest = basis.frequencies.max() ?? 1
      for frame in 1...8 {
        forces.advance(steps: 200, step: 0.25 / 200)
        try batch.advance(to: Double(frame) / 4, velocities: true)
        var (places, moving) = (
          [Float](repeating: .nan, count: basis.pointCount), [Float](repeating: .nan, count: basis.pointCount)
        )
        var span = places.mutableSpan
        try batch.copyPositions(axis: 0, into: &span)
        span = moving.mutableSpan
        try batch.copyVelocities(axis: 0, into: &span)
        let amplitude = forces.positions.reduce(2) { max($0, abs($1)) } * 1e-5
        for point in places.indices {
          func text() -> String { "\(basis.pointCount) points, frame \(frame), point \(point)" }
          value.record(abs(Double(places[point]) - forces.positions[point]) / amplitude, text())
          velocity.record(abs(Double(moving[point]) - forces.velocities[point]) / (amplitude * fastest), text())
        }
      }
    }
    return [value, velocity]
  }
}

extension SplitMix64 {
  /// A network of some points that hold each other and the ground.
  fileprivate mutating func network() -> SpringNetwork {
    let count = 2 + Int(next() % 14)
    var links = (1..<count).map { SpringNetwork.Link($0 - 1, $0, stiffness: uniform(1...30)) }
    for _ in 0..<next() % 6 {
      let first = Int(next() % UInt64(count))
      let second = Int(next() % UInt64(count))
      if first != second { links.append(SpringNetwork.Link(first, second, stiffness: uniform(1...30))) }
    }
    return SpringNetwork(
      masses: (0..<count).map { _ in uniform(0.3...3) }, links: links,
      groundings: (0..<count).map { SpringNetwork.Grounding($0, stiffness: uniform(0.5...10)) },
      damping: .rayleigh(mass: uniform(0...2), stiffness: uniform(0...0.1)))
  }
}
