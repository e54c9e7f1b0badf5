// SPDX-License-Identifier: MIT
import Foundation
import Kernels
import Murmuration
import MurmurationReference
import Testing

@testable import Rigs

/// OpenBLAS is checked before use, keeps its number of threads, and is called from many threads without harm.
struct BLASTests {
  /// A correct multiplication.
  private static func multiply(_ product: BLASProduct) {
    for row in 0..<product.rows {
      for column in 0..<product.columns {
        let place = row * product.cStride + column
        var sum: Float = product.adds ? product.c[place] : 0
        for k in 0..<product.inner {
          let a = product.aIsTransposed ? product.a[k * product.aStride + row] : product.a[row * product.aStride + k]
          sum += a * product.b[k * product.bStride + column]
        }
        product.c[place] = sum
      }
    }
  }

  @Test func tilesMultiplyWhereOpenBLASHasShorterVectors() {
    #expect(
      ["Prescott", "Haswell", "Zen", "Cooperlake"].map(BLAS.kernelSet(ofCore:)) == [.portable, .avx2, .avx2, .avx512])
    let rows: [(ours: KernelSet, blas: KernelSet?, mostTerms: Int)] = [
      (.avx512, .avx512, 512), (.avx2, .avx512, 32), (.avx2, .avx2, 32), (.portable, .avx512, 0),
      (.portable, .portable, 0),
      (.avx512, .avx2, .max), (.avx512, .portable, .max), (.avx2, .portable, .max), (.portable, nil, .max),
    ]
    for (ours, blas, most) in rows {
      for terms in [1, 32, 33, 512, 513, 4096] {
        #expect(MatrixLimits.tilesAreQuicker(inner: terms, ours, blas: blas) == (terms <= most), "\(ours), \(terms)")
      }
    }
  }

  @Test(arguments: [
    "none", "nothing", "order", "transposed", "forgets c", "late term", "beyond", "sizes", "zero", "strides",
  ])
  func theCheckRefusesAllButARightOne(_ fault: String) {
    let defect = BLASCheck.defect { product in
      var wrong = product
      switch fault {
      case "none": break
      case "nothing": return
      case "order": (wrong.rows, wrong.columns) = (min(wrong.rows, wrong.columns), min(wrong.rows, wrong.columns))
      case "transposed": wrong.aIsTransposed.toggle()
      case "forgets c": wrong.adds = false
      case "late term": wrong.inner -= wrong.inner > 50 ? 1 : 0
      case "beyond": wrong.columns += 1
      case "sizes": (wrong.rows, wrong.inner) = (wrong.rows - 1, wrong.inner)
      case "zero":
        for row in 0..<wrong.rows {
          for column in 0..<wrong.columns { wrong.c[row * wrong.cStride + column] = 0 }
        }
        return
      default: wrong.bStride -= 1
      }
      // A transposed product of the first size stays within its memory, and so do the others.
      if fault == "transposed" {
        wrong.aStride = product.aIsTransposed ? product.inner : product.rows
      }
      Self.multiply(wrong)
    }
    #expect((defect == nil) == (fault == "none"))
  }

  #if OpenBLAS
    /// A machine without OpenBLAS, one with another library in its place, and one with OpenBLAS under its second name.
    @Test func whatCannotBeLoadedSaysWhy() throws {
      func reason(_ names: [String]) -> String? {
        do {
          _ = try OpenBLASLibrary(names)
          return nil
        } catch {
          return error.reason
        }
      }
      #expect(reason(["libno-such-blas.so.7"])?.contains("libno-such-blas.so.7") == true)
      #expect(reason([]) != nil)
      #if os(Linux)
        #expect(reason(["libpthread.so.0"])?.contains("cblas_sgemm") == true)
      #endif
      #expect(reason(["libno-such-blas.so.7"] + OpenBLASLibrary.names) == nil)
    }
  #endif

  @Test func theReasonIsTyped() {
    #if OpenBLAS
      #expect(BLAS.isUsable)
    #endif
    if BLAS.isUsable {
      #expect(throws: Never.self) { try BLAS.requireUsable() }
      #expect(BLAS.configuration?.contains("OpenBLAS") == true)
    } else {
      #expect(throws: MatrixError.self) { try BLAS.requireUsable() }
    }
  }

  /// Calls a body with the product of `a` and `b`, which is written to `c`.
  private static func withProduct(
    _ size: (rows: Int, columns: Int, inner: Int), _ a: [Float], _ b: [Float], bStride: Int, _ c: inout [Float],
    cStride: Int, _ body: (BLASProduct) -> Void
  ) {
    a.withUnsafeBufferPointer { a in
      b.withUnsafeBufferPointer { b in
        c.withUnsafeMutableBufferPointer { c in
          body(
            BLASProduct(
              rows: size.rows, columns: size.columns, inner: size.inner, a: a.column!, aStride: size.inner,
              b: b.column!, bStride: bStride, c: c.column!, cStride: cStride))
        }
      }
    }
  }

  @Test(arguments: [(1, 1, 1), (241, 3, 5), (500, 700, 3), (1_000, 77, 64), (60, 40, 3_000), (3, 20_000, 40)])
  func chunksCoverEveryOutputOnce(_ rows: Int, _ columns: Int, _ inner: Int) {
    let (a, b) = ([Float](repeating: 0, count: rows * inner), [Float](repeating: 0, count: inner * columns))
    var c = [Float](repeating: 0, count: rows * columns)
    var times = [Int](repeating: 0, count: rows * columns)
    Self.withProduct((rows, columns, inner), a, b, bStride: columns, &c, cStride: columns) { product in
      var transposed = product
      (transposed.aStride, transposed.aIsTransposed) = (rows, true)
      transposed.forEachChunk { part in
        // A column of a for each row.
        #expect(part.a - product.a == (part.c - product.c) / columns)
      }
      product.forEachChunk { part in
        #expect(part.rows * part.columns * inner <= max(MatrixLimits.chunk, 16 * part.rows * inner))
        #expect((part.a - product.a) / inner == (part.c - product.c) / columns)
        #expect(part.b - product.b == (part.c - product.c) % columns)
        for row in 0..<part.rows {
          for column in 0..<part.columns { times[(part.c - product.c) + row * columns + column] += 1 }
        }
      }
    }
    #expect(times.allSatisfy { $0 == 1 })
  }

  /// The first output of a random product that is not within its bound, or a number beside the outputs that was written.
  private static func defect(_ m: Int, _ n: Int, _ k: Int) -> String? {
    var random = SplitMix64(seed: UInt64(m * 31 + n * 7 + k))
    let (ldb, ldc, canary) = (n + 3, n + 5, Float(77))
    let a = random.floats(m * k, -2...2)
    let b = random.floats(k * ldb, -100...100)
    var c = [Float](repeating: canary, count: m * ldc + 64)
    withProduct((m, n, k), a, b, bStride: ldb, &c, cStride: ldc) { BLAS.multiply($0) }
    for index in c.indices {
      let (row, column) = (index / ldc, index % ldc)
      guard row < m, column < n else {
        if c[index] == canary { continue }
        return "row \(row) column \(column) was written"
      }
      var (sum, magnitude) = (0.0, 0.0)
      for term in 0..<k {
        let product = Double(a[row * k + term]) * Double(b[term * ldb + column])
        sum += product
        magnitude += abs(product)
      }
      // Twice a rounding for each term, as not every core fuses products and sums.
      guard abs(Double(c[index]) - sum) <= Double(k + 1) * 0x1p-23 * magnitude else {
        return "row \(row) column \(column): \(c[index]), not \(sum)"
      }
    }
    return nil
  }

  @Test(
    .enabled(if: BLAS.isUsable),
    arguments: [
      (1, 1, 1), (5, 17, 1), (6, 64, 2), (7, 63, 3), (6, 16, 3), (13, 129, 3), (240, 200, 3), (11, 65, 8),
      (12, 1_024, 7), (50, 1_000, 16), (23, 130, 17), (9, 333, 64), (3, 70, 513), (2, 19, 1_200), (601, 31, 5),
    ])
  func productsAreWithinTheirBound(_ rows: Int, _ columns: Int, _ inner: Int) {
    #expect(Self.defect(rows, columns, inner) == nil)
  }

  @Test(.enabled(if: BLAS.isUsable)) func manyThreadsAtOnceGetRightProductsAndLeaveTheThreadCount() async {
    let before = BLAS.restingThreadCount
    await withTaskGroup(of: String?.self) { group in
      for size in 20..<84 { group.addTask { Self.defect(size, size, size) } }
      for await defect in group { #expect(defect == nil) }
    }
    #expect(BLAS.restingThreadCount == before)
  }

  @Test(.enabled(if: BLAS.isUsable)) func theThreadCountIsSetForACallAndRestored() {
    let before = BLAS.restingThreadCount
    for threads in [1, 2, 0, -3] {
      let within = BLAS.exclusively(threads: threads) { BLAS.threadCount }
      #expect(within == max(1, threads))
      #expect(BLAS.restingThreadCount == before)
    }
  }
}
