// SPDX-License-Identifier: MIT
import CSurface

// What must hold after each call.
extension SurfaceCalls {
  func describe(_ batch: murmuration_batch) -> murmuration_batch_info? {
    var info = murmuration_batch_info()
    return murmuration_batch_describe(batch, &info) == 0 ? info : nil
  }

  /// Checks a result: a code that the header lists, and after an error the batch as it was.
  func check(_ status: Int32, _ batch: murmuration_batch, _ before: murmuration_batch_info) {
    precondition(String(cString: murmuration_error_name(status)) != "unknown", "status \(status) is not listed")
    guard status != 0 else { return }
    precondition(murmuration_error_message()[0] != 0, "status \(status) has no message")
    guard let after = describe(batch) else { return }
    precondition(
      after.time == before.time && after.count == before.count && after.index_count == before.index_count
        && after.latest_change == before.latest_change && after.event_count == before.event_count
        && after.reports == before.reports, "status \(status), and something changed")
  }

  /// Checks that everything that a batch shows is finite.
  func checkValues(_ batch: murmuration_batch, velocities: Bool) {
    guard let info = describe(batch) else { return }
    var memory = [Float](repeating: .nan, count: Int(info.index_count * info.dimensions))
    for what in velocities ? [MURMURATION_VALUES, MURMURATION_VELOCITIES] : [MURMURATION_VALUES] {
      let status = murmuration_read(
        batch, Int32(what), nil, 0, -1, &memory, info.dimensions, 1)
      precondition(status == 0 || memory.isEmpty, "reading failed: \(status)")
      precondition(memory.allSatisfy(\.isFinite), "a number is not finite")
    }
    var events: UnsafePointer<murmuration_event>?
    var count: Int32 = 0
    precondition(murmuration_events(batch, &events, &count) == 0 && count == info.event_count)
    for index in 0..<Int(count) {
      guard let event = events?[index] else { preconditionFailure("there are no events") }
      precondition(event.time.isFinite && event.track.index < UInt32(info.index_count))
    }
    var outcomes: UnsafePointer<murmuration_outcome>?
    precondition(murmuration_outcomes(batch, &outcomes, &count) == 0 && (count == 0) == (outcomes == nil))
    for index in 0..<Int(count) {
      guard let outcome = outcomes?[index] else { preconditionFailure("there are no outcomes") }
      precondition(
        outcome.change <= info.latest_change && min(outcome.completed, outcome.replaced, outcome.removed) >= 0)
    }
    var ends: UnsafePointer<murmuration_track_outcome>?
    precondition(murmuration_track_outcomes(batch, &ends, &count) == 0 && (count == 0) == (ends == nil))
    for index in 0..<Int(count) {
      guard let end = ends?[index] else { preconditionFailure("there are no outcomes") }
      precondition(end.change <= info.latest_change && 0...2 ~= end.result)
    }
  }
}

// Calls that make batches, clips, bakes and snapshots, and calls without arrays of numbers.
extension SurfaceCalls {
  mutating func create() {
    if byte() > 220, particles.count < 4 { return createParticles() }
    if byte() > 220, mixers.count < 6 { return createMixer() }
    if byte() > 220, springs.count < 6 { return createSprings() }
    if byte() > 200, batches.count > 1 {
      _ = murmuration_batch_free(pick(batches))
      return
    }
    guard batches.count < 6 else { return }
    var batch: murmuration_batch = 0
    let dimensions: Int32 = pick([1, 2, 3, 4, 1, 2, 7, 0, -1, 4096, 4097, .max])
    let status = murmuration_batch_create(dimensions, pick([0, 10, 100, -1]), number([0, 1e-3]), &batch)
    if status == 0 { batches.append(batch) }
  }

  mutating func playback() -> murmuration_playback {
    var playback = murmuration_playback()
    _ = murmuration_playback_default(&playback)
    playback.start = number([0, 1])
    playback.delay = number([0, 0.5, -0.2])
    playback.speed = number([1, -1, 0, 2])
    playback.iterations = number([1, 2, .infinity, 1.5])
    playback.time_offset = number([0, 0.3, -0.3])
    playback.flags = code(16)
    return playback
  }

  mutating func loadClip(_ batch: murmuration_batch, _ dimensions: Int) -> Int32 {
    if byte() > 220 {
      var clip = pick(clips)
      return murmuration_unload_clip(batch, &clip)
    }
    let counts = (0..<dimensions).map { $0 < 4 ? Int32(byte() % 4) : 0 }
    let keyframes = (0..<max(1, Int(counts.reduce(0, +)))).map { _ in
      murmuration_keyframe(
        kind: code(4), flags: code(8), to: number([0, 1, -5, 100]), duration: number([0.1, 1, 0]), curve: curve(),
        spring: spring(), start_velocity: number([0, 3]), end_velocity: number([0, -2]))
    }
    let initial = (0..<dimensions).map { $0 < 4 ? number([0, 1]) : 0 }
    var clip = murmuration_clip()
    var duration = 0.0
    let status = murmuration_load_clip(
      batch, initial, keyframes, counts, Int32(dimensions), number([0, 1e-3]), &clip, &duration)
    if status == 0 {
      precondition(duration.isFinite && duration >= 0)
      clips.append(clip)
    }
    return status
  }

