// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

/// Tracks on springs, alone and in bulk, against the model.
struct SpringTrackTests {
  /// The error bound of a batch in units of value: see the accuracy of `AnimationBatch`.
  static func bound(displacement: Float, velocity: Float, spring: Spring, target: Float) -> Double {
    let scale = max(abs(Double(displacement)), abs(Double(velocity)) / spring.naturalFrequency)
    return 8 * 0x1p-24 * scale + Double((abs(target) + abs(displacement)).ulp) / 2
  }

  @Test func retargetingKeepsValueAndVelocity() throws {
    var batch = try AnimationBatch<SIMD2<Float>>()
    let handle = try batch.add([0, 10], to: [100, -50], .bouncy)
    try batch.advance(to: 0.2)
    let (value, velocity) = (batch[handle] ?? .zero, batch.velocity(of: handle) ?? .zero)
    #expect(velocity != .zero)
    try batch.animate(handle, to: [-20, 0], .smooth)
    let kept = (batch[handle], batch.velocity(of: handle))
    #expect(kept.0 == value && kept.1 == velocity)
    // Just after, it has moved by velocity · time and no more.
    try batch.advance(by: 1e-5)
    let step = (batch[handle] ?? .zero) - value - velocity * 1e-5
    #expect(abs(step.x) < 1e-4 && abs(step.y) < 1e-4)
  }

  /// The coefficients of the last spring are kept from call to call.
  @Test func callsOneAfterTheOtherFollowTheirOwnSprings() throws {
    let springs = [
      Spring.bouncy, .bouncy, .smooth, Spring(mass: 2, stiffness: 80, damping: 3), .smooth,
      Spring(duration: Spring.smooth.duration, bounce: 1e-9),
    ]
    var batch = try AnimationBatch<Float>()
    let handles = try batch.add([Float](repeating: 0, count: springs.count))
    for (handle, spring) in zip(handles, springs) { try batch.animate(handle, to: 1, .spring(spring)) }
    // A refused spring, and a blend duration that is no number, are refused each time.
    for refused in [
      Animation.spring(Spring(mass: -1, stiffness: 1, damping: 1)), .spring(.smooth, blendDuration: .nan),
    ] {
      for _ in 0..<2 { #expect(throws: BatchError.self) { try batch.animate(handles[0], to: 2, refused) } }
    }
    try batch.advance(to: 0.2)
    for (handle, spring) in zip(handles, springs) {
      let bound = Self.bound(displacement: 1, velocity: 0, spring: spring, target: 1)
      let exact = spring.value(target: 1.0, time: 0.2)
      #expect(abs(Double(try #require(batch[handle])) - exact) <= bound, "\(spring)")
    }
  }

  @Test func springsOfDurationZeroJump() throws {
    var batch = try AnimationBatch<Float>()
    let handle = try batch.add(3, velocity: 100, to: 8, Spring(duration: 0, bounce: 0))
    var shown = [batch[handle]]
    try batch.advance(to: 1e-9)
    shown.append(batch[handle])
    // It goes on jumping when its spring is kept.
    try batch.retarget(handle, to: -1)
    try batch.advance(by: 1e-9)
    shown.append(batch[handle])
    #expect(shown == [3, 8, -1])
  }

  @Test func tracksAddedWhileVelocitiesWaitShowTheirStartWhenThoseAreRead() throws {
    var batch = try AnimationBatch<Float>()
    let moving = try batch.add(0, to: 10, .bouncy)
    try batch.advance(to: 0.1)
    let jump = Spring(duration: 0, bounce: 0)
    let alone = try batch.add(3, velocity: 100, to: 8, jump)
    try batch.advance(to: 0.2)
    let many = try batch.add([5], velocities: [5], to: [6], jump)
    let late = try batch.add(3, velocity: 100, to: 8, jump)
    let velocities = [moving, alone, many[0], late].map { batch.velocity(of: $0) }
    #expect(velocities[0] != 0 && velocities[1...] == [0, 5, 100])
    let values = [alone, many[0], late].map { batch[$0] }
    #expect(values == [8, 5, 3])
  }

  /// Tracks that leave change no value of the others.
  @Test func aTileThatShrinksMovesOn() throws {
    var random = SplitMix64(seed: 62)
    for count in [17, 40, 300] {
      var motions = (0..<count).map { _ in Motion(.bouncy, &random) }
      // It is complete while tracks leave, and rests after that.
      motions[0].spring = Spring(duration: 0.2, bounce: 0.4)
      let (values, velocities, goals) = (motions.map(\.value), motions.map(\.velocity), motions.map(\.target))
      var shrinking = try AnimationBatch<Float>()
      var whole = try AnimationBatch<Float>()
      var handles = try shrinking.add(values, velocities: velocities, to: goals, motions[0].spring)
      try whole.add(values, velocities: velocities, to: goals, motions[0].spring)
      handles.shuffle(using: &random)
      for frame in 1...30 {
        try shrinking.advance(to: Double(frame) / 30, velocities: frame % 2 == 0)
        try whole.advance(to: Double(frame) / 30)
        let (one, other) = (try shrinking.bits(), try whole.bits())
        let isSame = handles.allSatisfy {
          one[$0.index] == other[$0.index] && one[count + $0.index] == other[count + $0.index]
        }
        #expect(isSame)
        let live = Set(handles.map(\.index))
        let (events, expected) = (shrinking.events, whole.events.filter { live.contains($0.track.index) })
        #expect(events.map(\.track.index) == expected.map(\.track.index) && events.map(\.kind) == expected.map(\.kind))
        for _ in 0..<min(count / 20 + 1, handles.count) { try shrinking.remove(handles.removeLast()) }
        let (indexCount, trackCount) = (shrinking.indexCount, shrinking.count)
        #expect(indexCount >= trackCount)
      }
    }
  }
}
