// SPDX-License-Identifier: MIT
package import Murmuration

extension BatchRecording {
  /// A shorter and simpler recording that still fails.
  ///
  /// Calls are left out, in halves first, then fewer; then tracks; then components; then numbers are made simpler. All of
  /// this is repeated until it makes no progress. A call that makes no sense any more is refused by the batch and by the
  /// reference, so every part of a recording can be played.
  ///
  /// - Parameters:
  ///   - attempts: The most recordings to try.
  ///   - failing: The calls up to the failure; nil if the recording does not fail.
  package func shrunk(attempts: Int = 4_000, failing: (BatchRecording) -> BatchRecording?) -> BatchRecording {
    var search = ShrinkingSearch(best: self, attemptsLeft: attempts)
    search.attempt(explicit, failing)
    repeat {
      search.hasProgress = false
      search.leaveOut(\.calls.count, failing) { $0.removing(calls: $1) }
      search.leaveOut(\.trackCount, failing) { $0.removing(tracks: $1) }
      search.leaveOut(\.dimensions, failing) { $0.removing(components: $1) }
      search.simplify(failing)
    } while search.hasProgress && search.attemptsLeft > 0
    return search.best
  }
}

private struct ShrinkingSearch {
  var best: BatchRecording
  var attemptsLeft: Int
  var hasProgress = false

  @discardableResult
  mutating func attempt(_ candidate: BatchRecording?, _ failing: (BatchRecording) -> BatchRecording?) -> Bool {
    guard let candidate, attemptsLeft > 0 else { return false }
    attemptsLeft -= 1
    guard let shorter = failing(candidate) else { return false }
    best = shorter
    hasProgress = true
    return true
  }

  /// Leaves out parts that can be counted, half of them first, in the end one by one.
  mutating func leaveOut(
    _ count: (BatchRecording) -> Int, _ failing: (BatchRecording) -> BatchRecording?,
    _ remove: (BatchRecording, Range<Int>) -> BatchRecording?
  ) {
    var length = max(1, count(best) / 2)
    while attemptsLeft > 0 {
      // From the end: leaving out something there does not shift the rest.
      var end = count(best)
      while end > 0 {
        end = min(end, count(best))
        let start = max(0, end - length)
        attempt(remove(best, start..<end), failing)
        end = start
      }
      guard length > 1 else { return }
      length /= 2
    }
  }

  mutating func simplify(_ failing: (BatchRecording) -> BatchRecording?) {
    var index = 0
    while index < best.calls.count {
      for simpler in CallFields(best.calls[index]).simpler {
        guard index < best.calls.count, let call = simpler(CallFields(best.calls[index])).call else { continue }
        var candidate = best
        candidate.calls[index] = call
        // Programs need not be compared: a call that is as simple as it gets stays the same text.
        if call.source(dimensions: best.dimensions) != best.calls[index].source(dimensions: best.dimensions) {
          attempt(candidate, failing)
        }
      }
      index += 1
    }
  }
}

// MARK: - Parts

extension BatchRecording {
  /// The number of tracks that are ever added.
  fileprivate var trackCount: Int {
    calls.reduce(0) { $0 + CallFields($1).addedCount(dimensions: dimensions) }
  }

  /// The same calls, with lists of tracks in place of ranges and all.
  fileprivate var explicit: BatchRecording? {
    guard var player = try? BatchPlayer(self) else { return nil }
    var copy = self
    for index in calls.indices {
      copy.calls[index] = player.named(calls[index])
      try? player.perform(calls[index])
    }
    return copy
  }

  /// The recording without some calls, and without the tracks and clips that they brought.
  fileprivate func removing(calls removed: Range<Int>) -> BatchRecording {
    var copy = self
    var (tracks, clips, sequences) = (0, 0, 0)
    var (goneTracks, goneClips, goneSequences): (Set<Int>, Set<Int>, Set<Int>) = ([], [], [])
    for (index, call) in calls.enumerated() {
      let count = CallFields(call).addedCount(dimensions: dimensions)
      if removed.contains(index) { goneTracks.formUnion(tracks..<tracks + count) }
      tracks += count
      switch call {
      case .loadClip:
        if removed.contains(index) { goneClips.insert(clips) }
        clips += 1
      case .loadPhases:
        if removed.contains(index) { goneSequences.insert(sequences) }
        sequences += 1
      default: break
      }
    }
    copy.calls.removeSubrange(removed)
    let (tracksMap, clipsMap) = (Renumbering(goneTracks), Renumbering(goneClips))
    let sequencesMap = Renumbering(goneSequences)
    for index in copy.calls.indices {
      var fields = CallFields(copy.calls[index])
      fields.renumber(tracksMap, dimensions: dimensions)
      let isPhases = fields.name == "playPhases" || fields.name == "unloadPhases"
      fields.assets = fields.assets?.map { (isPhases ? sequencesMap : clipsMap).number(of: $0) ?? .max }
      copy.calls[index] = fields.call ?? copy.calls[index]
    }
    return copy
  }

  /// The recording without some tracks.
  fileprivate func removing(tracks removed: Range<Int>) -> BatchRecording {
    var copy = self
    let map = Renumbering(Set(removed))
    var first = 0
    for index in calls.indices {
      var fields = CallFields(calls[index])
      let count = fields.addedCount(dimensions: dimensions)
      if count > 0 {
        fields.keep((0..<count).filter { !removed.contains(first + $0) }, of: count, dimensions: dimensions)
        first += count
      } else {
        fields.renumber(map, dimensions: dimensions)
      }
      copy.calls[index] = fields.call ?? calls[index]
    }
    return copy
  }

