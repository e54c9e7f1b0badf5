// SPDX-License-Identifier: MIT
import CSurface
import Synchronization
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
}

func spring(_ duration: Double, _ bounce: Double) -> murmuration_animation {
  murmuration_spring_animation(murmuration_spring_of_duration(duration, bounce))
}

/// Whether two handles are the same.
func areSame(_ a: murmuration_track, _ b: murmuration_track) -> Bool {
  a.index == b.index && a.generation == b.generation && a.store == b.store
}

/// The number of calls that several threads made, and of those that were refused.
final class Counts: Sendable {
  let done = Atomic(0)
  private let busy = Atomic(0)

  /// Counts a call, which was answered or refused.
  func note(_ status: Int32) {
    if status == ok {
      done.wrappingAdd(1, ordering: .relaxed)
    } else {
      #expect(status == MURMURATION_BUSY)
      #expect(words().contains("under way"))
      busy.wrappingAdd(1, ordering: .relaxed)
    }
  }

  var all: Int { done.load(ordering: .relaxed) + busy.load(ordering: .relaxed) }
}
