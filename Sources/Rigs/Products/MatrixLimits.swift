// SPDX-License-Identifier: MIT
package import Kernels
public import Murmuration

/// The sizes at which one way to multiply gives way to another, each with the measurements that decided.
///
/// All figures are nanoseconds for one output of [rows × columns] from `inner` terms, by one thread of a Zen 5 core
/// (AVX-512, 48 KiB + 1 MiB of own caches, 32 MiB shared) with OpenBLAS 0.3.21. *Auto* are the kernels that OpenBLAS
/// chose there, those for Cooperlake; *Haswell* was measured with `OPENBLAS_CORETYPE=Haswell`.
enum MatrixLimits {
  /// The most multiplications for which OpenBLAS' kernels for AVX-512 work without packing. One call and chunks of that
  /// size:
  ///
  /// | rows × columns, inner | auto, one call | auto, chunks | Haswell, one call | Haswell, chunks |
  /// |---|---|---|---|---|
  /// | 240 × 10 048, 3 | 0.090 | 0.044 | 0.100 | 0.112 |
  /// | 1 000 × 3 008, 8 | 0.134 | 0.079 | 0.183 | 0.191 |
  /// | 1 000 × 3 008, 16 | 0.201 | 0.143 | 0.317 | 0.330 |
  /// | 1 000 × 3 008, 64 | 0.611 | 0.533 | 1.09 | 1.19 |
  /// | 1 000 × 3 008, 200 | 1.77 | 1.68 | 3.61 | 4.04 |
  /// | 1 000 × 3 008, 512 | 4.49 | 4.34 | 8.62 | 10.2 |
  ///
  /// So chunks are made only on cores that have such kernels.
  static let chunk = 1_000_000

  /// Rows of a chunk: 240 is best up to 64 terms (0.0785 against 0.0808 with 60 at 8 terms), 120 at 200 terms, 60 at
  /// 512.
  static func chunkRows(inner: Int) -> Int { inner <= 64 ? 240 : inner <= 256 ? 120 : 60 }

  /// Columns of a chunk with a number of rows: whole lines, at least one.
  static func chunkColumns(rows: Int, inner: Int) -> Int { max(16, chunk / max(1, rows * inner) / 16 * 16) }

  /// The largest number of rows, columns or terms, and the largest stride: BLAS counts in Int32.
  static let maximumSize = Int(Int32.max)

  // MARK: - Tiles or OpenBLAS

  /// The most terms for which tiles of our own beat OpenBLAS. [1 000 × 3 008] outputs; tiles past 512 terms were not
  /// measured.
  ///
  /// | inner | AVX-512 tiles | auto, chunks | AVX2 tiles | Haswell |
  /// |---|---|---|---|---|
  /// | 8 | 0.087 | 0.079 | 0.147 | 0.183 |
  /// | 16 | 0.154 | 0.143 | 0.278 | 0.317 |
  /// | 64 | 0.543 | 0.533 | 1.11 | 1.09 |
  /// | 200 | 1.70 | 1.68 | 3.55 | 3.61 |
  /// | 512 | 4.30 | 4.34 | 9.10 | 8.62 |
  ///
  /// One call of OpenBLAS takes 0.134, 0.201, 0.611, 1.77 and 4.49. Tiles are taken where OpenBLAS is quicker by a few
  /// percent too: they start from a base at no cost, leave out shapes that are 0, need no lock, and can store past the
  /// caches.
  ///
  /// - Parameter blas: The instruction set of OpenBLAS' kernels; nil where it is not usable.
  static func tilesAreQuicker(
    inner: Int, _ set: KernelSet, blas: KernelSet? = BLAS.isUsable ? BLAS.kernelSet : nil
  ) -> Bool {
    switch (set, blas) {
    case (.avx512, .avx512): inner <= 512
    case (.avx2, .avx2), (.avx2, .avx512): inner <= 32
    case (.portable, .some): false
    // Tiles have wider vectors, or there is nothing else.
    default: true
    }
  }

  /// The number of rows of outputs that are filled with a base before OpenBLAS adds a product to them.
  static let rowsOntoBase = 240

  /// How outputs are stored: past the caches if the caches cannot hold them all, and every row is aligned.
  ///
  /// Nanoseconds an output with AVX-512, of 3 terms: for 10 MB 0.050 through the caches and 0.092 past them, for 96 MB
  /// 0.173 and 0.092. Of 8 terms, for 12 MB: 0.087 and 0.089.
  static func stores(
    rows: Int, columns: Int, _ outputs: Column<Float>, stride: Int, _ set: KernelSet
  ) -> LaneRun.Stores {
    guard 4 * rows * columns > 1 << 25 else { return .ordinary }
    let offset = unsafe UInt(bitPattern: outputs.address) | UInt(4 * stride)
    switch set {
    case .avx512: return offset % 64 == 0 ? .pastCaches : .ordinary
    case .avx2: return offset % 32 == 0 ? .pastCaches : .ordinary
    case .portable: return offset % 16 == 0 ? .pastCaches : .ordinary
    }
  }
}

/// Zeroed floats of our own, aligned to 64 bytes.
package struct FloatBuffer: ~Copyable, Sendable {
  package var start: Column<Float> { block.bytes.rebound(to: Float.self) }
  package let count: Int
  private let block: MemoryBlock

  /// Takes memory for `count` floats; there must be room.
  package init(count: Int) {
    block = MemoryBlock(byteCount: max(64, 4 * count), alignment: 64)
    self.count = count
  }

  /// The stride in floats for rows of `columns` floats: whole lines, and never a multiple of 4 KiB, at which one column
  /// of all rows would share the same few lines of a cache.
  package static func stride(columns: Int) -> Int {
    let lines = (max(1, columns) + laneCountOfTile - 1) / laneCountOfTile * laneCountOfTile
    return lines % 1024 == 0 ? lines + laneCountOfTile : lines
  }

  /// Throws if the memory that the system would give now does not hold all of some buffers at the same time.
  ///
  /// - Parameter counts: The number of floats of each buffer.
  package static func check(_ what: String, buffers counts: [Int]) throws(MatrixError) {
    let bytes = counts.map { Optional(max(64, 4 * $0)) }
    guard MemoryBlock.hasRoom(forBlocks: bytes) else { throw .invalidSize(of: what, counts.reduce(0, +)) }
  }

  /// Throws if rows × columns floats exceed the largest size, or the memory that the system would give now.
  package static func check(_ what: String, rows: Int, columns: Int) throws(MatrixError) {
    for size in [rows, columns] where size < 0 || size > MatrixLimits.maximumSize {
      throw .invalidSize(of: what, size)
    }
    let (bytes, overflow) = rows.multipliedReportingOverflow(by: stride(columns: columns) * 4)
    guard !overflow, MemoryBlock.hasRoom(forBytes: bytes) else { throw .invalidSize(of: what, rows * columns) }
  }
}

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
