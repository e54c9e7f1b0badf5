// SPDX-License-Identifier: MIT
import Foundation
import Murmuration

/// Frames baked ahead, drawn, and piped to ffmpeg as they are made; without ffmpeg they are only counted.
enum VideoPipe {
  static let (width, height, count) = (320, 200, 4_000)

  static func run() throws -> Sketch {
    var batch = try AnimationBatch<SIMD2<Float>>()
    let dots = try batch.add((0..<count).map { SIMD2(Float($0 % width), 0) })
    let goals = (0..<count).map { dot in
      let (x, y) = (dot * 7919 % width, 40 + dot * 104_729 % 150)
      return SIMD2(Float(x), Float(y))
    }
    try batch.animate(dots, to: goals, .bouncy(duration: 1), delays: (0..<count).map { Double($0) / 4_000 })
    // A bake reads motions as they stand: the waiting calls have set out after a second.
    try batch.advance(to: 1)

    let output = NSTemporaryDirectory() + "/murmuration-\(ProcessInfo.processInfo.processIdentifier).mp4"
    defer { unlink(output) }
    let ffmpeg = ["/usr/bin/ffmpeg", "/usr/local/bin/ffmpeg"].first { FileManager.default.isExecutableFile(atPath: $0) }
    let (encoder, pipe) = (Process(), Pipe())
    if let ffmpeg {
      encoder.executableURL = URL(fileURLWithPath: ffmpeg)
      encoder.arguments = [
        "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "gray", "-s", "\(width)x\(height)", "-r", "60", "-i",
        "-",
        "-pix_fmt", "yuv420p", output,
      ]
      encoder.standardInput = pipe
      try encoder.run()
    }

    var sketch = Sketch(160, 100)
    // Blocks of thirty frames are lent; they have the bits of the whole, and no frame is kept.
    let request = BakeRequest(
      BakeFrames(0..<120, perSecond: 60, start: 1), indices: 0..<count, order: .interleaved)
    try batch.bake(request, framesAtOnce: 30) { frames, values, _ in
      for frame in frames {
        var pixels = Data(count: width * height)
        let first = (frame - frames.lowerBound) * count * 2
        if frame % 30 == 0 { sketch.panel("frame \(frame)") }
        for dot in 0..<count {
          let (x, y) = (values[first + 2 * dot], values[first + 2 * dot + 1])
          if 0..<Float(width) ~= x, 0..<Float(height) ~= y { pixels[Int(y) * width + Int(x)] = 255 }
          if frame % 30 == 0, dot % 20 == 0 { sketch.dot([x / 2, y / 2], 0.8) }
        }
        if ffmpeg != nil { try pipe.fileHandleForWriting.write(contentsOf: pixels) }
      }
    }
    guard ffmpeg != nil else { return sketch }
    try pipe.fileHandleForWriting.close()
    encoder.waitUntilExit()
    let bytes = try FileManager.default.attributesOfItem(atPath: output)[.size] as? Int
    print("ffmpeg ended with status \(encoder.terminationStatus), and the video has \(bytes ?? 0) bytes")
    return sketch
  }
}
