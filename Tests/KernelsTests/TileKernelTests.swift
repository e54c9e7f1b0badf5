// SPDX-License-Identifier: MIT
import Kernels
import TestSupport
import Testing

@testable import Murmuration

/// In tiles of every size, sums are formed in the order of their terms, with fused products where the instruction set
/// has them, and nothing is written beyond the tile.
struct TileKernelTests {
  /// A number whose sums round, so that the order of summation shows.
  private static func number(_ random: inout SplitMix64) -> Float { Float(random.uniform(-3...3)) }

  /// Runs a kernel over aligned memory; the outputs, canaries included.
  private func outputs(
    _ set: KernelSet, rows: Int, columns: Int, inner: Int, stride: Int, offset: Int, stores: LaneRun.Stores,
    hasBase: Bool, isListed: Bool
  ) -> (got: [Float], expected: [Float]) {
    let table = set.table.matrices
    let width = table.panelColumns
    let panels = (columns + width - 1) / width
    var random = SplitMix64(seed: UInt64(rows * 10_000 + columns * 100 + inner))
    let weightStride = rows + 6
    let weights = (0..<inner * weightStride).map { _ in Self.number(&random) }
    // The numbers are drawn as rows, so that panels of any width hold the same ones.
    let plain = (0..<inner * 256).map { _ in Self.number(&random) }
    let base = (0..<256).map { _ in Self.number(&random) }
    var (lists, starts, shapes): ([Int32], [Int], [Float]) = ([], [0], [])
    for panel in 0..<panels {
      for term in 0..<inner where !isListed || term % 3 != panel % 2 {
        lists.append(Int32(term))
        let first = term * 256 + panel * width
        shapes.append(contentsOf: plain[first..<first + width])
      }
      starts.append(lists.count)
    }
    let count = rows * stride + 96
    let block = UnsafeMutableRawPointer.allocate(byteCount: 4 * count, alignment: 64)
    defer { block.deallocate() }
    let result = block.initializeMemory(as: Float.self, repeating: -999, count: count)
    weights.withUnsafeBufferPointer { weights in
      shapes.withUnsafeBufferPointer { shapes in
        base.withUnsafeBufferPointer { base in
          lists.withUnsafeBufferPointer { lists in
            starts.withUnsafeBufferPointer { starts in
              let terms = TermLists(terms: lists.column ?? .empty, starts: starts.column!)
              table.multiply(
                TileProduct(
                  weights: weights.column ?? .empty, weightStride: weightStride,
                  shapes: shapes.column ?? .empty, shapeStride: width, panelStride: inner * width,
                  base: hasBase ? base.column : nil, terms: isListed ? terms : nil,
                  outputs: Column(result, count: count) + offset,
                  outputStride: stride, rows: rows, columns: columns, inner: inner, stores: stores))
            }
          }
        }
      }
    }
    var expected = [Float](repeating: -999, count: count)
    for row in 0..<rows {
      for column in 0..<columns {
        var sum = hasBase ? base[column] : 0
        for term in 0..<inner where !isListed || term % 3 != column / width % 2 {
          let (weight, shape) = (weights[term * weightStride + row], plain[term * 256 + column])
          sum = Self.fuses(set) ? sum.addingProduct(weight, shape) : sum + weight * shape
        }
        expected[offset + row * stride + column] = sum
      }
    }
    return (Array(UnsafeBufferPointer(start: result, count: count)), expected)
  }

  private static func fuses(_ set: KernelSet) -> Bool {
    #if arch(x86_64)
      set != .portable
    #else
      true
    #endif
  }

  @Test(arguments: KernelSet.available, [1, 2, 3, 4, 5, 6, 7, 11, 12, 13])
  func everyRemainderHasTheBitsOfAPlainLoop(_ set: KernelSet, _ rows: Int) {
    for columns in [1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 47, 48, 63, 64, 65, 100, 128, 200] {
      for inner in Effort.isSoak ? [0, 1, 2, 3, 8, 21] : [0, 1, 3, 8] {
        for (hasBase, isListed) in [(true, false), (false, false), (true, true)] {
          let (got, expected) = outputs(
            set, rows: rows, columns: columns, inner: inner, stride: columns + 3, offset: 1, stores: .ordinary,
            hasBase: hasBase, isListed: isListed)
          #expect(got == expected, "\(columns) columns, \(inner) terms, listed \(isListed)")
        }
      }
    }
  }

  @Test(arguments: KernelSet.available) func storesPastTheCachesWriteTheSame(_ set: KernelSet) {
    for (rows, columns) in [(6, 64), (13, 200), (5, 130), (24, 192)] {
      let (got, expected) = outputs(
        set, rows: rows, columns: columns, inner: 5, stride: 208, offset: 16, stores: .pastCaches, hasBase: true,
        isListed: false)
      #expect(got == expected)
    }
  }

  /// NaN and numbers beyond the limit are found in every lane.
  @Test(arguments: KernelSet.available) func limitsAreFoundInEveryLane(_ set: KernelSet) {
    let table = set.table.matrices
    for value in [Float.nan, -.nan, .infinity, -.infinity, 101, -100.00001] {
      for lane in 0..<48 {
        var column = [Float](repeating: 100, count: 48)
        #expect(column.withUnsafeBufferPointer { table.isWithin(100, $0.column!, 48) })
        column[lane] = value
        #expect(!column.withUnsafeBufferPointer { table.isWithin(100, $0.column!, 48) })
        let ones = [Float](repeating: 1, count: 48)
        var result = [Float](repeating: 0, count: 48)
        let isWithin = result.withUnsafeMutableBufferPointer { result in
          column.withUnsafeBufferPointer { column in
            ones.withUnsafeBufferPointer { ones in
              table.scale(
                ColumnScale(
                  result: result.column!, source: column.column!, weight: ones.column!, offset: 2,
                  slope: -1, count: 48, limit: 100))
            }
          }
        }
        #expect(!isWithin)
      }
    }
  }
}
