// SPDX-License-Identifier: MIT
import Scenes

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A line on the terminal while a scene's networks are decomposed, which may take seconds; nothing if there are no
/// networks, or if standard error is no terminal.
struct StartNote {
  private let text: String?

  init(_ playable: PlayableScene) {
    // With more points the decomposition takes longer than a moment.
    let points = playable.scene.groups.compactMap { group in
      if case .networks(let networks) = group.motion { networks.network.points } else { nil }
    }.filter { $0 >= 700 }
    let isShown = !points.isEmpty && isatty(STDERR_FILENO) == 1
    text = isShown ? "finding the modes of \(points.map(String.init).joined(separator: ", ")) points …" : nil
  }

  func show() {
    if let text { Self.draw(text) }
  }

  func clear() {
    if text != nil { Self.draw("\r\u{1B}[K") }
  }

  private static func draw(_ text: String) {
    var bytes = Array(text.utf8)
    // A terminal that has gone is not a failure of the run.
    _ = write(STDERR_FILENO, &bytes, bytes.count)
  }
}
