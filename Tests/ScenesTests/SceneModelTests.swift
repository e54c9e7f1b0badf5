// SPDX-License-Identifier: MIT
import ModalMotion
import Murmuration
import Rigs
import SceneReference
import Testing

@testable import Scenes

/// Scenes of each kind of motion but springs and rigs: batches play `Tests/Fixtures/Scenes` as the model says.
struct SceneModelTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let tracks: Int
    /// The values of a frame.
    let values: Int
    let frames: Int
    /// An error of the model that is noticed.
    var perturbation = 1e-4
    /// Frames that are played for each that is compared, on other sets than the portable one, whose bits they have.
    var step = 5
    /// A time at which scenes of other seeds differ.
    var time = 1.0

    var testDescription: String { name }

    func playable() throws -> PlayableScene { try PlayableScene(text: sceneText(name)) }
  }

  static let cases =
    [
      Case(name: "animations", tracks: 100, values: 200, frames: 100, perturbation: 1e-3),
      Case(name: "timelines", tracks: 100, values: 200, frames: 150),
      Case(name: "releases", tracks: 100, values: 200, frames: 150),
      Case(name: "phases", tracks: 80, values: 160, frames: 120, step: 1),
    ] + (BLAS.configuration != nil ? [networks] : [])

  /// Two cloths and a half, beside springs.
  private static let networks = Case(
    name: "networks", tracks: 180, values: 160 + 3 * 20, frames: 60, step: 1, time: 2)

  @Test(arguments: KernelSet.available, cases)
  func framesAreWithinTheBoundOfTheModel(_ kernels: KernelSet, _ scene: Case) throws {
    let step = kernels == .portable ? 1 : scene.step
    let result = try scene.playable().checked(kernels, every: step)
    #expect(result.passed, "\(result.value) \(result.velocity)")
    #expect(result.tracks == scene.tracks && result.comparisons == scene.values * scene.frames / step)
    #expect(result.value.share > 0.01 && result.velocity.share > 0.01, "nothing was compared")
    if scene.name == "networks" { #expect(result.value.bound < 1e-3) }
  }

  @Test(arguments: cases, [1.0, -1]) func aReferenceThatIsWrongFails(_ scene: Case, _ sign: Double) throws {
    #expect(try !scene.playable().checked(perturbation: sign * scene.perturbation).passed)
  }

  /// Other starts, speeds, offsets and gestures are noticed too.
  @Test(arguments: cases) func anotherSeedIsFound(_ scene: Case) throws {
    var other = try scene.playable()
    other.setSeed(7)
    #expect(try other.isFoundWrong(at: scene.time, against: scene.playable()))
  }

  /// (`ScenePlayerTests` plays springs to the bit.)
  @Test(arguments: cases.dropFirst()) func whatAFrameShowsDoesNotDependOnTheFrameRate(_ scene: Case) throws {
    let playable = try scene.playable()
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
