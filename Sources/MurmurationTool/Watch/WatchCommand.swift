// SPDX-License-Identifier: MIT
import ArgumentParser
import Formats
import Murmuration
import Render
import Scenes

/// `murmuration watch`: plays a scene in the terminal.
struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Plays a scene live in the terminal.",
    discussion: """
      SCENE is any scene that `murmuration run` plays. It is drawn with braille dots as `murmuration render` draws it, \
      in 24-bit colours where COLORTERM says that the terminal has them, and follows the size of the window. At its \
      end it starts again.

      KEYS:
        space          pause, or go on
        ← →  (h, l)    a second back or forward
        r              from the start
        [ ]            shorter or longer springs
        ↑ ↓  (k, j)    more or less bounce
        t              dark or light
        q              quit

      Other springs take over at the moment that is shown, with value and velocity. After a step back, and for particles, \
      the moment shown is the one that the scene would have come to with them.
      """)

  @Argument(help: "A built-in scene, a scene file, a recording, or a glTF file.")
  var scene: String

  @Option(help: "The background: dark or light.")
  var theme = Theme.dark

  @Option(parsing: .unconditional, help: "The seconds after which it starts again, instead of the whole scene.")
  var duration: Double?

  @Option(parsing: .unconditional, help: "The number of tracks, shared among the groups in proportion.")
  var tracks: Int?

  @OptionGroup var play: PlayOptions

  func run() throws {
    var playable = try SceneSource.load(scene)
    // Frames come as fast as this; the scene's own rate is for files.
    let rate = play.fps ?? 30
    try playable.setFramesPerSecond(rate)
    if let duration { try playable.limit(seconds: duration) }
    try playable.checkLength()
    if let tracks { try playable.setTracks(tracks) }
    try playable.setThreads(play.threads)
    if let seed = play.seed { playable.setSeed(seed) }
    guard let screen = TerminalScreen() else {
      throw FileError(place: "watch", "needs a terminal; murmuration render draws into a file")
    }
    try SceneWatch(playable, kernels: try play.isa ?? KernelSet.selected(), theme: theme).play(on: screen)
  }
}
