// SPDX-License-Identifier: MIT

extension Layout {
  /// The positions of `count` tracks, component-major (all x, then all y, …), as float32.
  ///
  /// The layout must have passed its check for this count and number of dimensions. The same stream gives the same
  /// positions.
  /// - Complexity: O(count).
  func points(count: Int, dimensions: Int, random: SceneRandom) -> [Float] {
    var random = random
    var points = [Float](repeating: 0, count: count * dimensions)
    let order = isShuffled ? random.permutation(count) : []
    let (sine, cosine) = (Turns.sine(turn), Turns.cosine(turn))
    for index in 0..<count {
      let track = isShuffled ? order[index] : index
      guard let shape else {
        for axis in 0..<dimensions { points[axis * count + track] = Float(values[index][axis]) }
        continue
      }
      var place = shape.place(index, of: count, dimensions: dimensions, random: &random)
      for axis in 0..<dimensions { place[axis] *= size.count == 1 ? size[0] : size[axis] }
      if turn != 0 {
        (place[0], place[1]) = (cosine * place[0] - sine * place[1], sine * place[0] + cosine * place[1])
      }
      for axis in 0..<dimensions {
        points[axis * count + track] = Float(place[axis] + (center.isEmpty ? 0 : center[axis]))
      }
    }
    return points
  }
}
