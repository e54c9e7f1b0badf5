// SPDX-License-Identifier: MIT
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The abilities of standard output.
enum Terminal {
  /// Whether standard output is a terminal and the user has not asked for plain text (NO_COLOR, see no-color.org).
  static var hasColours: Bool {
    guard isatty(STDOUT_FILENO) == 1 else { return false }
    guard let wish = getenv("NO_COLOR") else { return true }
    return wish.pointee == 0
  }

  /// The number of columns of the terminal; 80 if there is no terminal.
  static var columns: Int { size?.columns ?? 80 }

  /// The number of columns and rows of the terminal; nil if there is no terminal.
  static var size: (columns: Int, rows: Int)? {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }
}
