// SPDX-License-Identifier: MIT
import AnimationModel
import CSurface
import Murmuration
import Testing

/// The surface shows the bits of the same calls in Swift. The random programs that `Scripts/check-python` plays on it draw calls
/// about springs, curves, slides and hands; here are strides, parts, and what a batch tells.
@Suite final class SurfaceBitsTests {
  private static let count = 100
  private var random = SplitMix64(seed: 1)
  private var swift: AnimationBatch<SIMD2<Float>>
  private let handles: [TrackHandle]
  private let c: CBatch
  private let tracks: [murmuration_track]
  /// The changes whose ends were told.
  private var outcomeCount = 0

  init() throws {
    swift = try AnimationBatch()
    c = try CBatch()
    let start = (0..<Self.count).map { SIMD2(Float($0), Float(-$0)) }
    handles = try swift.add(start)
    tracks = try c.add(start.flatMap { [$0.x, $0.y] })
  }

  /// Draws a vector for each track.
  private func draw(_ count: Int = count) -> [SIMD2<Float>] {
    (0..<count).map { _ in SIMD2(Float(random.uniform(-50...50)), Float(random.uniform(-50...50))) }
  }

  private func numbers(_ values: [SIMD2<Float>]) -> [Float] { values.flatMap { [$0.x, $0.y] } }

  /// Advances both, and compares values, velocities, targets and events.
  private func compare(
    until end: Double, frames: Int = 40, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let start = swift.time
    var values = [SIMD2<Float>](repeating: .zero, count: swift.indexCount)
    for frame in 0...frames {
      let time = start + (end - start) * Double(frame) / Double(frames)
      try swift.advance(to: time, velocities: true)
      #expect(murmuration_advance(c.id, time, MURMURATION_WITH_VELOCITIES) == ok)
      // Compared outside of the expectations, which would print all numbers.
      try swift.copyValues(into: &values)
      let hasValues = numbers(values).map(\.bitPattern) == c.read(MURMURATION_VALUES).map(\.bitPattern)
      var span = values.mutableSpan
      try swift.copyVelocities(into: &span)
      let hasVelocities = numbers(values).map(\.bitPattern) == c.read(MURMURATION_VELOCITIES).map(\.bitPattern)
      let targets = handles.map { swift.target(of: $0) ?? .zero }
      let hasTargets = numbers(targets) == c.read(MURMURATION_TARGETS)
      #expect(hasValues && hasVelocities && hasTargets, "at \(time)", sourceLocation: sourceLocation)
      let (a, b) = (swift.events, c.events)
      let hasEvents = a.elementsEqual(b) { a, b in
        a.track.index == Int(b.track.index) && a.change.rawValue == b.change && a.moment == b.time
          && Int64(a.number) == b.number && Int32(a.kind.rawValue) == b.kind
      }
      let hasOutcomes = swift.outcomes.elementsEqual(c.outcomes) { a, b in
        a.change.rawValue == b.change && a.completed == b.completed && a.replaced == b.replaced
          && a.removed == b.removed
      }
      let hasTrackOutcomes = swift.trackOutcomes.elementsEqual(c.trackOutcomes) { a, b in
        a.track.index == Int(b.track.index) && a.change.rawValue == b.change && Int32(a.result.rawValue) == b.result
      }
      outcomeCount += swift.outcomes.count
      #expect(hasEvents && hasOutcomes && hasTrackOutcomes, "at \(time)", sourceLocation: sourceLocation)
    }
  }

