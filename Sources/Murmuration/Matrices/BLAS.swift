// SPDX-License-Identifier: MIT
import Synchronization

#if OpenBLAS
  import COpenBLAS
#endif

/// OpenBLAS, where the package was built with it: the one place that calls it.
///
/// OpenBLAS has one number of threads for the whole process, and reports bad arguments by printing. So calls from here are
/// made one at a time, under a lock of ours; each sets the number of threads, one unless asked for more, and restores what
/// it found. Code of yours that calls OpenBLAS at the same moment from another thread may see that number; nothing else of
/// it changes.
///
/// Before the first call a few known products are computed. If OpenBLAS gets them wrong, ``requireUsable()`` tells why,
/// and loops of our own do the work where there are any: in mixers and bakes.
public enum BLAS {
  /// Throws unless OpenBLAS is part of this build and passed its check, which is made once.
  ///
  /// - Throws: ``MatrixError/unusableBLAS(reason:)``.
  public static func requireUsable() throws(MatrixError) {
    if let defect {
      throw .unusableBLAS(reason: defect)
    }
  }

  /// What OpenBLAS says it is, with the processor core it chose; nil where it is not part of this build.
  public static let configuration: String? = {
    #if OpenBLAS
      unsafe openblas_get_config().map { unsafe String(cString: $0) }
    #else
      nil
    #endif
  }()

  static var isUsable: Bool { defect == nil }

  /// What is wrong with OpenBLAS, or nil.
  private static let defect: String? = {
    #if OpenBLAS
      // Where a library takes 64-bit integers, the halves of ours that nobody set would be part of sizes.
      if let configuration, configuration.contains("USE64BITINT") {
        return "it takes 64-bit integers (\(configuration)); link the 32-bit interface"
      }
      return lock.withLock { _ in
        exclusively(threads: 1) { BLASCheck.defect { multiplyUnlocked($0) } }
      }
    #else
      return "the package was built without the trait OpenBLAS"
    #endif
  }()

  /// Whether products under ``MatrixLimits/chunk`` take a kernel that does not pack: the cores with AVX-512 have one.
  static let hasSmallKernels: Bool = {
    #if OpenBLAS
      guard let name = unsafe openblas_get_corename() else {
        return false
      }
      return ["SkylakeX", "Cooperlake", "SapphireRapids"].contains(unsafe String(cString: name))
    #else
      return false
    #endif
  }()

  /// The number of threads that OpenBLAS has between our calls.
  static var restingThreadCount: Int { lock.withLock { _ in threadCount } }

  /// The number that it has now; 1 where it is not part of this build.
  static var threadCount: Int {
    #if OpenBLAS
      Int(openblas_get_num_threads())
    #else
      1
    #endif
  }

  // MARK: - Calls

  private static let lock = Mutex(())

  /// Runs calls to OpenBLAS, alone, with so many threads; the number that was set before is restored.
  ///
  /// - Parameters:
  ///   - threads: At least 1.
  ///   - body: Makes the calls. It must not call anything else of this type: the lock is taken.
  /// - Throws: ``MatrixError/unusableBLAS(reason:)``.
  package static func withLibrary<R: Sendable>(threads: Int = 1, _ body: () -> R) throws(MatrixError) -> R {
    try requireUsable()
    return lock.withLock { _ in exclusively(threads: threads, body) }
  }

  private static func exclusively<R>(threads: Int, _ body: () -> R) -> R {
    #if OpenBLAS
      let before = openblas_get_num_threads()
      let wanted = Int32(clamping: max(1, threads))
      if before != wanted {
        openblas_set_num_threads(wanted)
      }
      defer {
        if before != wanted {
          openblas_set_num_threads(before)
        }
      }
    #endif
    return body()
  }

  /// One product under the lock; the caller has checked sizes, and that OpenBLAS is usable.
  package static func multiply(_ product: BLASProduct, threads: Int = 1) {
    lock.withLock { _ in
      exclusively(threads: threads) {
        if hasSmallKernels, threads <= 1 {
          product.forEachChunk { multiplyUnlocked($0) }
        } else {
          multiplyUnlocked(product)
        }
      }
    }
  }

  /// One product as one call, what others are measured against; false where OpenBLAS is not usable.
  package static func multiplyWhole(_ product: BLASProduct) -> Bool {
    guard isUsable else {
      return false
    }
    lock.withLock { _ in exclusively(threads: 1) { multiplyUnlocked(product) } }
    return true
  }

  private static func multiplyUnlocked(_ product: BLASProduct) {
    #if OpenBLAS
      unsafe cblas_sgemm(
        CblasRowMajor, product.aIsTransposed ? CblasTrans : CblasNoTrans, CblasNoTrans, blasint(product.rows),
        blasint(product.columns), blasint(product.inner), 1, product.a, blasint(product.aStride), product.b,
        blasint(product.bStride), product.adds ? 1 : 0, product.c, blasint(product.cStride))
    #endif
  }
}
