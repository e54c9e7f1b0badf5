// SPDX-License-Identifier: MIT
import CProcessor
package import Kernels

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// An instruction set that the kernels were compiled for.
///
/// All sets give the same bits for springs, clips, curves, phases and poses, and differ in speed only. Products of
/// matrices are within their bounds on each set. When the process first asks, the best set that the processor supports is
/// chosen, unless the environment variable `MURMURATION_ISA` names one. Every batch can be given another.
public enum KernelSet: String, CaseIterable, Sendable {
  /// The baseline of the architecture: SSE2 on x86-64 (fused products emulated exactly, hence slow), NEON on arm64.
  case portable
  /// AVX2 and FMA: eight floats a vector.
  case avx2
  /// AVX-512: sixteen floats a vector.
  case avx512

  /// Whether this processor, and this build, can run the set.
  public var isSupported: Bool {
    switch self {
    case .portable: true
    case .avx2: processor_supports_x86_64_v3() && wide_kernels_have_avx2()
    case .avx512: processor_supports_x86_64_v4() && wide_kernels_have_avx512()
    }
  }

  /// The sets that this processor can run, slowest first; never empty.
  public static var available: [KernelSet] { allCases.filter { $0.isSupported } }

  /// The set that a caller asks for; for nil, the set in force.
  ///
  /// - Throws: ``KernelSelectionError`` if the processor lacks it.
  package static func supported(_ kernels: KernelSet?) throws(KernelSelectionError) -> KernelSet {
    let set = if let kernels { kernels } else { try selected }
    guard set.isSupported else {
      throw .unsupported(set)
    }
    return set
  }

  /// The set that a batch asks for; for nil, the set in force.
  ///
  /// - Throws: ``BatchError/unsupportedKernels(_:)`` if the processor lacks it.
  package static func ofBatch(_ kernels: KernelSet?) throws(BatchError) -> KernelSet {
    do throws(KernelSelectionError) { return try supported(kernels) } catch { throw .unsupportedKernels(error) }
  }

  /// The set of a name.
  ///
  /// - Throws: ``KernelSelectionError`` if there is no such set, or the processor lacks it.
  public init(named name: String) throws(KernelSelectionError) {
    guard let set = KernelSet(rawValue: name) else {
      throw .unknownName(name)
    }
    self = try .supported(set)
  }

  /// The set in force for callers that name no set: the one that `MURMURATION_ISA` names, or the best available.
  ///
  /// The environment is read once per process.
  ///
  /// - Throws: ``KernelSelectionError`` if `MURMURATION_ISA` names an unknown set, or one that the processor lacks.
  public static var selected: KernelSet {
    get throws(KernelSelectionError) { try selection.get() }
  }

  private static let selection: Result<KernelSet, KernelSelectionError> = Result {
    () throws(KernelSelectionError) in
    #if !hasFeature(Embedded)
      if let value = unsafe getenv("MURMURATION_ISA"), unsafe value.pointee != 0 {
        return try KernelSet(named: unsafe String(cString: value))
      }
    #endif
    return available.last ?? .portable
  }
}

/// Why an instruction set cannot be used.
public enum KernelSelectionError: Error, Equatable, Sendable, CustomStringConvertible {
  /// No set has this name.
  case unknownName(String)
  /// The processor, the operating system or this build lacks the set.
  case unsupported(KernelSet)

  public var description: String {
    let available = KernelSet.available.map { $0.rawValue }.joined(separator: ", ")
    return switch self {
    case .unknownName(let name):
      "there is no instruction set '\(name)'; this machine has \(available)"
    case .unsupported(let set):
      "this machine cannot run \(set.rawValue) kernels; it has \(available)"
    }
  }
}

extension KernelSet {
  /// The kernels of this set. They must not be called unless ``isSupported``.
  package var table: KernelTable {
    switch self {
    case .portable: Self.portableTable
    case .avx2: Self.tableOfAVX2
    case .avx512: Self.tableOfAVX512
    }
  }

  private static let portableTable = unsafe linked(murmuration_kernels_portable)
  private static let tableOfAVX2 =
    wide_kernels_have_avx2() ? unsafe linked(wide_kernels_copy_avx2) : portableTable
  private static let tableOfAVX512 =
    wide_kernels_have_avx512() ? unsafe linked(wide_kernels_copy_avx512) : portableTable

  /// The table that a function writes, which the linker found.
  private static func linked(_ copy: (UnsafeMutableRawPointer?) -> Void) -> KernelTable {
    unsafe withUnsafeTemporaryAllocation(of: KernelTable.self, capacity: 1) { memory in
      let table = unsafe memory.baseAddress.unsafelyUnwrapped
      unsafe copy(table)
      return unsafe table.move()
    }
  }
}