  /// Every call that has a completion, with both, and changes that are complete, replaced and removed.
  @Test func endsOfChanges() throws {
    let (settled, logical) = (Int32(MURMURATION_UNTIL_SETTLED), Int32(MURMURATION_UNTIL_LOGICALLY_COMPLETE))
    var (bouncy, each) = (spring(0.5, 0.3), [spring(0.2, 0), murmuration_animation()])
    #expect(murmuration_animate(c.id, tracks, 0, 40, [7, 8], 0, 1, &bouncy, nil, settled, nil) == ok)
    try swift.animate(Array(handles[..<40]), to: [7, 8], .bouncy, completion: .settled)
    // The number of tracks decides which call of the engine it is.
    #expect(murmuration_animate_each(c.id, tracks, 40, 2, [7, 8], 0, 1, each, [0, 0.1], logical, nil) == ok)
    try swift.animate(
      Array(handles[40..<42]), to: [7, 8], animations: [.spring(duration: 0.2), nil], delays: [0, 0.1],
      completion: .logicallyComplete)
    #expect(murmuration_animate_each(c.id, tracks, 42, 1, [7, 8], 0, 1, each, nil, logical, nil) == ok)
    try swift.animate(handles[42], to: [7, 8], .spring(duration: 0.2), completion: .logicallyComplete)
    #expect(murmuration_retarget(c.id, tracks, 43, 10, [7, 8], 0, 1, nil, settled, nil) == ok)
    try swift.retarget(Array(handles[43..<53]), to: [7, 8], completion: .settled)
    #expect(murmuration_decelerate(c.id, tracks, 53, 10, [90, 9], 0, 1, 0.99, nil, nil, 0, nil, settled, nil) == ok)
    try swift.decelerate(Array(handles[53..<63]), velocity: [90, 9], by: .fast, completion: .settled)
    var (clip, phases) = (murmuration_clip(), murmuration_phases())
    let cubic = keyframe(MURMURATION_CUBIC_KEYFRAME, to: 5, duration: 0.4)
    #expect(murmuration_load_clip(c.id, [0, 0], [cubic, cubic], [1, 1], 2, 0, &clip, nil) == ok)
    let model = try Clip(initialValue: SIMD2<Double>(0, 0)) { _ in
      KeyframeTrack(\.x) { CubicKeyframe(5, duration: 0.4) }
      KeyframeTrack(\.y) { CubicKeyframe(5, duration: 0.4) }
    }
    #expect(murmuration_play_clip(c.id, &clip, tracks, 63, 10, nil, 0, 0, logical, nil) == ok)
    try swift.play(try swift.load(model), on: Array(handles[63..<73]), completion: .logicallyComplete)
    #expect(murmuration_load_phases(c.id, [0, 0, 1, 1], [each[0], each[0]], 2, 2, &phases) == ok)
    let sequence = try PhaseSequence(
      dimensions: 2, targets: [[0, 0], [1, 1]],
      animations: [.spring(duration: 0.2, bounce: 0), .spring(duration: 0.2, bounce: 0)])
    let mode = Int32(MURMURATION_TRIGGERED)
    #expect(murmuration_play_phases(c.id, &phases, tracks, 73, 10, mode, nil, nil, 0, 0, nil, 0, 0, nil) == ok)
    try swift.play(try swift.load(sequence), on: Array(handles[73..<83]), .triggered)
    #expect(murmuration_trigger(c.id, tracks, 73, 10, settled, nil) == ok)
    try swift.trigger(Array(handles[73..<83]), completion: .settled)
    #expect(murmuration_displace(c.id, tracks, 83, 5, [1, 2], 0, 1, nil, 0, 0, nil) == ok)
    try swift.displace(Array(handles[83..<88]), [1, 2])
    try compare(until: 0.1)
    #expect(murmuration_stop(c.id, tracks, 0, 3) == ok && murmuration_remove(c.id, tracks, 5, 4) == ok)
    try swift.stop(Array(handles[..<3]))
    try swift.remove(Array(handles[5..<9]))
    try compare(until: 9, frames: 200)
    #expect(outcomeCount == 7)
  }

  @Test func bakes() throws {
    var bouncy = spring(0.5, 0.3)
    let goals = draw()
    #expect(murmuration_animate(c.id, tracks, 0, 100, numbers(goals), 2, 1, &bouncy, nil, 0, nil) == ok)
    try swift.animate(handles, to: goals, .bouncy)
    for (order, code) in [
      (BakeOrder.timeMajor, MURMURATION_TIME_MAJOR), (.interleaved, MURMURATION_INTERLEAVED),
      (.trackMajor, MURMURATION_TRACK_MAJOR),
    ] {
      var request = murmuration_bake_request(
        start: 0.1, frames_per_second: 60, first_frame: 3, frame_count: 20, first_index: 10, index_count: 50,
        first_component: 0, component_count: all, order: Int32(code), reserved: 0)
      var (values, speeds) = ([Float](repeating: .nan, count: 2_000), [Float](repeating: .nan, count: 2_000))
      #expect(murmuration_bake(c.id, &request, nil, 0, &values, &speeds, 2_000) == ok)
      var (expected, expectedSpeeds) = (values, speeds)
      var span = expected.mutableSpan
      var speedSpan = expectedSpeeds.mutableSpan
      try swift.bake(
        BakeRequest(BakeFrames(3..<23, perSecond: 60, start: 0.1), indices: 10..<60, order: order), into: &span,
        velocities: &speedSpan)
      #expect(values == expected && speeds == expectedSpeeds)
      (request.first_component, request.component_count) = (1, 1)
      let times = [0.5, 0.1, 7]
      var few = [Float](repeating: .nan, count: 150)
      #expect(murmuration_bake(c.id, &request, times, 3, &few, nil, 150) == ok)
      var other = few
      span = other.mutableSpan
      try swift.bake(BakeRequest(at: times, indices: 10..<60, components: 1..<2, order: order), into: &span)
      #expect(few == other && murmuration_bake(c.id, &request, times, 3, &few, nil, 149) == MURMURATION_INVALID_COUNT)
      #expect(murmuration_bake(c.id, &request, nil, 0, nil, nil, 0) == MURMURATION_INVALID_COUNT)
    }
  }

