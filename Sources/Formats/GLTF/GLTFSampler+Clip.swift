// SPDX-License-Identifier: MIT
public import Murmuration

extension GLTFAnimation.Sampler {
  /// The keys of some dimensions of a clip.
  ///
  /// The pieces of a clip are cubics, and so are the segments of `CUBICSPLINE`: each piece becomes one, exact but for the
  /// rounding of a file to float32. Pieces that are all constant become `STEP`, and straight ones `LINEAR`. A jump takes the
  /// last moment before it, as float32. Dimensions whose pieces end at different times share the keys of all.
  ///
  /// A rotation must be four dimensions of nearly unit length: x, y, z, w. Viewers make splines of unit length.
  /// - Parameters:
  ///   - clip: The clip.
  ///   - dimensions: A dimension of the clip for each component; one may stand several times.
  /// - Throws: ``FileError`` for a dimension that the clip lacks, or a clip longer than 10⁶ s.
  /// - Complexity: O(n) in the number of pieces, times the dimensions.
  public init(_ clip: Clip, dimensions: [Int]) throws(FileError) {
    guard !dimensions.isEmpty, dimensions.allSatisfy({ (0..<clip.dimensions).contains($0) }) else {
      throw FileError("the clip has dimensions 0 to \(clip.dimensions - 1), \(dimensions) are asked for")
    }
    guard clip.duration <= GLTFAnimationReader.timeLimit else {
      throw FileError("the clip lasts \(clip.duration) s; 1e6 is the limit")
    }
    let cubics = ClipCubics(clip, dimensions: dimensions, ClipCubics.sources(of: clip))
    var keys = SplineKeys(width: dimensions.count)
    for segment in cubics.segments { keys.add(segment) }
    keys.end(with: dimensions.map { clip.value(dimension: $0, at: .infinity) }, at: clip.duration)
    self = keys.sampler
  }
}

/// The cubics of some dimensions of a clip between all boundaries of their tracks.
struct ClipCubics {
  /// The way of all dimensions between two boundaries: values and slopes at its ends.
  struct Segment {
    var start: Double
    var end: Double
    var values: (start: [Double], end: [Double])
    var slopes: (start: [Double], end: [Double])
    var isConstant: Bool
    var isStraight: Bool
  }

  /// The track of each dimension of a clip that has one, and its component there.
  typealias Sources = [Int: (track: Int, component: Int)]

  /// The segments, each longer than nothing, without a gap.
  let segments: [Segment]

  static func sources(of clip: Clip) -> Sources {
    var sources: Sources = [:]
    for (track, source) in clip.tracks.enumerated() {
      for (component, dimension) in source.components.enumerated() { sources[dimension] = (track, component) }
    }
    return sources
  }

  init(_ clip: Clip, dimensions: [Int], _ sources: Sources) {
    let used = Set(dimensions.compactMap { sources[$0]?.track }).sorted()
    let boundaries = Set(used.flatMap { clip.tracks[$0].times } + [0, clip.duration]).sorted()
    // The piece of each track that is being followed.
    var pieces = [Int: Int](uniqueKeysWithValues: used.map { ($0, 0) })
    segments = zip(boundaries, boundaries.dropFirst()).map { start, end in
      for track in used {
        let times = clip.tracks[track].times
        var piece = pieces[track] ?? 0
        while piece + 2 < times.count, times[piece + 1] <= start { piece += 1 }
        pieces[track] = piece
      }
      var segment = Segment(
        start: start, end: end, values: ([], []), slopes: ([], []), isConstant: true, isStraight: true)
      for dimension in dimensions {
        var cubic = SIMD4(clip.initialValues[dimension], 0, 0, 0)
        var origin = start
        if let (track, component) = sources[dimension] {
          let piece = pieces[track] ?? 0
          let times = clip.tracks[track].times
          cubic = clip.tracks[track].pieces[component][piece]
          origin = times[piece]
          if start >= times[piece + 1] { cubic = SIMD4(cubic.cubicValue(at: times[piece + 1] - origin), 0, 0, 0) }
        }
        segment.values.start.append(cubic.cubicValue(at: start - origin))
        segment.values.end.append(cubic.cubicValue(at: end - origin))
        segment.slopes.start.append(cubic.cubicSlope(at: start - origin))
        segment.slopes.end.append(cubic.cubicSlope(at: end - origin))
        if cubic.z != 0 || cubic.w != 0 { segment.isStraight = false }
        if cubic.y != 0 || !segment.isStraight { segment.isConstant = false }
      }
      return segment
    }
  }
}

/// The keys of segments as they are added, in ascending times of float32.
private struct SplineKeys {
  private struct Key {
    var time: Float
    var arriving: [Double]
    var value: [Double]
    var leaving: [Double]
  }

  private let width: Int
  private var keys: [Key] = []
  private var last: ClipCubics.Segment?
  private var isConstant = true
  private var isStraight = true

  init(width: Int) { self.width = width }

  mutating func add(_ segment: ClipCubics.Segment) {
    isConstant = isConstant && segment.isConstant
    isStraight = isStraight && segment.isStraight
    join(segment.values.start, leaving: segment.slopes.start, at: segment.start)
    last = segment
  }

  mutating func end(with values: [Double], at time: Double) {
    join(values, leaving: [Double](repeating: 0, count: width), at: time)
  }

  /// Ends the segment before and begins the next: with one key, or with two where the value jumps.
  private mutating func join(_ values: [Double], leaving: [Double], at moment: Double) {
    let time = Float(moment)
    let still = [Double](repeating: 0, count: width)
    guard let last else {
      keys.append(Key(time: time, arriving: still, value: values, leaving: leaving))
      return
    }
    // Pieces join to within roundings of the numbers that they were computed from.
    let jumps = zip(zip(last.values.end, last.values.start), values).contains { ends, value in
      abs(ends.0 - value) > 0x1p-24 * max(abs(ends.0), abs(ends.1), abs(value))
    }
    if jumps, !isConstant, time.nextDown > keys[keys.count - 1].time {
      keys.append(
        Key(time: time.nextDown, arriving: last.slopes.end, value: last.values.end, leaving: still))
    }
    if time > keys[keys.count - 1].time {
      keys.append(Key(time: time, arriving: jumps ? still : last.slopes.end, value: values, leaving: leaving))
    } else {
      // A segment that is too short for float32 does not show.
      keys[keys.count - 1].value = values
      keys[keys.count - 1].leaving = leaving
    }
  }

  var sampler: GLTFAnimation.Sampler {
    let times = keys.map { Double($0.time) }
    if isConstant {
      return GLTFAnimation.Sampler(interpolation: .step, times: times, width: width, values: keys.flatMap(\.value))
    }
    // A straight way of four dimensions may be a rotation's, whose straight way is a great circle.
    if isStraight, width != 4 {
      return GLTFAnimation.Sampler(interpolation: .linear, times: times, width: width, values: keys.flatMap(\.value))
    }
    return GLTFAnimation.Sampler(
      interpolation: .cubicSpline, times: times, width: width,
      values: keys.flatMap { $0.arriving + $0.value + $0.leaving })
  }
}
