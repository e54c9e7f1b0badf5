// SPDX-License-Identifier: MIT
@testable import Formats
import SceneReference
import TestSupport
import Testing

@testable import Murmuration
@testable import Scenes

/// Groups of particles: a field, a pointer, bursts.
struct ParticleSceneTests {
  /// 1000 tracks: a field of 750, and bursts of 100 that share a spring and 150 that have one each.
  static func scene(framesPerSecond: Double = 60, dimensions: Int = 2, seed: UInt64 = 3) throws -> Scene {
    let origin = Array([10.0, -20, 5, 0].prefix(dimensions))
    let particles = Particles(
      pointer: Pointer(
        radius: 12, pull: 0.6, twist: 0.2, reach: 40, pace: 0.4, movesPerSecond: 50,
        spring: try SpringDescription(duration: 0.2, bounce: 0.1)),
      bursts: [
        ParticleBurst(at: 0.3, share: 0.1, from: origin, speed: 10...300, target: Layout(.cloud, size: [80])),
        ParticleBurst(
          at: 0.555, share: 0.15, from: origin, speed: 50...50, target: Layout(.box, size: [60]),
          springs: .drawn(SpringRanges(duration: 0.2...0.5, bounce: -0.3...0.4))),
      ])
    let group = SpringGroup(
      springs: .shared(try SpringDescription(duration: 0.3, bounce: 0.2)), start: Layout(.disc, size: [100]),
      course: .particles(particles))
    return Scene(
      name: "particles", dimensions: dimensions, framesPerSecond: framesPerSecond, duration: 3, seed: seed,
      groups: [SceneGroup(count: 1000, motion: .springs(group))])
  }

  private func check(
    _ scene: Scene, played: Scene? = nil, kernels: KernelSet? = nil, perturbation: Double = 0
  ) throws -> SceneCheck {
    try PlayableScene(played ?? scene).checked(
      kernels, against: PlayableScene(scene), perturbation: perturbation)
  }

  // MARK: - Against the model

  @Test(arguments: KernelSet.available, [2, 3, 4])
  func framesAreWithinTheBoundOfTheModel(_ kernels: KernelSet, _ dimensions: Int) throws {
    let framesPerSecond = Effort.draws(quick: 10, soak: 20)
    let result = try check(
      Self.scene(framesPerSecond: Double(framesPerSecond), dimensions: dimensions), kernels: kernels)
    #expect(result.passed, "\(result.value) \(result.velocity) \(result.rest)")
    #expect(result.tracks == 1000 && result.comparisons > 750 * dimensions * 3 * framesPerSecond)
    #expect(result.value.share > 0.01 && result.velocity.share > 0.01, "nothing was compared")
    #expect(result.rest.share > 0.3, "nothing came to rest")
  }

  @Test func aBirthThatIsMissedOrEarlyIsFound() throws {
    let expected = try Self.scene(framesPerSecond: 20)
    for (shift, reason) in [(0.2, "which is absent"), (-0.2, "which is not born yet")] {
      var played = expected
      guard case .springs(var group) = played.groups[0].motion, case .particles(var particles) = group.course else {
        return #expect(Bool(false), "no particles")
      }
      particles.bursts[1].time += shift
      group.course = .particles(particles)
      played.groups[0].motion = .springs(group)
      let result = try check(expected, played: played)
      #expect(!result.passed && (result.value.share == .infinity || result.rest.share > 1), "\(reason)")
    }
  }

  // MARK: - Life and death

