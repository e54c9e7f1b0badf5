// SPDX-License-Identifier: MIT
import Kernels
import TestSupport
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// Sums of effects by kernels show what the model shows for the same calls, and their bits follow from the calls alone.
struct CurveSumTests {
  typealias Model = AnimatedValue<AnimatablePair<Double, Double>>

  /// Two batches that get the same calls, and the model of each track. The first batch gets bulk calls. The second runs on
  /// another set, gets curves one by one, and is compacted now and then.
  private struct Twins: ~Copyable {
    private var batch: AnimationBatch<SIMD2<Float>>
    private var other: AnimationBatch<SIMD2<Float>>
    private var handles: [TrackHandle] = []
    private var others: [TrackHandle] = []
    private var models: [Model] = []
    /// When each track was sent on last.
    private var changes: [Double] = []
    private var random: SplitMix64
    private(set) var sums = 0
    private(set) var calledCount = 0

    init(seed: UInt64, set: KernelSet) throws {
      let batch = try AnimationBatch<SIMD2<Float>>(kernels: set)
      let other = try AnimationBatch<SIMD2<Float>>(kernels: .portable)
      random = SplitMix64(seed: seed)
      self.batch = batch
      self.other = other
    }

    mutating func add(_ count: Int) throws {
      let values = (0..<count).map { _ in SIMD2(Float(random.uniform(-50...50)), Float(random.uniform(-50...50))) }
      handles = try batch.add(values)
      others = try other.add(values)
      models = values.map { Model(AnimatablePair(Double($0.x), Double($0.y))) }
      changes = Array(repeating: -1, count: count)
    }

    mutating func pick(below count: Int) -> Int { Int(random.next() % UInt64(count)) }

    /// A curve or an interpolating spring, modified or not.
    private mutating func effect() -> Animation {
      var animation = curve()
      if pick(below: 4) == 0 {
        animation = .interpolatingSpring(Spring(duration: 0.4, bounce: 0.3), initialVelocity: random.uniform(-5...5))
      } else if pick(below: 8) == 0 {
        animation = spring().delay(0.05)
      }
      switch pick(below: 8) {
      case 0: return animation.delay(0.1)
      case 1: return animation.speed(1.5)
      case 2: return animation.repeatCount(3, autoreverses: pick(below: 2) == 0)
      case 3: return animation.logicallyComplete(after: 0.1)
      default: return animation
      }
    }

    private mutating func curve() -> Animation {
      let shapes: [UnitCurve] = [
        .easeInOut, .linear, .easeOut, .steps(3, position: .jumpEnd),
        .bezier(startControlPoint: UnitPoint(x: 0.2, y: 1.4), endControlPoint: UnitPoint(x: 0.6, y: -0.3)),
      ]
      return .timingCurve(shapes[pick(below: shapes.count)], duration: [0.2, 0.5, 1][pick(below: 3)])
    }

    private mutating func spring() -> Animation {
      .spring(Spring(duration: [0.3, 0.8][pick(below: 2)], bounce: [0.4, 0, -0.5][pick(below: 3)]))
    }

    /// Sends some neighbours on that no call has sent on at this moment.
    mutating func send() throws {
      let first = pick(below: 3) == 0 ? 0 : pick(below: handles.count)
      let last = pick(below: 3) == 0 ? handles.count : min(handles.count, first + 1 + pick(below: 20))
      let chosen = (first..<last).filter { changes[$0] < batch.time }
      let goals = chosen.map { _ in SIMD2(Float(random.uniform(-50...50)), Float(random.uniform(-50...50))) }
      let isSpring = pick(below: 3) == 0
      let animation = isSpring ? spring() : effect()
      try batch.animate(chosen.map { handles[$0] }, to: goals, animation)
      if isSpring {
        try other.animate(chosen.map { others[$0] }, to: goals, animation)
      } else {
        for (track, goal) in zip(chosen, goals) { try other.animate(others[track], to: goal, animation) }
      }
      for (track, goal) in zip(chosen, goals) {
        models[track].retarget(to: AnimatablePair(Double(goal.x), Double(goal.y)), with: animation, at: batch.time)
        changes[track] = batch.time
      }
    }

    mutating func advance() throws {
      var time = batch.time + [0.01, 0.1, 0.4][pick(below: 3)] * random.uniform(0...1)
      // Going back shows a track as it was.
      if pick(below: 5) == 0 { time = max(changes.max() ?? 0, 0, batch.time - 0.2) }
      if pick(below: 4) == 0 { try other.compact() }
      other.threadCount = 1 + pick(below: 2)
      let (mine, others) = (pick(below: 2) == 0, pick(below: 2) == 0)
      try batch.advance(to: time, velocities: mine)
      try other.advance(to: time, velocities: others)
    }

