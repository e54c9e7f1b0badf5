// SPDX-License-Identifier: MIT
import Foundation
import Murmuration

/// Positions, colours and sizes written where a renderer wants them: vertices of 20 bytes, in memory that is not ours.
enum VertexUpload {
  static let count = 10_000
  static let stride = 20

  static func run() throws -> Sketch {
    var dots = Particles()
    let position = try dots.addProperty(SIMD3<Float>.self)
    let color = try dots.addProperty(SIMD4<Float>.self)
    let size = try dots.addProperty(Float.self)
    // Colours move in OKLab, where the middle of blue and orange is no grey of another lightness.
    var ends: [SIMD4<Float>] = [[0.2, 0.5, 1, 1], [1, 0.4, 0.1, 0.5]]
    try ColorConversion(from: .sRGB, to: .okLab).convert(&ends)
    try dots.add(
      position.start(
        at: (0..<count).map { [Float($0 % 100) * 1.5, Float($0 / 100) * 1.5, 0] },
        to: (0..<count).map { [75 + Float($0 % 7), 75 - Float($0 % 11), 1] }, .smooth),
      color.start(at: Array(repeating: ends[0], count: count), to: Array(repeating: ends[1], count: count), .smooth),
      size.start(at: Array(repeating: 1, count: count), to: Array(repeating: 2, count: count), .bouncy))

    // A buffer of a file mapped into memory, in place of one that a graphics library maps.
    let path = NSTemporaryDirectory() + "/murmuration-vertices-\(ProcessInfo.processInfo.processIdentifier)"
    defer { unlink(path) }
    let file = open(path, O_RDWR | O_CREAT, 0o600)
    defer { close(file) }
    guard file >= 0, ftruncate(file, count * stride) == 0,
      let memory = mmap(nil, count * stride, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0),
      memory != MAP_FAILED
    else { throw CocoaError(.fileWriteUnknown) }
    defer { munmap(memory, count * stride) }
    let buffer = UnsafeMutableRawBufferPointer(start: memory, count: count * stride)

    var sketch = Sketch(150, 150)
    let clock = ContinuousClock()
    var spent = Duration.zero
    for frame in 0...40 {
      try dots.advance(to: Double(frame) / 60)
      // Three floats, four bytes of sRGB in the order blue, green, red, alpha, and a float, each by a kernel; in the order of
      // indices, which a particle keeps for life.
      spent += try clock.measure {
        var vertices = MutableRawSpan(_unsafeBytes: buffer)
        try dots[position].copyValues(into: &vertices, layout: VertexLayout(stride: stride))
        try dots[color].copyValues(
          into: &vertices,
          layout: VertexLayout(
            offset: 12, stride: stride, .unorm8, components: [2, 1, 0, 3],
            color: ColorConversion(from: .okLab, to: .sRGB)))
        try dots[size].copyValues(into: &vertices, layout: VertexLayout(offset: 16, stride: stride))
      }
      if frame % 10 == 0 {
        sketch.panel("\(frame) frames")
        for dot in Swift.stride(from: 0, to: count, by: 71) {
          let vertex = UnsafeRawBufferPointer(rebasing: buffer[dot * stride..<(dot + 1) * stride])
          func float(_ offset: Int) -> Float { vertex.loadUnaligned(fromByteOffset: offset, as: Float.self) }
          let color = String(format: "#%02x%02x%02x", vertex[14], vertex[13], vertex[12])
          sketch.dot([float(0), float(4)], float(16), color, opacity: Float(vertex[15]) / 255)
        }
      }
    }
    print("\(count) vertices in \(spent / 41) a frame")

    // A renderer with one buffer for each component takes the columns as they are, in the order of indices.
    try dots[position].withValues(component: 0) { column in print("the first row's x is \(column[0])") }
    return sketch
  }
}
