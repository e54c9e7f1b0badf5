// SPDX-License-Identifier: MIT
import Kernels

/// The moments that a bake computes.
@safe
enum BakeMoments {
  case frames(BakeFrames)
  /// Times of any order, which are lent.
  case times(UnsafeBufferPointer<Double>)

  /// Each moment's time: memory for all of them.
  var clock: BakeClock {
    switch self {
    case .frames(let frames): BakeClock(frames)
    case .times(let times): unsafe BakeClock(times)
    }
  }

  /// Likewise for springs of these ω₀ at most: frames are not equally far apart for those that notice that times are
  /// rounded.
  func clock(upTo naturalFrequency: Double) -> BakeClock {
    guard case .frames(let frames) = self else {
      return clock
    }
    return BakeClock(frames, isSteady: naturalFrequency <= times(0..<frames.range.count).steadyFrequency)
  }

  /// What each moment's time becomes.
  func map<Result>(_ body: (Double) -> Result) -> [Result] {
    switch self {
    case .frames(let frames): frames.range.map { body(frames.time(of: $0)) }
    case .times(let times): unsafe times.map(body)
    }
  }

  /// The times of some of the moments, as kernels of springs take them.
  func times(_ part: Range<Int>) -> BakeTimes {
    switch self {
    case .frames(let frames):
      BakeTimes(
        count: part.count, origin: frames.start, first: Double(frames.range.lowerBound + part.lowerBound),
        rate: frames.perSecond)
    case .times(let times):
      unsafe BakeTimes(count: part.count, each: times.baseAddress.unsafelyUnwrapped + part.lowerBound)
    }
  }
}

/// What is to be baked, checked, and where to: at least one value. Lent for the duration of the bake.
@safe
struct BakeRequest {
  let plan: BakePlan
  let moments: BakeMoments
  let order: BakeOrder
  let values: UnsafeMutablePointer<Float>
  let velocities: UnsafeMutablePointer<Float>?

  var wantsVelocities: Bool { unsafe velocities != nil }
}

extension StagedBake {
  init(_ request: BakeRequest, _ source: Source, _ table: KernelTable) {
    unsafe self.init(
      request.plan, request.order, source, table, values: request.values, velocities: request.velocities)
  }
}

extension BakeOutput {
  /// Where all that is asked for goes.
  init(_ request: BakeRequest) {
    let (plan, isTimeMajor) = (request.plan, request.order == .timeMajor)
    let bytes = plan.count * MemoryLayout<Float>.stride * (request.wantsVelocities ? 2 : 1)
    unsafe self.init(
      values: request.values, velocities: request.velocities, frameStride: isTimeMajor ? plan.indices.count : 1,
      laneStride: isTimeMajor ? 1 : plan.frameCount,
      isStreamed: bytes > BakeLimits.streamedBytes && isTimeMajor, overlap: 0, isContinued: false)
  }

  /// Whether every row begins on a line.
  var isAligned: Bool {
    let addresses = unsafe Int(bitPattern: values) | Int(bitPattern: velocities)
    return (addresses | frameStride * MemoryLayout<Float>.stride) & 63 == 0
  }

  /// The same from a lane and a frame on.
  func from(lane: Int, frame: Int) -> BakeOutput {
    let offset = lane * laneStride + frame * frameStride
    var part = self
    unsafe part.values = values + offset
    unsafe part.velocities = velocities.map { unsafe $0 + offset }
    return part
  }
}
