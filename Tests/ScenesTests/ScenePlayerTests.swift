// SPDX-License-Identifier: MIT
@testable import Formats
import TestSupport
import Testing

@testable import Murmuration
@testable import SceneReference
@testable import Scenes

struct ScenePlayerTests {
  @Test func aMotionBeyondAllBoundsIsAnErrorAndNoFrame() throws {
    // Each stiff spring multiplies the velocity, each soft one the distance, and all keyframes pass both on.
    let playable = try PlayableScene(text: sceneText("beyond"))
    let folder = try TemporaryFolder()
    let error = fileError {
      var player = try ScenePlayer(playable)
      var writer = try NPYWriter(folder.path("out.npy"), shape: playable.shape)
      for frame in 0..<playable.frameCount {
        try player.advance(toFrame: frame)
        try player.write(to: &writer)
      }
      try writer.finish()
    }
    #expect(error?.place == "groups[0].timelines", "\(error as Any)")
    #expect(error?.reason.contains("values must be within ±1e15") == true, "\(error as Any)")
    #expect(folder.names.isEmpty)
  }

  @Test func aRunLongerThanItsSceneIsHeldToTheSameLimits() throws {
    var playable = try PlayableScene(SceneFixture.scene())
    try playable.limit(frames: 10_000_000)
    try playable.setFramesPerSecond(0.001)
    #expect(fileError { try playable.checkLength() }?.reason.hasPrefix("makes 10000000000 s") == true)
    try playable.setFramesPerSecond(60)
    #expect(throws: Never.self) { try playable.checkLength() }
  }

  /// The groups of all motions that end with a spring, with the tolerances `rest` among their keys.
  private func scene(_ rest: String) -> String {
    let ways = #""start": {"shape": "point"}, "events": [{"at": 0, "target": {"shape": "line", "size": 100}}]"#
    let grab = #""grab": {"at": 0.1, "hold": 0.1, "drag": [40, 40], "release": {"spring": "smooth", "glide": 0.2}}"#
    let pointer = #""pointer": {"radius": 500, "reach": 10, "movesPerSecond": 0.1}"#
    return """
      {"murmuration": 1, "dimensions": 2, "duration": 5, "groups": [
        {"count": 20, "spring": "bouncy", \(rest)\(ways)}, {"count": 20, "springs": {}, \(rest)\(ways)},
        {"count": 20, "spring": "smooth", \(rest)"start": {"shape": "line", "size": 100}, \(pointer)},
        {"count": 20, \(rest)"phases": [{"target": [0, 0], "spring": "smooth"}, {"target": [40, -60], "spring": "smooth"}],
         "triggers": [{"at": 0}]},
        {"count": 20, \(rest)"timelines": [
          {"track": [{"type": "linear", "to": 90, "duration": 1}]}, {"track": [{"type": "linear", "to": 9, "duration": 1}]}],
         \(grab)}]}
      """
  }

