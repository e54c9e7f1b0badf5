// SPDX-License-Identifier: MIT
package import Murmuration

/// Draws programs: recordings with calls of all kinds, at moments at which something happens.
///
/// Each program leaves out some features, by chance: calls that end motions early would hide what happens late. The draws
/// go by what a batch answers (which tracks are there, when they rest), and the drawn program is a plain recording.
package struct RandomProgram: ~Copyable {
  /// What a program may contain.
  package enum Feature: UInt64, CaseIterable, Sendable {
    case springs, eases, modifiers, jumps, slides, hands, clips, phases, delays, pauses, removals, refusals, goingBack
    case farTimes, manyCallsAtOnce, steepCurves, restTolerances
    /// Goals that tracks head for already.
    case sameGoals
    /// In every third program: while tracks follow, the clock does not go back.
    case following
    /// Effects that add up from frame to frame; in every third program.
    case bursts
  }

  package enum Size: Sendable {
    /// Up to some 60 tracks.
    case small
    /// A thousand tracks.
    case big
  }

  var random: SplitMix64
  let features: Set<Feature>
  private let size: Size
  /// The largest magnitude of values.
  let magnitude: Double
  private(set) var player: BatchPlayer
  private var recording: BatchRecording
  var eases: [Animation] = []
  /// Times at which something may happen, and the time of the last call.
  private var moments: [Double] = []
  private var lastCall = 0.0
  private let names: [String]

  /// The weight of each call in a draw, by its name, and the feature that the call belongs to.
  private static let weights: [(name: String, weight: Int, feature: Feature?)] = [
    ("add", 3, nil), ("addMoving", 3, .springs), ("addPlaying", 2, .clips), ("remove", 3, .removals),
    ("removeSettled", 2, .removals), ("removeAll", 1, .removals), ("compact", 1, nil), ("reserve", 1, nil),
    ("animate", 12, nil), ("animate each", 6, nil), ("animate often", 2, .bursts), ("retarget", 6, .springs),
    ("cancelDelays", 2, .delays),
    ("set", 3, .hands), ("displace", 3, .hands), ("push", 3, .hands), ("decelerate", 3, .slides),
    ("loadClip", 2, .clips),
    ("loadPhases", 2, .phases), ("unload", 1, .clips), ("play", 6, .clips), ("setVariations", 2, .clips),
    ("setSpeed", 2, nil), ("seek", 2, .clips), ("seekProgress", 2, .clips), ("playPhases", 6, .phases),
    ("trigger", 3, .phases), ("pause", 3, .pauses), ("resume", 3, .pauses), ("stop", 2, nil),
    ("setRestTolerance", 2, .restTolerances), ("setReports", 1, nil), ("follow", 5, .following),
    ("setGoals", 14, .following), ("followTracks", 2, .following), ("writeGoals", 3, .following),
  ]

  /// The program of a seed.
  package static func draw(
    seed: UInt64, size: Size = .small, features: Set<Feature> = Set(Feature.allCases)
  ) -> BatchRecording {
    // The portable kernels are always there, and a batch takes all of the numbers of dimensions.
    guard var program = try? RandomProgram(seed: seed, size: size, features: features) else {
      preconditionFailure("a batch of portable kernels cannot be made")
    }
    program.write()
    return program.recording
  }

  private init(seed: UInt64, size: Size, features: Set<Feature>) throws {
    var random = SplitMix64(seed: seed)
    // Each feature is in two programs of three.
    let bits = random.next() | random.next()
    let rare: Set<Feature> = [.following, .bursts]
    let drawn = features.filter {
      bits >> $0.rawValue & 1 == 1 && !(rare.contains($0) && bits >> (2 * $0.rawValue + 4) & 3 == 3)
    }
    self.features = drawn.isDisjoint(with: [.springs, .eases]) ? drawn.union([.eases]) : drawn
    self.size = size
    magnitude = [1, 100, 100, 1e4][Int(random.next() % 4)]
    let many = [1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 8, 17, 100]
    let dimensions = many[Int(random.next() % UInt64(size == .small ? many.count : 8))]
    recording = BatchRecording(dimensions: dimensions, calls: [])
    player = try BatchPlayer(recording, kernels: .portable)
    names = Self.weights.filter { $0.feature.map(drawn.contains) ?? true }.flatMap {
      Array(repeating: $0.name, count: $0.weight)
    }
    self.random = random
  }

  // MARK: - Draws

  mutating func draw(_ range: ClosedRange<Int>) -> Int { range.lowerBound + Int(random.next() % UInt64(range.count)) }

  mutating func chance(_ share: Double) -> Bool { random.unit() < share }

  mutating func one<Element>(of list: [Element]) -> Element { list[draw(0...list.count - 1)] }

  // MARK: - A program

  private mutating func write() {
    make(BatchCall(.setReports([.iterations, .phases])))
    if features.contains(.clips) { for _ in 0..<draw(1...3) { draw("loadClip") } }
    if features.contains(.phases) { for _ in 0..<draw(1...2) { draw("loadPhases") } }
    draw("add")
    let length = size == .small ? draw(8...70) : draw(10...30)
    while recording.calls.count < length {
      if chance(features.contains(.manyCallsAtOnce) ? 0.3 : 0.5) { advance() } else { draw(one(of: names)) }
    }
    for _ in 0..<3 { advance() }
  }

  private mutating func make(_ call: BatchCall) {
    recording.calls.append(call)
    let isAccepted = (try? player.perform(call)) != nil
    switch call.verb {
    case .loadClip, .loadPhases, .advance: break
    default: if isAccepted { lastCall = player.batch.time }
    }
  }

  // MARK: - Time

  private mutating func advance() {
    let now = player.batch.time
    var time: Double
    switch draw(0...19) {
    case 0: time = now
    case 1: time = now + random.logarithmic(1e-12...1e-4)
    case 2: time = features.contains(.farTimes) ? now + random.logarithmic(1...1e5) : now + 0.1
    case 3: time = now + random.uniform(0.5...10)
    case 4, 5: time = features.contains(.goingBack) ? random.uniform(min(lastCall, now)...now) : now + 1 / 120
    case 6: time = features.contains(.goingBack) ? lastCall : now + 2
    case 7..<11: time = moment(after: now)
    case 11..<16: time = now + 1 / 60
    default: time = now + random.uniform(0...0.5)
    }
    if chance(0.05) { time = chance(0.5) ? time.nextUp : time.nextDown }
    let call = BatchCall(.advance(to: time, velocities: chance(0.5)))
    make(features.contains(.refusals) && chance(0.03) ? spoiled(call) : call)
  }

  /// A moment at which something happens, such as the rest of a spring or the end of a delay.
  private mutating func moment(after now: Double) -> Double {
    moments.removeAll { $0 <= now }
    let handle = player.handle(player.liveTracks.randomElement(using: &random) ?? -1)
    let own = [player.batch.restTime(of: handle), player.batch.nextStepTime(of: handle)]
    let list = (moments + own.compactMap { $0 }).filter { $0 > now && $0 < now + 100 }
    return list.isEmpty ? now + random.uniform(0...1) : one(of: list)
  }

  // MARK: - Calls

  /// A number of tracks near the size of a tile, or any number.
  private mutating func many() -> Int {
    switch draw(0...4) {
    case 0: 1
    case 1: draw(2...14)
    case 2: draw(15...17)
    case 3: 16 * draw(1...2)
    default: draw(1...40)
    }
  }

  /// Draws a call of a name, and makes it.
  private mutating func draw(_ name: String) {
    guard var call = call(name) else { return }
    make(features.contains(.refusals) && chance(0.06) ? spoiled(call) : call)
    guard name == "animate often" else { return }
    for _ in 0..<draw(3...12) {
      make(BatchCall(.advance(to: player.batch.time + random.uniform(0...1 / 30), velocities: chance(0.5))))
      call.goals = vectors(call.goals.count / recording.dimensions, magnitude)
      make(call)
    }
  }

  private mutating func call(_ name: String) -> BatchCall? {
    switch name {
    case "add", "addMoving", "addPlaying": return arrival(name)
    case "removeSettled": return BatchCall(.removeSettled)
    case "removeAll": return chance(0.3) ? BatchCall(.removeAll) : nil
    case "compact": return BatchCall(.compact)
    case "reserve": return BatchCall(.reserve(draw(0...200)))
    case "loadClip": return clip().map { BatchCall(.loadClip($0)) }
    case "loadPhases": return phases().map { BatchCall(.loadPhases($0)) }
    case "unload":
      return chance(0.5)
        ? BatchCall(.unloadClip, clips: [draw(0...max(0, player.clips.count - 1))])
        : BatchCall(.unloadPhases, sequences: [draw(0...player.sequences.count)])
    case "setRestTolerance":
      let value = Float(one(of: [1e-30, 1e-6, 1e-3, 1e-3, 0.1, 5]))
      let velocity = chance(0.3) ? value * Float(random.logarithmic(1...100)) : nil
      return (try? RestTolerances(value: value, velocity: velocity)).map { BatchCall(.setRestTolerance($0)) }
    case "setReports": return BatchCall(.setReports(AnimationReports(rawValue: UInt8(draw(0...3)))))
    default: return callAboutTracks(name)
    }
  }

  private mutating func arrival(_ name: String) -> BatchCall? {
    let count = size == .big && player.tracks.count < 1000 ? 1000 : many()
    guard player.liveTracks.count + count <= (size == .big ? 2500 : 90) else { return call("remove") }
    if name == "addPlaying", !player.clips.isEmpty {
      let playbacks = (0..<count).map { _ in playback() }
      return BatchCall(.addPlaying, clips: oneOrEach(count) { $0.clipNumber() }, playbacks: playbacks)
    }
    let values = vectors(count, magnitude)
    guard name == "addMoving" else { return BatchCall(.add, values: values) }
    return BatchCall(
      .addMoving, values: values, velocities: chance(0.3) ? [] : vectors(count, 10 * magnitude),
      goals: vectors(count, magnitude), springs: oneOrEach(count) { $0.spring() })
  }

  private mutating func callAboutTracks(_ name: String) -> BatchCall? {
    let tracks = selection()
    let list = player.names(of: tracks) ?? []
    guard !list.isEmpty || chance(0.1) else { return nil }
    let count = list.count
    // What a verb has besides its name is drawn below.
    var call = BatchCall(BatchCall.Verb.plainAboutTracks.first { $0.name == name } ?? .animate, tracks)
    switch name {
    case "animate", "animate each", "animate often":
      call.goals = goals(list)
      call.animations = (0..<(name == "animate each" ? count : 1)).map { _ in animation() }
      call.numbers = delays(count)
    case "retarget": (call.goals, call.numbers) = (goals(list), delays(count))
    case "follow": call.springs = oneOrEach(count) { $0.spring() }
    case "setGoals": call.goals = vectors(count, magnitude)
    case "writeGoals":
      (call.tracks, call.goals) = (.all, vectors(player.batch.indexCount, magnitude))
      let last = call.goals.count - 1
      if chance(0.2), last >= 0 { call.goals[draw(0...last)] = one(of: [.nan, .infinity, 2e15]) }
    case "followTracks":
      // Leaders are told for handles alone.
      let (named, live) = (list.compactMap { $0 }, player.liveTracks)
      guard !live.isEmpty else { return nil }
      call.offsets = chance(0.5) ? [] : vectors(named.count, magnitude)
      (call.tracks, call.springs) = (.tracks(named), [spring()])
      call.leaders = named.map { _ in one(of: live) }
    case "set", "displace":
      (call.values, call.velocities) = (vectors(count, magnitude), vectors(count, 10 * magnitude))
    case "push": call.velocities = vectors(count, 10 * magnitude)
    case "decelerate":
      let slide = chance(0.6) ? .normal : chance(0.5) ? .fast : Deceleration(rate: random.uniform(0.9...0.9999))
      call.verb = .decelerate(slide, within: chance(0.3) ? bounds() : nil)
      call.velocities = chance(0.4) ? [] : vectors(count, 10 * magnitude)
    case "play":
      guard !player.clips.isEmpty else { return nil }
      call.verb = .play(start: one(of: [.firstValue, .firstValue, .shownValue, .automatic]))
      call.clips = oneOrEach(count) { $0.clipNumber() }
      call.playbacks = oneOrEach(count) { $0.playback() }
    case "setVariations": (call.scales, call.offsets) = (vectors(count, 2), vectors(count, magnitude))
    case "setSpeed": call.numbers = numbers(count, chance(0.3) ? -2...2 : 0.2...3)
    case "seek": call.numbers = numbers(count, -1...5)
    case "seekProgress": call.numbers = (0..<count).map { _ in random.uniform(-0.1...1.1) }
    case "playPhases":
      guard !player.sequences.isEmpty else { return nil }
      let now = player.batch.time
      call.sequences = [draw(0...player.sequences.count - 1)]
      call.verb = .playPhases(chance(0.7) ? .loops : .triggered)
      call.numbers = chance(0.6) ? [] : (0..<count).map { _ in now + random.uniform(-2...2) }
      call.offsets = chance(0.5) ? [] : vectors(count, magnitude)
      call.scales = chance(0.6) ? [] : vectors(count, 2)
    default: break
    }
    return call
  }

  /// Bounds of a slide, some of which are no bounds, and for some slides points.
  private mutating func bounds() -> SlideBounds {
    let ends = (0..<recording.dimensions).map { _ in
      [Float(random.uniform(-magnitude...magnitude)), Float(random.uniform(-magnitude...magnitude))].sorted()
    }
    let hasPoints = chance(0.5)
    let isGrid = hasPoints && chance(0.5)
    return SlideBounds(
      lower: ends.map { chance(0.2) ? -.infinity : $0[0] }, upper: ends.map { chance(0.2) ? .infinity : $0[1] },
      spring: spring(), points: hasPoints ? vectors(isGrid ? 1 : draw(1...5), magnitude) : nil,
      spacing: isGrid ? ends.map { _ in Float(random.uniform(0.1...1) * magnitude) } : nil)
  }

  /// One for all of some tracks, or one for each.
  private mutating func oneOrEach<Element>(_ count: Int, _ draw: (inout RandomProgram) -> Element) -> [Element] {
    (0..<(chance(0.5) ? 1 : count)).map { _ in draw(&self) }
  }

  // MARK: - Tracks

  private mutating func selection() -> BatchCall.Tracks {
    let live = player.liveTracks
    guard !live.isEmpty else { return .all }
    switch draw(0...19) {
    case 0..<3: return .all
    case 3..<5:
      let start = draw(0...player.batch.indexCount - 1)
      return .indices(start..<min(player.batch.indexCount, start + many()))
    case 5..<11: return .tracks([one(of: live)])
    default:
      let (start, step) = (draw(0...live.count - 1), chance(0.3) ? draw(2...3) : 1)
      var list = (0..<min(many(), live.count)).map { live[(start + $0 * step) % live.count] }
      if chance(0.2) { list += list.prefix(draw(1...3)) }
      if chance(0.3) { list.shuffle(using: &random) }
      return .tracks(list)
    }
  }

  // MARK: - Numbers

  mutating func vectors(_ count: Int, _ magnitude: Double) -> [Float] {
    let isPlain = chance(0.1)
    return (0..<count * recording.dimensions).map { _ in
      isPlain || chance(0.05) ? Float(draw(-1...1)) : Float(random.uniform(-magnitude...magnitude))
    }
  }

  /// Goals of tracks; for some tracks the goals that they have.
  private mutating func goals(_ list: [Int?]) -> [Float] {
    var goals = vectors(list.count, magnitude)
    let share = !features.contains(.sameGoals) ? 0 : chance(0.2) ? 0.9 : 0.1
    for (place, track) in list.enumerated() where chance(share) {
      guard let track, let target = player.batch.target(of: player.handle(track)) else { continue }
      let start = place * recording.dimensions
      for dimension in 0..<recording.dimensions { goals[start + dimension] = target.component(dimension) }
    }
    return goals
  }

  private mutating func numbers(_ count: Int, _ range: ClosedRange<Double>) -> [Double] {
    oneOrEach(count) { $0.chance(0.1) ? 0 : $0.random.uniform(range) }
  }

  /// Seconds until calls, on a coarse grid, so that some calls coincide; none for most calls.
  private mutating func delays(_ count: Int) -> [Double] {
    guard features.contains(.delays), chance(0.4) else { return [] }
    let list = (0..<count).map { _ in Double(draw(0...12)) / 16 }
    moments = (moments + list.prefix(3).map { player.batch.time + $0 }).suffix(12)
    return list
  }

  private mutating func clipNumber() -> Int { draw(0...player.clips.count - 1) }

  /// A playback of any kind: at any speed, also 0, repeated or not, autoreversing or not.
  private mutating func playback() -> Playback {
    if chance(0.3) { return Playback() }
    let start = chance(0.2) ? player.batch.time + random.uniform(-2...2) : nil
    let delay = chance(0.3) ? random.uniform(-0.5...1.5) : 0
    let speed = chance(0.6) ? random.uniform(-2...3) : 1
    return Playback(
      start: start, delay: delay, speed: chance(0.05) ? 0 : speed,
      repetition: chance(0.5) ? chance(0.5) ? .forever : .count(draw(1...4)) : .count(1), autoreverses: chance(0.4),
      timeOffset: chance(0.3) ? random.uniform(-1...5) : 0, holdsBefore: chance(0.7), holdsAfter: chance(0.7))
  }
}
