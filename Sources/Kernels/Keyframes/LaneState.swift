// SPDX-License-Identifier: MIT

/// The duration of a clip, and the ticks at which instances are held outside of it.
public struct ClipTiming: BitwiseCopyable {
  /// The time in seconds.
  public var duration: Double
  public var beforeTick: Int32
  public var afterTick: Int32

  public init(duration: Double, beforeTick: Int32 = ClipTick.before, afterTick: Int32 = ClipTick.after) {
    (self.duration, self.beforeTick, self.afterTick) = (duration, beforeTick, afterTick)
  }
}

/// The state of an instance besides the columns that kernels read every frame: a line of memory, touched only when it
/// changes, and when the clock leaves the leg that the columns hold. A kernel reads it as eight numbers: seven Doubles, and
/// an integer that holds the rest.
@frozen public struct LaneState {
  /// Whether the clock moves an instance.
  @frozen public enum Mode: UInt8 {
    /// The track plays nothing, and shows its target.
    case idle
    /// The track follows the clock.
    case running
    /// The track stands where the clock was at `changed`.
    case paused
  }

  /// When a call last changed it. The clock cannot go back beyond that.
  public var changed = 0.0
  /// When `offset` is reached: the end of the delay, or the moment of the last change.
  public var start = 0.0
  /// The speed. Its sign is the direction, also for 0.
  public var speed = 1.0
  /// Seconds of `firstLeg` that are over at `start`; negative if it waits for longer.
  public var offset = 0.0
  /// The leg to which `start` belongs.
  public var firstLeg = 0.0
  /// One past the last leg; infinite without end.
  public var legCount = 1.0
  /// The last leg whose beginning was reported, or the first leg.
  public var reportedLeg = 0.0
  /// The clip that it was given. It may play another clip, which was made for it alone.
  public var home: Int32 = 0
  public var mode = Mode.idle
  /// Flags of one bit each: with a byte for each, a state would not fit in a line.
  @usableFromInline var flags: UInt8 = 2 | 4 | 8

  /// An instance that plays nothing.
  public init(home: Int, changed: Double) {
    self.home = Int32(home)
    self.changed = changed
  }
}

// The last of the eight numbers.
extension LaneState {
  /// The bits of the mode, and those of ``Mode/running``.
  @export(implementation) static var modeMarks: Int64 { @inline(__always) get { 0xff << 32 } }
  @export(implementation) static var runningMark: Int64 { @inline(__always) get { 1 << 32 } }
  /// Shifted by this, the sign bit says whether the legs turn.
  @export(implementation) static var shiftOfTurns: Int64 { @inline(__always) get { 63 - 40 } }
}

extension LaneState {
  @export(implementation) public var autoreverses: Bool {
    @inline(__always) get { flags & 1 != 0 }
    @inline(__always) set { flags = newValue ? flags | 1 : flags & ~1 }
  }

  @export(implementation) public var holdsBefore: Bool {
    @inline(__always) get { flags & 2 != 0 }
    @inline(__always) set { flags = newValue ? flags | 2 : flags & ~2 }
  }

  @export(implementation) public var holdsAfter: Bool {
    @inline(__always) get { flags & 4 != 0 }
    @inline(__always) set { flags = newValue ? flags | 4 : flags & ~4 }
  }

  @export(implementation) public var completionIsReported: Bool {
    @inline(__always) get { flags & 8 != 0 }
    @inline(__always) set { flags = newValue ? flags | 8 : flags & ~8 }
  }
}