    mutating func compare(_ note: String) {
      let time = batch.time
      for track in handles.indices where changes[track] < time {
        let (value, velocity) = (batch[handles[track]] ?? .zero, batch.velocity(of: handles[track]) ?? .zero)
        let (otherValue, otherVelocity) = (other[others[track]], other.velocity(of: others[track]))
        #expect(otherValue == value, "\(note), track \(track), at \(time)")
        #expect(otherVelocity == velocity, "\(note), track \(track), at \(time)")
        let (exact, speed) = (models[track].value(at: time), models[track].velocity(at: time))
        let error = max(abs(Double(value.x) - exact.first), abs(Double(value.y) - exact.second))
        #expect(error <= 0.05, "\(note), track \(track) shows \(value), not \(exact), at \(time)")
        let largest = max(abs(speed.first), abs(speed.second))
        let excess = max(abs(Double(velocity.x) - speed.first), abs(Double(velocity.y) - speed.second))
        #expect(excess <= 2 + 0.01 * largest, "\(note), track \(track) moves at \(velocity), not \(speed), at \(time)")
        guard let index = batch.index(of: handles[track]) else { continue }
        let kind = batch.engine.tracks.tiles.kind(at: index)
        if kind == .called { calledCount += 1 }
        if kind == .curves { sums += 1 }
      }
    }
  }

  @Test(
    "Effects add up as in the model, with the same bits for every form of the calls",
    arguments: KernelSet.available)
  func sumsAreTheModels(_ set: KernelSet) throws {
    var (sums, calledCount) = (0, 0)
    for seed in 0..<UInt64(Effort.draws(quick: set == .portable ? 12 : 4, soak: 2_000)) {
      var twins = try Twins(seed: seed, set: set)
      try twins.add(37)
      for step in 0..<40 {
        if twins.pick(below: 3) == 0 { try twins.send() } else { try twins.advance() }
        twins.compare("seed \(seed), step \(step)")
      }
      sums += twins.sums
      calledCount += twins.calledCount
    }
    #expect(sums > 1_000)
    #expect(calledCount < sums / 4)
  }

  @Test(
    "A modified spring takes over from one with the same modifiers, and adds to any other")
  func modifiedSprings() throws {
    let (smooth, bouncy) = (Animation.smooth(duration: 2), Animation.bouncy(duration: 1))
    for (first, second) in [
      (smooth.delay(0.1), bouncy.delay(0.1)), (smooth.delay(0.1), bouncy.delay(0.2)),
      (smooth.speed(2), bouncy.delay(0.1)), (smooth.speed(2), bouncy.speed(2)),
      (smooth.repeatCount(2), bouncy.repeatCount(2)), (smooth, bouncy.delay(0.1)),
    ] {
      var batch = try AnimationBatch<Float>()
      var model = AnimatedValue(0.0)
      let track = try batch.add(0)
      for (goal, animation, time) in [(10.0, first, 0.0), (-4, second, 0.3)] {
        try batch.advance(to: time)
        try batch.animate(track, to: Float(goal), animation)
        model.retarget(to: goal, with: animation, at: time)
      }
      for time in [0.31, 0.5, 0.8, 1.5, 4] {
        try batch.advance(to: time)
        let error = abs(Double(batch[track] ?? .nan) - model.value(at: time))
        #expect(error < 2e-3, "\(first), then \(second), at \(time)")
        let calledCount = batch.calledCount
        #expect(calledCount == 0, "\(first), then \(second)")
      }
    }
  }

  /// It was reported for a moment before the call.
  @Test func aRunThatIsCompleteIsSoForTheNextCallAtOnce() throws {
    var batch = try AnimationBatch<Float>()
    let track = try batch.add(0)
    let animation = Animation.smooth(duration: 0.5).logicallyComplete(after: 0.02)
    try batch.animate(track, to: 10, animation)
    try batch.advance(to: 0.04)
    let change = try batch.animate(track, to: -3, animation)
    try batch.advance(to: 0.0625)
    let events = batch.events.map { [$0.moment, Double($0.change.rawValue), Double($0.kind.rawValue)] }
    #expect(events == [[0.04, Double(change.rawValue), Double(AnimationEvent.Kind.logicallyComplete.rawValue)]])
  }

