// SPDX-License-Identifier: MIT
import AnimationModel
import Murmuration
import MurmurationReference
import TestSupport
import Testing

@testable import Rigs

/// Columns that mixers read in place give the same bits as those that are copied, from every batch.
struct MixerReaderTests {
  private static let instances = 53
  private static let outputs = 70

  /// A mixer of three tracks, with or without a layer's weight as its fourth column.
  private static func mixer(_ set: KernelSet, isWeighted: Bool) throws -> Mixer {
    var random = SplitMix64(seed: 11)
    let layer = MixerLayer(
      .additive, trackCount: 3, shapes: random.floats(3 * outputs, -2...2), isWeighted: isWeighted)
    return try Mixer(base: random.floats(outputs, -1...1), layers: [layer], instances: instances, kernels: set)
  }

  private static func vectors<Value: TrackValue>(_ count: Int, _ random: inout SplitMix64) -> [Value] {
    (0..<count).map { _ in Value { _ in Float(random.uniform(0...1)) } }
  }

  /// Tracks that follow springs; if some turn, each third has another goal, and the last track is gone.
  private static func springs<Value: TrackValue>(
    _ type: Value.Type, someTurn: Bool = false
  ) throws -> AnimationBatch<Value> {
    var random = SplitMix64(seed: UInt64(Value.dimensions))
    var batch = try AnimationBatch<Value>()
    let handles = try batch.add(vectors(60, &random), to: vectors(60, &random), .smooth)
    if someTurn {
      try batch.remove(handles[59])
      let end: [Value] = vectors(1, &random)
      for index in stride(from: 0, to: 59, by: 3) { try batch.retarget(handles[index], to: end[0]) }
    }
    try batch.advance(to: 0.1)
    return batch
  }

  private static var canvas: [Float] { [Float](repeating: -4_321, count: instances * outputs) }

  /// The outputs that a body writes over the canvas.
  private static func painted(_ body: (inout MutableSpan<Float>) throws -> Void) rethrows -> [Float] {
    try written(instances * outputs, over: -4_321, body)
  }

  /// Expects the same bits in both ways where all columns come from one batch.
  private static func expectSame<Value: TrackValue>(
    _ batch: borrowing AnimationBatch<Value>, _ set: KernelSet, isWeighted: Bool
  ) throws {
    for (indices, instance) in [(0..<53, 0), (7..<60, 0), (3..<20, 3), (2..<20, 17), (5..<6, 52)] {
      if indices.upperBound == 60, batch.handle(at: 59) == nil { continue }
      var mixer = try mixer(set, isWeighted: isWeighted)
      let columns = 0..<mixer.columnCount
      let mixed = instance..<instance + indices.count
      try mixer.set(columns, from: batch, indices: indices, instance: instance)
      let copied = try painted { try mixer.mix(mixed, into: &$0) }
      var other = try Self.mixer(set, isWeighted: isWeighted)
      let read = try other.reading(columns, from: batch, indices: indices, instance: instance) { mixer in
        try painted { try mixer.mix(mixed, into: &$0) }
      }
      #expect(copied.map(\.bitPattern) == read.map(\.bitPattern) && copied != canvas, "\(indices)")
    }
  }

  @Test(arguments: KernelSet.available, [false, true])
  func motionsAreReadInPlace(_ set: KernelSet, _ isWeighted: Bool) throws {
    for someTurn in [false, true] {
      try Self.expectSame(Self.springs(SIMD4<Float>.self, someTurn: someTurn), set, isWeighted: isWeighted)
    }
    var random = SplitMix64(seed: 21)
    var clips = try AnimationBatch<SIMD4<Float>>()
    let pieces = (0..<4).map { _ in [SIMD4(random.uniform(0...1), random.uniform(-1...1), 0.25, 0)] }
    let clip = try clips.load(
      Clip(
        dimensions: 4, initialValues: [0, 0, 0, 0],
        tracks: [PieceTrack(components: [0, 1, 2, 3], times: [0, 1], pieces: pieces)]))
    let handles = try clips.add([SIMD4<Float>](repeating: .zero, count: 60))
    let playbacks = (0..<60).map { Playback(start: 0.01 * Double($0)) }
    try clips.play([ClipID](repeating: clip, count: 60), on: handles, playbacks)
    try clips.advance(to: 0.7)
    try Self.expectSame(clips, set, isWeighted: isWeighted)
  }

