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
  package func shrunk(attempts: Int = 4_000, failing: @escaping (BatchRecording) -> BatchRecording?) -> BatchRecording {
    var search = ShrinkingSearch(best: self, attemptsLeft: attempts, failing: failing)
    search.attempt(explicit)
    repeat {
      search.hasProgress = false
      search.leaveOut(\.calls.count) { $0.removing(calls: $1) }
      search.leaveOut(\.trackCount) { $0.removing(tracks: $1) }
      search.leaveOut(\.dimensions) { try? $0.removing(components: $1) }
      search.simplify()
    } while search.hasProgress && search.attemptsLeft > 0
    return search.best
  }
}

private struct ShrinkingSearch {
  var best: BatchRecording
  var attemptsLeft: Int
  let failing: (BatchRecording) -> BatchRecording?
  var hasProgress = false

  mutating func attempt(_ candidate: BatchRecording?) {
    guard let candidate, attemptsLeft > 0 else { return }
    attemptsLeft -= 1
    guard let shorter = failing(candidate) else { return }
    best = shorter
    hasProgress = true
  }

  /// Leaves out parts that can be counted, half of them first, in the end one by one.
  mutating func leaveOut(_ count: (BatchRecording) -> Int, _ remove: (BatchRecording, Range<Int>) -> BatchRecording?) {
    var length = max(1, count(best) / 2)
    while length > 0, attemptsLeft > 0 {
      // From the end: leaving out something there does not shift the rest.
      for start in stride(from: count(best) - length, to: -length, by: -length) where start < count(best) {
        attempt(remove(best, max(0, start)..<min(start + length, count(best))))
      }
      length /= 2
    }
  }

  mutating func simplify() {
    for index in best.calls.indices {
      for simplify in BatchCall.simplifications where index < best.calls.count {
        var candidate = best
        simplify(&candidate.calls[index])
        // Programs need not be compared: a call that is as simple as it gets stays the same text.
        let texts = [candidate, best].map { $0.calls[index].source(dimensions: $0.dimensions) }
        if texts[0] != texts[1] { attempt(candidate) }
      }
    }
  }
}

// MARK: - Parts

extension BatchRecording {
  /// The number of tracks that are ever added.
  fileprivate var trackCount: Int { calls.reduce(0) { $0 + $1.addedCount(dimensions: dimensions) } }

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

  /// The recording without some calls, and without the tracks, clips and sequences that they brought, and without some
  /// more tracks.
  fileprivate func removing(calls removed: Range<Int> = 0..<0, tracks: Range<Int> = 0..<0) -> BatchRecording {
    var numbers = (tracks: Renumbering(), clips: Renumbering(), sequences: Renumbering())
    var copy = BatchRecording(dimensions: dimensions, curveTolerance: curveTolerance)
    for (index, call) in calls.enumerated() {
      let (stays, count) = (!removed.contains(index), call.addedCount(dimensions: dimensions))
      let places = (0..<count).filter { !tracks.contains(numbers.tracks.count + $0) }
      if stays {
        var call = call.without(numbers.tracks, dimensions: dimensions)
        if places.count < count { call = call.keeping(places, of: count, dimensions: dimensions) }
        call.clips = call.clips.map { numbers.clips[$0] ?? .max }
        call.sequences = call.sequences.map { numbers.sequences[$0] ?? .max }
        copy.calls.append(call)
      }
      for place in 0..<count { numbers.tracks.append(stays: stays && places.contains(place)) }
      if case .loadClip = call.verb { numbers.clips.append(stays: stays) }
      if case .loadPhases = call.verb { numbers.sequences.append(stays: stays) }
    }
    return copy
  }

  /// The recording without some components; nil if none would be left.
  fileprivate func removing(components removed: Range<Int>) throws -> BatchRecording? {
    let kept = (0..<dimensions).filter { !removed.contains($0) }
    guard !kept.isEmpty else { return nil }
    var copy = BatchRecording(dimensions: kept.count, curveTolerance: curveTolerance, calls: calls)
    for (index, call) in calls.enumerated() {
      for vectors in BatchCall.vectors {
        let rows = call[keyPath: vectors].chunks(of: dimensions)
        copy.calls[index][keyPath: vectors] = rows.flatMap { row in kept.compactMap { row[ifPresent: $0] } }
      }
      switch call.verb {
      case .loadClip(let clip): copy.calls[index].verb = .loadClip(try clip.keeping(kept))
      case .loadPhases(let phases):
        let targets = phases.allTargets.map { target in kept.map { target[$0] } }
        copy.calls[index].verb = .loadPhases(
          try PhaseSequence(dimensions: kept.count, targets: targets, animations: phases.animations))
      case .decelerate(let slide, let bounds?):
        func some(_ numbers: [Float]) -> [Float] { kept.compactMap { numbers[ifPresent: $0] } }
        let limits = SlideBounds(
          lower: some(bounds.lower), upper: some(bounds.upper), spring: bounds.spring,
          points: bounds.points?.chunks(of: dimensions).flatMap(some), spacing: bounds.spacing.map(some))
        copy.calls[index].verb = .decelerate(slide, within: limits)
      default: break
      }
    }
    return copy
  }
}

