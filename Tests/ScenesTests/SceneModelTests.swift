// SPDX-License-Identifier: MIT
@testable import Formats
import ModalMotion
import Murmuration
import Rigs
import SceneReference
import Testing

@testable import Scenes

/// Scenes of each kind of motion: batches play `Tests/Fixtures/Scenes`, and scenes that tests make, as the model says.
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
    /// The scene, if it is not a file of this name.
    var made: (@Sendable () throws -> PlayableScene)?

    var testDescription: String { name }

    func playable() throws -> PlayableScene { try made?() ?? PlayableScene(text: sceneText(name)) }
  }

  static let cases =
    [
      Case(name: "animations", tracks: 100, values: 200, frames: 100, perturbation: 1e-3),
      Case(name: "timelines", tracks: 100, values: 200, frames: 150),
      Case(name: "releases", tracks: 100, values: 200, frames: 150),
      Case(name: "phases", tracks: 80, values: 160, frames: 120, step: 1),
    ] + (1...4).map(springs) + (BLAS.configuration != nil ? [networks] : [])

  private static func springs(_ dimensions: Int) -> Case {
    Case(name: "springs \(dimensions)", tracks: 111, values: 111 * dimensions, frames: 75, perturbation: 1e-5, step: 1)
    {
      try PlayableScene(SceneFixture.scene(dimensions: dimensions))
    }
  }

  /// Two cloths and a half, beside springs.
  private static let networks = Case(
    name: "networks", tracks: 180, values: 160 + 3 * 20, frames: 60, step: 1, time: 2)

  /// Particles and instances of glTF files too, whose own tests compare each frame with the model.
  static let all =
    cases + [
      Case(name: "particles", tracks: 1000, values: 2000, frames: 60) {
        try PlayableScene(ParticleSceneTests.scene(framesPerSecond: 20))
      },
      Case(name: "rigs", tracks: 40, values: 720, frames: 40) { try RigSceneTests.playable() },
    ]

  @Test(arguments: KernelSet.available, cases)
  func framesAreWithinTheBoundOfTheModel(_ kernels: KernelSet, _ scene: Case) throws {
    let step = kernels == .portable ? 1 : scene.step
    let result = try scene.playable().checked(kernels, every: step)
    #expect(result.passed, "\(result.value) \(result.velocity)")
    #expect(result.tracks == scene.tracks && result.comparisons == scene.values * scene.frames / step)
    #expect(result.value.share > 0.01 && result.velocity.share > 0.01, "nothing was compared")
    if scene.name == "networks" { #expect(result.value.bound < 1e-3) }
  }

  @Test(arguments: all, [1.0, -1]) func aReferenceThatIsWrongFails(_ scene: Case, _ sign: Double) throws {
    let result = try scene.playable().checked(perturbation: sign * scene.perturbation)
    #expect(!result.passed && result.value.place.hasPrefix("frame "))
  }

  /// Other starts, speeds, offsets and gestures are noticed too.
  @Test(arguments: all) func anotherSeedIsFound(_ scene: Case) throws {
    var other = try scene.playable()
    other.setSeed(7)
    #expect(try other.isFoundWrong(at: scene.time, against: scene.playable()))
  }

  /// Nor on the frames before it.
  @Test(arguments: all) func whatAFrameShowsDoesNotDependOnTheFrameRate(_ scene: Case) throws {
    var (slow, fast) = (try scene.playable(), try scene.playable())
    try slow.setFramesPerSecond(8)
    try fast.setFramesPerSecond(64)
    let few = try SceneFixture.bits(slow, frames: 0..<18)
    #expect(try few == SceneFixture.bits(fast, frames: stride(from: 0, to: 18 * 8, by: 8)))
    #expect(try few == SceneFixture.bits(fast, frames: 0..<(17 * 8 + 1)).enumerated().filter { $0.0 % 8 == 0 }.map(\.1))
    #expect(Set(few).count > 8, "the scene stands still")
  }

  @Test(arguments: all) func bakedFramesAreTheFrames(_ scene: Case) throws {
    let playable = try scene.playable()
    var baking = try ScenePlayer(playable)
    var playing = try ScenePlayer(playable)
    let (shape, groups) = (playable.shape, playable.scene.groups)
    let block = try baking.bake(0..<scene.frames, tracks: 0..<shape.tracks, velocities: true)
    for frame in 0..<scene.frames {
      try playing.advance(toFrame: frame)
      for component in 0..<shape.dimensions {
        let values = try groups.indices.flatMap { try playing.column(component, group: $0) }
        let velocities = try groups.indices.flatMap { try playing.velocities(component, group: $0) }
        for (shown, place) in [(values, component), (velocities, shape.dimensions + component)] {
          let isClose = shown.indices.allSatisfy { track in
            let baked = block.numbers[(frame * shape.tracks + track) * 2 * shape.dimensions + place]
            return shown[track].isNaN ? baked.isNaN : abs(baked - shown[track]) <= 1e-3 * max(1, abs(shown[track]))
          }
          #expect(isClose, "frame \(frame), component \(component)")
        }
      }
    }
  }
}
