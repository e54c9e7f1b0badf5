// SPDX-License-Identifier: MIT
import Foundation
import Murmuration

// Examples of the documentation, as in `Examples.swift`: reading values.

extension Examples {
  static func reading(_ print: inout Printer) throws {
    // example: Sources/Murmuration/Murmuration.docc/Articles/ReadingAndUploading.md
    var batch = try AnimationBatch<SIMD2<Float>>()
    let dots = try batch.add([[0, 0], [10, 0], [20, 0]])
    try batch.animate(dots, to: [[0, 8], [10, 8], [20, 8]], .smooth)
    try batch.advance(to: 0.25, velocities: true)

    let one = batch[dots[1]]  // SIMD2(10, …), or nil once the track is removed

    var vertices = [SIMD2<Float>](repeating: .zero, count: batch.indexCount)
    try batch.copyValues(into: &vertices)  // x y x y x y

    var columns = [Float](repeating: 0, count: 2 * batch.indexCount)
    try batch.copyValues(planar: &columns)  // x x x y y y

    var speeds = [Float](repeating: 0, count: batch.indexCount)
    try batch.copyVelocities(component: 1, planar: &speeds)

    let lowest = try batch.withValues(component: 1) { heights in
      heights.indices.reduce(Float.infinity) { batch.handle(at: $1) == nil ? $0 : min($0, heights[$1]) }
    }
    // end
    print(one?.x ?? .nan)
    print(vertices[2].x)
    print(columns[1])
    print(speeds[0])
    print(lowest - vertices[0].y)
  }

  static func uploading(_ print: inout Printer) throws {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 3 * 16, alignment: 16)
    defer { memory.deallocate() }
    var batch = try AnimationBatch<SIMD4<Float>>()
    try batch.add([[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]])
    try batch.advance(to: 1)
    // example: Sources/Murmuration/Murmuration.docc/Articles/ReadingAndUploading.md
    // `memory` is what a graphics library mapped: room for indexCount colours.
    let colors = memory.bindMemory(to: SIMD4<Float>.self, capacity: batch.indexCount)
    let buffer = UnsafeMutableBufferPointer(start: colors, count: batch.indexCount)
    var output = MutableSpan(_unsafeElements: buffer)
    try batch.copyValues(into: &output)
    // end
    print(colors[2].w)
  }

  static func vertices(_ print: inout Printer) throws {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 2 * 20, alignment: 4)
    defer { memory.deallocate() }
    var sparks = Particles()
    let positions = try sparks.addProperty(SIMD3<Float>.self)
    let colors = try sparks.addProperty(SIMD4<Float>.self)
    let scales = try sparks.addProperty(Float.self)
    try sparks.add(
      positions.start(at: [[1, 2, 3], [4, 5, 6]]), colors.start(at: [[1, 0, 0, 1], [0, 0.2, 1, 1]]),
      scales.start(at: [7, 8]))
    // example: Sources/Murmuration/Murmuration.docc/Articles/ReadingAndUploading.md, Sources/MurmurationEngine/Engine/VertexLayout.swift
    // `memory` is what a graphics library mapped: 20 bytes for each of indexCount vertices.
    let bytes = UnsafeMutableRawBufferPointer(start: memory, count: 20 * sparks.indexCount)
    var vertices = MutableRawSpan(_unsafeBytes: bytes)
    let (position, scale) = (VertexLayout(stride: 20), VertexLayout(offset: 16, stride: 20))
    let color = VertexLayout(offset: 12, stride: 20, .unorm8, components: [2, 1, 0, 3])  // b g r a
    try sparks[positions].copyValues(into: &vertices, layout: position)
    try sparks[colors].copyValues(into: &vertices, layout: color)
    try sparks[scales].copyValues(into: &vertices, layout: scale)
    // end
    print(memory.load(fromByteOffset: 28, as: Float.self))
    print(Float(memory.load(fromByteOffset: 33, as: UInt8.self)))
    print(memory.load(fromByteOffset: 36, as: Float.self))
  }

  static func colors(_ print: inout Printer) throws {
    var colors = try AnimationBatch<SIMD4<Float>>()
    var pixel = [UInt8](repeating: 0, count: 4)
    var memory = pixel.mutableSpan
    var pixels = memory.mutableBytes
    // example: Sources/MurmurationEngine/Engine/ColorConversion.swift
    let (inward, outward) = (ColorConversion(from: .sRGB, to: .okLab), ColorConversion(from: .okLab, to: .sRGB))
    var ends = [SIMD4<Float>](repeating: .zero, count: 2)
    try inward.convert(unorm8: [255, 0, 0, 255, 0, 128, 255, 255], into: &ends)
    let light = try colors.add(ends[0])
    try colors.animate(light, to: ends[1], .smooth)
    try colors.advance(by: 0.25)
    try colors.copyValues(into: &pixels, layout: VertexLayout(.unorm8, color: outward))
    // end
    print(Float(pixel[3]))
  }
}
