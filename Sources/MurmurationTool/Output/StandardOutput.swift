// SPDX-License-Identifier: MIT
import Formats
import Scenes

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Why standard output did not take the text.
enum OutputError: Error, Equatable, CustomStringConvertible {
  /// The reader has gone: `murmuration sample … | head -1`.
  case closedPipe
  /// The system's reason, such as a full disk.
  case failed(String)

  var description: String { "standard output: \(reason)" }

  /// The reason alone.
  var reason: String {
    switch self {
    case .closedPipe: "the reader has closed the pipe"
    case .failed(let reason): reason
    }
  }
}

/// Standard output with a buffer of its own, which checks each of its writes.
///
/// `print` reports no failure: on a full disk it loses its text and the process exits with 0. So every command writes its
/// results through here, and calls ``flush()`` before it ends.
struct StandardOutput: ~Copyable {
  private static let capacity = 1 << 16
  private let descriptor: CInt
  private var buffer: [UInt8] = []

  /// Output to standard output, or to another open file.
  init(descriptor: CInt = STDOUT_FILENO) {
    self.descriptor = descriptor
    buffer.reserveCapacity(Self.capacity)
  }

  /// Appends text; it is written when the buffer is full.
  mutating func write(_ text: String) throws(OutputError) {
    buffer.append(contentsOf: text.utf8)
    if buffer.count >= Self.capacity { try flush() }
  }

  /// Writes the rest of the buffer.
  mutating func flush() throws(OutputError) {
    defer { buffer.removeAll(keepingCapacity: true) }
    var written = 0
    while written < buffer.count {
      let count = buffer.withUnsafeBytes { writeBytes(descriptor, UnsafeRawBufferPointer(rebasing: $0[written...])) }
      guard count >= 0 else {
        throw errno == EPIPE ? .closedPipe : .failed(String(cString: strerror(errno)))
      }
      written += count
    }
  }

  /// Writes one text and flushes it.
  static func write(_ text: String) throws(OutputError) {
    var output = StandardOutput()
    try output.write(text)
    try output.flush()
  }

  /// Writes the text that `print` left in the C library's buffers, where its failures would otherwise be lost.
  static func flushPrinted() throws(OutputError) {
    guard fflush(nil) != 0 else { return }
    throw errno == EPIPE ? .closedPipe : .failed(String(cString: strerror(errno)))
  }

  /// Turns two signals into errors of the write: for a closed pipe, and for a file at its user's size limit. By default
  /// these signals end the process in silence, and files are not cleaned up.
  static func reportFailedWrites() {
    for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
  }
}

/// Writes one line to standard error. A failure to do so is not a failure of the command.
func writeToStandardError(_ line: String) {
  var text = Array((line + "\n").utf8)[...]
  while !text.isEmpty {
    let count = text.withUnsafeBytes { writeBytes(STDERR_FILENO, $0) }
    guard count > 0 else { return }
    text = text.dropFirst(count)
  }
}
