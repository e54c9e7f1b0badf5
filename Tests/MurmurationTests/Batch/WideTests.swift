// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// Values of many dimensions.
struct WideTests {
  @Test("A batch treats each of many dimensions as a batch of one does", arguments: [1, 5, 4096])
  func components(_ dimensions: Int) throws {
    var batch = try AnimationBatch<Components>(dimensions: dimensions)
    var twin = try AnimationBatch<Float>()
    let values = (0..<3).map { track in Components((0..<dimensions).map { Double(track + $0) }) }
    let goals = values.map { Components($0.items.map { $0 * 2 + 1 }) }
    let (tracks, twins) = (try batch.add(values), try twin.add(values.map { Float($0[dimensions - 1]) }))
    let ends = goals.map { Float($0[dimensions - 1]) }
    for (index, animation) in [Animation.bouncy, .easeInOut(duration: 0.5)].enumerated() {
      try batch.animate(tracks[index], to: goals[index], animation)
      try twin.animate(twins[index], to: ends[index], animation)
    }
    try batch.decelerate(tracks[2], velocity: goals[2])
    try twin.decelerate(twins[2], velocity: ends[2])
    try batch.advance(to: 0.125)
    try twin.advance(to: 0.125)
    for (track, other) in zip(tracks, twins) {
      let (value, velocity) = (batch[track], batch.velocity(of: track))
      #expect(value?.items.count == dimensions && value?.component(dimensions - 1) == twin[other])
      #expect(velocity?.component(dimensions - 1) == twin.velocity(of: other))
    }
    // The pause makes the effect one that is computed track by track.
    try batch.animate(tracks[0], to: .zero, .easeOut(duration: 1))
    try batch.pause(tracks)
    try batch.resume(tracks)
    try batch.advance(to: 9)
    var all = [Components](repeating: [], count: 3)
    try batch.copyValues(into: &all)
    #expect(all[0] == .zero && batch[tracks[0]] == .zero && batch.target(of: tracks[0]) == .zero)
    #expect(all[2] == batch[tracks[2]] && all[1].component(dimensions - 1) == ends[1])
    #expect(batch.dimensions == dimensions)
  }

  @Test("A vector of 16 or 32 components has the same bits as `Components` of that length")
  func vectors() throws {
    try check(SIMD16<Float>.self)
    try check(SIMD32<Float>.self)
  }

  private func check<Value: TrackValue & Equatable>(_ type: Value.Type) throws {
    var batch = try AnimationBatch<Value>()
    var twin = try AnimationBatch<Components>(dimensions: Value.dimensions)
    let starts = (0..<20).map { track in Value { Float(track * 100 + $0) } }
    let wide = starts.map { start in Components((0..<Value.dimensions).map { Double(start.component($0)) }) }
    let (tracks, twins) = (try batch.add(starts), try twin.add(wide))
    try batch.animate(tracks, to: Array(starts.reversed()), .bouncy)
    try twin.animate(twins, to: Array(wide.reversed()), .bouncy)
    try batch.animate(tracks[3], to: starts[7], .easeIn(duration: 1))
    try twin.animate(twins[3], to: wide[7], .easeIn(duration: 1))
    for time in [0.125, 0.5, 4] {
      try batch.advance(to: time, velocities: true)
      try twin.advance(to: time, velocities: true)
      var copies = [Value](repeating: Value { _ in .nan }, count: 20)
      try batch.copyValues(into: &copies)
      #expect(batch.bits(of: tracks) == twin.bits(of: twins) && tracks.map { batch[$0] } == copies)
    }
  }

  @Test("A component that a value lacks is 0 in sums and differences, and adds nothing to a magnitude")
  func unequalLengths() {
    let (long, short): (Components, Components) = ([1, -2, 3], [10])
    #expect((long + short).items == [11, -2, 3] && (short + long).items == [11, -2, 3])
    #expect((long - short).items == [-9, -2, 3] && (short - long).items == [9, 2, -3])
    #expect(long.magnitudeSquared == 14 && short.magnitudeSquared == 100 && Components.zero.magnitudeSquared == 0)
    #expect(short == [10, 0, 0] && short != long && Components.zero == [0, 0])
  }

