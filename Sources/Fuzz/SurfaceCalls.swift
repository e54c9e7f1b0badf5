// SPDX-License-Identifier: MIT
import CSurface

/// Calls of the C surface, right ones and wrong ones, as the bytes of an input choose them.
///
/// A call that fails must leave its batch as it was, the numbers that a batch shows are finite, and memory of the caller is
/// touched only where a call may touch it: each buffer is exactly as long as the call says, so that the address sanitizer
/// sees a step beyond.
struct SurfaceCalls {
  /// More tracks than these are not added, so that an input stays short.
  static let trackLimit = 600

  private var bytes: ArraySlice<UInt8>
  var batches: [murmuration_batch] = [0]
  var trackers: [murmuration_trackers] = [0]
  var tracks: [murmuration_track] = [murmuration_track()]
  var clips: [murmuration_clip] = [murmuration_clip()]
  var phases: [murmuration_phases] = [murmuration_phases()]
  var particles: [ParticleSet] = [ParticleSet(number: 0, dimensions: 1, property: 0)]
  var mixers: [murmuration_mixer] = [0]
  var snapshots: [murmuration_snapshot] = [0]
  var springs: [murmuration_springs] = [0]

  /// Particles, the components of all properties together, and the first property.
  struct ParticleSet {
    var number: murmuration_particles
    var dimensions: Int
    var property: murmuration_batch
  }

  init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

  /// Whether all bytes are used up.
  var isOver: Bool { bytes.isEmpty }

  /// Makes calls until the bytes are used up, and frees what they made.
  mutating func run() {
    while let code = bytes.popFirst() { call(code) }
    for batch in batches { _ = murmuration_batch_free(batch) }
    for set in trackers { _ = murmuration_trackers_free(set) }
    for set in particles { _ = murmuration_particles_free(set.number) }
    for mixer in mixers { _ = murmuration_mixer_free(mixer) }
    for snapshot in snapshots { _ = murmuration_snapshot_free(snapshot) }
    for springs in springs { _ = murmuration_springs_free(springs) }
  }

  // MARK: - Numbers

  mutating func byte() -> Int { Int(bytes.popFirst() ?? 0) }

