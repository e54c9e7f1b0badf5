// SPDX-License-Identifier: MIT
import Murmuration

#if OpenBLAS
  import COpenBLAS

  /// Whole frames of many cloths, every mode and every point of them, beside the bare matrix product of the same shape.
  struct ModalBench {
    private static let cloths = 100
    private static let side = 40
    private static let modes = 200

    private let rounds: Int

    init(rounds: Int) { self.rounds = rounds }

    /// Frames and products by turns, into output that was touched before; both on one thread.
    func measure() throws -> [OperationResult] {
      let network = try SpringNetwork.cloth(
        columns: Self.side, rows: Self.side, stiffness: 900, shearStiffness: 300, damping: .ratio(0.005))
      let basis = try ModalBasis(network, modes: Self.modes)
      var batch = try ModalBatch(basis, instances: Self.cloths)
      var random = SplitMix64(seed: 8)
      for cloth in 0..<Self.cloths {
        let point = (Self.side + 1) * (2 + Int(random.next() % UInt64(Self.side - 4)))
        try batch.pluck(instance: cloth, point: point, by: random.uniform(1...3))
      }
      let points = basis.pointCount
      let length = Self.cloths * points
      var positions = [Float](repeating: 0, count: length)
      var bare = positions
      let weights = (0..<Self.cloths * Self.modes).map { _ in Float(random.uniform(-1...1)) }
      let shapes = (0..<Self.modes * points).map { _ in Float(random.uniform(-1...1)) }
      var (products, modes, frames): ([Double], [Double], [Double]) = ([], [], [])
      let clock = ContinuousClock()
      for round in 0..<max(rounds, 40) {
        let product = try clock.measure {
          try BLAS.withLibrary {
            cblas_sgemm(
              CblasRowMajor, CblasNoTrans, CblasNoTrans, blasint(Self.cloths), blasint(points), blasint(Self.modes), 1,
              weights, blasint(Self.modes), shapes, blasint(points), 0, &bare, blasint(points))
          }
        }
        let springs = try clock.measure { try batch.advance(to: Double(round + 1) / 600) }
        let points = try clock.measure {
          var span = positions.mutableSpan
          try batch.copyPositions(into: &span)
        }
        products.append(Double(product.components.attoseconds) * 1e-9)
        modes.append(Double(springs.components.attoseconds) * 1e-9)
        frames.append(Double((springs + points).components.attoseconds) * 1e-9)
      }
      guard positions.contains(where: { $0 != 0 }), bare.contains(where: { $0 != 0 }) else {
        throw BenchError.disagreement(row: 0, kernel: 0, scalar: 0)
      }
      let median = { (times: [Double]) in times.sorted()[times.count / 2] }
      return [
        OperationResult("modal.modes", tracks: Self.cloths * Self.modes, called: Self.cloths * Self.modes, modes),
        OperationResult("modal.sgemm.bare", tracks: length, called: length, products),
        OperationResult(
          "modal.frame", tracks: length, called: length, frames, ratio: median(frames) / median(products)),
      ]
    }
  }
#endif
