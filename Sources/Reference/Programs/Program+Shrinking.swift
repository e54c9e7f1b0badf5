// SPDX-License-Identifier: MIT

extension Program {
  /// A shorter and simpler program that still fails.
  ///
  /// Operations are left out, in halves first, then fewer, then one by one and in pairs; the remaining ones are
  /// simplified. All of this is repeated until it makes no progress.
  ///
  /// - Parameters:
  ///   - attempts: The most programs to try.
  ///   - failing: The part of a program that was played until the failure showed, or nil if it did not.
  func shrunk(attempts: Int = 20_000, failing: (Program) -> Program?) -> Program {
    var search = ShrinkingSearch(program: self, attemptsLeft: attempts)
    repeat {
      search.hasProgress = false
      search.leaveOut(failing)
      search.leaveOutPairs(failing)
      search.simplify(failing)
    } while search.hasProgress && search.attemptsLeft > 0
    return search.program
  }
}

private struct ShrinkingSearch {
  var program: Program
  var attemptsLeft: Int
  var hasProgress = false

  private mutating func attempt(
    _ operations: [Operation], dimensions: Int? = nil, _ failing: (Program) -> Program?
  ) -> Bool {
    guard attemptsLeft > 0 else {
      return false
    }
    attemptsLeft -= 1
    let candidate = Program(
      dimensions: dimensions ?? program.dimensions, seed: program.seed, operations: operations)
    guard let shorter = failing(candidate) else {
      return false
    }
    program = shorter
    hasProgress = true
    return true
  }

  mutating func leaveOut(_ failing: (Program) -> Program?) {
    var length = max(1, program.operations.count / 2)
    while true {
      // From the end: leaving out operations there does not shift the others.
      var end = program.operations.count
      while end > 0 {
        // A program that fails earlier also loses the operations after its failure.
        end = min(end, program.operations.count)
        let start = max(0, end - length)
        var operations = program.operations
        operations.removeSubrange(start..<end)
        _ = attempt(operations, failing)
        end = start
      }
      guard length > 1 else {
        return
      }
      length /= 2
    }
  }

  /// A call that adds tracks and one that removes them may have to be left out together.
  mutating func leaveOutPairs(_ failing: (Program) -> Program?) {
    var second = program.operations.count - 1
    while second > 0 {
      for first in (max(0, second - 24)..<second).reversed() where second < program.operations.count {
        var operations = program.operations
        operations.remove(at: second)
        operations.remove(at: first)
        _ = attempt(operations, failing)
      }
      second -= 1
    }
  }

  mutating func simplify(_ failing: (Program) -> Program?) {
    if program.dimensions > 1 {
      _ = attempt(program.operations, dimensions: 1, failing)
    }
    for index in program.operations.indices {
      var isSimplest = false
      while !isSimplest && index < program.operations.count {
        isSimplest = true
        for simpler in program.operations[index].simpler {
          var operations = program.operations
          operations[index] = simpler
          if attempt(operations, failing) {
            isSimplest = false
            break
          }
        }
      }
    }
  }
}

extension Operation {
  /// Simpler operations to try in place of this one, the simplest first. No chain of simplifications comes back to an
  /// operation.
  fileprivate var simpler: [Operation] {
    switch self {
    case .add(let count, let numbers): fewer(count).map { .add(count: $0, numbers) }
    case .emit(let count, let numbers, let hasSpringEach):
      fewer(count).map { .emit(count: $0, numbers, hasSpringEach: hasSpringEach) }
    case .call(let kind, let names, let numbers): simpler(names).map { .call(kind, $0, numbers) }
    case .advance(let seconds, let look):
      look.simpler.map { .advance(seconds: seconds, $0) } + round(seconds).map { .advance(seconds: $0, look) }
    case .seek(let share, let look):
      look.simpler.map { .seek(share: share, $0) } + (share == 1 ? [] : [.seek(share: 1, look)])
    default: []
    }
  }

  private func simpler(_ names: TrackNames) -> [TrackNames] {
    switch names {
    case .one(let index): smaller(index).map { .one($0) }
    case .many(let selection): selection.simpler.map { .many($0) }
    case .range(let first, let count):
      fewer(count).map { .range(first: first, count: $0) } + smaller(first).map { .range(first: $0, count: count) }
    case .all: []
    }
  }

  private func fewer(_ count: Int) -> [Int] {
    [1, count / 2, count - 1].filter { $0 > 0 && $0 < count }
  }

  private func smaller(_ place: Int) -> [Int] {
    [0, 1, 2, place / 2, place - 1].filter { $0 >= 0 && $0 < place }
  }

  private func round(_ seconds: Double) -> [Double] {
    [1, 0.25, 0.125].filter { $0 < seconds } + (seconds > 1 ? [seconds.rounded(.down)].filter { $0 < seconds } : [])
  }
}

extension Selection {
  fileprivate var simpler: [Selection] {
    var all: [Selection] = []
    func add(_ change: (inout Selection) -> Void) {
      var copy = self
      change(&copy)
      if copy != self {
        all.append(copy)
      }
    }
    add { $0.shuffle = nil }
    add { $0.repeats = 0 }
    add { $0.repeats = $0.repeats / 2 }
    add { $0.step = 1 }
    add { $0.count = 1 }
    add { $0.count = ($0.count + 1) / 2 }
    add { $0.count = max(1, $0.count - 1) }
    add { $0.first = 0 }
    add { $0.first /= 2 }
    add { $0.first = max(0, $0.first - 1) }
    return all
  }
}

extension Look {
  fileprivate var simpler: [Look] {
    (readsVelocities ? [Look(readsVelocities: false, asksRestTimes: asksRestTimes)] : [])
      + (asksRestTimes ? [Look(readsVelocities: readsVelocities, asksRestTimes: false)] : [])
  }
}
