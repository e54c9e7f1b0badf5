// SPDX-License-Identifier: MIT
import Formats
import ModalMotion
import Murmuration
import Rigs
import SceneReference
import Testing

@testable import Scenes

struct NetworkSceneTests {
  /// Two cloths and a half, beside springs.
  static let small = """
    {
      "murmuration": 1, "dimensions": 3, "duration": 3, "framesPerSecond": 20, "seed": 4,
      "groups": [
        {"name": "cloths", "count": 160,
          "network": {
            "form": "cloth", "columns": 8, "rows": 8, "size": 7, "mass": 0.5, "stiffness": 90, "shear": 30,
            "anchors": "corners", "modes": 40, "damping": {"mass": 0.4, "stiffness": 0.03}
          },
          "start": {"shape": "line", "size": 40},
          "gestures": {"every": 1, "hold": 0.4, "reach": 2}},
        {"count": 20, "springs": {"bounce": 0.3}, "wander": {"every": 0.5, "reach": 2, "around": {"shape": "cloud"}}}
      ]
    }
    """

  private func playable(_ text: String = small) throws -> PlayableScene { try PlayableScene(text: text) }

  @Test(.enabled(if: BLAS.configuration != nil), arguments: KernelSet.available)
  func framesAreWithinTheBoundOfTheModel(_ kernels: KernelSet) throws {
    let result = try playable().checked(kernels)
    #expect(result.passed, "\(result.value) \(result.velocity)")
    #expect(result.tracks == 180 && result.comparisons == 60 * (160 + 3 * 20))
    #expect(result.value.share > 0.01 && result.velocity.share > 0.01, "nothing was compared")
    #expect(result.value.bound < 1e-3)
  }

  @Test(.enabled(if: BLAS.configuration != nil)) func aReferenceThatIsWrongFails() throws {
    var alone = try playable()
    alone = try PlayableScene(
      Scene(name: "", dimensions: 3, framesPerSecond: 20, duration: 3, seed: 4, groups: [alone.scene.groups[0]]))
    #expect(try alone.checked().passed)
    #expect(try !alone.checked(perturbation: 1e-4).passed)
    // Other gestures are noticed too.
    var other = alone
    other.setSeed(5)
    #expect(try other.isFoundWrong(at: 2, against: alone))
  }

  @Test(.enabled(if: BLAS.configuration != nil)) func pointsStandAndMove() throws {
    var player = try ScenePlayer(playable())
    #expect(player.networkTracks == 160 && player.springTracks == 20)
    #expect(try player.column(2).allSatisfy { $0 == 0 })
    // The first cloth's first row, from left to right; the middle of the second cloth is the origin.
    #expect(try player.column(0)[..<8].map { $0 + 20 } == [-3.5, -2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 3.5])
    #expect(try player.column(1)[0] == 3.5 && player.column(1)[63] == -3.5)
    #expect(try player.column(0)[64...127].reduce(0, +) == 0)
    try player.advance(to: 2)
    let moved = try player.column(2)
    #expect(moved.count == 160 && moved.contains { abs($0) > 0.1 } && moved.allSatisfy { abs($0) < 10 })
    // Corners are fixed.
    #expect([0, 7, 56, 63, 64, 128].allSatisfy { moved[$0] == 0 })
    #expect(player.networkClock.gestures > 3)
    var one = try playable()
    try one.setTracks(2)
    #expect(try ScenePlayer(one).networkTracks == 1)
  }

  @Test func aNetworkNeedsOpenBLAS() {
    let error = fileError { _ = try ScenePlayer(try playable()) }
    if BLAS.configuration != nil {
      #expect(error == nil)
    } else {
      #expect(error?.place == "groups[0].network" && error?.reason.contains("OpenBLAS") == true)
    }
    #if !OpenBLAS
      #expect(error?.reason.contains("trait OpenBLAS") == true)
    #endif
  }

  @Test(arguments: [
    ("\"dimensions\": 3", "\"dimensions\": 2", "groups[0].network: goes with 1 dimension"),
    ("\"cloth\", \"col", "\"net\", \"col", "groups[0].network.form: unknown form \"net\""),
    ("\"columns\": 8", "\"columns\": 1", "groups[0].network.columns: must be a whole number from 2"),
    ("\"rows\": 8, ", "", "groups[0].network.rows: is missing"),
    ("\"rows\": 8", "\"rows\": 60000", "groups[0].network: a network has 1 to 65536 points"),
    ("\"rows\": 8", "\"rows\": 500", "groups[0].network: 3996 points that move are more than 2048"),
    ("\"modes\": 40", "\"modes\": 61", "groups[0].network: 61 modes were asked for; there are 1 to 60"),
    ("\"mass\": 0.5", "\"mass\": 0", "groups[0].network.mass: must be in [1e-12, 1e12], is 0"),
    ("\"stiffness\": 90", "\"stiffness\": -1", "groups[0].network.stiffness: must be in [0, 1e15], is -1"),
    ("\"form\": \"cloth\"", "\"form\": \"grid\"", "groups[0].network.shear: is for a cloth, this is a grid"),
    ("\"form\": \"cloth\"", "\"form\": \"chain\"", "groups[0].network.rows: does not go with a chain"),
    ("\"corners\"", "\"none\"", "groups[0].gestures: need a network that is anchored"),
    ("\"corners\"", "\"walls\"", "groups[0].network.anchors: unknown anchors \"walls\""),
    ("{\"mass\": 0.4", "{\"ratio\": 1, \"mass\": 0.4", "groups[0].network.damping.mass: does not go with ratio"),
    ("\"mass\": 0.4", "\"mass\": -1", "groups[0].network.damping.mass: must be in [0, 1e12], is -1"),
    ("\"hold\": 0.4", "\"hold\": 1", "groups[0].gestures.hold: must be less than every, 1, is 1"),
    ("\"start\"", "\"events\": [], \"start\"", "groups[0].events: does not go with network"),
    ("\"network\"", "\"spring\": \"smooth\", \"network\"", "groups[0]: must have one of the keys"),
  ])
  func mistakesAreNamed(_ old: String, _ new: String, _ expected: String) {
    expectMistake(old, new, in: Self.small, expected)
  }
}
