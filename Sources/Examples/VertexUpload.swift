// SPDX-License-Identifier: MIT
import Foundation
import Murmuration

/// Positions and colours written where a renderer wants them: interleaved, into memory that is not ours.
enum VertexUpload {
  static let count = 10_000

  static func run() throws -> Sketch {
    var positions = try AnimationBatch<SIMD2<Float>>()
    let dots = try positions.add((0..<count).map { [Float($0 % 100) * 1.5, Float($0 / 100) * 1.5] })
    try positions.animate(dots, to: (0..<count).map { [75 + Float($0 % 7), 75 - Float($0 % 11)] }, .smooth)

    // A buffer of a file mapped into memory, in place of one that a graphics library maps.
    let path = NSTemporaryDirectory() + "/murmuration-vertices-\(ProcessInfo.processInfo.processIdentifier)"
    defer { unlink(path) }
    let size = count * MemoryLayout<SIMD2<Float>>.stride
    let file = open(path, O_RDWR | O_CREAT, 0o600)
    defer { close(file) }
    guard file >= 0, ftruncate(file, size) == 0,
      let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0),
      memory != MAP_FAILED
    else { throw CocoaError(.fileWriteUnknown) }
    defer { munmap(memory, size) }
    let buffer = UnsafeMutableBufferPointer(start: memory.assumingMemoryBound(to: SIMD2<Float>.self), count: count)

    var sketch = Sketch(150, 150)
    let clock = ContinuousClock()
    var spent = Duration.zero
    for frame in 0...40 {
      try positions.advance(to: Double(frame) / 60)
      // x and y of each dot side by side, by a kernel; in the order of indices, which a track keeps for life.
      spent += try clock.measure {
        var vertices = MutableSpan(_unsafeElements: buffer)
        try positions.copyValues(into: &vertices)
      }
      if frame % 10 == 0 {
        sketch.panel("\(frame) frames")
        for dot in stride(from: 0, to: count, by: 71) { sketch.dot(buffer[dot], 1) }
      }
    }
    print("\(count) vertices in \(spent / 41) a frame")

    // A renderer with one buffer for each component takes the columns as they are, in the order of indices.
    try positions.withValues(component: 0) { column in print("the first row's x is \(column[0])") }
    return sketch
  }
}
