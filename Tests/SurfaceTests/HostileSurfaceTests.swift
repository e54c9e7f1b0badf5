// SPDX-License-Identifier: MIT
import AnimationModel
import CSurface
import Murmuration
import Testing

/// Whatever the arguments are, a call returns a code, and a code that is no success changes nothing. `AnyCallTests` draws
/// the arguments of calls of all kinds.
@Suite struct HostileSurfaceTests {
  @Test func handlesAreThoseOfSwift() {
    #expect(MemoryLayout<TrackHandle>.size == 12 && MemoryLayout<TrackHandle>.stride == 12)
    #expect(MemoryLayout<murmuration_track>.stride == 12)
    var track = murmuration_track(index: 1, generation: 2, store: 3)
    let handle = withUnsafeBytes(of: &track) { $0.load(as: TrackHandle.self) }
    #expect(handle.row == 1 && handle.generation == 2 && handle.store == 3)
  }

  /// The layouts that programs in other languages write down.
  @Test func layouts() {
    #expect(MemoryLayout<murmuration_spring>.stride == 32 && MemoryLayout<murmuration_curve>.stride == 40)
    #expect(MemoryLayout<murmuration_animation>.stride == 224 && MemoryLayout<murmuration_keyframe>.stride == 112)
    #expect(MemoryLayout<murmuration_playback>.stride == 48 && MemoryLayout<murmuration_event>.stride == 40)
    #expect(MemoryLayout<murmuration_bake_request>.stride == 56 && MemoryLayout<murmuration_batch_info>.stride == 48)
    #expect(MemoryLayout<murmuration_track_info>.stride == 40 && MemoryLayout<murmuration_spring_info>.stride == 48)
    #expect(MemoryLayout<murmuration_layer>.stride == 16 && MemoryLayout<murmuration_mixer_info>.stride == 16)
    #expect(MemoryLayout<murmuration_scene_info>.stride == 48 && MemoryLayout<murmuration_group_info>.stride == 8)
    #expect(MemoryLayout<murmuration_scene_settings>.stride == 32)
    #expect(MemoryLayout<murmuration_gltf_animation_info>.stride == 16)
  }

  @Test func versions() {
    #expect(String(cString: murmuration_version()) == "0.1.0")
    #expect(murmuration_abi_version() == MURMURATION_ABI_VERSION)
  }

  // MARK: - Objects

  @Test func numbersThatNameNoBatchAreErrors() throws {
    var freed: murmuration_batch = 0
    #expect(murmuration_batch_create(1, 0, 0, &freed) == ok && murmuration_batch_free(freed) == ok)
    var trackers: murmuration_trackers = 0
    #expect(murmuration_trackers_create(1, 1, &trackers) == ok)
    for number in [0, freed, trackers, freed ^ 1 << 20, .max, 0xF_FFFF, 1 << 31] {
      #expect(murmuration_advance(number, 1, 0) == MURMURATION_UNKNOWN_OBJECT)
      #expect(words().contains("batch \(number)"))
      #expect(murmuration_batch_free(number) == MURMURATION_UNKNOWN_OBJECT)
    }
    // The next batch may take the entry, and gets another number.
    var next: murmuration_batch = 0
    #expect(murmuration_batch_create(1, 0, 0, &next) == ok && next != freed)
    #expect(murmuration_advance(freed, 1, 0) == MURMURATION_UNKNOWN_OBJECT && murmuration_batch_free(next) == ok)
    #expect(murmuration_trackers_free(trackers) == ok)
    #expect(murmuration_trackers_free(trackers) == MURMURATION_UNKNOWN_OBJECT)
  }

