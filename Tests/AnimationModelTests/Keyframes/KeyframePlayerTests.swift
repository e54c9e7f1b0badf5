// SPDX-License-Identifier: MIT
import AnimationModel
import Testing

/// The recorded behaviour of SwiftUI's keyframe animator: K10 to K14 of `Tests/Fixtures/swiftui_recorded.json`.
@Suite struct KeyframePlayerTests {
  /// A player whose runs move by 20 from their start in 0.2 s.
  static func player(_ idleStart: KeyframePlayer<Double>.IdleStart = .initialValue) -> KeyframePlayer<Double> {
    KeyframePlayer(initialValue: 0, idleStart: idleStart) { start in
      LinearKeyframe(start + 20, duration: 0.2)
    }
  }

  @Test func initialAndLastValuesHold() {
    var player = Self.player()
    #expect(player.value(at: 100) == 0 && !player.isPlaying(at: 100))
    player.trigger(at: 3)
    #expect(player.value(at: 2) == 0)
    #expect(abs(player.value(at: 3.1) - 10) < 1e-9)
    #expect(player.isPlaying(at: 3.1) && !player.isPlaying(at: 3.2))
    #expect(player.value(at: 50) == 20)
    let nothing = KeyframePlayer(initialValue: 7.0, repeatingFrom: 0) { _ in KeyframeTrack {} }
    #expect(nothing.value(at: 5) == 7)
  }

  /// While idle it starts from the initial value, or from the current one if asked to; during a run from the current one.
  @Test(
    arguments: [(.initialValue, 1, 0, 20), (.currentValue, 1, 20, 40), (.initialValue, 0.05, 5, 25)]
      as [(KeyframePlayer<Double>.IdleStart, Double, Double, Double)])
  func aSecondTriggerStartsFromItsValue(
    _ idleStart: KeyframePlayer<Double>.IdleStart, _ time: Double, _ start: Double, _ end: Double
  ) {
    var player = Self.player(idleStart)
    player.trigger(at: 0)
    player.trigger(at: time)
    #expect(player.value(at: time) == start && player.value(at: 2) == end)
  }

  /// The end of a run is its start plus its duration, though the difference of both is less than the duration.
  @Test func roundingDoesNotProlongARun() {
    let (start, duration) = (0.7, 0.1)
    var player = KeyframePlayer(initialValue: 0.0) { start in LinearKeyframe(start + 20, duration: duration) }
    player.trigger(at: start)
    let end = start + duration
    #expect(end - start < duration && !player.isPlaying(at: end) && player.value(at: end) == 20)
    player.trigger(at: end)
    #expect(player.value(at: end) == 0)
  }

  @Test func triggerDuringARunKeepsTheVelocityOfEachProperty() {
    struct Pose { var x = 0.0, y = 50.0 }
    var player = KeyframePlayer(initialValue: Pose()) { start in
      KeyframeTrack(\.x) { SpringKeyframe(start.x + 20, duration: 0.5, spring: .bouncy) }
      // A second track appears with the second run only; 50 is where y is, not how fast it moves.
      if start.x > 0 { KeyframeTrack(\.y) { CubicKeyframe(60, duration: 0.5) } }
    }
    player.trigger(at: 0)
    var (before, after) = (Pose(x: 0, y: 0), Pose(x: 0, y: 0))
    player.update(velocity: &before, at: 0.1)
    player.trigger(at: 0.1)
    player.update(velocity: &after, at: 0.1)
    #expect(before.x > 10 && abs(after.x - before.x) < 1e-9 && after.y == 0)
  }

  /// A point whose components move together or each by itself.
  private struct Point: Animatable {
    var x = 0.0, y = 0.0
    /// Nothing moves it.
    var mass = 3.0
    var animatableData: AnimatablePair<Double, Double> {
      get { AnimatablePair(x, y) }
      set { (x, y) = (newValue.first, newValue.second) }
    }
  }

  /// The velocity goes on from the tracks that show, whether the next ones move the whole value or its parts.
  @Test(arguments: [true, false]) func triggerKeepsTheVelocityFromWholeValuesToPartsAndBack(_ startsWhole: Bool) {
    var player = KeyframePlayer(initialValue: Point()) { start in
      if (start.x == 0) == startsWhole {
        KeyframeTrack { SpringKeyframe(Point(x: 20, y: -60), duration: 0.5) }
      } else {
        KeyframeTrack(\.x) { SpringKeyframe(20, duration: 0.5) }
        // The later track of y shows.
        KeyframeTrack(\.y) { LinearKeyframe(7, duration: 0.5) }
        KeyframeTrack(\.y) { SpringKeyframe(-60, duration: 0.5) }
        KeyframeTrack(\.mass) { CubicKeyframe(9, duration: 0.5) }
      }
    }
    player.trigger(at: 0)
    for time in [0.1, 0.2] {
      var (before, after) = (Point(), Point())
      (before.mass, after.mass) = (0, 0)
      player.update(velocity: &before, at: time)
      player.trigger(at: time)
      player.update(velocity: &after, at: time)
      #expect(before.x > 10 && abs(after.x - before.x) < 1e-9)
      #expect(before.y < -30 && abs(after.y - before.y) < 1e-9)
    }
  }

  @Test func repeatingGoesRound() {
    var player = KeyframePlayer(initialValue: 0.0, repeatingFrom: 1) { start in
      LinearKeyframe(start + 20, duration: 0.25)
    }
    #expect(player.value(at: 0) == 0 && !player.isPlaying(at: 0))
    #expect([1, 1.125, 1.25, 1.375, 9.125].map { player.value(at: $0) } == [0, 10, 0, 10, 10])
    player.trigger(at: 1.1)
    #expect(player.value(at: 1.125) == 10)
    player.pause(at: 1.125)
    #expect(player.value(at: 77) == 10 && !player.isPlaying(at: 77))
    player.resume(at: 100)
    #expect(player.value(at: 100.0625) == 15)
  }
}
