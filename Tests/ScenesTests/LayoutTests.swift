// SPDX-License-Identifier: MIT
import Foundation
import Murmuration
import Testing
import Text

@testable import Formats
@testable import Scenes

struct LayoutTests {
  private let random = SceneRandom(seed: 3, purpose: .start, group: 0)

  @Test func sinesAreThoseOfTheLibraryToTheLastBits() {
    var random = random
    for _ in 0..<20_000 {
      let turns = random.number(in: -3...3)
      #expect(abs(Turns.sine(turns) - sin(turns * 2 * .pi)) < 4e-15)
      #expect(abs(Turns.cosine(turns) - cos(turns * 2 * .pi)) < 4e-15)
    }
    #expect([0, 0.25, 0.5, 0.75, 1, -0.25].map(Turns.sine) == [0, 1, 0, -1, 0, -1])
    #expect([0, 0.25, 0.5, 0.75, 1, -0.5].map(Turns.cosine) == [1, 0, -1, 0, 1, -1])
  }

  @Test(arguments: Shape.allCases, [1, 2, 3, 7, 100, 1001])
  func everyShapeStandsWithinItsSizeAboutItsCentre(_ shape: Shape, _ count: Int) {
    for dimensions in shape.dimensions...4 {
      let center = (0..<dimensions).map { Double(10 * $0) }
      let layout = Layout(shape, center: center, size: [4])
      let points = layout.points(count: count, dimensions: dimensions, random: random)
      #expect(points.count == count * dimensions)
      for component in 0..<dimensions {
        let column = points[(component * count)..<((component + 1) * count)]
        #expect(column.allSatisfy { abs(Double($0) - center[component]) <= 2.4 })
      }
    }
  }

  @Test(arguments: [Shape.disc, .heart, .star])
  func filledShapesAreFilledEvenly(_ shape: Shape) {
    let count = 20_000
    let points = Layout(shape).points(count: count, dimensions: 2, random: random)
    // Cells that lie inside the shape, near its middle, hold the same share each.
    var cells = [Int](repeating: 0, count: 16)
    for track in 0..<count {
      let (x, y) = (Double(points[track]) + 0.1, Double(points[count + track]) + 0.1)
      guard (0..<0.2).contains(x), (0..<0.2).contains(y) else { continue }
      cells[Int(x * 20) + 4 * Int(y * 20)] += 1
    }
    let mean = Double(cells.reduce(0, +)) / 16
    #expect(mean > 50)
    #expect(cells.allSatisfy { abs(Double($0) - mean) < 0.15 * mean }, "\(cells)")
  }

  @Test func aTurnOfAQuarterTurnsTheLine() {
    let points = Layout(.line, size: [2], turn: 0.25).points(count: 3, dimensions: 2, random: random)
    #expect(points == [0, 0, 0, -1, 0, 1])
  }

  @Test func aSizePerDimensionStretches() {
    let points = Layout(.circle, size: [2, 6]).points(count: 4, dimensions: 2, random: random)
    #expect(points.map(abs) == [1, 0, 1, 0, 0, 3, 0, 3])
  }

  @Test func shufflingKeepsThePlaces() {
    let layout = Layout(.line, size: [99], isShuffled: true)
    let points = layout.points(count: 100, dimensions: 1, random: random)
    #expect(points.sorted() == Layout(.line, size: [99]).points(count: 100, dimensions: 1, random: random))
    #expect(points != points.sorted() && points == layout.points(count: 100, dimensions: 1, random: random))
  }

  @Test func drawsFollowFromTheSeedAlone() {
    func draws(_ seed: UInt64, _ group: Int, _ event: Int = 0) -> [UInt64] {
      var random = SceneRandom(seed: seed, purpose: .springs, group: group, event: event)
      return (0..<4).map { _ in random.next() }
    }
    #expect(draws(1, 0) == draws(1, 0))
    let streams = [draws(1, 0), draws(2, 0), draws(1, 1), draws(1, 0, 1), draws(0, 0), draws(0, 1)]
    #expect(Set(streams).count == streams.count)
  }

}

/// Names as people write them, and the nearest name to a mistyped one.
struct KnownNamesTests {
  private let curves = KnownNames(["linear", "easeIn", "easeInOut", "jump-end"])

