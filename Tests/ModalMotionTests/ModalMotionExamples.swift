// SPDX-License-Identifier: MIT
import ModalMotion
import Murmuration
import Rigs
import Testing

/// The example of the module `ModalMotion`, word for word between the lines `example:` and `end`, and its call in the
/// README. `DocumentationTests` and `ReadmeTests` compare them with the documents.
struct ModalMotionExamples {
  @Test(.enabled(if: BLAS.configuration != nil)) func aClothIsPlucked() throws {
    // example: Sources/ModalMotion/ModalMotion.docc/ModalMotion.md, Sources/ModalMotion/ModalBatch.swift
    let cloth = try SpringNetwork.cloth(
      columns: 40, rows: 40, stiffness: 900, shearStiffness: 300, damping: .ratio(0.02))
    var batch = try ModalBatch(ModalBasis(cloth, modes: 200), instances: 100)
    try batch.pluck(instance: 3, point: 820, by: 2)
    try batch.advance(to: 1.0 / 60)
    var positions = [Float](repeating: 0, count: 100 * 1600)
    try batch.copyPositions(into: &positions)
    // end
    // It is on its way back from 2, and its neighbour has not moved.
    #expect(positions[3 * 1600 + 820] > 0.1 && positions[3 * 1600 + 820] < 2 && positions[2 * 1600 + 820] == 0)
  }

  @Test(.enabled(if: BLAS.configuration != nil)) func theCallOfTheReadmeRuns() throws {
    var cloth = try ModalBatch(
      ModalBasis(.cloth(columns: 4, rows: 4, stiffness: 900, shearStiffness: 300, damping: .ratio(0.02)), modes: 4),
      instances: 1)
    // calls: Which call for which need
    try cloth.advance(to: 1)
    // end
    #expect(cloth.time == 1)
  }
}
