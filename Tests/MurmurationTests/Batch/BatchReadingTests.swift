// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// Reading changes nothing, and shows the same by index and track by track.
struct BatchReadingTests {
  /// A batch of moving tracks, some of which were removed.
  private struct Moving<Value: TrackValue>: ~Copyable {
    let batch: AnimationBatch<Value>
    let tracks: [TrackHandle]
  }

  private func moving<Value: TrackValue>(_ type: Value.Type) throws -> Moving<Value> {
    var batch = try AnimationBatch<Value>()
    var tracks = try batch.add((0..<70).map { index in Value { Float(index * 10 + $0) } })
    try batch.animate(tracks[10..<60], to: Value { Float($0) }, .bouncy)
    try batch.animate(tracks[5], to: Value { _ in 1 }, .bouncy)
    try batch.animate(tracks[60..<64], to: Value { _ in 1 }, .easeIn)
    let components = Array(0..<Value.dimensions)
    let pieces = components.map { [SIMD4(Double($0), 1, 0.5, 0)] }
    let clip = try Clip(
      dimensions: Value.dimensions, initialValues: components.map { _ in 0 },
      tracks: [PieceTrack(components: components, times: [0, 1], pieces: pieces)])
    try batch.play(try batch.load(clip), on: tracks[64..<67])
    for index in [69, 20, 0] { try batch.remove(tracks.remove(at: index)) }
    try batch.advance(to: 0.2)
    return Moving(batch: batch, tracks: tracks)
  }

  private func check<Value: TrackValue & Equatable>(_ type: Value.Type) throws {
    let moving = try moving(type)
    var copies = [Value](repeating: Value { _ in -1 }, count: moving.batch.indexCount)
    try moving.batch.copyValues(into: &copies)
    #expect(copies[0] == Value { _ in 0 } && copies[20] == Value { _ in 0 })
    for track in moving.tracks { #expect(moving.batch[track] == copies[track.index]) }
    #expect(moving.batch.live == moving.tracks)
    try checkColumns(moving.batch, copies)
    var short = [Value](repeating: Value { _ in 0 }, count: 3)
    #expect(throws: BatchError.wrongCount(of: "output", expected: 70, got: 3)) {
      try moving.batch.copyValues(into: &short)
    }
  }

