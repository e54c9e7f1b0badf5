// SPDX-License-Identifier: MIT
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Whole files read into memory with a size limit.
///
/// The bytes are copied, not mapped: a mapped file that shrinks while it is read ends the process.
package enum FileBytes {
  /// The largest scene file, in bytes.
  package static let sceneLimit = 64 << 20
  /// The largest recording, in bytes.
  package static let recordingLimit = 512 << 20

  /// The bytes of the regular file (or link to one) at `path`.
  ///
  /// Anything else is refused before it is read: a directory, a device, a pipe (which could block for ever).
  /// - Throws: `FileError` naming `path`, if it is missing, unreadable, not regular or larger than `limit`.
  package static func read(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
    guard !path.isEmpty else { throw FileError("the file name is empty") }
    guard !path.utf8.contains(0) else { throw FileError(file: path, "the file name holds a zero byte") }
    // Without O_NONBLOCK, opening a pipe waits for its writer.
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError(file: path, "cannot be opened: \(lastSystemError())") }
    defer { close(descriptor) }

    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FileError(file: path, lastSystemError()) }
    switch PathKind(status) {
    case .regular: break
    case .directory: throw FileError(file: path, "is a directory, not a file")
    case .other, .missing: throw FileError(file: path, "is not a regular file")
    }
    // Some files (in /proc) state a size of 0, and a file may grow: reading has the limit too.
    let size = Int(status.st_size)
    guard size <= limit else { throw tooLarge(path, limit) }
    return try readAll(descriptor, name: path, expecting: size, limit: limit)
  }

  /// All bytes up to the end of an open descriptor; reading stops at `limit`.
  static func readAll(
    _ descriptor: CInt, name: String, expecting size: Int, limit: Int
  ) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size)
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = chunk.withUnsafeMutableBytes { readBytes(descriptor, into: $0) }
      guard count >= 0 else { throw FileError(file: name, "cannot be read: \(lastSystemError())") }
      if count == 0 { return bytes }
      guard bytes.count + count <= limit else { throw tooLarge(name, limit) }
      bytes.append(contentsOf: chunk[..<count])
    }
  }

  private static func tooLarge(_ name: String, _ limit: Int) -> FileError {
    FileError(file: name, "is larger than the limit of \(limit >> 20) MiB")
  }
}
