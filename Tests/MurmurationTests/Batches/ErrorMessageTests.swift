// SPDX-License-Identifier: MIT
import AnimationModel
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// A message says which argument is wrong, what was given and what is allowed.
struct ErrorMessageTests {
  /// The message of a refused call; nil if the call is accepted.
  private func message<Failure: Error>(_ call: () throws(Failure) -> Void) -> String? {
    do throws(Failure) {
      try call()
      return nil
    } catch {
      return "\(error)"
    }
  }

  // MARK: - Springs

  /// The message about a spring that is the third of three.
  private func message(of spring: Spring) throws -> String? {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([0, 0, 0])
    return message { () throws(BatchError) in
      try batch.animate(tracks, to: [1, 1, 1], springs: [.smooth, .smooth, spring])
    }
  }

  @Test("A message about a spring names the caller's number, and not one that follows from it")
  func springs() throws {
    let growing = "spring 2: the duration and the damping must not be negative: the motion would grow (damping ratio "
    #expect(try message(of: Spring(duration: -1)) == growing + "-1.0 at a duration of 1.0 s)")
    #expect(try message(of: Spring(duration: -2, bounce: -0.5)) == growing + "-2.0 at a duration of 2.0 s)")
    #expect(try message(of: Spring(response: 1, dampingRatio: -0.5)) == growing + "-0.5 at a duration of 1.0 s)")
    let still = "spring 2: the bounce must be above −1 and the damping finite: this spring would stand still"
    #expect(try message(of: Spring(duration: 1, bounce: -1)) == still)
    #expect(try message(of: Spring(stiffness: 1, damping: .infinity, allowOverDamping: true)) == still)
    #expect(
      try message(of: Spring(duration: 0x1p22))
        == "spring 2: the duration must be 0 or in 1e-4…1e6 s, is 4194304.0 s (mass 1.0, stiffness "
        + "\(Spring(duration: 0x1p22).stiffness))")
    #expect(
      try message(of: Spring(stiffness: -4, damping: 1))
        == "spring 2: every parameter must be a number and the stiffness positive, is nan")
    #expect(
      try message(of: Spring(stiffness: 4, damping: .nan))
        == "spring 2: every parameter must be a number, the damping is nan")
    #expect(
      try message(of: Spring(mass: -2, stiffness: 4, damping: 1))
        == "spring 2: the mass must be positive and finite, is -2.0")
    #expect(
      try message(of: Spring(response: 1, dampingRatio: 1e17))
        == "spring 2: the bounce must be above −1 and the damping ratio at most 1e16, the ratio is 1e+17")
  }

  @Test("A spring that is accepted has no message")
  func acceptedSprings() throws {
    for spring in [Spring(), .bouncy, Spring(duration: 0), Spring(duration: 1, bounce: -0.999), Spring(duration: 1e6)] {
      #expect(try message(of: spring) == nil)
    }
  }

  // MARK: - Numbers of values

  @Test func columnsThatAreNotEquallyLongAreNamed() throws {
    var batch = try AnimationBatch<SIMD2<Float>>()
    let tracks = try batch.add([[0, 0]])
    let three: [Float] = [1, 2, 3]
    let said = message { () throws(BatchError) in
      try batch.animate(tracks.span, toPlanar: three.span, .smooth)
    }
    #expect(said == "planar columns: a multiple of 2 floats is needed for 2 dimensions, 3 were given")
  }

  @Test func countsNameTheirArgument() throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([0, 0])
    func said(_ call: (inout AnimationBatch<Float>) throws(BatchError) -> Void) -> String? {
      message { () throws(BatchError) in try call(&batch) }
    }
    #expect(
      said { batch throws(BatchError) in try batch.animate(tracks, to: [1], .smooth) }
        == "goals: 2 elements are needed, 1 were given")
    #expect(
      said { batch throws(BatchError) in try batch.animate(tracks, to: [1, 2], springs: [.smooth]) }
        == "springs: 2 elements are needed, 1 were given")
    #expect(
      said { batch throws(BatchError) in try batch.animate(tracks, to: [1, 2], animations: []) }
        == "animations: 2 elements are needed, 0 were given")
    #expect(
      said { batch throws(BatchError) in try batch.animate(tracks, to: [1, 2], .smooth, delays: [1]) }
        == "delays: 2 elements are needed, 1 were given")
    #expect(
      said { batch throws(BatchError) in try batch.set(tracks, [1, 2], velocities: [1]) }
        == "velocities: 2 elements are needed, 1 were given")
    #expect(
      said { batch throws(BatchError) in try batch.set(tracks, [1], velocities: [1, 2]) }
        == "values: 2 elements are needed, 1 were given")
    #expect(
      said { batch throws(BatchError) in try batch.seek(tracks, to: [1]) }
        == "times: 2 elements are needed, 1 were given")
  }

  // MARK: - Numbers

  @Test("A number that is refused is named by its argument, track and component", arguments: [false, true])
  func numbers(isPlanar: Bool) throws {
    var batch = try AnimationBatch<SIMD2<Float>>()
    let tracks = try batch.add([[0, 0], [0, 0]])
    let columns: [Float] = [1, 2, 3, .nan]
    let said = message { () throws(BatchError) in
      if isPlanar {
        try batch.animate(tracks.span, toPlanar: columns.span, .smooth)
      } else {
        try batch.animate(tracks, to: [[1, 3], [2, .nan]], .smooth)
      }
    }
    #expect(said == "component 1 of goal 1 must be finite and within ±1e15, is nan")
  }

  /// Vectors of three take the room of four.
  @Test func numbersWithPaddingAreNamedLikewise() throws {
    var batch = try AnimationBatch<SIMD3<Float>>()
    let tracks = try batch.add([[0, 0, 0], [0, 0, 0]])
    let said = message { () throws(BatchError) in
      try batch.set(tracks, [[0, 0, 0], [0, 0, 0]], velocities: [[0, 0, 0], [0, 2e15, 0]])
    }
    #expect(said == "component 1 of velocity 1 must be finite and within ±1e15, is 2e+15")
  }

  @Test func delaysAreNamed() throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([0, 0])
    for (delay, text) in [(-1, "-1.0"), (.nan, "nan"), (2e10, "20000000000.0")] as [(Double, String)] {
      let said = message { () throws(BatchError) in
        try batch.animate(tracks, to: [1, 2], .smooth, delays: [0, delay])
      }
      #expect(said == "delay 1 must be 0 s or more and end by 1e10 s, is \(text) s")
    }
  }

  @Test func indicesAndDimensionsAreNamed() throws {
    var batch = try AnimationBatch<Float>()
    try batch.add([0, 0])
    let goals: [Float] = [1, 2, 3]
    let said = message { () throws(BatchError) in try batch.animate(0..<3, to: goals.span, .smooth) }
    #expect(said == "the index of a track must be within 0..<2, is 2")
    let rows = message { () throws(BatchError) in try batch.withValues(component: 1) { _ in } }
    #expect(rows == "the dimension must be within 0..<1, is 1")
  }

  @Test func animationsPlaybacksAndPhasesAreNumbered() throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([0, 0])
    let animation = message { () throws(BatchError) in
      try batch.animate(tracks, to: [1, 2], animations: [.smooth, .easeIn(duration: .nan)])
    }
    #expect(animation == "animation 1: the duration must be finite and within ±1e10, is nan")
    let clip = try batch.load(Clip(dimensions: 1, initialValues: [0], tracks: []))
    let playback = message { () throws(BatchError) in
      try batch.play([clip, clip], on: tracks, [Playback(), Playback(speed: .infinity)])
    }
    #expect(playback == "playback 1: the speed must be finite, is inf")
    let phase = message { () throws(PhaseError) in
      _ = try PhaseSequence(
        dimensions: 1, targets: [[0], [1], [2]], animations: [nil, .smooth, .easeIn(duration: .nan)])
    }
    #expect(phase == "the animation to phase 2: the duration must be finite and within ±1e10, is nan")
  }

  // MARK: - Clips

  /// A clip that makes one of two dimensions when it starts anew.
  private func widening() throws(ClipError) -> Clip {
    try Clip(
      checkedTracks: [], initialValues: [0], duration: 1, valueErrorBounds: [0], velocityErrorBounds: [0]
    ) { _, _ throws(ClipError) in
      try Clip(dimensions: 2, initialValues: [0, 0], tracks: [])
    }
  }

  @Test func theDimensionsOfAClipThatIsMadeAnewAreNamed() throws {
    var batch = try AnimationBatch<Float>()
    let track = try batch.add(0)
    let clip = try batch.load(widening())
    #expect(
      message { () throws(BatchError) in try batch.play(clip, on: track, start: .shownValue) }
        == "the clip made anew must have 1 dimensions as the batch has, it has 2")
    let wide = try Clip(dimensions: 2, initialValues: [0, 0], tracks: [])
    #expect(
      message { () throws(BatchError) in _ = try batch.load(wide) }
        == "the clip must have 1 dimensions as the batch has, it has 2")
  }

  // MARK: - Texts

  @Test(
    "Each kind of error of a batch says what was given and what is allowed",
    arguments: [
      (.invalidDimensions(0), "a batch has 1 to 4096 dimensions, not 0"),
      (.unsupportedValue("Pair"), "the components of Pair must lie side by side in memory, in their order"),
      (.invalidAnimation(index: 3, reason: "is odd"), "animation 3: is odd"),
      (
        .invalidDeceleration(rate: 2),
        "the rate of a deceleration must be in (0, 1) and its decay constant in 1e-5…1e6 per second, the rate is 2.0"
      ),
      (.invalidTime(.nan), "a time must be finite and within ±1e10 s, is nan"),
      (.timeBeforeStart(time: 1, start: 2), "the time must be at least 2.0 s, the latest start, is 1.0 s"),
      (.invalidFrameRate(0), "a number of frames per second must be positive and finite, is 0.0"),
      (
        .invalidTolerance(0),
        "a tolerance of rest must be in 1e-30…1e15, for velocities in 1e-30…1e30, and one of curves in 2⁻⁴⁰…2⁻², is 0.0"
      ),
      (
        .wrongCount(of: "values", expected: .max, got: 8),
        "values: 8 elements were given, and more are needed than memory can hold"
      ),
      (.capacityExceeded(-1), "the number of tracks must be in 0…268435456 and fit in memory, is -1"),
      (.invalidPlayback(index: 2, reason: "is odd"), "playback 2: is odd"),
    ] as [(BatchError, String)])
  func texts(_ error: BatchError, _ text: String) {
    #expect(error.description == text)
  }

  @Test(
    "Each kind of error of a clip says what was given and what is allowed",
    arguments: [
      (
        .wrongDimensions(of: "initial values", expected: 2, got: 1),
        "initial values: 2 numbers are needed, one for each dimension, 1 were given"
      ),
      (
        .wrongCount(of: "pieces of component 1", track: 4, expected: 2, got: 1),
        "track 4, pieces of component 1: 2 are needed, 1 were given"
      ),
      (.emptyTrack(track: 1), "track 1 needs a component and a piece at least"),
      (
        .invalidComponent(track: 1, component: 9),
        "track 1: component 9 must be a dimension of the clip, and named once"
      ),
      (
        .invalidTime(track: 0, key: 1, time: -1),
        "track 0, key 1: the time must be in 0…1e10 s, and 0 at the first boundary, is -1.0 s"
      ),
      (.unsortedTimes(track: 0, key: 2), "track 0, key 2: the time must not be less than that of key 1"),
      (.invalidDuration(-1, atLeast: 2), "the duration must be in 2.0…1e10 s, is -1.0 s"),
      (
        .invalidDuration(0, atLeast: .leastNonzeroMagnitude),
        "the duration must be more than 0 and at most 1e10 s, is 0.0 s"
      ),
      (.invalidErrorBound(dimension: 1, value: -1), "the error bound of dimension 1 must be 0 or more, is -1.0"),
      (.endless(track: 0, key: 3), "track 0, key 3: the keyframe must end, and never does"),
      (
        .overflow(track: 0, key: 1, component: 2, value: 1e16),
        "track 0, key 1, component 2: values must be within ±1e15, and coefficients fit Float, is 1e+16"
      ),
    ] as [(ClipError, String)])
  func texts(_ error: ClipError, _ text: String) {
    #expect(error.description == text)
  }

  @Test(
    "Each kind of error of phases says what was given and what is allowed",
    arguments: [
      (.noPhases, "a sequence needs at least one phase, none was given"),
      (
        .wrongDimensions(phase: 1, expected: 2, got: 1),
        "phase 1 must have 2 values, one for each dimension, it has 1"
      ),
      (.wrongCount(expected: 2, got: 1), "animations: 2 are needed, one for each phase, 1 were given"),
    ] as [(PhaseError, String)])
  func texts(_ error: PhaseError, _ text: String) {
    #expect(error.description == text)
  }

  // MARK: - Initialisers

  /// The error of an initialiser for a set. It compiles only if the initialiser throws one type.
  private func refusals(_ set: KernelSet, _ clip: Clip) -> [BatchError?] {
    var found: [BatchError?] = []
    func note(_ make: () throws(BatchError) -> KernelSet) {
      do throws(BatchError) {
        let kernels = try make()
        #expect(kernels == set)
        found.append(nil)
      } catch {
        found.append(error)
      }
    }
    note { () throws(BatchError) in
      let batch = try AnimationBatch<Float>(kernels: set)
      return batch.kernels
    }
    note { () throws(BatchError) in
      let sampler = try ClipSampler(clip, kernels: set)
      return sampler.kernels
    }
    return found
  }

  @Test(arguments: KernelSet.allCases)
  func initialisersThrowOneType(_ set: KernelSet) throws {
    let batches = refusals(set, try Clip(dimensions: 1, initialValues: [0], tracks: []))
    #expect(batches.count == 2)
    #expect(batches.allSatisfy { $0 == (set.isSupported ? nil : .unsupportedKernels(.unsupported(set))) })
  }
}
