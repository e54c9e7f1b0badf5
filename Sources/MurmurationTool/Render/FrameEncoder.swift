// SPDX-License-Identifier: MIT
import Formats
import Foundation
import Render
import Text

/// The kinds of pictures, by the ending of the file's name.
enum PictureKind: String, CaseIterable {
  case png, gif, webp, mp4, webm

  init(path: String) throws(FileError) {
    let name = path.split(separator: "/").last ?? ""
    let ending = name.lastIndex(of: ".").map { name[name.index(after: $0)...] } ?? ""
    guard let kind = PictureKind(rawValue: ending.lowercased()) else {
      let known = PictureKind.allCases.map { ".\($0.rawValue)" }.joined(separator: ", ")
      throw FileError(file: path, "is no picture by its name (known: \(known))")
    }
    self = kind
  }

  /// Whether it is small by default: these two formats make large files.
  var isSmall: Bool { self == .gif || self == .webp }
}

/// Encodes frames as a moving picture: an ffmpeg process reads their pixels and writes the file.
///
/// A class for its end alone: a process that is still at work is stopped.
final class FrameEncoder {
  private let process = Process()
  private let input = Pipe()
  private let errors = FileManager.default.temporaryDirectory
    .appendingPathComponent("murmuration-\(UUID().uuidString)")
  private var isWaited = false

  /// Starts ffmpeg for frames of one size, into a file that it may overwrite.
  /// - Throws: `FileError` if ffmpeg is not installed or does not start.
  init(_ kind: PictureKind, to path: String, width: Int, height: Int, framesPerSecond: Double) throws(FileError) {
    guard let program = Self.program() else {
      throw FileError(place: "ffmpeg", "is not installed; .\(kind.rawValue) needs it: apt-get install ffmpeg")
    }
    _ = FileManager.default.createFile(atPath: errors.path, contents: nil)
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments =
      [
        "-hide_banner", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", "\(width)x\(height)", "-r",
        NumberText.short(framesPerSecond), "-i", "pipe:0",
      ] + Self.options(kind) + [
        "-map_metadata", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact", "-y",
        // ffmpeg takes what stands before a colon, as in “12:30.mp4”, for a protocol unless a slash comes first.
        path.hasPrefix("/") ? path : "./" + path,
      ]
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    do {
      process.standardError = try FileHandle(forWritingTo: errors)
      try process.run()
    } catch { throw FileError(place: "ffmpeg", "cannot be started: \(error.localizedDescription)") }
  }

  /// The options that choose the encoder. None of them depends on the machine, so that the same frames give the same
  /// bytes with one version of ffmpeg.
  static func options(_ kind: PictureKind) -> [String] {
    switch kind {
    case .png: []
    case .gif:
      // A palette for each frame: one for all would need all frames in memory.
      [
        "-filter_complex",
        "[0:v]split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=new=1:dither=bayer:bayer_scale=4",
        "-loop", "0", "-f", "gif",
      ]
    case .webp: ["-c:v", "libwebp_anim", "-quality", "70", "-compression_level", "4", "-loop", "0", "-f", "webp"]
    case .mp4:
      [
        "-c:v", "libx264", "-preset", "medium", "-crf", "18", "-pix_fmt", "yuv420p", "-threads", "2", "-movflags",
        "+faststart", "-f", "mp4",
      ]
    case .webm:
      [
        "-c:v", "libvpx-vp9", "-crf", "30", "-b:v", "0", "-pix_fmt", "yuv420p", "-cpu-used", "4", "-threads", "2", "-f",
        "webm",
      ]
    }
  }

  /// Hands a frame over.
  func write(_ picture: Picture) throws(FileError) {
    var start = 0
    let descriptor = input.fileHandleForWriting.fileDescriptor
    while start < picture.bytes.count {
      let count = picture.bytes.withUnsafeBytes { bytes in
        writeBytes(descriptor, UnsafeRawBufferPointer(rebasing: bytes[start...]))
      }
      guard count > 0 else { throw failure() }
      start += count
    }
  }

  /// Waits until the file is whole.
  func finish() throws(FileError) {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
    isWaited = true
    guard process.terminationReason == .exit, process.terminationStatus == 0 else { throw failure() }
  }

  deinit {
    if !isWaited, process.isRunning {
      process.terminate()
      process.waitUntilExit()
    }
    try? FileManager.default.removeItem(at: errors)
  }

  private func failure() -> FileError {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
    let words = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
    let last = words.split(separator: "\n").last.map(String.init) ?? "it ended with \(process.terminationStatus)"
    return FileError(place: "ffmpeg", last.printable)
  }

  /// The path of ffmpeg in the folders of PATH.
  static func program() -> String? {
    let folders = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let places = folders.split(separator: ":").map { "\($0)/ffmpeg" }
    return places.first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
