// SPDX-License-Identifier: MIT
import Kernels

/// The changes whose ends calls have asked for.
struct WatchedChanges {
  struct Watch {
    let criteria: CompletionCriteria
    var outcome: ChangeOutcome
    /// The tracks for which it has not ended.
    var pending: [TrackHandle] = []
  }

  /// In the order of their calls, and so of their numbers.
  private(set) var watches: [Watch] = []
  /// The number of tracks that all watches wait for: a sum over the watches in each call would take long if there are many.
  private var pendingCount = 0
  /// By index the watched change that was last found to be complete for the track; 0 for none.
  private var completed: [UInt32] = []
  /// Whether a change may have ended in another way than by an event.
  var mayHaveEnded = false
  /// What the last advance, and calls before and after it, have ended.
  private(set) var outcomes: [ChangeOutcome] = []
  private(set) var trackOutcomes: [TrackOutcome] = []
  /// The numbers of outcomes in these lists when the last advance ended.
  private var told = (changes: 0, tracks: 0)

  var isEmpty: Bool { watches.isEmpty }

  /// Bytes for all indices, and for the outcomes that may come.
  var byteCount: Int { completed.count * 4 + trackOutcomes.capacity * MemoryLayout<TrackOutcome>.stride }

  mutating func code(_ coder: inout StateCoder) {
    coder.code(&completed)
    coder.code(&outcomes)
    coder.code(&trackOutcomes)
    coder.code(&mayHaveEnded)
    coder.code(&told)
    // Outcomes that may come find room.
    let needed = coder.coded(trackOutcomes.capacity)
    if coder.isReading, needed > trackOutcomes.capacity { trackOutcomes.reserveCapacity(needed) }
  }

  /// Goes back to the watches of a snapshot.
  mutating func take(_ watches: [Watch]) {
    self.watches = watches
    pendingCount = watches.reduce(0) { $0 + $1.pending.count }
  }

  /// Names the tracks by handles of a copy of the batch.
  mutating func rename(_ store: UInt32) {
    for watch in watches.indices { watches[watch].pending = watches[watch].pending.map { $0.renamed(store) } }
    trackOutcomes = trackOutcomes.map {
      TrackOutcome(change: $0.change, track: $0.track.renamed(store), result: $0.result)
    }
  }

  /// Forgets what the last advance has told. What calls have ended since then is told with this one.
  mutating func beginFrame() {
    guard told.changes + told.tracks > 0 else { return }
    // Their memory is used again.
    if told == (outcomes.count, trackOutcomes.count) {
      outcomes.clear()
      trackOutcomes.clear()
    } else {
      outcomes.removeFirst(told.changes)
      trackOutcomes.removeFirst(told.tracks)
    }
    told = (0, 0)
  }

  mutating func endFrame() { told = (outcomes.count, trackOutcomes.count) }

  /// Makes room for watching a change, and for the outcomes of all tracks.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)`` if there is no memory; nothing changes then.
  mutating func makeRoom(for tracks: Int, indexCount: Int) throws(BatchError) {
    var blocks: [Int?] = [tracks * MemoryLayout<TrackHandle>.stride]
    let told = trackOutcomes.count + tracks + pendingCount
    let capacity = max(told, 2 * trackOutcomes.capacity)
    let grows = told > trackOutcomes.capacity || indexCount > completed.count
    if grows {
      blocks += [capacity * MemoryLayout<TrackOutcome>.stride, 2 * indexCount * MemoryLayout<UInt32>.stride]
    }
    guard MemoryBlock.hasRoom(forBlocks: blocks) else { throw .capacityExceeded(tracks) }
    guard grows else { return }
    trackOutcomes.reserveCapacity(capacity)
    completed.grow(to: indexCount, with: 0)
  }

  /// Watches a change.
  ///
  /// - Parameters:
  ///   - tracks: The tracks of the call, each once.
  ///   - isUnderWay: Whether the change has begun, or waits, for the track of an index.
  @inline(__always)
  mutating func watch(
    _ change: UInt32, _ criteria: CompletionCriteria, _ tracks: consuming [TrackHandle], isUnderWay: (Int) -> Bool
  ) {
    var watch = Watch(criteria: criteria, outcome: ChangeOutcome(change: ChangeID(rawValue: change)))
    // As a rule all tracks have set out.
    if !tracks.allSatisfy({ isUnderWay($0.index) }) {
      end(&watch.outcome, for: &tracks) { isUnderWay($0.index) ? nil : .complete }
    }
    watch.pending = tracks
    pendingCount += watch.pending.count
    if watch.pending.isEmpty { outcomes.append(watch.outcome) } else { watches.append(watch) }
  }

  /// The position of a change among the watched ones.
  private func position(of change: UInt32) -> Int? {
    let position = watches.indices.endOfPrefix { watches[$0].outcome.change.rawValue < change }
    return position < watches.count && watches[position].outcome.change.rawValue == change ? position : nil
  }

  /// Notes that a change is complete for the track of an index, if it is watched for that.
  ///
  /// - Parameter criteria: What the motion has met; nil for a change that had nothing to do.
  mutating func complete(_ change: UInt32, _ index: Int, _ criteria: CompletionCriteria?) {
    guard let position = position(of: change), criteria == nil || watches[position].criteria == criteria else { return }
    completed.grow(to: index + 1, with: 0)
    // An earlier change was complete for the track within the same frame.
    if completed[index] != change, let earlier = self.position(of: completed[index]) {
      endTracks(of: earlier, isLive: { _ in true }, isUnderWay: { _, _ in true })
    }
    completed[index] = change
    mayHaveEnded = true
  }

