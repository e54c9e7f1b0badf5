// SPDX-License-Identifier: MIT
import Formats
import Murmuration

/// Scenes drawn from a seed, for checks: combinations of animations, timelines, playbacks, hands and phases.
package struct RandomScene {
  private var random: SplitMix64
  private var dimensions = 1

  /// Tracks of each group.
  private static let count = 21

  private init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    dimensions = 1 + int(below: 3)
  }

  /// Groups that events send to targets with modified curves and springs, one after another.
  package static func animations(seed: UInt64) throws -> PlayableScene {
    var draw = RandomScene(seed: seed)
    return try draw.scene { draw throws(DescriptionError) in .animations(try draw.animationGroup()) }
  }

  /// Groups that play timelines of all kinds of keyframes: at any speed, repeated, reversed, taken by hands.
  package static func timelines(seed: UInt64) throws -> PlayableScene {
    var draw = RandomScene(seed: seed)
    return try draw.scene { draw throws(DescriptionError) in .timelines(try draw.timelineGroup()) }
  }

  /// Groups that go through phases of springs and jumps, in a loop or when they are triggered.
  package static func phases(seed: UInt64) throws -> PlayableScene {
    var draw = RandomScene(seed: seed)
    return try draw.scene { draw throws(DescriptionError) in .phases(try draw.phaseGroup()) }
  }

  private mutating func scene(
    _ motion: (inout RandomScene) throws(DescriptionError) -> SceneGroup.Motion
  ) throws -> PlayableScene {
    var groups: [SceneGroup] = []
    for _ in 0..<3 {
      let group = SceneGroup(count: Self.count, motion: try motion(&self))
      try group.check(dimensions: dimensions, path: [.key("groups"), .index(groups.count)])
      groups.append(group)
    }
    return try PlayableScene(
      Scene(
        name: "random", dimensions: dimensions, framesPerSecond: random.uniform(8...60), duration: 4,
        seed: random.next(),
        groups: groups))
  }

  // MARK: - Draws

  private mutating func chance(_ share: Double) -> Bool { random.unit() < share }

  private mutating func int(below end: Int) -> Int { Int(random.next() % UInt64(end)) }

  private mutating func number() -> Double { chance(0.1) ? 0 : random.uniform(-100...100) }

  private mutating func point() -> [Double] { (0..<dimensions).map { _ in number() } }

  private mutating func maybe<T>(_ share: Double, _ draw: (inout RandomScene) -> T) -> T? {
    chance(share) ? draw(&self) : nil
  }

  private mutating func spring() throws(DescriptionError) -> SpringDescription {
    try SpringDescription(
      duration: random.uniform(0.05...1.5), bounce: chance(0.2) ? 0 : random.uniform(-0.9...0.9))
  }

  private mutating func stagger() -> StaggerDescription {
    var stagger = StaggerDescription(random.uniform(0...3))
    switch int(below: 9) {
    case 0: break
    case 1: stagger.origin = .random(seed: 0)
    case 2: (stagger.origin, stagger.columns) = (.center, .square)
    case 3: (stagger.origin, stagger.seconds, stagger.isTotal) = (.last, stagger.seconds / 20, false)
    case 4: stagger.origin = .edges
    case 5: (stagger.origin, stagger.columns) = (.edges, .square)
    case 6: (stagger.origin, stagger.ease) = (.position(2.5), .named(.easeOutBack))
    case 7: (stagger.origin, stagger.columns) = (.point(column: 1, row: 2.5), .count(6))
    default: (stagger.origin, stagger.ease) = (.center, .named(.easeInQuad))
    }
    return stagger
  }

  private mutating func offsets() -> Layout? { maybe(0.6) { Layout(.box, size: [$0.random.uniform(1...200)]) } }

  private mutating func waves() -> SceneEvent.Waves {
    SceneEvent.Waves(count: 1 + int(below: 6), over: random.uniform(0.1...1))
  }

  private mutating func trigger(from time: Double) -> SceneTrigger {
    var trigger = SceneTrigger(at: time + random.uniform(0...1), waves: waves())
    let stagger = stagger()
    (trigger.order.origin, trigger.order.columns) = (stagger.origin, stagger.columns)
    return trigger
  }

  // MARK: - Animations

  private mutating func animationGroup() throws(DescriptionError) -> AnimationGroup {
    var group = AnimationGroup(try animation(), stagger: maybe(0.5) { $0.stagger() } ?? StaggerDescription())
    group.start = offsets()
    var time = 0.0
    for _ in 0...int(below: 4) {
      time += chance(0.2) ? 0 : random.uniform(0...1.5)
      group.events.append(
        AnimationGroup.Event(
          at: time, target: Layout(.box, size: [random.uniform(1...200)]),
          animation: chance(0.5) ? try animation() : nil, stagger: maybe(0.3) { $0.stagger() }))
    }
    return group
  }

  private mutating func animation() throws(DescriptionError) -> AnimationChoice {
    let base: AnimationDescription.Base =
      chance(0.3) ? .spring(try spring()) : .curve(curve(), duration: random.uniform(0.1...1))
    var choice = AnimationChoice(AnimationDescription(base))
    choice.animation.repeats = maybe(0.5) { $0.chance(0.5) ? .forever : .count(1 + $0.int(below: 4)) }
    choice.animation.autoreverses = choice.animation.repeats != nil && chance(0.5)
    if chance(0.3) { choice.animation.speed = random.uniform(0.3...2) }
    if chance(0.3) { choice.animation.delay = random.uniform(-0.1...0.5) }
    choice.duration = maybe(0.3) { 0.1...$0.random.uniform(0.2...1) }
    choice.speed = maybe(0.2) { 0.5...$0.random.uniform(0.6...2) }
    choice.delay = maybe(0.3) { 0...$0.random.uniform(0.1...0.5) }
    return choice
  }

  // MARK: - Timelines

  private mutating func timelineGroup() throws(DescriptionError) -> TimelineGroup {
    let isGrabbed = chance(0.4)
    var timelines: [TimelineDescription] = []
    for _ in 0..<dimensions {
      timelines.append(try timeline(hasOpenSprings: !isGrabbed))
    }
    let slowest = isGrabbed ? random.uniform(0.3...1) : random.uniform(-2...2)
    let playback = PlaybackDescription(
      speed: slowest...slowest + random.uniform(0...1.5),
      repeats: maybe(0.7) { $0.chance(0.5) ? .forever : .count(1 + $0.int(below: 4)) }, autoreverses: chance(0.5))
    var group = TimelineGroup(timelines: timelines, stagger: stagger(), playback: playback, offsets: offsets())
    let duration = timelines.map(\.duration).max() ?? 0
    group.repeatEvery = maybe(0.2) { duration + $0.random.uniform(0.01...0.5) }
    if isGrabbed { group.grab = try grab() }
    return group
  }

  private mutating func grab() throws(DescriptionError) -> Grab {
    var grab = Grab(trigger(from: 0.5))
    guard chance(0.7) else { return grab }
    grab.hold = random.uniform(0.05...0.6)
    if chance(0.8) { grab.drag = point() }
    if chance(0.6) {
      grab.release = Grab.Release(
        spring: try spring(), glide: random.uniform(0...0.3), resume: maybe(0.5) { $0.random.uniform(0.1...0.6) })
    }
    return grab
  }

  private mutating func timeline(hasOpenSprings: Bool) throws(DescriptionError) -> TimelineDescription {
    var keyframes: [KeyframeDescription] = []
    for _ in 0...int(below: 6) {
      keyframes.append(try keyframe(hasOpenSprings: hasOpenSprings))
    }
    return TimelineDescription(initialValue: number(), track: TrackDescription(keyframes: keyframes))
  }

  private mutating func keyframe(hasOpenSprings: Bool) throws(DescriptionError) -> KeyframeDescription {
    let duration = chance(0.05) ? 0 : chance(0.05) ? random.uniform(1e-6...1e-4) : random.uniform(0.05...0.8)
    switch int(below: 8) {
    case 0: return .move(to: number())
    case 1: return .linear(to: number(), duration: duration, timingCurve: .named(.linear))
    case 2, 3: return .linear(to: number(), duration: duration, timingCurve: curve())
    case 4, 5:
      return .cubic(
        to: number(), duration: duration, startVelocity: maybe(0.4) { $0.number() },
        endVelocity: maybe(0.4) { $0.number() })
    default:
      return .spring(
        to: number(), duration: hasOpenSprings && chance(0.3) ? nil : duration, spring: try spring(),
        startVelocity: maybe(0.3) { $0.number() })
    }
  }

  private mutating func curve() -> CurveDescription {
    guard chance(0.5) else { return .named(UnitCurve.named[int(below: UnitCurve.named.count)].curve) }
    return .bezier(
      x1: random.unit(), y1: random.uniform(-0.5...1.5), x2: random.unit(), y2: random.uniform(-0.5...1.5))
  }

  // MARK: - Phases

  private mutating func phaseGroup() throws(DescriptionError) -> PhaseGroup {
    var phases: [PhaseDescription] = []
    for index in 0...1 + int(below: 4) {
      let stays = index > 0 && chance(0.15)
      phases.append(
        PhaseDescription(
          target: stays ? phases[index - 1].target : point(), spring: chance(0.15) ? nil : try spring()))
    }
    var group = PhaseGroup(phases: phases, offsets: offsets())
    guard chance(0.5) else {
      group.stagger = stagger()
      return group
    }
    var triggers: [SceneTrigger] = []
    for _ in 0...int(below: 3) {
      triggers.append(trigger(from: triggers.last?.end ?? 0))
    }
    group.triggers = triggers
    return group
  }
}
