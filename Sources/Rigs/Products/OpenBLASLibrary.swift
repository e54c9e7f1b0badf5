// SPDX-License-Identifier: MIT
#if !OpenBLAS
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The functions of OpenBLAS, which is loaded when the first of them is needed. A program starts without it, and
/// whatever does not need it works without it.
///
/// Sizes are 32-bit integers, as in its ordinary build. Orders and transpositions have the numbers of the C interface of
/// the BLAS Technical Forum Standard (2001), Appendix B.
@safe
struct OpenBLASLibrary: Sendable {
  /// C = α · A · B + β · C in Float. The arguments are the layout, whether A and B are transposed, the sizes of C,
  /// the number of terms, α, A and its stride, B and its stride, β, C and its stride.
  typealias Sgemm =
    @convention(c) @Sendable (
      CInt, CInt, CInt, CInt, CInt, CInt, Float, UnsafePointer<Float>, CInt, UnsafePointer<Float>, CInt, Float,
      UnsafeMutablePointer<Float>, CInt
    ) -> Void
  /// LAPACK's eigenvalues and eigenvectors of a symmetric matrix. As in Fortran, every argument is an address, and
  /// the lengths of the texts come last.
  typealias Dsyevd =
    @convention(c) @Sendable (
      UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafePointer<CInt>, UnsafeMutablePointer<Double>,
      UnsafePointer<CInt>, UnsafeMutablePointer<Double>, UnsafeMutablePointer<Double>, UnsafePointer<CInt>,
      UnsafeMutablePointer<CInt>, UnsafePointer<CInt>, UnsafeMutablePointer<CInt>, Int, Int
    ) -> Void
  typealias Text = @convention(c) @Sendable () -> UnsafePointer<CChar>?

  static let rowMajor: CInt = 101
  static let notTransposed: CInt = 111
  static let transposed: CInt = 112

  let sgemm: Sgemm
  let dsyevd: Dsyevd
  let configuration: Text
  let coreName: Text
  let threadCount: @convention(c) @Sendable () -> CInt
  let setThreadCount: @convention(c) @Sendable (CInt) -> Void

  /// The reason why a library cannot be used, in words of the system.
  struct Failure: Error, Sendable {
    let reason: String
  }

  #if OpenBLAS
    /// The file names of the library.
    static var names: [String] {
      #if os(macOS)
        [
          "libopenblas.dylib", "/opt/homebrew/opt/openblas/lib/libopenblas.dylib",
          "/usr/local/opt/openblas/lib/libopenblas.dylib",
        ]
      #else
        ["libopenblas.so.0", "libopenblas.so"]
      #endif
    }

    /// The command that installs the library, in brackets.
    private static var advice: String {
      #if os(Linux)
        " (on Debian and Ubuntu: apt-get install libopenblas-dev)"
      #else
        ""
      #endif
    }

    /// Loads the first library of these names that is found. It stays loaded.
    ///
    /// - Throws: If no library is found, or it lacks a function.
    init(_ names: [String] = Self.names) throws(Failure) {
      var handle: UnsafeMutableRawPointer?
      var failure: Failure?
      for name in names where unsafe handle == nil {
        unsafe handle = dlopen(name, RTLD_NOW | RTLD_LOCAL)
        if unsafe handle == nil, failure == nil { failure = Self.latest }
      }
      guard let handle = unsafe handle else {
        throw Failure(reason: (failure?.reason ?? "it has no name") + Self.advice)
      }
      unsafe sgemm = try Self.function("cblas_sgemm", in: handle)
      unsafe dsyevd = try Self.function("dsyevd_", in: handle)
      unsafe configuration = try Self.function("openblas_get_config", in: handle)
      unsafe coreName = try Self.function("openblas_get_corename", in: handle)
      unsafe threadCount = try Self.function("openblas_get_num_threads", in: handle)
      unsafe setThreadCount = try Self.function("openblas_set_num_threads", in: handle)
    }

    /// A function by its name; `F` must be its type.
    @unsafe
    private static func function<F>(_ name: String, in handle: UnsafeMutableRawPointer) throws(Failure) -> F {
      guard let address = unsafe dlsym(handle, name) else { throw latest }
      return unsafe unsafeBitCast(address, to: F.self)
    }

    /// The failure of the last call to the dynamic linker.
    private static var latest: Failure {
      Failure(reason: unsafe dlerror().map { unsafe String(cString: $0) } ?? "it cannot be loaded")
    }
  #else
    /// Throws: there is no library in this build.
    init() throws(Failure) { throw Failure(reason: "the package was built without the trait OpenBLAS") }
  #endif
}
