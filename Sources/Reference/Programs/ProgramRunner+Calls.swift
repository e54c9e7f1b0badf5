// SPDX-License-Identifier: MIT
import Murmuration

// The calls that change motions. Each call is made on the batch first, and then the batch's state is compared. A question
// before the call would compute velocities, and so hide a call that fails to compute them.
extension ProgramRunner where Subject: ~Copyable {
  // MARK: - Adding

  mutating func add(_ count: Int, _ numbers: Numbers) throws {
    let values = Vector.planar((0..<count).map(numbers.value), dimensions: dimensions)
    let handles = try batch.add(count, at: values, assets)
    for (index, handle) in handles.enumerated() {
      let own = (0..<dimensions).map { values[$0 * count + index] }
      let track = batch.reference(at: own, assets)
      try register(handle, track)
    }
  }

  mutating func emit(_ count: Int, _ numbers: Numbers, hasSpringEach: Bool) throws {
    let handles = try batch.emit(count, numbers, hasSpringEach: hasSpringEach)
    for (index, handle) in handles.enumerated() {
      let track = ReferenceTrack(
        numbers.value(index).numbers(dimensions), velocities: numbers.velocity(index).numbers(dimensions),
        to: numbers.target(index).numbers(dimensions), on: numbers.spring(hasSpringEach ? index : 0), at: batch.time,
        batch.rules)
      try register(handle, track)
      list[list.tracks.count - 1].note(batch.latestCall)
    }
  }

  private mutating func register(_ handle: TrackHandle, _ track: ReferenceTrack) throws {
    let isNew = list.position(ofIndex: handle.index) == nil && !list.deadHandles.contains(handle)
    try findings.expect(.state, isNew, "a new track has the handle of another, index \(handle.index)")
    let shown = try batch.shownValue(of: handle)
    list.append(ListedTrack(handle: handle, track: track, shown: shown, changedAt: batch.time))
    let velocity = try batch.shownVelocity(of: handle)
    try compare(list.tracks.count - 1, shown, velocity)
  }

  // MARK: - Calls about tracks that are named

  mutating func call(_ kind: CallKind, _ names: TrackNames, _ numbers: Numbers) throws {
    // The position in the list of each named track; nil for an index without a track.
    let (batchNames, positions) = resolve(names, kind)
    guard !positions.isEmpty else { return }
    let call = numbers.call(kind, count: positions.count, at: batch.time, assets)
    let number = try batch.perform(call, on: batchNames, assets)
    if case .remove = call { return list.remove(positions.compactMap { $0 }) }
    list.forgetRests()
    // Of a track that is named twice, the last goal counts.
    let last = Dictionary(positions.enumerated().map { ($1, $0) }, uniquingKeysWith: { $1 })
    // A frame at the moment at which a sum began evaluates it by another kernel than the calls before and after.
    let newSums = Set(positions.compactMap { $0 }.filter { list[$0].isNewSum(at: batch.time) })
    for (index, position) in positions.enumerated() {
      guard let position, last[position] == index else { continue }
      // A motion that no frame has evaluated can be paused, even if it has no distance to cover.
      let isNew = !list[position].wasLookedAt && !(Subject.tellsRest && call.pauses)
      list[position].track.isKnownToMove = isNew ? nil : !list[position].isAtRest
      if list[position].isAtRest, !call.waits { list[position].track.comeToRest(at: batch.time) }
      try list[position].track.take(call, index, of: positions.count, at: batch.time, assets)
      list[position].track.isKnownToMove = nil
      if !call.waits { list[position].note(number) } else if let number { list[position].waitingCall = number }
    }
    // If calls about clips show at once, the batch has already reported the playbacks that were over.
    if Subject.showsCallsAtOnce, call.isAboutClips { try checkReports(hasMoved: false) }
    for position in Set(positions.compactMap { $0 }) {
      try checkHandOver(position, call, isExact: !newSums.contains(position))
    }
  }

