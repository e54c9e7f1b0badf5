// SPDX-License-Identifier: MIT
@testable import Formats
import MurmurationReference
import Testing

@testable import Murmuration
@testable import SceneReference
@testable import Scenes

struct SceneCheckTests {
  @Test func manyRetargetsStayWithinTheBound() throws {
    var random = SceneRandom(seed: 2, purpose: .path, group: 0)
    let values = (0..<(500 * 8)).map { _ in Float(random.number(in: -1000...1000)) }
    let recording = try Recording(channels: 8, values: values)
    let result = try SceneFixture.following(recording, count: 40).checked()
    #expect(result.passed, "\(result.value) \(result.velocity)")
    // A bound that grew without end would pass anything. After 500 retargets it is still a fraction of a value.
    #expect(result.value.bound < 1)
  }

  @Test func ofManyTracksASampleIsCompared() throws {
    let result = try PlayableScene(SceneFixture.scene()).checked(sampleLimit: 30)
    #expect((27...33).contains(result.tracks) && result.passed)
  }

  @Test func errorsThatAreNoNumbersAreErrors() {
    for (errors, bound, share) in [
      ([0.5, .nan], 1, .infinity), ([0], 0, 0), ([0, 1e-30], 0, .infinity), ([.infinity], .infinity, 0),
      ([.infinity, .nan], .infinity, .infinity),
    ] as [([Double], Double, Double)] {
      var worst = SceneCheck.Worst()
      for (index, error) in errors.enumerated() { worst.add(error: error, bound: bound, place: "\(index)") }
      #expect(worst.share == share && (share == 0 || worst.place == "1"), "\(errors)")
    }
  }

  @Test func theBoundGrowsByOneErrorARetarget() {
    let spring = Spring(duration: 0.5, bounce: 0.2)
    let bar = 8 * 0x1p-24
    var track = SpringMotion(spring, values: [3], at: 0)
    // The track is at rest: only the rounding of the target is left.
    #expect(track.sample(0, at: 1).bound.value == Double(Float(3).ulp) / 2)
    track.retarget(to: [8], nil, at: 1)
    let first = track.sample(0, at: 1)
    #expect(first.bound.value == Double(Float(3).ulp) / 2 + bar * 5 + Double(Float(8).ulp) / 2)
    #expect(first.bound.velocity == (Double(Float(3).ulp) / 2 + bar * 5) * spring.naturalFrequency)
    // A spring of half the frequency sees an error of the velocity as twice as far.
    track.retarget(to: [8], Spring(duration: 1, bounce: 0), at: 1)
    #expect(
      abs(track.sample(0, at: 1).bound.value - (2 * first.bound.value + bar * 5 + Double(Float(8).ulp) / 2)) < 1e-12)
  }

  @Test func aValueBeyondThePowerOfTwoAboveItsTargetIsRoundedToWhatItIs() {
    var track = SpringMotion(Spring(duration: 0.5, bounce: 0.5), values: [250], at: 0)
    track.retarget(to: [255.5], nil, at: 0)
    let start: Double = Double(Float(250).ulp) / 2 + 8 * 0x1p-24 * 5.5
    let samples = (1..<40).map { track.sample(0, at: 0.025 * Double($0)) }
    #expect(samples.contains { $0.value > 256 } && samples.contains { $0.value < 256 })
    for sample in samples {
      #expect(sample.bound.value == start + (sample.value > 256 ? 0x1p-16 : 0x1p-17))
    }
  }

  @Test func tracksAtRestAreCheckedAgainstTheToleranceOfRest() throws {
    // Long enough to rest after each event; what follows starts from exactly the target then.
    let events = [1.0, 3, 5].map { SceneEvent(at: $0, target: Layout(.cloud, size: [20 * $0])) }
    let springs: [SpringChoice] = [
      .shared(try SpringDescription(duration: 0.3, bounce: 0.2)),
      .drawn(SpringRanges(duration: 0.2...0.4, bounce: -0.3...0.3)),
    ]
    let groups = springs.map { springs in
      SceneGroup(count: 50, motion: .springs(SpringGroup(springs: springs, course: .events(events))))
    }
    let result = try PlayableScene(Scene(name: "", dimensions: 2, duration: 6, groups: groups)).checked()
    #expect(result.passed, "\(result.value) \(result.velocity) \(result.rest)")
    #expect(result.rests > 10_000)
    #expect(result.rest.share > 0.5, "nothing was near the tolerance")
    // The motions from there on are as close to the model as the first one: their bound has no share of the tolerance.
    #expect(result.value.bound < 8 * 0x1p-24 * 400)
  }

  @Test func tracksThatAreSentToWhereTheyHeadGoOnAsTheyAre() throws {
    // In mid-motion another spring changes nothing, and at rest no track wakes.
    let target = Layout(.point, center: [50])
    let other = SpringChoice.shared(try SpringDescription(duration: 2, bounce: 0.5))
    let group = SpringGroup(
      springs: .shared(try SpringDescription(duration: 0.3, bounce: 0.2)),
      course: .events([0, 0.1, 4].map { SceneEvent(at: $0, target: target, springs: $0 == 0 ? nil : other) }))
    let playable = try PlayableScene(
      Scene(name: "", duration: 6, groups: [SceneGroup(count: 20, motion: .springs(group))]))
    let result = try playable.checked()
    #expect(result.passed, "\(result.value) \(result.velocity)")
    var player = try ScenePlayer(playable)
    try player.advance(to: 3.9)
    let awake = player.kernelClock.awake
    try player.advance(to: 6)
    #expect(player.kernelClock.awake == awake && player.kernelClock.rests == 20)
  }

  @Test func aTrackThatRestsTooEarlyIsFound() throws {
    var track = SpringMotion(Spring(duration: 0.5, bounce: 0.2), values: [0, 0], at: 0)
    track.retarget(to: [100, 50], nil, at: 1)
    let tolerance = try RestTolerances(value: 0.001)
    let early = track.rest(at: 1.5, tolerance)
    #expect(early.distance.value > early.limit.value && early.distance.velocity > early.limit.velocity)
    let late = track.rest(at: 3.5, tolerance)
    #expect(late.distance.value > 0 && late.distance.value < late.limit.value)
    #expect(late.distance.velocity < late.limit.velocity && late.limit.value < 0.0012)
    track = SpringMotion(track.spring, values: [track.target(0), track.target(1)], at: 3.5)
    #expect(track.sample(1, at: 3.5).value == 50 && track.sample(1, at: 4).velocity == 0)
    #expect(track.sample(0, at: 4).bound.value == Double(Float(100).ulp) / 2)
  }
}
