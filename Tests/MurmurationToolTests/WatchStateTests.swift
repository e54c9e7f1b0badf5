// SPDX-License-Identifier: MIT
import Murmuration
import ScenePictures
import Scenes
import Testing

@testable import MurmurationTool

/// The keys of `murmuration watch`, and what they do.
struct WatchStateTests {
  @Test func keysAreReadFromBytes() {
    #expect(
      WatchState.keys(Array("q hl[]jkrt".utf8)) == [
        .quit, .pause, .back, .forward, .shorter, .longer, .flatter, .bouncier, .restart, .theme,
      ])
    #expect(
      WatchState.keys([0x1B, 0x5B, 0x41, 0x1B, 0x5B, 0x42, 0x1B, 0x4F, 0x43, 0x1B, 0x5B, 0x44])
        == [.bouncier, .flatter, .forward, .back])
    // An arrow with Shift, and sequences of no key or cut short.
    #expect(WatchState.keys([0x1B, 0x5B] + Array("1;2C".utf8)) == [.forward])
    #expect(WatchState.keys([0x1B, 0x5B] + Array("200~".utf8) + [0x20]) == [.pause])
    for cut in [[0x1B], [0x1B, 0x5B], [0x1B, 0x5B, 0x31], [0xFF, 0x00]] as [[UInt8]] {
      #expect(WatchState.keys(cut).isEmpty)
    }
  }

  @Test func timePassesUnlessPausedAndStartsAgain() {
    var state = WatchState(duration: 3, theme: .dark)
    state.pass(1.5)
    #expect(state.time == 1.5)
    state.press(.pause)
    state.pass(1)
    #expect(state.time == 1.5 && state.isPaused)
    state.press(.forward)
    #expect(state.time == 2.5)
    state.press(.forward)
    #expect(state.time == 3)
    state.press(.pause)
    state.pass(0.1)
    #expect(state.time == 0)
    state.press(.back)
    #expect(state.time == 0)
  }

  @Test func springsStayWithinTheirLimits() {
    var state = WatchState(duration: 3, theme: .dark)
    for _ in 0..<100 { state.press(.longer) }
    for _ in 0..<100 { state.press(.bouncier) }
    #expect(state.change.durationFactor == 16 && state.change.bounce == 1)
    for _ in 0..<200 { state.press(.shorter) }
    for _ in 0..<200 { state.press(.flatter) }
    #expect(state.change.durationFactor == 1.0 / 16 && state.change.bounce == -1)
  }

  @Test func theStatusFitsTheScreen() {
    let state = WatchState(duration: 12, theme: .dark)
    var tracks = BatchWork.Tracks()
    (tracks.springs, tracks.still, tracks.atRest) = (70, 30, 45)
    for columns in [0, 1, 20, 80, 300] {
      #expect(state.status(name: "shapes", tracks, columns: columns).count <= columns)
    }
    let whole = state.status(name: "shapes", tracks, columns: 300)
    #expect(whole.hasPrefix("▶ shapes  0.0 of 12.0 s  springs × 1.00, bounce +0.0  55 of 100 move"))
  }
}
