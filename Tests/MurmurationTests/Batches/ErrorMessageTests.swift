// SPDX-License-Identifier: MIT
import AnimationModel
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// A message says which argument is wrong, what was given and what is allowed.
struct ErrorMessageTests {
  /// The message of a refused call; nil if the call is accepted.
  private func message(_ call: () throws -> Void) -> String? {
    do {
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
    return message { try batch.animate(tracks, to: [1, 1, 1], springs: [.smooth, .smooth, spring]) }
  }

  @Test("A message about a spring names the caller's number, and not one that follows from it")
  func springs() throws {
    func growing(_ ratio: String, _ duration: String) -> String {
      "the duration and the damping must not be negative: the motion would grow "
        + "(damping ratio \(ratio) at a duration of \(duration) s)"
    }
    let still = "the bounce must be above −1 and the damping finite: this spring would stand still"
    let long = Spring(duration: 0x1p22)
    let refused: [(Spring, String)] = [
      (Spring(duration: -1), growing("-1.0", "1.0")), (Spring(duration: -2, bounce: -0.5), growing("-2.0", "2.0")),
      (Spring(response: 1, dampingRatio: -0.5), growing("-0.5", "1.0")), (Spring(duration: 1, bounce: -1), still),
      (Spring(stiffness: 1, damping: .infinity, allowOverDamping: true), still),
      (long, "the duration must be 0 or in 1e-4…1e6 s, is 4194304.0 s (mass 1.0, stiffness \(long.stiffness))"),
      (Spring(stiffness: -4, damping: 1), "every parameter must be a number and the stiffness positive, is nan"),
      (Spring(stiffness: 4, damping: .nan), "every parameter must be a number, the damping is nan"),
      (Spring(mass: -2, stiffness: 4, damping: 1), "the mass must be positive and finite, is -2.0"),
      (
        Spring(response: 1, dampingRatio: 1e17),
        "the bounce must be above −1 and the damping ratio at most 1e16, the ratio is 1e+17"
      ),
    ]
    for (spring, text) in refused { #expect(try message(of: spring) == "spring 2: " + text) }
    for spring in [Spring(), .bouncy, Spring(duration: 0), Spring(duration: 1, bounce: -0.999), Spring(duration: 1e6)] {
      #expect(try message(of: spring) == nil)
    }
  }

  // MARK: - Calls

  private typealias Call = @Sendable (inout AnimationBatch<Float>, [TrackHandle]) throws -> Void

  /// Refused calls about two tracks, and what the errors say.
  private static let calls: [(Call, String)] = [
    ({ try $0.animate($1, to: [1], .smooth) }, "goals: 2 elements are needed, 1 were given"),
    ({ try $0.animate($1, to: [1, 2], springs: [.smooth]) }, "springs: 2 elements are needed, 1 were given"),
    ({ try $0.animate($1, to: [1, 2], animations: []) }, "animations: 2 elements are needed, 0 were given"),
    ({ try $0.animate($1, to: [1, 2], .smooth, delays: [1]) }, "delays: 2 elements are needed, 1 were given"),
    ({ try $0.set($1, [1, 2], velocities: [1]) }, "velocities: 2 elements are needed, 1 were given"),
    ({ try $0.set($1, [1], velocities: [1, 2]) }, "values: 2 elements are needed, 1 were given"),
    ({ try $0.seek($1, to: [1]) }, "times: 2 elements are needed, 1 were given"),
    ({ try $0.animate($1, to: 1, delays: [0, -1]) }, "delay 1 must be 0 s or more and end by 1e10 s, is -1.0 s"),
    ({ try $0.animate($1, to: 1, delays: [0, .nan]) }, "delay 1 must be 0 s or more and end by 1e10 s, is nan s"),
    (
      { try $0.animate($1, to: 1, delays: [0, 2e10]) },
      "delay 1 must be 0 s or more and end by 1e10 s, is 20000000000.0 s"
    ),
    ({ batch, _ in try batch.animate(0..<3, to: 1) }, "the index of a track must be within 0..<2, is 2"),
    ({ batch, _ in try batch.withValues(component: 1) { _ in } }, "the dimension must be within 0..<1, is 1"),
    (
      { try $0.animate($1, to: 1, animations: [.smooth, .easeIn(duration: .nan)]) },
      "animation 1: the duration must be finite and within ±1e10, is nan"
    ),
    (
      { try $0.play(try $0.load(Clip(curve: .linear)), on: $1, [Playback(), Playback(speed: .infinity)]) },
      "playback 1: the speed must be finite, is inf"
    ),
    (
      { _, _ in
        let animations: [Animation?] = [nil, .smooth, .easeIn(duration: .nan)]
        _ = try PhaseSequence(dimensions: 1, targets: [[0], [1], [2]], animations: animations)
      }, "the animation to phase 2: the duration must be finite and within ±1e10, is nan"
    ),
  ]

  @Test(arguments: calls.indices) func callsNameTheirArguments(_ index: Int) throws {
    let (call, text) = Self.calls[index]
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([0, 0])
    #expect(message { try call(&batch, tracks) } == text)
  }

  /// Vectors of three take the room of four.
  @Test func numbersAreNamedByTrackAndComponent() throws {
    var batch = try AnimationBatch<SIMD3<Float>>()
    let tracks = try batch.add([.zero, .zero])
    let goal = "component 1 of goal 1 must be finite and within ±1e15, is nan"
    #expect(message { try batch.animate(tracks, to: [.zero, [2, .nan, 0]]) } == goal)
    #expect(message { try batch.animate(tracks, toPlanar: [0, 0, 0, .nan, 0, 0]) } == goal)
    #expect(
      message { try batch.set(tracks, [.zero, .zero], velocities: [.zero, [0, 2e15, 0]]) }
        == "component 1 of velocity 1 must be finite and within ±1e15, is 2e+15")
    #expect(
      message { try batch.animate(tracks, toPlanar: [1, 2]) }
        == "planar columns: a multiple of 3 floats is needed for 3 dimensions, 2 were given")
  }

