// SPDX-License-Identifier: MIT
import Render

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The whole screen of a terminal, with keys that are read as they are pressed; at its end the terminal is as it was.
struct TerminalScreen: ~Copyable {
  private let before: termios
  /// The colours of the terminal.
  let colours: TerminalColours

  /// Takes the terminal; nil unless both standard input and output are one.
  init?() {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { return nil }
    var settings = termios()
    guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
    before = settings
    // Keys come at once and are not shown; Ctrl-C stays a signal.
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
    colours = TerminalScreen.colours
    // The other screen, without a cursor.
    try? StandardOutput.write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J")
  }

  deinit {
    try? StandardOutput.write("\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l")
    var settings = before
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
  }

  /// The number of columns and rows; 80 by 24 where the terminal does not say.
  var size: (columns: Int, rows: Int) { Terminal.size ?? (80, 24) }

  /// The bytes of the keys that are pressed within some seconds; returns early when there are some.
  func readKeys(for seconds: Double) -> [UInt8] {
    var poll = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    let milliseconds = Int32(min(1000, max(0, seconds * 1000)).rounded())
    guard Self.wait(&poll, milliseconds) > 0 else { return [] }
    // A terminal that has gone is at its end: as if the user quit.
    guard poll.revents & Int16(POLLIN) != 0 else { return [UInt8(ascii: "q")] }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    return count == 0 ? [UInt8(ascii: "q")] : Array(bytes.prefix(max(0, count)))
  }

  private static func wait(_ descriptor: inout pollfd, _ milliseconds: Int32) -> Int32 {
    poll(&descriptor, 1, milliseconds)
  }

  /// Shows lines from the top left, in place of what was there.
  func show(_ lines: [String]) throws(OutputError) {
    // Shown at once by terminals that know synchronised updates; others leave the marks out.
    let text = lines.map { "\($0)\u{1B}[K" }.joined(separator: "\r\n")
    try StandardOutput.write("\u{1B}[?2026h\u{1B}[H\(text)\u{1B}[J\u{1B}[?2026l")
  }

  private static var colours: TerminalColours {
    guard Terminal.hasColours else { return .none }
    let wish = getenv("COLORTERM").map { String(cString: $0) }
    if wish == "truecolor" || wish == "24bit" { return .trueColour }
    let name = getenv("TERM").map { String(cString: $0) } ?? ""
    return name == "dumb" ? .none : .palette
  }
}
