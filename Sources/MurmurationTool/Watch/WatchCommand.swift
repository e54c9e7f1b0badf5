// SPDX-License-Identifier: MIT
import ArgumentParser
import Formats
import Murmuration
import Render
import ScenePictures
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

      EXAMPLES:
        murmuration watch murmuration
        murmuration watch shapes --tracks 20000 --theme light
      """)

  @OptionGroup var scene: SceneArgument

  @Option(help: "The background: dark or light.")
  var theme = Theme.dark

  @Flag(help: "Show the picture alone, without the line about it.")
  var quiet = false

  @OptionGroup var playing: SceneOptions

  func validate() throws {
    _ = try scene.name()
    try playing.requireCountOfTracks()
    if playing.frames?.lowerBound ?? 0 > 0 {
      throw ValidationError("--frames takes a number here: a scene is watched from its start")
    }
  }

  func run() throws {
    // Frames come as fast as this; the scene's own rate is for files.
    let playable = try playing.load(scene.name(), framesPerSecond: 30).playable
    guard let screen = TerminalScreen() else {
      throw FileError(place: "watch", "needs a terminal; murmuration render draws into a file")
    }
    try SceneWatch(playable, kernels: try playing.kernels(), theme: theme, isQuiet: quiet).play(on: screen)
  }
}
