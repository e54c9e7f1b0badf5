// SPDX-License-Identifier: MIT
import Kernels

/// The memory that a bake writes to.
struct BakeTarget {
  /// The output of the first component, from the first track and frame on, and floats from a component to the next.
  let first: BakeOutput
  private let componentStride: Int
  /// Whether the components of a track are side by side, and more than one.
  let isInterleaved: Bool

  /// Numbers that are interleaved at a time: enough for several threads, and few enough for the last cache.
  static let interleavedAtOnce = 1 << 20

  /// Memory for some tracks, components and frames.
  init(
    _ values: Column<Float>, _ velocities: Column<Float>?, _ order: BakeOrder,
    _ tracks: Int, components: Int, frames: Int
  ) {
    let isTrackMajor = order == .trackMajor
    let bytes = frames * tracks * components * 4 * (velocities == nil ? 1 : 2)
    first = BakeOutput(
      values: values, velocities: velocities, frameStride: isTrackMajor ? 1 : components * tracks,
      laneStride: isTrackMajor ? components * frames : 1,
      isStreamed: bytes > BakeLimits.streamedBytes && !isTrackMajor, overlap: 0, isContinued: false)
    componentStride = isTrackMajor ? frames : tracks
    isInterleaved = order == .interleaved && components > 1
  }

  /// The output of one component, from a track and a frame on.
  func output(ofComponent component: Int, lane: Int, frame: Int) -> BakeOutput {
    first.moved(by: component * componentStride).from(lane: lane, frame: frame)
  }
}

extension BakeOutput {
  /// Whether every row begins on a line.
  var isAligned: Bool {
    let addresses = unsafe Int(bitPattern: values.address) | Int(bitPattern: velocities?.address)
    return (addresses | frameStride * MemoryLayout<Float>.stride) & 63 == 0
  }

  /// The same from a lane and a frame on.
  func from(lane: Int, frame: Int) -> BakeOutput { moved(by: lane * laneStride + frame * frameStride) }

  fileprivate func moved(by offset: Int) -> BakeOutput {
    var part = self
    part.values = values + offset
    part.velocities = velocities.map { $0 + offset }
    return part
  }
}

/// The sizes at which a bake changes its method.
///
/// Dimensions on one clock (``RowFrames``) have no such size, although they could be matrix products of 4 terms. They are
/// computed as rows, four frames at a time, with the bits of sampling, which no product has. Our own tiles are quicker by
/// an eighth with a thousand dimensions, and by at most 3 % with more; OpenBLAS takes 2.2 to 2.7 times as long at every
/// size. Nanoseconds an output of 240 frames on a Zen 5 core with AVX-512 and OpenBLAS 0.3.21, the better of one call and
/// chunks, all in one run (`murmuration bench --only baking`):
///
/// | dimensions, frames a piece | sampled, copied | rows | tiles | OpenBLAS |
/// |---|---|---|---|---|
/// | 1 008, 18 | 0.141 | 0.056 | 0.049 | 0.141 |
/// | 1 008, 240 | 0.124 | 0.046 | 0.041 | 0.110 |
/// | 10 000, 18 | 0.166 | 0.063 | 0.065 | 0.139 |
/// | 10 000, 240 | 0.158 | 0.047 | 0.058 | 0.118 |
/// | 100 000, 18 | 0.370 | 0.115 | 0.144 | 0.266 |
/// | 100 000, 240 | 0.356 | 0.096 | 0.093 | 0.262 |
///
/// One frame at a time, from copies of the pieces, rows of 10 000 took 0.119 and 0.078.
enum BakeLimits {
  /// Bytes of output from which on it is stored past the caches. Measured on a Zen 5 core with 32 MiB of shared cache, a tile
  /// in C that writes 9.6 MB takes 0.052 ns an output through the caches and 0.096 past them; with 96 MB 0.211 and 0.099.
  static let streamedBytes = 1 << 24

  /// The least number of blocks of lanes times frames that is worth waking other threads for.
  static let parallelBlocks = 4_000
}
