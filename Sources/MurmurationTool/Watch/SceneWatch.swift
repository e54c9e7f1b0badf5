// SPDX-License-Identifier: MIT
import Formats
import Murmuration
import Render
import Scenes

/// One showing of a scene in the terminal.
struct SceneWatch {
  private let original: PlayableScene
  private let kernels: KernelSet
  private let theme: Theme

  init(_ playable: PlayableScene, kernels: KernelSet, theme: Theme) {
    (original, self.kernels, self.theme) = (playable, kernels, theme)
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
      for key in WatchState.keys(screen.readKeys(for: step - (ContinuousClock.now - clock).seconds)) {
        state.press(key)
      }
      state.pass((ContinuousClock.now - clock).seconds)
      clock = .now
      if state.change != shown.change {
        playable = original.changingSprings(state.change)
        stage = try SceneStage(playable, kernels: kernels) { Interruption.isNoted }
        painter = nil
      }
      // A player goes forward only: for an earlier moment, or with other springs, another one starts.
      if state.time < shown.time || state.change != shown.change {
        player = try ScenePlayer(playable, kernels: kernels)
      }
      if screen.size != size || state.theme != shown.theme { painter = nil }
      size = screen.size
      shown = state
      try player.advance(to: state.time) { Interruption.isNoted }
      guard !Interruption.isNoted else { break }
      let rows = max(1, size.rows - 1)
      var current =
        painter ?? ScenePainter(stage, theme: state.theme, width: size.columns * 2, height: rows * 4)
      try current.paint(player, at: state.time, step: step)
      painter = current
      let picture = TerminalPicture(current.picture, colours: screen.colours)
      let lines = picture.lines { current.emptyPixel(row: $0) }
      try screen.show(lines + [state.status(name: playable.scene.name, columns: size.columns)])
    }
  }
}
