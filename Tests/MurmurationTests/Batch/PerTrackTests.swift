// SPDX-License-Identifier: MIT
import Murmuration
import Testing

/// What calls say of their tracks: options that combine, layouts in memory, and reads of any selection.
struct PerTrackTests {
  typealias Batch = AnimationBatch<SIMD2<Float>>

  @Test func delaysAddUp() throws {
    var batch = try AnimationBatch<Float>()
    let (tracks, others) = (try batch.add([1, 2, 3]), try batch.add([1, 2, 3]))
    try batch.animate(tracks, to: [4, 5, 6], .bouncy, delay: 0.25, delays: [0, 0.5, 1])
    try batch.animate(others, to: [4, 5, 6], .bouncy, delays: [0.25, 0.75, 1.25])
    try batch.advance(to: 1)
    try batch.retarget(tracks, to: -1, delay: 0.25, delays: 0.5)
    try batch.retarget(others, to: -1, delays: [0.75, 0.75, 0.75])
    for time in [1, 2] {
      try batch.advance(to: Double(time))
      #expect(tracks.map { batch[$0] } == others.map { batch[$0] })
    }
  }

  /// An animation that is left out is the default one, and a velocity that is left out is 0.
  @Test func argumentsThatAreLeftOut() throws {
    var batch = try Batch()
    let tracks = try batch.add([SIMD2<Float>](repeating: .zero, count: 6))
    try batch.animate(tracks[0], to: [7, 8])
    try batch.animate(tracks[1...2], to: [[7, 8], [7, 8]])
    try batch.animate(3..<4, toPlanar: [7, 8])
    try batch.animate(tracks[4], to: [7, 8], .default)
    try batch.animate(tracks[5], to: [1, 1], nil)
    try batch.advance(to: 0.2)
    let shown = batch[tracks[4]] ?? .zero
    #expect(tracks[..<4].allSatisfy { batch[$0] == shown } && shown.x > 0.5 && batch[tracks[5]] == [1, 1])
    try batch.set(tracks[0], [1, 2])
    try batch.displace(tracks[1], [1, 2])
    #expect(tracks[..<2].allSatisfy { batch.velocity(of: $0) == .zero && batch[$0] == [1, 2] })
    try batch.advance(to: 0.3)
    #expect(batch[tracks[0]] == [1, 2] && batch[tracks[1]] != [1, 2])
    var dynamic = try AnimationBatch<Components>(dimensions: 3)
    let track = try dynamic.add([1, 2, 3])
    try dynamic.set(track, [4, 5, 6])
    #expect(dynamic[track] == [4, 5, 6] && dynamic.velocity(of: track) == [0, 0, 0])
  }

