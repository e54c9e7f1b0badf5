// SPDX-License-Identifier: MIT
import Formats
import Murmuration
import Scenes

/// Some instances of an animation, by the formulas of the glTF specification in Double.
///
/// The bound of a value has three parts: the error of compiling, the error of evaluating a piece in Float, which is
/// 8·2⁻²⁴ of the summed magnitudes, and the slope times the rounding of the time to ticks. Within a tick of a jump,
/// either side may show.
struct RigReference {
  /// The index of the group in its scene.
  let index: Int
  /// The indices of the instances, ascending.
  let tracks: [Int]
  /// The index, among a track's values, of each dimension of the clip.
  let columns: [Int]

  private let part: GLTFScene.Part
  private let offsets: [Double]
  private let sizes: PieceSizes
  private let slowing: Double

  /// Instances of group `index`. Their clocks are slower than the scene's by the fraction `slowing`.
  init(_ group: RigGroup, index: Int, tracks: [Int], _ playable: PlayableScene, rigs: RigFile, slowing: Double) {
    self.index = index
    self.tracks = tracks
    self.slowing = slowing
    columns = rigs.columns[group.part]
    part = rigs.parts[group.part]
    sizes = PieceSizes(part.clip)
    let all = RigGroup.offsets(
      count: playable.scene.groups[index].count, duration: part.clip.duration, index: index, seed: playable.scene.seed)
    offsets = tracks.map { all[$0] }
  }

  /// The times of an animation that an instance may show at a moment: the exact time, and the earliest and latest within a
  /// tick of it.
  struct Times {
    var time: Double
    /// The rounding of the time in seconds.
    var rounding: Double
    var neighbours: [Double]
  }

  /// The times that the instance at `position` among the tracks may show at `time` of the scene.
  func times(ofTrackAt position: Int, at time: Double) -> Times {
    let duration = part.clip.duration
    guard duration > 0 else { return Times(time: 0, rounding: 0, neighbours: []) }
    let played = time / (1 + slowing) + offsets[position]
    let local = played.truncatingRemainder(dividingBy: duration)
    let reach = duration * 0x1p-32 + 4 * played.ulp
    var neighbours = [max(0, local - reach), min(duration, local + reach)]
    // The end of one iteration and the start of the next are a moment apart.
    if local < reach { neighbours += [duration, duration + local - reach] }
    if local > duration - reach { neighbours += [0, local + reach - duration] }
    return Times(time: local, rounding: duration * 0x1p-33 + 4 * played.ulp, neighbours: neighbours)
  }

  /// Compares the values of an instance, one for each dimension of the clip, and reports each error with its bound.
  func compare(
    _ shown: [Float], at times: Times, _ report: (_ dimension: Int, _ error: Double, _ bound: Double) -> Void
  ) {
    let expected = GLTFReference.values(of: part.animation, at: times.time)
    var others: [[Double]] = []
    for dimension in shown.indices {
      let value = Double(shown[dimension])
      var error = abs(value - expected[dimension])
      let bound = sizes.bound(dimension, times)
      if !(error <= bound) {
        if others.isEmpty { others = times.neighbours.map { GLTFReference.values(of: part.animation, at: $0) } }
        for other in others where abs(value - other[dimension]) < error { error = abs(value - other[dimension]) }
      }
      // A NaN bound fails the comparison.
      report(dimension, bound.isNaN ? .nan : error, bound)
    }
  }
}

/// For each piece of a clip, the summed magnitudes of its terms and its steepness.
private struct PieceSizes {
  private struct Size {
    var magnitude: Double
    var slope: Double
  }

  private let clip: Clip
  /// The track of each dimension and the sizes of its pieces; nil for a dimension without a track.
  private var sizes: [(track: Int, pieces: [Size])?]

  init(_ clip: Clip) {
    self.clip = clip
    sizes = Array(repeating: nil, count: clip.dimensions)
    for (index, track) in clip.tracks.enumerated() {
      for (component, dimension) in track.components.enumerated() {
        let pieces = track.pieces[component].indices.map { piece in
          PieceSizes.size(
            track.pieces[component][piece], length: track.times[piece + 1] - track.times[piece],
            isAtEnd: piece == 0 || piece == track.pieceCount - 1)
        }
        sizes[dimension] = (index, pieces)
      }
    }
  }

  /// The size of a piece that is measured from its middle, in halves of its length. The first and the last piece of a
  /// track may be measured from an end.
  private static func size(_ cubic: SIMD4<Double>, length: Double, isAtEnd: Bool) -> Size {
    let half = length / 2
    let middle = SIMD4(
      cubic.cubicValue(at: half), cubic.cubicSlope(at: half) * half, (cubic.z + 3 * cubic.w * half) * half * half,
      cubic.w * half * half * half)
    let sums = abs(middle.y) + abs(middle.z) + abs(middle.w)
    let steps = abs(middle.y) + 2 * abs(middle.z) + 3 * abs(middle.w)
    var magnitude = abs(middle.x) + sums
    if isAtEnd {
      for start in [0, length] {
        let bend = abs(cubic.z + 3 * cubic.w * start) + abs(cubic.w) * length
        let terms = abs(cubic.cubicSlope(at: start)) * length + bend * length * length
        magnitude = max(magnitude, abs(cubic.cubicValue(at: start)) + terms)
      }
    }
    return Size(magnitude: magnitude, slope: half > 0 ? steps / half : 0)
  }

  /// The bound of a dimension's distance from the specification's value, around a time.
  func bound(_ dimension: Int, _ times: RigReference.Times) -> Double {
    let compiled = clip.report.valueErrorBounds[dimension]
    guard let (track, pieces) = sizes[dimension] else {
      return compiled + 8 * 0x1p-24 * abs(clip.initialValues[dimension])
    }
    var (magnitude, slope) = (0.0, 0.0)
    for time in times.neighbours + [times.time] {
      let piece = pieces[clip.tracks[track].piece(at: time)]
      (magnitude, slope) = (max(magnitude, piece.magnitude), max(slope, piece.slope))
    }
    return compiled + 8 * 0x1p-24 * magnitude + slope * times.rounding
  }
}
