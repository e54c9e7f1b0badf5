// SPDX-License-Identifier: MIT

/// A motion compiled to cubic pieces, which any number of instances play.
///
/// A clip has dimensions, each of which follows a track of pieces or keeps its initial value. It is a function of its
/// own time, from 0 to ``duration`` seconds; before and after that it holds. It is made once, in Double, from a
/// timeline, a curve, an animation, or given pieces; ``report`` says how far it may be from its source.
public struct Clip: Sendable {
  /// Values at each time.
  public let dimensions: Int

  /// Seconds from the start to the end of the longest track; finite, and 0 if less than ``shortestDuration``.
  public let duration: Double

  /// Size and error bounds.
  public let report: ClipReport

  /// The values of dimensions without a track.
  package let initialValues: [Double]

  /// The tracks, all of them as long as the clip; no two give values to one dimension.
  package let tracks: [PieceTrack]

  /// The track and component of each dimension; nil for a dimension without a track.
  private let places: [Place?]

  /// Makes the same clip from another value and velocity, if it can be made.
  package let remake: Remake?

  /// The keyframes of each component that the clip was made of, and the tolerance with which they were fitted; nil for
  /// a clip that was made otherwise.
  package let source: (keyframes: [[Keyframe<Double>]], tolerance: Double)?

  /// One component of one track.
  private struct Place {
    var track: Int32
    var component: Int32
  }

  /// Makes a clip anew from values and velocities, one of each for each dimension.
  package typealias Remake = @Sendable ([Double], [Double]) throws(ClipError) -> Clip
}

// MARK: - Limits

extension Clip {
  /// The largest number of dimensions.
  public static let maximumDimensions = 1 << 24

  /// The longest duration in seconds.
  public static let maximumDuration = 1e10

  /// The shortest duration in seconds that differs from 0.
  public static let shortestDuration = 0x1p-60

  /// The tolerances that fitted pieces can be asked to meet, as shares of the range of a motion.
  public static let tolerances = 0x1p-40...0x1p-2
}

// MARK: - Pieces given

extension Clip {
  /// A clip of pieces that were computed elsewhere.
  ///
  /// Dimensions without a track keep their initial value. If two tracks have one dimension, the later track wins. A track
  /// that ends before the clip holds its last value. A piece of no length is left out, as it never shows, unless it is the
  /// first or last of its track.
  ///
  /// - Parameters:
  ///   - dimensions: Values at each time.
  ///   - initialValues: One value for each dimension.
  ///   - tracks: The tracks.
  ///   - duration: Seconds; nil for the duration of the longest track.
  ///   - valueErrorBounds: For the report: how far the pieces may be from their source, one number for each dimension;
  ///     empty if they are exact.
  ///   - velocityErrorBounds: The same for velocities.
  /// - Throws: ``ClipError``, with the indices of the track, of the piece, and of the component in the track.
  /// - Complexity: O(n) in the number of pieces.
  public init(
    dimensions: Int, initialValues: [Double], tracks: [PieceTrack], duration: Double? = nil,
    valueErrorBounds: [Double] = [], velocityErrorBounds: [Double] = []
  ) throws(ClipError) {
    try Self.check(dimensions: dimensions, initialValues: initialValues)
    for (index, track) in tracks.enumerated() { try track.check(index: index, dimensions: dimensions) }
    let valueErrors = try Self.checked(
      bounds: valueErrorBounds, of: "error bounds of values", dimensions: dimensions)
    let velocityErrors = try Self.checked(
      bounds: velocityErrorBounds, of: "error bounds of velocities", dimensions: dimensions)
    let longest = tracks.reduce(0) { max($0, $1.times[$1.pieceCount]) }
    let duration = duration ?? longest
    guard duration >= longest, duration <= Self.maximumDuration else {
      throw .invalidDuration(duration, atLeast: longest)
    }
    try self.init(
      checkedTracks: tracks, initialValues: initialValues, duration: duration, valueErrorBounds: valueErrors,
      velocityErrorBounds: velocityErrors, remake: nil)
  }

  /// A clip of tracks that have been checked.
  ///
  /// - Throws: ``ClipError/overflow(track:key:component:value:)`` for a piece that is too steep for the clip's unit of
  ///   time, half of its duration.
  package init(
    checkedTracks: [PieceTrack], initialValues: [Double], duration: Double, valueErrorBounds: [Double],
    velocityErrorBounds: [Double], source: (keyframes: [[Keyframe<Double>]], tolerance: Double)? = nil, remake: Remake?
  ) throws(ClipError) {
    let dimensions = initialValues.count
    let duration = duration < Self.shortestDuration ? 0 : duration
    let scale = TickScale(duration: duration)
    // From the last track to the first, so that the later of two tracks of one dimension wins.
    var isTaken = [Bool](repeating: false, count: dimensions)
    var tracks: [PieceTrack] = []
    for (index, track) in checkedTracks.enumerated().reversed() {
      let kept = track.components.indices.filter { !isTaken[track.components[$0]] }
      guard !kept.isEmpty else { continue }
      try track.check(scale, index: index)
      var track = track
      if kept.count < track.components.count {
        track.pieces = kept.map { track.pieces[$0] }
        track.components = kept.map { track.components[$0] }
      }
      for component in track.components { isTaken[component] = true }
      tracks.append(track.visible(until: duration))
    }
    tracks.reverse()
    var places = [Place?](repeating: nil, count: dimensions)
    var (pieces, bytes) = (0, 0)
    for (index, track) in tracks.enumerated() {
      for (component, dimension) in track.components.enumerated() {
        places[dimension] = Place(track: Int32(index), component: Int32(component))
      }
      pieces += track.pieceCount * track.components.count
      bytes += track.times.count * MemoryLayout<Double>.stride
    }
    bytes += pieces * MemoryLayout<SIMD4<Double>>.stride
    self.dimensions = dimensions
    self.duration = duration
    self.initialValues = initialValues
    self.tracks = tracks
    self.places = places
    self.remake = remake
    self.source = source
    report = ClipReport(
      pieces: pieces, bytes: bytes, valueErrorBounds: valueErrorBounds, velocityErrorBounds: velocityErrorBounds)
  }
}

// MARK: - Evaluation

extension Clip {
  /// The value of a dimension at a time: the reference in Double that tables are checked against.
  package func value(dimension: Int, at time: Double) -> Double {
    guard let place = places[dimension] else { return initialValues[dimension] }
    return tracks[Int(place.track)].value(component: Int(place.component), at: time)
  }

  /// The rate of change of a dimension at a time, per second; zero before the start and after the end.
  package func velocity(dimension: Int, at time: Double) -> Double {
    guard let place = places[dimension] else { return 0 }
    return tracks[Int(place.track)].velocity(component: Int(place.component), at: time)
  }

  /// The dimensions that keep their initial value.
  package var dimensionsWithoutTrack: [Int] { places.indices.filter { places[$0] == nil } }

  /// The values after the end; they differ from the values at the end if a track ends with a jump.
  package var finalValues: [Double] { (0..<dimensions).map { value(dimension: $0, at: .infinity) } }
}