  @Test func capitalsHyphensAndUnderscoresDoNotMatter() {
    for text in ["easeInOut", "ease-in-out", "ease_in_out", "EaseInOut", "ease in out", "EASEINOUT"] {
      #expect(curves.meant(by: text) == "easeInOut")
    }
    #expect(curves.meant(by: "jumpEnd") == "jump-end")
    for text in ["", "ease", "easeInOu", "linear!"] { #expect(curves.meant(by: text) == nil) }
  }

  @Test func theNearestNameDiffersByAThirdOfItsLettersAtMost() {
    for (text, name) in [
      ("liner", "linear"), ("ease-inn", "easeIn"), ("easeInOtu", "easeInOut"), ("jump-ned", "jump-end"),
      ("laniar", "linear"),
    ] { #expect(curves.nearest(to: text) == name, "\(text)") }
    for text in ["", "x", "spline", "easy", String(repeating: "e", count: 1_000_000)] {
      #expect(curves.nearest(to: text) == nil, "\(text.prefix(9))")
    }
    #expect(KnownNames(["run", "bake"]).suggestion(for: "rnu") == "; did you mean “run”?")
    #expect(KnownNames(["x", "y"]).suggestion(for: "z").isEmpty && KnownNames([String]()).nearest(to: "a") == nil)
  }

  @Test func scenesAreFoundInTheSameWay() throws {
    #expect(try SceneSource.load("CameraTour").scene == SceneSource.load("camera-tour").scene)
  }
}

/// `plot` draws the phases that a batch plays.
struct PhaseMotionTests {
  private func group(_ phases: String, triggered: Bool) throws -> (PhaseGroup, PlayableScene) {
    let text = """
      {"murmuration": 1, "dimensions": 2, "duration": 9, "groups": [{"count": 1, "phases": [\(phases)]
        \(triggered ? ", \"triggers\": [{\"at\": 0}]" : "")}]}
      """
    let playable = try PlayableScene(text: text)
    guard case .phases(let group) = playable.scene.groups[0].motion else { throw FileError("no phases") }
    return (group, playable)
  }

  private static let mixed = """
    {"target": [1, 0], "spring": "smooth"}, {"target": [2, 0], "spring": {"duration": 0.25, "bounce": 0.5}},
    {"target": [2, 30]}, {"target": [-1, 30], "spring": {"duration": 0.5, "bounce": -0.5}},
    {"target": [-1, 30], "spring": "bouncy"}, {"target": [0, -5], "spring": "snappy"}
    """

  @Test(arguments: [
    (mixed, true), (mixed, false), ("{\"target\": [4, 5], \"spring\": \"smooth\"}", false),
    ("{\"target\": [0, 0]}, {\"target\": [1, 2]}", false), ("{\"target\": [0, 0]}, {\"target\": [1, 2]}", true),
    ("{\"target\": [1, 2], \"spring\": \"smooth\"}, {\"target\": [1, 2], \"spring\": \"smooth\"}", false),
    ("{\"target\": [0, 0]}, {\"target\": [9, -9], \"spring\": \"bouncy\"}", false),
    // The last step leads to the track's current target, and leaves it its spring.
    (
      """
      {"target": [4, 5], "spring": {"duration": 2}}, {"target": [0, 9], "spring": "smooth"},
      {"target": [4, 5], "spring": {"duration": 0.5, "bounce": 0.8}}
      """, true
    ),
  ])
  func itIsWhatABatchShows(_ phases: String, triggered: Bool) throws {
    let (group, playable) = try group(phases, triggered: triggered)
    let motion = PhaseMotion(group, until: 8)
    var player = try ScenePlayer(playable)
    // At rest the batch shows the target, which is nearer than 0.001. Before that, at most eight consecutive motions still
    // matter, with 8 · 2⁻²⁴ · S each; S is below 40. Velocities: times the largest ω₀.
    let rounding: Double = 8 * 8 * 40 * 0x1p-24
    let (bound, fastest) = (0.001 + rounding, 2 * Double.pi / 0.25)
    // Moments between frames: at a jump itself the batch is there already.
    for step in 0..<200 {
      let time = Double(step) / 25 + 0.0037
      try player.advance(to: time)
      for component in 0..<2 {
        let value = try player.withValues(group: 0, component: component) { Double($0[0]) }
        let velocity = try player.withVelocities(group: 0, component: component) { Double($0[0]) }
        #expect(abs(motion.value(component, at: time) - value) <= bound, "\(component) at \(time)")
        #expect(abs(motion.velocity(component, at: time) - velocity) <= bound * fastest, "\(component) at \(time)")
      }
    }
  }

  @Test func stepsFollowTheDurations() throws {
    let (triggered, _) = try group(Self.mixed, triggered: true)
    let motion = PhaseMotion(triggered, until: 100)
    #expect(motion.steps.map(\.phase) == [1, 2, 3, 4, 5, 0])
    #expect(motion.steps.map(\.start) == [0, 0.25, 0.25, 0.75, 0.75, 1.25])
    #expect(motion.cycle == 1.75 && motion.length > 1.75 && motion.length < 4)
    let (endless, _) = try group(Self.mixed, triggered: false)
    #expect(PhaseMotion(endless, until: 3.5).steps.map(\.start).last == 3.5)
    #expect(PhaseMotion(endless, until: 3.5).length == .infinity && PhaseMotion.stepCount(endless, until: 1e9) > 3e9)
  }

  @Test func aRoundWithoutDurationEnds() throws {
    let (jumps, _) = try group("{\"target\": [0, 0]}, {\"target\": [1, 2]}, {\"target\": [3, 3]}", triggered: false)
    let motion = PhaseMotion(jumps, until: 1e9)
    #expect(motion.steps.count == 3 && motion.cycle == 0 && motion.length == 0)
    #expect(motion.value(0, at: 5) == 0 && motion.velocity(0, at: 5) == 0)
  }
}
