// SPDX-License-Identifier: MIT
import CSurface

// Calls about objects beside batches: trackers, particles, mixers and columns; and about tracks that follow.
extension SurfaceCalls {
  /// Trackers, and the model of springs and curves, which no batch knows of.
  mutating func trackVelocities() -> Int32 {
    switch byte() % 7 {
    case 0:
      guard trackers.count < 6 else { return 0 }
      var set: murmuration_trackers = 0
      let status = murmuration_trackers_create(pick([3, 20, 0, -1]), pick([1, 2, 0]), &set)
      if status == 0 { trackers.append(set) }
      return status
    case 1:
      // Large enough for every set of trackers made here.
      let values = (0..<40).map { _ in value() }
      return murmuration_trackers_record(pick(trackers), values, 2, 1, number([0, 0.1, 0.2, 5]))
    case 2:
      var values = [Float](repeating: 0, count: 40)
      return murmuration_trackers_velocities(pick(trackers), number([0, 0.1, 0.3]), &values, 2, 1)
    case 3: return murmuration_trackers_reset(pick(trackers), pick([0, 1, -1]), pick([-1, 1, .max]))
    case 4:
      var spring = spring()
      let times = [number([0, 0.3, 10])]
      var (values, seconds) = ([0.0], 0.0)
      let status = murmuration_spring_values(&spring, number([0, 1]), number([1]), number([0]), times, 1, &values, nil)
      return status != 0
        ? status : murmuration_spring_settling_duration(&spring, number([1]), number([0]), number([0.001]), &seconds)
    case 5:
      var stagger = murmuration_stagger(
        seconds: number([0, 0.1, 1e10]), is_total: code(2), origin: code(6), column: number([0, 2.5, -7]),
        row: number([0, 3]), seed: UInt64(byte()), columns: pick([0, 1, 5, .max, -1]), reserved: 0, ease: curve())
      let count: Int32 = pick([0, 1, 7, 40, -1])
      var delays = [Double](repeating: -1, count: max(Int(count), 1))
      let status = murmuration_stagger_delays(&stagger, count, &delays)
      precondition(status != 0 || delays.allSatisfy(\.isFinite), "a delay is not finite")
      return status
    default:
      var curve = curve()
      let progress = [number([0, 0.5, 1])]
      var values = [0.0]
      return murmuration_curve_values(&curve, progress, 1, &values, nil)
    }
  }

  mutating func createParticles() {
    let dimensions: [Int32] = [pick([1, 2, 3, 0]), pick([1, 4, -1]), pick([2, 4097])]
    let count: Int32 = pick([1, 2, 3, 0, 65, -1, .max])
    var set: murmuration_particles = 0
    var properties: [murmuration_batch] = [0, 0, 0]
    let status = murmuration_particles_create(dimensions, count, &set, &properties)
    precondition(String(cString: murmuration_error_name(status)) != "unknown", "status \(status) is not listed")
    guard status == 0 else { return }
    batches += properties.prefix(Int(count))
    particles.append(
      ParticleSet(
        number: set, dimensions: dimensions.prefix(Int(count)).reduce(0) { $0 + Int($1) }, property: properties[0]))
  }

