// SPDX-License-Identifier: MIT
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The system's words for the error number of the call that just failed.
func lastSystemError() -> String {
  let code = errno
  guard let text = strerror(code) else { return "system error \(code)" }
  return String(cString: text)
}

/// The system's `read`, under a name that no method hides; it is called again if a signal interrupts it.
///
/// - Returns: The number of bytes read, 0 at the end, negative on failure.
func readBytes(_ descriptor: CInt, into buffer: UnsafeMutableRawBufferPointer) -> Int {
  while true {
    let count = read(descriptor, buffer.baseAddress, buffer.count)
    if count >= 0 || errno != EINTR { return count }
  }
}

/// The system's `write`, under a name that no method hides; it is called again if a signal interrupts it.
///
/// - Returns: The number of bytes written, which may be less than asked for; negative on failure.
package func writeBytes(_ descriptor: CInt, _ buffer: UnsafeRawBufferPointer) -> Int {
  while true {
    let count = write(descriptor, buffer.baseAddress, buffer.count)
    if count >= 0 || errno != EINTR { return count }
  }
}

/// The system's `pwrite`, called again if a signal interrupts it.
///
/// - Returns: The number of bytes written, which may be less than asked for; negative on failure.
func writeBytes(_ descriptor: CInt, _ buffer: UnsafeRawBufferPointer, at offset: Int) -> Int {
  while true {
    let count = pwrite(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
    if count >= 0 || errno != EINTR { return count }
  }
}

/// The kind of a path, as far as reading and writing care.
package enum PathKind: Equatable {
  case regular, directory, other, missing

  /// The kind of the file that a `stat` structure describes.
  init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = .regular
    case S_IFDIR: self = .directory
    default: self = .other
    }
  }

  /// The kind of the file at `path`, with links followed.
  package init(path: String) {
    var status = stat()
    self = stat(path, &status) == 0 ? PathKind(status) : .missing
  }
}