  /// It began to wait anew.
  @Test func aJumpThatWaitsKeepsTheClockOfItsRun() throws {
    var batch = try AnimationBatch<Float>()
    var model = AnimatedValue(17.0)
    let track = try batch.add(17)
    let jump = Animation.spring(Spring(duration: 0, bounce: 0)).delay(0.3125).delay(0)
    for (goal, time) in [(-92.0, 4.75), (-41, 5)] {
      try batch.advance(to: time)
      try batch.animate(track, to: Float(goal), jump)
      model.retarget(to: goal, with: jump, at: time)
    }
    for time in [5.05, 5.07, 5.2, 5.4] {
      try batch.advance(to: time)
      #expect(Double(batch[track] ?? .nan) == model.value(at: time), "at \(time)")
    }
  }

  @Test("A spring that waited takes over from many effects between frames, as the model does")
  func aSpringTakesOverFromManyEffects() throws {
    for count in [1, 3, 4, 5, 9, 64] {
      var batch = try AnimationBatch<Float>()
      let track = try batch.add(0)
      var model = AnimatedValue(0.0)
      for effect in 1...count {
        try batch.animate(track, to: Float(effect), .easeOut(duration: 8))
        model.retarget(to: Double(effect), with: .easeOut(duration: 8), at: batch.time)
        try batch.advance(by: 0.1)
      }
      try batch.animate([track], to: [-3], .smooth, delays: [0.05])
      model.retarget(to: -3, with: .smooth, at: batch.time + 0.05)
      try batch.advance(by: 0.2)
      #expect(abs(Double(batch[track] ?? .nan) - model.value(at: batch.time)) <= 1e-3, "\(count) effects")
      let velocity = batch.velocity(of: track) ?? .nan
      #expect(abs(Double(velocity) - model.velocity(at: batch.time)) <= 1e-2, "\(count) effects")
    }
  }

  @Test("A spring that waited takes over between frames from an animation that still waits: nothing of that shows")
  func aSpringTakesOverWhileAnEffectWaits() throws {
    let delayed = Animation.interpolatingSpring(Spring(duration: 1), initialVelocity: 5).delay(0.5)
    for isOnSpring in [false, true] {
      var batch = try AnimationBatch<Float>()
      let track = try batch.add(0)
      var model = AnimatedValue(0.0)
      if isOnSpring {
        try batch.animate(track, to: 4, .smooth)
        model.retarget(to: 4, with: .smooth, at: 0)
        try batch.advance(to: 0.1)
      }
      try batch.animate(track, to: 10, delayed)
      model.retarget(to: 10, with: delayed, at: batch.time)
      try batch.animate([track], to: [-3], .smooth, delays: [0.25])
      model.retarget(to: -3, with: .smooth, at: batch.time + 0.25)
      try batch.advance(by: 0.4)
      let (value, velocity) = (batch[track] ?? .nan, batch.velocity(of: track) ?? .nan)
      #expect(abs(Double(value) - model.value(at: batch.time)) <= 1e-3, "on a spring: \(isOnSpring)")
      #expect(abs(Double(velocity) - model.velocity(at: batch.time)) <= 1e-2, "on a spring: \(isOnSpring)")
    }
  }

  @Test("A bake of many effects has the bits of frames")
  func aBakeOfManyEffects() throws {
    let count = 9
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([Float](repeating: 0, count: 3))
    for effect in 1...count {
      try batch.animate(tracks[effect % 2], to: Float(effect), .easeOut(duration: 4))
      try batch.animate(tracks[2], to: Float(-effect), .easeOut(duration: 4))
      try batch.advance(by: 0.1)
    }
    let frames = (1...40).map { batch.time + Double($0) / 8 }
    var values = [Float](repeating: .nan, count: frames.count * tracks.count)
    var span = values.mutableSpan
    try batch.bake(BakeRequest(at: frames, indices: 0..<tracks.count), into: &span)
    for (frame, time) in frames.enumerated() {
      try batch.advance(to: time)
      for (index, track) in tracks.enumerated() {
        let baked = values[frame * tracks.count + index]
        #expect(batch[track] == baked, "track \(index), frame \(frame)")
      }
    }
  }

  @Test("Kernels add up effects of any curves in any order")
  func manyCurves() throws {
    for isLast in [false, true] {
      var batch = try AnimationBatch<Float>()
      let track = try batch.add(0)
      var model = AnimatedValue(0.0)
      for count in 1...12 {
        // The other curve is the third, or the sixth.
        let curve = Animation.timingCurve(count == (isLast ? 6 : 3) ? .easeIn : .easeOut, duration: 2)
        try batch.animate(track, to: Float(count), curve)
        model.retarget(to: Double(count), with: curve, at: batch.time)
        try batch.advance(by: 0.1)
        let isByKernels = batch.followsCurve(track)
        #expect(isByKernels, "\(count) effects")
        #expect(abs(Double(batch[track] ?? .nan) - model.value(at: batch.time)) <= 1e-3, "\(count) effects")
      }
    }
  }

