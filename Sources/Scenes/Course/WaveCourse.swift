// SPDX-License-Identifier: MIT

/// The waves of triggers, one after another in time.
///
/// Both a player and the reference that checks it walk a course of their own.
package struct WaveCourse {
  private let triggers: [SceneTrigger]
  private let count: Int
  private let index: Int
  private let seed: UInt64
  /// The seconds between the time of a wave in its trigger and the wave itself.
  private let delay: Double
  /// The number of triggers whose waves are all over.
  private var step = 0
  /// The number of waves so far of the trigger under way.
  private var wave = 0
  /// The tracks of each wave of the trigger under way.
  private var parts: [[Int]] = []

  /// The course of group `index` of a scene, from the start.
  package init(_ triggers: [SceneTrigger], count: Int, index: Int, seed: UInt64, delay: Double = 0) {
    self.triggers = triggers
    self.count = count
    self.index = index
    self.seed = seed
    self.delay = delay
  }

  /// The moment of the next wave; infinite after the last.
  package var nextTime: Double { step < triggers.count ? triggers[step].time(wave: wave) + delay : .infinity }

  /// The next wave up to and including `time`, or nil without one; each wave is returned once.
  package mutating func next(until time: Double) -> (time: Double, tracks: [Int])? {
    let moment = nextTime
    guard moment <= time else { return nil }
    let trigger = triggers[step]
    if wave == 0 {
      parts = trigger.parts(
        count: count, random: SceneRandom(seed: seed, purpose: .gestures, group: index, event: step))
    }
    defer {
      wave += 1
      if wave == parts.count { (step, wave, parts) = (step + 1, 0, []) }
    }
    return (moment, parts[wave])
  }
}
