// SPDX-License-Identifier: MIT
import Rigs
import Testing

@testable import Scenes

struct FrameRateTests {
  /// Scenes of each kind of motion but springs, which `ScenePlayerTests` plays to the bit.
  static let scenes =
    [PhaseSceneTests.small, ReleaseSceneTests.small, TimelineSceneTests.small]
    + (BLAS.configuration != nil ? [NetworkSceneTests.small] : [])

  @Test(arguments: scenes) func whatAFrameShowsDoesNotDependOnTheFrameRate(_ text: String) throws {
    let playable = try PlayableScene(text: text)
    var quick = try ScenePlayer(playable)
    var slow = try ScenePlayer(playable)
    for step in 1...40 { try quick.advance(to: Double(step) / 10) }
    try slow.advance(to: 4)
    for group in playable.scene.groups.indices {
      for component in 0..<playable.scene.dimensions {
        #expect(try quick.column(component, group: group) == slow.column(component, group: group))
      }
    }
  }
}
