// SPDX-License-Identifier: MIT
import CSurface
import Testing

/// Particles, mixers, scenes and glTF through the C functions.
@Suite struct NativeSurfaceTests {
  // MARK: - Particles

  /// A set of particles, which frees itself.
  private final class CParticles {
    let id: murmuration_particles
    let properties: [murmuration_batch]

    init(_ dimensions: [Int32]) throws {
      var id: murmuration_particles = 0
      var properties = [murmuration_batch](repeating: 0, count: dimensions.count)
      try #require(murmuration_particles_create(dimensions, Int32(dimensions.count), &id, &properties) == ok)
      (self.id, self.properties) = (id, properties)
    }

    deinit { _ = murmuration_particles_free(id) }

    func info(_ property: Int) -> murmuration_batch_info {
      var info = murmuration_batch_info()
      #expect(murmuration_batch_describe(properties[property], &info) == ok)
      return info
    }

    func read(_ property: Int) -> [Float] {
      let info = info(property)
      var numbers = [Float](repeating: .nan, count: Int(info.index_count * info.dimensions))
      #expect(murmuration_read(properties[property], 0, nil, 0, all, &numbers, info.dimensions, 1) == ok)
      return numbers
    }
  }

  @Test func particlesComeAndGoAsAWhole() throws {
    let particles = try CParticles([1, 3])
    var tracks = [murmuration_track](repeating: murmuration_track(), count: 8)
    #expect(murmuration_particles_add(particles.id, nil, 0, 0, &tracks, 8) == ok)
    #expect(particles.read(0) == [Float](repeating: 0, count: 8) && particles.read(1).count == 24)
    #expect(murmuration_particles_remove(particles.id, tracks, 2, 2) == ok)
    #expect(particles.info(0).count == 6 && particles.info(1).count == 6)
    #expect(murmuration_particles_remove(particles.id, tracks, 0, 3) == MURMURATION_STALE_HANDLE)
    #expect(murmuration_particles_remove(particles.id, nil, 0, 9) == MURMURATION_TRACK_OUT_OF_RANGE)
    #expect(murmuration_particles_remove(particles.id, nil, 6, 2) == ok && particles.info(1).count == 4)
    #expect(murmuration_particles_add(particles.id, [.nan], 0, 0, nil, 1) == MURMURATION_INVALID_VALUE)
    // Of several strides only the last component is bad: no property has a new particle.
    #expect(murmuration_particles_add(particles.id, [1, 2, 3, .infinity], 4, 1, nil, 1) == MURMURATION_INVALID_VALUE)
    #expect(particles.info(0).count == 4 && particles.info(1).count == 4)
    #expect(murmuration_particles_add(particles.id, nil, 0, 0, nil, .max) == MURMURATION_CAPACITY_EXCEEDED)
    #expect(murmuration_particles_add(particles.id, nil, 0, 0, nil, -1) == MURMURATION_INVALID_COUNT)
    #expect(murmuration_particles_advance_by(particles.id, 0.25, 0) == ok && particles.info(0).time == 0.25)
    #expect(murmuration_particles_advance(particles.id, 0.5, 1) == ok && particles.info(1).time == 0.5)
    #expect(murmuration_particles_advance(particles.id, .nan, 0) == MURMURATION_INVALID_TIME)
    #expect(murmuration_particles_advance(particles.id, 1, 2) == MURMURATION_INVALID_CODE)
    #expect(murmuration_particles_remove(particles.id, nil, 0, all) == ok && particles.info(0).count == 0)
  }

