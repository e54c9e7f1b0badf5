// SPDX-License-Identifier: MIT
import Kernels

/// The conversion from the seconds of a clip to ticks.
struct TickScale {
  /// 0 for a clip of no length.
  let ticksPerSecond: Double

  /// - duration: The clip's duration in seconds.
  init(duration: Double) { ticksPerSecond = duration > 0 ? ClipTick.count / duration : 0 }

  /// Seconds of the unit of time of pieces, in a clip of some length.
  var unit: Double { ClipTick.unit / ticksPerSecond }

  /// The tick of an instant of the clip.
  func tick(_ seconds: Double) -> Int32 {
    Int32(clamping: Int64(ClipTick.start) + Int64((seconds * ticksPerSecond).rounded()))
  }

  /// The time of a tick.
  func seconds(_ tick: Int32) -> Double { (Double(tick) - Double(ClipTick.start)) / ticksPerSecond }

  /// Whether so few ticks lie between two instants that at most one tick belongs to the time between them.
  func isMoment(_ start: Double, _ end: Double) -> Bool { Int64(tick(end)) - Int64(tick(start)) <= 1 }
}
