// SPDX-License-Identifier: MIT

/// Some frames of some tracks of a scene: [frames × tracks × numbers], where the numbers of a track are its values and
/// then, where they are wanted, its velocities.
package struct BakedBlock {
  /// The numbers of the frames.
  package let frames: Range<Int>
  /// The tracks, counted through all groups.
  package let tracks: Range<Int>
  /// The numbers of a track in a frame.
  package let width: Int
  /// All of them.
  package private(set) var numbers: [Float]

  init(frames: Range<Int>, tracks: Range<Int>, width: Int) {
    (self.frames, self.tracks, self.width) = (frames, tracks, width)
    numbers = Array(repeating: 0, count: frames.count * tracks.count * width)
  }

  /// Puts one number of each track of a range, frame after frame, in its place.
  mutating func fill(_ number: Int, tracks part: Range<Int>, with plane: [Float]) {
    let (frameCount, trackCount, width) = (frames.count, tracks.count, width)
    let offset = part.lowerBound - tracks.lowerBound
    let plane = plane.span
    var numbers = self.numbers.mutableSpan
    for frame in 0..<frameCount {
      var place = (frame * trackCount + offset) * width + number
      for track in 0..<part.count {
        numbers[place] = plane[frame * part.count + track]
        place += width
      }
    }
  }
}

/// The numbers of a group: for each component its values, [frames × tracks], and its velocities or nothing.
struct GroupPlanes {
  var values: [[Float]]
  var velocities: [[Float]]

  init(dimensions: Int) {
    values = Array(repeating: [], count: dimensions)
    velocities = Array(repeating: [], count: dimensions)
  }
}