  @Test func springsAndAnimationsExcludeEachOther() throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([1, 2])
    #expect(throws: BatchError.springsAndAnimations) {
      try batch.animate(tracks, to: 3, springs: [.bouncy, .smooth], animations: [.bouncy, .smooth])
    }
    // A list of another length is no list for all.
    for count in [0, 1, 3] {
      let error = BatchError.wrongCount(of: "springs", expected: 2, got: count)
      let springs = [Spring](repeating: .bouncy, count: count)
      #expect(throws: error) { try batch.animate(tracks, to: 3, springs: springs) }
      #expect(throws: error) { try batch.follow(tracks, springs: springs) }
      #expect(throws: error) { try batch.add([1, 2], to: [3, 4], springs: springs) }
    }
    #expect(tracks.map { batch.target(of: $0) } == [1, 2] && batch.count == 2)
  }

  // MARK: - Memory

  @Test func layoutsOfMemory() throws {
    var batch = try Batch()
    let tracks = try batch.add(planar: [9, 1, 2, 9, 3, 4, 9, 5, 6], layout: .interleaved(stride: 3, offset: 1))
    #expect(tracks.map { batch[$0] } == [[1, 2], [3, 4], [5, 6]])
    // Every second number of columns of four.
    let layout = ColumnLayout(offset: 1, trackStride: 2, componentStride: 6)
    let numbers: [Float] = [0, 10, 0, 11, 0, 12, 0, 20, 0, 21, 0, 22]
    try batch.set(tracks, planar: numbers, layout: layout)
    #expect(tracks.map { batch[$0] } == [[10, 20], [11, 21], [12, 22]])
    // Memory may be longer than a call needs, and never shorter.
    try batch.set(tracks[0..<2], planar: [1, 2, 3, 4, 5, 6, 7], layout: .interleaved(stride: 2))
    #expect(tracks.map { batch[$0] } == [[1, 2], [3, 4], [12, 22]])
    #expect(throws: BatchError.wrongCount(of: "values", expected: 3, got: 2)) {
      try batch.set(tracks, planar: [1, 2, 3, 4, 5], layout: .interleaved(stride: 2))
    }
    // What a copy into whole columns needs is what a call with the same layout reads.
    var copy: [Float] = [1, 0, 0, 2, 0, 0, 3, 0, 0, 4]
    let sparse = ColumnLayout(trackStride: 3)
    try batch.set(tracks[0..<2], planar: copy, layout: sparse)
    #expect(tracks.map { batch[$0] } == [[1, 3], [2, 4], [12, 22]])
    try batch.advance(by: 1)
    copy = [Float](repeating: 0, count: 16)
    var span = copy.mutableSpan
    try batch.copyValues(planar: &span, layout: sparse)
    #expect(copy == [1, 0, 0, 2, 0, 0, 12, 0, 0, 3, 0, 0, 4, 0, 0, 22])
    #expect(throws: BatchError.unequalColumns(count: 9, dimensions: 2)) {
      try batch.set(tracks[0..<2], planar: copy[..<9].map { $0 }, layout: sparse)
    }
    var output = [Float](repeating: 0, count: 12)
    for layout in [
      ColumnLayout(offset: -1), ColumnLayout(offset: .max), ColumnLayout(trackStride: 0),
      ColumnLayout(trackStride: -3), ColumnLayout(trackStride: .min), ColumnLayout(componentStride: 0),
      ColumnLayout(componentStride: .max),
    ] {
      var span = output.mutableSpan
      #expect(throws: BatchError.self) { try batch.animate(tracks, toPlanar: numbers, layout: layout) }
      #expect(throws: BatchError.self) { try batch.copyValues(planar: &span, layout: layout) }
    }
    #expect(output.allSatisfy { $0 == 0 })
  }

  @Test func layoutsThatNoMemoryHolds() throws {
    let most = Int(Int32.max)
    var batch = try AnimationBatch<Components>(dimensions: 4096)
    let tracks = try batch.add([Components](repeating: Components([]), count: 3))
    var output = [Float](repeating: -1, count: 100)
    for layout in [
      ColumnLayout(trackStride: most), ColumnLayout(offset: most, trackStride: most),
      ColumnLayout(offset: most, trackStride: most, componentStride: most), ColumnLayout(componentStride: most),
    ] {
      var span = output.mutableSpan
      #expect(throws: BatchError.self) { try batch.copyValues(planar: &span, layout: layout) }
      #expect(throws: BatchError.self) {
        try batch.set(tracks, planar: [Float](repeating: 0, count: 100), layout: layout)
      }
      // Of one component the numbers of three tracks need not be far apart.
      guard layout.trackStride == most else { continue }
      #expect(throws: BatchError.self) { try batch.copyValues(of: tracks, component: 1, planar: &span, layout: layout) }
    }
    #expect(output.allSatisfy { $0 == -1 })
  }

  @Test func readsOfAnySelection() throws {
    var batch = try Batch()
    let tracks = try batch.add((0..<40).map { SIMD2(Float($0), -Float($0)) })
    try batch.animate(.all, to: [100, 200], .bouncy)
    try batch.remove(tracks[7])
    try batch.advance(to: 0.1, velocities: true)
    let range = 3..<30
    let expected = range.map { batch[tracks[$0]] ?? .zero }
    var values = [SIMD2<Float>](repeating: .one, count: 28)
    try batch.copyValues(of: range, into: &values)
    #expect(values == expected + [.one])
    let chosen = [tracks[20], tracks[3]]
    var span = values.mutableSpan
    try batch.copyVelocities(of: chosen, into: &span)
    #expect(values[0] == batch.velocity(of: chosen[0]) && values[1] == batch.velocity(of: chosen[1]))
    span = values.mutableSpan
    try batch.copyTargets(of: tracks[4], into: &span)
    #expect(values[0] == [100, 200])
    #expect(throws: BatchError.staleHandle(tracks[7])) { try batch.copyValues(of: tracks[6...8], into: &values) }
    #expect(throws: BatchError.trackOutOfRange(40, count: 40)) { try batch.copyValues(of: 39..<41, into: &values) }
    #expect(throws: BatchError.wrongCount(of: "output", expected: 40, got: 28)) { try batch.copyValues(into: &values) }

    // Vertices of four numbers, of which others own two.
    var vertices = [Float](repeating: -1, count: 4 * range.count)
    var output = vertices.mutableSpan
    try batch.copyValues(of: range, planar: &output, layout: .interleaved(stride: 4, offset: 1))
    for (place, value) in expected.enumerated() {
      #expect(Array(vertices[4 * place..<4 * place + 4]) == [-1, value.x, value.y, -1])
    }
    var column = [Float](repeating: -1, count: range.count)
    output = column.mutableSpan
    try batch.copyTargets(of: range, component: 1, planar: &output)
    #expect(column == range.map { $0 == 7 ? 0 : 200 })
  }

  /// Nothing between the numbers of a layout is written, nothing behind the last one, and nothing before memory that begins
  /// anywhere.
  @Test func copiesLeaveTheGapsOfALayout() throws {
    try checkGaps(Float.self)
    try checkGaps(SIMD2<Float>.self)
    try checkGaps(SIMD3<Float>.self)
    try checkGaps(SIMD4<Float>.self)
    try checkGaps(SIMD8<Float>.self)
  }

  private func checkGaps<Value: TrackValue>(_ type: Value.Type) throws {
    for (count, stride, step) in [1, 16, 17].flatMap({ count in (1...9).flatMap { [(count, $0, 1), (count, $0, 2)] } })
    {
      var right: [Int: Float] = [:]
      for track in 0..<count {
        for component in 0..<Value.dimensions {
          right[track * stride + component * step] = Float(9 * track + component)
        }
      }
      // Numbers may not share a place.
      guard right.count == count * Value.dimensions, let last = right.keys.max() else { continue }
      var batch = try AnimationBatch<Value>()
      let tracks = try batch.add((0..<count).map { track in Value { Float(9 * track + $0) } })
      let layout = ColumnLayout(trackStride: stride, componentStride: step)
      let copies: [(inout MutableSpan<Float>) throws -> Void] = [
        { try batch.copyValues(planar: &$0, layout: layout) },
        { try batch.copyTargets(planar: &$0, layout: layout) },
        { try batch.copyVelocities(planar: &$0, layout: layout) },
        { try batch.copyValues(of: tracks, planar: &$0, layout: layout) },
      ]
      for (number, copy) in copies.enumerated() {
        var memory = [Float](repeating: -7, count: last + 9)
        var span = memory.mutableSpan
        var output = span._mutatingExtracting(1...last + 1)
        try copy(&output)
        let expected = memory.indices.map { place in right[place - 1].map { number == 2 ? 0 : $0 } ?? -7 }
        #expect(memory == expected, "\(type), \(count) tracks, strides \(stride) and \(step), copy \(number)")
      }
    }
  }

  @Test func aPushAddsToTheVelocity() throws {
    var batch = try AnimationBatch<Float>()
    let (moving, still) = (try batch.add(0, velocity: 3, to: 10, .bouncy), try batch.add(4))
    try batch.advance(to: 0.2)
    let (value, velocity) = (batch[moving] ?? .nan, batch.velocity(of: moving) ?? .nan)
    try batch.push([moving, still], by: [5, -2])
    #expect(batch[moving] == value && batch.velocity(of: moving) == velocity + 5 && batch.target(of: moving) == 10)
    // A track that stands keeps its place, and the next spring takes the velocity over.
    #expect(batch[still] == 4 && batch.velocity(of: still) == -2)
    try batch.push(still, by: -2)
    #expect(batch.velocity(of: still) == -4)
    #expect(throws: BatchError.self) { try batch.push([moving, still], by: [1, .nan]) }
    try batch.push(still, by: -1e15)
    #expect(throws: BatchError.self) { try batch.push([moving, still], by: [1, -1e15]) }
    #expect(batch.velocity(of: moving) == velocity + 5)
  }

  @Test func aPropertyOfParticlesIsPausedAlone() throws {
    var sparks = Particles()
    let (position, scale) = (try sparks.addProperty(SIMD2<Float>.self), try sparks.addProperty(Float.self))
    let burst = try sparks.add(
      position.start(at: [[0, 0], [1, 1]], to: [[9, 9], [5, 5]], .bouncy),
      scale.start(at: [0, 0], to: [4, 4], .smooth))
    try sparks.advance(to: 0.1)
    let (before, scales) = (sparks[position][burst[0]], sparks[scale][burst[0]])
    try sparks[position].pause(burst[0])
    try sparks.advance(to: 5)
    #expect(sparks[position][burst[0]] == before && sparks[position].isPaused(burst[0]) == true)
    #expect(sparks[scale][burst[0]] != scales && sparks[scale].isPaused(burst[0]) == false)
    #expect(sparks.removeSettled() == 1 && sparks.contains(burst[0]))
    try sparks[position].resume(.all)
    try sparks.advance(to: 10)
    #expect(sparks[position][burst[0]] == [9, 9] && sparks.removeSettled() == 1)
  }
}