  @Test func aPropertyRefusesWhatConcernsAllProperties() throws {
    let particles = try CParticles([1, 2])
    var tracks = [murmuration_track](repeating: murmuration_track(), count: 4)
    #expect(murmuration_particles_add(particles.id, nil, 0, 0, &tracks, 4) == ok)
    for id in particles.properties {
      let calls = [
        murmuration_add(id, [1, 1], 0, 1, nil, 1), murmuration_remove(id, tracks, 0, 1),
        murmuration_remove_settled(id, nil), murmuration_remove_all(id), murmuration_advance(id, 1, 0),
        murmuration_advance_by(id, 1, 0), murmuration_batch_free(id),
      ]
      #expect(calls == [Int32](repeating: Int32(MURMURATION_PART_OF_PARTICLES), count: 7))
      #expect(words().contains("batch \(id) is a property of particles"))
      // All else is allowed.
      #expect(
        murmuration_compact(id) == ok && murmuration_reserve(id, 10) == ok && murmuration_pause(id, nil, 0, all) == ok)
    }
    #expect(particles.info(0).count == 4 && particles.info(1).time == 0)
  }

  @Test func freedParticlesAreGoneWithTheirProperties() throws {
    var id: murmuration_particles = 0
    var properties: [murmuration_batch] = [0, 0]
    #expect(murmuration_particles_create([1, 1], 2, &id, &properties) == ok)
    #expect(murmuration_particles_advance(properties[0], 1, 0) == MURMURATION_UNKNOWN_OBJECT)
    #expect(murmuration_advance(id, 1, 0) == MURMURATION_UNKNOWN_OBJECT && murmuration_particles_free(id) == ok)
    for property in properties { #expect(murmuration_compact(property) == MURMURATION_UNKNOWN_OBJECT) }
    #expect(murmuration_particles_free(id) == MURMURATION_UNKNOWN_OBJECT)
    #expect(words() == "there is no set of particles \(id): it was freed, or never existed")
    for count in [0, -1, 65, .max] as [Int32] {
      #expect(murmuration_particles_create([1, 1], count, &id, &properties) == MURMURATION_INVALID_COUNT)
    }
    #expect(murmuration_particles_create([1, 0], 2, &id, &properties) == MURMURATION_INVALID_DIMENSIONS)
  }

  /// A call about the particles takes every property; one about a property takes that one.
  @Test func twoThreadsInOnePropertyAreAnError() async throws {
    let particles = try CParticles([2, 2])
    #expect(murmuration_particles_add(particles.id, nil, 0, 0, nil, 20_000) == ok)
    let (id, property) = (particles.id, particles.properties[1])
    await fourThreads(calls: 200) { task, step in
      if task % 2 == 0 { return murmuration_particles_advance_by(id, 0.001, 0) }
      var animation = spring(0.5, 0)
      return murmuration_animate(property, nil, 0, all, [Float(step), 1], 0, 1, &animation, nil, 0, nil)
    }
    #expect(murmuration_particles_advance_by(id, 1, 0) == ok)
  }

  // MARK: - Mixers

  private static let shapes: [Float] = [1, 0, 0, 2, 0, 1, 0, 3, 0.5, 0.5, 0.5, 0.5]

  /// Two layers over four outputs: two shapes with a weight, and one with a base and a mask that overrides.
  private static func mixer(_ instances: Int32) throws -> murmuration_mixer {
    let layers = [
      murmuration_layer(kind: 0, flags: Int32(MURMURATION_HAS_WEIGHT), shape_count: 2, reserved: 0),
      murmuration_layer(kind: 1, flags: 3, shape_count: 1, reserved: 0),
    ]
    let numbers = shapes[..<8] + [9, 8, 7, 6] + [0, 0.5, 1, 0.25] + shapes[8...]
    var mixer: murmuration_mixer = 0
    try #require(murmuration_mixer_create([1, 2, 3, 4], 4, layers, 2, Array(numbers), 20, instances, &mixer) == ok)
    return mixer
  }

  /// (`Tests/Python/test_native.py` mixes the values of tracks.)
  @Test func tracksThatAMixerCannotTakeAreRefused() throws {
    let mixer = try Self.mixer(3)
    defer { _ = murmuration_mixer_free(mixer) }
    let batch = try CBatch()
    _ = try batch.add([1, 2, 3, 4, 5, 6, 7, 8])
    #expect(murmuration_mixer_set_tracks(mixer, 1, 2, 0, batch.id, 0, 1, 3) == ok)
    var (before, after) = ([Float](repeating: 0, count: 12), [Float](repeating: 1, count: 12))
    #expect(murmuration_mixer_mix(mixer, 0, 3, &before, 4, 1) == ok)
    // A component, an index, a column or an instance too many; a batch that is none.
    #expect(murmuration_mixer_set_tracks(mixer, 1, 2, 0, batch.id, 1, 0, 3) == MURMURATION_INVALID_MIXER)
    #expect(murmuration_mixer_set_tracks(mixer, 1, 2, 0, batch.id, 0, 2, 3) == MURMURATION_INVALID_MIXER)
    #expect(murmuration_mixer_set_tracks(mixer, 3, 2, 0, batch.id, 0, 0, 3) == MURMURATION_INVALID_MIXER)
    #expect(murmuration_mixer_set_tracks(mixer, 1, 2, 1, batch.id, 0, 0, 3) == MURMURATION_INVALID_MIXER)
    #expect(murmuration_mixer_set_tracks(mixer, 1, 2, -1, batch.id, -1, 0, 3) == MURMURATION_INVALID_MIXER)
    #expect(murmuration_mixer_set_tracks(mixer, 1, 2, 0, mixer, 0, 0, 3) == MURMURATION_UNKNOWN_OBJECT)
    #expect(murmuration_mixer_set_tracks(batch.id, 1, 2, 0, batch.id, 0, 0, 3) == MURMURATION_UNKNOWN_OBJECT)
    #expect(murmuration_remove(batch.id, nil, 1, 1) == ok)
    #expect(murmuration_mixer_set_tracks(mixer, 1, 2, 0, batch.id, 0, 1, 3) == MURMURATION_TRACK_OUT_OF_RANGE)
    #expect(murmuration_mixer_mix(mixer, 0, 3, &after, 4, 1) == ok && after == before)
  }

  @Test func wrongMixersAreRefused() throws {
    var id: murmuration_mixer = 7
    func create(
      _ kind: Int32, _ flags: Int32, _ shapes: Int32, _ numbers: [Float], outputs: Int32 = 2, instances: Int32 = 1,
      reserved: Int32 = 0
    ) -> Int32 {
      let layer = murmuration_layer(kind: kind, flags: flags, shape_count: shapes, reserved: reserved)
      return murmuration_mixer_create([0, 0], outputs, [layer], 1, numbers, Int64(numbers.count), instances, &id)
    }
    #expect(create(0, 0, 1, [1, 1], reserved: 1) == MURMURATION_INVALID_CODE && words() == "reserved must be 0, is 1")
    #expect(
      create(2, 0, 1, [1, 1]) == MURMURATION_INVALID_CODE && create(0, 8, 1, [1, 1]) == MURMURATION_INVALID_CODE)
    #expect(create(0, 0, -1, []) == MURMURATION_INVALID_COUNT)
    #expect(create(0, 0, 1, [1]) == MURMURATION_INVALID_COUNT && words() == "numbers: 2 are needed, 1 were given")
    #expect(create(0, 0, .max, [1]) == MURMURATION_INVALID_COUNT)
    #expect(create(0, 0, 1, [1, .nan]) == MURMURATION_INVALID_VALUE)
    #expect(create(0, 2, 1, [0, 1.5, 1, 1]) == MURMURATION_INVALID_MIXER)
    #expect(words() == "mask 1 must be within 0…1, is 1.5")
    #expect(create(0, 0, 1, [1, 1], instances: -1) == MURMURATION_INVALID_MIXER)
    #expect(create(0, 0, 1, [1, 1], instances: .max) == MURMURATION_INVALID_MIXER)
    #expect(create(0, 0, 1, [], outputs: -1) == MURMURATION_INVALID_COUNT && id == 7)
    // Layers whose numbers no memory holds stopped the process.
    let large = murmuration_layer(kind: 0, flags: 0, shape_count: .max, reserved: 0)
    let count = Int64(Int32.max) * Int64(Int32.max)
    for layers in 1...2 {
      #expect(
        murmuration_mixer_create(
          [0], .max, Array(repeating: large, count: layers), Int32(layers), [0], Int64(layers) * count, 1, &id)
          == MURMURATION_INVALID_MIXER)
    }

    let mixer = try Self.mixer(3)
    #expect(murmuration_mixer_set(mixer, 0, 5, 0, 3, [0], 0, 0) == MURMURATION_INVALID_MIXER)
    #expect(murmuration_mixer_set(mixer, -1, 1, 0, 3, [0], 0, 0) == MURMURATION_INVALID_MIXER)
    #expect(murmuration_mixer_set(mixer, 0, 1, 1, 3, [0], 0, 0) == MURMURATION_INVALID_MIXER)
    #expect(murmuration_mixer_set(mixer, 0, 1, 0, .max, [0], 0, 0) == MURMURATION_INVALID_MIXER)
    #expect(murmuration_mixer_set(mixer, 0, 1, 0, 3, [0], -1, 0) == MURMURATION_INVALID_STRIDE)
    #expect(murmuration_mixer_set(mixer, 0, 4, 0, 1, [0, 0, 0, .infinity], 1, 1) == MURMURATION_INVALID_VALUE)
    #expect(murmuration_mixer_set(mixer, 0, 0, 3, 0, nil, 0, 0) == ok)
    var output: [Float] = [5]
    #expect(murmuration_mixer_mix(mixer, 0, 4, &output, 4, 1) == MURMURATION_INVALID_MIXER)
    // In the words of a count, not of an index.
    #expect(murmuration_mixer_mix(mixer, 0, -1, &output, 4, 1) == MURMURATION_INVALID_COUNT)
    #expect(words() == "instance_count must be 0 or more, is -1")
    #expect(murmuration_mixer_set(mixer, 0, -2, 0, 1, [0], 0, 0) == MURMURATION_INVALID_COUNT)
    #expect(words() == "column_count must be 0 or more, is -2")
    #expect(murmuration_mixer_set(mixer, 0, 1, 0, -3, [0], 0, 0) == MURMURATION_INVALID_COUNT)
    #expect(words() == "instance_count must be 0 or more, is -3")
    #expect(murmuration_mixer_set_tracks(mixer, 0, 1, 0, 0, 0, 0, -4) == MURMURATION_INVALID_COUNT)
    #expect(words() == "index_count must be 0 or more, is -4")
    #expect(murmuration_mixer_mix(mixer, 0, 1, &output, 0, 1) == MURMURATION_INVALID_STRIDE && output == [5])
    #expect(murmuration_mixer_free(mixer) == ok && murmuration_mixer_free(mixer) == MURMURATION_UNKNOWN_OBJECT)
  }

  // MARK: - Errors

  @Test func nullPointersAreErrors() throws {
    let particles = try CParticles([1])
    let mixer = try Self.mixer(1)
    defer { _ = murmuration_mixer_free(mixer) }
    var (id, count): (UInt32, Int32) = (0, 0)
    var events: UnsafePointer<murmuration_event>?
    var batch: [murmuration_batch] = [0]
    let calls: [(String, Int32)] = [
      ("dimensions", murmuration_particles_create(nil, 1, &id, &batch)),
      ("particles", murmuration_particles_create([1], 1, nil, &batch)),
      ("properties", murmuration_particles_create([1], 1, &id, nil)),
      ("events", murmuration_particles_events(particles.id, nil, &count)),
      ("count", murmuration_particles_events(particles.id, &events, nil)),
      ("work", murmuration_batch_work(0, nil)),
      ("mixer", murmuration_mixer_create([0], 1, nil, 0, nil, 0, 1, nil)),
      ("base", murmuration_mixer_create(nil, 1, nil, 0, nil, 0, 1, &id)),
      ("layers", murmuration_mixer_create([0], 1, nil, 1, nil, 0, 1, &id)),
      ("numbers", murmuration_mixer_create([0], 1, nil, 0, nil, 1, 1, &id)),
      ("info", murmuration_mixer_describe(mixer, nil)), ("values", murmuration_mixer_set(mixer, 0, 1, 0, 1, nil, 1, 1)),
      ("output", murmuration_mixer_mix(mixer, 0, 1, nil, 4, 1)), ("name", murmuration_scene_open(nil, &id)),
      ("scene", murmuration_scene_open("shapes", nil)), ("bytes", murmuration_scene_open_json(nil, 1, &id)),
      ("scene", murmuration_scene_open_json("{}", 2, nil)), ("info", murmuration_scene_describe(0, nil)),
      ("info", murmuration_scene_group(0, 0, nil)), ("text", murmuration_scene_text(0, 0, 0, nil)),
      ("settings", murmuration_scene_set(0, nil)), ("values", murmuration_scene_bake(0, 0, 1, 0, 1, 1, nil, nil, 1)),
      ("path", murmuration_gltf_open(nil, &id)), ("gltf", murmuration_gltf_open("a.glb", nil)),
      ("bytes", murmuration_gltf_open_bytes(nil, 1, &id)), ("gltf", murmuration_gltf_open_bytes("", 0, nil)),
      ("count", murmuration_gltf_count(0, nil)), ("info", murmuration_gltf_describe(0, 0, nil)),
      ("text", murmuration_gltf_text(0, 0, 0, 0, nil)), ("clip", murmuration_gltf_load_clip(0, 0, 0, nil, nil)),
    ]
    for (name, status) in calls { #expect(status == MURMURATION_NULL_POINTER, "\(name)") }
    #expect(words() == "clip must not be NULL")
  }

  @Test func numbersThatNameNothingAreErrors() throws {
    let batch = try CBatch()
    var scene = murmuration_scene_info()
    var settings = murmuration_scene_settings()
    var (group, animation) = (murmuration_group_info(), murmuration_gltf_animation_info())
    var (text, clip, count): (UnsafePointer<CChar>?, murmuration_clip, Int32) = (nil, murmuration_clip(), 0)
    var mixer = murmuration_mixer_info()
    var work = murmuration_work()
    #expect(murmuration_batch_work(.max, &work) == MURMURATION_UNKNOWN_OBJECT)
    var output: [Float] = [0]
    var events: UnsafePointer<murmuration_event>?
    for number in [0, batch.id, .max, 1 << 31] {
      let calls = [
        murmuration_particles_free(number), murmuration_particles_add(number, nil, 0, 0, nil, 1),
        murmuration_particles_remove(number, nil, 0, all), murmuration_particles_remove_settled(number, nil),
        murmuration_particles_advance(number, 1, 0), murmuration_particles_advance_by(number, 1, 0),
        murmuration_particles_events(number, &events, &count), murmuration_mixer_free(number),
        murmuration_mixer_describe(number, &mixer), murmuration_mixer_set(number, 0, 1, 0, 1, [0], 1, 1),
        murmuration_mixer_mix(number, 0, 1, &output, 1, 1), murmuration_mixer_set_tracks(number, 0, 1, 0, 0, 0, 0, 1),
        murmuration_scene_free(number), murmuration_scene_describe(number, &scene),
        murmuration_scene_group(number, 0, &group), murmuration_scene_text(number, 0, 0, &text),
        murmuration_scene_set(number, &settings), murmuration_scene_bake(number, 0, 1, 0, 1, 1, &output, nil, 1),
        murmuration_gltf_free(number), murmuration_gltf_count(number, &count),
        murmuration_gltf_describe(number, 0, &animation), murmuration_gltf_text(number, 0, 0, 0, &text),
        murmuration_gltf_load_clip(number, 0, batch.id, &clip, nil),
      ]
      #expect(calls == [Int32](repeating: Int32(MURMURATION_UNKNOWN_OBJECT), count: calls.count))
    }
    #expect(words().hasPrefix("there is no glTF file "))
  }
}