  @Test("A spring that is slower than the effect on it ends with that effect", arguments: [1, 16])
  func aSpringEndsWithTheEffectOnIt(count: Int) throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([Float](repeating: 0, count: count))
    var model = AnimatedValue(0.0)
    func send(_ goal: Double, _ animation: Animation) throws {
      try batch.animate(.all, to: tracks.map { _ in Float(goal) }, animation)
      model.retarget(to: goal, with: animation, at: batch.time)
    }
    try send(100, .smooth(duration: 8))
    try batch.advance(to: 0.5)
    try send(10, .easeOut(duration: 0.3))
    try batch.advance(to: 0.6)
    try send(20, .linear(duration: 1))
    try batch.advance(to: 0.9)
    try send(40, .linear(duration: 1))
    try batch.advance(to: 1)
    for track in tracks { #expect(abs(Double(batch[track] ?? .nan) - model.value(at: 1)) <= 1e-3) }
    #expect(batch.checkInvariants() == nil)
  }

  @Test("A bake shows effects that are over, and effects on their way back, as frames do")
  func effectsAreBakedAsTheyAre() throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([Float](repeating: 0, count: 32))
    try batch.animate(.all, to: tracks.map { _ in 10 }, .easeOut(duration: 0.3))
    try batch.advance(to: 0.1)
    try batch.animate(tracks[..<16].map(\.self), to: [Float](repeating: 20, count: 16), .easeOut(duration: 1000))
    let back = Animation.easeIn(duration: 0.3).repeatCount(2, autoreverses: true)
    try batch.animate(tracks[16...].map(\.self), to: [Float](repeating: 20, count: 16), back)
    try batch.advance(to: 0.5)
    // The clock of the first effect would turn over by the last of them, if it still ran.
    let times = [0.51, 0.55, 0.6, 100]
    var values = [Float](repeating: .nan, count: times.count * tracks.count)
    var span = values.mutableSpan
    try batch.bake(BakeRequest(at: times, indices: 0..<tracks.count), into: &span)
    for (frame, time) in times.enumerated() {
      try batch.advance(to: time)
      for (index, track) in tracks.enumerated() { #expect(batch[track] == values[frame * tracks.count + index]) }
    }
  }

  @Test("An effect that was over when the batch was compacted comes back when the clock goes back")
  func effectsComeBackAfterCompacting() throws {
    func show(compacts: Bool) throws -> [Float?] {
      var batch = try AnimationBatch<Float>()
      let tracks = try batch.add([Float](repeating: 0, count: 16))
      try batch.animate(.all, to: tracks.map { _ in 10 }, .easeOut(duration: 0.3))
      try batch.advance(to: 0.1)
      try batch.animate(.all, to: tracks.map { _ in 20 }, .easeOut(duration: 1000))
      try batch.advance(to: 0.5)
      if compacts { try batch.compact() }
      var shown: [Float?] = []
      // The clock of the first effect would turn over by then, if it still ran.
      for time in [0.51, 100, 0.2] {
        try batch.advance(to: time)
        #expect(batch.checkInvariants() == nil)
        shown += tracks.map { batch[$0] }
      }
      return shown
    }
    let (compacted, other) = (try show(compacts: true), try show(compacts: false))
    #expect(compacted == other)
  }

  @Test("A repeated animation shows the same at any time, for any frames before")
  func repeated() throws {
    let animations: [Animation] = [
      .linear(duration: 0.5).repeatCount(5, autoreverses: true), .easeInOut(duration: 0.25).repeatForever(),
      .interpolatingSpring(Spring(duration: 0.5, bounce: 0.3)).repeatForever(autoreverses: true),
      .easeOut(duration: 0.5).delay(0.25).repeatCount(4, autoreverses: false),
      .spring(duration: 0.4, bounce: 0.2).repeatCount(2, autoreverses: true),
      .easeIn(duration: 0.25).repeatCount(2, autoreverses: true).repeatCount(3, autoreverses: true).speed(2),
    ]
    var frames = try AnimationBatch<Float>()
    let track = try frames.add([Float](repeating: 100, count: animations.count))
    try frames.animate(track, to: [Float](repeating: -60, count: animations.count), animations: animations)
    for frame in 1...300 {
      // Some frames go back, and the next ones come to the very ends of legs again.
      let time = Double(frame) / 64 - (frame % 7 == 0 ? 0.3 : 0)
      guard time > 0 else { continue }
      try frames.advance(to: time)
      var other = try AnimationBatch<Float>()
      let others = try other.add([Float](repeating: 100, count: animations.count))
      try other.animate(others, to: [Float](repeating: -60, count: animations.count), animations: animations)
      try other.advance(to: time)
      for index in animations.indices {
        let (value, same) = (frames[track[index]] ?? .nan, other[others[index]] ?? .nan)
        let isByKernels = other.followsCurve(others[index])
        #expect(value.bitPattern == same.bitPattern && isByKernels, "\(animations[index]) at \(time)")
        var model = AnimatedValue(100.0)
        model.retarget(to: -60, with: animations[index], at: 0)
        #expect(abs(Double(value) - model.value(at: time)) <= 0.01, "\(animations[index]) at \(time)")
      }
    }
  }

