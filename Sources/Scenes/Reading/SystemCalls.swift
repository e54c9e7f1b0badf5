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

/// What a path names, as far as reading and writing care.
enum PathKind: Equatable {
  case regular, directory, other, missing

  /// The kind of the file that a `stat` structure describes.
  init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = .regular
    case S_IFDIR: self = .directory
    default: self = .other
    }
  }

  /// The kind of what stands at `path`, links followed.
  init(path: String) {
    var status = stat()
    self = stat(path, &status) == 0 ? PathKind(status) : .missing
  }
}
