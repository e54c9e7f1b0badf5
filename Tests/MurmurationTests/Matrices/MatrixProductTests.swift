// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

/// Products of any size are within their bound of a Double reference, on every instruction set, and write nothing else.
struct MatrixProductTests {
  static let shapes: [(Int, Int, Int)] = [
    (1, 1, 1), (1, 1, 0), (2, 3, 0), (5, 17, 1), (6, 64, 2), (7, 63, 3), (6, 16, 3), (13, 129, 3), (240, 200, 3),
    (11, 65, 8), (12, 1_024, 7), (50, 1_000, 16), (23, 130, 17), (9, 333, 64), (3, 70, 513), (2, 19, 1_200),
    (601, 31, 5),
  ]

  @Test(arguments: KernelSet.available, shapes)
  func productsAreWithinTheirBound(_ set: KernelSet, _ shape: (Int, Int, Int)) {
    let (m, n, k) = shape
    var random = SplitMix64(seed: UInt64(m * 31 + n * 7 + k))
    let (ldb, ldc, canary) = (n + 3, n + 5, Float(77))
    let a = (0..<m * k).map { _ in Float(random.uniform(-2...2)) }
    let b = (0..<k * ldb).map { _ in Float(random.uniform(-100...100)) }
    var c = [Float](repeating: canary, count: m * ldc + 64)
    c.withUnsafeMutableBufferPointer {
      MatrixProduct.multiply(m: m, n: n, k: k, a, b, stride: ldb, into: $0.baseAddress!, stride: ldc, kernels: set)
    }
    for place in c.indices {
      let (row, column) = (place / ldc, place % ldc)
      guard row < m, column < n else {
        #expect(c[place] == canary, "row \(row) column \(column)")
        continue
      }
      var (sum, magnitude) = (0.0, 0.0)
      for term in 0..<k {
        let product = Double(a[row * k + term]) * Double(b[term * ldb + column])
        sum += product
        magnitude += abs(product)
      }
      // Twice, as the portable tiles round products too.
      let bound = Double(k + 1) * 0x1p-23 * magnitude
      guard abs(Double(c[place]) - sum) <= bound else {
        Issue.record("\(set) row \(row) column \(column): \(c[place]), not \(sum)")
        return
      }
    }
  }

  @Test(arguments: KernelSet.available) func largeOutputsAreStoredPastTheCachesAndComplete(_ set: KernelSet) {
    // 36 MB; strides that are aligned to a line, to half of one, and not at all.
    for (n, offset) in [(9_008, 0), (9_000, 8), (8_999, 1)] {
      let (m, k) = (1_001, 2)
      let a = (0..<m * k).map { Float($0 % 13 - 6) }
      let b = (0..<n * k).map { Float($0 % 11 - 5) }
      let block = UnsafeMutableRawPointer.allocate(byteCount: 4 * (m * n + 32), alignment: 64)
      defer { block.deallocate() }
      let floats = block.initializeMemory(as: Float.self, repeating: -1e9, count: m * n + 32)
      MatrixProduct.multiply(m: m, n: n, k: k, a, b, stride: n, into: floats + offset, stride: n, kernels: set)
      var wrong = 0
      for row in 0..<m {
        for column in 0..<n {
          let sum = a[2 * row] * b[column] + a[2 * row + 1] * b[n + column]
          wrong += floats[offset + row * n + column] == sum ? 0 : 1
        }
      }
      #expect(wrong == 0 && floats[offset + m * n] == -1e9)
    }
  }
}
