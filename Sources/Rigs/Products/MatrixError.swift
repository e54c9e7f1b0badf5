// SPDX-License-Identifier: MIT
public import Murmuration

/// Why a matrix operation refuses its arguments; nothing has been written when it is thrown.
public enum MatrixError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A buffer has another number of elements than its shape asks for.
  case wrongCount(of: String, expected: Int, got: Int)
  /// Rows, or columns, would begin before the previous ones end.
  case invalidStride(of: String, atLeast: Int, got: Int)
  /// A size is negative, past Int32, or more than memory can hold.
  case invalidSize(of: String, Int)
  /// An index lies outside of the range; counted from 0.
  case outOfRange(String, Int, count: Int)
  /// The four dimensions of a rotation are not within the dimensions after the previous rotation.
  case invalidRotation(dimension: Int, within: Range<Int>)
  /// The processor, or this build, lacks the instruction set.
  case unsupportedKernels(KernelSelectionError)
  /// A number is NaN, or beyond ``/Murmuration/BatchLimits/maximumMagnitude``.
  case invalidValue(of: String, index: Int, value: Float)
  /// A mask lies outside 0…1.
  case invalidMask(index: Int, value: Float)
  /// A pose's weight lies outside 0…``PoseBlender/maximumWeight``.
  case invalidWeight(index: Int, value: Float)
  /// A number of a pose is NaN, or beyond its limit, which is lower for rotations than for other values.
  case invalidPose(dimension: Int, instance: Int, value: Float, limit: Float)
  /// The quaternion of a rest pose that begins at this dimension is 0.
  case noRotation(dimension: Int)
  /// A batch has no track of this index.
  case noTrack(index: Int)
  /// OpenBLAS is not part of this build, not on the machine, or wrong in its check.
  case unusableBLAS(reason: String)
  /// OpenBLAS gave up the decomposition of a matrix.
  case decompositionFailed(String)

  /// The reason in words, with the offending value.
  public var description: String {
    switch self {
    case .wrongCount(let what, let expected, let got):
      "\(what): \(expected) elements are needed, \(got) were given"
    case .invalidStride(let what, let least, let got): "\(what): the stride must be at least \(least), is \(got)"
    case .invalidSize(let what, let size) where size < 0: "\(what): the size must not be negative, is \(size)"
    case .invalidSize(let what, 0): "\(what): the size must be at least 1, is 0"
    case .invalidSize(let what, let size):
      "\(what): the size must be at most \(Int32.max) and fit in memory, is \(size)"
    case .outOfRange(let what, let index, let count):
      "\(what) \(index) must be within 0..<\(count)"
    case .invalidRotation(let dimension, let range):
      "the rotation at dimension \(dimension) takes four dimensions, which must be within \(range)"
    case .unsupportedKernels(let error): "\(error)"
    case .invalidValue(let what, let index, let value):
      "\(what) \(index) must be finite and within ±1e15, is \(value)"
    case .invalidMask(let index, let value): "mask \(index) must be within 0…1, is \(value)"
    case .invalidWeight(let index, let value):
      "weight \(index) must be within 0…\(PoseBlender.maximumWeight), is \(value)"
    case .invalidPose(let dimension, let instance, let value, let limit):
      "dimension \(dimension) of instance \(instance) must be finite and within ±\(limit), is \(value)"
    case .noRotation(let dimension): "the rest pose's quaternion at dimension \(dimension) is 0, which is no rotation"
    case .noTrack(let index): "the batch has no track of index \(index)"
    case .unusableBLAS(let reason): "OpenBLAS cannot be used: \(reason)"
    case .decompositionFailed(let reason): "the matrix could not be decomposed: \(reason)"
    }
  }
}

extension MatrixError {
  /// Checks that a range is within `0..<count`.
  static func check(_ range: Range<Int>, _ what: String, count: Int) throws(MatrixError) {
    if let index = range.indexOutside(count) { throw .outOfRange(what, index, count: count) }
  }

  /// The stride of rows that a caller lends, checked: no row overlaps the next, and all rows are within the elements.
  ///
  /// - Parameters:
  ///   - stride: Floats from one row to the next; nil for no gaps.
  ///   - rows: The number of rows.
  ///   - length: Floats of a row.
  ///   - count: The number of elements that are lent.
  ///   - name: The word for one row and for all, for the message.
  static func checkedStride(
    _ stride: Int?, rows: Int, length: Int, count: Int, of name: (one: String, all: String)
  ) throws(MatrixError) -> Int {
    let stride = stride ?? length
    guard stride >= length else { throw .invalidStride(of: name.all, atLeast: length, got: stride) }
    guard stride <= MatrixLimits.maximumSize else { throw .invalidSize(of: "\(name.one) stride", stride) }
    let needed = rows == 0 || length == 0 ? 0 : (rows - 1) * stride + length
    guard count >= needed else { throw .wrongCount(of: name.all, expected: needed, got: count) }
    return stride
  }
}

extension TrackColumns {
  /// Throws ``MatrixError/noTrack(index:)`` for the first of some indices that has no track.
  func checkTracks(_ indices: Range<Int>) throws(MatrixError) {
    do throws(NoTrack) { try check(indices) } catch { throw .noTrack(index: error.index) }
  }
}

extension KernelSet {
  /// The set that a product of matrices asks for; for nil, the set in force.
  ///
  /// - Throws: ``MatrixError/unsupportedKernels(_:)`` if the processor lacks it.
  static func ofMatrices(_ kernels: KernelSet?) throws(MatrixError) -> KernelSet {
    do throws(KernelSelectionError) { return try supported(kernels) } catch { throw .unsupportedKernels(error) }
  }
}
