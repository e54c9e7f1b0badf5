// SPDX-License-Identifier: MIT
import Kernels
import Murmuration

/// Springs as kernels take them, in one block of memory that is never changed.
final class SpringBlock {
  let count: Int
  let numbers: SpringNumbers
  private let block: MemoryBlock

  private static let bytesOfSpring = 2 * MemoryLayout<Double>.stride + 3 * MemoryLayout<Float>.stride

  /// Some springs; one spring counts for all elements.
  init(count: Int, _ spring: (Int) -> Spring) throws(ColumnError) {
    for index in 0..<count {
      if let defect = BatchLimits.defect(of: spring(index)) { throw .invalidSpring(index: index, reason: defect) }
    }
    let laneCount = (count + laneCountOfTile - 1) / laneCountOfTile * laneCountOfTile
    guard laneCount <= .max / Self.bytesOfSpring, MemoryBlock.hasRoom(forBytes: laneCount * Self.bytesOfSpring) else {
      throw .outOfMemory(springs: count)
    }
    block = MemoryBlock(byteCount: laneCount * Self.bytesOfSpring, alignment: 64)
    let bytes = block.bytes
    func floats(_ column: Int) -> Column<Float> {
      bytes.elements(of: Float.self, at: (16 + 4 * column) * laneCount, count: laneCount)
    }
    let numbers = SpringNumbers(
      rate: bytes.elements(of: Double.self, count: laneCount), decay: floats(0),
      perκ: bytes.elements(of: Double.self, at: 8 * laneCount, count: laneCount), damping: floats(1),
      squaredFrequency: floats(2), isUniform: count == 1)
    for lane in 0..<(count == 0 ? 0 : laneCount) {
      // One spring fills its tile; of several, the last one fills the rest.
      let coefficients = SpringCoefficients(accepted: spring(min(lane, count - 1)))
      (numbers.rate[lane], numbers.decay[lane]) = (coefficients.rate, coefficients.decay)
      numbers.perκ[lane] = AmplitudeRule(coefficients).perκ
      (numbers.damping[lane], numbers.squaredFrequency[lane]) = (coefficients.damping, coefficients.squaredFrequency)
    }
    (self.count, self.numbers) = (count, numbers)
  }

  /// Throws ``ColumnError/wrongCount(of:expected:got:)`` unless there is one spring, or one for each of `count` elements.
  func check(count needed: Int) throws(ColumnError) {
    guard count == needed || count == 1 else { throw .wrongCount(of: "springs", expected: needed, got: count) }
  }
}

// Nothing is written after the initialiser.
extension SpringBlock: @unchecked Sendable {}
