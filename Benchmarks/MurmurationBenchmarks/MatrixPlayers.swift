// SPDX-License-Identifier: MIT
import ModalMotion
import Murmuration
import Rigs

/// A layer of tracks over a base, for many instances.
final class Mixed: Player {
  private static let (instances, tracks, outputs) = (100, 32, 500)
  private var mixer: Mixer
  private var output = [Float](repeating: 0, count: instances * outputs)
  private let inputs = (0..<10).map { [Float](repeating: Float($0), count: instances * tracks) }
  private var number = 0

  init() throws {
    // Every output is the mean of the tracks, above 1.
    let shapes = [Float](repeating: 1 / Float(Self.tracks), count: Self.tracks * Self.outputs)
    let base = [Float](repeating: 1, count: Self.outputs)
    let layer = MixerLayer(.additive, trackCount: Self.tracks, shapes: shapes)
    mixer = try Mixer(base: base, layers: [layer], instances: Self.instances)
  }

  func frame() throws {
    number += 1
    let numbers = inputs[number % inputs.count]
    try mixer.set(0..<Self.tracks, of: 0..<Self.instances, to: numbers.span)
    var output: [Float] = []
    swap(&output, &self.output)
    var span = output.mutableSpan
    try mixer.mix(into: &span)
    swap(&output, &self.output)
  }

  func isRight() throws -> Bool { output.allSatisfy { abs($0 - 1 - Float(number % 10)) < 1e-4 } }
}

/// Cloths that were plucked and swing without end.
final class Cloths: Player {
  private static let (cloths, side) = (20, 12)
  private var batch: ModalBatch
  private var positions: [Float]
  private var largest: Float = 0

  init() throws {
    let network = try SpringNetwork.cloth(columns: Self.side, rows: Self.side, stiffness: 900, shearStiffness: 300)
    let basis = try ModalBasis(network, modes: 40)
    var batch = try ModalBatch(basis, instances: Self.cloths)
    for cloth in 0..<Self.cloths {
      try batch.pluck(instance: cloth, point: (Self.side + 1) * 5, by: 1)
    }
    positions = [Float](repeating: 0, count: Self.cloths * basis.pointCount)
    self.batch = batch
  }

  func frame() throws {
    try batch.advance(to: batch.time + Played.frameDuration)
    var positions: [Float] = []
    swap(&positions, &self.positions)
    var span = positions.mutableSpan
    try batch.copyPositions(into: &span)
    swap(&positions, &self.positions)
    largest = max(largest, abs(self.positions[(Self.side + 1) * 5]))
  }

  /// All cloths do the same, and no point goes farther than it was pulled.
  func isRight() throws -> Bool {
    let points = positions.count / Self.cloths
    return largest > 0.1 && largest < 1.01
      && positions.indices.allSatisfy { abs(positions[$0] - positions[$0 % points]) < 1e-4 }
  }
}
