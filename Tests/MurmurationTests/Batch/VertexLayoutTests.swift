// SPDX-License-Identifier: MIT
import Kernels
import TestSupport
import Testing

@testable import Murmuration

/// Numbers in vertices, against conversions that are written plainly, byte by byte.
struct VertexLayoutTests {
  private typealias Format = VertexLayout.Format

  /// The bits of a number in a format.
  private static func bits(_ x: Float, _ format: VertexLayout.Format) -> UInt32 {
    func scaled(_ least: Float, _ scale: Float) -> Int {
      x.isNaN ? 0 : Int((Swift.min(Swift.max(x, least), 1) * scale).rounded(.toNearestOrEven))
    }
    switch format {
    case .float32: return x.bitPattern
    case .float16: return UInt32(Float16(x).bitPattern)
    case .unorm8: return UInt32(scaled(0, 255))
    case .snorm8: return UInt32(UInt8(bitPattern: Int8(scaled(-1, 127))))
    case .unorm16: return UInt32(scaled(0, 65_535))
    case .snorm16: return UInt32(UInt16(bitPattern: Int16(scaled(-1, 32_767))))
    }
  }

  // MARK: - Numbers

  /// All halves, and all steps of the other formats and the ties between them, each with its neighbours among Floats; numbers
  /// that are none, and the ends of the range.
  private static func interestingNumbers() -> [Float] {
    var numbers: [Float] = [
      .nan, -.nan, .signalingNaN, Float(nan: 0x1234, signaling: false), .infinity, -.infinity, 0, -0.0,
      .leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude, 1e-30, 1e15, 65_519.996, 65_520,
    ]
    func add(_ number: Float) { numbers += [number, number.nextUp, number.nextDown, -number] }
    for pattern in 0..<UInt16(0x7C00) {
      let half = Float16(bitPattern: pattern)
      add(Float(half))
      add((Float(half) + Float(half.nextUp)) / 2)
    }
    for scale in [127, 255, 32_767, 65_535] {
      for step in 0...2 * scale + 1 { add(Float(step) / 2 / Float(scale)) }
    }
    return numbers
  }

  @Test func eachNumberHasTheBitsOfAScalarConversion() throws {
    let numbers = Self.interestingNumbers()
    for format in Format.allCases {
      let expected = numbers.map { Self.bits($0, format) }
      for set in KernelSet.available {
        var words = [UInt32](repeating: UInt32.max << UInt32(8 * format.size), count: numbers.count)
        let kept = words[0]
        words.withUnsafeMutableBytes { bytes in
          let output = Column(bytes.bindMemory(to: UInt8.self).baseAddress.unsafelyUnwrapped, count: bytes.count)
          numbers.withConstantColumn { column in
            let source = VertexNumbers(column, columnStride: 0, components: nil, slots: 1, format: format.rawValue)
            set.table.writeVertices(source, numbers.count, output, 4)
          }
        }
        let wrong = words.indices.first { words[$0] != kept | expected[$0] }
        #expect(wrong == nil, "\(format) on \(set): \(numbers[wrong ?? 0]) is \(words[wrong ?? 0])")
      }
    }
  }

  // MARK: - Layouts

