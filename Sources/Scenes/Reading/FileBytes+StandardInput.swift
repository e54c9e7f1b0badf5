// SPDX-License-Identifier: MIT
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension FileBytes {
  /// How standard input is called on a command line and in errors.
  package static let standardInputName = "-"

  /// The bytes of the file at `path`, or of standard input when `path` is `-`.
  package static func readFileOrStandardInput(_ path: String, limit: Int) throws(SceneError) -> [UInt8] {
    path == standardInputName ? try readStandardInput(limit: limit) : try read(path, limit: limit)
  }

  /// All bytes of standard input up to its end; it may be a pipe, and an endless one is given up at `limit`.
  package static func readStandardInput(limit: Int) throws(SceneError) -> [UInt8] {
    let name = "standard input"
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = chunk.withUnsafeMutableBytes { readChunk($0) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw SceneError(file: name, "cannot be read: \(lastSystemError())") }
      if count == 0 { return bytes }
      guard bytes.count + count <= limit else {
        throw SceneError(file: name, "is larger than the limit of \(limit >> 20) MiB")
      }
      bytes.append(contentsOf: chunk[..<count])
    }
  }
}

/// The system's `read`, outside the type whose own `read` would hide it.
private func readChunk(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
  read(STDIN_FILENO, buffer.baseAddress, buffer.count)
}
