// SPDX-License-Identifier: MIT

/// Which tracks of a batch are in motion, by their indices: from the calls that were made and from what the batch reported.
struct Wakefulness {
  private var isAwake: [Bool]
  /// How many are.
  private(set) var count = 0

  /// All of `count` tracks are in motion, as they are until a batch says otherwise.
  init(count: Int, capacity: Int) {
    isAwake = Array(repeating: false, count: capacity)
    wake(0..<count)
  }

  /// Notes that tracks set out.
  mutating func wake(_ indices: some Sequence<Int>) {
    for index in indices where !isAwake[index] {
      isAwake[index] = true
      count += 1
    }
  }

  /// Notes that a track came to rest.
  mutating func rest(_ index: Int) {
    if isAwake[index] {
      isAwake[index] = false
      count -= 1
    }
  }
}