  /// Particles: the properties are among the batches.
  mutating func moveParticles() -> Int32 {
    let set = pick(particles)
    guard let info = describe(set.property) else { return murmuration_particles_remove_settled(set.number, nil) }
    let status: Int32
    var made: murmuration_snapshot = 0
    switch byte() % 12 {
    case 0, 1, 2:
      let count = byte() % 40
      guard Int(info.index_count) + count < SurfaceCalls.trackLimit else { return 0 }
      let values = numbers(count, set.dimensions)
      var handles = [murmuration_track](repeating: murmuration_track(), count: count)
      let isZero = byte() > 200
      status = withOptional(isZero ? nil : values.memory, [Double]?.none) { memory, _ in
        murmuration_particles_add(
          set.number, memory, values.trackStride, values.componentStride, &handles, Int32(count))
      }
      if status == 0 { tracks += handles }
    case 3:
      let which = selection(info)
      status = withOptional(which.handles, [Double]?.none) { handles, _ in
        murmuration_particles_remove(set.number, handles, which.first, which.count)
      }
    case 4: status = murmuration_particles_remove_settled(set.number, nil)
    case 5: status = murmuration_particles_advance_by(set.number, number([0.016, 0.3, 0]), pick([0, 1, 2]))
    case 6:
      let time = number([info.time + 0.016, info.time + 0.3, info.time, info.time - 0.1])
      guard !(abs(time - info.time) > 1_000) || !time.isFinite || abs(time) > 1e10 else { return 0 }
      status = murmuration_particles_advance(set.number, time, 1)
      if status == 0 { checkValues(set.property, velocities: true) }
    case 7 where snapshots.count < 6:
      status = murmuration_particles_snapshot_create(set.number, &made)
      if status == 0 { snapshots.append(made) }
    case 8: status = murmuration_particles_snapshot_update(pick(snapshots), set.number)
    case 9:
      status = murmuration_particles_restore(set.number, pick(snapshots))
      if status == 0 { checkValues(set.property, velocities: false) }
    default:
      var events: UnsafePointer<murmuration_event>?
      var count: Int32 = 0
      status = murmuration_particles_events(set.number, &events, &count)
      for index in 0..<Int(count) { precondition(events?[index].kind == Int32(MURMURATION_SETTLED)) }
    }
    check(status, set.property, info)
    return 0
  }

  mutating func createMixer() {
    let outputs: Int32 = pick([1, 3, 20, 0, -1])
    let layers = (0..<byte() % 4).map { _ in
      murmuration_layer(kind: code(2), flags: code(8), shape_count: pick([1, 2, 0, 3, -1]), reserved: 0)
    }
    var count = 0
    for layer in layers where outputs > 0 {
      count += (Int(max(layer.shape_count, 0)) + (Int(layer.flags) & 3).nonzeroBitCount) * Int(outputs)
    }
    let wrong = byte() > 240 ? 1 : 0
    let one = Float(byte()) / 255
    let numbers = (0..<count).map { $0 < 4 ? value() : one }
    let base = (0..<max(Int(outputs), 1)).map { $0 < 3 ? value() : 1 }
    var mixer: murmuration_mixer = 0
    let status = murmuration_mixer_create(
      base, outputs, layers, Int32(layers.count), numbers, Int64(count + wrong), pick([1, 5, 20, 70, 0, -1]), &mixer)
    precondition(String(cString: murmuration_error_name(status)) != "unknown", "status \(status) is not listed")
    if status == 0 { mixers.append(mixer) }
  }

  mutating func mix(_ batch: murmuration_batch, _ info: murmuration_batch_info) -> Int32 {
    let mixer = pick(mixers)
    var about = murmuration_mixer_info()
    let status = murmuration_mixer_describe(mixer, &about)
    guard status == 0 else { return status }
    let firstColumn: Int32 = pick([0, 0, 1, -1, .max])
    let columns: Int32 = pick([about.column_count, 1, 0, -1, .max])
    let first: Int32 = pick([0, 0, 1, 17, -1, .max])
    let instances: Int32 = pick([about.instance_count, 1, 3, 0, -1, .max])
    switch byte() % 4 {
    case 0: return murmuration_mixer_free(mixer)
    case 1:
      let values = numbers(Int(min(max(instances, 0), 100)), Int(min(max(columns, 1), 100)))
      return murmuration_mixer_set(
        mixer, firstColumn, columns, first, instances, values.memory, values.trackStride, values.componentStride)
    case 2:
      return murmuration_mixer_set_tracks(
        mixer, firstColumn, columns, first, batch, pick([0, 1, -1]), pick([0, 1, -1]),
        pick([info.index_count, instances]))
    default:
      var output = numbers(
        Int(min(max(instances, 0), 100)), max(Int(about.output_count), 1), forOutput: true)
      return murmuration_mixer_mix(
        mixer, first, instances, &output.memory, output.trackStride, output.componentStride)
    }
  }

