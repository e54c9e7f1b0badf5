// SPDX-License-Identifier: MIT
import Kernels

/// The memory that a bake writes to.
struct BakeTarget {
  let values: Column<Float>
  let velocities: Column<Float>?
  /// Whether the components of a track are side by side, and more than one.
  let isInterleaved: Bool
  private let isTrackMajor: Bool
  private let trackCount: Int
  private let componentCount: Int
  private let frameCount: Int

  /// Numbers that are interleaved at a time: enough for several threads, and few enough for the last cache.
  static let interleavedAtOnce = 1 << 20

  /// Memory for some tracks, components and frames.
  init(
    _ values: Column<Float>, _ velocities: Column<Float>?, _ order: BakeOrder,
    _ tracks: Int, components: Int, frames: Int
  ) {
    (self.values, self.velocities) = (values, velocities)
    (trackCount, componentCount, frameCount) = (tracks, components, frames)
    isTrackMajor = order == .trackMajor
    isInterleaved = order == .interleaved && components > 1
  }

  /// The output of one component, from the first track and frame on.
  func output(ofComponent component: Int) -> BakeOutput {
    let bytes = frameCount * trackCount * componentCount * 4 * (velocities == nil ? 1 : 2)
    let offset = component * (isTrackMajor ? frameCount : trackCount)
    return BakeOutput(
      values: values + offset, velocities: velocities.map { $0 + offset },
      frameStride: isTrackMajor ? 1 : componentCount * trackCount,
      laneStride: isTrackMajor ? componentCount * frameCount : 1,
      isStreamed: bytes > BakeLimits.streamedBytes && !isTrackMajor, overlap: 0, isContinued: false)
  }
}

extension BakeOutput {
  /// Whether every row begins on a line.
  var isAligned: Bool {
    let addresses = unsafe Int(bitPattern: values.address) | Int(bitPattern: velocities?.address)
    return (addresses | frameStride * MemoryLayout<Float>.stride) & 63 == 0
  }

  /// The same from a lane and a frame on.
  func from(lane: Int, frame: Int) -> BakeOutput {
    let offset = lane * laneStride + frame * frameStride
    var part = self
    part.values = values + offset
    part.velocities = velocities.map { $0 + offset }
    return part
  }
}