  /// Finds what has ended.
  ///
  /// - Parameters:
  ///   - isLive: Whether a track is there.
  ///   - isUnderWay: Whether a change goes on, or waits, for the track of an index.
  @inline(__always)
  mutating func endChanges(isLive: (TrackHandle) -> Bool, isUnderWay: (_ index: Int, _ change: UInt32) -> Bool) {
    guard mayHaveEnded else { return }
    mayHaveEnded = false
    for position in watches.indices {
      endTracks(of: position, isLive: isLive, isUnderWay: isUnderWay)
      if watches[position].pending.isEmpty { outcomes.append(watches[position].outcome) }
    }
    watches.removeAll { $0.pending.isEmpty }
  }

  @inline(__always)
  private mutating func endTracks(
    of position: Int, isLive: (TrackHandle) -> Bool, isUnderWay: (_ index: Int, _ change: UInt32) -> Bool
  ) {
    var (outcome, pending) = (watches[position].outcome, [TrackHandle]())
    swap(&pending, &watches[position].pending)
    let (change, completed) = (outcome.change.rawValue, completed)
    pendingCount -= pending.count
    end(&outcome, for: &pending) { track in
      if track.index < completed.count, completed[track.index] == change { return .complete }
      if !isLive(track) { return .removed }
      return isUnderWay(track.index, change) ? nil : .replaced
    }
    pendingCount += pending.count
    watches[position].outcome = outcome
    swap(&pending, &watches[position].pending)
  }

  /// Ends a change for some tracks of a list, which keeps the others in their order. There is room for what is told.
  ///
  /// - Parameter result: How the change has ended for a track; nil if it goes on.
  @inline(__always)
  private mutating func end(
    _ outcome: inout ChangeOutcome, for tracks: inout [TrackHandle], _ result: (TrackHandle) -> TrackOutcome.Result?
  ) {
    var (ended, kept) = (outcome, 0)
    trackOutcomes.append(addingCapacity: tracks.count) { told in
      var span = tracks.mutableSpan
      for place in span.indices {
        let track = span[place]
        if let result = result(track) {
          ended.count(result)
          told.append(TrackOutcome(change: ended.change, track: track, result: result))
        } else {
          span[kept] = track
          kept += 1
        }
      }
    }
    tracks.removeLast(tracks.count - kept)
    outcome = ended
  }
}

extension Engine {
  /// Makes a call whose end is told, if there is a criterion of completion.
  package mutating func watching(
    _ tracks: SelectedTracks, until criteria: CompletionCriteria?,
    _ call: (inout Engine) throws(BatchError) -> UInt32
  ) throws(BatchError) -> UInt32 {
    guard let criteria else { return try call(&self) }
    let count = try checkedCount(of: tracks)
    try watched.makeRoom(for: count, indexCount: indexCount)
    // Its memory is taken before the call, which may need what is left.
    var live: [TrackHandle] = []
    live.reserveCapacity(count)
    let change = try call(&self)
    list(tracks, in: &live)
    var watched = WatchedChanges()
    swap(&watched, &self.watched)
    defer { swap(&watched, &self.watched) }
    watched.watch(change, criteria, consume live) { isUnderWay($0, change) }
    return change
  }

  /// Lists the live tracks that a call was about, each once. The call has accepted them.
  private mutating func list(_ tracks: SelectedTracks, in live: inout [TrackHandle]) {
    if case .handles(let handles) = tracks {
      if unsafe self.tracks.indices.areAll(handles.span) { return unsafe live.append(contentsOf: handles) }
      try? picks.pick(unsafe handles.span, self.tracks)
    }
    if case .live(let handles) = tracks { try? picks.pick(unsafe handles.span, passesOver: true, self.tracks) }
    let (range, indices) = (try? indices(of: tracks), self.tracks.indices)
    live.append(addingCapacity: range?.count ?? picks.count) { live in
      if let range {
        for index in range where indices.isLive(index) { live.append(indices.handle(at: index)) }
      } else {
        for position in 0..<picks.count where !picks[position].isDropped {
          live.append(indices.handle(at: picks[position].index))
        }
      }
    }
  }

  /// Whether a change moves a track, or waits to do so.
  @inline(__always)
  private func isUnderWay(_ index: Int, _ change: UInt32) -> Bool {
    if tracks.columns.change[index] == change, tracks.tiles.kind(at: index) != .still || isPaused(index) { return true }
    return waiting.hasCall(of: index, change) || phases.player(index)?.change == change
  }

  /// Finds the changes that ended in a frame, or by calls before it.
  mutating func endWatchedChanges() {
    defer { self.watched.endFrame() }
    guard !watched.isEmpty else { return }
    for event in events.events {
      switch event.kind {
      case .logicallyComplete: watched.complete(event.change.rawValue, event.track.index, .logicallyComplete)
      case .settled: watched.complete(event.change.rawValue, event.track.index, .settled)
      case .iteration, .phase, .invalidGoal: continue
      }
    }
    var watched = WatchedChanges()
    swap(&watched, &self.watched)
    defer { swap(&watched, &self.watched) }
    watched.endChanges(isLive: { tracks.index(of: $0) != nil }, isUnderWay: { isUnderWay($0, $1) })
  }
}
