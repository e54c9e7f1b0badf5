// SPDX-License-Identifier: MIT
// Embedded builds have no tasks, and read ``MovingTracks/outcomes`` themselves.

#if !hasFeature(Embedded)
  import Synchronization

  /// What is to happen when changes end: closures, and tasks that wait.
  ///
  /// ```swift
  /// let completions = Completions()
  /// let change = try batch.animate(dots, to: [0, 50], .bouncy, completion: .logicallyComplete)
  /// var arrived = 0
  /// completions.when(change) { arrived += $0.completed }
  /// let end = completions.outcome(of: change)
  /// let task = Task { try await end.value.isComplete }
  /// try batch.advance(to: 1)
  /// completions.deliver(batch.outcomes)
  /// ```
  ///
  /// Every change ends once, so a closure is called once and then forgotten. When the last reference goes, tasks that still
  /// wait get a ``CompletionError``; so keep the completions where the batch is kept, one object for each batch. Other tasks
  /// get a ``PendingOutcome``.
  public final class Completions {
    private enum Waiter {
      case closure((ChangeOutcome) -> Void)
      case task(PendingOutcome)
    }

    private var waiters: [ChangeID: [Waiter]] = [:]

    /// Nothing waits.
    public init() {}

    deinit { for case .task(let pending) in waiters.values.joined() { pending.fail() } }

    /// The number of changes whose end is waited for.
    public var count: Int { waiters.count }

    /// Calls a closure when a change ends.
    ///
    /// - Parameters:
    ///   - change: A change that asked for its completion, and that was not delivered yet.
    ///   - body: Gets how the change ended.
    public func when(_ change: ChangeID, _ body: @escaping (ChangeOutcome) -> Void) {
      waiters[change, default: []].append(.closure(body))
    }

    /// The end of a change, for tasks to wait for.
    ///
    /// - Parameter change: A change that asked for its completion, and that was not delivered yet.
    public func outcome(of change: ChangeID) -> PendingOutcome {
      let pending = PendingOutcome()
      waiters[change, default: []].append(.task(pending))
      return pending
    }

    /// Calls the closures of changes that have ended, and lets tasks go on that wait for them. Call it after each advance.
    ///
    /// - Parameter outcomes: The ``MovingTracks/outcomes`` of the batch. Changes that nothing waits for are passed over.
    public func deliver(_ outcomes: [ChangeOutcome]) {
      for outcome in outcomes {
        for waiter in waiters.removeValue(forKey: outcome.change) ?? [] {
          switch waiter {
          case .closure(let body): body(outcome)
          case .task(let pending): pending.succeed(outcome)
          }
        }
      }
    }
  }

  /// The end of a change that ``Completions`` wait for.
  public final class PendingOutcome: Sendable {
    private struct State {
      var result: Result<ChangeOutcome, CompletionError>?
      var tasks: [UInt64: CheckedContinuation<ChangeOutcome, any Error>] = [:]
      var count: UInt64 = 0
    }

    private let state = Mutex(State())

    init() {}

    /// How the change ended, once it has.
    ///
    /// - Throws: ``CompletionError`` if the completions go before, and `CancellationError` if the task is cancelled.
    public var value: ChangeOutcome {
      get async throws {
        let number = state.withLock { state in
          state.count += 1
          return state.count
        }
        return try await withTaskCancellationHandler {
          try await withCheckedThrowingContinuation { task in
            let result: Result<ChangeOutcome, any Error>? = state.withLock { state in
              if let result = state.result { return result.mapError { $0 } }
              guard !Task.isCancelled else { return .failure(CancellationError()) }
              state.tasks[number] = task
              return nil
            }
            if let result { task.resume(with: result) }
          }
        } onCancel: {
          state.withLock { $0.tasks.removeValue(forKey: number) }?.resume(throwing: CancellationError())
        }
      }
    }

    func succeed(_ outcome: ChangeOutcome) { end(.success(outcome)) }
    func fail() { end(.failure(CompletionError.ended)) }

    private func end(_ result: Result<ChangeOutcome, CompletionError>) {
      let tasks = state.withLock { state in
        defer { state.tasks = [:] }
        state.result = result
        return state.tasks.values.map { $0 }
      }
      for task in tasks { task.resume(with: result.mapError { $0 as any Error }) }
    }
  }

  /// Why a change is waited for no longer.
  public enum CompletionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The ``Completions`` went before the change had ended, and the batch with them.
    case ended

    public var description: String { "the completions, which waited for the end of a change, are gone" }
  }
#endif
