// SPDX-License-Identifier: MIT
import Formats
import Murmuration
import Render
import ScenePictures
import Scenes

/// One showing of a scene in the terminal.
struct SceneWatch {
  private let original: PlayableScene
  private let kernels: KernelSet
  private let theme: Theme
  /// Whether the picture stands alone, without the line about it.
  private let isQuiet: Bool

  /// The most seconds by which the scene goes on from one frame to the next.
  private static let longestStep = 0.1

  init(_ playable: PlayableScene, kernels: KernelSet, theme: Theme, isQuiet: Bool) {
    (original, self.kernels, self.theme, self.isQuiet) = (playable, kernels, theme, isQuiet)
  }

  /// Plays until the user quits.
  func play(on screen: borrowing TerminalScreen) throws {
    Interruption.watch()
    let step = 1 / original.scene.framesPerSecond
    var state = WatchState(duration: Double(original.frameCount) * step, theme: theme)
    var playable = original
    var stage = try SceneStage(playable, kernels: kernels) { Interruption.isNoted }
    var player = try ScenePlayer(playable, kernels: kernels)
    var painter: ScenePainter?
    var (shown, size) = (state, screen.size)
    var clock = ContinuousClock.now
    while !state.isOver, !Interruption.isNoted {
      let passed = { (ContinuousClock.now - clock).seconds }
      for key in WatchState.keys(screen.readKeys(for: step - passed())) { state.press(key) }
      // Where frames take longer than this, the scene runs slower, instead of falling ever further behind.
      state.pass(min(passed(), Self.longestStep))
      clock = .now
      if state.change != shown.change {
        playable = original.changingSprings(state.change)
        stage = try SceneStage(playable, kernels: kernels) { Interruption.isNoted }
        painter = nil
      }
      // A player goes forward only: for an earlier moment, another one starts.
      if state.time < shown.time {
        player = try ScenePlayer(playable, kernels: kernels)
      } else if state.change != shown.change {
        var next = try ScenePlayer(playable, kernels: kernels)
        try next.takeOver(from: player)
        player = next
      }
      if screen.size != size || state.theme != shown.theme { painter = nil }
      size = screen.size
      shown = state
      try player.advance(to: state.time) { Interruption.isNoted }
      guard !Interruption.isNoted else { break }
      let rows = max(1, size.rows - (isQuiet ? 0 : 1))
      var current =
        painter ?? ScenePainter(stage, theme: state.theme, width: size.columns * 2, height: rows * 4)
      try current.paint(player, at: state.time, step: step)
      painter = current
      let picture = TerminalPicture(current.picture, colours: screen.colours)
      let lines = picture.lines { current.emptyPixel(row: $0) }
      let status = state.status(name: playable.scene.name, player.work.tracks, columns: size.columns)
      try screen.show(lines + (isQuiet ? [] : [status]))
    }
  }
}
