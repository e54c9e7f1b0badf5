// SPDX-License-Identifier: MIT
import Murmuration
import Testing

/// Closures and tasks that wait for the ends of changes.
struct CompletionsTests {
  @Test func closuresRunOnce() throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([0, 0])
    let completions = Completions()
    var log: [String] = []
    let first = try batch.animate(tracks, to: 1, .easeOut(duration: 0.1), completion: .settled)
    completions.when(first) { log.append("first \($0.completed)") }
    completions.when(first) { _ in log.append("again") }
    let second = try batch.animate(tracks[0], to: 2, .easeOut(duration: 0.1), delay: 0.5, completion: .settled)
    completions.when(second) { log.append("second \($0.isComplete)") }
    for frame in 1...60 {
      try batch.advance(to: Double(frame) / 60)
      completions.deliver(batch.outcomes)
    }
    #expect(log == ["first 2", "again", "second true"])
    #expect(completions.count == 0)
  }

  @Test func tasksWaitAndGoOn() async throws {
    let completions = Completions()
    var batch = try AnimationBatch<Float>()
    let track = try batch.add(0)
    let change = try batch.animate(track, to: 1, .easeOut(duration: 0.1), completion: .settled)
    let pending = completions.outcome(of: change)
    let task = Task { try await pending.value.completed }
    let cancelled = Task { try await pending.value.completed }
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    try batch.advance(to: 1)
    completions.deliver(batch.outcomes)
    #expect(try await task.value == 1)
    // Who asks later gets it too.
    #expect(try await pending.value.isComplete)
  }

  @Test func tasksThatWaitForNothingMoreAreTold() async throws {
    var completions: Completions? = Completions()
    let pending = try #require(completions).outcome(of: 7)
    let task = Task { try await pending.value }
    await Task.yield()
    completions = nil
    await #expect(throws: CompletionError.ended) { try await task.value }
    #expect("\(CompletionError.ended)".contains("gone"))
  }
}