  /// Copies numbers of tracks into memory with other bytes, and compares all bytes with what scalar conversions of planar
  /// numbers give.
  private static func compare(
    _ batch: borrowing AnimationBatch<Components>, _ numbers: Engine.Numbers, of tracks: some TrackSelection,
    _ count: Int, _ layout: VertexLayout, _ random: inout SplitMix64
  ) throws {
    var columns = [Float](repeating: 0, count: count * batch.dimensions)
    let components = layout.components.isEmpty ? Array(0..<batch.dimensions) : layout.components
    let bytes = components.count * layout.format.size
    let stride = layout.stride ?? bytes
    let reach = count == 0 ? 0 : layout.offset + (count - 1) * stride + bytes
    var memory = (0..<reach + 3).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    var expected = memory
    var planar = columns.mutableSpan
    var span = memory.mutableSpan
    var vertices = span.mutableBytes
    switch numbers {
    case .values:
      try batch.copyValues(of: tracks, planar: &planar)
      try batch.copyValues(of: tracks, into: &vertices, layout: layout)
    case .velocities:
      try batch.copyVelocities(of: tracks, planar: &planar)
      try batch.copyVelocities(of: tracks, into: &vertices, layout: layout)
    case .targets:
      try batch.copyTargets(of: tracks, planar: &planar)
      try batch.copyTargets(of: tracks, into: &vertices, layout: layout)
    }
    for track in 0..<count {
      for (slot, component) in components.enumerated() {
        let bits = Self.bits(columns[component * count + track], layout.format)
        for byte in 0..<layout.format.size {
          let place = layout.offset + track * stride + slot * layout.format.size + byte
          expected[place] = UInt8(truncatingIfNeeded: bits >> (8 * UInt32(byte)))
        }
      }
    }
    let wrong = memory.indices.first { memory[$0] != expected[$0] }
    #expect(wrong == nil, "byte \(wrong ?? 0) of \(count) tracks, \(numbers), \(layout)")
  }

