// SPDX-License-Identifier: MIT
import TestSupport
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// A bake gives the numbers that playing frame by frame shows.
struct AnimationBakeTests {
  /// Compares interleaved frames with what advances show: springs alone within two bounds, others bit by bit.
  private func compare(_ zoo: inout BakedZoo, _ baked: Baked, _ indices: Range<Int>, times: [Double]) throws {
    var (exact, near) = (0, 0)
    for (frame, time) in times.enumerated() {
      try zoo.batch.advance(to: time, velocities: frame % 2 == 0)
      for index in indices {
        let place = 2 * (frame * indices.count + index - indices.lowerBound)
        let track = zoo.batch.handle(at: index) ?? .noTrack
        let kind = zoo.batch.index(of: track).map { zoo.batch.engine.tracks.tiles.kind(at: $0) }
        let isExact = kind != .spring || zoo.batch.isAtRest(track) == true
        let (values, velocities) = (zoo.batch[track] ?? .zero, zoo.batch.velocity(of: track) ?? .zero)
        for component in 0..<2 {
          let (value, velocity) = (baked.values[place + component], baked.velocities[place + component])
          let (shown, speed) = (values[component], velocities[component])
          if isExact { exact += 1 } else { near += 1 }
          // Tracks set out at most 200 apart, and those that slide at most 100 per second fast.
          let isRight =
            isExact
            ? value.bitPattern == shown.bitPattern && velocity.bitPattern == speed.bitPattern
            : abs(value - shown) <= 16 * 0x1p-24 * 400 + value.ulp && abs(velocity - speed) <= 16 * 0x1p-24 * 400 * 20
          if !isRight {
            Issue.record("\(index), frame \(frame): \(value) \(velocity), not \(shown) \(speed)")
            return
          }
        }
      }
    }
    #expect(indices.count < 100 || exact > 0 && near > 0)
  }

  @Test("Frames are what advances show", arguments: KernelSet.available, [60.0, 9])
  func framesEqualThoseOfAdvance(_ set: KernelSet, _ perSecond: Double) throws {
    for (indices, count) in [(0..<700, 70), (150..<263, 40), (333..<334, 300)] {
      var zoo = try BakedZoo(kernels: set)
      let frames = zoo.frames(count, perSecond: perSecond)
      let baked = try Baked(zoo.batch, BakeRequest(frames, indices: indices, order: .interleaved))
      try compare(&zoo, baked, indices, times: frames.range.map { frames.time(of: $0) })
    }
  }

