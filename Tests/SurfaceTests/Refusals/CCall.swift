// SPDX-License-Identifier: MIT
import CSurface
import TestSupport
import Testing

/// The arguments of one call of the surface: good ones, but for one. They stay in memory until the object goes.
final class CCall {
  let stage: CStage
  private let refusal: Refusal?
  /// Whether the bad argument was given.
  private(set) var isBad = false
  private var memory: [(bytes: UnsafeMutableRawBufferPointer, copy: [UInt8])] = []

  init(_ stage: CStage, _ refusal: Refusal?) { (self.stage, self.refusal) = (stage, refusal) }

  deinit { for (bytes, _) in memory { bytes.deallocate() } }

  /// Whether the call has written to no memory.
  var memoryIsUnchanged: Bool { memory.allSatisfy { $0.bytes.elementsEqual($0.copy) } }

  /// The words for the value of an argument, if it is the bad one.
  private func bad(_ argument: String) -> String? {
    guard let refusal, refusal.argument == argument else { return nil }
    isBad = true
    return refusal.value
  }

  /// The address of some elements; null for the words "null".
  private func lent<Element>(_ argument: String, _ elements: [Element]) -> UnsafeMutablePointer<Element>? {
    if refusal?.value == "null", bad(argument) != nil { return nil }
    let lent = UnsafeMutablePointer<Element>.allocate(capacity: max(1, elements.count))
    lent.initialize(from: elements, count: elements.count)
    let bytes = UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(start: lent, count: elements.count))
    memory.append((bytes, Array(bytes)))
    return lent
  }

  /// The address of an element for each track, of which the first may be bad.
  private func list<Element>(
    _ argument: String, _ good: Element, count: Int = 9, _ make: (String) -> Element
  ) -> UnsafeMutablePointer<Element>? {
    var list = [Element](repeating: good, count: count)
    if let words = bad(argument), !["null", "few", "fewerThanNone"].contains(words) { list[0] = make(words) }
    return lent(argument, list)
  }

  /// The number of elements that the call says a list has.
  private func length(_ argument: String) -> Int32 {
    ["few": 8, "fewerThanNone": -2][refusal?.argument == argument ? refusal?.value : ""] ?? CStage.count
  }

  private func number(_ argument: String, _ good: Double) -> Double { bad(argument).flatMap { Double($0) } ?? good }
  private func code(_ argument: String, _ good: Int32) -> Int32 { bad(argument) == nil ? good : 99 }
  private func whole(_ argument: String, _ good: Int32) -> Int32 { bad(argument).flatMap { Int32($0) } ?? good }
  private func numbers(_ argument: String, _ good: Double = 1) -> UnsafePointer<Double>? {
    UnsafePointer(list(argument, good) { Double($0) ?? 0 })
  }
  private func floats(_ argument: String) -> UnsafePointer<Float>? {
    UnsafePointer(list(argument, 1, count: 18) { Float($0) ?? 0 })
  }
  private func strides(_ argument: String = "strides") -> (Int32, Int32) {
    let numbers = bad(argument)?.split(separator: " ").compactMap { Int32($0) }
    return numbers.map { ($0[0], $0[1]) } ?? (2, 1)
  }

  /// The handles that are tracks or leaders; null for a range.
  private func handles(_ argument: String) -> UnsafePointer<murmuration_track>? {
    guard let value = refusal?.value, refusal?.argument == argument else {
      return UnsafePointer(lent(argument, stage.tracks))
    }
    if ["beyond", "before"].contains(value) { return nil }
    _ = bad(argument)
    return UnsafePointer(lent(argument, Array(stage.tracks[..<8]) + [stage.strangers[value] ?? stage.tracks[8]]))
  }
  /// The first track of the call, and their number.
  private var first: Int32 {
    guard let value = refusal?.value, refusal?.argument == "tracks", ["beyond", "before"].contains(value) else {
      return 0
    }
    return bad("tracks") == "beyond" ? 2 : -1
  }

  private func spring(_ words: [Substring]) -> murmuration_spring {
    let numbers = words.dropFirst().compactMap { Double($0) }
    return switch words[0] {
    case "response": murmuration_spring_of_response(numbers[0], numbers[1])
    case "stiffness": murmuration_spring_of_stiffness(numbers[0], numbers[1], numbers[2])
    case "overdamped":
      murmuration_spring(
        form: Int32(MURMURATION_MASS_STIFFNESS_ANY_DAMPING), reserved: 0,
        parameters: (numbers[0], numbers[1], numbers[2]))
    default: murmuration_spring_of_duration(numbers[0], numbers[1])
    }
  }
  private func animation(_ words: String) -> murmuration_animation {
    let words = words.split(separator: " ")
    let numbers = words.map { Double($0) ?? 0 }
    let code = Int32(words[1]) ?? 0
    let linear = murmuration_named_curve(Int32(MURMURATION_LINEAR))
    var made = SurfaceTests.spring(0.5, 0)
    switch words[0] {
    case "kind": made.kind = code
    case "form": made.spring.form = code
    case "curveKind": (made.kind, made.curve.kind) = (Int32(MURMURATION_CURVE), code)
    case "modifierCount": made.modifier_count = code
    case "springReserved": made.spring.reserved = code
    case "curveReserved": (made.kind, made.curve.reserved) = (Int32(MURMURATION_CURVE), code)
    case "jumpModified": (made.kind, made.modifier_count) = (Int32(MURMURATION_JUMP), code)
    case "modifierReserved":
      made = murmuration_modified(made, Int32(MURMURATION_DELAY), 1)
      made.modifiers.0.reserved = code
    case "linear": made = murmuration_curve_animation(linear, numbers[1])
    case "bezier": made = murmuration_curve_animation(murmuration_bezier(numbers[1], numbers[2], 1, 1), 1)
    case "interpolating":
      made = murmuration_interpolating_spring(murmuration_spring_of_duration(numbers[1], 0), numbers[2])
    default: made = murmuration_spring_animation(spring(words))
    }
    let kinds = [
      "delay": MURMURATION_DELAY, "speed": MURMURATION_SPEED, "repeat": MURMURATION_REPEAT,
      "logicallyComplete": MURMURATION_LOGICALLY_COMPLETE,
    ]
    for (place, word) in words.enumerated() {
      if let kind = kinds[String(word)] { made = murmuration_modified(made, Int32(kind), numbers[place + 1]) }
    }
    return made
  }
  private func playback(_ words: String) -> murmuration_playback {
    var playback = murmuration_playback()
    _ = murmuration_playback_default(&playback)
    let words = words.split(separator: " ")
    let number = words.count > 1 ? Double(words[1]) ?? 0 : 0
    switch words[0] {
    case "start": (playback.start, playback.flags) = (number, Int32(MURMURATION_STARTS_AT))
    case "delay": playback.delay = number
    case "speed": playback.speed = number
    case "iterations": playback.iterations = number
    case "offset": playback.time_offset = number
    case "flags": playback.flags = Int32(number)
    case "reserved": playback.reserved = Int32(number)
    default: break
    }
    return playback
  }
  private func keyframe(_ words: String) -> murmuration_keyframe {
    let words = words.split(separator: " ")
    let (to, code) = (Double(words[1]) ?? 0, Int32(words[1]) ?? 0)
    let duration = words.count > 2 ? Double(words[2]) ?? 0 : 1
    var made = SurfaceTests.keyframe(MURMURATION_LINEAR_KEYFRAME, to: 1, duration: 1)
    made.spring = murmuration_spring_of_duration(0.5, 0)
    let kinds = [
      "move": MURMURATION_MOVE, "linear": MURMURATION_LINEAR_KEYFRAME, "cubic": MURMURATION_CUBIC_KEYFRAME,
      "spring": MURMURATION_SPRING_KEYFRAME,
    ]
    if let kind = kinds[String(words[0])] { (made.kind, made.to, made.duration) = (Int32(kind), to, duration) }
    switch words[0] {
    case "spring": made.flags = Int32(MURMURATION_HAS_DURATION)
    case "kind": made.kind = code
    case "flags": made.flags = code
    case "curveReserved": made.curve.reserved = code
    case "springReserved": (made.kind, made.spring.reserved) = (Int32(MURMURATION_SPRING_KEYFRAME), code)
    case "springBounce":
      (made.kind, made.spring) = (Int32(MURMURATION_SPRING_KEYFRAME), murmuration_spring_of_duration(0.5, to))
    default: break
    }
    return made
  }

  /// Points at which slides may end, or a grid if one of its numbers is bad, and their number.
  private var snap: (points: UnsafePointer<Float>?, count: Int32) {
    if let argument = refusal?.argument, ["spacing", "origin"].contains(argument), let number = bad(argument) {
      let number = Float(number) ?? 0
      let grid: [Float] = argument == "spacing" ? [1, number, 0, 0] : [1, 1, 0, number]
      return (UnsafePointer(lent("grid", grid)), Int32(MURMURATION_GRID))
    }
    let words = bad("snapPoints")
    let points: [Float] = [0, 0, 9, words.flatMap { Float($0) } ?? 9]
    return (UnsafePointer(lent("snapPoints", points)), words == "none" ? 0 : whole("snapCount", 2))
  }

  /// Calls about springs and curves over columns, which no batch has to do with.
  private func aboutColumns(_ call: String) -> Int32 {
    let (set, count, stride) = (bad("set") == nil ? stage.springs : 0, whole("count", 9), whole("stride", 1))
    let ends = call == "stepSprings" || call == "ease" ? floats("ends") : floats("targets")
    switch call {
    case "makeSprings":
      let good = murmuration_spring_of_duration(0.5, 0)
      let list = list("list", good) { spring($0.split(separator: " ")) }
      let made = lent("output", [murmuration_springs(0)])
      let status = murmuration_springs_create(list, count, made)
      if let made, status == ok { #expect(murmuration_springs_free(made.pointee) == ok) }
      return status
    case "evaluateSprings":
      let ages = refusal?.argument == "seconds" ? nil : list("ages", 1) { Float($0) ?? 0 }
      let velocities = lent("velocities", [Float](repeating: 0, count: 18))
      return murmuration_springs_values(
        set, floats("starts"), stride, nil, 0, ends, 1, ages, number("seconds", 1), count,
        lent("output", [Float](repeating: 0, count: 18)), velocities)
    case "stepSprings":
      return murmuration_springs_step(
        set, list("starts", 1, count: 18) { Float($0) ?? 0 }, list("pushes", 1, count: 18) { Float($0) ?? 0 }, ends,
        stride,
        number("seconds", 1), count)
    default:
      let curve = lent("curve", [murmuration_named_curve(refusal?.value == "unknown" ? code("curve", 3) : 3)])
      return murmuration_ease(
        curve, number("tolerance", 0), floats("starts"), stride, floats("froms"), 1, ends, 1, count,
        lent("output", [Float](repeating: 0, count: 18)))
    }
  }

  private func loadClip(_ id: murmuration_batch) -> Int32 {
    let dimensions: Int32 = ["few": 1, "many": 3][bad("components")] ?? 2
    let good = keyframe("move 1")
    return murmuration_load_clip(
      id, UnsafePointer(lent("values", [0, 0, 0])),
      UnsafePointer(list("keyframe", good, count: 3) { keyframe($0) }),
      UnsafePointer(lent("components", [Int32](repeating: 1, count: 3))), dimensions, number("tolerance", 0),
      lent("clip", [murmuration_clip()]), nil)
  }
  private func loadPhases(_ id: murmuration_batch) -> Int32 {
    let words = bad("targets")
    let animation = bad("animations").map { self.animation($0) } ?? SurfaceTests.spring(0.5, 0)
    return murmuration_load_phases(
      id, UnsafePointer(list("targets", 1, count: 6) { Float($0) ?? 0 }),
      UnsafePointer(lent("animation", [animation, animation])), words == "many" ? 3 : 2, words == "none" ? 0 : 2,
      lent("phases", [murmuration_phases()]))
  }
  private func bake(_ id: murmuration_batch) -> Int32 {
    let (indices, components) = (bad("tracks") != nil, ["beyond": 1, "before": -1][bad("components")] ?? 0 as Int32)
    let request = murmuration_bake_request(
      start: number("bakeStart", 0.25), frames_per_second: number("frameRate", 60), first_frame: 0, frame_count: 2,
      first_index: indices ? 3 : 0, index_count: indices ? 8 : 9, first_component: components, component_count: 2,
      order: code("order", 0), reserved: 0)
    var (times, timeCount): (UnsafeMutablePointer<Double>?, Int32) = (nil, whole("timeCount", 0))
    if let words = bad("times") { (times, timeCount) = (lent("times", [0.25, Double(words) ?? 0]), 2) }
    if timeCount > 2 { times = lent("times", [0.25]) }
    let count: Int64 = ["few": 35, "fewerThanNone": -1][refusal?.argument == "output" ? refusal?.value : ""] ?? 36
    _ = bad("output")
    return murmuration_bake(
      id, UnsafePointer(lent("request", [request])), UnsafePointer(times), timeCount,
      lent("output", [Float](repeating: 0, count: 36)), nil, count)
  }

  /// Makes a call.
  ///
  /// - Returns: The status; nil if no call has the name.
  func make(_ call: String) -> Int32? {
    let id = stage.batch.id
    let settled = bad("completion") == nil ? Int32(MURMURATION_UNTIL_SETTLED) : 3
    var (tracks, first, count) = (UnsafePointer<murmuration_track>?.none, first, CStage.count)
    if call != "bake" { tracks = handles("tracks") }
    if refusal?.value == "fewerThanNone", call != "bake", bad("tracks") != nil { count = -2 }
    let (stride, component) = strides()
    let (otherStride, otherComponent) = strides("otherStrides")
    var clip: UnsafePointer<murmuration_clip>? {
      UnsafePointer(lent("clip", [stage.clips[bad("clip") ?? "good"] ?? murmuration_clip()]))
    }
    var phases: UnsafePointer<murmuration_phases>? {
      UnsafePointer(lent("phases", [stage.phases[bad("phases") ?? "good"] ?? murmuration_phases()]))
    }
    var springs: UnsafePointer<murmuration_spring>? {
      UnsafePointer(list("springs", murmuration_spring_of_duration(0.5, 0)) { spring($0.split(separator: " ")) })
    }
    var delays: UnsafePointer<Double>? { numbers("delays", 0) }
    var output: UnsafeMutablePointer<Float>? { lent("output", [Float](repeating: 0, count: 20)) }
    var number: UnsafeMutablePointer<Int32>? { lent("outputCount", [0]) }
    switch call {
    case "make":
      var made: murmuration_batch = 0
      let status = murmuration_batch_create(
        whole("dimensions", 2), whole("capacity", 10), self.number("curveTolerance", 0), &made)
      if status == ok { #expect(murmuration_batch_free(made) == ok) }
      return status
    case "add":
      // Values for more tracks than there may be are one value for all.
      let values = floats("values")
      return murmuration_add(id, values, bad("count") == nil ? stride : 0, component, nil, whole("count", 9))
    case "remove": return murmuration_remove(id, tracks, first, count)
    case "trackAt": return murmuration_track_at(id, whole("index", 0), lent("output", [murmuration_track()]))
    case "live":
      let live = lent("output", [murmuration_track](repeating: murmuration_track(), count: 20))
      return murmuration_live(id, tracks, first, count, live, number)
    case "state":
      let stranger = stage.strangers[bad("track") ?? ""] ?? stage.tracks[0]
      return murmuration_track_describe(
        id, UnsafePointer(lent("track", [stranger])), lent("output", [murmuration_track_info()]))
    case "animate":
      let animation = bad("animation").map { self.animation($0) } ?? SurfaceTests.spring(0.5, 0)
      return murmuration_animate(
        id, tracks, first, count, floats("goals"), stride, component, UnsafePointer(lent("animation", [animation])),
        delays, settled, nil)
    case "animateEach":
      let each = list("animations", SurfaceTests.spring(0.5, 0)) { animation($0) }
      return murmuration_animate_each(
        id, tracks, first, count, floats("goals"), stride, component, UnsafePointer(each), delays, settled, nil)
    case "retarget":
      return murmuration_retarget(
        id, tracks, first, count, floats("goals"), stride, component, delays, settled, nil)
    case "follow": return murmuration_follow(id, tracks, first, count, springs, length("springs"), nil)
    case "followTracks":
      return murmuration_follow_tracks(
        id, tracks, first, count, handles("leaders"), length("leaders"), floats("offsets"), stride, component, springs,
        9, nil)
    case "setGoals": return murmuration_set_goals(id, tracks, first, count, floats("goals"), stride, component)
    case "goals":
      return murmuration_goals(id, whole("component", 0), lent("goals", [UnsafeMutablePointer<Float>?.none]), number)
    case "cancelDelays": return murmuration_cancel_delays(id, tracks, first, count)
    case "set", "displace":
      let put = call == "set" ? murmuration_set : murmuration_displace
      return put(
        id, tracks, first, count, floats("values"), stride, component, floats("velocities"), otherStride,
        otherComponent, nil)
    case "push": return murmuration_push(id, tracks, first, count, floats("velocities"), stride, component, nil)
    case "decelerate":
      let (points, snapCount) = snap
      let isFar = bad("slide") != nil
      let velocities = isFar ? UnsafePointer(lent("slide", [Float](repeating: 1e15, count: 18))) : floats("velocities")
      let bounds: [String: [Float]] = ["nan": [-1e9, .nan, 1e9, 1e9], "crossed": [-1e9, 9, 1e9, 8]]
      return murmuration_decelerate(
        id, tracks, first, count, velocities, stride, component, isFar ? 0.9999 : self.number("rate", 0.99),
        UnsafePointer(lent("bounds", bad("bounds").flatMap { bounds[$0] } ?? [-1e9, -1e9, 1e9, 1e9])), points,
        snapCount,
        UnsafePointer(lent("spring", [bad("spring").map { spring($0.split(separator: " ")) } ?? .init()])), settled, nil
      )
    case "pause": return murmuration_pause(id, tracks, first, count)
    case "resume": return murmuration_resume(id, tracks, first, count)
    case "stop": return murmuration_stop(id, tracks, first, count)
    case "loadClip": return loadClip(id)
    case "unloadClip": return murmuration_unload_clip(id, clip)
    case "play":
      let playbacks = list("playbacks", playback("good")) { playback($0) }
      return murmuration_play_clip(
        id, clip, tracks, first, count, UnsafePointer(playbacks), whole("playbackCount", length("playbacks")),
        code("start", 0), settled, nil)
    case "setSpeed": return murmuration_set_speed(id, tracks, first, count, numbers("speeds"), length("speeds"))
    case "seek": return murmuration_seek(id, tracks, first, count, numbers("times"), length("times"))
    case "vary":
      return murmuration_vary(
        id, tracks, first, count, floats("scales"), stride, component, floats("offsets"), otherStride, otherComponent)
    case "loadPhases": return loadPhases(id)
    case "unloadPhases": return murmuration_unload_phases(id, phases)
    case "playPhases":
      return murmuration_play_phases(
        id, phases, tracks, first, count, code("mode", 0), numbers("starts"), floats("scales"), stride, component,
        floats("offsets"), otherStride, otherComponent, nil)
    case "trigger": return murmuration_trigger(id, tracks, first, count, settled, nil)
    case "advance": return murmuration_advance(id, self.number("seconds", 1), code("flags", 1))
    case "advanceBy": return murmuration_advance_by(id, self.number("seconds", 1), code("flags", 1))
    case "read": return murmuration_read(id, code("what", 0), tracks, first, count, output, stride, component)
    case "copyVertices":
      let layout = murmuration_vertex_layout(
        components: UnsafePointer(lent("components", [whole("order", 1), 0])),
        component_count: whole("componentCount", 2),
        format: code("format", 1), offset: whole("offset", 1), stride: whole("stride", 5),
        color_source: code("colorSource", bad("colorDestination") == nil ? 0 : 1),
        color_destination: code("colorDestination", 0))
      let bytes: Int64 = ["few": 44, "fewerThanNone": -2][bad("output")] ?? 45
      return murmuration_copy_vertices(
        id, code("what", 0), tracks, first, count, UnsafePointer(lent("layout", [layout])),
        lent("output", [UInt8](repeating: 0, count: 45)), bytes)
    case "column":
      let column = lent("output", [UnsafePointer<Float>?.none])
      return murmuration_column(id, code("what", 0), whole("component", 0), column, number)
    case "bake": return bake(id)
    case "reserve": return murmuration_reserve(id, whole("count", 5))
    case "setRestTolerance":
      return murmuration_set_rest_tolerance(
        id, Float(self.number("rest", 0.01)), Float(self.number("restVelocity", 0.1)))
    case "compact": return murmuration_compact(id)
    case "removeSettled": return murmuration_remove_settled(id, nil)
    case "removeAll": return murmuration_remove_all(id)
    case "setThreadCount": return murmuration_set_thread_count(id, 2)
    case "describe": return murmuration_batch_describe(id, lent("output", [murmuration_batch_info()]))
    case "events": return murmuration_events(id, lent("output", [UnsafePointer<murmuration_event>?.none]), number)
    case "outcomes":
      return murmuration_outcomes(id, lent("output", [UnsafePointer<murmuration_outcome>?.none]), number)
    case "trackOutcomes":
      return murmuration_track_outcomes(id, lent("output", [UnsafePointer<murmuration_track_outcome>?.none]), number)
    case "setReports": return murmuration_set_reports(id, code("reports", 0))
    case "copy":
      let copy = lent("output", [murmuration_batch(0)])
      let status = murmuration_batch_copy(id, copy)
      if let copy, status == ok { #expect(murmuration_batch_free(copy.pointee) == ok) }
      return status
    case "snapshot":
      let snapshot = lent("output", [murmuration_snapshot(0)])
      let status = murmuration_snapshot_create(id, snapshot)
      if let snapshot, status == ok { #expect(murmuration_snapshot_free(snapshot.pointee) == ok) }
      return status
    case "updateSnapshot": return murmuration_snapshot_update(stage.snapshots[bad("snapshot") ?? "good"] ?? 0, id)
    case "restore": return murmuration_restore(id, stage.snapshots[bad("snapshot") ?? "good"] ?? 0)
    case "makeSprings", "evaluateSprings", "stepSprings", "ease": return aboutColumns(call)
    default: return nil
    }
  }
}
