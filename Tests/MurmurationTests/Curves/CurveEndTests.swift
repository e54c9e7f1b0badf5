// SPDX-License-Identifier: MIT
import AnimationModel
import Testing

@testable import Murmuration

extension CurveBatch {
  /// What all tracks show at a time, by a bake.
  fileprivate func bakedValues(at time: Double) throws -> [Float] {
    var values = [Float](repeating: 0, count: indexCount)
    var span = values.mutableSpan
    try bake(BakeFrames(0..<1, perSecond: 60, start: time), indices: 0..<indexCount, dimension: 0, values: &span)
    return values
  }
}

/// Tracks at the end of their motions: what is reported, what moves again, and what begins there.
struct CurveEndTests {
  /// What takes no time is reported as what takes some: with the next frame, and once.
  @Test(arguments: [Animation.linear(duration: 0), .spring(duration: 0), .spring(duration: 0).delay(0)])
  func whatTakesNoTimeIsReported(animation: Animation) throws {
    var batch = try CurveBatch()
    let (handle, moving) = (try batch.add(value: Float(0)), try batch.add(value: Float(0)))
    try batch.retarget(moving, to: Float(5), with: .easeIn(duration: 9))
    try batch.advance(to: 1)
    try batch.retarget(handle, to: Float(1), with: animation)
    try batch.retarget(moving, to: Float(1), with: animation)
    // Where it heads already nothing happens.
    try batch.retarget(handle, to: Float(1), with: animation)
    var (logical, settled): ([TrackHandle], [TrackHandle]) = ([], [])
    for frame in 1...9 {
      try batch.advance(to: 1 + Double(frame) / 60)
      logical += batch.logicallyComplete
      settled += batch.settled
    }
    #expect(Set(logical) == [handle, moving] && logical.count == 2)
    #expect(Set(settled) == [handle, moving] && settled.count == 2)
    for handle in [handle, moving] {
      #expect(try batch.value(of: handle, as: Float.self) == 1)
    }
  }

  /// Going back, tracks that had come to rest move again, called or not, but for custom animations.
  @Test func tracksMoveAgainWhenTheClockGoesBack() throws {
    let animations: [Animation] = [
      .smooth.delay(1), .snappy.speed(0.5), .linear(duration: 1).delay(1), .bouncy(duration: 2),
      Animation(CurveBatchTests.Staircase()).delay(1),
    ]
    var batch = try CurveBatch()
    let zeros = [Float](repeating: 0, count: animations.count)
    let ones = [Float](repeating: 1, count: animations.count)
    let handles = try batch.add(values: zeros.span)
    let optional = animations.map(Optional.some)
    try batch.retarget(handles.span, to: ones.span, animations: optional.span)
    try batch.advance(to: 1.2)
    var before: [Float] = []
    for handle in handles {
      before.append(try batch.value(of: handle, as: Float.self))
    }
    try batch.advance(to: 30)
    #expect(batch.settled.count == animations.count)
    #expect(batch.calledCount == 0)
    let baked = try batch.bakedValues(at: 1.2)
    try batch.advance(to: 1.2)
    for (index, handle) in handles.enumerated() {
      let isCustom = index == animations.count - 1
      let (shown, atRest) = (try batch.value(of: handle, as: Float.self), try batch.isAtRest(handle))
      #expect(shown == (isCustom ? 1 : before[index]), "\(animations[index])")
      #expect(baked[index] == shown, "\(animations[index])")
      #expect(atRest == isCustom)
    }
    try batch.advance(to: 30)
    #expect(batch.settled.isEmpty && batch.logicallyComplete.isEmpty && batch.calledCount == 0)
    // A new change makes it forgotten.
    try batch.retarget(handles[0], to: Float(2), with: nil)
    try batch.advance(to: 40)
    try batch.advance(to: 31)
    #expect(try batch.value(of: handles[0], as: Float.self) == 2)
  }

  /// A change at the very end of a curve finds it finished: from there on there is one curve, which a kernel evaluates; and
  /// another change at that moment adds to it, as in the model.
  @Test func aChangeAtTheEndOfACurveBeginsAnew() throws {
    var batch = try CurveBatch()
    let handle = try batch.add(value: Float(1))
    var model = AnimatedValue(1.0)
    // Of binary lengths, so that the model finds the very end.
    let animations: [Animation] = [
      .easeIn(duration: 0.25), .linear(duration: 0.125).delay(0.125), .easeOut(duration: 1).speed(2),
    ]
    var (goal, end) = (Float(1), 0.0)
    for step in 0..<12 {
      goal = Float(step * 3 % 7) - 2.5
      let animation = animations[step % 3]
      try batch.retarget(handle, to: goal, with: animation)
      model.retarget(to: Double(goal), with: animation, at: end)
      #expect(batch.tracks[handle.index].kind == .lane && batch.tracks[handle.index].earlier.isEmpty)
      if step == 10 {
        try batch.retarget(handle, to: goal + 4, with: animation)
        model.retarget(to: Double(goal + 4), with: animation, at: end)
        #expect(batch.tracks[handle.index].earlier.count == 1)
      }
      let length = model.endTime - end
      for part in [0, 0.2, 0.7, 1] {
        try batch.advance(to: part == 1 ? model.endTime : end + length * part)
        let error = abs(Double(try batch.value(of: handle, as: Float.self)) - model.value(at: batch.time))
        // A way of 8 on pieces that are within 2⁻¹⁶ of it, and roundings.
        #expect(error < 8 * 0x1p-16 + 4e-6, "step \(step) at \(batch.time)")
      }
      end = model.endTime
    }
  }
}
