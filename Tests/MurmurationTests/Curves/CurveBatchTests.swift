// SPDX-License-Identifier: MIT
import AnimationModel
import Testing

@testable import Murmuration

/// Curves: when they are complete, and the effect of a change at the moment of another one.
struct CurveBatchTests {
  /// A called animation, which covers its way in steps of a tenth of a second.
  struct Staircase: CustomAnimation {
    func animate<V: VectorArithmetic>(value: V, time: Double, context: inout AnimationContext<V>) -> V? {
      time >= 0.4 ? nil : value.scaled(by: (time * 10).rounded(.down) / 4)
    }
  }

  /// Completion is reported once, with the first frame from its moment on.
  @Test func completionIsReported() throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([0, 0, 0, 0, 0])
    let animations: [Animation] = [
      .linear(duration: 0.5), .linear(duration: 0.5).logicallyComplete(after: 0.25), .smooth(duration: 0.25),
      Animation(Staircase()), Animation(Staircase()).logicallyComplete(after: 0.2),
    ]
    try batch.animate(tracks, to: [1, 1, 1, 1, 1], animations: animations)
    var (logical, settled): ([Double: [TrackHandle]], [Double: [TrackHandle]]) = ([:], [:])
    for frame in 1...16 {
      try batch.advance(to: Double(frame) / 16)
      for event in batch.events {
        #expect(event.moment <= batch.time && event.moment > batch.time - 1 / 16)
        if event.kind == .logicallyComplete { logical[batch.time, default: []].append(event.track) }
        if event.kind == .settled { settled[batch.time, default: []].append(event.track) }
      }
    }
    #expect(logical == [0.25: [tracks[1], tracks[2], tracks[4]], 0.5: [tracks[0]], 0.4375: [tracks[3]]])
    #expect(settled[0.5]?.contains(tracks[0]) == true && settled[0.5]?.contains(tracks[1]) == true)
    #expect(settled[0.4375] == [tracks[3], tracks[4]] && settled.values.joined().count == 5)
  }

  @Test("Tracks with custom animations are counted until another motion takes over")
  func customAnimationsAreCounted() throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([0, 0, 0])
    var counts = [batch.calledCount]
    try batch.animate(tracks, to: [1, 1, 1], Animation(Staircase()))
    counts.append(batch.calledCount)
    try batch.animate(tracks[0], to: 2, .bouncy)
    counts.append(batch.calledCount)
    try batch.remove(tracks[1])
    counts.append(batch.calledCount)
    try batch.advance(to: 0.25)
    let value = batch[tracks[2]]
    #expect(counts == [0, 3, 2, 1] && value == 0.5)
  }

  /// A change at the moment of the first one replaces it, velocity and all, also if the first one waited and a frame has
  /// shown its start; a change at another moment adds to it.
  @Test(arguments: [false, true]) func aChangeAtTheSameMomentReplaces(_ waits: Bool) throws {
    for first in [Animation.easeIn(duration: 1), .smooth, .linear.repeatForever()] {
      for second in [Animation.easeOut(duration: 0.5), .bouncy] {
        var batch = try AnimationBatch<Float>()
        let track = try batch.add(1)
        var model = AnimatedValue(1.0)
        if waits { try batch.animate([track], to: [9], first, delays: [0.25]) }
        try batch.advance(to: 0.25)
        for (goal, animation) in [(9, first), (-4, second)] as [(Float, Animation)] {
          if !waits || goal < 0 { try batch.animate(track, to: goal, animation) }
          model.retarget(to: Double(goal), with: animation, at: 0.25)
        }
        for frame in 1...20 {
          try batch.advance(to: 0.25 + Double(frame) * 0.03)
          model.advance(to: batch.time)
          let error = abs(Double(batch[track] ?? .nan) - model.value(at: batch.time))
          // The pieces are within 2⁻¹⁶ of the way, which is 5; roundings add to that.
          #expect(error < 5 * 0x1p-16 + 4e-6, "\(first), \(second) at \(batch.time)")
        }
      }
    }
  }
}