  /// (Births and deaths in time are checked against the model.)
  @Test func birthsAndDeathsAreCounted() throws {
    var player = try ScenePlayer(PlayableScene(Self.scene()))
    try player.advance(to: 0.3)
    #expect(
      try player.column()[750..<850].allSatisfy { $0 == 10 } && player.column(1)[750..<850].allSatisfy { $0 == -20 })
    try player.advance(to: 3)
    let velocities = try player.velocities()
    #expect(velocities[..<750].allSatisfy(\.isFinite) && velocities[750...].allSatisfy(\.isNaN))
    let clock = player.kernelClock
    #expect(clock.births == 250 && clock.deaths == 250 && clock.rests >= 1000 && clock.completions >= clock.rests)
    #expect(clock.awake > 0 && clock.awake < clock.evaluations)
  }

  @Test func framesHoldNaNForTracksThatAreAbsent() throws {
    let playable = try PlayableScene(Self.scene())
    let folder = try TemporaryFolder()
    let player = try ScenePlayer(playable)
    var writer = try CSVWriter(folder.path("out.csv"), shape: playable.shape, components: playable.scene.components)
    try player.write(to: &writer)
    try writer.finish()
    let bytes = try FileBytes.read(folder.path("out.csv"), limit: 1 << 24)
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    #expect(
      lines[1].split(separator: ",").suffix(501).map { $0 == "nan" } == [false] + Array(repeating: true, count: 500))
  }

  // MARK: - The pointer

  @Test func onlyTracksThatAreNearFollowAndTheyGoHome() throws {
    // The pointer's path has no reach, so the pointer stands still at the origin.
    let pointer = Pointer(radius: 10, pull: 0.5, twist: 0.25, reach: 0)
    let group = SpringGroup(
      springs: .shared(try SpringDescription(duration: 0.2)),
      start: Layout(values: [[6, 0], [0, 8], [10, 0], [30, 4]]),
      course: .particles(Particles(pointer: pointer)))
    let scene = Scene(
      name: "", dimensions: 2, duration: 3, groups: [SceneGroup(count: 4, motion: .springs(group))])
    var player = try ScenePlayer(PlayableScene(scene))
    try player.advance(to: 3)
    let (xs, ys) = (try player.column(), try player.column(1))
    // Half of the way and a quarter turn, times 1 − 0.36 and 1 − 0.64.
    #expect(abs(xs[0] - 6 * 0.36) < 1e-4 && abs(ys[0] - 3 * 0.64) < 1e-4)
    #expect(
      abs(xs[1] - -4 * 0.36) < 1e-4 && abs(ys[1] - 8 * 0.64) < 1e-4 && xs[2...] == [10, 30] && ys[2...] == [0, 4])
    #expect(player.kernelClock.retargets == 2 * 181)
  }

  @Test(arguments: [0.001, 3.0, 17, 400])
  func theGridFindsWhatIsNear(_ radius: Double) {
    var random = SceneRandom(seed: 8, purpose: .start, group: 0)
    let count = 500
    let homes = (0..<(2 * count)).map { _ in Float(random.number(in: -100...100)) }
    let grid = HomeGrid(homes: homes, count: count, radius: radius)
    for _ in 0..<50 {
      let (x, y) = (random.number(in: -150...150), random.number(in: -150...150))
      var found: [Int] = []
      grid.forEachTrack(within: radius, of: x, y) { found.append($0) }
      let expected = (0..<count).filter { track in
        let (dx, dy) = (Double(homes[track]) - x, Double(homes[count + track]) - y)
        return dx * dx + dy * dy < radius * radius
      }
      #expect(found.sorted() == expected)
    }
  }

  /// A quarter of the smallest radii rounds to 0, and the places are equal, but cells need a width.
  @Test func theGridTakesAnyPlacesAndRadii() {
    let equal: [[Float]] = [[0, 0], [5, 5, 5, 5, 5, 5], [7, 7, 3, 3]]
    for homes in equal + [[1e14, -1e14, 1e14, -1e14], [0, 1e-30, 0, 1e-30]] {
      let least = Double.leastNonzeroMagnitude
      for radius in [least, 2 * least, 4 * least, 1e-300, 1, 1e14] {
        let grid = HomeGrid(homes: homes, count: homes.count / 2, radius: radius)
        var found = 0
        for x in [0, 3, 7, 1e14, -1e300, 1e300] {
          for y in [0.0, 3] { grid.forEachTrack(within: radius, of: x, y) { _ in found += 1 } }
        }
        // Where the square of the radius is 0, nothing is nearer.
        #expect(found <= (radius < 1e-200 ? 0 : 12 * homes.count))
      }
    }
  }

  @Test func aSceneWithFewerTracksHasSmallerBursts() throws {
    var playable = try PlayableScene(Self.scene())
    try playable.setTracks(20)
    var player = try ScenePlayer(playable)
    try player.advance(to: 0.6)
    #expect(player.kernelClock.births == 2 + 3)
    #expect(
      fileError { try playable.setTracks(2) }?.description
        == "--tracks 2: groups[0].count: is 2, and the bursts take 2 of that; a track must be left")
  }
}