  @Test func refusals() throws {
    for dimensions in [-1, 0, 4097] {
      #expect(throws: BatchError.invalidDimensions(dimensions)) {
        _ = try AnimationBatch<Components>(dimensions: dimensions)
      }
    }
    #expect(throws: BatchError.invalidDimensions(0)) { _ = try AnimationBatch<Components>() }
    #expect(throws: BatchError.capacityExceeded(1 << 28)) {
      _ = try AnimationBatch<Components>(dimensions: 4096, reservingCapacity: 1 << 28)
    }
    var batch = try AnimationBatch<Components>(dimensions: 3)
    let track = try batch.add([1, 2, 3])
    let sequence = try batch.load(
      try PhaseSequence(dimensions: 3, targets: [[0, 0, 0], [1, 1, 1]], animations: [nil, nil]))
    func wrong(_ what: String, _ got: Int) -> BatchError { .wrongDimensions(of: what, expected: 3, got: got) }
    #expect(throws: wrong("value", 2)) { try batch.add([1, 2] as Components) }
    #expect(throws: wrong("goal", 4)) { try batch.animate(track, to: [1, 2, 3, 4], .smooth) }
    #expect(throws: wrong("velocity", 1)) { try batch.set([track], [[1, 2, 3]], velocities: [[1]]) }
    #expect(throws: wrong("scales", 1)) { try batch.play(sequence, on: track, scale: [1]) }
    #expect(throws: BatchError.invalidValue(of: "component 1 of goal", index: 0, value: .infinity)) {
      try batch.animate(track, to: [1, 1e300, 3], .smooth)
    }
    #expect(batch[track] == [1, 2, 3])
  }

  // MARK: - Clips

  /// A clip of a number of dimensions: most have pieces, in three groups of equal times, and some never change.
  private func clip(_ dimensions: Int, _ seed: UInt64) throws -> Clip {
    var random = SplitMix64(seed: seed)
    func numbers(_ count: Int) -> [Double] { (0..<count).map { _ in random.uniform(-8...8) } }
    let tracks = (0..<min(3, dimensions)).map { group in
      let components = (0..<dimensions).filter { $0 % 4 == group }
      let count = 2 + 5 * group
      return PieceTrack(
        components: components, times: (0...count).map { Double($0) / Double(count) },
        pieces: components.map { _ in (0..<count).map { _ in SIMD4(numbers(4)) } },
        boundariesBelongToLater: group == 1)
    }
    return try Clip(dimensions: dimensions, initialValues: numbers(dimensions), tracks: tracks)
  }

  @Test("A call that names few tracks many times plays as calls about each track do")
  func namedOften() throws {
    var batch = try AnimationBatch<Components>(dimensions: 16)
    let clip = try batch.load(try clip(16, 1))
    let still = [Components](repeating: .zero, count: 21)
    let (tracks, twins) = (try batch.add(still), try batch.add(still))
    try batch.play(clip, on: [TrackHandle](repeating: tracks[0], count: 60) + tracks)
    for track in twins { try batch.play(clip, on: track) }
    for frame in 0..<12 {
      try batch.advance(to: 0.1 * Double(frame), velocities: true)
      #expect(batch.bits(of: tracks) == batch.bits(of: twins), "frame \(frame)")
    }
  }

  @Test(
    "Instances of wide clips have the bits of a kernel over instances, and of a sampler, at every count",
    arguments: KernelSet.available, [(16, 1), (17, 3), (57, 16), (300, 5), (33, 70)])
  func wideClips(_ set: KernelSet, _ size: (dimensions: Int, count: Int)) throws {
    let (dimensions, count) = size
    let clips = [try clip(dimensions, 1), try clip(dimensions, 2)]
    let playbacks = (0..<count).map { (index: Int) -> Playback in
      Playback(
        delay: 0.03 * Double(index), speed: index % 3 == 2 ? -1 : 0.7, repetition: .count(3),
        autoreverses: index % 2 == 1, holdsAfter: index % 5 != 0)
    }
    /// The bits of all frames.
    func play(ownTiles: Bool) throws -> [[UInt32]] {
      var batch = try AnimationBatch<Components>(dimensions: dimensions, kernels: set)
      if ownTiles { batch.engine.clips.playersBeforeOwnTiles = 0 }
      let ids = try clips.map { try batch.load($0) }
      let tracks = try batch.add(playing: (0..<count).map { ids[$0 / 3 % 2] }, playbacks)
      return try (0..<24).map { frame in
        if frame == 6 {
          let ramp = Components((0..<dimensions).map { Double($0) - 3 })
          let scales = (0..<count).map { Components(Array(repeating: Double($0 % 4), count: dimensions)) }
          try batch.setVariations(of: tracks, scales: scales, offsets: scales.map { ramp + $0 })
        }
        if frame == 9 { try batch.compact() }
        if frame == 12, count > 4 { try batch.remove([tracks[1], tracks[4]]) }
        try batch.advance(to: frame == 15 ? 0.2 : 0.17 * Double(frame), velocities: frame % 2 == 0)
        return batch.bits(of: tracks)
      }
    }
    #expect(try play(ownTiles: false) == play(ownTiles: true))
    var sampler = try ClipSampler(clips[0], kernels: set)
    var alone = try AnimationBatch<Components>(dimensions: dimensions, kernels: set)
    let track = try alone.add(playing: try alone.load(clips[0]))
    var values = [Float](repeating: 0, count: dimensions)
    for time in [0, 0.1, 0.5, 0.999, 2] {
      try alone.advance(to: time)
      try sampler.sample(at: time)
      var span = values.mutableSpan
      try sampler.copyValues(into: &span)
      #expect(alone[track] == Components(values.map(Double.init)))
    }
  }
}
