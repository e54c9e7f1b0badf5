// SPDX-License-Identifier: MIT
import Kernels
import ModalMotion
import Murmuration
import Rigs

/// Whole frames of many cloths, with every mode and every point, beside the bare matrix product of the same shape.
struct ModalBench {
  private static let cloths = 100
  private static let side = 40
  private static let modes = 200

  private let rounds: Int

  init(rounds: Int) { self.rounds = rounds }

  /// Frames and products by turns, into output that was touched before, both on one thread. Empty if OpenBLAS is not
  /// usable: `note` is told why.
  func measure(note: (_ text: String) -> Void) throws -> [OperationResult] {
    do {
      try BLAS.requireUsable()
    } catch {
      note("No rows of modal motion: \(error)")
      return []
    }
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
    // The inputs of the bare product begin on lines, as ours do.
    let weights = Self.drawn(Self.cloths * Self.modes, &random)
    let shapes = Self.drawn(Self.modes * points, &random)
    let bare = Self.drawn(length, &random)
    defer { for memory in [weights, shapes, bare] { memory.address.deallocate() } }
    let whole = BLASProduct(
      rows: Self.cloths, columns: points, inner: Self.modes, a: weights.constant, aStride: Self.modes,
      b: shapes.constant,
      bStride: points, c: bare, cStride: points)
    var (products, modes, frames): ([Double], [Double], [Double]) = ([], [], [])
    let clock = ContinuousClock()
    for round in 0..<max(rounds, 40) {
      let product = clock.measure { _ = BLAS.multiplyWhole(whole) }
      let springs = try clock.measure { try batch.advance(to: Double(round + 1) / 600) }
      let points = try clock.measure {
        var span = positions.mutableSpan
        try batch.copyPositions(into: &span)
      }
      products.append(Double(product.components.attoseconds) * 1e-9)
      modes.append(Double(springs.components.attoseconds) * 1e-9)
      frames.append(Double((springs + points).components.attoseconds) * 1e-9)
    }
    // A figure counts only if there was something to compute.
    guard positions.contains(where: { $0 != 0 }) else {
      throw BenchError.disagreement(index: 0, kernel: 0, scalar: 0)
    }
    let median = { (times: [Double]) in times.sorted()[times.count / 2] }
    return [
      OperationResult("modal.modes", tracks: Self.cloths * Self.modes, called: Self.cloths * Self.modes, modes),
      OperationResult("modal.sgemm.bare", tracks: length, called: length, products),
      OperationResult(
        "modal.frame", tracks: length, called: length, frames, ratio: median(frames) / median(products)),
    ]
  }

  /// Random numbers, on a line of their own.
  private static func drawn(_ count: Int, _ random: inout SplitMix64) -> Column<Float> {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 4 * count, alignment: 4096)
    let numbers = memory.bindMemory(to: Float.self, capacity: count)
    for index in 0..<count {
      numbers[index] = Float(random.uniform(-1...1))
    }
    return Column(numbers, count: count)
  }
}