  private func resolve(_ names: TrackNames, _ kind: CallKind) -> (names: BatchNames, positions: [Int?]) {
    let count = list.tracks.count
    switch names {
    case .one(let index):
      guard count > 0, takes(kind, index % count) else { return (.many([]), []) }
      return (.one(list[index % count].handle), [index % count])
    case .many(let selection):
      let positions = selection.indices(in: count).filter { takes(kind, $0) }
      return (.many(positions.map { list[$0].handle }), positions)
    case .range(let first, let count):
      let lower = first % (batch.indexCount + 1)
      let range = lower..<min(lower + count, batch.indexCount)
      return (.range(range), range.map { list.position(ofIndex: $0) })
    case .all: return (.all, (0..<batch.indexCount).map { list.position(ofIndex: $0) })
    }
  }

  /// Whether a call of a kind is made about a track. A call about the playing clip needs a track that plays one.
  private func takes(_ kind: CallKind, _ position: Int) -> Bool {
    let track = list[position].track
    if kind.needsClip, case .clip = track.motion {} else if kind.needsClip { return false }
    return Subject.takes(kind, track, at: batch.time)
  }

  /// Checks the state after a call. A call that leaves a track where it is must show the value from before, with the
  /// velocity of the old motion; a call that sets a value must show that value.
  private mutating func checkHandOver(_ position: Int, _ call: Call, isExact: Bool) throws {
    let handle = list[position].handle
    let value = try batch.shownValue(of: handle)
    if Subject.showsCallsAtOnce {
      if !call.moves, isExact {
        try expect(.value, value == list[position].shown, position, "sent on, it shows \(value)")
      }
      let velocity = try batch.shownVelocity(of: handle)
      list[position].isAtRest = list[position].isAtRest && call.waits
      try compare(position, value, velocity)
      if !call.waits { try adopt(position, value, velocity) }
    }
    list[position].isAtRest = list[position].isAtRest && call.waits
    list[position].shown = value
    list[position].wasLookedAt = list[position].wasLookedAt && call.waits
    if !call.waits { list[position].changedAt = batch.time }
    list[position].calledAt = batch.time
  }
}

extension ProgramRunner where Subject: ~Copyable {
  /// Lets the reference continue from the batch's values and target, which are compared first.
  private mutating func adopt(_ position: Int, _ value: [Float], _ velocity: [Float]) throws {
    let track = list[position].track
    var target = track.target
    if let shown = try batch.shownTarget(of: list[position].handle) {
      var agrees = shown == target
      // The end of a slide is a sum, which is rounded.
      if case .slide(let slide) = track.motion {
        agrees = shown.indices.allSatisfy { Excess(value: shown[$0], velocity: nil, of: slide.end($0)).value <= 1 }
      }
      try expect(.state, agrees, position, "its target is \(shown)")
      target = shown
    }
    list[position].track.adopt(values: value, velocities: velocity, target: target)
  }
}

extension CallKind {
  /// Whether it is about the clip that a track plays.
  fileprivate var needsClip: Bool { self == .vary || self == .setSpeed || self == .seek || self == .seekTime }
}

extension Call {
  /// Whether it gives tracks other values at once.
  fileprivate var moves: Bool {
    switch self {
    case .animate(_, let animations, let delays): delays.isEmpty && animations.contains { $0 == nil }
    case .set, .displace, .play, .setSpeed, .seek, .seekTime, .vary: true
    default: false
    }
  }

  fileprivate var isAboutClips: Bool {
    switch self {
    case .play, .setSpeed, .seek, .seekTime, .vary: true
    default: false
    }
  }

  fileprivate var pauses: Bool { if case .pause = self { true } else { false } }

  /// Whether it changes no motion, or changes it later.
  fileprivate var waits: Bool {
    switch self {
    case .pause, .resume: true
    case .animate(_, _, let delays), .retarget(_, let delays): !delays.isEmpty
    default: false
    }
  }
}
