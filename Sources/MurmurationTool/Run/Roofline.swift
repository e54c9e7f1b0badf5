// SPDX-License-Identifier: MIT
import Bench
import Text

/// A run's kernels compared with the machine's limit: the fastest copy of the same number of bytes.
struct Roofline: Encodable {
  /// The bytes that the kernels read and write in a frame.
  let bytesPerFrame: Double
  /// The time of the copy divided by the time of the kernels; 1 is as fast as memory.
  let share: Double
  /// The reason for the share, in one sentence.
  let explanation: String

  /// The share of kernels that read and wrote `bytes` in `seconds` within some frames.
  ///
  /// - Parameters:
  ///   - bytesAtOnce: The bytes of one evaluation of all tracks: the working set that is copied.
  ///   - awake: The share of the tracks that moved.
  ///   - events: Tracks that set out, completed or came to rest, for each track that moved in a frame.
  /// - Returns: nil if there is nothing to measure.
  init?(bytes: Int, bytesAtOnce: Double, seconds: Double, frames: Int, awake: Double = 1, events: Double = 0) {
    guard bytesAtOnce >= 1, seconds > 0 else { return nil }
    let nanoseconds = CopyYardstick.nanosecondsPerByte(movingBytes: Int(bytesAtOnce))
    guard nanoseconds > 0 else { return nil }
    bytesPerFrame = Double(bytes) / Double(max(1, frames))
    share = Double(bytes) * nanoseconds * 1e-9 / seconds
    explanation = Self.explanation(
      share: share, bytesAtOnce: bytesAtOnce, secondsPerFrame: seconds / Double(max(1, frames)), awake: awake,
      events: events)
  }

  /// The reason for a share; of several, the one that explains the most.
  static func explanation(
    share: Double, bytesAtOnce: Double, secondsPerFrame: Double, awake: Double, events: Double
  ) -> String {
    if share >= 0.6 { return "the kernels run about as fast as memory is read and written" }
    if events > 0.25 {
      return "many tracks set out, complete or come to rest: that work takes longer than to move the others"
    }
    if awake < 0.25 {
      return "most tracks are at rest: to look for those that set out takes longer than to move the others"
    }
    if secondsPerFrame < 20e-6 {
      return "a frame takes \(NumberText.significant(secondsPerFrame * 1e6, digits: 2)) µs, of which its fixed cost is "
        + "a large part: with more --tracks the share rises"
    }
    if bytesAtOnce < 16 * 1024 * 1024 {
      let kibibytes = NumberText.significant(bytesAtOnce / 1024, digits: 2)
      return "the \(kibibytes) KiB of a frame fit into caches, where a copy is faster than the arithmetic of a motion"
    }
    return "a motion takes more arithmetic than a copy of its bytes takes time"
  }

  /// The share in percent.
  var percent: String { NumberText.fixed(100 * share, decimals: 0) + " % of the copy bandwidth" }
}
