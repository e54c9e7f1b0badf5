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
    let tracks = try batch.add(values)
    let twins = try twin.add(values.map { Float($0[dimensions - 1]) })
    let ends = goals.map { Float($0[dimensions - 1]) }
    try batch.animate(tracks[0], to: goals[0], .bouncy)
    try twin.animate(twins[0], to: ends[0], .bouncy)
    try batch.animate([tracks[1]], to: [goals[1]], .easeInOut(duration: 0.5))
    try twin.animate([twins[1]], to: [ends[1]], .easeInOut(duration: 0.5))
    try batch.decelerate([tracks[2]], velocities: [goals[2]])
    try twin.decelerate([twins[2]], velocities: [ends[2]])
    try batch.advance(to: 0.125)
    try twin.advance(to: 0.125)
    for (track, other) in zip(tracks, twins) {
      let (value, velocity) = (batch[track], batch.velocity(of: track))
      let (expected, speed) = (twin[other], twin.velocity(of: other))
      #expect(value?.items.count == dimensions && value?.component(dimensions - 1) == expected)
      #expect(velocity?.component(dimensions - 1) == speed)
    }
    // The pause makes the effect one that is computed track by track.
    try batch.animate(tracks[0], to: .zero, .easeOut(duration: 1))
    try batch.pause(tracks)
    try batch.resume(tracks)
    try batch.advance(to: 9)
    let (end, target) = (batch[tracks[0]], batch.target(of: tracks[0]))
    #expect(end == .zero && target == .zero)
    var all = [Components](repeating: [], count: 3)
    try batch.copyValues(into: &all)
    let slid = batch[tracks[2]]
    #expect(all[2] == slid && all[1].component(dimensions - 1) == ends[1])
    let count = batch.dimensions
    #expect(count == dimensions)
  }

  @Test("A vector of 16 or 32 components has the same bits as `Components` of that length")
  func vectors() throws {
    try check(SIMD16<Float>.self)
    try check(SIMD32<Float>.self)
  }

  private func check<Value: TrackValue & Equatable>(_ type: Value.Type) throws {
    var batch = try AnimationBatch<Value>()
    var twin = try AnimationBatch<Components>(dimensions: Value.dimensions)
    func value(_ track: Int) -> Value { Value { Float(track * 100 + $0) } }
    func components(_ value: Value) -> Components {
      Components((0..<Value.dimensions).map { Double(value.component($0)) })
    }
    let starts = (0..<20).map(value)
    let (goals, tracks) = (Array(starts.reversed()), try batch.add(starts))
    let twins = try twin.add(starts.map(components))
    try batch.animate(tracks, to: goals, .bouncy)
    try twin.animate(twins, to: goals.map(components), .bouncy)
    try batch.animate(tracks[3], to: starts[7], .easeIn(duration: 1))
    try twin.animate(twins[3], to: components(starts[7]), .easeIn(duration: 1))
    for time in [0.125, 0.5, 4] {
      try batch.advance(to: time, velocities: true)
      try twin.advance(to: time, velocities: true)
      var copies = [Value](repeating: Value { _ in .nan }, count: 20)
      try batch.copyValues(into: &copies)
      for (index, (track, other)) in zip(tracks, twins).enumerated() {
        let (value, velocity) = (batch[track], batch.velocity(of: track))
        let (expected, speed) = (twin[other], twin.velocity(of: other))
        #expect(value.map(components) == expected && velocity.map(components) == speed && copies[index] == value)
      }
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
    #expect(throws: BatchError.wrongDimensions(of: "value", expected: 3, got: 2)) {
      try batch.add([1, 2] as Components)
    }
    #expect(throws: BatchError.wrongDimensions(of: "goal", expected: 3, got: 4)) {
      try batch.animate(track, to: [1, 2, 3, 4], .smooth)
    }
    #expect(throws: BatchError.wrongDimensions(of: "velocity", expected: 3, got: 1)) {
      try batch.set([track], [[1, 2, 3]], velocities: [[1]])
    }
    #expect(throws: BatchError.invalidValue(of: "component 1 of goal", index: 0, value: .infinity)) {
      try batch.animate(track, to: [1, 1e300, 3], .smooth)
    }
    let sequence = try batch.load(
      try PhaseSequence(dimensions: 3, targets: [[0, 0, 0], [1, 1, 1]], animations: [nil, nil]))
    #expect(throws: BatchError.wrongDimensions(of: "scales", expected: 3, got: 1)) {
      try batch.play(sequence, on: track, scale: [1])
    }
    let value = batch[track]
    #expect(value == [1, 2, 3])
  }

  // MARK: - Clips

  /// A clip of a number of dimensions: most have pieces, in three groups of equal times, and some never change.
  private func clip(_ dimensions: Int, _ seed: UInt64) throws -> Clip {
    var random = SplitMix64(seed: seed)
    func number() -> Double { Double(Int64(bitPattern: random.next()) >> 40) / 0x1p20 }
    func cubic() -> SIMD4<Double> { SIMD4(number(), number(), number(), number()) }
    var tracks: [PieceTrack] = []
    for group in 0..<min(3, dimensions) {
      let components = (0..<dimensions).filter { $0 % 4 == group }
      let count = 2 + 5 * group
      let times = (0...count).map { Double($0) / Double(count) }
      let pieces = components.map { _ in (0..<count).map { _ in cubic() } }
      tracks.append(
        PieceTrack(components: components, times: times, pieces: pieces, boundariesBelongToLater: group == 1))
    }
    let initial = (0..<dimensions).map { _ in number() }
    return try Clip(dimensions: dimensions, initialValues: initial, tracks: tracks)
  }

  @Test("A call that names few tracks many times plays as calls about each track do")
  func namedOften() throws {
    var batch = try AnimationBatch<Components>(dimensions: 16)
    var twin = try AnimationBatch<Components>(dimensions: 16)
    let clip = try clip(16, 1)
    let (id, other) = (try batch.load(clip), try twin.load(clip))
    let still = [Components](repeating: .zero, count: 21)
    let (tracks, twins) = (try batch.add(still), try twin.add(still))
    try batch.play(id, on: [TrackHandle](repeating: tracks[0], count: 60) + tracks)
    for track in twins { try twin.play(other, on: track) }
    for frame in 0..<12 {
      try batch.advance(to: 0.1 * Double(frame), velocities: true)
      try twin.advance(to: 0.1 * Double(frame), velocities: true)
      for (track, twinTrack) in zip(tracks, twins) {
        let (value, expected) = (batch[track], twin[twinTrack])
        let (velocity, speed) = (batch.velocity(of: track), twin.velocity(of: twinTrack))
        #expect(value == expected && velocity == speed, "frame \(frame)")
      }
    }
  }

  @Test(
    "Instances of wide clips have the bits of a kernel over instances, and of a sampler, at every count",
    arguments: KernelSet.available)
  func wideClips(_ set: KernelSet) throws {
    for (dimensions, count) in [(16, 1), (17, 3), (57, 16), (300, 5), (33, 70)] {
      var batch = try AnimationBatch<Components>(dimensions: dimensions, kernels: set)
      var twin = try AnimationBatch<Components>(dimensions: dimensions, kernels: set)
      twin.engine.clips.playersBeforeOwnTiles = 0
      let clips = [try clip(dimensions, 1), try clip(dimensions, 2)]
      let ids = try clips.map { try batch.load($0) }
      let twinIDs = try clips.map { try twin.load($0) }
      let playbacks = (0..<count).map { (index: Int) -> Playback in
        Playback(
          delay: 0.03 * Double(index), speed: index % 3 == 2 ? -1 : 0.7, repetition: .count(3),
          autoreverses: index % 2 == 1, holdsAfter: index % 5 != 0)
      }
      let (chosen, others) = ((0..<count).map { ids[$0 / 3 % 2] }, (0..<count).map { twinIDs[$0 / 3 % 2] })
      let tracks = try batch.add(playing: chosen, playbacks)
      let twins = try twin.add(playing: others, playbacks)
      for frame in 0..<24 {
        if frame == 6 {
          let ramp = Components((0..<dimensions).map { Double($0) - 3 })
          let scales = (0..<count).map { Components(Array(repeating: Double($0 % 4), count: dimensions)) }
          let offsets = scales.map { ramp + $0 }
          try batch.setVariations(of: tracks, scales: scales, offsets: offsets)
          try twin.setVariations(of: twins, scales: scales, offsets: offsets)
        }
        if frame == 9 {
          try batch.compact()
          try twin.compact()
        }
        if frame == 12, count > 4 {
          try batch.remove([tracks[1], tracks[4]])
          try twin.remove([twins[1], twins[4]])
        }
        let time = frame == 15 ? 0.2 : 0.17 * Double(frame)
        try batch.advance(to: time, velocities: frame % 2 == 0)
        try twin.advance(to: time, velocities: frame % 2 == 0)
        for (track, other) in zip(tracks, twins) {
          let (value, expected) = (batch[track], twin[other])
          let (velocity, speed) = (batch.velocity(of: track), twin.velocity(of: other))
          #expect(value == expected && velocity == speed, "\(dimensions) dimensions, frame \(frame)")
        }
      }
      var sampler = try ClipSampler(clips[0], kernels: set)
      var alone = try AnimationBatch<Components>(dimensions: dimensions, kernels: set)
      let track = try alone.add(playing: try alone.load(clips[0]))
      var values = [Float](repeating: 0, count: dimensions)
      for time in [0, 0.1, 0.5, 0.999, 2] {
        try alone.advance(to: time)
        try sampler.sample(at: time)
        var span = values.mutableSpan
        try sampler.copyValues(into: &span)
        let shown = alone[track]
        #expect(shown == Components(values.map(Double.init)))
      }
    }
  }
}