  @Test("Any part of the frames and of the tracks has the bits of the whole", arguments: [60.0, 1000])
  func partsHaveTheBitsOfTheWhole(_ perSecond: Double) throws {
    let zoo = try BakedZoo()
    let frames = zoo.frames(1300, perSecond: perSecond, from: 490)
    let whole = try Baked(zoo.batch, BakeRequest(frames, indices: 0..<700, components: 1..<2))
    let parts = [(490..<491, 0..<700), (497..<530, 100..<477), (511..<513, 0..<700), (1100..<1790, 399..<700)]
    for (range, indices) in parts {
      var part = frames
      part.range = range
      let baked = try Baked(zoo.batch, BakeRequest(part, indices: indices, components: 1..<2))
      let rows = range.lowerBound - 490..<range.upperBound - 490
      #expect(
        baked.bits == whole.part(rows: rows, columns: indices, of: 700).bits, "frames \(range), tracks \(indices)")
    }
  }

  @Test("All orders, components, threads and sets of kernels hold the same bits")
  func ordersHoldTheSameBits() throws {
    var zoo = try BakedZoo()
    let (frames, indices) = (zoo.frames(83), 5..<650)
    let all = try Baked(zoo.batch, BakeRequest(frames, indices: indices))
    let interleaved = try Baked(zoo.batch, BakeRequest(frames, indices: indices, order: .interleaved))
    let byTrack = try Baked(zoo.batch, BakeRequest(frames, indices: indices, order: .trackMajor))
    let second = try Baked(zoo.batch, BakeRequest(frames, indices: indices, components: 1..<2, order: .interleaved))
    // The places of a frame, a component and a track in the order of all.
    let count = indices.count
    func expect(
      _ other: Baked, _ components: Range<Int>, _ place: (_ frame: Int, _ component: Int, _ track: Int) -> Int
    ) {
      for frame in 0..<83 {
        for (component, track) in components.flatMap({ component in (0..<count).map { (component, $0) } }) {
          let (one, own) = ((frame * 2 + component) * count + track, place(frame, component, track))
          let isSame =
            other.values[own].bitPattern == all.values[one].bitPattern
            && other.velocities[own].bitPattern == all.velocities[one].bitPattern
          if !isSame { Issue.record("frame \(frame), track \(track), component \(component)") }
        }
      }
    }
    expect(interleaved, 0..<2) { ($0 * count + $2) * 2 + $1 }
    expect(byTrack, 0..<2) { ($2 * 2 + $1) * 83 + $0 }
    expect(second, 1..<2) { frame, _, track in frame * count + track }
    var values = [Float](repeating: .nan, count: all.values.count)
    var span = values.mutableSpan
    try zoo.batch.bake(BakeRequest(frames, indices: indices), into: &span)
    #expect(values.elementsEqual(all.values) { $0.bitPattern == $1.bitPattern })
    zoo.batch.threadCount = 3
    let threaded = try Baked(zoo.batch, BakeRequest(frames, indices: indices))
    #expect(threaded.bits == all.bits)
    for set in KernelSet.available {
      let other = try BakedZoo(kernels: set)
      let baked = try Baked(other.batch, BakeRequest(frames, indices: indices))
      #expect(baked.bits == all.bits, "\(set)")
    }
  }

  @Test("Lent parts have the bits of the whole, in every order", arguments: [1, 100, 512, 5000])
  func partsThatAreLent(_ framesAtOnce: Int) throws {
    let zoo = try BakedZoo(count: 450)
    for order in [BakeOrder.timeMajor, .interleaved, .trackMajor] {
      let request = BakeRequest(zoo.frames(230, from: 400), indices: 190..<290, order: order)
      let whole = try Baked(zoo.batch, request)
      var next = 0
      try zoo.batch.bake(request, framesAtOnce: framesAtOnce, velocities: true) { frames, values, velocities in
        #expect(frames.lowerBound == next)
        next = frames.upperBound
        let part = Baked(
          values: values.indices.map { values[$0] }, velocities: velocities.indices.map { velocities[$0] })
        // Rows are tracks and components, or frames.
        let expected =
          order == .trackMajor
          ? whole.part(rows: 0..<200, columns: frames, of: 230) : whole.part(rows: frames, columns: 0..<200, of: 200)
        #expect(part.bits == expected.bits, "\(order), frames \(frames)")
      }
      #expect(next == 230)
      struct Enough: Error {}
      var calls = 0
      #expect(throws: Enough.self) {
        try zoo.batch.bake(request, framesAtOnce: 10) { (_, _, velocities: Span<Float>) throws in
          calls += 1
          if calls == 3 || !velocities.isEmpty { throw Enough() }
        }
      }
      #expect(calls == 3)
    }
  }

  @Test("Output that is stored past the caches is whole", arguments: [4_096, 5_000])
  func rowsOffLinesAreWhole(_ count: Int) throws {
    var zoo = try BakedZoo(count: count)
    let rows = streamedFrames(columns: count - 3)
    let frames = zoo.frames(rows, perSecond: Double(rows) / 1.3)
    for (threads, first) in [(1, 3), (2, 0)] {
      zoo.batch.threadCount = threads
      try expectStreamedRows(first..<count, frames: rows) { indices, values in
        try zoo.batch.bake(BakeRequest(frames, indices: indices, components: 0..<1), into: &values)
      }
    }
  }

  @Test("Nothing changes, and completions are reported as if nothing had been baked")
  func nothingChanges() throws {
    var zoo = try BakedZoo()
    var other = try BakedZoo()
    _ = try Baked(zoo.batch, BakeRequest(zoo.frames(500), indices: 0..<700))
    for _ in 0..<3 {
      try zoo.batch.advance(by: 0.7)
      try other.batch.advance(by: 0.7)
      var shown = [SIMD2<Float>](repeating: .zero, count: 700)
      var expected = shown
      try zoo.batch.copyValues(into: &shown)
      try other.batch.copyValues(into: &expected)
      let (mine, theirs) = (zoo.batch.events, other.batch.events)
      #expect(shown == expected && !mine.isEmpty)
      #expect(mine.map(\.kind) == theirs.map(\.kind) && mine.map(\.moment) == theirs.map(\.moment))
    }
  }

  /// Counts how often it was evaluated.
  private struct Counted: CustomAnimation {
    struct Count: AnimationStateKey { static let defaultValue = 0 }

    func animate<V: VectorArithmetic>(value: V, time: Double, context: inout AnimationContext<V>) -> V? {
      context.state[Count.self] += 1
      return value.scaled(by: Double(context.state[Count.self]))
    }
  }

  @Test("A custom animation is evaluated at every frame in turn, in long bakes too")
  func customAnimations() throws {
    var batch = try AnimationBatch<SIMD2<Float>>()
    let tracks = try batch.add([[0, 0], [1, 1], [2, 2]])
    try batch.animate(tracks[0], to: [1, 2], Animation(Counted()))
    try batch.animate(tracks[1], to: [1, 2], .bouncy)
    try batch.animate(tracks[2], to: [3, 5], Animation(Counted()))
    // From frame 0 on they are cut at frames 4 096 and 8 192.
    let frames = BakeFrames(20..<8200, perSecond: 60)
    let baked = try Baked(batch, BakeRequest(frames, indices: 0..<3, order: .interleaved))
    var differences = 0
    for (row, frame) in frames.range.enumerated() {
      try batch.advance(to: frames.time(of: frame))
      for (index, track) in zip([0, 2], [tracks[0], tracks[2]]) {
        let shown = SIMD2(baked.values[6 * row + 2 * index], baked.values[6 * row + 2 * index + 1])
        if shown != batch[track] { differences += 1 }
      }
    }
    #expect(differences == 0)
    #expect(try #require(batch[tracks[0]]).x >= 8180)
  }
}
