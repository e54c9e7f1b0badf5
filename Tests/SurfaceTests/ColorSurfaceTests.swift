// SPDX-License-Identifier: MIT
import CSurface
import Murmuration
import TestSupport
import Testing

/// Colours through the C functions.
@Suite struct ColorSurfaceTests {
  private static let codes: [Int32] = [1, 2, 3, 5, 6, 7]

  private static func encoding(_ code: Int32) throws -> ColorEncoding {
    ColorEncoding(try #require([1: .sRGB, 2: .linear, 3: .okLab][code & 3]), isPremultiplied: code & 4 != 0)
  }

  @Test func colorsHaveTheBitsOfSwift() throws {
    var random = SplitMix64(seed: 5)
    // Nearly opaque colours, so that no division makes numbers that a batch refuses.
    let bytes = (0..<4 * 77).map { $0 % 4 == 3 ? 255 - UInt8(random.next() % 128) : UInt8(random.next() % 256) }
    var id: murmuration_batch = 0
    try #require(murmuration_batch_create(4, 0, 0, &id) == ok)
    var tracks = [murmuration_track](repeating: murmuration_track(), count: 77)
    var batch = try AnimationBatch<SIMD4<Float>>()
    for source in Self.codes {
      for destination in Self.codes {
        let conversion = ColorConversion(from: try Self.encoding(source), to: try Self.encoding(destination))
        // Bytes to colours side by side, and these to whole columns.
        var (swift, c) = ([SIMD4<Float>](repeating: .zero, count: 77), [Float](repeating: 9, count: 4 * 77))
        try conversion.convert(unorm8: bytes, into: &swift)
        let unorm8 = Int32(MURMURATION_UNORM8)
        #expect(murmuration_convert_colors(source, destination, bytes, unorm8, 77, &c, 4, 1) == ok)
        #expect(swift.indices.allSatisfy { index in (0..<4).allSatisfy { c[4 * index + $0] == swift[index][$0] } })
        var columns = [Float](repeating: 9, count: 4 * 77 + 1)
        #expect(murmuration_convert_colors(source, destination, c, 0, 77, &columns, 1, 77) == ok)
        batch.removeAll()
        _ = try batch.add(swift)
        #expect(murmuration_remove_all(id) == ok)
        #expect(murmuration_add(id, c, 4, 1, &tracks, 77) == ok)
        try conversion.convert(&swift)
        #expect(
          swift.indices.allSatisfy { index in (0..<4).allSatisfy { columns[77 * $0 + index] == swift[index][$0] } })
        #expect(columns[4 * 77] == 9)
        for (code, format) in VertexLayout.Format.allCases.enumerated() {
          var (expected, got) = ([UInt8](repeating: 7, count: 1700), [UInt8](repeating: 7, count: 1700))
          var layout = murmuration_vertex_layout(
            components: nil, component_count: 0, format: Int32(code), offset: 3, stride: 21, color_source: source,
            color_destination: destination)
          let all = Int32(MURMURATION_ALL)
          #expect(murmuration_copy_vertices(id, 0, nil, 0, all, &layout, &got, 1700) == ok)
          var span = expected.mutableSpan
          var output = span.mutableBytes
          try batch.copyValues(into: &output, layout: VertexLayout(offset: 3, stride: 21, format, color: conversion))
          #expect(got == expected)
        }
      }
    }
    #expect(murmuration_batch_free(id) == ok)
  }

  @Test func badArgumentsAreRefusedAndNothingIsWritten() throws {
    var output = [Float](repeating: 9, count: 8)
    let colors = [Float](repeating: 1, count: 8)
    for (code, status) in [
      (MURMURATION_INVALID_CODE, murmuration_convert_colors(0, 1, colors, 0, 2, &output, 4, 1)),
      (MURMURATION_INVALID_CODE, murmuration_convert_colors(1, 4, colors, 0, 2, &output, 4, 1)),
      (MURMURATION_INVALID_CODE, murmuration_convert_colors(-1, 1, colors, 0, 2, &output, 4, 1)),
      (MURMURATION_INVALID_CODE, murmuration_convert_colors(1, 8, colors, 0, 2, &output, 4, 1)),
      (MURMURATION_INVALID_CODE, murmuration_convert_colors(1, 3, colors, 1, 2, &output, 4, 1)),
      (MURMURATION_INVALID_COUNT, murmuration_convert_colors(1, 3, colors, 0, -1, &output, 4, 1)),
      (MURMURATION_NULL_POINTER, murmuration_convert_colors(1, 3, nil, 0, 2, &output, 4, 1)),
      (MURMURATION_NULL_POINTER, murmuration_convert_colors(1, 3, colors, 0, 2, nil, 4, 1)),
      (MURMURATION_INVALID_STRIDE, murmuration_convert_colors(1, 3, colors, 0, 2, &output, 0, 1)),
      (MURMURATION_INVALID_STRIDE, murmuration_convert_colors(1, 3, colors, 0, 2, &output, 4, -1)),
      (MURMURATION_OK, murmuration_convert_colors(1, 3, nil, 0, 0, nil, 4, 1)),
    ] { #expect(status == code) }
    #expect(output == [Float](repeating: 9, count: 8))

    var (two, four): (murmuration_batch, murmuration_batch) = (0, 0)
    try #require(murmuration_batch_create(2, 0, 0, &two) == ok && murmuration_batch_create(4, 0, 0, &four) == ok)
    for (batch, what, source, destination, code) in [
      (two, MURMURATION_VALUES, 1, 3, MURMURATION_WRONG_DIMENSIONS),
      (four, MURMURATION_VELOCITIES, 1, 3, MURMURATION_INVALID_CODE),
      (four, MURMURATION_VALUES, 0, 3, MURMURATION_INVALID_CODE),
      (four, MURMURATION_VALUES, 1, 0, MURMURATION_INVALID_CODE), (four, MURMURATION_TARGETS, 1, 3, MURMURATION_OK),
    ] as [(murmuration_batch, Int, Int32, Int32, Int)] {
      var layout = murmuration_vertex_layout(
        components: nil, component_count: 0, format: 0, offset: 0, stride: 0, color_source: source,
        color_destination: destination)
      #expect(murmuration_copy_vertices(batch, Int32(what), nil, 0, 0, &layout, nil, 0) == code)
    }
    #expect(murmuration_batch_free(two) == ok && murmuration_batch_free(four) == ok)
  }
}
