// SPDX-License-Identifier: MIT
import CSurface
import Testing

let ok = Int32(MURMURATION_OK)
let all = MURMURATION_ALL

/// The last words of this thread.
func words() -> String { String(cString: murmuration_error_message()) }

/// The name of a code.
func name(_ status: Int32) -> String { String(cString: murmuration_error_name(status)) }

/// A batch of the surface, which frees itself.
final class CBatch {
  let id: murmuration_batch

  init(dimensions: Int32 = 2) throws {
    var id: murmuration_batch = 0
    try #require(murmuration_batch_create(dimensions, 0, 0, &id) == MURMURATION_OK)
    self.id = id
  }

  deinit { _ = murmuration_batch_free(id) }

  /// Adds tracks at interleaved values.
  func add(_ values: [Float], dimensions: Int32 = 2) throws -> [murmuration_track] {
    let count = Int32(values.count) / dimensions
    var tracks = [murmuration_track](repeating: murmuration_track(), count: Int(count))
    try #require(murmuration_add(id, values, dimensions, 1, &tracks, count) == ok)
    return tracks
  }

  var info: murmuration_batch_info {
    var info = murmuration_batch_info()
    #expect(murmuration_batch_describe(id, &info) == ok)
    return info
  }

  /// All numbers of a kind, interleaved by index.
  func read(_ what: Int) -> [Float] {
    let info = info
    var numbers = [Float](repeating: .nan, count: Int(info.index_count * info.dimensions))
    #expect(murmuration_read(id, Int32(what), nil, 0, all, &numbers, info.dimensions, 1) == ok)
    return numbers
  }

  var events: [murmuration_event] {
    var events: UnsafePointer<murmuration_event>?
    var count: Int32 = -1
    #expect(murmuration_events(id, &events, &count) == ok)
    return Array(UnsafeBufferPointer(start: events, count: Int(count)))
  }

  var outcomes: [murmuration_outcome] {
    var outcomes: UnsafePointer<murmuration_outcome>?
    var count: Int32 = -1
    #expect(murmuration_outcomes(id, &outcomes, &count) == ok)
    return Array(UnsafeBufferPointer(start: outcomes, count: Int(count)))
  }

  var trackOutcomes: [murmuration_track_outcome] {
    var outcomes: UnsafePointer<murmuration_track_outcome>?
    var count: Int32 = -1
    #expect(murmuration_track_outcomes(id, &outcomes, &count) == ok)
    return Array(UnsafeBufferPointer(start: outcomes, count: Int(count)))
  }
}

func spring(_ duration: Double, _ bounce: Double) -> murmuration_animation {
  murmuration_spring_animation(murmuration_spring_of_duration(duration, bounce))
}

/// Whether two handles are the same.
func areSame(_ a: murmuration_track, _ b: murmuration_track) -> Bool {
  a.index == b.index && a.generation == b.generation && a.store == b.store
}

/// A keyframe of a kind.
func keyframe(
  _ kind: Int, to target: Double, duration: Double = 0, flags: Int = 0,
  curve: murmuration_curve = murmuration_curve(), spring: murmuration_spring = murmuration_spring(),
  velocities: (Double, Double) = (0, 0)
) -> murmuration_keyframe {
  murmuration_keyframe(
    kind: Int32(kind), flags: Int32(flags), to: target, duration: duration, curve: curve, spring: spring,
    start_velocity: velocities.0, end_velocity: velocities.1)
}

/// Makes calls from four threads at once, of which each is answered or refused as one too many, and not all refused.
func fourThreads(calls: Int, _ call: @escaping @Sendable (_ task: Int, _ step: Int) -> Int32) async {
  let statuses = await withTaskGroup(of: [Int32].self) { group in
    for task in 0..<4 {
      group.addTask {
        (0..<calls).map { step in
          let status = call(task, step)
          if status != ok { #expect(status == MURMURATION_BUSY && words().contains("under way")) }
          return status
        }
      }
    }
    return await group.reduce(into: []) { $0 += $1 }
  }
  #expect(statuses.count == 4 * calls && statuses.contains(ok))
}
