// SPDX-License-Identifier: MIT

/// The names of a few things, found as people write them.
package struct KnownNames {
  private let names: [String]

  /// The names, in the order in which they are listed.
  package init(_ names: some Sequence<String>) { self.names = Array(names) }

  /// The name that a text means: that name itself, in capitals or small letters, with or without hyphens, underscores and
  /// spaces: `ease-in-out` and `EaseInOut` mean `easeInOut`.
  package func meant(by text: String) -> String? {
    if names.contains(text) { return text }
    let folded = Self.folded(text)
    return names.first { Self.folded($0) == folded }
  }

  /// The name from which a mistyped text differs by the fewest letters: one of at least three letters, two of six, and so
  /// on; nil if none is that near.
  package func nearest(to text: String) -> String? {
    let letters = Self.folded(text)
    let distances = names.map { (name: $0, distance: Self.distance(letters, Self.folded($0))) }
    let near = distances.filter { $0.distance <= max(letters.count, Self.folded($0.name).count) / 3 }
    return near.min { $0.distance < $1.distance }?.name
  }

  /// Words to put behind a complaint about a text: `; did you mean “easeIn”?`, or nothing.
  package func suggestion(for text: String) -> String {
    nearest(to: text).map { "; did you mean “\($0)”?" } ?? ""
  }

  private static func folded(_ text: String) -> [Character] {
    // No name is as long as a thousand letters, and a distance takes the product of both lengths.
    text.lowercased().prefix(64).filter { !"-_ ".contains($0) }.map { $0 }
  }

  /// The number of letters to insert, remove, replace or swap with their neighbour (optimal string alignment).
  private static func distance(_ from: [Character], _ to: [Character]) -> Int {
    var (before, last) = ([Int](), Array(0...to.count))
    for (row, letter) in from.enumerated() {
      var next = [row + 1]
      for (column, other) in to.enumerated() {
        var steps = min(last[column + 1] + 1, next[column] + 1, last[column] + (letter == other ? 0 : 1))
        if row > 0, column > 0, letter == to[column - 1], from[row - 1] == other {
          steps = min(steps, before[column - 1] + 1)
        }
        next.append(steps)
      }
      (before, last) = (last, next)
    }
    return last[to.count]
  }
}