  /// Tracks of one batch, the layer's weight of another whose instances are in another order, and inputs that were set
  /// before.
  @Test(arguments: KernelSet.available, [false, true])
  func severalBatchesAreReadTogether(_ set: KernelSet, _ someTurn: Bool) throws {
    let muscles = try Self.springs(SIMD3<Float>.self)
    let fades = try Self.springs(SIMD2<Float>.self, someTurn: someTurn)
    var random = SplitMix64(seed: 3)
    let old = random.floats(4 * Self.instances, 0...1)
    var copying = try Self.mixer(set, isWeighted: true)
    try copying.set(0..<4, of: 0..<Self.instances, to: old.span)
    try copying.set(0..<3, from: muscles, indices: 1..<54)
    try copying.set(3..<4, from: fades, dimension: 1, indices: 10..<50, instance: 8)
    try copying.set(1..<2, from: fades, indices: 0..<20, instance: 20)
    let copied = try Self.painted { try copying.mix(into: &$0) }
    var mixer = try Self.mixer(set, isWeighted: true)
    try mixer.set(0..<4, of: 0..<Self.instances, to: old.span)
    let read = try mixer.reading(0..<3, from: muscles, indices: 1..<54) { mixer in
      try mixer.reading(3..<4, from: fades, dimension: 1, indices: 10..<50, instance: 8) { mixer in
        try mixer.reading(1..<2, from: fades, indices: 0..<20, instance: 20) { mixer in
          try Self.painted { try mixer.mix(into: &$0) }
        }
      }
    }
    #expect(copied.map(\.bitPattern) == read.map(\.bitPattern))
  }

  /// A row of weights that each track reads a few instances later: the columns overlap, which OpenBLAS refuses.
  @Test(arguments: KernelSet.available, [2, 40])
  func columnsMayOverlap(_ set: KernelSet, _ tracks: Int) throws {
    var random = SplitMix64(seed: 31)
    var batch = try AnimationBatch<Float>()
    try batch.add(Self.vectors(Self.instances + 8 * tracks, &random))
    let layer = MixerLayer(.additive, trackCount: tracks, shapes: random.floats(tracks * Self.outputs, 1...2))
    let base = [Float](repeating: 1, count: Self.outputs)
    var mixer = try Mixer(base: base, layers: [layer], instances: Self.instances, kernels: set)
    for track in 0..<tracks {
      try mixer.set(track..<track + 1, from: batch, indices: 8 * track..<8 * track + Self.instances)
    }
    let copied = try Self.painted { try mixer.mix(into: &$0) }
    func read(_ mixer: borrowing MixerReader, from track: Int) throws -> [Float] {
      guard track < tracks else { return try Self.painted { try mixer.mix(into: &$0) } }
      let indices = 8 * track..<8 * track + Self.instances
      return try mixer.reading(track..<track + 1, from: batch, indices: indices) { try read($0, from: track + 1) }
    }
    let read = try mixer.reading(0..<1, from: batch, indices: 0..<Self.instances) { try read($0, from: 1) }
    #expect(copied.map(\.bitPattern) == read.map(\.bitPattern) && copied.allSatisfy { $0 > 1 })
  }

  @Test func theBatchLentLastCounts() throws {
    let first = try Self.springs(SIMD4<Float>.self)
    let last = try Self.springs(SIMD3<Float>.self)
    var mixer = try Self.mixer(.portable, isWeighted: false)
    try mixer.set(0..<3, from: last, indices: 0..<53)
    let copied = try Self.painted { try mixer.mix(into: &$0) }
    let (read, alone) = try mixer.reading(0..<3, from: first, indices: 0..<53) { mixer in
      let read = try mixer.reading(0..<3, from: last, indices: 0..<53) { mixer in
        try Self.painted { try mixer.mix(into: &$0) }
      }
      return (read, try Self.painted { try mixer.mix(into: &$0) })
    }
    #expect(read == copied && alone != copied)
  }

