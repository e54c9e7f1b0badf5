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
    #expect(handle.index == 1 && handle.generation == 2 && handle.store == 3)
  }

  // MARK: - Objects

  @Test func numbersThatNameNoBatchAreErrors() throws {
    var freed: murmuration_batch = 0
    #expect(murmuration_batch_create(1, 0, 0, &freed) == ok && murmuration_batch_free(freed) == ok)
    var trackers: murmuration_trackers = 0
    #expect(murmuration_trackers_create(1, 1, &trackers) == ok)
    // (The next number of the freed entry may name a batch of a test that runs beside this one.)
    for number in [0, freed, trackers, freed ^ 1 << 31, .max, 0xF_FFFF, 1 << 31] {
      #expect(murmuration_advance(number, 1, 0) == MURMURATION_UNKNOWN_OBJECT && words().contains("batch \(number)"))
      #expect(murmuration_batch_free(number) == MURMURATION_UNKNOWN_OBJECT)
    }
    // The next batch may take the entry, and gets another number.
    var next: murmuration_batch = 0
    #expect(murmuration_batch_create(1, 0, 0, &next) == ok && next != freed)
    #expect(murmuration_advance(freed, 1, 0) == MURMURATION_UNKNOWN_OBJECT && murmuration_batch_free(next) == ok)
    #expect(murmuration_trackers_free(trackers) == ok)
    #expect(murmuration_trackers_free(trackers) == MURMURATION_UNKNOWN_OBJECT)
  }

  /// The words of a count are not those of an index, and an error names an index that is out of range.
  @Test func errorsSayWhichCountOrIndexIsWrong() {
    var batch: murmuration_batch = 0
    #expect(murmuration_batch_create(2, 0, 0, &batch) == ok && murmuration_add(batch, [1, 2], 0, 1, nil, 3) == ok)
    #expect(murmuration_remove(batch, nil, 0, -2) == MURMURATION_INVALID_COUNT)
    #expect(words() == "indices: their number must be 0 or more, is -2")
    typealias Change = (inout murmuration_bake_request) -> Void
    let changes: [(Int, String, Change)] = [
      (MURMURATION_INVALID_COUNT, "frames: their number must be 0 or more, is -1", { $0.frame_count = -1 }),
      (MURMURATION_INVALID_COUNT, "indices: their number must be 0 or more, is -2", { $0.index_count = -2 }),
      (MURMURATION_INVALID_COUNT, "components: their number must be 0 or more, is -3", { $0.component_count = -3 }),
      (MURMURATION_TRACK_OUT_OF_RANGE, "the index of a track must be within 0..<3, is 3", { $0.index_count = 4 }),
      (MURMURATION_TRACK_OUT_OF_RANGE, "the index of a track must be within 0..<3, is 5", { $0.first_index = 5 }),
      (MURMURATION_DIMENSION_OUT_OF_RANGE, "the dimension must be within 0..<2, is 2", { $0.component_count = 3 }),
      (MURMURATION_DIMENSION_OUT_OF_RANGE, "the dimension must be within 0..<2, is -1", { $0.first_component = -1 }),
    ]
    for (code, text, change) in changes {
      var request = murmuration_bake_request()
      (request.frames_per_second, request.frame_count, request.index_count, request.component_count) = (60, 1, all, all)
      change(&request)
      var number: Float = 7
      #expect(Int(murmuration_bake(batch, &request, nil, 0, &number, nil, 1)) == code && words() == text && number == 7)
    }
    var trackers: murmuration_trackers = 0
    #expect(murmuration_trackers_create(3, 1, &trackers) == ok)
    for (first, count, code, text) in [
      (0, -2, MURMURATION_INVALID_COUNT, "count must be 0 or more, is -2"),
      (0, 4, MURMURATION_TRACK_OUT_OF_RANGE, "the index of a track must be within 0..<3, is 3"),
      (-1, 1, MURMURATION_TRACK_OUT_OF_RANGE, "the index of a track must be within 0..<3, is -1"),
    ] as [(Int32, Int32, Int, String)] {
      #expect(Int(murmuration_trackers_reset(trackers, first, count)) == code && words() == text)
    }
    #expect(murmuration_batch_free(batch) == ok && murmuration_trackers_free(trackers) == ok)
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

  /// Of functions that are about no batch.
  @Test func nullPointersAreErrors() {
    let calls = [
      murmuration_batch_create(1, 0, 0, nil), murmuration_playback_default(nil), murmuration_trackers_create(1, 1, nil),
      murmuration_spring_describe(nil, nil), murmuration_curve_values(nil, nil, 0, nil, nil),
      murmuration_same_bits(nil),
    ]
    #expect(calls == [Int32](repeating: Int32(MURMURATION_NULL_POINTER), count: 6))
    #expect(words() == "hash must not be NULL")
  }

  @Test func tracksThatAreGoneArePassedOver() throws {
    let (batch, other) = (try CBatch(), try CBatch())
    var tracks = try batch.add((0..<10).map { Float($0) })
    let (id, foreign) = (batch.id, try other.add([0, 0]))
    #expect(murmuration_remove(id, tracks, 1, 2) == ok)
    let names = [tracks[4], tracks[1], tracks[0], tracks[2], tracks[4]]
    var live = [murmuration_track](repeating: murmuration_track(), count: 6)
    var count: Int32 = 77
    func areSame(_ tracks: [murmuration_track], _ others: [murmuration_track]) -> Bool {
      tracks.count == others.count && zip(tracks, others).allSatisfy { SurfaceTests.areSame($0, $1) }
    }
    #expect(murmuration_live(id, names, 1, 4, &live, &count) == ok && count == 2)
    #expect(areSame(Array(live.prefix(3)), [tracks[0], tracks[4], murmuration_track()]))
    #expect(murmuration_live(id, nil, 1, all, &live, &count) == ok && count == 2)
    #expect(areSame(Array(live.prefix(3)), [tracks[3], tracks[4], murmuration_track()]))
    // A track of another batch is a mistake, and nothing is written.
    (live, count) = ([murmuration_track](repeating: murmuration_track(), count: 6), 77)
    #expect(murmuration_live(id, [tracks[0]] + foreign, 0, 2, &live, &count) == MURMURATION_STORE_MISMATCH)
    #expect(count == 77 && areSame(live, [murmuration_track](repeating: murmuration_track(), count: 6)))
    #expect(murmuration_live(id, nil, 0, 0, nil, &count) == ok && count == 0)
    #expect(murmuration_stop(id, tracks, 1, 1) == MURMURATION_STALE_HANDLE)
    #expect(words() == "track 1 of generation 0 is no longer there")
    var track = murmuration_track(index: 9, generation: 9, store: 9)
    #expect(murmuration_track_at(id, 1, &track) == ok && SurfaceTests.areSame(track, murmuration_track()))
    #expect(murmuration_track_at(id, 0, &track) == ok && SurfaceTests.areSame(track, tracks[0]))
    // In place.
    let expected = [tracks[0], tracks[3], tracks[4]]
    let status = tracks.withUnsafeMutableBufferPointer {
      murmuration_live(id, $0.baseAddress, 0, 5, $0.baseAddress, &count)
    }
    #expect(status == ok && count == 3 && areSame(Array(tracks.prefix(3)), expected))
  }

  /// (`Tests/Python/test_snapshots.py` has batches and particles that go back to snapshots and are made of them.)
  @Test func bytesThatAreNoSnapshotAreRefused() throws {
    let batch = try CBatch()
    _ = try batch.add([1, 2, 3, 4])
    var (moment, again, made): (murmuration_snapshot, murmuration_snapshot, murmuration_batch) = (0, 77, 77)
    var (bytes, count): (UnsafeRawPointer?, Int64) = (nil, 0)
    #expect(murmuration_snapshot_create(batch.id, &moment) == ok)
    #expect(murmuration_snapshot_bytes(moment, &bytes, &count) == ok && count > 0)
    for (start, count, code) in [
      (bytes, count - 1, MURMURATION_INVALID_SNAPSHOT), (bytes, 0, MURMURATION_INVALID_SNAPSHOT),
      (nil, 0, MURMURATION_INVALID_SNAPSHOT), (nil, 1, MURMURATION_NULL_POINTER),
      (bytes, -1, MURMURATION_INVALID_COUNT),
      (bytes, .max, MURMURATION_INVALID_COUNT),
    ] {
      #expect(murmuration_snapshot_read(start, count, &again) == code && again == 77)
    }
    #expect(murmuration_snapshot_read(bytes, count, nil) == MURMURATION_NULL_POINTER)
    #expect(murmuration_snapshot_bytes(moment, nil, &count) == MURMURATION_NULL_POINTER)
    #expect(murmuration_snapshot_bytes(moment, &bytes, nil) == MURMURATION_NULL_POINTER)
    #expect(murmuration_batch_from_snapshot(moment, nil) == MURMURATION_NULL_POINTER)
    #expect(murmuration_batch_from_snapshot(batch.id, &made) == MURMURATION_UNKNOWN_OBJECT && made == 77)

    var (particles, properties): (murmuration_particles, [murmuration_batch]) = (0, [0, 0])
    #expect(murmuration_particles_from_snapshot(moment, 1, &particles, &properties) == MURMURATION_SNAPSHOT_MISMATCH)
    #expect(murmuration_snapshot_free(moment) == ok)
    #expect(murmuration_particles_create([1, 2], 2, &particles, &properties) == ok)
    #expect(murmuration_snapshot_create(properties[0], &moment) == MURMURATION_PART_OF_PARTICLES)
    #expect(murmuration_particles_snapshot_create(particles, &moment) == ok)
    #expect(murmuration_restore(batch.id, moment) == MURMURATION_SNAPSHOT_MISMATCH)
    #expect(murmuration_snapshot_update(moment, properties[0]) == MURMURATION_PART_OF_PARTICLES)
    #expect(murmuration_particles_free(particles) == ok)
    #expect(murmuration_batch_from_snapshot(moment, &made) == MURMURATION_SNAPSHOT_MISMATCH)
    for count in [-1, 1, 3] as [Int32] {
      let status = murmuration_particles_from_snapshot(moment, count, &particles, &properties)
      #expect(status == MURMURATION_INVALID_COUNT)
    }
    #expect(murmuration_particles_from_snapshot(moment, 2, nil, &properties) == MURMURATION_NULL_POINTER)
    #expect(murmuration_particles_from_snapshot(moment, 2, &particles, nil) == MURMURATION_NULL_POINTER)
    #expect(murmuration_snapshot_free(moment) == ok)
  }

  @Test func sizesOutOfRangeAreErrors() {
    var id: murmuration_trackers = 77
    for dimensions in [0, -1, 4097, .max, .min] as [Int32] {
      #expect(murmuration_trackers_create(1, dimensions, &id) == MURMURATION_INVALID_DIMENSIONS)
    }
    for count in [-1, .max, .min] as [Int32] {
      #expect(murmuration_trackers_create(count, 1, &id) == MURMURATION_CAPACITY_EXCEEDED)
    }
    #expect(id == 77 && murmuration_batch_create(1, 0, 0, &id) == ok)
    #expect(murmuration_add(id, nil, 0, 0, nil, 0) == ok && murmuration_set_thread_count(id, -5) == ok)
    #expect(murmuration_batch_free(id) == ok)
  }

  /// Codes of errors have the names that their cases have, and no two the same.
  @Test func everyCodeHasItsName() {
    let codes = (-100...0).map { Int32($0) }.filter { name($0) != "unknown" }
    #expect(codes.count == 43 && Set(codes.map(name)).count == codes.count)
    #expect(name(Int32(MURMURATION_STALE_HANDLE)) == "staleHandle" && name(1) == "unknown" && name(.min) == "unknown")
  }

  /// Words that do not fit are cut off between two characters.
  @Test func longWordsAreCutOff() {
    let text = "x" + String(repeating: "é", count: 400)
    text.utf8CString.withUnsafeBufferPointer { object_set_message($0.baseAddress, 801) }
    #expect(words() == "x" + String(repeating: "é", count: 255))
  }
}