  /// Columns by index, and columns that are lent for uploads.
  private func checkColumns<Value: TrackValue>(_ batch: borrowing AnimationBatch<Value>, _ copies: [Value]) throws {
    let count = batch.indexCount
    var planar = [Float](repeating: -7, count: Value.dimensions * count + 1)
    var span = planar.mutableSpan
    try batch.copyValues(planar: &span)
    let columns = (0..<Value.dimensions).map { component in copies.map { $0.component(component) } }
    let written = columns.flatMap { $0 }
    #expect(planar.dropLast() == written[...] && planar.last == -7)
    for (component, expected) in columns.enumerated() {
      var column = [Float](repeating: -7, count: count + 1)
      span = column.mutableSpan
      try batch.copyValues(component: component, planar: &span)
      #expect(column == expected + [-7])
      try batch.withValues(component: component) { column in
        #expect(column.count == count && column.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } % 64 == 0)
        for track in batch.live { #expect(column[track.index] == expected[track.index]) }
      }
    }
    for component in [-1, Value.dimensions] {
      let error = BatchError.dimensionOutOfRange(component, count: Value.dimensions)
      #expect(throws: error) { try batch.withValues(component: component) { _ in } }
      #expect(throws: error) { try batch.withVelocities(component: component) { _ in } }
      #expect(throws: error) {
        var span = planar.mutableSpan
        try batch.copyValues(component: component, planar: &span)
      }
    }
    var short = [Float](repeating: -7, count: count - 1)
    #expect(throws: BatchError.wrongCount(of: "output", expected: count, got: count - 1)) {
      var span = short.mutableSpan
      try batch.copyValues(component: 0, planar: &span)
    }
    #expect(short.allSatisfy { $0 == -7 })
  }

  @Test("A column of velocities equals single tracks, and is an error if the frame left velocities out")
  func velocityColumns() throws {
    var batch = try AnimationBatch<SIMD2<Float>>()
    let tracks = try batch.add((0..<20).map { [Float($0), 0] })
    try batch.animate(tracks, to: [5, 6], .bouncy)
    try batch.remove(tracks[3])
    try batch.advance(to: 0.1)
    var (vectors, planar) = ([SIMD2<Float>](repeating: [-7, -7], count: 20), [Float](repeating: -7, count: 40))
    for copy in 0..<4 {
      #expect(throws: BatchError.velocitiesNotComputed) {
        var rows = vectors.mutableSpan
        var columns = planar.mutableSpan
        switch copy {
        case 0: try batch.copyVelocities(into: &rows)
        case 1: try batch.copyVelocities(planar: &columns)
        case 2: try batch.copyVelocities(component: 1, planar: &columns)
        default: try batch.withVelocities(component: 1) { _ in }
        }
      }
    }
    #expect(planar.allSatisfy { $0 == -7 } && vectors[0] == [-7, -7])
    // An advance to the time that is shown computes them.
    try batch.advance(to: 0.1, velocities: true)
    let velocities = tracks.map { batch.velocity(of: $0) ?? .zero }
    var rows = vectors.mutableSpan
    try batch.copyVelocities(into: &rows)
    var columns = planar.mutableSpan
    try batch.copyVelocities(planar: &columns)
    #expect(vectors == velocities && velocities[0].x > 0 && vectors[3] == .zero)
    #expect(planar == velocities.map(\.x) + velocities.map(\.y))
    try batch.withVelocities(component: 1) { column in
      for track in batch.live { #expect(column[track.index] == velocities[track.index].y) }
    }
    var column = [Float](repeating: -7, count: 21)
    columns = column.mutableSpan
    try batch.copyVelocities(component: 0, planar: &columns)
    #expect(column == velocities.map(\.x) + [-7])
  }

  @Test func copiesAndColumnsAgreeWithSingleTracks() throws {
    try check(Float.self)
    try check(SIMD2<Float>.self)
    try check(SIMD3<Float>.self)
    try check(SIMD4<Float>.self)
    try check(SIMD8<Float>.self)
  }

  @Test("Handles name velocities that a frame computed unasked, as calls had needed them")
  func velocitiesOfHandlesAfterManyCalls() throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add((0..<64).map { Float($0) })
    try batch.animate(tracks, to: 100, .bouncy)
    for time in [0.1, 0.2, 0.3, 0.4] {
      try batch.advance(to: time)
      let velocities = tracks.map { batch.velocity(of: $0) ?? .nan }
      var (values, planar) = ([Float](repeating: -7, count: 64), [Float](repeating: -7, count: 64))
      try batch.copyVelocities(of: tracks, into: &values)
      try batch.copyVelocities(of: .live(tracks), planar: &planar)
      #expect(values == velocities && planar == velocities, "at \(time)")
      var bytes = [UInt8](repeating: 0, count: 256)
      try bytes.withUnsafeMutableBytes { memory in
        var vertices = MutableRawSpan(_unsafeBytes: memory)
        try batch.copyVelocities(of: tracks, into: &vertices, layout: VertexLayout())
      }
      #expect(bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) } == velocities)
      #expect(throws: BatchError.velocitiesNotComputed) { try batch.copyVelocities(into: &values) }
      // Before every second frame all velocities are needed.
      if time != 0.2 { try batch.animate(tracks, to: Float(time), .smooth) }
    }
  }

  @Test("Finished tracks are removed, and tracks that never moved stay", arguments: KernelSet.available)
  func settledTracksAreRemoved(_ set: KernelSet) throws {
    var batch = try AnimationBatch<Float>(kernels: set)
    let tracks = try batch.add([Float](repeating: 0, count: 60))
    try batch.animate(tracks[0..<20], to: 1, .smooth(duration: 0.2))
    try batch.animate(tracks[20], to: 1, .smooth(duration: 0.2))
    try batch.animate(tracks[21], to: 1, .easeIn(duration: 0.2))
    try batch.animate(tracks[22], to: 1, nil)
    try batch.play(try batch.load(Clip(curve: .linear)), on: tracks[23])
    try batch.animate(tracks[24..<44], to: 1, .smooth(duration: 9))
    let restTime = batch.restTime(of: tracks[20]) ?? .nan
    #expect(restTime > 0.2 && restTime < 0.6)
    try batch.advance(to: 0.7)
    #expect(batch.removeSettled() == 22 && batch.live == Array(tracks[22..<60]))
    try batch.advance(to: 1.5)
    #expect(batch.removeSettled() == 1 && !batch.contains(tracks[23]))
    try batch.compact()
    try batch.advance(to: 30)
    #expect(batch.removeSettled() == 20 && batch.count == 17)
  }

  /// The tracks of a full tile whose curves are over are removed together, all others one by one.
  @Test(arguments: [Animation.linear(duration: 0.25), .easeIn(duration: 0.25).delay(0.0625)])
  func fullTilesThatAreOverGoAtOnce(_ animation: Animation) throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([Float](repeating: 0, count: 72))
    try batch.animate(tracks, to: 1, animation)
    for index in [40, 66] { try batch.animate(tracks[index], to: 2, .smooth(duration: 9)) }
    try batch.advance(to: 0.5)
    #expect(batch.removeSettled() == 70 && batch.live == [tracks[40], tracks[66]] && batch.checkInvariants() == nil)
    let next = try batch.add([Float](repeating: 3, count: 72))
    #expect(next.map(\.index) == (0..<72).filter { ![40, 66].contains($0) } + [72, 73])
    try batch.animate(next, to: 4, animation)
    try batch.advance(to: 0.625)
    let values = next.map { batch[$0] }
    #expect(values.allSatisfy { $0 == values[0] } && batch.checkInvariants() == nil)
    try batch.advance(to: 1)
    #expect(batch.removeSettled() == 72)
  }

  @Test("A track that settled among moving ones is removed, and of all of them the lowest index is taken again first")
  func settledAmongMoving() throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([Float](repeating: 0, count: 32))
    try batch.animate(tracks, to: 1, .smooth(duration: 9))
    for index in [20, 3, 9] { try batch.animate(tracks[index], to: 2, index == 3 ? .easeIn(duration: 0.2) : .snappy) }
    try batch.advance(to: 3)
    #expect(batch.removeSettled() == 3 && batch.live == tracks.filter { ![3, 9, 20].contains($0.index) })
    for index in [3, 9, 20] { #expect(try batch.add(0).index == index) }
  }

  /// A value whose components are not where a batch would look for them.
  struct Swapped: TrackValue {
    var (y, x): (Float, Float)

    static var dimensions: Int { 2 }
    init(_ component: (Int) -> Float) { (x, y) = (component(0), component(1)) }
    func component(_ dimension: Int) -> Float { dimension == 0 ? x : y }
  }

  @Test func initialisersSayWhatIsWrong() throws {
    #expect(throws: BatchError.unsupportedValue("Swapped")) { _ = try AnimationBatch<Swapped>() }
    #expect(throws: BatchError.capacityExceeded(-1)) { _ = try AnimationBatch<Float>(reservingCapacity: -1) }
  }
}