  /// Calls about tracks that follow. Goals that are written in place may be any numbers.
  mutating func follow(_ batch: murmuration_batch, _ info: murmuration_batch_info) -> Int32 {
    let which = selection(info)
    var change: UInt32 = 0
    let springs = (0..<(byte() > 128 ? 1 : max(1, which.elements))).map { _ in spring() }
    let goals = numbers(which.elements, Int(info.dimensions))
    switch byte() % 4 {
    case 0:
      return withOptional(which.handles, springs) { handles, lent in
        murmuration_follow(batch, handles, which.first, which.count, lent, Int32(springs.count), &change)
      }
    case 1:
      let leaders = (0..<which.elements).map { _ in pick(tracks) }
      return withOptional(which.handles, leaders) { handles, leaders in
        murmuration_follow_tracks(
          batch, handles, which.first, which.count, leaders, Int32(which.elements), goals.memory, goals.trackStride,
          goals.componentStride, springs, Int32(springs.count), &change)
      }
    case 2:
      return withOptional(which.handles, [Double]?.none) { handles, _ in
        murmuration_set_goals(
          batch, handles, which.first, which.count, goals.memory, goals.trackStride, goals.componentStride)
      }
    default:
      var (column, count): (UnsafeMutablePointer<Float>?, Int32) = (nil, 0)
      let status = murmuration_goals(batch, pick([0, 1, -1, .max]), &column, &count)
      if status == 0 { for index in 0..<Int(count) { column?[index] = value() } }
      return status
    }
  }

  mutating func createSprings() {
    let count = byte() % 20
    let list = (0..<count).map { $0 < 4 ? spring() : murmuration_spring_of_duration(0.5, 0.3) }
    var set: murmuration_springs = 0
    let status = murmuration_springs_create(
      list, pick([Int32(count), Int32(count), 1, -1].filter { $0 <= count }), &set)
    precondition(String(cString: murmuration_error_name(status)) != "unknown", "status \(status) is not listed")
    if status == 0 { springs.append(set) }
  }

  /// A column of numbers with its stride, which is wrong now and then. A wrong one is refused before any number is read.
  private mutating func column(_ count: Int32) -> (memory: [Float], stride: Int32) {
    let stride: Int32 = pick([0, 1, 1, 1, 2, -1])
    let one = value()
    return ((0..<(stride == 1 ? max(Int(count), 1) : 1)).map { $0 < 4 ? value() : one }, stride)
  }

  /// Springs and curves over columns: elements that are numbers stay numbers, and after an error nothing is written.
  mutating func computeColumns() -> Int32 {
    let set = pick(springs)
    let count: Int32 = pick([0, 1, 3, 7, 20, 33, -1])
    let (first, second, third) = (column(count), column(count), column(count))
    let age = number([0.1, 0, 2])
    let isBare = byte() > 128
    var (values, velocities) = (
      first.memory + Array(repeating: 1, count: 33), second.memory + Array(repeating: 1, count: 33)
    )
    (values, velocities) = (Array(values.prefix(max(Int(count), 1))), Array(velocities.prefix(max(Int(count), 1))))
    let before = (values + velocities).map(\.bitPattern)
    let areFinite = (first.memory + second.memory + third.memory + values + velocities).allSatisfy { abs($0) < 1e9 }
    let status: Int32
    switch byte() % 5 {
    case 0: return murmuration_springs_free(set)
    case 1, 2:
      let ages = byte() > 128 ? (0..<max(count, 1)).map { $0 < 3 ? abs(value()) : 1 } : nil
      status = withOptional(isBare ? nil : second.memory, ages) { speeds, ages in
        murmuration_springs_values(
          set, first.memory, first.stride, speeds, second.stride, third.memory, third.stride, ages, age, count, &values,
          &velocities)
      }
    case 3:
      status = murmuration_springs_step(set, &values, &velocities, third.memory, third.stride, age, count)
    default:
      var curve = curve()
      status = withOptional(isBare ? nil : second.memory, isBare ? nil : third.memory) { from, to in
        murmuration_ease(
          &curve, number([0, 0x1p-20, 1e-3]), first.memory, first.stride, from, second.stride, to, third.stride, count,
          &values)
      }
    }
    precondition(status == 0 || (values + velocities).map(\.bitPattern) == before, "status \(status), and written")
    precondition(status != 0 || !areFinite || (values + velocities).allSatisfy(\.isFinite), "a number is not finite")
    return status
  }
}
