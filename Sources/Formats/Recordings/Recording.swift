// SPDX-License-Identifier: MIT
import Text

/// Recorded data that springs can follow: channels of float32 values at evenly spaced frames.
public struct Recording: Sendable, Equatable {
  /// The largest magnitude of a recorded value; batches have the same limit.
  public static let valueLimit = 1e15

  /// The most values in a frame of a text file. (For a `.npy` file, its size is the limit.)
  static let channelLimit = 1 << 24

  /// The number of values in a frame.
  public let channels: Int
  /// The values, frame after frame.
  public let values: [Float]
  /// Frames per second, where the file states it.
  public let framesPerSecond: Double?
  /// The channels' names if the file states them; otherwise empty.
  public let names: [String]
  /// The skeleton that the channels move, if the file has one.
  public let skeleton: Skeleton?

  /// The contradictions in the file that a lenient reader passed over; empty unless it was asked to be lenient.
  public internal(set) var warnings: [FileError] = []

  /// The number of frames.
  public var frames: Int { values.count / channels }

  /// A recording of `values`, frame after frame, `channels` each.
  /// - Throws: `FileError` if there is no whole frame, or a part of one is left.
  public init(
    channels: Int, values: [Float], framesPerSecond: Double? = nil, names: [String] = [],
    skeleton: Skeleton? = nil
  ) throws(FileError) {
    guard channels > 0 else { throw FileError("holds no channel") }
    guard !values.isEmpty else { throw FileError("holds no frame") }
    guard values.count.isMultiple(of: channels) else { throw FileError("its last frame is not whole") }
    self.channels = channels
    self.values = values
    self.framesPerSecond = framesPerSecond
    self.names = names
    self.skeleton = skeleton
  }

  /// The value of `channel` in `frame`; both in range.
  public func value(frame: Int, channel: Int) -> Float { values[frame * channels + channel] }

  /// The recorded value that a field of a text file spells.
  /// - Throws: `FileError` if it spells no number, or one that is not finite or beyond `valueLimit`.
  static func value(_ field: ArraySlice<UInt8>, place: @autoclosure () -> String) throws(FileError) -> Float {
    guard let number = field.number else { throw FileError(place: place(), complaint(about: field)) }
    return try checked(number, place: place())
  }

  /// The reason why a field of a text file is no number, and what to do about it.
  static func complaint(about field: ArraySlice<UInt8>) -> String {
    if field.isEmpty { return "is empty; fill in a number, or take the line out" }
    let isGlued = field.first != 0x2D && field.contains { $0.isDigit } && field.contains { $0 == 0x2D || $0 == 0x2B }
    let advice =
      if field.contains(0x2C) {
        "decimals are written with a point, or in CSV with “;” between the fields"
      } else if field.contains(0x20) || field.contains(0x09) {
        "a comma, a semicolon or a tab stands between fields"
      } else if isGlued {
        "numbers are written apart"
      } else {
        "fill in a number, or take the line out"
      }
    return "“\(field.text.printable)” is not a finite decimal number; \(advice)"
  }

  /// `number` as a recorded value.
  /// - Throws: `FileError` if it is not finite or beyond `valueLimit`.
  static func checked(_ number: Double, place: @autoclosure () -> String) throws(FileError) -> Float {
    guard number.isFinite, abs(number) <= valueLimit else {
      throw FileError(place: place(), "values must be finite and within ±1e15, is \(number)")
    }
    return Float(number)
  }
}
