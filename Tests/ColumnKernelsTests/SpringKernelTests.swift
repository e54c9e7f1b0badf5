// SPDX-License-Identifier: MIT
import AnimationModel
import ColumnKernels
import Murmuration
import TestSupport
import Testing

/// Springs over columns against the model in Double, and against batches.
struct SpringKernelTests {
  private static let u = 0x1p-24

  /// What the model promises of itself after some radians, as a share of S.
  private static func modelError(_ radians: Double) -> Double { radians.isFinite ? (64 + 8 * radians) * 0x1p-53 : 0 }

  /// The elements that are not within the bounds of batches of the model: 8 u S, and 8 u S ω₀.
  private static func faults(
    _ found: (values: [Float], velocities: [Float]), _ start: Start, _ spring: (Int) -> Spring, _ age: (Int) -> Double
  ) -> [String] {
    (0..<found.values.count).compactMap { index in
      let spring = spring(index)
      let (y, v) = (start.value(index) - start.target(index), start.velocity(index))
      let ω0 = 2 * .pi / spring.duration
      let scale = max(y.magnitude, spring.duration == 0 ? 0 : v.magnitude / ω0)
      let jumps = spring.duration == 0
      let value =
        jumps
        ? start.target(index)
        : start.target(index) + y
          + spring.value(target: -y, initialVelocity: v, time: age(index))
      let velocity = jumps ? 0 : spring.velocity(target: -y, initialVelocity: v, time: age(index))
      let bound = (8 * u + modelError(ω0 * age(index))) * scale
      // The distance is rounded once, and so is the sum with the target.
      let ulps = Double(Float(y).ulp) / 2 + Double(found.values[index].ulp)
      let isRight =
        (Double(found.values[index]) - value).magnitude <= bound + ulps
        && (Double(found.velocities[index]) - velocity).magnitude <= (jumps ? 0 : (bound + ulps) * ω0)
      return isRight
        ? nil
        : "\(index): \(spring) at \(age(index)): \(found.values[index]) \(value), \(found.velocities[index]) \(velocity)"
    }
  }

  @Test(arguments: KernelSet.available) func anySpringAtAnyAgeIsWithinTheBoundOfBatches(set: KernelSet) throws {
    var random = SplitMix64(seed: 5)
    for count in Columns.counts {
      for isShared in [false, true] {
        let start = Start(count, isShared: isShared && count > 0, &random)
        let each = (0..<count).map { Columns.springs[$0 % Columns.springs.count] }
        let ages = (0..<count).map { $0 % 7 == 0 ? 0 : Float(exp2Like(&random)) }
        let kernel = try SpringKernel(each, kernels: set)
        var faults = Self.faults(try kernel.motion(start, at: ages), start, { each[$0] }, { Double(ages[$0]) })
        #expect(faults.isEmpty, "\(count) own springs at own ages: \(faults.prefix(3))")
        faults = Self.faults(try kernel.motion(start, at: 0.3), start, { each[$0] }, { _ in 0.3 })
        #expect(faults.isEmpty, "\(count) own springs at one age: \(faults.prefix(3))")
        for spring in count > 33 ? Columns.springs : [.bouncy, .smooth, Spring(duration: 0.3, bounce: -0.5)] {
          let kernel = try SpringKernel(spring, kernels: set)
          faults = Self.faults(try kernel.motion(start, at: ages), start, { _ in spring }, { Double(ages[$0]) })
          #expect(faults.isEmpty, "\(count) elements of one spring at own ages: \(faults.prefix(3))")
          faults = Self.faults(try kernel.motion(start, at: 0.1), start, { _ in spring }, { _ in 0.1 })
          #expect(faults.isEmpty, "\(count) elements of one spring at one age: \(faults.prefix(3))")
        }
      }
    }
  }

  /// Ages of all sizes from a microsecond to a week.
  private func exp2Like(_ random: inout SplitMix64) -> Double {
    let size = Int(random.uniform(-20...19.2).rounded(.down))
    return Double(sign: .plus, exponent: size, significand: random.uniform(1...2))
  }

  /// One spring or one for each, one age or one for each, alone or among others: an element shows the same.
  @Test func theBitsAreThoseOfEverySetAndSpelling() throws {
    var random = SplitMix64(seed: 6)
    let count = 1000
    let start = Start(count, &random)
    for spring in Columns.springs {
      let each = [Spring](repeating: spring, count: count)
      let expected = try SpringKernel(spring, kernels: .portable).motion(start, at: 0.25)
      for set in KernelSet.available {
        let (one, own) = (try SpringKernel(spring, kernels: set), try SpringKernel(each, kernels: set))
        let ages = [Float](repeating: 0.25, count: count)
        for found in [
          try one.motion(start, at: 0.25), try one.motion(start, at: ages), try one.motion(start, at: [0.25]),
          try own.motion(start, at: 0.25), try own.motion(start, at: ages),
        ] {
          #expect(Columns.bits(found) == Columns.bits(expected), "\(spring) \(set)")
        }
        for first in [1, 17, 983] {
          var part = start
          (part.values, part.velocities) = (Array(start.values[first...]), Array(start.velocities[first...]))
          part.targets = Array(start.targets[first...])
          let found = try one.motion(part, at: 0.25)
          #expect(Columns.bits(found.values) == Columns.bits(Array(expected.values[first...])))
        }
      }
    }
  }

