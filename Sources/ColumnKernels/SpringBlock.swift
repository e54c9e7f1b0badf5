// SPDX-License-Identifier: MIT
import Kernels
import Murmuration
import Synchronization

/// Springs as kernels take them, in one block of memory that is never changed.
final class SpringBlock {
  let count: Int
  let numbers: SpringNumbers
  private let block: MemoryBlock
  private let steps = Locked(Steps())

  private struct Steps {
    /// The seconds of the latest step whose factors were not kept.
    var latest = 0.0
    var kept: StepBlock?
  }

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

extension SpringBlock {
  /// The factors of a step of springs that each have one; nil unless a step of this length is taken again.
  func steps(of seconds: Double, _ kernels: ElementKernels) -> StepBlock? {
    if numbers.isUniform { return nil }
    return steps.withLock { steps in
      if let kept = steps.kept, kept.seconds == seconds { return kept }
      guard steps.latest == seconds else {
        steps.latest = seconds
        return nil
      }
      guard let made = StepBlock(of: seconds, numbers, count: count, kernels) else { return nil }
      steps.kept = made
      return made
    }
  }
}

// Nothing but what is behind the lock is written after the initialiser.
extension SpringBlock: @unchecked Sendable {}

/// The factors of a step of one length, for each of some springs.
final class StepBlock {
  let seconds: Double
  let numbers: StepNumbers
  private let block: MemoryBlock

  /// - Returns: Nil if there is no memory for the factors.
  init?(of seconds: Double, _ springs: SpringNumbers, count: Int, _ kernels: ElementKernels) {
    let laneCount = (count + laneCountOfTile - 1) / laneCountOfTile * laneCountOfTile
    // Columns of one size would begin at the same place of each page.
    let stride = laneCount + 208
    let floats = FollowColumns.factorCount * stride
    guard MemoryBlock.hasRoom(forBytes: 4 * floats) else { return nil }
    block = MemoryBlock(byteCount: 4 * floats, alignment: 64, isZeroed: false)
    (self.seconds, numbers) = (
      seconds, StepNumbers(block.bytes.elements(of: Float.self, count: floats), stride: stride)
    )
    kernels.keepSteps(springs, laneCount, seconds, numbers)
  }
}

// Nothing is written after the initialiser.
extension StepBlock: @unchecked Sendable {}
