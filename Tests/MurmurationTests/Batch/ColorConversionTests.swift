// SPDX-License-Identifier: MIT
import Kernels
import TestSupport
import Testing

@testable import Murmuration

/// Colours in Float against ``LinearColor``, which defines their encodings in Double.
struct ColorConversionTests {
  private typealias Color = SIMD4<Float>

  private static let encodings = ColorEncoding.Space.allCases.flatMap { space in
    [false, true].map { ColorEncoding(space, isPremultiplied: $0) }
  }

  private static let conversions = encodings.flatMap { source in
    encodings.map { ColorConversion(from: source, to: $0) }
  }

  /// Colours of sRGB with any alpha, in an encoding; black, white, grey and the corners of the cube are among them.
  private static func colors(_ count: Int, in encoding: ColorEncoding, beyond: Double = 0, seed: UInt64) -> [Color] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { index in
      func component(_ bit: Int) -> Double {
        index < 8 ? Double(index >> bit & 1) : random.uniform(-beyond...1 + beyond)
      }
      let alpha = index % 5 == 1 ? 0 : index % 5 == 2 ? 1 : random.uniform(0...1)
      let color = LinearColor([component(0), component(1), component(2), alpha], in: .sRGB)
      return Color(color.numbers(in: encoding))
    }
  }

  /// The definition: nothing changes from an encoding to itself.
  private static func defined(_ color: Color, _ conversion: ColorConversion) -> SIMD4<Double> {
    let numbers = SIMD4<Double>(color)
    guard conversion.source != conversion.destination else { return numbers }
    return LinearColor(numbers, in: conversion.source).numbers(in: conversion.destination)
  }

  /// Converts colours with one set of kernels.
  private static func converted(_ colors: [Color], _ conversion: ColorConversion, _ set: KernelSet) -> [Color] {
    var result = colors
    conversion.convert(colors.count, set.table) { indices, block in
      for index in indices {
        for component in 0..<4 {
          block.first[component * block.stride + index - indices.lowerBound] = colors[index][component]
        }
      }
    } to: { indices, block in
      for index in indices {
        for component in 0..<4 {
          result[index][component] = block.first[component * block.stride + index - indices.lowerBound]
        }
      }
    }
    return result
  }

  // MARK: - Numbers

  @Test func everyPairOfEncodingsIsWithin2ToTheMinus15AndHasTheSameBitsOnEverySet() {
    var worst = 0.0
    for (place, conversion) in Self.conversions.enumerated() {
      let inGamut = Self.colors(700, in: conversion.source, seed: UInt64(place))
      let beyond = Self.colors(331, in: conversion.source, beyond: 1.5, seed: 100 + UInt64(place))
      let colors = inGamut + beyond
      let results = KernelSet.available.map { Self.converted(colors, conversion, $0) }
      for (set, result) in zip(KernelSet.available, results) {
        let wrong = colors.indices.first { index in
          (0..<4).contains { result[index][$0].bitPattern != results[0][index][$0].bitPattern }
        }
        #expect(wrong == nil, "\(set), \(conversion): \(colors[wrong ?? 0])")
      }
      for (index, color) in colors.enumerated() {
        let expected = Self.defined(color, conversion)
        let off = SIMD4<Double>(results[0][index]) - expected
        let error = max(abs(off.x), abs(off.y), abs(off.z))
        if index < inGamut.count { worst = max(worst, error) }
        #expect(
          error < (index < inGamut.count ? 0x1p-15 : 0x1p-13), "\(conversion): \(color) is \(expected) and \(off) off")
        #expect(results[0][index].w == color.w)
      }
    }
    #expect(worst > 0x1p-20)
  }

  @Test func aByteIsTheNearestUnlessTheNumberIsNearlyInTheMiddle() throws {
    for (place, conversion) in Self.conversions.enumerated() where conversion.destination.space != .okLab {
      let colors = Self.colors(1500, in: conversion.source, beyond: 0.1, seed: 7 + UInt64(place))
      var batch = try AnimationBatch<Color>()
      _ = try batch.add(colors)
      let bytes = try Self.bytes(of: batch, conversion)
      for (index, color) in colors.enumerated() {
        let numbers = Self.defined(color, conversion)
        for component in 0..<4 {
          let exact = min(max(numbers[component], 0), 1) * 255
          #expect(
            abs(Double(bytes[4 * index + component]) - exact) < 0.5 + 0x1p-7, "\(conversion): \(color) is \(exact)")
        }
      }
    }
  }

  private static func bytes(of batch: borrowing AnimationBatch<Color>, _ conversion: ColorConversion) throws -> [UInt8]
  {
    var bytes = [UInt8](repeating: 9, count: 4 * batch.indexCount)
    var span = bytes.mutableSpan
    var output = span.mutableBytes
    try batch.copyValues(into: &output, layout: VertexLayout(.unorm8, color: conversion))
    return bytes
  }

  @Test(arguments: KernelSet.available) func allBytesComeBack(_ set: KernelSet) throws {
    // All greys, and colours with all bytes in each component.
    let colors = (0..<1024).flatMap { index -> [UInt8] in
      let k = index & 255
      let bytes = index < 256 ? [k, k, k, k] : [k, 77 * k & 255, (index * 31 + k * 9) & 255, 255 - k]
      return bytes.map { UInt8($0) }
    }
    for space in ColorEncoding.Space.allCases {
      let (inward, outward) = (
        ColorConversion(from: .sRGB, to: ColorEncoding(space)), ColorConversion(from: ColorEncoding(space), to: .sRGB)
      )
      var batch = try AnimationBatch<Color>(kernels: set)
      var values = [Color](repeating: .zero, count: 1024)
      try inward.convert(unorm8: colors, into: &values)
      _ = try batch.add(values)
      let bytes = try Self.bytes(of: batch, outward)
      let wrong = bytes.indices.first { bytes[$0] != colors[$0] }
      #expect(wrong == nil, "\(space): byte \(wrong ?? 0)")
    }
  }

  @Test func whatIsDefinedAtTheEdges() throws {
    let (premultiplied, color) = (ColorEncoding.linear.premultiplied, Color(0.5, -0.25, 3, 0))
    for (conversion, expected) in [
      // Alpha 0 is kept, and premultiplied components that become others are 0.
      (ColorConversion(from: premultiplied, to: .sRGB), Color(0, 0, 0, 0)),
      (ColorConversion(from: premultiplied, to: premultiplied), color),
      (ColorConversion(from: .linear, to: .linear), color),
      (ColorConversion(from: .linear, to: premultiplied), Color(0, 0, 0, 0)),
    ] {
      var colors = [color]
      try conversion.convert(&colors)
      #expect(colors == [expected], "\(conversion)")
    }
    // Negative components are mirrored, and black is exactly black.
    for source in ColorEncoding.Space.allCases where source != .okLab {
      var colors: [Color] = [[0.7, 0.02, 0, 1], [-0.7, -0.02, -0.0, 1]]
      try ColorConversion(from: ColorEncoding(source), to: source == .sRGB ? .linear : .sRGB).convert(&colors)
      for component in 0..<3 { #expect(colors[1][component].bitPattern == (-colors[0][component]).bitPattern) }
    }
    for conversion in Self.conversions {
      var colors: [Color] = [[0, 0, 0, 0], [0, 0, 0, 1]]
      try conversion.convert(&colors)
      #expect(colors == [[0, 0, 0, 0], [0, 0, 0, 1]])
    }
  }

  // MARK: - Vertices

  @Test(arguments: KernelSet.available)
  func verticesOfColorsAreThoseOfConvertedValues(_ set: KernelSet) throws {
    var random = SplitMix64(seed: 19)
    for (place, count) in [0, 1, 17, 33, 1041, 2100].enumerated() {
      for conversion in Self.conversions[(place * 6)..<(place * 6 + 6)] {
        var batch = try AnimationBatch<Color>(kernels: set)
        let tracks = try batch.add(Self.colors(count, in: conversion.source, beyond: 0.2, seed: 3))
        try batch.animate(tracks, to: Self.colors(count, in: conversion.source, seed: 4), .bouncy)
        try batch.remove(tracks.filter { _ in random.next() % 9 == 0 })
        try batch.advance(by: 0.1, velocities: true)
        let layouts: [VertexLayout] = [
          VertexLayout(), VertexLayout(offset: 3, stride: 11, .unorm8, components: [2, 1, 0, 3]),
          VertexLayout(offset: 1, .float16, components: [3, 0]),
        ]
        let live = tracks.filter { batch.contains($0) }.shuffled(using: &random)
        for layout in layouts {
          try Self.compare(batch, of: .all, batch.indexCount, layout, conversion)
          try Self.compare(batch, of: count / 3..<count, count - count / 3, layout, conversion)
          try Self.compare(batch, of: live, live.count, layout, conversion)
          try Self.compare(batch, of: .live(tracks), count, layout, conversion)
        }
      }
    }
  }

  /// Compares colours in vertices with the converted values of the same tracks in the same layout.
  private static func compare(
    _ batch: borrowing AnimationBatch<Color>, of tracks: some TrackSelection, _ count: Int, _ layout: VertexLayout,
    _ conversion: ColorConversion
  ) throws {
    let slots = layout.components.isEmpty ? 4 : layout.components.count
    for targets in [false, true] {
      var values = [Color](repeating: .zero, count: count)
      var expected = [UInt8](repeating: 7, count: 17 * count + 3)
      var got = expected
      var span = values.mutableSpan
      if targets {
        try batch.copyTargets(of: tracks, into: &span)
      } else {
        try batch.copyValues(of: tracks, into: &span)
      }
      try conversion.convert(&values)
      let columns = (0..<4).flatMap { component in values.map { $0[component] } }
      let components = layout.components.isEmpty ? [0, 1, 2, 3] : layout.components
      expected.withColumn { bytes in
        columns.withConstantColumn { columns in
          components.withConstantColumn { components in
            let numbers = VertexNumbers(
              columns, columnStride: count, components: components, slots: slots, format: layout.format.rawValue)
            KernelSet.portable.table.writeVertices(
              numbers, count, bytes + layout.offset, layout.stride ?? slots * layout.format.size)
          }
        }
      }
      var colored = layout
      colored.color = conversion
      var bytes = got.mutableSpan
      var vertices = bytes.mutableBytes
      if targets {
        try batch.copyTargets(of: tracks, into: &vertices, layout: colored)
      } else {
        try batch.copyValues(of: tracks, into: &vertices, layout: colored)
      }
      // The macro would compare the arrays of a failure at length.
      let wrong = got.indices.first { got[$0] != expected[$0] }
      try #require(wrong == nil, "byte \(wrong ?? 0) of \(count) in \(layout), \(conversion)")
    }
  }

  // MARK: - Memory of the caller

  @Test func colorsLieInAnyLayout() throws {
    let conversion = ColorConversion(from: .sRGB, to: .okLab.premultiplied)
    for count in [0, 1, 16, 1025] {
      let originals = Self.colors(count, in: .sRGB, seed: 5)
      var colors = originals
      try conversion.convert(&colors)
      #expect(count < 2 || colors != originals)
      for layout in [
        ColumnLayout.planar, .interleaved(stride: 9, offset: 2),
        ColumnLayout(offset: 1, trackStride: 2, componentStride: 2 * count + 3),
      ] {
        let componentStride = layout.componentStride ?? count
        /// Memory of nines with colours in it.
        func memory(_ colors: [Color]) -> [Float] {
          let room = count == 0 ? 0 : layout.offset + 3 * componentStride + (count - 1) * layout.trackStride + 1
          var memory = [Float](repeating: 9, count: room)
          for (index, color) in colors.enumerated() {
            for component in 0..<4 {
              memory[layout.offset + index * layout.trackStride + component * componentStride] = color[component]
            }
          }
          return memory
        }
        var converted = memory(originals)
        var span = converted.mutableSpan
        try conversion.convert(planar: &span, layout: layout)
        let isRight = converted == memory(colors)
        #expect(isRight)
      }
    }
  }

  @Test func badArgumentsAreRefused() throws {
    let conversion = ColorConversion(from: .sRGB, to: .linear)
    var colors = [Color](repeating: [9, 9, 9, 9], count: 2)
    #expect(throws: BatchError.wrongCount(of: "bytes of colours", expected: 8, got: 7)) {
      try conversion.convert(unorm8: [UInt8](repeating: 0, count: 7), into: &colors)
    }
    #expect(colors == [[9, 9, 9, 9], [9, 9, 9, 9]])
    var floats = [Float](repeating: 9, count: 7)
    var refusals: [BatchError] = []
    for layout in [ColumnLayout.planar, ColumnLayout(trackStride: 0), ColumnLayout(offset: -1)] {
      var span = floats.mutableSpan
      do throws(BatchError) { try conversion.convert(planar: &span, layout: layout) } catch { refusals.append(error) }
    }
    #expect(refusals == [.unequalColumns(count: 7, dimensions: 4), .invalidStride(0), .invalidStride(-1)])
    #expect(floats == [Float](repeating: 9, count: 7))

    var three = try AnimationBatch<SIMD3<Float>>()
    _ = try three.add([.zero])
    var four = try AnimationBatch<Color>()
    let track = try four.add([9, 9, 9, 9])
    try four.advance(by: 0.1, velocities: true)
    var bytes = [UInt8](repeating: 7, count: 16)
    var span = bytes.mutableSpan
    var output = span.mutableBytes
    let layout = VertexLayout(color: conversion)
    #expect(throws: BatchError.wrongDimensions(of: "conversion of colours", expected: 3, got: 4)) {
      try three.copyValues(into: &output, layout: layout)
    }
    #expect(throws: BatchError.velocitiesOfColors) { try four.copyVelocities(into: &output, layout: layout) }
    #expect(throws: BatchError.velocitiesOfColors) {
      try four.copyVelocities(of: [track], into: &output, layout: layout)
    }
    #expect(bytes == [UInt8](repeating: 7, count: 16))
  }
}