  @Test func theBitsAreThoseOfABatch() throws {
    var random = SplitMix64(seed: 7)
    let count = 200
    let start = Start(count, &random)
    let each = (0..<count).map { Columns.springs[$0 % (Columns.springs.count - 1)] }
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add(start.values)
    try batch.set(tracks, start.values, velocities: start.velocities)
    try batch.animate(tracks, to: start.targets, springs: each)
    let age = 0.0011
    try batch.advance(to: age, velocities: true)
    let found = try SpringKernel(each).motion(start, at: age)
    for (index, track) in tracks.enumerated() where each[index].duration > 0.01 {
      #expect(batch[track] == found.values[index] && batch.velocity(of: track) == found.velocities[index], "\(index)")
    }
  }

  @Test func notANumberStaysInItsElement() throws {
    var random = SplitMix64(seed: 8)
    for set in KernelSet.available {
      let start = Start(33, &random)
      let (right, other) = (try SpringKernel(.bouncy, kernels: set), try SpringKernel(.bouncy, kernels: set))
      let expected = try right.motion(start, at: 0.2)
      for path in [\Start.values, \.velocities, \.targets] {
        for bad in [Float.nan, .infinity] {
          var hurt = start
          hurt[keyPath: path][19] = bad
          var found = try other.motion(hurt, at: 0.2)
          #expect(!found.values[19].isFinite)
          (found.values[19], found.velocities[19]) = (expected.values[19], expected.velocities[19])
          #expect(found.values == expected.values && found.velocities == expected.velocities)
          var (stepped, hurtStep) = (start, hurt)
          try right.step(&stepped, seconds: 1.0 / 60)
          try right.step(&hurtStep, seconds: 1.0 / 60)
          #expect(!hurtStep.values[19].isFinite)
          hurtStep.values[19] = stepped.values[19]
          #expect(hurtStep.values == stepped.values)
        }
      }
    }
  }

  // MARK: - Steps