  /// A larger tolerance ends motions sooner, and the reference agrees.
  @Test func theToleranceOfRestIsThatOfTheScene() throws {
    var resting: [[Int]] = []
    for rest in ["", #""restTolerance": 5, "restVelocity": 100, "#] {
      let playable = try PlayableScene(SceneSource.decode(Array(scene(rest).utf8)))
      #expect(try playable.checked().passed, "\(rest)")
      var player = try ScenePlayer(playable)
      var frames = [Int](repeating: 0, count: playable.scene.groups.count)
      for frame in 0..<playable.frameCount {
        try player.advance(toFrame: frame)
        for group in frames.indices { frames[group] += player.work(ofGroup: group).tracks.atRest }
      }
      #expect(player.work.tracks.atRest == 100)
      resting.append(frames)
    }
    for group in resting[0].indices { #expect(resting[1][group] > resting[0][group] + 50, "\(group): \(resting)") }
  }

  @Test(arguments: ["shapes", "burst", "murmuration"], [0, 0.4, 1.2, 1.9])
  func otherSpringsTakeOverWithValueAndVelocity(_ name: String, _ moment: Double) throws {
    var playable = try SceneSource.load(name)
    try playable.setTracks(200)
    var change = SpringChange()
    (change.durationFactor, change.bounce) = (1.5, 0.2)
    var before = try ScenePlayer(playable)
    try before.advance(to: moment)
    var other = try ScenePlayer(playable.changingSprings(change))
    try other.takeOver(from: before)
    try other.advance(to: moment)
    var same = try ScenePlayer(playable)
    try same.takeOver(from: before)
    for component in 0..<playable.scene.dimensions {
      #expect(try other.column(component) == before.column(component))
      if moment > 0 {
        #expect(try other.velocities(component) == before.velocities(component))
      }
    }
    // With the same springs the scene goes on as it was, later changes included; with others it moves otherwise.
    for later in [moment + 0.1, moment + 1] {
      try before.advance(to: later)
      try same.advance(to: later)
      try other.advance(to: later)
      for component in 0..<playable.scene.dimensions {
        let expected = try before.column(component)
        #expect(zip(try same.column(component), expected).allSatisfy { abs($0 - $1) < 0.01 })
        if moment > 0, later > moment + 0.5 { #expect(try other.column(component) != expected) }
      }
    }
  }

  @Test func aPlayerThatIsStoppedStaysShortOfTheFrame() throws {
    var player = try ScenePlayer(PlayableScene(SceneFixture.scene()))
    var questions = 0
    try player.advance(to: 1) {
      questions += 1
      return questions > 3
    }
    #expect(questions < 10)
    let evaluations = player.kernelClock.evaluations
    try player.advance(to: 1)
    #expect(player.kernelClock.evaluations > evaluations)
  }

  @Test func tracksFollowTheirChannelsInTurn() throws {
    let recording = try Recording(channels: 3, values: [0, 10, 20, 5, 15, 25, 5, 15, 25])
    let playable = try SceneFixture.following(recording, count: 5, dimensions: 2, scale: 2)
    var player = try ScenePlayer(playable)
    let columns = [try player.column(), try player.column(1)]
    // Track i starts at channels 2i and 2i + 1, counted round and round; values twice as large.
    #expect(columns[0] == [0, 40, 20, 0, 40] && columns[1] == [20, 0, 40, 20, 0])
    try player.advance(to: 30)
    let last = try player.column()
    #expect(last == [10, 50, 30, 10, 50])
  }

  @Test func wavesMoveTheTracksInParts() throws {
    let event = SceneEvent(at: 1, target: Layout(.point, center: [4]), waves: SceneEvent.Waves(count: 4, over: 2))
    let group = SpringGroup(
      springs: .shared(try SpringDescription(duration: 0)), start: Layout(.point), course: .events([event]))
    let scene = Scene(name: "", duration: 9, groups: [SceneGroup(count: 8, motion: .springs(group))])
    var player = try ScenePlayer(PlayableScene(scene))
    var moved: [Int] = []
    for time in [0.9, 1.4, 1.6, 2.1, 2.9, 3.5] {
      try player.advance(to: time)
      moved.append(try player.withValues(group: 0, component: 0) { column in column.indices.count { column[$0] == 4 } })
    }
    #expect(moved == [0, 2, 4, 6, 8, 8])
  }

  @Test func tracksAreCountedByWhatPlaysThem() throws {
    let timeline = TimelineDescription(
      initialValue: 1, track: TrackDescription(keyframes: [.linear(to: 3, duration: 1, timingCurve: .named(.linear))]))
    var scene = SceneFixture.scene(dimensions: 1)
    scene.groups.append(
      SceneGroup(count: 4, motion: .timelines(TimelineGroup(timelines: [timeline], stagger: StaggerDescription(3)))))
    var player = try ScenePlayer(PlayableScene(scene))
    #expect(player.springTracks == 111 && player.timelineTracks == 4)
    try player.advance(to: 1.5)
    let values = try player.column(group: 3)
    #expect(zip(values, [3, 2, 1, 1]).allSatisfy { abs($0 - $1) < 1e-6 })
    let velocities = try player.velocities(group: 3)
    #expect(zip(velocities, [0, 2, 0, 0]).allSatisfy { abs($0 - $1) < 1e-6 } && player.kernelClock.evaluations > 111)
  }

  @Test func numbersFromACommandLineAreChecked() throws {
    var playable = try PlayableScene(SceneFixture.scene())
    for tracks in [0, -5, 2, 1_000_000_000_000] {
      #expect(fileError { try playable.setTracks(tracks) }?.place == "--tracks")
    }
    for tracks in [3, 4, 111, 1000, 1001] {
      try playable.setTracks(tracks)
      #expect(playable.scene.trackCount == tracks)
    }
    try playable.limit(frames: 7)
    #expect(playable.shape == FrameShape(frames: 7, tracks: 1001, dimensions: 2))
  }

  @Test(arguments: [(1.0, 60.0, 60), (4.366_649_2, 60, 262), (0.1, 30, 3), (0.101, 30, 4), (0.0001, 0.01, 1)])
  func framesFillTheDuration(_ duration: Double, _ rate: Double, _ expected: Int) {
    #expect(Scene(name: "", framesPerSecond: rate, duration: duration, groups: []).frameCount == expected)
  }
}
