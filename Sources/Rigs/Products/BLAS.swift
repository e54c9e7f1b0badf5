// SPDX-License-Identifier: MIT
import Kernels
import Murmuration
import Synchronization

/// OpenBLAS, where the package was built with its trait and the machine has it. Every call to it goes through here.
///
/// OpenBLAS has one number of threads for the whole process, and reports bad arguments by printing. So its calls are
/// made one at a time, under a lock of ours; each sets the number of threads, one unless asked for more, and restores
/// the earlier number. If code of yours calls OpenBLAS at the same moment from another thread, it may run with our
/// number; nothing else of it changes.
///
/// Before the first call the library is loaded, and a few known products are computed. If there is no library, or its
/// products are wrong, ``requireUsable()`` throws the reason. A ``Mixer`` then multiplies by loops of our own, and a
/// `ModalBasis` of the product `ModalMotion`, which needs the library, throws. Nothing else calls it: bakes, poses and
/// clips have loops of their own.
public enum BLAS {
  /// Throws unless OpenBLAS is part of this build, could be loaded, and passed its check, which is made once.
  ///
  /// - Throws: ``MatrixError/unusableBLAS(reason:)``.
  public static func requireUsable() throws(MatrixError) {
    if let defect {
      throw .unusableBLAS(reason: defect)
    }
  }

  /// OpenBLAS' own description, with the processor core it chose; nil if it is not part of this build or not on the
  /// machine.
  public static let configuration: String? = unsafe library?.configuration().map { unsafe String(cString: $0) }

  package static var isUsable: Bool { defect == nil }

  private static let loaded = Result { () throws(OpenBLASLibrary.Failure) in try OpenBLASLibrary() }

  /// The library, or nil where it cannot be loaded; ``requireUsable()`` has the reason.
  static var library: OpenBLASLibrary? { try? loaded.get() }

  /// The reason why OpenBLAS cannot be used, or nil.
  private static let defect: String? = {
    if case .failure(let failure) = loaded { return failure.reason }
    // A library that takes 64-bit integers would read the unset upper halves of ours as part of sizes.
    if let configuration, configuration.contains("USE64BITINT") {
      return "it takes 64-bit integers (\(configuration)); install the ordinary build"
    }
    return exclusively(threads: 1) { BLASCheck.defect { multiplyUnlocked($0) } }
  }()

  /// The instruction set of the kernels that OpenBLAS chose.
  static let kernelSet = unsafe library?.coreName().map { kernelSet(ofCore: unsafe String(cString: $0)) } ?? .portable

  /// The instruction set of the kernels that OpenBLAS has for a processor core.
  ///
  /// For a processor that it does not know it takes those of the oldest that could run here, though the processor may have
  /// AVX-512: version 0.3.21 takes those for Prescott on Emerald Rapids.
  static func kernelSet(ofCore name: String) -> KernelSet {
    switch name {
    case "SkylakeX", "Cooperlake", "SapphireRapids": .avx512
    case "Haswell", "Zen": .avx2
    default: .portable
    }
  }

  /// Whether products under ``MatrixLimits/chunk`` run on a kernel that does not pack; OpenBLAS has one for AVX-512.
  static var hasSmallKernels: Bool { kernelSet == .avx512 }

  /// The number of threads that OpenBLAS has between our calls.
  static var restingThreadCount: Int { lock.withLock { _ in threadCount } }

  /// The number of threads that it has now; 1 where there is no library.
  static var threadCount: Int { library.map { Int($0.threadCount()) } ?? 1 }

  // MARK: - Calls

  private static let lock = Mutex(())

  /// Runs calls to OpenBLAS, alone, with a number of threads; then restores the number that was set before.
  ///
  /// - Parameters:
  ///   - threads: At least 1.
  ///   - body: Makes the calls. It must not call anything else of this type: the lock is taken.
  static func exclusively<R: Sendable>(threads: Int, _ body: () -> R) -> R {
    lock.withLock { _ in
      guard let library else { return body() }
      let before = library.threadCount()
      let wanted = CInt(clamping: max(1, threads))
      if before != wanted { library.setThreadCount(wanted) }
      defer { if before != wanted { library.setThreadCount(before) } }
      return body()
    }
  }

  /// Computes one product under the lock; the caller has checked the sizes, and that OpenBLAS is usable.
  package static func multiply(_ product: BLASProduct, threads: Int = 1) {
    exclusively(threads: threads) {
      if hasSmallKernels, threads <= 1 {
        product.forEachChunk { multiplyUnlocked($0) }
      } else {
        multiplyUnlocked(product)
      }
    }
  }

  /// Computes one product as one call, for comparison with other ways; false where OpenBLAS is not usable.
  package static func multiplyWhole(_ product: BLASProduct) -> Bool {
    guard isUsable else { return false }
    exclusively(threads: 1) { multiplyUnlocked(product) }
    return true
  }

  private static func multiplyUnlocked(_ product: BLASProduct) {
    typealias Library = OpenBLASLibrary
    unsafe library?.sgemm(
      Library.rowMajor, product.aIsTransposed ? Library.transposed : Library.notTransposed, Library.notTransposed,
      CInt(product.rows), CInt(product.columns), CInt(product.inner), 1, product.a.address, CInt(product.aStride),
      product.b.address, CInt(product.bStride), product.adds ? 1 : 0, product.c.address, CInt(product.cStride))
  }

  /// Replaces a dense symmetric matrix in Double by its orthonormal eigenvectors, one after another, and returns their
  /// eigenvalues, ascending.
  ///
  /// By `dsyevd` of LAPACK (divide and conquer; Cuppen, Numer. Math. 36, 1981), which is part of OpenBLAS. The caller
  /// has to check the decomposition.
  ///
  /// - Parameters:
  ///   - matrix: `order` × `order` numbers, of which one triangle is read; undefined after a failure.
  ///   - order: 1…16 000: the workspace is counted in Int32.
  ///   - threads: The number of threads that OpenBLAS may use.
  /// - Throws: ``MatrixError/unusableBLAS(reason:)``, or ``MatrixError/decompositionFailed(_:)`` with the library's own
  ///   number if it gives up.
  /// - Complexity: O(order³), and twice the matrix as workspace.
  package static func decompose(
    _ matrix: inout [Double], order: Int, threads: Int
  ) throws(MatrixError) -> [Double] {
    try requireUsable()
    var values = [Double](repeating: 0, count: order)
    var n = CInt(order)
    var info: CInt = 0
    var (work, integerWork): ([Double], [CInt]) = ([0], [0])
    var (length, integerLength): (CInt, CInt) = (-1, -1)
    func call() {
      exclusively(threads: threads) {
        unsafe library?.dsyevd(
          "V", "L", &n, &matrix, &n, &values, &work, &length, &integerWork, &integerLength, &info, 1, 1)
      }
    }
    // The first call asks for the sizes of the workspace.
    call()
    let (least, leastIntegers) = (1 + 6 * order + 2 * order * order, 3 + 5 * order)
    guard info == 0, work[0] >= 1, work[0] <= Double(4 * least), 1...4 * leastIntegers ~= Int(integerWork[0]) else {
      throw .decompositionFailed("dsyevd does not say how much memory it needs (info \(info))")
    }
    length = CInt(max(least, Int(work[0])))
    integerLength = CInt(max(leastIntegers, Int(integerWork[0])))
    work = [Double](repeating: 0, count: Int(length))
    integerWork = [CInt](repeating: 0, count: Int(integerLength))
    call()
    guard info == 0 else { throw .decompositionFailed("dsyevd returned \(info)") }
    return values
  }
}