  /// The bound of one step of tracks that follow, of the largest |goal| + |distance| + |velocity|/ω₀: u (8 + 1/(1 − ρ)), where
  /// one step loses less than 8 u.
  @Test(arguments: KernelSet.available) func aStepIsTheClosedForm(set: KernelSet) throws {
    var random = SplitMix64(seed: 9)
    for count in Columns.counts {
      for isShared in [false, true] {
        for seconds in [1e-6, 1.0 / 240, 1.0 / 60, 0.1, 1, 1e9] {
          var start = Start(count, &random)
          if isShared { start.targets = [3] }
          let each = (0..<count).map { Columns.springs[$0 % Columns.springs.count] }
          var found = start
          try SpringKernel(each, kernels: set).step(&found, seconds: seconds)
          for index in 0..<count {
            let spring = each[index]
            var (value, velocity) = (start.value(index), start.velocity(index))
            let ω0 = spring.duration == 0 ? .infinity : 2 * .pi / spring.duration
            let size = start.target(index).magnitude + (value - start.target(index)).magnitude + velocity.magnitude / ω0
            spring.update(value: &value, velocity: &velocity, target: start.target(index), deltaTime: seconds)
            let bound = (8 * Self.u + Self.modelError(ω0 * seconds)) * size
            #expect(
              (found.value(index) - value).magnitude <= bound
                && (found.velocity(index) - velocity).magnitude <= (ω0.isFinite ? bound * ω0 : 0),
              "\(spring) in \(seconds): \(found.value(index)) \(value), \(found.velocity(index)) \(velocity)")
          }
        }
      }
    }
  }

  @Test func aStepHasTheBitsOfTracksThatFollow() throws {
    var random = SplitMix64(seed: 10)
    let count = 1000
    let each = (0..<count).map { _ in
      Spring(duration: random.uniform(0.001...30), bounce: random.uniform(-0.95...0.95))
    }
    for set in KernelSet.available {
      for springs in [each, [.bouncy]] {
        var own = Start(count, &random)
        own.velocities = [Float](repeating: 0, count: count)
        var batch = try AnimationBatch<Float>(kernels: set)
        let tracks = try batch.add(own.values)
        if springs.count == 1 {
          try batch.follow(tracks, with: .bouncy)
        } else {
          try batch.follow(tracks, springs: each)
        }
        let kernel = try SpringKernel(springs, kernels: set)
        for frame in 0..<30 {
          if frame % 7 == 0 { own.targets = Columns.numbers(count, size: 1e4, &random) }
          try batch.setGoals(of: tracks, own.targets)
          // A power of two, so that the clock has exactly these steps.
          try batch.advance(by: frame < 20 ? 0x1p-6 : 0x1p-4, velocities: true)
          try kernel.step(&own, seconds: frame < 20 ? 0x1p-6 : 0x1p-4)
          for (index, track) in tracks.enumerated() {
            let (value, velocity) = (batch[track] ?? .nan, batch.velocity(of: track) ?? .nan)
            if velocity == 0, value == own.targets[index] {
              // It came to rest, which columns do not.
              (own.values[index], own.velocities[index]) = (value, velocity)
            } else {
              #expect(value == own.values[index] && velocity == own.velocities[index], "\(index) in frame \(frame)")
            }
          }
        }
      }
    }
  }

  @Test func sameBitsOfStepsOnEverySet() throws {
    var random = SplitMix64(seed: 11)
    let start = Start(1000, &random)
    let each = (0..<1000).map { Columns.springs[$0 % Columns.springs.count] }
    for seconds in [1e-6, 1.0 / 60, 1, 1e9] {
      for springs in [each] + Columns.springs.map({ [$0] }) {
        var expected = start
        try SpringKernel(springs, kernels: .portable).step(&expected, seconds: seconds)
        for set in KernelSet.available {
          var found = start
          try SpringKernel(springs, kernels: set).step(&found, seconds: seconds)
          #expect(Columns.bits(found) == Columns.bits(expected))
        }
      }
    }
  }

  @Test func keptFactorsAreThoseOfTheStep() throws {
    var random = SplitMix64(seed: 14)
    let each = (0..<100).map { Columns.springs[$0 % Columns.springs.count] }
    let kernel = try SpringKernel(each)
    var kept = Start(100, &random)
    var anew = kept
    for length in [1, 1, 1, 2, 1, 2, 2, 2, 1, 1, 3] {
      try kernel.step(&kept, seconds: Double(length) / 60)
      try SpringKernel(each).step(&anew, seconds: Double(length) / 60)
      #expect(Columns.bits(kept) == Columns.bits(anew))
    }
  }

  @Test func aStepOfNothingChangesNothing() throws {
    var random = SplitMix64(seed: 12)
    var start = Start(20, &random)
    let old = start
    try SpringKernel(Spring(duration: 0)).step(&start, seconds: 0)
    #expect(start.values == old.values && start.velocities == old.velocities)
  }

  // MARK: - Refusals

  @Test func badArgumentsAreRefusedBeforeAnythingChanges() throws {
    var random = SplitMix64(seed: 13)
    let kernel = try SpringKernel([Spring](repeating: .smooth, count: 20))
    let start = Start(20, &random)
    func refuses(_ error: ColumnError, _ body: () throws -> Void) {
      #expect(throws: error) { try body() }
    }
    refuses(.wrongCount(of: "springs", expected: 19, got: 20)) { _ = try kernel.motion(Start(19, &random), at: 0) }
    for (path, name) in [(\Start.velocities, "velocities"), (\.targets, "targets")] {
      var short = start
      short[keyPath: path].removeLast()
      refuses(.wrongCount(of: name, expected: 20, got: 19)) { _ = try kernel.motion(short, at: 0) }
      var stepped = short
      refuses(.wrongCount(of: name, expected: 20, got: 19)) { try kernel.step(&stepped, seconds: 1) }
      #expect(stepped.values == start.values)
    }
    refuses(.wrongCount(of: "ages", expected: 20, got: 2)) { _ = try kernel.motion(start, at: [1, 2]) }
    for age in [-1, .infinity, 1e11] as [Float] {
      var ages = [Float](repeating: 1, count: 20)
      ages[18] = age
      refuses(.invalidAge(index: 18, seconds: Double(age))) { _ = try kernel.motion(start, at: ages) }
      refuses(.invalidAge(index: 0, seconds: Double(age))) { _ = try kernel.motion(start, at: Double(age)) }
      var stepped = start
      refuses(.invalidStep(seconds: Double(age))) { try kernel.step(&stepped, seconds: Double(age)) }
      #expect(stepped.values == start.values && stepped.velocities == start.velocities)
    }
    #expect(throws: ColumnError.self) { try kernel.motion(start, at: [Float](repeating: .nan, count: 20)) }
    #expect(throws: ColumnError.self) { try kernel.motion(start, at: .nan) }
    #expect(throws: ColumnError.self) { try SpringKernel([.smooth, Spring(duration: 1, bounce: -1)]) }
    do { _ = try SpringKernel([.smooth, Spring(duration: -1)]) } catch let error as ColumnError {
      guard case .invalidSpring(1, _) = error else { return #expect(Bool(false), "\(error)") }
    }
    // −0 is an age.
    #expect(try kernel.motion(start, at: [Float](repeating: -0.0, count: 20)) == kernel.motion(start, at: 0))
  }
}