  @Test func particlesAreReadByProperty() throws {
    var particles = Particles()
    let place = try particles.addProperty(SIMD2<Float>.self)
    let size = try particles.addProperty(Float.self)
    try particles.add(place.start(at: [[1, 3], [2, 4]]), size.start(at: [5, 6]))
    let layer = MixerLayer(.additive, trackCount: 1, shapes: [1])
    var mixer = try Mixer(base: [0], layers: [layer], instances: 2)
    let read = try mixer.reading(0..<1, from: particles[size], indices: 0..<2) { mixer in
      try written(2) { try mixer.mix(into: &$0) }
    }
    try mixer.set(0..<1, from: particles[size], indices: 0..<2)
    let copied = try written(2) { try mixer.mix(into: &$0) }
    #expect(read == [5, 6] && copied == [5, 6])
    #expect(throws: MatrixError.noTrack(index: 2)) { try mixer.set(0..<1, from: particles[size], indices: 1..<3) }
    #expect(throws: MatrixError.outOfRange("dimension", 1, count: 1)) {
      try mixer.reading(0..<1, from: particles[size], dimension: 1, indices: 0..<2) { _ in }
    }
  }

  // MARK: - Errors

  /// Copying from tracks and reading them in place refuse the same tracks, before anything is copied or mixed.
  @Test func whatCannotBeReadIsRefusedBeforeAnythingIsMixed() throws {
    var batch = try Self.springs(SIMD3<Float>.self)
    let handle = batch.handle(at: 20)
    try batch.remove(try #require(handle))
    var mixer = try Self.mixer(.portable, isWeighted: false)
    func expect(
      _ error: MatrixError, columns: Range<Int> = 0..<3, dimension: Int = 0, indices: Range<Int>, instance: Int = 0
    ) {
      #expect(throws: error) {
        try mixer.reading(columns, from: batch, dimension: dimension, indices: indices, instance: instance) { _ in
          Issue.record("\(error)")
        }
      }
      #expect(throws: error) {
        try mixer.set(columns, from: batch, dimension: dimension, indices: indices, instance: instance)
      }
    }
    expect(.noTrack(index: 20), indices: 0..<53)
    expect(.noTrack(index: 60), indices: 50..<61)
    expect(.noTrack(index: -1), indices: -1..<3)
    expect(.noTrack(index: .min), indices: .min ..< .max)
    for dimension in [1, -1, 3, Int.max, .min] {
      let bad = dimension == 1 ? 3 : dimension
      expect(.outOfRange("dimension", bad, count: 3), dimension: dimension, indices: 0..<10)
    }
    expect(.outOfRange("input column", 3, count: 3), columns: 1..<4, indices: 0..<10)
    expect(.outOfRange("input column", .min, count: 3), columns: .min ..< .max, indices: 0..<10)
    expect(.outOfRange("instance", 53, count: 53), indices: 0..<10, instance: 44)
    expect(.outOfRange("instance", 53, count: 53), indices: 0 ..< .max)
    for instance in [Int.max, .min, 53] {
      expect(.outOfRange("instance", instance, count: 53), indices: 0..<1, instance: instance)
    }
    // The mixer is as it was.
    try mixer.reading(0..<3, from: batch, indices: 21..<60) { mixer in
      var result = Self.canvas
      var span = result.mutableSpan
      #expect(throws: MatrixError.outOfRange("instance", 53, count: 53)) { try mixer.mix(0..<54, into: &span) }
      try mixer.mix(0..<39, into: &span)
      #expect(result[38 * Self.outputs] != -4_321 && result[39 * Self.outputs] == -4_321)
    }
  }

  @Test func weightsThatAreTooLargeAreRefused() throws {
    var batch = try AnimationBatch<SIMD2<Float>>()
    try batch.add([[1, 1], [1e10, 1e10], [1, 1]])
    let layer = MixerLayer(.additive, trackCount: 1, shapes: [1, 2], isWeighted: true)
    var mixer = try Mixer(base: [0, 0], layers: [layer], instances: 3)
    try mixer.reading(0..<2, from: batch, indices: 0..<3) { mixer in
      let result = try written(6, over: 9) { result in
        let error = MatrixError.invalidValue(of: "weight of instance", index: 1, value: 1e20)
        #expect(throws: error) { try mixer.mix(into: &result) }
        // The others can be mixed.
        try mixer.mix(2..<3, into: &result)
      }
      #expect(result == [1, 2, 9, 9, 9, 9])
    }
  }
}