  /// Values are written between numbers of the caller, which stay.
  @Test func readingWithStrides() throws {
    #expect(murmuration_advance(c.id, 0.1, 0) == ok && murmuration_remove(c.id, tracks, 7, 1) == ok)
    let values = c.read(MURMURATION_VALUES)
    #expect(values[14] == 0 && values[15] == 0)
    func expect(_ track: Int32, _ component: Int32, _ first: Int, _ count: Int, _ handles: [murmuration_track]?) {
      var output = [Float](repeating: -7, count: 1_000)
      #expect(
        murmuration_read(
          c.id, Int32(MURMURATION_VALUES), handles, Int32(first), Int32(count), &output, track, component) == ok)
      var expected = [Float](repeating: -7, count: 1_000)
      for index in 0..<count {
        for dimension in 0..<2 {
          expected[index * Int(track) + dimension * Int(component)] = values[2 * (first + index) + dimension]
        }
      }
      #expect(output == expected)
    }
    for (track, component) in [(2, 1), (1, 100), (3, 1), (5, 2), (1, 300)] as [(Int32, Int32)] {
      expect(track, component, 0, 100, nil)
      expect(track, component, 5, 90, nil)
      expect(track, component, 20, 60, tracks)
    }
    // By handle, velocities need not have been computed.
    var numbers = [Float](repeating: 0, count: 200)
    let what = Int32(MURMURATION_VELOCITIES)
    #expect(murmuration_read(c.id, what, nil, 0, all, &numbers, 2, 1) == MURMURATION_VELOCITIES_NOT_COMPUTED)
    #expect(murmuration_read(c.id, what, tracks, 20, 60, &numbers, 2, 1) == ok)
    #expect(murmuration_read(c.id, what, tracks, 0, 100, &numbers, 2, 1) == MURMURATION_STALE_HANDLE)
  }

  @Test func verticesHaveTheBytesOfSwift() throws {
    #expect(murmuration_advance(c.id, 0.1, 1) == ok)
    try swift.advance(to: 0.1, velocities: true)
    for (code, format) in VertexLayout.Format.allCases.enumerated() {
      for (offset, stride, components) in [(0, 0, []), (3, 13, [1, 0, 1])] as [(Int32, Int32, [Int32])] {
        var (bytes, expected) = ([UInt8](repeating: 7, count: 1_400), [UInt8](repeating: 7, count: 1_400))
        let fits = stride == 0 || format.size * components.count <= stride
        components.withUnsafeBufferPointer { list in
          var layout = murmuration_vertex_layout(
            components: list.isEmpty ? nil : list.baseAddress, component_count: Int32(list.count), format: Int32(code),
            offset: offset, stride: stride, color_source: 0, color_destination: 0)
          let what = Int32(MURMURATION_VELOCITIES)
          let status = murmuration_copy_vertices(c.id, what, nil, 3, 97, &layout, &bytes, 1_400)
          #expect(status == (fits ? ok : Int32(MURMURATION_INVALID_STRIDE)))
        }
        guard fits else { continue }
        var span = expected.mutableSpan
        var output = span.mutableBytes
        let layout = VertexLayout(
          offset: Int(offset), stride: stride == 0 ? nil : Int(stride), format, components: components.map { Int($0) })
        try swift.copyVelocities(of: 3..<100, into: &output, layout: layout)
        #expect(bytes == expected)
      }
    }
  }

  @Test func theHashIsTheSameEverywhere() {
    var hash: UInt64 = 0
    #expect(murmuration_same_bits(&hash) == ok && hash == 0x4e4b_3474_32dd_aacd)
  }
}
