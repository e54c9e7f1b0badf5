// SPDX-License-Identifier: MIT
import AnimationModel
import Testing
import TestSupport

extension RecordedVectors {
  /// The vectors of one kind, of which there must be some.
  static func load(kind: String, atLeast count: Int) throws -> [RecordedVector] {
    let vectors = try load(kind: kind)
    #expect(vectors.count >= count, "\(kind)")
    return vectors
  }
}

/// The springs against recorded answers of SwiftUI and Core Animation.
struct SpringRecordedTests {
  /// A spring from the members of a JSON object, by whichever parameters it has.
  private func spring(_ json: JSONValue?) throws -> Spring {
    let json = try #require(json)
    func number(_ name: String) -> Double? { json[name]?.number }
    if let settling = number("settlingDuration"), let ratio = number("dampingRatio") {
      return Spring(settlingDuration: settling, dampingRatio: ratio, epsilon: number("epsilon") ?? 0.001)
    }
    if let mass = number("mass"), let stiffness = number("stiffness"), let damping = number("damping") {
      let overdamped = json.allowOverDamping?.bool ?? json.allowsOverdamping?.bool ?? false
      return Spring(mass: mass, stiffness: stiffness, damping: damping, allowOverDamping: overdamped)
    }
    if let response = number("response") {
      return Spring(response: response, dampingRatio: try #require(number("dampingRatio")))
    }
    return Spring(duration: try #require(number("duration")), bounce: try #require(number("bounce")))
  }

  /// The numbers of a spring by the names that recordings have for them.
  private func numbers(of spring: Spring) -> [(name: String, value: Double)] {
    [
      ("angularFrequency", spring.angularFrequency), ("decayConstant", spring.decayConstant), ("mass", spring.mass),
      ("duration", spring.duration), ("bounce", spring.bounce), ("response", spring.response),
      ("dampingRatio", spring.dampingRatio), ("stiffness", spring.swiftUICompatibleStiffness),
      ("damping", spring.damping), ("physically_true_stiffness", spring.stiffness),
      ("settlingDuration", spring.settlingDuration),
      ("settling_10_1_0p01", spring.settlingDuration(target: 10, initialVelocity: 1, epsilon: 0.01)),
      ("settling_0p2_0_0p001", spring.settlingDuration(target: 0.2, initialVelocity: 0, epsilon: 0.001)),
    ]
  }

  /// Compares the numbers that a recording has, and at least so many.
  private func expect(
    _ spring: Spring, _ json: JSONValue?, relative: Double = 1e-12, absolute: Double = 0, atLeast count: Int,
    _ vector: RecordedVector
  ) {
    var compared = 0
    for (name, value) in numbers(of: spring) {
      guard let expected = json?[name]?.number else { continue }
      compared += 1
      // The recorded true stiffness was itself formed with a cancellation of about 100 units.
      let absolute = name == "physically_true_stiffness" ? 1e-13 : absolute
      #expect(isClose(value, expected, relative: relative, absolute: absolute), "\(vector) \(name)")
    }
    #expect(compared >= count, "\(vector)")
  }

  @Test func parametersAreSwiftUIs() throws {
    for vector in try RecordedVectors.load(kind: "spring-init", atLeast: 9) {
      let spring = try spring(vector.json.`init`)
      expect(spring, vector.json, atLeast: 2, vector)
      if let stored = vector.json.stored { expect(spring, stored, atLeast: 3, vector) }
    }
  }

  @Test func settlingParametersAreSwiftUIs() throws {
    for vector in try RecordedVectors.load(kind: "spring-init-settling", atLeast: 8) {
      if let inputs = vector.json.inputs?.elements {
        for input in inputs.map(\.numbers) {
          let spring = Spring(settlingDuration: input[0], dampingRatio: input[1])
          #expect(spring.angularFrequency.isNaN && spring.decayConstant.isNaN, "\(vector) \(input)")
        }
        continue
      }
      // The iteration is the same, so far more than the promised 1e-4 agrees.
      let spring = try spring(vector.json.`init`)
      expect(spring, vector.json.stored, atLeast: 3, vector)
      expect(spring, vector.json, relative: 1e-4, atLeast: 1, vector)
    }
  }

  @Test func conversionsAreThoseOfUIKitAndTheDocumentation() throws {
    let uikit = try #require(try RecordedVectors.load(kind: "uikit-duration-spring").first)
    let settling = Spring(
      settlingDuration: try #require(uikit.json.duration?.number),
      dampingRatio: try #require(uikit.json.dampingRatio?.number))
    expect(settling, uikit.json.expected, relative: 1e-8, atLeast: 2, uikit)
    let vector = try #require(try RecordedVectors.load(kind: "spring-conversion").first)
    let converted = try spring(vector.json.spring)
    expect(converted, vector.json.expected, relative: 0, absolute: try #require(vector.tolerance), atLeast: 3, vector)
    expect(converted, vector.json.reference, atLeast: 2, vector)
  }

  @Test func valuesForcesAndSettlingTimesAreSwiftUIs() throws {
    for vector in try RecordedVectors.load(kind: "spring-eval", atLeast: 2) {
      let spring = try spring(vector.json.spring)
      func check(_ name: String, _ answer: ([Double]) -> Double) {
        guard let numbers = vector.json[name]?.numbers, let expected = numbers.last else { return }
        #expect(isClose(answer(numbers), expected, relative: 1e-12), "\(vector) \(name)")
      }
      check("value") { spring.value(target: $0[0], initialVelocity: $0[1], time: $0[2]) }
      check("velocity") { spring.swiftUICompatibleVelocity(target: $0[0], initialVelocity: $0[1], time: $0[2]) }
      check("force") { spring.force(target: $0[0], position: $0[1], velocity: $0[2]) }
      check("force_apple") { spring.swiftUICompatibleForce(target: $0[0], position: $0[1], velocity: $0[2]) }
      expect(spring, vector.json, relative: 0, atLeast: 2, vector)
    }
  }

  @Test func updatesAreSwiftUIs() throws {
    for vector in try RecordedVectors.load(kind: "spring-update", atLeast: 1) {
      let spring = try spring(vector.json.spring)
      let target = try #require(vector.json.target?.number)
      let steps = try #require(vector.json.steps_dt_value_velocity?.elements).map(\.numbers)
      #expect(steps.count >= 4)
      var (ours, theirs) = ((value: 0.0, velocity: 0.0), (value: 0.0, velocity: 0.0))
      for step in steps {
        spring.update(value: &ours.value, velocity: &ours.velocity, target: target, deltaTime: step[0])
        spring.swiftUICompatibleUpdate(
          value: &theirs.value, velocity: &theirs.velocity, target: target, deltaTime: step[0])
        for value in [ours.value, theirs.value] { #expect(isClose(value, step[1], relative: 1e-12)) }
        #expect(isClose(ours.velocity, step[2], relative: 1e-12, absolute: 1e-15))
        #expect(isClose(theirs.velocity, step[2], relative: 1e-12))
      }
    }
  }

  @Test func printedValuesAndSettlingTimesAreSwiftUIs() throws {
    for vector in try RecordedVectors.load(kind: "spring", atLeast: 4) {
      let spring = try spring(vector.json.spring)
      let sample = try #require(vector.json.value)
      func number(_ name: String) throws -> Double { try #require(sample[name]?.number) }
      let value = spring.value(
        target: try number("target"), initialVelocity: try number("initialVelocity"), time: try number("time"))
      #expect(isClose(value, try number("expected"), absolute: try number("tolerance")), "\(vector)")
      let tolerance = try #require(vector.json.settlingTolerance?.number)
      expect(spring, vector.json, relative: 0, absolute: tolerance, atLeast: 1, vector)
    }
  }

  /// An overdamped spring is left out: how Core Animation settles one is not known.
  @Test func coreAnimationSettlesAsRecorded() throws {
    let vectors = try RecordedVectors.load(kind: "caspring-settling").filter { $0.id != "CA-settle-over" }
    #expect(vectors.count >= 4)
    for vector in vectors {
      for var json in vector.json.cases?.elements ?? [vector.json] {
        let expected = json.settlingDuration?.number ?? json.reference?.number
        json["settlingDuration"] = nil
        let velocity = json.initialVelocity?.number ?? 0
        let actual = try spring(json).coreAnimationSettlingDuration(initialVelocity: velocity)
        let tolerance = json.tolerance?.number ?? 1e-12
        #expect(isClose(actual, try #require(expected), absolute: tolerance), "\(vector)")
      }
    }
  }
}
