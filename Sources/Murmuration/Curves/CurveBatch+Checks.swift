// SPDX-License-Identifier: MIT
import AnimationModel

// What a call is checked for before it changes anything.
extension CurveBatch {
  /// What an animation means; the index is that of its place in a call.
  mutating func motion(of animation: Animation?, index: Int) throws(BatchError) -> CurveMotion {
    do throws(AnimationDefect) {
      return try CurveMotion(checking: animation, &forms)
    } catch {
      throw .invalidAnimation(index: index, reason: error.reason)
    }
  }

  /// Checks that the clock can be set to a time.
  func check(time seconds: Double) throws(BatchError) {
    guard abs(seconds) <= BatchLimits.maximumTime else {
      throw .invalidTime(seconds)
    }
    guard seconds >= latestStart else {
      throw .timeBeforeStart(time: seconds, start: latestStart)
    }
  }
}
