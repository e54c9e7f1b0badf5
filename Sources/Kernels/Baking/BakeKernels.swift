// SPDX-License-Identifier: MIT

/// The kernels of one instruction set that compute many frames at once.
///
/// A program that is compiled with `REAL_TIME_ONLY` has none of them, and no kernels of matrices: a table of kernels keeps
/// what it names in the program, called or not. See `Scripts/build-web`.
@safe
public struct BakeKernels: Sendable {
  #if !REAL_TIME_ONLY
    /// Bakes lanes of any springs and starts: lanes, their number, times, output.
    public let lanes: @Sendable (BakeLanes, Int, BakeTimes, BakeOutput) -> Void
    /// Bakes legs of instances of clips into a block: legs, the times of the block's frames, the block, whether to write
    /// velocities too, whether values vary.
    public let legs: Legs
    /// Bakes lanes in their pieces: pieces, their number, a moment for each frame, the number of frames, output.
    public let pieces: @Sendable (BakedPieces, Int, ConstantColumn<ClipMoment>, Int, BakeOutput) -> Void
    /// Writes a block: its rows, the number of lanes, the number of frames, output.
    public let write: @Sendable (BakedRows, Int, Int, BakeOutput) -> Void

    public typealias Legs =
      @Sendable (UnsafeBufferPointer<BakedLeg>, ConstantColumn<Double>, BakedLanes, Bool, Bool) -> Void
  #endif

  @export(implementation) @inline(__always)
  init<I: InstructionSet>(_: I.Type) {
    #if !REAL_TIME_ONLY
      lanes = { I.bakeLanes($0, count: $1, $2, $3) }
      unsafe legs = { unsafe I.bakeLegs($0, times: $1, $2, velocities: $3, varies: $4) }
      pieces = { I.bakePieces($0, count: $1, $2, frames: $3, $4) }
      write = { I.write($0, lanes: $1, frames: $2, $3) }
    #endif
  }
}
