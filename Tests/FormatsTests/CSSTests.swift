// SPDX-License-Identifier: MIT
import AnimationModel
import Foundation
import Murmuration
import TestSupport
import Testing

@testable import Formats

struct CSSTests {
  private static func bezier(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> UnitCurve {
    .bezier(startControlPoint: UnitPoint(x: x1, y: y1), endControlPoint: UnitPoint(x: x2, y: y2))
  }

  // MARK: - Reading

  @Test(arguments: [
    ("linear", UnitCurve.linear), (" EASE-IN ", .easeIn), ("step-start", .steps(1, position: .jumpStart)),
    ("steps(4)", .steps(4)), ("steps( 3 , jump-none )", .steps(3, position: .jumpNone)),
    ("steps(2,start)", .steps(2, position: .jumpStart)),
    ("cubic-bezier(.25,-1e-1, 0.25, +1.5)", bezier(0.25, -0.1, 0.25, 1.5)),
    (
      "linear(0, 25% 0.5, 1.25 50% 75%, 1)",
      .linear(points: [
        .init(output: 0), .init(input: 0.25, output: 0.5), .init(input: 0.5, output: 1.25),
        .init(input: 0.75, output: 1.25), .init(output: 1),
      ])
    ),
  ])
  func easingFunctionsAreRead(_ text: String, _ curve: UnitCurve) throws {
    #expect(try UnitCurve(css: text) == curve)
  }

  @Test(arguments: [
    ("400ms", 0.4, 0.0), ("0.25s linear 100ms", 0.25, 0.1), ("steps(3, start) 2s", 2, 0), ("0s 1s ease-out", 0, 1),
  ])
  func transitionsAreRead(_ text: String, _ duration: Double, _ delay: Double) throws {
    let animation = try Animation(css: text)
    let curves = [
      "0.25s linear 100ms": UnitCurve.linear, "steps(3, start) 2s": .steps(3, position: .jumpStart),
      "0s 1s ease-out": .easeOut,
    ]
    let curve = Animation.timingCurve(curves[text] ?? Self.bezier(0.25, 0.1, 0.25, 1), duration: duration)
    #expect(animation == (delay > 0 ? curve.delay(delay) : curve))
  }

  @Test(arguments: ["", "ease", "1s 2s 3s", "-1s", "1s -1s", "1", "1px", "1s ease ease-in", "opacity 1s", "1s,"])
  func otherTransitionsAreRefused(_ text: String) {
    #expect(throws: FileError.self) { try Animation(css: text) }
  }

  // MARK: - Writing

  @Test(arguments: [
    UnitCurve.linear, .easeInOut, .steps(5, position: .jumpBoth),
    bezier(0.1, -2, 0.3, 1e-7),
    .linear(points: [
      .init(input: 0.1, output: 0), .init(input: 1.0 / 3, output: 0.7), .init(input: 1.0 / 3, output: 0.2),
      .init(input: 0.9, output: 1),
    ]),
    .linear(points: [.init(output: 3)]),
  ])
  func curvesAreWrittenAsTheyAre(_ curve: UnitCurve) throws {
    let read = try UnitCurve(css: curve.css)
    for step in -4...40 {
      #expect(read.value(at: Double(step) / 32) == curve.value(at: Double(step) / 32), "\(curve.css)")
    }
  }

  @Test(arguments: NamedEase.all + [NamedEase(.quad, .in).inverse, NamedEase(.expo, .inOut).inverse])
  func curvesThatCSSLacksBecomePolylines(_ ease: NamedEase) throws {
    let curve = UnitCurve(.named(ease))
    // An animation along the curve too.
    for easing in [curve.css, try CSSLinear(curve).css, try CSSLinear(.timingCurve(curve, duration: 3)).css] {
      let read = try UnitCurve(css: easing)
      #expect(read.value(at: 0) == 0 && read.value(at: 1) == 1, "\(easing)")
      let errors = (0...4096).map { abs(read.value(at: Double($0) / 4096) - curve.value(at: Double($0) / 4096)) }
      #expect(errors.allSatisfy { $0 <= 0.001 }, "\(easing)")
    }
    // A larger jump is not within a tolerance.
    let jump = max(abs(ease.limit(at: 0)), abs(1 - ease.limit(at: 1)))
    #expect((jump > 0.0002) == ((try? CSSLinear(curve, tolerance: 0.0002)) == nil))
  }

  @Test func easesOfOneCubicAreWrittenAsBezierCurves() throws {
    #expect(UnitCurve.easeInCubic.css == "cubic-bezier(0.3333333333333333, 0, 0.6666666666666666, 0)")
    for curve in [UnitCurve.easeInQuad, .easeOutQuad, .easeInCubic, .easeOutCubic, .easeInBack, .easeOutBack] {
      #expect(curve.css.hasPrefix("cubic-bezier("))
      let read = try UnitCurve(css: curve.css)
      for step in 0...1000 {
        let progress = Double(step) / 1000
        #expect(abs(read.value(at: progress) - curve.value(at: progress)) <= 1e-14, "\(curve.css) at \(progress)")
      }
    }
    #expect(UnitCurve.easeInOutCubic.css.hasPrefix("linear("))
  }

  /// The numbers of points, and the error at many moments.
  @Test(arguments: [
    (Spring.smooth, 0.01), (.smooth, 0.001), (.bouncy, 0.01), (.bouncy, 0.001), (.bouncy, 1e-4),
    (Spring(duration: 0.5, bounce: 0.8), 0.002), (Spring(duration: 2, bounce: -0.5), 0.005),
  ])
  func aSpringIsWithinTheToleranceOfItsPolyline(_ spring: Spring, _ tolerance: Double) throws {
    let easing = try CSSLinear(spring, tolerance: tolerance)
    let read = try UnitCurve(css: easing.css)
    #expect(easing.measuredError <= tolerance && read.value(at: 0) == 0 && read.value(at: 1) == 1)
    for step in 0...20_000 {
      let progress = Double(step) / 20_000
      let exact = spring.value(target: 1.0, time: progress * easing.duration)
      #expect(abs(read.value(at: progress) - exact) <= tolerance * (1 + 1e-9))
    }
  }

  /// On x² a line stays within ±t for √8t, and one that begins or ends on the curve for (1 + √2)√t.
  @Test(arguments: [(0.01, 4), (0.001, 12), (1e-4, 36)]) func aParabolaHasTheKnownNumberOfLines(
    _ tolerance: Double, _ lines: Int
  ) throws {
    let root = tolerance.squareRoot()
    let (ends, between) = ((1 + 2.0.squareRoot()) * root, 8.0.squareRoot() * root)
    let least = ((1 - 2 * ends) / between).rounded(.up)
    #expect(2 + Int(least) == lines)
    let curve = Self.bezier(1.0 / 3, 0, 2.0 / 3, 1.0 / 3)
    #expect(try CSSLinear(curve, tolerance: tolerance).points.count == lines + 1)
  }

  @Test func whatHasNoPolylineIsRefused() {
    #expect(throws: FileError.self) { try CSSLinear(.steps(4)) }
    #expect(throws: FileError.self) { try CSSLinear(UnitCurve.linear, tolerance: 0) }
    #expect(throws: FileError.self) { try CSSLinear(UnitCurve.linear, tolerance: .nan) }
    #expect(throws: FileError.self) { try CSSLinear(Spring(mass: 1, stiffness: 1, damping: 0)) }
    #expect(throws: FileError.self) { try CSSLinear(Animation.linear.repeatForever()) }
  }

  @Test func anAnimationIsFollowedToItsEnd() throws {
    let animation = Animation.easeIn(duration: 0.5).delay(0.25)
    let easing = try CSSLinear(animation, tolerance: 0.002)
    #expect(easing.duration == 0.75)
    for step in 0...100 {
      var context = AnimationContext<Double>()
      let time = Double(step) / 100 * easing.duration
      let exact = animation.animate(value: 1.0, time: time, context: &context) ?? 1
      #expect(abs(easing.curve.value(at: time / 0.75) - exact) <= 0.002)
    }
  }

  // MARK: - Keyframes

  /// The keyframes of one property, which play as CSS says.
  private struct Rule {
    private var stops: [(percent: Double, value: Double, easing: UnitCurve)] = []

    init(_ css: String, _ name: String) throws {
      let lines = css.split(separator: "\n")
      let start = try #require(lines.firstIndex { $0.hasPrefix("@keyframes \(name) ") })
      let stop = /[ ]{2}([^%]+)% \{ [^:]+: ([-+0-9.e]+)[a-z%]*;(?: animation-timing-function: (.+);)? \}/
      for line in lines[(start + 1)...] {
        guard let match = line.prefixMatch(of: stop) else { break }
        // The animation's own is linear.
        let easing = try match.3.map { try UnitCurve(css: String($0)) } ?? .linear
        stops.append((try #require(Double(match.1)), try #require(Double(match.2)), easing))
      }
      #expect(stops.first?.percent == 0 && stops.last?.percent == 100)
      #expect(zip(stops, stops.dropFirst()).allSatisfy { $0.percent < $1.percent })
    }

    var count: Int { stops.count }

    func value(at percent: Double) -> Double {
      let next = stops.firstIndex { $0.percent > percent } ?? stops.count
      guard next < stops.count else { return stops[stops.count - 1].value }
      let (from, to) = (stops[next - 1], stops[next])
      let progress = from.easing.value(at: (percent - from.percent) / (to.percent - from.percent))
      return from.value + (to.value - from.value) * progress
    }
  }

  @Test func keyframesAreTheSameCubics() throws {
    let clip = try Clip(
      dimensions: 2, initialValues: [0, 5],
      tracks: [
        PieceTrack(
          components: [0], times: [0, 0.5, 1, 1.5, 2],
          pieces: [[SIMD4(0, 2, 0, 0), SIMD4(1, 2, -4, 0), SIMD4(1, -2, 6, 1), SIMD4(7, 0, 0, 0)]],
          boundariesBelongToLater: true)
      ])
    let css = try CSSKeyframes(
      clip, name: "bob", properties: [.init("--lift", unit: "px", dimension: 0), .init("opacity", dimension: 1)]
    ).css
    #expect(css.contains("@property --lift { syntax: \"<length>\"; inherits: true; initial-value: 0px; }"))
    #expect(css.hasSuffix(".bob { animation: bob-lift 2s linear both, bob-opacity 2s linear both; }\n"))
    let (lift, opacity) = (try Rule(css, "bob-lift"), try Rule(css, "bob-opacity"))
    for step in 0...1000 {
      let time = Double(step) / 500
      // The jump at 1.5 s takes the ten thousandth of a percent before it.
      let exact = clip.value(dimension: 0, at: time)
      let shown = lift.value(at: time * 50)
      #expect(abs(shown - exact) <= 1e-5, "\(time): \(shown), \(exact)")
      #expect(opacity.value(at: time * 50) == 5)
    }
  }

  /// A folder's file that takes these frames of two tracks with two components, and its text.
  private func baked(
    _ values: [Float], times: [Double], hasVelocities: Bool = false, tolerance: Double = 0.01
  ) throws -> String {
    let folder = try TemporaryFolder()
    let shape = FrameShape(frames: times.count, tracks: 2, dimensions: hasVelocities ? 4 : 2)
    var writer = try CSSFrameWriter(
      folder.path("a.css"), shape: shape, components: ["x", "turn (°)"], hasVelocities: hasVelocities, times: times,
      tolerance: tolerance)
    writer.write(values)
    try writer.finish()
    return try folder.text("a.css")
  }

  private static let names = ["x", "turn____"]

  /// A spring and a parabola, and a component of which one track stays where it is.
  private func motion(_ track: Int, _ component: Int, _ time: Double) -> (value: Double, velocity: Double) {
    switch (track, component) {
    case (0, 0):
      (200 * Spring.bouncy.value(target: 1.0, time: time), 200 * Spring.bouncy.velocity(target: 1.0, time: time))
    case (1, 0): (30 - 90 * time * time, -180 * time)
    case (0, 1): (0.125, 0)
    default: (1e-3 * time, 1e-3)
    }
  }

  /// Between the frames the lines stay as near to the straight ways as at them, and there are no more than are needed.
  @Test(arguments: [0.05, 0.01, 1e-3, 1e-5]) func bakedLinesStayWithinTheToleranceOfTheFrames(_ tolerance: Double)
    throws
  {
    let times = (0..<91).map { Double($0) / 60 }
    let values = times.flatMap { time in
      (0..<2).flatMap { track in (0..<2).map { Float(motion(track, $0, time).value) } }
    }
    let css = try baked(values, times: times, tolerance: tolerance)
    #expect(css.hasPrefix("/* 2 tracks, 1.5 s: lines, --x within "))
    #expect(css.contains("@property --x { syntax: \"<number>\"; inherits: true; initial-value: "))
    #expect(css.contains(".track-1 { animation: track-1-x 1.5s linear both, track-1-turn____ 1.5s linear both; }\n"))
    for track in 0..<2 {
      for component in 0..<2 {
        let frames = times.indices.map { Double(values[($0 * 2 + track) * 2 + component]) }
        let all = stride(from: component, to: values.count, by: 2).map { Double(values[$0]) }
        let bound = tolerance * ((all.max() ?? 0) - (all.min() ?? 0))
        let rule = try Rule(css, "track-\(track)-\(Self.names[component])")
        for step in 0...900 {
          let (frame, share) = (min(step / 10, 89), Double(step - min(step / 10, 89) * 10) / 10)
          let exact = frames[frame] + (frames[frame + 1] - frames[frame]) * share
          let shown = rule.value(at: Double(step) / 9)
          // Ends are the Floats in their fewest digits.
          #expect(abs(shown - exact) <= bound + abs(exact) * 0x1p-24, "\(track), \(component), \(step)")
        }
      }
    }
    // One line is enough where the motion is one, and no more than the frames are ever needed.
    #expect(try Rule(css, "track-0-turn____").count == 2 && Rule(css, "track-1-turn____").count == 2)
    #expect(try Rule(css, "track-0-x").count < (tolerance > 0.005 ? 24 : 92))
  }

  @Test func bakedVelocitiesMakeCubicsThatMeetTheMotion() throws {
    let times = (0..<31).map { Double($0) / 20 }
    let values = times.flatMap { time in
      (0..<2).flatMap { track in
        let pair = (0..<2).map { motion(track, $0, time) }
        return pair.map { Float($0.value) } + pair.map { Float($0.velocity) }
      }
    }
    let css = try baked(values, times: times, hasVelocities: true)
    for track in 0..<2 {
      for component in 0..<2 {
        let rule = try Rule(css, "track-\(track)-\(Self.names[component])")
        for step in 0...300 {
          let exact = motion(track, component, Double(step) / 200).value
          let shown = rule.value(at: Double(step) / 3)
          #expect(abs(shown - exact) <= 0.1, "\(track), \(component), \(step)")
          if step % 10 == 0 { #expect(abs(shown - exact) <= 2e-5) }
        }
      }
    }
  }

  @Test func framesThatCSSLacksAreRefused() throws {
    #expect(throws: FileError.self) { try baked([1, 2, 3, 4], times: [0]) }
    #expect(throws: FileError.self) { try baked([1, 2, 3, 4, 5, 6, 7], times: [0, 1]) }
    #expect(throws: FileError.self) { try baked([1, 2, 3, 4, 5, 6, 7, 8], times: [0, 1], tolerance: 0) }
    let error = #expect(throws: FileError.self) { try baked([1, 2, 3, 4, 5, 6, .nan, 8], times: [0, 1]) }
    #expect(error?.reason.hasPrefix("track 1 has no value in frame 1") == true)
    let unborn = #expect(throws: FileError.self) { try baked([.nan, .nan, 3, 4, .nan, .nan, 7, 8], times: [0, 1]) }
    #expect(unborn?.reason.hasPrefix("track 0 has no value in frame 0") == true)
  }

  /// As the animations of a glTF file have, of which each moves other nodes. They were refused.
  @Test(arguments: [false, true]) func componentsThatATrackLacksAreLeftOut(_ hasVelocities: Bool) throws {
    let slopes: [Float] = hasVelocities ? [1, .nan] : []
    let others: [Float] = hasVelocities ? [.nan, 1] : []
    let frames: [[Float]] = [[1, .nan], slopes, [.nan, 6], others, [2, .nan], slopes, [.nan, 7], others]
    let css = try baked(frames.flatMap(\.self), times: [0, 1], hasVelocities: hasVelocities)
    #expect(css.contains("\n.track-0 { animation: track-0-x 1s linear both; }"))
    #expect(css.contains("\n.track-1 { animation: track-1-turn____ 1s linear both; }"))
    #expect(try Rule(css, "track-0-x").value(at: 50) == 1.5 && Rule(css, "track-1-turn____").value(at: 50) == 6.5)
    let some = try baked([1, .nan, 3, .nan, 2, .nan, 4, .nan], times: [0, 1])
    #expect(!some.contains("turn") && some.contains(".track-1 { animation: track-1-x 1s linear both; }"))
  }

  @Test func propertiesThatDifferInTheirHyphensHaveRulesOfTheirOwn() throws {
    let clip = try Clip(
      dimensions: 2, initialValues: [0, 5],
      tracks: [
        PieceTrack(components: [0], times: [0, 2], pieces: [[SIMD4(0, 2, 0, 0)]], boundariesBelongToLater: true)
      ])
    let css = try CSSKeyframes(
      clip, name: "pop", properties: [.init("scale", dimension: 0), .init("--scale", dimension: 1)]
    ).css
    let played = try #require(css.firstMatch(of: /animation: ([^ ]+) 2s linear both, ([^ ]+) 2s linear both;/))
    #expect(try Rule(css, String(played.1)).value(at: 50) == 2 && Rule(css, String(played.2)).value(at: 50) == 5)
  }

  @Test func badNamesAndUnitsAreRefused() throws {
    let clip = try Clip(.linear(duration: 1))
    for name in ["", "1a", "a b", "a{", "-", "é"] {
      #expect(throws: FileError.self) {
        try CSSKeyframes(clip, name: name, properties: [.init("opacity", dimension: 0)])
      }
      #expect(throws: FileError.self) { try CSSKeyframes(clip, name: "a", properties: [.init(name, dimension: 0)]) }
    }
    for property in [
      CSSKeyframes.Property("x", unit: "parsec", dimension: 0), .init("x", dimension: 1), .init("x", dimension: -1),
    ] {
      #expect(throws: FileError.self) { try CSSKeyframes(clip, name: "a", properties: [property]) }
    }
    #expect(throws: FileError.self) { try CSSKeyframes(clip, name: "a", properties: []) }
  }
}