  @Test func theDimensionsOfAClipThatIsMadeAnewAreNamed() throws {
    let wide = try Clip(dimensions: 2, initialValues: [0, 0], tracks: [])
    let widening = try Clip(
      checkedTracks: [], initialValues: [0], duration: 1, valueErrorBounds: [0], velocityErrorBounds: [0]
    ) { _, _ in wide }
    var batch = try AnimationBatch<Float>()
    let track = try batch.add(0)
    let clip = try batch.load(widening)
    let needed = "must have 1 dimensions as the batch has, it has 2"
    #expect(message { try batch.play(clip, on: track, start: .shownValue) } == "the clip made anew \(needed)")
    #expect(message { _ = try batch.load(wide) } == "the clip \(needed)")
  }

  // MARK: - Errors

  /// Each kind of error says what was given and what is allowed.
  @Test func texts() {
    let batches: [BatchError] = [
      .invalidDimensions(0), .unsupportedValue("Pair"), .invalidAnimation(index: 3, reason: "is odd"),
      .invalidDeceleration(rate: 2), .invalidTime(.nan), .timeBeforeStart(time: 1, start: 2), .invalidFrameRate(0),
      .invalidTolerance(0), .wrongCount(of: "values", expected: .max, got: 8), .capacityExceeded(-1),
      .invalidPlayback(index: 2, reason: "is odd"),
    ]
    let clips: [ClipError] = [
      .wrongDimensions(of: "initial values", expected: 2, got: 1),
      .wrongCount(of: "pieces of component 1", track: 4, expected: 2, got: 1), .emptyTrack(track: 1),
      .invalidComponent(track: 1, component: 9), .invalidTime(track: 0, key: 1, time: -1),
      .unsortedTimes(track: 0, key: 2), .invalidDuration(-1, atLeast: 2),
      .invalidDuration(0, atLeast: .leastNonzeroMagnitude), .invalidErrorBound(dimension: 1, value: -1),
      .endless(track: 0, key: 3), .overflow(track: 0, key: 1, component: 2, value: 1e16),
    ]
    let phases: [PhaseError] = [
      .noPhases, .wrongDimensions(phase: 1, expected: 2, got: 1), .wrongCount(expected: 2, got: 1),
    ]
    let texts = """
      a batch has 1 to 4096 dimensions, not 0
      the components of Pair must lie side by side in memory, in their order
      animation 3: is odd
      the rate of a deceleration must be in (0, 1) and its decay constant in 1e-5…1e6 per second, the rate is 2.0
      a time must be finite and within ±1e10 s, is nan
      the time must be at least 2.0 s, the latest start, is 1.0 s
      a number of frames per second must be positive and finite, is 0.0
      a tolerance of rest must be in 1e-30…1e15, for velocities in 1e-30…1e30, and one of curves in 2⁻⁴⁰…2⁻², is 0.0
      values: 8 elements were given, and more are needed than memory can hold
      the number of tracks must be in 0…268435456 and fit in memory, is -1
      playback 2: is odd
      initial values: 2 numbers are needed, one for each dimension, 1 were given
      track 4, pieces of component 1: 2 are needed, 1 were given
      track 1 needs a component and a piece at least
      track 1: component 9 must be a dimension of the clip, and named once
      track 0, key 1: the time must be in 0…1e10 s, and 0 at the first boundary, is -1.0 s
      track 0, key 2: the time must not be less than that of key 1
      the duration must be in 2.0…1e10 s, is -1.0 s
      the duration must be more than 0 and at most 1e10 s, is 0.0 s
      the error bound of dimension 1 must be 0 or more, is -1.0
      track 0, key 3: the keyframe must end, and never does
      track 0, key 1, component 2: values must be within ±1e15, and coefficients fit Float, is 1e+16
      a sequence needs at least one phase, none was given
      phase 1 must have 2 values, one for each dimension, it has 1
      animations: 2 are needed, one for each phase, 1 were given
      """.split(separator: "\n").map(String.init)
    #expect(batches.map(\.description) + clips.map(\.description) + phases.map(\.description) == texts)
  }

  /// It compiles only if the initialisers throw one type.
  @Test(arguments: KernelSet.allCases) func initialisersThrowOneType(_ set: KernelSet) throws {
    let clip = try Clip(dimensions: 1, initialValues: [0], tracks: [])
    func expect(_ make: () throws(BatchError) -> KernelSet) {
      do throws(BatchError) {
        let kernels = try make()
        #expect(kernels == set && set.isSupported)
      } catch {
        #expect(error == .unsupportedKernels(.unsupported(set)) && !set.isSupported)
      }
    }
    expect { () throws(BatchError) in
      let batch = try AnimationBatch<Float>(kernels: set)
      return batch.kernels
    }
    expect { () throws(BatchError) in
      let sampler = try ClipSampler(clip, kernels: set)
      return sampler.kernels
    }
  }
}