  @Test("An effect that ends before a later one is gone to the last bit, and comes back when the clock goes back")
  func endsInTheMiddle() throws {
    var batch = try AnimationBatch<Float>()
    let track = try batch.add(1e6)
    try batch.animate(track, to: -1e6, .bouncy(duration: 4))
    try batch.advance(to: 0.1)
    try batch.animate(track, to: 0.25, .linear(duration: 0.5))
    try batch.advance(to: 0.2)
    try batch.animate(track, to: 1, .linear(duration: 1))
    try batch.advance(to: 0.4)
    let before = batch[track]
    try batch.advance(to: 0.7, velocities: true)
    // The last effect has covered half of the way from 0.25, where the effect before it ended.
    let (middle, pace) = (batch[track], batch.velocity(of: track) ?? 0)
    #expect(middle == 0.625 && abs(pace - 0.75) <= 1e-4)
    try batch.advance(to: 0.4)
    let again = batch[track]
    #expect(again == before)
    try batch.advance(to: 1.2)
    let (end, rests, kinds) = (batch[track], batch.isAtRest(track), batch.events.map(\.kind))
    #expect(end == 1 && rests == true && kinds == [.logicallyComplete, .settled])
    try batch.advance(to: 0.7)
    let (last, restsAgain) = (batch[track], batch.isAtRest(track))
    #expect(last == 0.625 && restsAgain == false)
  }

  /// At the moment at which a standing track sets out, the last change counts. If the track was moving, effects add up.
  @Test(arguments: [0.0, 0.2], KernelSet.available)
  func changesOfOneMomentAddUpWhereTheTrackMoved(before: Double, set: KernelSet) throws {
    let effects: [Animation] = [
      .easeInOut(duration: 0.5), .interpolatingSpring(Spring(duration: 0.5, bounce: 0.1), initialVelocity: 3),
      .easeIn(duration: 0.4).repeatCount(3), .spring(Spring(duration: 0.4)).delay(0.05),
    ]
    for (effect, count) in effects.flatMap({ [($0, 1), ($0, 5), ($0, 20)] }) {
      for (isDelayedBy0, isAlone) in [(false, false), (true, false), (false, true), (true, true)] {
        var batch = try AnimationBatch<Float>(kernels: set)
        var model = AnimatedValue(0.0)
        let tracks = try batch.add([Float](repeating: 0, count: count))
        if before > 0 {
          try batch.animate(tracks, to: [Float](repeating: 40, count: count), .bouncy)
          model.retarget(to: 40, with: .bouncy, at: 0)
          try batch.advance(to: before)
        }
        if isAlone {
          for track in tracks { try batch.animate(track, to: 100, .smooth) }
        } else {
          try batch.animate(tracks, to: [Float](repeating: 100, count: count), .smooth)
        }
        model.retarget(to: 100, with: .smooth, at: before)
        let delays = isDelayedBy0 ? [Double](repeating: 0, count: count) : []
        try batch.animate(tracks, to: [Float](repeating: -30, count: count), effect, delays: delays)
        model.retarget(to: -30, with: effect, at: before)
        for step in 1...4 {
          let time = before + 0.1 * Double(step)
          try batch.advance(to: time)
          let (shown, value) = (batch[tracks[count - 1]], model.value(at: time))
          #expect(abs(Double(shown ?? .nan) - value) < 5e-3, "\(count) tracks, \(effect) at \(time)")
        }
      }
    }
  }
}

extension AnimatedTracks where Self: ~Copyable {
  /// Whether a track follows curves as kernels evaluate them.
  func followsCurve(_ track: TrackHandle) -> Bool {
    index(of: track).map { engine.tracks.tiles.kind(at: $0) == .curves } ?? false
  }
}
