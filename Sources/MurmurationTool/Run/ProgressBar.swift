// SPDX-License-Identifier: MIT
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A bar on the terminal for work that takes longer than a moment; nothing if standard error is no terminal.
struct ProgressBar {
  private static let width = 40
  private let total: Int
  private let unit: String
  private let isShown: Bool
  private let start = ContinuousClock.now
  private var lastDrawn = ContinuousClock.now
  private var isDrawn = false

  /// A bar for `total` frames, or another unit, unless it is not wanted.
  init(total: Int, of unit: String = "frames", isShown: Bool = true) {
    (self.total, self.unit) = (total, unit)
    self.isShown = isShown && isatty(STDERR_FILENO) == 1
  }

  /// Shows that `done` of the total are done, at most ten times a second and not in the first half second.
  mutating func update(_ done: Int) {
    guard isShown else { return }
    let now = ContinuousClock.now
    guard now - start > .milliseconds(500), now - lastDrawn > .milliseconds(100) else { return }
    lastDrawn = now
    isDrawn = true
    let filled = Self.width * done / max(1, total)
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
    draw("\r\(bar) \(100 * done / max(1, total)) % of \(total) \(unit)")
  }

  /// Removes the bar.
  func clear() {
    if isDrawn { draw("\r\u{1B}[K") }
  }

  private func draw(_ text: String) {
    var bytes = Array(text.utf8)
    // A terminal that has gone is not a failure of the run.
    _ = write(STDERR_FILENO, &bytes, bytes.count)
  }
}