  /// An entry has 4 096 generations; then it is left alone, and no number comes twice.
  @Test func noNumberComesTwice() {
    var seen: Set<UInt32> = []
    var isNew = true
    for _ in 0..<10_000 {
      var trackers: murmuration_trackers = 0
      isNew = isNew && murmuration_trackers_create(1, 1, &trackers) == ok && seen.insert(trackers).inserted
      isNew = isNew && murmuration_trackers_free(trackers) == ok
    }
    #expect(isNew)
    let areGone = seen.allSatisfy { murmuration_trackers_reset($0, 0, 0) == MURMURATION_UNKNOWN_OBJECT }
    #expect(areGone)
  }

  @Test func twoThreadsInOneBatchAreAnError() async throws {
    let batch = try CBatch()
    _ = try batch.add([Float](repeating: 0, count: 2 * 20_000))
    await fourThreads(calls: 300) { [id = batch.id] task, step in
      var animation = spring(0.5, 0)
      return murmuration_animate(id, nil, 0, all, [Float(step), Float(task)], 0, 1, &animation, nil, 0, nil)
    }
    #expect(murmuration_advance(batch.id, 1, 0) == ok)
  }

  // MARK: - Arguments

  @Test func nullPointersAreErrors() throws {
    let batch = try CBatch()
    let tracks = try batch.add([1, 2, 3, 4])
    let id = batch.id
    var clip = murmuration_clip()
    var phases = murmuration_phases()
    var request = murmuration_bake_request()
    var track = tracks[0]
    var keyframe = murmuration_keyframe()
    var count: Int32 = 0
    var events: UnsafePointer<murmuration_event>?
    var rows: UnsafePointer<Float>?
    let calls: [(String, Int32)] = [
      ("create", murmuration_batch_create(1, 0, 0, nil)), ("describe", murmuration_batch_describe(id, nil)),
      ("add", murmuration_add(id, nil, 2, 1, nil, 1)), ("at", murmuration_track_at(id, 0, nil)),
      ("track", murmuration_track_describe(id, nil, nil)), ("info", murmuration_track_describe(id, &track, nil)),
      ("animate", murmuration_animate(id, tracks, 0, 2, nil, 2, 1, nil, nil, 0, nil)),
      ("each", murmuration_animate_each(id, tracks, 0, 2, [0], 0, 0, nil, nil, 0, nil)),
      ("retarget", murmuration_retarget(id, nil, 0, all, nil, 2, 1, nil, 0, nil)),
      ("set", murmuration_set(id, tracks, 0, 2, nil, 2, 1, nil, 0, 0, nil)),
      ("displace", murmuration_displace(id, tracks, 0, 2, nil, 2, 1, nil, 0, 0, nil)),
      ("push", murmuration_push(id, tracks, 0, 2, nil, 2, 1, nil)),
      ("values", murmuration_load_clip(id, nil, nil, [0, 0], 2, 0, &clip, nil)),
      ("counts", murmuration_load_clip(id, [0, 0], nil, nil, 2, 0, &clip, nil)),
      ("keyframes", murmuration_load_clip(id, [0, 0], nil, [1, 0], 2, 0, &clip, nil)),
      ("clip", murmuration_load_clip(id, [0, 0], &keyframe, [1, 0], 2, 0, nil, nil)),
      ("unload", murmuration_unload_clip(id, nil)), ("default", murmuration_playback_default(nil)),
      ("play", murmuration_play_clip(id, nil, tracks, 0, 2, nil, 0, 0, 0, nil)),
      ("playbacks", murmuration_play_clip(id, &clip, tracks, 0, 2, nil, 1, 0, 0, nil)),
      ("speed", murmuration_set_speed(id, tracks, 0, 2, nil, 1)), ("seek", murmuration_seek(id, tracks, 0, 2, nil, 2)),
      ("scales", murmuration_vary(id, tracks, 0, 2, nil, 0, 0, [0], 0, 0)),
      ("offsets", murmuration_vary(id, tracks, 0, 2, [0], 0, 0, nil, 0, 0)),
      ("targets", murmuration_load_phases(id, nil, nil, 2, 1, &phases)),
      ("phases", murmuration_load_phases(id, [0, 0], nil, 2, 1, nil)), ("unload", murmuration_unload_phases(id, nil)),
      ("play", murmuration_play_phases(id, nil, tracks, 0, 2, 0, nil, nil, 0, 0, nil, 0, 0, nil)),
      ("events", murmuration_events(id, nil, &count)), ("count", murmuration_events(id, &events, nil)),
      ("read", murmuration_read(id, 0, tracks, 0, 2, nil, 2, 1)), ("column", murmuration_column(id, 0, 0, nil, &count)),
      ("count", murmuration_column(id, 0, 0, &rows, nil)),
      ("request", murmuration_bake(id, nil, nil, 0, nil, nil, 0)),
      ("times", murmuration_bake(id, &request, nil, 1, nil, nil, 0)),
      ("numbers", murmuration_bake(id, &request, nil, 0, nil, nil, 1)),
      ("trackers", murmuration_trackers_create(1, 1, nil)), ("spring", murmuration_spring_describe(nil, nil)),
      ("curve", murmuration_curve_values(nil, nil, 0, nil, nil)), ("hash", murmuration_same_bits(nil)),
    ]
    for (name, status) in calls { #expect(status == MURMURATION_NULL_POINTER, "\(name)") }
    #expect(words() == "hash must not be NULL")
    #expect(batch.read(MURMURATION_VALUES) == [1, 2, 3, 4])
  }

  @Test func selectionsOutOfRangeAreErrors() throws {
    let batch = try CBatch()
    let tracks = try batch.add([1, 2, 3, 4])
    let other = try CBatch()
    let foreign = try other.add([0, 0])
    let id = batch.id
    func pause(_ tracks: [murmuration_track]?, _ first: Int32, _ count: Int32) -> String {
      name(murmuration_pause(id, tracks, first, count))
    }
    #expect(pause(nil, 0, all) == "ok" && pause(nil, 2, all) == "ok" && pause(nil, 2, 0) == "ok")
    #expect(pause(nil, 3, all) == "trackOutOfRange" && pause(nil, 0, 3) == "trackOutOfRange")
    #expect(pause(nil, 1, 2) == "trackOutOfRange" && pause(nil, .max, .max) == "trackOutOfRange")
    #expect(pause(nil, -1, 1) == "trackOutOfRange" && pause(nil, 0, -2) == "invalidCount")
    #expect(pause(nil, 0, .min) == "invalidCount" && pause(nil, .min, 0) == "trackOutOfRange")
    #expect(pause(tracks, 0, all) == "invalidCount" && pause(tracks, -1, 1) == "trackOutOfRange")
    #expect(pause(foreign, 0, 1) == "storeMismatch" && pause([murmuration_track()], 0, 1) == "storeMismatch")
    #expect(murmuration_remove(id, tracks, 0, 1) == ok)
    #expect(pause(tracks, 0, 1) == "staleHandle" && words() == "track 0 of generation 0 is no longer there")
    var track = murmuration_track(index: 9, generation: 9, store: 9)
    #expect(murmuration_track_at(id, 0, &track) == ok && areSame(track, murmuration_track()))
    #expect(murmuration_track_at(id, 1, &track) == ok && areSame(track, tracks[1]))
    #expect(murmuration_track_at(id, 2, &track) == MURMURATION_TRACK_OUT_OF_RANGE && areSame(track, tracks[1]))
    #expect(murmuration_track_at(id, -1, &track) == MURMURATION_TRACK_OUT_OF_RANGE)
  }

  @Test func stridesOutOfRangeAreErrors() throws {
    let batch = try CBatch()
    let tracks = try batch.add([1, 2, 3, 4])
    var output: [Float] = [9, 9, 9, 9]
    let strides: [(Int32, Int32)] = [(-1, 1), (2, -1), (.min, .min)]
    for (track, component) in strides {
      #expect(
        murmuration_animate(batch.id, tracks, 0, 2, [0, 0, 0, 0], track, component, nil, nil, 0, nil)
          == MURMURATION_INVALID_STRIDE)
      #expect(murmuration_add(batch.id, [0, 0], track, component, nil, 1) == MURMURATION_INVALID_STRIDE)
    }
    for (track, component) in strides + [(0, 1), (2, 0)] {
      #expect(murmuration_read(batch.id, 0, nil, 0, 2, &output, track, component) == MURMURATION_INVALID_STRIDE)
    }
    #expect(output == [9, 9, 9, 9] && batch.info.count == 2)
    #expect(words() == "output: strides must be 1 or more, are 2 and 0")
  }

