// SPDX-License-Identifier: MIT

/// Some frames of some tracks of a scene: [frames × tracks × numbers]. The numbers of a track are its values and then, if
/// they are wanted, its velocities.
package struct BakedBlock {
  /// The indices of the frames.
  package let frames: Range<Int>
  /// The tracks, counted through all groups.
  package let tracks: Range<Int>
  /// The components of a value.
  let dimensions: Int
  /// Whether velocities are wanted.
  let hasVelocities: Bool
  /// All numbers; NaN for an absent value.
  package private(set) var numbers: [Float]

  /// The number of numbers of a track in a frame.
  var width: Int { hasVelocities ? 2 * dimensions : dimensions }

  init(frames: Range<Int>, tracks: Range<Int>, dimensions: Int, hasVelocities: Bool) {
    (self.frames, self.tracks) = (frames, tracks)
    (self.dimensions, self.hasVelocities) = (dimensions, hasVelocities)
    let width = hasVelocities ? 2 * dimensions : dimensions
    numbers = Array(repeating: .nan, count: frames.count * tracks.count * width)
  }

  /// The index of the first number of a track in a frame.
  private func place(frame: Int, track: Int) -> Int {
    ((frame - frames.lowerBound) * tracks.count + track - tracks.lowerBound) * width
  }

  /// Writes one number of some tracks in one frame.
  ///
  /// - Parameters:
  ///   - number: The index of the number within each track.
  ///   - first: The track of the column's first element, counted through all groups.
  ///   - column: The number of each track of a group.
  mutating func fill(_ number: Int, frame: Int, tracks part: Range<Int>, from first: Int, with column: Span<Float>) {
    var place = place(frame: frame, track: part.lowerBound) + number
    let width = width
    var numbers = self.numbers.mutableSpan
    for track in part {
      numbers[place] = column[track - first]
      place += width
    }
  }

  /// Writes baked components of some tracks in some frames.
  ///
  /// - Parameters:
  ///   - components: The component of a track for each baked component.
  ///   - values: [frames × tracks × components]
  ///   - velocities: The same shape, or empty.
  mutating func fill(
    _ part: Range<Int>, tracks: Range<Int>, components: [Int], values: Span<Float>, velocities: Span<Float>
  ) {
    let (width, dimensions) = (width, dimensions)
    var baked = 0
    for frame in part {
      var place = place(frame: frame, track: tracks.lowerBound)
      var numbers = self.numbers.mutableSpan
      for _ in tracks {
        for (number, component) in components.enumerated() {
          numbers[place + component] = values[baked + number]
          if !velocities.isEmpty { numbers[place + dimensions + component] = velocities[baked + number] }
        }
        baked += components.count
        place += width
      }
    }
  }

  /// The first track of a range with an infinite value or, unless tracks may be absent, NaN; and the component.
  func firstNotFinite(_ part: Range<Int>, mayBeAbsent: Bool) -> (track: Int, component: Int)? {
    let numbers = numbers.span
    for frame in frames {
      for track in part {
        let place = place(frame: frame, track: track)
        for component in 0..<dimensions {
          let value = numbers[place + component]
          if !value.isFinite && !(mayBeAbsent && value.isNaN) { return (track, component) }
        }
      }
    }
    return nil
  }
}
