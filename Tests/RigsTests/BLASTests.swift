// SPDX-License-Identifier: MIT
import Foundation
import Kernels
import Murmuration
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

  @Test func theCheckAcceptsARightOne() {
    #expect(BLASCheck.defect(Self.multiply) == nil)
  }

  @Test(arguments: ["nothing", "order", "transposed", "forgets c", "late term", "beyond", "sizes", "zero", "strides"])
  func theCheckRefuses(_ fault: String) {
    let defect = BLASCheck.defect { product in
      var wrong = product
      switch fault {
      case "nothing": return
      case "order": (wrong.rows, wrong.columns) = (min(wrong.rows, wrong.columns), min(wrong.rows, wrong.columns))
      case "transposed": wrong.aIsTransposed.toggle()
      case "forgets c": wrong.adds = false
      case "late term": wrong.inner -= wrong.inner > 50 ? 1 : 0
      case "beyond": wrong.columns += 1
      case "sizes": (wrong.rows, wrong.inner) = (wrong.rows - 1, wrong.inner)
      case "zero":
        for row in 0..<wrong.rows {
          for column in 0..<wrong.columns {
            wrong.c[row * wrong.cStride + column] = 0
          }
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
    #expect(defect != nil)
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

  @Test(arguments: [(1, 1, 1), (241, 3, 5), (500, 700, 3), (1_000, 77, 64), (60, 40, 3_000), (3, 20_000, 40)])
  func chunksCoverEveryOutputOnce(_ rows: Int, _ columns: Int, _ inner: Int) {
    let number = { (index: Int) in Float(index * 37 % 17 - 8) }
    let a = (0..<rows * inner).map(number)
    let b = (0..<inner * columns).map(number)
    var c = [Float](repeating: 0, count: rows * columns)
    var times = [Int](repeating: 0, count: rows * columns)
    a.withUnsafeBufferPointer { a in
      b.withUnsafeBufferPointer { b in
        c.withUnsafeMutableBufferPointer { c in
          let product = BLASProduct(
            rows: rows, columns: columns, inner: inner, a: a.column!, aStride: inner, b: b.column!,
            bStride: columns, c: c.column!, cStride: columns)
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
              for column in 0..<part.columns {
                times[(part.c - product.c) + row * columns + column] += 1
              }
            }
          }
        }
      }
    }
    #expect(times.allSatisfy { $0 == 1 })
  }

  /// One product without gaps in `a`.
  private static func multiply(
    _ a: [Float], _ b: [Float], bStride: Int, into c: inout [Float], cStride: Int, _ size: (Int, Int, Int)
  ) {
    a.withUnsafeBufferPointer { a in
      b.withUnsafeBufferPointer { b in
        c.withUnsafeMutableBufferPointer { c in
          BLAS.multiply(
            BLASProduct(
              rows: size.0, columns: size.1, inner: size.2, a: a.column!, aStride: size.2, b: b.column!,
              bStride: bStride, c: c.column!, cStride: cStride))
        }
      }
    }
  }

  static let sizes: [(Int, Int, Int)] = [
    (1, 1, 1), (5, 17, 1), (6, 64, 2), (7, 63, 3), (6, 16, 3), (13, 129, 3), (240, 200, 3), (11, 65, 8), (12, 1_024, 7),
    (50, 1_000, 16), (23, 130, 17), (9, 333, 64), (3, 70, 513), (2, 19, 1_200), (601, 31, 5),
  ]

  @Test(.enabled(if: BLAS.isUsable), arguments: sizes)
  func productsAreWithinTheirBound(_ size: (Int, Int, Int)) {
    let (m, n, k) = size
    var random = SplitMix64(seed: UInt64(m * 31 + n * 7 + k))
    let (ldb, ldc, canary) = (n + 3, n + 5, Float(77))
    let a = (0..<m * k).map { _ in Float(random.uniform(-2...2)) }
    let b = (0..<k * ldb).map { _ in Float(random.uniform(-100...100)) }
    var c = [Float](repeating: canary, count: m * ldc + 64)
    Self.multiply(a, b, bStride: ldb, into: &c, cStride: ldc, size)
    for index in c.indices {
      let (row, column) = (index / ldc, index % ldc)
      guard row < m, column < n else {
        #expect(c[index] == canary, "row \(row) column \(column)")
        continue
      }
      var (sum, magnitude) = (0.0, 0.0)
      for term in 0..<k {
        let product = Double(a[row * k + term]) * Double(b[term * ldb + column])
        sum += product
        magnitude += abs(product)
      }
      // Twice a rounding for each term, as not every core fuses products and sums.
      let bound = Double(k + 1) * 0x1p-23 * magnitude
      guard abs(Double(c[index]) - sum) <= bound else {
        Issue.record("row \(row) column \(column): \(c[index]), not \(sum)")
        return
      }
    }
  }

  /// Whole numbers, so that every order of summation gives the same.
  private static func product(of size: Int, seed: Int) -> Bool {
    let number = { (index: Int) in Float((index + seed) * 37 % 17 - 8) }
    let a = (0..<size * size).map(number)
    let b = (0..<size * size).map { number($0 + 3) }
    var c = [Float](repeating: .nan, count: size * size)
    multiply(a, b, bStride: size, into: &c, cStride: size, (size, size, size))
    return (0..<size).allSatisfy { row in
      (0..<size).allSatisfy { column in
        var sum: Float = 0
        for k in 0..<size {
          sum += a[row * size + k] * b[k * size + column]
        }
        return c[row * size + column] == sum
      }
    }
  }

  @Test(.enabled(if: BLAS.isUsable)) func manyThreadsAtOnceGetRightProductsAndLeaveTheThreadCount() async {
    let before = BLAS.restingThreadCount
    let results = await withTaskGroup(of: Bool.self) { group in
      for task in 0..<64 {
        group.addTask { Self.product(of: 20 + task, seed: task) }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results.count == 64 && results.allSatisfy(\.self))
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