  /// The recording without some components; nil if none would be left.
  fileprivate func removing(components removed: Range<Int>) -> BatchRecording? {
    let kept = (0..<dimensions).filter { !removed.contains($0) }
    guard !kept.isEmpty else { return nil }
    var copy = BatchRecording(dimensions: kept.count, curveTolerance: curveTolerance, calls: calls)
    for index in calls.indices {
      var fields = CallFields(calls[index])
      for (key, numbers) in fields.vectors {
        fields.vectors[key] = numbers.indices.filter { kept.contains($0 % dimensions) }.map { numbers[$0] }
      }
      if let clip = fields.clip {
        guard let smaller = try? clip.keeping(kept) else { return nil }
        fields.clip = smaller
      }
      if let phases = fields.phases {
        let targets = phases.allTargets.map { target in kept.map { target[$0] } }
        guard
          let smaller = try? PhaseSequence(
            dimensions: kept.count, targets: targets, animations: phases.animations)
        else { return nil }
        fields.phases = smaller
      }
      copy.calls[index] = fields.call ?? calls[index]
    }
    return copy
  }
}

/// The numbers of things after some were left out.
private struct Renumbering {
  private let gone: [Int]

  init(_ gone: Set<Int>) { self.gone = gone.sorted() }

  var count: Int { gone.count }

  /// The new number; nil for what is gone.
  func number(of number: Int) -> Int? {
    let place = gone.firstIndex { $0 >= number } ?? gone.count
    return place < gone.count && gone[place] == number ? nil : number - place
  }
}

extension CallFields {
  fileprivate mutating func renumber(_ map: Renumbering, dimensions: Int) {
    guard map.count > 0 else { return }
    switch tracks {
    case .tracks(let list)?:
      keep(list.indices.filter { map.number(of: list[$0]) != nil }, of: list.count, dimensions: dimensions)
      tracks = .tracks(list.compactMap { map.number(of: $0) })
    case .all?:
      // Indices move up; which of them is gone is not known here.
      guard let count = vectors.values.first.map({ $0.count / dimensions }), count >= map.count else { return }
      keep(Array(0..<count - map.count), of: count, dimensions: dimensions)
    case .indices(let range)?:
      let end = max(range.lowerBound, range.upperBound - map.count)
      keep(Array(0..<end - range.lowerBound), of: range.count, dimensions: dimensions)
      tracks = .indices(range.lowerBound..<end)
    case nil: break
    }
  }

  /// Ways to make the call simpler, each of which may be tried.
  fileprivate var simpler: [(CallFields) -> CallFields] {
    func changing(_ change: @escaping (inout CallFields) -> Void) -> (CallFields) -> CallFields {
      { fields in
        var copy = fields
        change(&copy)
        return copy
      }
    }
    return [
      changing {
        $0.numbers = $0.name == "animate" || $0.name == "retarget" || $0.name == "playPhases" ? [] : $0.numbers
      },
      changing { $0.animations = $0.animations.map { Array($0.prefix(1)) } },
      changing { $0.springs = $0.springs.map { Array($0.prefix(1)) } },
      changing { $0.playbacks = $0.name == "play" ? [Playback()] : $0.playbacks },
      changing { $0.vectors[.velocities] = $0.vectors[.velocities]?.map { _ in 0 } },
      changing { $0.vectors = $0.vectors.mapValues { $0.map { $0.rounded() } } },
      changing { $0.time = $0.time.map { $0.rounded() } },
      changing { $0.time = $0.time.map { ($0 * 16).rounded() / 16 } },
      changing { $0.computesVelocities = $0.computesVelocities.map { _ in false } },
      changing { $0.numbers = $0.numbers?.map { ($0 * 4).rounded() / 4 } },
      changing { $0.animations = $0.animations?.map { $0?.withoutModifier } },
      changing { $0.animations = $0.animations?.map { $0?.withoutModifier } },
    ]
  }
}

extension Animation {
  fileprivate var withoutModifier: Animation {
    switch structure {
    case .delay(let base, _), .speed(let base, _), .repeat(let base, _, _), .logicallyComplete(let base, _): base
    case .curve(let curve, let duration): .timingCurve(curve, duration: max(0.125, (duration * 8).rounded() / 8))
    default: self
    }
  }
}

extension PhaseSequence {
  /// The targets of all phases.
  var allTargets: [[Float]] { (0..<phaseCount).map { Array(target($0)) } }
}

extension Clip {
  /// The clip of some of its components.
  fileprivate func keeping(_ components: [Int]) throws(ClipError) -> Clip {
    let values = components.map { initialValues[$0] }
    if let (keyframes, tolerance) = source {
      return try Clip(initialValues: values, keyframes: components.map { keyframes[$0] }, tolerance: tolerance)
    }
    var kept: [PieceTrack] = []
    for track in tracks {
      let places = track.components.indices.filter { components.contains(track.components[$0]) }
      guard !places.isEmpty else { continue }
      var copy = track
      copy.components = places.map { place in components.firstIndex(of: track.components[place]) ?? 0 }
      copy.pieces = places.map { track.pieces[$0] }
      kept.append(copy)
    }
    return try Clip(dimensions: components.count, initialValues: values, tracks: kept, duration: duration)
  }
}
