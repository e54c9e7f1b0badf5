// SPDX-License-Identifier: MIT
import CSurface
import Testing

/// A batch of nine tracks with every kind of motion, and a tenth that is gone.
final class CStage {
  static let count: Int32 = 9

  let batch: CBatch
  let other: CBatch
  let tracks: [murmuration_track]
  /// Handles that name no track of the batch, by the words of the table.
  let strangers: [String: murmuration_track]
  /// Clips and sequences by the words of the table.
  let clips: [String: murmuration_clip]
  let phases: [String: murmuration_phases]
  /// Snapshots by the words of the table.
  private(set) var snapshots: [String: murmuration_snapshot] = [:]
  /// A spring for each track.
  private(set) var springs: murmuration_springs = 0

  init() throws {
    (batch, other) = (try CBatch(), try CBatch())
    let id = batch.id
    let added = try batch.add((0..<20).map { Float($0) })
    tracks = Array(added[..<9])
    strangers = ["stale": added[9], "foreign": try other.add([0, 0])[0], "noTrack": murmuration_track()]
    let keyframes = [
      keyframe(MURMURATION_LINEAR_KEYFRAME, to: 10, duration: 0.7),
      keyframe(MURMURATION_CUBIC_KEYFRAME, to: 2, duration: 0.4),
    ]
    let animations = [spring(0.2, 0), murmuration_curve_animation(murmuration_named_curve(0), 0.3)]
    var (clips, phases): ([String: murmuration_clip], [String: murmuration_phases]) = ([:], [:])
    for (name, owner) in [("good", batch), ("unloaded", batch), ("inUse", batch), ("foreign", other)] {
      var (clip, sequence) = (murmuration_clip(), murmuration_phases())
      #expect(murmuration_load_clip(owner.id, [0, 0], keyframes + keyframes, [2, 2], 2, 0, &clip, nil) == ok)
      #expect(murmuration_load_phases(owner.id, [0, 0, 5, 6], animations, 2, 2, &sequence) == ok)
      (clips[name], phases[name]) = (clip, sequence)
    }
    (self.clips, self.phases) = (clips, phases)
    #expect(murmuration_set_reports(id, 3) == ok)
    let far: [Float] = [50, 60]
    func send(_ place: Int32, _ goal: [Float], _ animation: murmuration_animation, delay: Double = 0, _ told: Int = 0) {
      var animation = animation
      #expect(murmuration_animate(id, tracks, place, 1, goal, 2, 1, &animation, [delay], Int32(told), nil) == ok)
    }
    let line = murmuration_curve_animation(murmuration_named_curve(Int32(MURMURATION_LINEAR)), 1)
    send(0, far, spring(0.5, 0.3))
    send(1, far, spring(2, 0))
    send(1, [-5, 8], line, delay: 0.75)
    send(2, far, line, MURMURATION_UNTIL_LOGICALLY_COMPLETE)
    send(3, far, spring(0.5, 0.3))
    send(3, [9, 9], murmuration_modified(line, Int32(MURMURATION_REPEAT_AUTOREVERSED), .infinity))
    var (playback, smooth) = (murmuration_playback(), murmuration_spring_of_duration(0.5, 0))
    #expect(murmuration_playback_default(&playback) == ok)
    playback.iterations = .infinity
    var (clip, sequence) = (try #require(clips["inUse"]), try #require(phases["inUse"]))
    #expect(murmuration_play_clip(id, &clip, tracks, 4, 1, &playback, 1, 0, 0, nil) == ok)
    #expect(murmuration_play_phases(id, &sequence, tracks, 5, 1, 0, nil, nil, 0, 0, nil, 0, 0, nil) == ok)
    #expect(murmuration_follow(id, tracks, 6, 1, &smooth, 1, nil) == ok)
    #expect(murmuration_set_goals(id, tracks, 6, 1, [30, 40], 2, 1) == ok)
    #expect(murmuration_decelerate(id, tracks, 7, 1, [100, 50], 2, 1, 0.998, nil, nil, 0, nil, 0, nil) == ok)
    send(8, far, spring(0.5, 0.3))
    #expect(murmuration_pause(id, tracks, 8, 1) == ok && murmuration_remove(id, added, 9, 1) == ok)
    (clip, sequence) = (try #require(clips["unloaded"]), try #require(phases["unloaded"]))
    #expect(murmuration_unload_clip(id, &clip) == ok && murmuration_unload_phases(id, &sequence) == ok)
    #expect(murmuration_advance(id, 0.25, MURMURATION_WITH_VELOCITIES) == ok)
    for (name, owner) in [("good", batch), ("foreign", other), ("freed", batch)] {
      var snapshot: murmuration_snapshot = 0
      #expect(murmuration_snapshot_create(owner.id, &snapshot) == ok)
      snapshots[name] = snapshot
    }
    #expect(murmuration_snapshot_free(snapshots["freed"] ?? 0) == ok)
    let list = [murmuration_spring](repeating: murmuration_spring_of_duration(0.5, 0.3), count: 9)
    #expect(murmuration_springs_create(list, Self.count, &springs) == ok)
  }

  deinit {
    for snapshot in snapshots.values { _ = murmuration_snapshot_free(snapshot) }
    _ = murmuration_springs_free(springs)
  }

  /// The numbers and events of the batch in this frame and later ones.
  func shown() -> [[UInt64]] {
    [0, 0, 0.05, 0.7, 9].enumerated().map { frame, seconds in
      if frame > 0 { #expect(murmuration_advance_by(batch.id, seconds, MURMURATION_WITH_VELOCITIES) == ok) }
      let info = batch.info
      var numbers = [MURMURATION_VALUES, MURMURATION_VELOCITIES, MURMURATION_TARGETS].flatMap { batch.read($0) }
      for component in 0..<2 {
        var (goals, count): (UnsafeMutablePointer<Float>?, Int32) = (nil, 0)
        #expect(murmuration_goals(batch.id, Int32(component), &goals, &count) == ok)
        numbers += UnsafeBufferPointer(start: goals, count: Int(count))
      }
      var whole = [info.count, info.index_count, info.clip_count, info.reports].map { UInt64($0) }
      whole += [info.time.bitPattern, UInt64(info.latest_change)] + numbers.map { UInt64($0.bitPattern) }
      for event in batch.events {
        whole += [event.track.index, event.change, UInt32(event.kind)].map { UInt64($0) }
        whole += [event.time.bitPattern, UInt64(event.number)]
      }
      for outcome in batch.outcomes {
        whole += [outcome.completed, outcome.replaced, outcome.removed].map { UInt64($0) } + [UInt64(outcome.change)]
      }
      return whole + batch.trackOutcomes.flatMap { [$0.track.index, $0.change, UInt32($0.result)].map { UInt64($0) } }
    }
  }
}
