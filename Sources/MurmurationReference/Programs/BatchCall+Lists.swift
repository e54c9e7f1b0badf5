// SPDX-License-Identifier: MIT
import Murmuration

// What is done to any call (naming other tracks, leaving some out, drawing a fault) is done to its lists, so that it need
// not know the verbs.
extension BatchCall {
  /// The number of tracks that the call adds.
  func addedCount(dimensions: Int) -> Int {
    switch verb {
    case .add, .addMoving: values.count / dimensions
    case .addPlaying: playbacks.count
    default: 0
    }
  }

  /// Whether each list has its elements for a number of tracks, or one for all, or none.
  func fits(_ count: Int, dimensions: Int) -> Bool {
    let lists = [springs.count, animations.count, clips.count, playbacks.count, numbers.count]
    return lists.allSatisfy { [0, 1, count].contains($0) }
      && Self.vectors.allSatisfy { [0, count * dimensions].contains(self[keyPath: $0].count) }
  }

  /// Whether all tracks get the same animation at once.
  var isOneForAll: Bool { animations.count == 1 && numbers.isEmpty }
}

extension Array {
  /// The element at an index; nil if there is none.
  subscript(ifPresent index: Int) -> Element? { indices.contains(index) ? self[index] : nil }

  /// The elements in groups of a size; the last group has the rest.
  func chunks(of size: Int) -> [[Element]] {
    stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
  }

  /// The elements of a number of tracks, of which there are one for all or one for each.
  func spread(over count: Int) -> [Element] { self.count == 1 ? Array(repeating: self[0], count: count) : self }
}
