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

  /// The keyframes that the clip was made of; nil for a clip that was made otherwise.
  package let source: ClipSource?

  /// One component of one track.
  private typealias Place = (track: Int32, component: Int32)

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
    velocityErrorBounds: [Double], source: ClipSource? = nil, remake: Remake?
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
    for (index, track) in tracks.enumerated() {
      for (component, dimension) in track.components.enumerated() {
        places[dimension] = (Int32(index), Int32(component))
      }
    }
    let pieces = tracks.reduce(0) { $0 + $1.pieceCount * $1.components.count }
    let bytes = tracks.reduce(pieces * MemoryLayout<SIMD4<Double>>.stride) {
      $0 + $1.times.count * MemoryLayout<Double>.stride
    }
    (self.dimensions, self.duration, self.initialValues) = (dimensions, duration, initialValues)
    (self.tracks, self.places, self.remake, self.source) = (tracks, places, remake, source)
    report = ClipReport(
      pieces: pieces, bytes: bytes, valueErrorBounds: valueErrorBounds, velocityErrorBounds: velocityErrorBounds)
  }
}

// MARK: - Keyframes of components

/// What a clip of keyframes was made of.
package struct ClipSource: Sendable {
  /// The keyframes of each component.
  package var keyframes: [[Keyframe<Double>]]
  /// The tolerance with which they were fitted.
  package var tolerance: Double
  /// Seconds that the clip lasts at least.
  package var leastDuration: Double

  package init(keyframes: [[Keyframe<Double>]], tolerance: Double, leastDuration: Double) {
    (self.keyframes, self.tolerance, self.leastDuration) = (keyframes, tolerance, leastDuration)
  }

  /// The clip from other values and velocities.
  fileprivate var remake: Clip.Remake {
    { [self] values, velocities throws(ClipError) in
      try Clip(
        initialValues: values, velocities: velocities, keyframes: keyframes, tolerance: tolerance,
        leastDuration: leastDuration)
    }
  }
}

extension Clip {
  /// A clip of tracks that were stored, with what it was made of.
  package init(
    stored tracks: [PieceTrack], initialValues: [Double], duration: Double, valueErrorBounds: [Double],
    velocityErrorBounds: [Double], source: ClipSource?
  ) throws(ClipError) {
    let dimensions = initialValues.count
    try Self.check(dimensions: dimensions, initialValues: initialValues)
    guard 0...Self.maximumDuration ~= duration, valueErrorBounds.count == dimensions,
      velocityErrorBounds.count == dimensions, source.map({ $0.keyframes.count == dimensions }) ?? true
    else { throw .invalidDuration(duration, atLeast: 0) }
    for (index, track) in tracks.enumerated() {
      try track.check(index: index, dimensions: dimensions)
      guard track.earlyBoundaries.allSatisfy(track.times.indices.contains) else { throw .emptyTrack(track: index) }
    }
    try self.init(
      checkedTracks: tracks, initialValues: initialValues, duration: duration, valueErrorBounds: valueErrorBounds,
      velocityErrorBounds: velocityErrorBounds, source: source, remake: source?.remake)
  }