  @Test(arguments: KernelSet.available)
  func everyByteIsThatOfTheLayoutOrAsItWas(_ set: KernelSet) throws {
    var random = SplitMix64(seed: 61)
    func number(below bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
    for count in [0, 1, 7, 15, 16, 17, 33, 1041, 2100] {
      for dimensions in count > 100 ? [4] : [1, 2, 3, 4, 5, 18] {
        var batch = try AnimationBatch<Components>(dimensions: dimensions, kernels: set)
        func values() -> [Components] {
          (0..<count).map { _ in Components((0..<dimensions).map { _ in random.uniform(-1.5...1.5) }) }
        }
        let tracks = try batch.add(values())
        try batch.animate(tracks, to: values(), .bouncy)
        let removed = tracks.filter { _ in number(below: 9) == 0 }
        try batch.remove(removed)
        let live = tracks.filter { batch.contains($0) }
        for round in 0..<3 {
          let hasVelocities = round != 1
          try batch.advance(by: 0.1, velocities: hasVelocities)
          for (place, format) in Format.allCases.enumerated() where count < 100 || place % 3 == round {
            var layout = VertexLayout(offset: number(below: 7), format)
            if number(below: 4) != 0 {
              layout.components = (0..<1 + number(below: round == 0 ? 4 : 19)).map { _ in number(below: dimensions) }
            }
            let least = format.size * (layout.components.isEmpty ? dimensions : layout.components.count)
            if number(below: 3) != 0 {
              layout.stride = least + (number(below: 2) == 0 ? 4 * number(below: 4) : number(below: 9))
            }
            for numbers in [Engine.Numbers.values, .velocities, .targets] {
              let chosen = live.shuffled(using: &random)
              try Self.compare(batch, numbers, of: chosen, chosen.count, layout, &random)
              try Self.compare(batch, numbers, of: .live(tracks), count, layout, &random)
              guard numbers != .velocities || hasVelocities else { continue }
              let first = number(below: count + 1)
              let range = first..<first + number(below: batch.indexCount - first + 1)
              try Self.compare(batch, numbers, of: range, range.count, layout, &random)
              try Self.compare(batch, numbers, of: .all, batch.indexCount, layout, &random)
            }
          }
        }
      }
    }
  }

  @Test func severalPropertiesShareAVertex() throws {
    var sparks = Particles()
    let (position, color) = (try sparks.addProperty(SIMD3<Float>.self), try sparks.addProperty(SIMD4<Float>.self))
    let scale = try sparks.addProperty(Float.self)
    try sparks.add(
      position.start(at: [[1, 2, 3], [4, 5, 6]]), color.start(at: [[1, 0.5, 0, 2], [0, 0.2, 0.4, -1]]),
      scale.start(at: [7, 8]))
    var vertices = [UInt8](repeating: 9, count: 42)
    var span = vertices.mutableSpan
    var memory = span.mutableBytes
    try sparks[position].copyValues(into: &memory, layout: VertexLayout(stride: 21))
    try sparks[color].copyValues(
      into: &memory, layout: VertexLayout(offset: 12, stride: 21, .unorm8, components: [2, 1, 0, 3]))
    try sparks[scale].copyValues(into: &memory, layout: VertexLayout(offset: 16, stride: 21))
    func bytes(_ numbers: [Float]) -> [UInt8] {
      numbers.flatMap { number in withUnsafeBytes(of: number.bitPattern.littleEndian) { Array($0) } }
    }
    let first = bytes([1, 2, 3]) + [0, 128, 255, 255] + bytes([7]) + [9]
    #expect(vertices == first + bytes([4, 5, 6]) + [102, 51, 0, 0] + bytes([8]) + [9])

    // A vector of three takes 12 bytes, not the 16 of its type.
    var packed = [Float](repeating: -1, count: 7)
    var numbers = packed.mutableSpan
    memory = numbers.mutableBytes
    try sparks[position].copyValues(into: &memory, layout: VertexLayout())
    #expect(packed == [1, 2, 3, 4, 5, 6, -1])
  }

  // MARK: - Refusals

  @Test func layoutsOutOfRangeWriteNothing() throws {
    var batch = try AnimationBatch<SIMD3<Float>>()
    let tracks = try batch.add([[1, 2, 3], [4, 5, 6], [7, 8, 9]])
    try batch.animate(tracks, to: .zero)
    try batch.advance(to: 0.1)
    var other = try AnimationBatch<SIMD3<Float>>()
    let foreign = try other.add([0, 0, 0])
    var memory = [UInt8](repeating: 9, count: 40)
    func refusal(_ layout: VertexLayout, of tracks: some TrackSelection = AllTracks(), velocities: Bool = false)
      -> BatchError?
    {
      var span = memory.mutableSpan
      var bytes = span.mutableBytes
      do throws(BatchError) {
        if velocities { try batch.copyVelocities(of: tracks, into: &bytes, layout: layout) }
        try batch.copyValues(of: tracks, into: &bytes, layout: layout)
        return nil
      } catch { return error }
    }
    for stride in [11, 0, -12, .min, .max] { #expect(refusal(VertexLayout(stride: stride)) == .invalidStride(stride)) }
    for offset in [-1, Int.max] { #expect(refusal(VertexLayout(offset: offset)) == .invalidStride(offset)) }
    for component in [3, -1, Int.max] {
      #expect(refusal(VertexLayout(components: [0, component])) == .dimensionOutOfRange(component, count: 3))
    }
    #expect(refusal(VertexLayout(stride: 3, .snorm8, components: [0, 0, 1, 1])) == .invalidStride(3))
    #expect(refusal(VertexLayout(stride: 5, .float16)) == .invalidStride(5))
    let most = Int(Int32.max)
    for (layout, bytes) in [(VertexLayout(offset: 5), 41), (VertexLayout(offset: most, stride: most), 3 * most + 12)] {
      let error = BatchError.wrongCount(of: "bytes of the output", expected: bytes, got: 40)
      #expect(refusal(layout) == error && refusal(layout, of: tracks) == error)
    }
    #expect(refusal(VertexLayout(), of: 2..<4) == .trackOutOfRange(3, count: 3))
    #expect(refusal(VertexLayout(), of: .live([tracks[0], foreign])) == .storeMismatch(foreign))
    #expect(refusal(VertexLayout(), of: [tracks[0], foreign]) == .storeMismatch(foreign))
    #expect(refusal(VertexLayout(), velocities: true) == .velocitiesNotComputed)
    try batch.remove(tracks[2])
    #expect(refusal(VertexLayout(), of: tracks) == .staleHandle(tracks[2]))
    #expect(memory.allSatisfy { $0 == 9 })
    #expect(refusal(VertexLayout(offset: 4)) == nil)
  }
}