  mutating func bake(_ batch: murmuration_batch, _ info: murmuration_batch_info) -> Int32 {
    var request = murmuration_bake_request()
    request.start = number([info.time, info.time + 1, info.time - 1])
    request.frames_per_second = number([60, 1, 1000])
    request.first_frame = pick([0, 3, -1, .max, .min])
    request.frame_count = pick([4, 20, 0, -1, .max])
    request.first_index = pick([0, 1, -1, .max])
    request.index_count = pick([-1, 1, 3, .max])
    request.first_component = pick([0, 0, 1, -1])
    request.component_count = pick([-1, -1, 1, .max])
    request.order = code(3)
    func length(_ count: Int32, from first: Int32, of all: Int32) -> Int {
      count == -1 ? Int(all) - Int(first) : Int(count)
    }
    let indices = length(request.index_count, from: request.first_index, of: info.index_count)
    let components = length(request.component_count, from: request.first_component, of: info.dimensions)
    let isSmall =
      (0...20).contains(request.frame_count) && (0...600).contains(indices) && (0...4096).contains(components)
    let count = isSmall ? Int(request.frame_count) * indices * components : 0
    // Called motions compute all components of a track, each in a microsecond, and far slower with sanitizers.
    guard count < 200_000, !isSmall || Int(request.frame_count) * indices * Int(info.dimensions) < 20_000 else {
      return 0
    }
    var values = [Float](repeating: .nan, count: max(count, 1))
    let status = murmuration_bake(batch, &request, nil, 0, &values, nil, Int64(count))
    if status == 0 { precondition(values.prefix(count).allSatisfy(\.isFinite), "a baked number is not finite") }
    return status
  }

  /// Calls without arrays of numbers.
  mutating func others(_ batch: murmuration_batch, _ info: murmuration_batch_info) -> Int32 {
    switch byte() % 11 {
    case 0: return murmuration_remove_settled(batch, nil)
    case 1: return murmuration_remove_all(batch)
    case 2: return murmuration_compact(batch)
    case 3: return murmuration_reserve(batch, pick([0, 5, -1, .max]))
    case 4: return murmuration_set_reports(batch, code(4))
    case 5: return murmuration_set_rest_tolerance(batch, abs(value()), value())
    case 6:
      var (track, about) = (pick(tracks), murmuration_track_info())
      return murmuration_track_describe(batch, &track, &about)
    case 7:
      var track = murmuration_track()
      return murmuration_track_at(batch, pick([0, 1, -1, .max]), &track)
    case 8:
      let which = selection(info)
      var (live, count) = ([murmuration_track](repeating: murmuration_track(), count: max(which.elements, 1)), Int32(0))
      let status = withOptional(which.handles, [Double]?.none) { handles, _ in
        murmuration_live(batch, handles, which.first, which.count, &live, &count)
      }
      precondition(count <= which.elements)
      return status
    case 9:
      var column: UnsafePointer<Float>?
      var count: Int32 = 0
      let status = murmuration_column(batch, code(3), pick([0, 1, -1, .max]), &column, &count)
      if status == 0 {
        var sum: Float = 0
        for index in 0..<Int(count) { sum += column?[index] ?? 0 }
        precondition(count == info.index_count)
        withExtendedLifetime(sum) {}
      }
      return status
    default:
      var sequence = pick(phases)
      return murmuration_unload_phases(batch, &sequence)
    }
  }

  /// Snapshots and copies: a batch that goes back shows the bits of before.
  mutating func snapshot(_ batch: murmuration_batch, _ info: murmuration_batch_info) -> Int32 {
    var made: UInt32 = 0
    switch byte() % 8 {
    case 0, 1:
      let status = snapshots.count < 6 ? murmuration_snapshot_create(batch, &made) : 0
      if made != 0 { snapshots.append(made) }
      return status
    case 2: return murmuration_snapshot_update(pick(snapshots), batch)
    case 3, 4:
      let status = murmuration_restore(batch, pick(snapshots))
      if status == 0 { checkValues(batch, velocities: false) }
      return status
    case 5: return murmuration_snapshot_free(pick(snapshots))
    case 6:
      guard batches.count < 6 else { return 0 }
      let status = murmuration_batch_copy(batch, &made)
      if status == 0 {
        precondition(bits(batch, info) == bits(made, info), "a copy shows other numbers")
        batches.append(made)
      }
      return status
    default:
      let later = info.time + number([0.1, 0, 3])
      guard abs(later - info.time) < 1_000 else { return 0 }
      let status = murmuration_snapshot_create(batch, &made)
      guard status == 0 else { return status }
      let before = bits(batch, info)
      let advanced = murmuration_advance(batch, later, 1)
      let after = bits(batch, info)
      precondition(murmuration_restore(batch, made) == 0 && bits(batch, info) == before, "it is not what it was")
      precondition(
        murmuration_advance(batch, later, 1) == advanced && bits(batch, info) == after, "it goes another way")
      return murmuration_snapshot_free(made)
    }
  }

  /// The values and targets of a batch, in which indices without a track are zeros, and its counts.
  private func bits(_ batch: murmuration_batch, _ info: murmuration_batch_info) -> [UInt32] {
    let count = Int(info.index_count * info.dimensions)
    var bits = describe(batch).map { [UInt32($0.count), UInt32($0.index_count), UInt32($0.event_count)] } ?? []
    for what in [MURMURATION_VALUES, MURMURATION_TARGETS] {
      var memory = [Float](repeating: 0, count: max(1, count))
      let status = murmuration_read(batch, Int32(what), nil, 0, info.index_count, &memory, info.dimensions, 1)
      precondition(status == 0, "reading failed: \(status)")
      bits += memory.map(\.bitPattern)
    }
    return bits
  }
}