  /// One of the elements.
  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[byte() % elements.count] }

  /// Mostly a good number; sometimes one that is wrong nearly everywhere.
  mutating func number(_ good: [Double]) -> Double {
    let place = byte()
    guard place >= 240 else { return good[place % good.count] }
    return [.nan, .infinity, -.infinity, -1, 1e300, -1e16, .leastNonzeroMagnitude, 0][place % 8]
  }

  mutating func value() -> Float {
    let place = byte()
    guard place >= 240 else { return Float(place - 120) / 4 }
    return [.nan, .infinity, 1e15, -1e15, 1e16, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 0][place % 8]
  }

  mutating func code(_ count: Int) -> Int32 {
    let place = byte()
    return place < 240 ? Int32(place % count) : [-1, 99, .max, .min][place % 4]
  }

  mutating func spring() -> murmuration_spring {
    murmuration_spring(
      form: code(5), reserved: 0,
      parameters: (number([0.5, 0.1, 2, 0]), number([0, 0.3, 1, -0.5, 10, 100]), number([0.001, 10, 20])))
  }

  mutating func curve() -> murmuration_curve {
    murmuration_curve(
      kind: code(8), reserved: 0, x1: number([0, 0.4]), y1: number([0, 1, -3]), x2: number([0.6, 1]),
      y2: number([1, 0, 3]))
  }

  mutating func animation() -> murmuration_animation {
    var animation = murmuration_animation()
    animation.kind = code(4)
    animation.spring = spring()
    animation.initial_velocity = number([0, 2])
    animation.curve = curve()
    animation.duration = number([0.3, 0, 1e-5, 10])
    var count: Int32 = 0
    while count < 3, byte() > 170 {
      animation = murmuration_modified(animation, code(5) &+ 1, number([0.1, 0, 2, 3, 0.5]))
      count += 1
    }
    if byte() == 255 { animation.modifier_count = code(20) }
    return animation
  }

  // MARK: - Memory

  /// Numbers for tracks in memory of exactly the right length. The strides are those of vectors, of columns, of one value
  /// for all, or wrong.
  struct Numbers {
    var memory: [Float]
    var trackStride: Int32
    var componentStride: Int32
  }

  mutating func numbers(_ count: Int, _ dimensions: Int, forOutput: Bool = false) -> Numbers {
    let count = max(count, 1)
    let (trackStride, componentStride): (Int, Int) =
      switch byte() % 16 {
      case 0..<6: (dimensions, 1)
      case 6..<10: (1, count)
      case 10..<12 where !forOutput: (0, 1)
      case 12: (dimensions + 3, 1)
      case 13: (0, 0)
      case 14: (-1, 1)
      default: (1, -7)
      }
    let length = (count - 1) * max(trackStride, 0) + (dimensions - 1) * max(componentStride, 0) + 1
    let one = value()
    let memory = (0..<length).map { $0 < 8 ? value() : one }
    return Numbers(memory: memory, trackStride: Int32(trackStride), componentStride: Int32(componentStride))
  }

  /// The tracks that a call is about, the elements that its arrays have, and the call's handles, or nil for a range.
  struct Selection {
    var handles: [murmuration_track]?
    var first: Int32
    var count: Int32
    var elements: Int
  }

  mutating func selection(_ info: murmuration_batch_info) -> Selection {
    switch byte() % 8 {
    case 0..<4:
      let count = byte() % 20
      let handles = (0..<count).map { _ in pick(tracks) }
      return Selection(handles: handles, first: 0, count: Int32(count), elements: count)
    case 4, 5: return Selection(first: 0, count: -1, elements: Int(info.index_count))
    case 6:
      let first = Int32(byte() % 40)
      let count = Int32(byte() % 40)
      return Selection(first: first, count: count, elements: Int(count))
    default:
      // Ranges beyond the indices: refused before any element is read.
      let first: Int32 = pick([-5, 0, .max, .min, 1])
      return Selection(first: first, count: pick([-2, .max, .min]), elements: 0)
    }
  }

  // MARK: - Calls

  private mutating func call(_ code: UInt8) {
    let batch = pick(batches)
    guard let info = describe(batch), code % 38 > 0 else { return create() }
    let dimensions = Int(info.dimensions)
    var change: UInt32 = 0
    // Mostly no completion: 0.
    let completion = byte() > 200 ? self.code(3) : 0
    let status: Int32
    switch code % 38 {
    case 1, 2, 3:
      let count = byte() % 40
      guard Int(info.index_count) + count < SurfaceCalls.trackLimit else { return }
      let values = numbers(count, dimensions)
      var handles = [murmuration_track](repeating: murmuration_track(), count: count)
      status = murmuration_add(
        batch, values.memory, values.trackStride, values.componentStride, &handles, Int32(count))
      if status == 0 { tracks += handles }
    case 4, 5, 6, 7:
      let which = selection(info)
      let goals = numbers(which.elements, dimensions)
      var animation = animation()
      let delays = byte() > 200 ? (0..<which.elements).map { _ in number([0, 0.1, 1]) } : nil
      status = withOptional(which.handles, delays) { handles, delays in
        murmuration_animate(
          batch, handles, which.first, which.count, goals.memory, goals.trackStride, goals.componentStride, &animation,
          delays, completion, &change)
      }
    case 8:
      let which = selection(info)
      let goals = numbers(which.elements, dimensions)
      let animations = (0..<max(1, which.elements)).map { $0 < 4 ? animation() : murmuration_animation() }
      status = withOptional(which.handles, [Double]?.none) { handles, _ in
        murmuration_animate_each(
          batch, handles, which.first, which.count, goals.memory, goals.trackStride, goals.componentStride, animations,
          nil, completion, nil)
      }
    case 9:
      let which = selection(info)
      let goals = numbers(which.elements, dimensions)
      status = withOptional(which.handles, [Double]?.none) { handles, delays in
        murmuration_retarget(
          batch, handles, which.first, which.count, goals.memory, goals.trackStride, goals.componentStride, delays,
          completion,
          &change)
      }
    case 10, 11:
      let which = selection(info)
      let values = numbers(which.elements, dimensions)
      let speeds = byte() > 128 ? numbers(which.elements, dimensions) : nil
      let put = code % 38 == 10 ? murmuration_set : murmuration_displace
      status = withOptional(which.handles, speeds?.memory) { handles, velocities in
        put(
          batch, handles, which.first, which.count, values.memory, values.trackStride, values.componentStride,
          velocities, speeds?.trackStride ?? 0, speeds?.componentStride ?? 0, &change)
      }
    case 12:
      let which = selection(info)
      let speeds = numbers(which.elements, dimensions)
      let rate = number([0.998, 0.99, 0.5])
      let bounds = byte() > 128 ? (0..<2 * dimensions).map { $0 < 8 ? value() : $0 < dimensions ? -9 : 9 } : nil
      let snapCount = byte() > 128 ? pick([1, 3, Int32(MURMURATION_GRID), 0, -2]) : nil
      let points = snapCount.map { count in
        (0..<(count < 0 ? 2 : max(1, Int(count))) * dimensions).map { $0 < 8 ? value() : 2 }
      }
      var spring = spring()
      status = withOptional(bounds, points) { bounds, points in
        withOptional(which.handles, [Double]?.none) { handles, _ in
          murmuration_decelerate(
            batch, handles, which.first, which.count, speeds.memory, speeds.trackStride, speeds.componentStride, rate,
            bounds, points, snapCount ?? 0, &spring, completion, &change)
        }
      }
    case 13, 14, 15, 16:
      let which = selection(info)
      let calls = [murmuration_pause, murmuration_resume, murmuration_stop, murmuration_cancel_delays]
      status = withOptional(which.handles, [Double]?.none) { handles, _ in
        calls[Int(code % 38) - 13](batch, handles, which.first, which.count)
      }
    case 17: status = loadClip(batch, dimensions)
    case 18:
      var clip = pick(clips)
      let which = selection(info)
      let playbacks = (0..<(byte() > 128 ? 1 : max(which.elements, 1))).map { _ in playback() }
      let start = self.code(3)
      status = withOptional(which.handles, [Double]?.none) { handles, _ in
        murmuration_play_clip(
          batch, &clip, handles, which.first, which.count, playbacks, Int32(playbacks.count), start, completion, &change
        )
      }
    case 19:
      let which = selection(info)
      let isSpeed = byte() > 128
      let given = [number([1, -1, 0, 3])]
      status = withOptional(which.handles, given) { handles, given in
        isSpeed
          ? murmuration_set_speed(batch, handles, which.first, which.count, given, 1)
          : murmuration_seek(batch, handles, which.first, which.count, given, 1)
      }
    case 20:
      let which = selection(info)
      let (scales, offsets) = (numbers(which.elements, dimensions), numbers(which.elements, dimensions))
      status = withOptional(which.handles, [Double]?.none) { handles, _ in
        murmuration_vary(
          batch, handles, which.first, which.count, scales.memory, scales.trackStride, scales.componentStride,
          offsets.memory, offsets.trackStride, offsets.componentStride)
      }
    case 21:
      let count = byte() % 5
      let targets = (0..<max(count * dimensions, 1)).map { $0 < 20 ? value() : 1 }
      let animations = (0..<max(count, 1)).map { _ in animation() }
      var sequence = murmuration_phases()
      status = murmuration_load_phases(batch, targets, animations, Int32(dimensions), Int32(count), &sequence)
      if status == 0 { phases.append(sequence) }
    case 22:
      var sequence = pick(phases)
      let which = selection(info)
      let (scales, offsets) = (numbers(which.elements, dimensions), numbers(which.elements, dimensions))
      let mode = self.code(2)
      let starts = byte() > 128 ? (0..<max(which.elements, 1)).map { _ in number([0, info.time, info.time + 1]) } : nil
      status = withOptional(which.handles, starts) { handles, starts in
        murmuration_play_phases(
          batch, &sequence, handles, which.first, which.count, mode, starts, scales.memory, scales.trackStride,
          scales.componentStride, offsets.memory, offsets.trackStride, offsets.componentStride, &change)
      }
    case 23:
      let which = selection(info)
      status = withOptional(which.handles, [Double]?.none) { handles, _ in
        murmuration_trigger(batch, handles, which.first, which.count, completion, &change)
      }
    case 24, 25, 26:
      let velocities = byte() > 128
      let time = number([info.time + 0.016, info.time + 0.3, info.time, info.time - 0.1, 0, info.time + 100])
      // A frame that leaps over many steps of phases takes each of them.
      guard !(abs(time - info.time) > 1_000) || !time.isFinite || abs(time) > 1e10 else { return }
      status = murmuration_advance(batch, time, velocities ? 1 : 0)
      if status == 0 { checkValues(batch, velocities: velocities) }
    case 27:
      let which = selection(info)
      status = withOptional(which.handles, [Double]?.none) { handles, _ in
        murmuration_remove(batch, handles, which.first, which.count)
      }
    case 28: status = bake(batch, info)
    case 29:
      let which = selection(info)
      var output = numbers(which.elements, dimensions, forOutput: true)
      let what = self.code(3)
      status = withOptional(which.handles, [Double]?.none) { handles, _ in
        murmuration_read(
          batch, what, handles, which.first, which.count, &output.memory, output.trackStride, output.componentStride)
      }
      let components: [Int32] = (0..<byte() % 4).map { _ in pick([0, 1, -1, .max]) }
      let componentCount = pick([Int32(components.count), Int32(components.count), -1])
      var bytes = [UInt8](repeating: 7, count: 24 * Swift.max(which.elements, 1))
      let (room, format) = (Int64(pick([0, 1, 4, 24])) * Int64(which.elements), self.code(6))
      let offset: Int32 = pick([0, 3, -1, .max])
      let stride: Int32 = pick([0, 7, 24, 1, -1, .max])
      let (source, destination): (Int32, Int32) = (pick([0, 0, 0, 1, 7, -1]), pick([0, 0, 0, 3, 5, 4]))
      let written = withOptional(which.handles, components) { handles, components in
        var layout = murmuration_vertex_layout(
          components: components, component_count: componentCount, format: format, offset: offset, stride: stride,
          color_source: source, color_destination: destination)
        return murmuration_copy_vertices(batch, what, handles, which.first, which.count, &layout, &bytes, room)
      }
      precondition(written == 0 || bytes.allSatisfy { $0 == 7 }, "status \(written), and something is written")
    case 30: status = others(batch, info)
    case 31: status = trackVelocities()
    case 32: status = moveParticles()
    case 33: status = follow(batch, info)
    case 34: status = snapshot(batch, info)
    case 35: status = computeColumns()
    default: status = mix(batch, info)
    }
    check(status, batch, info)
  }

  /// Lends arrays, or null pointers for those that are missing.
  func withOptional<First, Second>(
    _ first: [First]?, _ second: [Second]?, _ body: (UnsafePointer<First>?, UnsafePointer<Second>?) -> Int32
  ) -> Int32 {
    (first ?? []).withUnsafeBufferPointer { firsts in
      (second ?? []).withUnsafeBufferPointer { seconds in
        body(first == nil ? nil : firsts.baseAddress, second == nil ? nil : seconds.baseAddress)
      }
    }
  }
}