  @Test(arguments: [Float.nan, .infinity, -.infinity, 2e15])
  func numbersOutOfRangeAreErrors(number: Float) throws {
    let batch = try CBatch()
    let tracks = try batch.add([1, 2, 3, 4])
    let bad: [Float] = [0, 0, 0, number]
    #expect(murmuration_add(batch.id, bad, 2, 1, nil, 2) == MURMURATION_INVALID_VALUE)
    #expect(words().hasPrefix("component 1 of value 1 must be finite"))
    #expect(murmuration_animate(batch.id, tracks, 0, 2, bad, 2, 1, nil, nil, 0, nil) == MURMURATION_INVALID_VALUE)
    #expect(murmuration_retarget(batch.id, nil, 0, all, bad, 2, 1, nil, 0, nil) == MURMURATION_INVALID_VALUE)
    #expect(murmuration_set(batch.id, nil, 0, 2, [0, 0], 0, 1, bad, 2, 1, nil) == MURMURATION_INVALID_VALUE)
    #expect(murmuration_decelerate(batch.id, tracks, 0, 2, bad, 2, 1, 0.998, 0, nil) == MURMURATION_INVALID_VALUE)
    #expect(
      murmuration_decelerate(batch.id, tracks, 0, 2, nil, 0, 0, Double(number), 0, nil)
        == MURMURATION_INVALID_DECELERATION
    )
    #expect(murmuration_advance(batch.id, Double(number), 0) == MURMURATION_INVALID_TIME)
    #expect(murmuration_advance_by(batch.id, Double(number), 0) == MURMURATION_INVALID_TIME)
    #expect(murmuration_set_rest_tolerance(batch.id, number, 0) == MURMURATION_INVALID_TOLERANCE)
    var animation = spring(Double(number), 0)
    if number != -.infinity {
      #expect(
        murmuration_animate(batch.id, tracks, 0, 2, [0], 0, 0, &animation, nil, 0, nil) == MURMURATION_INVALID_ANIMATION
      )
    }
    #expect(
      murmuration_retarget(batch.id, tracks, 0, 2, [0], 0, 0, [0, Double(number)], 0, nil) == MURMURATION_INVALID_DELAY)
    var phases = murmuration_phases()
    #expect(murmuration_load_phases(batch.id, bad, nil, 2, 2, &phases) == MURMURATION_INVALID_PHASES)
    var clip = murmuration_clip()
    var keyframe = murmuration_keyframe()
    keyframe.to = Double(number)
    #expect(murmuration_load_clip(batch.id, [0, 0], &keyframe, [1, 0], 2, 0, &clip, nil) == MURMURATION_INVALID_CLIP)
    #expect(words().hasPrefix("track 0, key 0"))
    #expect(batch.read(MURMURATION_VALUES) == [1, 2, 3, 4] && batch.info.clip_count == 0)
  }

  @Test func unknownCodesAreErrors() throws {
    let batch = try CBatch(dimensions: 1)
    let tracks = try batch.add([1], dimensions: 1)
    let id = batch.id
    func animate(_ change: (inout murmuration_animation) -> Void) -> Int32 {
      var animation = spring(0.5, 0)
      change(&animation)
      return murmuration_animate(id, tracks, 0, 1, [2], 1, 1, &animation, nil, 0, nil)
    }
    #expect(animate { $0.kind = 4 } == MURMURATION_INVALID_ANIMATION)
    #expect(words() == "animation 0: 4 is no kind of animation")
    #expect(animate { $0.spring.form = 5 } == MURMURATION_INVALID_ANIMATION)
    #expect(animate { ($0.kind, $0.curve.kind) = (Int32(MURMURATION_CURVE), 8) } == MURMURATION_INVALID_ANIMATION)
    #expect(animate { $0.modifier_count = 9 } == MURMURATION_INVALID_ANIMATION)
    #expect(animate { $0.modifier_count = -1 } == MURMURATION_INVALID_ANIMATION)
    #expect(animate { $0.modifier_count = 1 } == MURMURATION_INVALID_ANIMATION)
    #expect(animate { ($0.kind, $0.modifier_count) = (0, 1) } == MURMURATION_INVALID_ANIMATION)
    for count in [0, 0.5, -1, .nan, 1e300] {
      #expect(
        animate { $0 = murmuration_modified($0, Int32(MURMURATION_REPEAT), count) } == MURMURATION_INVALID_ANIMATION)
    }
    let many = (0..<9).reduce(spring(0.5, 0)) { animation, _ in
      murmuration_modified(animation, Int32(MURMURATION_DELAY), 0)
    }
    #expect(animate { $0 = many } == MURMURATION_INVALID_ANIMATION)
    var output: Float = 0
    #expect(murmuration_read(id, 3, nil, 0, 1, &output, 1, 1) == MURMURATION_INVALID_CODE)
    #expect(murmuration_advance(id, 1, 2) == MURMURATION_INVALID_CODE)
    #expect(murmuration_set_reports(id, 8) == MURMURATION_INVALID_CODE)
    var request = murmuration_bake_request()
    request.order = 3
    #expect(murmuration_bake(id, &request, nil, 0, nil, nil, 0) == MURMURATION_INVALID_CODE)
    var keyframe = murmuration_keyframe()
    var clip = murmuration_clip()
    for change in [{ $0.kind = 4 }, { $0.flags = 8 }] as [(inout murmuration_keyframe) -> Void] {
      keyframe = murmuration_keyframe()
      change(&keyframe)
      #expect(murmuration_load_clip(id, [0], &keyframe, [1], 1, 0, &clip, nil) == MURMURATION_INVALID_CODE)
    }
    keyframe = murmuration_keyframe()
    #expect(murmuration_load_clip(id, [0], &keyframe, [1], 1, 0, &clip, nil) == ok)
    #expect(murmuration_play_clip(id, &clip, tracks, 0, 1, nil, 0, 3, 0, nil) == MURMURATION_INVALID_CODE)
    var playback = murmuration_playback()
    #expect(murmuration_playback_default(&playback) == ok)
    for change in [
      { $0.flags = 16 }, { $0.iterations = 0 }, { $0.iterations = 1.5 }, { $0.iterations = .nan }, { $0.speed = .nan },
    ]
      as [(inout murmuration_playback) -> Void]
    {
      var changed = playback
      change(&changed)
      #expect(murmuration_play_clip(id, &clip, tracks, 0, 1, &changed, 1, 0, 0, nil) == MURMURATION_INVALID_PLAYBACK)
    }
    #expect(
      murmuration_play_clip(id, &clip, tracks, 0, 1, [playback, playback], 2, 0, 0, nil) == MURMURATION_INVALID_COUNT)
    #expect(murmuration_unload_clip(id, &clip) == ok && murmuration_unload_clip(id, &clip) == MURMURATION_UNKNOWN_CLIP)
    var phases = murmuration_phases(index: 5, generation: 5, store: 5)
    #expect(murmuration_unload_phases(id, &phases) == MURMURATION_UNKNOWN_PHASES)
    #expect(murmuration_load_phases(id, [0, 0], nil, 2, 1, &phases) == MURMURATION_WRONG_DIMENSIONS)
    #expect(murmuration_load_phases(id, [0], nil, 1, 0, &phases) == MURMURATION_INVALID_PHASES)
    #expect(murmuration_column(id, 0, 1, nil, nil) == MURMURATION_NULL_POINTER)
    #expect(batch.info.latest_change == 0)
  }

  @Test func sizesOutOfRangeAreErrors() {
    var id: murmuration_batch = 77
    for dimensions in [0, -1, 4097, .max, .min] as [Int32] {
      #expect(murmuration_batch_create(dimensions, 0, 0, &id) == MURMURATION_INVALID_DIMENSIONS)
      #expect(murmuration_trackers_create(1, dimensions, &id) == MURMURATION_INVALID_DIMENSIONS)
    }
    for count in [-1, .max, .min] as [Int32] {
      #expect(murmuration_batch_create(1, count, 0, &id) == MURMURATION_CAPACITY_EXCEEDED)
      #expect(murmuration_trackers_create(count, 1, &id) == MURMURATION_CAPACITY_EXCEEDED)
    }
    #expect(murmuration_batch_create(1, 0, .nan, &id) == MURMURATION_INVALID_TOLERANCE && id == 77)
    #expect(murmuration_batch_create(1, 0, 0, &id) == ok)
    #expect(murmuration_reserve(id, -1) == MURMURATION_CAPACITY_EXCEEDED)
    #expect(murmuration_reserve(id, .max) == MURMURATION_CAPACITY_EXCEEDED)
    #expect(murmuration_add(id, [0], 0, 0, nil, -1) == MURMURATION_INVALID_COUNT)
    #expect(murmuration_add(id, nil, 0, 0, nil, 0) == ok && murmuration_set_thread_count(id, -5) == ok)
    #expect(murmuration_batch_free(id) == ok)
  }

  /// Codes of errors have the names that their cases have, and no two the same.
  @Test func everyCodeHasItsName() {
    let codes = (-100...0).map { Int32($0) }.filter { name($0) != "unknown" }
    #expect(codes.count == 40 && Set(codes.map(name)).count == codes.count)
    #expect(name(Int32(MURMURATION_STALE_HANDLE)) == "staleHandle" && name(1) == "unknown" && name(.min) == "unknown")
  }

  /// Words that do not fit are cut off between two characters.
  @Test func longWordsAreCutOff() {
    let text = "x" + String(repeating: "é", count: 400)
    text.utf8CString.withUnsafeBufferPointer { object_set_message($0.baseAddress, 801) }
    #expect(words() == "x" + String(repeating: "é", count: 255))
  }

  /// The model takes a duration of NaN for none, as SwiftUI does; here it is a fault of the caller.
  @Test func aKeyframeLastsANumberOfSeconds() throws {
    let batch = try CBatch(dimensions: 1)
    var clip = murmuration_clip()
    func load(_ kind: Int, _ flags: Int = 0, duration: Double) -> Int32 {
      var keyframe = murmuration_keyframe()
      (keyframe.kind, keyframe.flags, keyframe.to, keyframe.duration) = (Int32(kind), Int32(flags), 1, duration)
      keyframe.spring = murmuration_spring_of_duration(0.5, 0)
      return murmuration_load_clip(batch.id, [0], &keyframe, [1], 1, 0, &clip, nil)
    }
    let kinds = [
      (MURMURATION_LINEAR_KEYFRAME, 0), (MURMURATION_CUBIC_KEYFRAME, 0),
      (MURMURATION_SPRING_KEYFRAME, MURMURATION_HAS_DURATION),
    ]
    for (kind, flags) in kinds {
      #expect(load(kind, flags, duration: .nan) == MURMURATION_INVALID_CLIP)
      #expect(words() == "keyframe 0: the duration must be a number, is NaN")
      #expect(load(kind, flags, duration: 0.5) == ok)
    }
    // Where it does not count, it is no fault.
    #expect(load(MURMURATION_MOVE, duration: .nan) == ok && load(MURMURATION_SPRING_KEYFRAME, duration: .nan) == ok)
    #expect(batch.info.clip_count == 5)
  }
}
