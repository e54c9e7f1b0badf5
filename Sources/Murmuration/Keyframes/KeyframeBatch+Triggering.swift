// SPDX-License-Identifier: MIT
import Kernels

extension KeyframeBatch {
  /// Where a triggered playback starts.
  public enum TriggerStart: Sendable, Hashable {
    /// As SwiftUI does: from the current value and velocity if the instance is playing, else from the clip's beginning. A
    /// clip of given pieces, which cannot start from elsewhere, and a playback backwards start from the beginning.
    case automatic
    /// From the clip's beginning.
    case beginning
    /// From the current value and velocity, whether the instance is playing or not. A playback backwards cannot: it starts
    /// at the clip's end.
    case current
  }

  /// Starts a playback of an instance, in place of the one that it has.
  ///
  /// Where it starts from the current value, a clip is made for this instance alone; it goes when the instance leaves it.
  ///
  /// - Parameters:
  ///   - handle: The instance.
  ///   - playback: How it plays from now on.
  ///   - clip: Another clip to give it; nil for the one it was given.
  ///   - start: Where it starts.
  /// - Throws: ``BatchError``, such as ``BatchError/cannotRestart(_:_:)`` if the clip cannot start from the current value,
  ///   and ``BatchError/invalidPlayback(index:reason:)`` if it is to, backwards; nothing changes then.
  /// - Complexity: O(dimensions); with a clip of its own what making that takes.
  public mutating func trigger(
    _ handle: TrackHandle, _ playback: Playback = Playback(), clip: ClipID? = nil, from start: TriggerStart = .automatic
  ) throws(BatchError) {
    let row = try slots.row(of: handle)
    try check(playback, index: 0)
    let home: Int
    if let clip { home = try place(of: clip) } else { home = unsafe Int(storage.states[row].home) }
    let remade = try remadeClip(ofRow: row, handle, home: home, speed: playback.speed, start)
    try reserveTiles(1)
    begin(playback, row, home: home, remade)
  }

  /// Starts the same playback of many instances, each of the clip that it was given; otherwise as
  /// ``trigger(_:_:clip:from:)``. One that is named twice is triggered once.
  ///
  /// - Throws: ``BatchError``; nothing changes then.
  /// - Complexity: O(handles · dimensions), and what making clips takes.
  public mutating func trigger(
    _ handles: Span<TrackHandle>, _ playback: Playback = Playback(), from start: TriggerStart = .automatic
  ) throws(BatchError) {
    try slots.check(handles)
    try check(playback, index: 0)
    var remade: [Int: Clip?] = [:]
    // Rows that change to a clip of their own, and those that change back.
    var (own, others) = (0, 0)
    for index in handles.indices where remade[handles[index].index] == nil {
      let handle = handles[index]
      let row = slots.row(of: handle.index)
      let home = unsafe Int(storage.states[row].home)
      let made = try remadeClip(ofRow: row, handle, home: home, speed: playback.speed, start)
      remade[handle.index] = .some(made)
      if made != nil { own += 1 } else if clip(ofRow: row) != home { others += 1 }
    }
    // Those of clips of their own share tiles; each of the others may begin one.
    try reserveTiles(own / laneCountOfTile + 1 + others)
    for index in handles.indices {
      let slot = handles[index].index
      if let clip = remade.removeValue(forKey: slot) {
        let row = slots.row(of: slot)
        unsafe begin(playback, row, home: Int(storage.states[row].home), clip)
      }
    }
  }

  private mutating func begin(_ playback: Playback, _ row: Int, home: Int, _ remade: Clip?) {
    let old = unsafe Int(storage.states[row].home)
    library.countInstance(old, -1)
    library.countInstance(home, 1)
    let place = remade.map { library.add($0, isPrivate: true) } ?? home
    let row = move(row, toClip: place)
    var state = LaneState(home: home, changed: time)
    state.begin(playback, at: time, library.timings[place])
    setState(state, ofRow: row)
  }

  /// The clip that starts from where an instance is now; nil if it is to start from the beginning.
  private func remadeClip(
    ofRow row: Int, _ handle: TrackHandle, home: Int, speed: Double, _ start: TriggerStart
  ) throws(BatchError) -> Clip? {
    let state = state(ofRow: row)
    let leg = state.leg(at: time, timing(ofRow: row))
    let isPlaying = state.mode != .idle && leg.phase == .playing
    let remake = library.clip(home).remake
    switch start {
    case .beginning: return nil
    case .automatic: guard isPlaying, speed > 0, remake != nil else { return nil }
    case .current:
      guard speed >= 0 else {
        throw .invalidPlayback(
          index: 0, reason: "backwards, at speed \(speed), it starts at the clip's end, not from the current value")
      }
    }
    guard let remake else { throw .cannotRestart(handle, .notRestartable) }
    let motion = motion(ofRow: row, state, leg)
    // The clip runs at its own speed.
    let velocities = motion.velocities.map { speed == 0 || !isPlaying ? 0 : $0 / speed }
    let clip: Clip
    do throws(ClipError) { clip = try remake(motion.values, velocities) } catch { throw .cannotRestart(handle, error) }
    guard clip.dimensions == dimensions else {
      throw .wrongDimensions(of: "clip made anew", expected: dimensions, got: clip.dimensions)
    }
    return clip
  }

  /// Where an instance is and how it moves, in the values of its clip.
  private func motion(ofRow row: Int, _ state: LaneState, _ leg: PlaybackLeg) -> (
    values: [Double], velocities: [Double]
  ) {
    let columns = storage.columns
    let place = clip(ofRow: row)
    guard !leg.showsOwn else {
      let values = (0..<dimensions).map { dimension in
        let element = dimension * columns.dimensionStride + row
        let own = unsafe Double(storage.own[element])
        guard let scale = unsafe columns.scale, let offset = unsafe columns.offset else { return own }
        let factor = unsafe Double(scale[element])
        return unsafe factor == 0
          ? Double(library.entries[place].firstValues[dimension]) : (own - Double(offset[element])) / factor
      }
      return (values, [Double](repeating: 0, count: dimensions))
    }
    let clip = library.clip(place)
    let tick = leg.base + (time - leg.origin) * leg.rate
    let local =
      tick < Double(ClipTick.start)
      ? -1
      : tick > Double(ClipTick.end) ? .infinity : PlaybackLeg.fraction(ofTick: tick, isReversed: false) * clip.duration
    let signedSpeed = leg.rate == 0 ? 0 : state.isReversed(leg.index) ? -state.speed.magnitude : state.speed.magnitude
    return (
      (0..<dimensions).map { clip.value(dimension: $0, at: local) },
      (0..<dimensions).map { signedSpeed == 0 ? 0 : clip.velocity(dimension: $0, at: local) * signedSpeed }
    )
  }
}
