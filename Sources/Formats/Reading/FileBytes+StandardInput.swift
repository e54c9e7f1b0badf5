// SPDX-License-Identifier: MIT
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension FileBytes {
  /// The name of standard input on a command line and in errors.
  package static let standardInputName = "-"

  /// The bytes of the file at `path`, or of standard input when `path` is `-`.
  package static func readFileOrStandardInput(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
    path == standardInputName ? try readStandardInput(limit: limit) : try read(path, limit: limit)
  }

  /// All bytes of standard input up to its end. It may be a pipe; reading an endless one stops at `limit`.
  package static func readStandardInput(limit: Int) throws(FileError) -> [UInt8] {
    try readAll(STDIN_FILENO, name: "standard input", expecting: 0, limit: limit)
  }
}