  /// The clip of a list of keyframes for each component, which can start from any value.
  ///
  /// - Parameters:
  ///   - initialValues: Where each component starts.
  ///   - velocities: With what velocity each starts, per second; nil for at rest.
  ///   - keyframes: The keyframes of each component. A component without keyframes keeps its initial value.
  ///   - tolerance: See ``init(_:tolerance:)``.
  ///   - leastDuration: Seconds that the clip lasts at least. It holds its end.
  /// - Throws: ``ClipError``, with the index of the component as the track.
  package init(
    initialValues: [Double], velocities: [Double]? = nil, keyframes: [[Keyframe<Double>]], tolerance: Double,
    leastDuration: Double = 0
  ) throws(ClipError) {
    try Self.check(tolerance: tolerance)
    try Self.check(dimensions: keyframes.count, initialValues: initialValues)
    guard 0...Self.maximumDuration ~= leastDuration else { throw .invalidDuration(leastDuration, atLeast: 0) }
    var tracks: [PieceTrack] = []
    var valueErrors = [Double](repeating: 0, count: keyframes.count)
    var velocityErrors = valueErrors
    var duration = leastDuration
    for (component, list) in keyframes.enumerated() where !list.isEmpty {
      let path = KeyframePath(
        initialValue: initialValues[component], initialVelocity: velocities?[component] ?? 0, keyframes: list)
      if let key = path.segments.firstIndex(where: { !($0.end < .infinity) }) {
        throw .endless(track: component, key: key)
      }
      let compiled = try TrackCompiler(path.componentPath, track: component, tolerance: tolerance)
      tracks.append(compiled.pieceTrack(components: [component]))
      valueErrors[component] = compiled.valueErrors[0]
      velocityErrors[component] = compiled.velocityErrors[0]
      duration = max(duration, path.duration)
    }
    let source = ClipSource(keyframes: keyframes, tolerance: tolerance, leastDuration: leastDuration)
    try self.init(
      checkedTracks: tracks, initialValues: initialValues, duration: duration, valueErrorBounds: valueErrors,
      velocityErrorBounds: velocityErrors, source: source, remake: source.remake)
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

extension Clip {
  /// The largest magnitude of a value, as for batches.
  static let maximumMagnitude = Double(BatchLimits.maximumMagnitude)

  static func check(dimensions: Int, initialValues: [Double]) throws(ClipError) {
    guard dimensions >= 1, dimensions <= maximumDimensions else { throw .invalidDimensions(dimensions) }
    guard initialValues.count == dimensions else {
      throw .wrongDimensions(of: "initial values", expected: dimensions, got: initialValues.count)
    }
    for (dimension, value) in initialValues.enumerated() {
      guard value.isFinite else { throw .invalidValue(track: 0, key: 0, component: dimension, value: value) }
      guard value.magnitude <= maximumMagnitude else {
        throw .overflow(track: 0, key: 0, component: dimension, value: value)
      }
    }
  }

  /// The error bounds for all dimensions; zeros if `bounds` is empty.
  static func checked(bounds: [Double], of what: String, dimensions: Int) throws(ClipError) -> [Double] {
    if bounds.isEmpty { return [Double](repeating: 0, count: dimensions) }
    guard bounds.count == dimensions else {
      throw .wrongDimensions(of: what, expected: dimensions, got: bounds.count)
    }
    for (dimension, bound) in bounds.enumerated() where !(bound >= 0) {
      throw .invalidErrorBound(dimension: dimension, value: bound)
    }
    return bounds
  }

  static func check(tolerance: Double) throws(ClipError) {
    guard tolerances.contains(tolerance) else { throw .invalidTolerance(tolerance) }
  }
}

extension Clip {
  /// Whether the clip was made from keyframes that can start from another value.
  public var isRestartable: Bool { remake != nil }

  /// The clip of the same keyframes from another value and velocity, as when they are triggered again in mid-run.
  ///
  /// First keyframes that are cubic or springs take the velocity over, unless they have an explicit one.
  ///
  /// - Parameters:
  ///   - values: One value for each dimension.
  ///   - velocities: One velocity for each dimension, in units per second.
  /// - Throws: ``ClipError/notRestartable`` if the clip was made of pieces, a finished timeline, a curve or an
  ///   animation; other errors name the wrong number or the wrong new keyframe.
  package func restarted(from values: [Double], velocity velocities: [Double]) throws(ClipError) -> Clip {
    guard let remake else { throw .notRestartable }
    for (what, numbers) in [("values", values), ("velocities", velocities)] {
      guard numbers.count == dimensions else {
        throw .wrongDimensions(of: what, expected: dimensions, got: numbers.count)
      }
      for (dimension, number) in numbers.enumerated() where !number.isFinite {
        throw .invalidValue(track: 0, key: 0, component: dimension, value: number)
      }
    }
    return try remake(values, velocities)
  }
}

/// The result of compiling a clip: its size, and how far it may be from its source.
public struct ClipReport: Sendable, Equatable {
  /// Cubic pieces, counted for each component.
  public var pieces: Int

  /// Bytes of the pieces and their boundaries. The clip itself takes more: a million clips compiled from timelines of
  /// 16 cubic keyframes, whose pieces take 648 bytes, took 1.2 KB of resident memory each.
  public var bytes: Int

  /// For each dimension the greatest difference in value, in units of the value.
  ///
  /// It is a bound, not an estimate: errors measured while fitting count with a margin. Linear, cubic and move
  /// keyframes have rounding errors alone. For given pieces it is the bound that the caller stated.
  public var valueErrorBounds: [Double]

  /// For each dimension the greatest difference in velocity, in units per second.
  ///
  /// It is infinite where the motion is vertical, as at the end of a quarter circle: the clip's velocity is finite there.
  /// Boundary instants, at which a velocity jumps, count as the piece they belong to.
  public var velocityErrorBounds: [Double]

  /// The greatest difference in value over all dimensions.
  public var valueErrorBound: Double { valueErrorBounds.max() ?? 0 }

  /// The greatest difference in velocity over all dimensions.
  public var velocityErrorBound: Double { velocityErrorBounds.max() ?? 0 }

  /// A report of the given numbers.
  package init(pieces: Int, bytes: Int, valueErrorBounds: [Double], velocityErrorBounds: [Double]) {
    self.pieces = pieces
    self.bytes = bytes
    self.valueErrorBounds = valueErrorBounds
    self.velocityErrorBounds = velocityErrorBounds
  }
}
