// SPDX-License-Identifier: MIT
@testable import Formats
import Murmuration
import Scenes
import TestSupport
import Testing
import Text

@testable import MurmurationTool

/// Answers of `sample --engine simd` are within their bound of the reference engine's, on every instruction set.
struct BatchEngineTests {
  private struct Unexpected: Error {
    var answer: SampleAnswer
  }

  private func samples(_ engine: some SampleEngine, _ request: SampleRequest) throws -> SampleAnswer.Samples {
    let answer = engine.answer(request)
    guard case .samples(let samples) = answer else { throw Unexpected(answer: answer) }
    return samples
  }

  private func request(_ text: String) throws -> SampleRequest { try JSONDocument.decode(from: Array(text.utf8)) }

  /// A request that is answered on every instruction set, compared with the model at its times and at both sides of them.
  ///
  /// - Parameters:
  ///   - clip: The clip that the batches play.
  ///   - boundaries: Moments at which the model may jump.
  ///   - model: The value and the velocity at a time.
  ///   - isPlayed: Whether kernels answer at a time, and not the model.
  private func compare(
    _ request: SampleRequest, _ clip: Clip, boundaries: [Double], seed: UInt64,
    _ model: (Double) -> (value: Double, velocity: Double), isPlayed: (Double) -> Bool = { _ in true }
  ) throws {
    let reference = try samples(ReferenceEngine(), request)
    var first: SampleAnswer.Samples?
    for set in KernelSet.available {
      let played = try samples(BatchEngine(kernels: set), request)
      #expect(played.duration == reference.duration)
      #expect(played.times == reference.times && played.values.count == reference.times.count)
      // The same bits on every set.
      #expect(first == nil || first == played, "seed \(seed), \(set)")
      first = played
    }
    let played = try #require(first)
    for (index, time) in reference.times.enumerated() {
      guard isPlayed(time) else {
        #expect(played.values[index] == Double(Float(reference.values[index])), "seed \(seed) at \(time)")
        #expect(played.velocities[index] == Double(Float(reference.velocities[index])), "seed \(seed) at \(time)")
        continue
      }
      let bound = PlayedBound(clip, at: time, boundaries: boundaries)
      let sides = bound.sides.map(model) + bound.ends
      let value = sides.map { abs(played.values[index] - $0.value) }.min() ?? .infinity
      #expect(
        value <= bound.value,
        "seed \(seed) at \(time): \(played.values[index]), not \(reference.values[index]) ± \(bound.value)")
      #expect(played.velocities[index].isFinite)
      let velocity = sides.map { $0.velocity.isFinite ? abs(played.velocities[index] - $0.velocity) : 0 }.min()
      #expect(
        (velocity ?? .infinity) <= bound.velocity,
        "seed \(seed) at \(time): velocity \(played.velocities[index]), not \(reference.velocities[index]) ± \(bound.velocity)"
      )
    }
  }

  @Test(arguments: 0..<8) func curvesOfEveryFormAreWithinTheirBound(_ part: Int) throws {
    for index in 0..<Effort.draws(quick: 20, soak: 40) {
      let seed = UInt64(part * 40 + index)
      var draw = RequestDraw(seed: seed)
      let (curve, corners, isStraight) = draw.curve()
      var times = [-3, -0.25, -0.0, 0, 1, 1.0.nextUp, 1.25, 7, 0.5]
      for corner in corners {
        times += [corner, corner.nextDown, corner - 0x1p-33, corner - 0x1p-31, corner + 0x1p-33, corner + 0x1p-31]
      }
      times += (0..<40).map { _ in draw.random.uniform(0...1) } + (0..<6).map { _ in draw.random.uniform(-2...3) }
      let request = try request(#"{"kind": "curve", "curve": \#(curve), "times": \#(RequestDraw.list(times))}"#)
      guard case .curve(let description, _) = request else { return }
      let model = description.curve
      try compare(request, BatchEngine.clip(of: model), boundaries: corners, seed: seed) {
        (model.value(at: $0), model.velocity(at: $0))
      } isPlayed: {
        $0 >= 0 && (isStraight ? $0 < 1 : $0 <= 1)
      }
    }
  }

  /// Boundaries that fall exactly on ticks: there the right value needs no bound.
  @Test(arguments: TextTable.rows(of: "requests with boundaries", in: "inputs.txt").map { $0[0] })
  func boundariesBelongToTheSameSideAsInTheModel(_ text: String) throws {
    let request = try request(text)
    let reference = try samples(ReferenceEngine(), request)
    for set in KernelSet.available {
      let played = try samples(BatchEngine(kernels: set), request)
      for (index, time) in reference.times.enumerated() {
        let (value, velocity) = (reference.values[index], reference.velocities[index])
        #expect(abs(played.values[index] - value) <= 0x1p-23 * max(1, abs(value)), "\(set) at \(time)")
        #expect(abs(played.velocities[index] - velocity) <= 0x1p-21 * max(1, abs(velocity)), "\(set) at \(time)")
      }
    }
  }

  @Test func whatCannotBePlayedIsAnErrorWithItsReason() throws {
    let engine = BatchEngine(kernels: .portable)
    func error(_ text: String) throws -> String? {
      guard case .error(let reason) = engine.answer(try request(text)) else { return nil }
      return reason
    }
    #expect(try error(#"{"kind": "curve", "curve": {"steps": 65537}, "times": [0]}"#)?.contains("too rough") == true)
    #expect(try error(#"{"kind": "curve", "curve": "linear"}"#) == "times: is missing")
    #expect(try error(#"{"kind": "timeline", "track": []}"#) == "times: is missing")
    #expect(try error(#"{"kind": "spring", "spring": {}, "times": [-1]}"#)?.contains("-1") == true)
    let steep = #"[{"type": "cubic", "to": 1e15, "duration": 1e-30, "startVelocity": 1e15}]"#
    #expect(try error(#"{"kind": "timeline", "track": \#(steep), "times": [0]}"#) != nil)
  }

  @Test func settlingIsTheModelsWithEitherEngine() throws {
    let request = try request(#"{"kind": "settling", "spring": {"duration": 0.4, "bounce": 0.3}, "target": 7}"#)
    #expect(BatchEngine(kernels: .portable).answer(request) == ReferenceEngine().answer(request))
  }
}

/// The bound of an answer of the kernels at a time: the error of compiling, rounding in the pieces about that time, and the
/// rounding of time.
private struct PlayedBound {
  private(set) var value: Double
  private(set) var velocity: Double
  /// The time, and the times that the rounding of times and of boundaries may turn it into: half a tick each. Boundaries
  /// within that distance count too: such a moment may show a value that shows neither before nor after it.
  let sides: [Double]
  /// The values of the clip at those boundaries: the model's own time in a keyframe is rounded, and may miss its end.
  /// Before a jump at its start a clip shows that it stands.
  private(set) var ends: [(value: Double, velocity: Double)]

  init(_ clip: Clip, at time: Double, boundaries: [Double]) {
    // There are 2³² − 513 ticks.
    let tick = clip.duration * 0x1p-32 * (1 + 0x1p-22)
    let near = boundaries.filter { abs($0 - time) <= tick }
    sides = [time, max(time, -1) - tick, min(time, clip.duration + 1) + tick] + near
    ends = near.map { (clip.value(dimension: 0, at: $0), clip.velocity(dimension: 0, at: $0)) }
    var (largest, steepest, sharpest) = (abs(clip.initialValues[0]), 0.0, 0.0)
    var isMoment = false
    for track in clip.tracks {
      let touched = sides.map { track.piece(at: $0) }
      for index in (touched.min() ?? 0)...(touched.max() ?? 0) {
        let (piece, length) = (track.pieces[0][index], track.times[index + 1] - track.times[index])
        if length == 0 { ends.append((piece.x, 0)) }
        // From the middle, or for the first and the last piece from that end of the clip.
        for (middle, reach) in [(length / 2, length / 2), (0, length), (length, length)] {
          guard reach < length || index == 0 || index == track.pieceCount - 1 else { continue }
          let (a, b) = (abs(piece.cubicValue(at: middle)), abs(piece.cubicSlope(at: middle)) * reach)
          let (c, d) = (
            abs(piece.z + 3 * piece.w * middle) * reach * reach, abs(piece.w) * reach * reach * reach
          )
          largest = max(largest, a + b + c + d)
          guard reach > 0 else { continue }
          // A piece of at most one tick is shown as the line between its ends, over a whole tick.
          if length < 2 * tick { isMoment = true }
          steepest = max(steepest, (b + 2 * c + 3 * d) / reach)
          sharpest = max(sharpest, (2 * c + 6 * d) / (reach * reach))
        }
      }
    }
    let rounding = 8 * 0x1p-24
    value = clip.report.valueErrorBound + rounding * largest + tick / 2 * steepest
    let roundingOfSlopes = 10 * 0x1p-24 * steepest + tick / 2 * sharpest
    velocity = isMoment ? .infinity : clip.report.velocityErrorBound + roundingOfSlopes
  }
}

/// Curves of every form as JSON, drawn from a seed.
private struct RequestDraw {
  var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  static func list(_ numbers: [Double]) -> String {
    "[" + numbers.map(NumberText.json).joined(separator: ", ") + "]"
  }

  private mutating func pick<Element>(_ choices: [Element]) -> Element {
    choices[Int(random.next() % UInt64(choices.count))]
  }

  /// A curve, where it may jump or bend, and whether it is straight between these corners.
  mutating func curve() -> (text: String, corners: [Double], isStraight: Bool) {
    switch random.next() % 4 {
    case 0:
      let (name, curve) = pick(UnitCurve.named)
      return (NumberText.jsonString(name), [0] + (curve.corners ?? []) + [1], false)
    case 1:
      let x = [pick([0, 1, random.uniform(0...1)]), pick([0, 1, random.uniform(0...1)])]
      let y = [random.uniform(-1...2), random.uniform(-1...2)]
      return (#"{"bezier": \#(Self.list([x[0], y[0], x[1], y[1]]))}"#, [], false)
    case 2:
      let count = Int(random.next() % 12) + 2
      let position = pick(["jump-start", "jump-end", "jump-none", "jump-both", "start", "end"])
      let corners = (0...count).map { Double($0) / Double(count) }
      return (#"{"steps": \#(count), "position": "\#(position)"}"#, corners, true)
    default:
      var inputs = (0..<Int(random.next() % 6) + 2).map { _ in random.uniform(-0.3...1.3) }.sorted()
      if random.next() % 2 == 0 { inputs[1] = inputs[0] }
      let points = inputs.map { Self.list([$0, random.uniform(-1...2)]) }
      return ("{\"linear\": [\(points.joined(separator: ", "))]}", inputs, true)
    }
  }
}
