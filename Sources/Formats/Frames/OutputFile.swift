// SPDX-License-Identifier: MIT
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file that appears whole or not at all: it is written under another name in the same folder, and renamed at the end.
///
/// A file that was at the path before stays until `finish` has put all bytes on the disk. Without `finish`, nothing is
/// left.
package struct OutputFile: ~Copyable {
  private let path: String
  private let shownPath: String
  /// The name under which the file is written, for a program that writes it instead.
  package let temporaryPath: String
  /// The open file, for a writer with a buffer of its own.
  package let descriptor: CInt
  private var isFinished = false
  private var buffer: [UInt8] = []

  /// The number of bytes that are gathered before they are written.
  private static let bufferSize = 1 << 20

  /// Opens the temporary file beside `path`, so that a missing or read-only folder is noticed before any work.
  /// - Throws: `FileError` naming `path`.
  package init(_ path: String) throws(FileError) {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw FileError("the output's name is empty or not a name") }
    let place = try OutputFile.place(of: path)
    let slash = place.lastIndex(of: "/").map { place.index(after: $0) } ?? place.startIndex
    let name = String(place[slash...])
    guard !name.isEmpty, name != ".", name != ".." else { throw FileError(file: path, "is a directory, not a file") }
    // The file's name may have the greatest length, so the temporary one is cut. A killed run may have left one behind.
    let stem = "\(place[..<slash]).\(String(decoding: name.utf8.prefix(40), as: UTF8.self))."
    var temporaryPath = ""
    var descriptor: CInt = -1
    for _ in 0..<16 where descriptor < 0 {
      temporaryPath = "\(stem)\(UInt32.random(in: 0...UInt32.max)).partial"
      descriptor = open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if descriptor < 0, errno != EEXIST { break }
    }
    guard descriptor >= 0 else { throw FileError(file: path, "cannot be written: \(lastSystemError())") }
    self.init(path: place, shownPath: path, temporaryPath: temporaryPath, descriptor: descriptor)
  }

  private init(path: String, shownPath: String, temporaryPath: String, descriptor: CInt) {
    self.path = path
    self.shownPath = shownPath
    self.temporaryPath = temporaryPath
    self.descriptor = descriptor
  }

  /// Writes to an open descriptor; `finish` then only empties the buffer. For tests of write errors.
  init(descriptor: CInt, shownPath: String) {
    self.init(path: "", shownPath: shownPath, temporaryPath: "", descriptor: descriptor)
  }

  deinit {
    if !isFinished {
      close(descriptor)
      if !temporaryPath.isEmpty { unlink(temporaryPath) }
    }
  }

  /// Reserves `byteCount` bytes on the disk, so that a disk that is too full is noticed before any work.
  ///
  /// Nothing happens where the file system or the system cannot reserve.
  package mutating func reserve(_ byteCount: Int) throws(FileError) {
    #if os(Linux)
      // `posix_fallocate` returns an error number. A file system that cannot reserve is no reason to stop.
      let code = posix_fallocate(descriptor, 0, byteCount)
      if code == ENOSPC || code == EFBIG || code == EDQUOT {
        errno = code
        throw error("\(byteCount) bytes cannot be written")
      }
    #endif
  }

  /// Appends `bytes`.
  /// - Throws: `FileError` when they cannot be written, for example because the disk is full.
  package mutating func write(_ bytes: some Sequence<UInt8>) throws(FileError) {
    buffer.append(contentsOf: bytes)
    if buffer.count >= OutputFile.bufferSize { try flush() }
  }

  /// Writes `bytes` at an offset from the file's start, at once; what `write` gathers stays in its order.
  func write(_ bytes: [UInt8], at offset: Int) throws(FileError) {
    var start = 0
    while start < bytes.count {
      let count = bytes.withUnsafeBytes {
        writeBytes(descriptor, UnsafeRawBufferPointer(rebasing: $0[start...]), at: offset + start)
      }
      guard count > 0 else { throw error("cannot be written") }
      start += count
    }
  }

  /// Appends the bytes of `floats`, little-endian.
  package mutating func write(floats: [Float]) throws(FileError) {
    #if _endian(little)
      floats.withUnsafeBytes { buffer.append(contentsOf: $0) }
    #else
      for float in floats { withUnsafeBytes(of: float.bitPattern.littleEndian) { buffer.append(contentsOf: $0) } }
    #endif
    if buffer.count >= OutputFile.bufferSize { try flush() }
  }

  /// Puts all bytes on the disk, and moves the file to its path.
  package consuming func finish() throws(FileError) {
    try flush()
    guard !temporaryPath.isEmpty else { return }
    // Some disks report only now, or at close, that they are full.
    guard fsync(descriptor) == 0 else { throw error("cannot be written") }
    var status = stat()
    if stat(path, &status) == 0 { fchmod(descriptor, status.st_mode & 0o777) }
    guard rename(temporaryPath, path) == 0 else { throw error("cannot be put in its place") }
    isFinished = true
    guard close(descriptor) == 0 else { throw error("cannot be closed") }
  }

  private mutating func flush() throws(FileError) {
    var start = 0
    while start < buffer.count {
      let count = buffer.withUnsafeBytes { writeBytes(descriptor, UnsafeRawBufferPointer(rebasing: $0[start...])) }
      guard count > 0 else { throw error("cannot be written") }
      start += count
    }
    buffer.removeAll(keepingCapacity: true)
  }

  private func error(_ reason: String) -> FileError { FileError(file: shownPath, "\(reason): \(lastSystemError())") }

  /// The path of the file that `path` names, with links resolved.
  private static func place(of path: String) throws(FileError) -> String {
    var status = stat()
    guard stat(path, &status) == 0 else {
      // ENOENT is fine: there is no file yet. A name that is too long, or a link to itself, is noticed here.
      guard errno == ENOENT else { throw FileError(file: path, "cannot be written: \(lastSystemError())") }
      return path
    }
    switch PathKind(status) {
    case .directory: throw FileError(file: path, "is a directory, not a file")
    case .other, .missing: throw FileError(file: path, "is not a regular file")
    case .regular: break
    }
    guard access(path, W_OK) == 0 else { throw FileError(file: path, "cannot be written: \(lastSystemError())") }
    guard let resolved = realpath(path, nil) else { throw FileError(file: path, lastSystemError()) }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