/// The numbers of things after some were left out.
private struct Renumbering {
  private var numbers: [Int?] = []
  private(set) var goneCount = 0
  var count: Int { numbers.count }

  mutating func append(stays: Bool) {
    numbers.append(stays ? count - goneCount : nil)
    if !stays { goneCount += 1 }
  }

  /// The new number; nil for what is gone. A number that names nothing stays.
  subscript(number: Int) -> Int? { numbers[ifPresent: number] ?? number }
}

extension BatchCall {
  /// The call about the tracks that stay, by their new numbers.
  fileprivate func without(_ map: Renumbering, dimensions: Int) -> BatchCall {
    guard let tracks, map.goneCount > 0 else { return self }
    if case .tracks(let list) = tracks {
      var call = keeping(list.indices.filter { map[list[$0]] != nil }, of: list.count, dimensions: dimensions)
      call.tracks = .tracks(list.compactMap { map[$0] })
      call.leaders = call.leaders.map { map[$0] ?? .max }
      return call
    }
    // Indices move up; which of them is gone is not known here.
    let count = (Self.vectors.map { self[keyPath: $0].count }.first { $0 > 0 } ?? 0) / dimensions
    let kept = max(0, count - map.goneCount)
    var call = keeping(Array(0..<kept), of: count, dimensions: dimensions)
    if case .indices(let range) = tracks {
      call.tracks = .indices(range.lowerBound..<max(range.lowerBound, range.upperBound - map.goneCount))
    }
    return call
  }

  /// Ways to make a call simpler, each of which may be tried.
  fileprivate static var simplifications: [(inout BatchCall) -> Void] {
    [
      { $0.numbers = [] },
      { $0.animations = Array($0.animations.prefix(1)) },
      { $0.springs = Array($0.springs.prefix(1)) },
      { if case .play = $0.verb { $0.playbacks = [Playback()] } },
      { $0.velocities = $0.velocities.map { _ in 0 } },
      { call in for vectors in vectors { call[keyPath: vectors] = call[keyPath: vectors].map { $0.rounded() } } },
      { if case .advance(let time, let has) = $0.verb { $0.verb = .advance(to: time.rounded(), velocities: has) } },
      { if case .advance(let time, let has) = $0.verb { $0.verb = .advance(to: time.on(grid: 16), velocities: has) } },
      { if case .advance(let time, _) = $0.verb { $0.verb = .advance(to: time, velocities: false) } },
      { $0.numbers = $0.numbers.map { $0.on(grid: 4) } },
      { $0.animations = $0.animations.map { $0?.withoutModifier } },
    ]
  }
}

extension Double {
  /// The nearest multiple of a fraction of one.
  fileprivate func on(grid fraction: Double) -> Double { (self * fraction).rounded() / fraction }
}

extension Animation {
  fileprivate var withoutModifier: Animation {
    switch structure {
    case .delay(let base, _), .speed(let base, _), .repeat(let base, _, _), .logicallyComplete(let base, _): base
    case .curve(let curve, let duration): .timingCurve(curve, duration: max(0.125, duration.on(grid: 8)))
    default: self
    }
  }
}

extension PhaseSequence {
  /// The targets of all phases.
  package var allTargets: [[Float]] { (0..<phaseCount).map { Array(target($0)) } }
}

extension Clip {
  /// The clip of some of its components.
  fileprivate func keeping(_ components: [Int]) throws(ClipError) -> Clip {
    let values = components.map { initialValues[$0] }
    if let source {
      return try Clip(
        initialValues: values, keyframes: components.map { source.keyframes[$0] }, tolerance: source.tolerance,
        leastDuration: source.leastDuration)
    }
    let kept = tracks.flatMap { track in
      zip(track.components, track.pieces).compactMap { component, pieces in
        components.firstIndex(of: component).map { place in
          var copy = track
          (copy.components, copy.pieces) = ([place], [pieces])
          return copy
        }
      }
    }
    return try Clip(dimensions: components.count, initialValues: values, tracks: kept, duration: duration)
  }
}
