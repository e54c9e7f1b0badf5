// SPDX-License-Identifier: MIT
import Murmuration
import Text

/// Frames as CSS: a class for each track, `track-0`, and keyframes for each of its components, which become properties of
/// their names: `--x`. A component that a track has in no frame is left out of its class.
///
/// Without velocities the frames are joined by straight lines, of which the fewest are kept that stay within the tolerance;
/// the first and the last frame are met exactly. With velocities the frames are joined by cubics of these, and all are kept.
/// All frames are held in memory until the end.
package struct CSSFrameWriter: ~Copyable, FrameWriter {
  private let path: String
  private let shape: FrameShape
  private let hasVelocities: Bool
  private let times: [Double]
  private let properties: [CSSKeyframes.Property]
  private let tolerance: Double
  private var values: [Float] = []

  /// The most rules, one for each component of each track.
  private static let ruleLimit = 1 << 14
  /// The tolerances that can be met, in shares of a component's range.
  package static let tolerances = CSSLinear.tolerances

  /// A writer of frames at these times, in seconds.
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - shape: The shape of the frames; with velocities `dimensions` counts these too.
  ///   - components: The name of each component. What cannot stand in a name becomes “_”.
  ///   - hasVelocities: Whether velocities follow the values of a track.
  ///   - times: The times of the frames, from 0 on; two at least.
  ///   - tolerance: The largest error, as a share of the range of a component in all frames of all tracks.
  /// - Throws: ``FileError`` for one frame alone, too many rules or numbers, and another tolerance.
  package init(
    _ path: String, shape: FrameShape, components: [String], hasVelocities: Bool, times: [Double],
    tolerance: Double = 0.001
  ) throws(FileError) {
    guard shape.frames > 1 else { throw FileError(file: path, "keyframes need two frames at least") }
    guard shape.tracks * components.count <= Self.ruleLimit, shape.byteCount / 4 <= GLTFWriter.numberLimit else {
      throw FileError(
        file: path,
        "\(shape.tracks) tracks make too many rules; \(Self.ruleLimit) and \(GLTFWriter.numberLimit) numbers is the limit"
      )
    }
    guard Self.tolerances.contains(tolerance) else {
      throw FileError(place: "--tolerance", "must be in [1e-5, 0.5], is \(NumberText.short(tolerance))")
    }
    let properties = components.enumerated().map { index, name in
      let letters = name.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") ? $0 : "_" }
      return CSSKeyframes.Property(
        "--\(letters.first?.isNumber == true ? "_" : "")\(String(letters))", dimension: index)
    }
    for property in properties {
      do { try CSSKeyframes.checkName(property.name) } catch { throw error.inFile(path) }
    }
    guard Set(properties.map(\.name)).count == properties.count else {
      throw FileError(file: path, "two components have one name in CSS")
    }
    (self.path, self.shape, self.hasVelocities) = (path, shape, hasVelocities)
    (self.times, self.properties, self.tolerance) = (times, properties, tolerance)
  }

  /// Appends values of whole tracks.
  package mutating func write(_ values: [Float]) { self.values += values }

  /// Ends a frame; the shape of the whole is checked at the end.
  package mutating func endFrame() {}

  /// Writes the file; all frames must have been written.
  /// - Throws: ``FileError`` for a value that is absent or not finite, and if the file cannot be written.
  package consuming func finish() throws(FileError) {
    guard values.count * 4 == shape.byteCount else {
      throw FileError(file: path, "\(values.count) values were written, the file has \(shape)")
    }
    let has = presence()
    // A track that has none of its components is not there yet, or no more.
    let isThere = has.map { $0.contains(true) }
    let bad = values.indices.first { index in
      let (track, component) = (index / shape.dimensions % shape.tracks, index % shape.dimensions % properties.count)
      return !values[index].isFinite && (!isThere[track] || has[track][component])
    }
    if let bad {
      let (track, frame) = (bad / shape.dimensions % shape.tracks, bad / shape.dimensions / shape.tracks)
      throw FileError(
        file: path, "track \(track) has no value in frame \(frame); CSS needs all: bake frames in which it exists")
    }
    let duration = times[times.count - 1]
    let shown = properties.filter { property in has.contains { $0[property.dimension] } }
    let ranges = shown.map { range(of: $0.dimension) }
    let errors = zip(shown, ranges).map { property, range in
      "\(property.name) within \(NumberText.scientific((range.upperBound - range.lowerBound) * tolerance))"
    }
    let seconds = NumberText.short(duration)
    let note = hasVelocities ? "cubics that meet all frames" : "lines, \(errors.joined(separator: ", "))"
    var file = try OutputFile(path)
    try file.write("/* \(shape.tracks) tracks, \(seconds) s: \(note). */\n".utf8)
    for (property, range) in zip(shown, ranges) {
      try file.write(CSSKeyframes.registration(of: property, value: range.lowerBound).utf8)
    }
    for track in 0..<shape.tracks {
      var plays: [String] = []
      let name = "track-\(track)"
      for (property, range) in zip(shown, ranges) where has[track][property.dimension] {
        let rule = CSSKeyframes.ruleName(name, property)
        let stops = hasVelocities ? try cubics(track, property.dimension) : lines(track, property.dimension, range)
        try file.write(CSSKeyframes.rule(rule, property, stops).utf8)
        plays.append("\(rule) \(seconds)s linear both")
      }
      try file.write(".\(name) { animation: \(plays.joined(separator: ", ")); }\n".utf8)
    }
    try file.finish()
  }

  /// For each track, whether it has each of the components in any frame.
  private func presence() -> [[Bool]] {
    (0..<shape.tracks).map { track in
      properties.map { property in (0..<shape.frames).contains { !value($0, track, property.dimension).isNaN } }
    }
  }

  private func value(_ frame: Int, _ track: Int, _ dimension: Int) -> Double {
    Double(values[(frame * shape.tracks + track) * shape.dimensions + dimension])
  }

  /// The least and the greatest value of a component in all frames of all tracks.
  private func range(of dimension: Int) -> ClosedRange<Double> {
    var (low, high) = (Double.infinity, -Double.infinity)
    for index in stride(from: dimension, to: values.count, by: shape.dimensions) where !values[index].isNaN {
      (low, high) = (min(low, Double(values[index])), max(high, Double(values[index])))
    }
    return low...high
  }

  /// The fewest lines near the frames, as keyframes with few digits.
  private func lines(_ track: Int, _ dimension: Int, _ range: ClosedRange<Double>) -> [CSSKeyframes.Stop] {
    let (duration, size) = (times[times.count - 1], range.upperBound - range.lowerBound)
    let frames = (0..<shape.frames).map { value($0, track, dimension) }
    // A Float with its own few digits.
    let (first, end) = (Double("\(Float(frames[0]))") ?? 0, Double("\(Float(frames[frames.count - 1]))") ?? 0)
    guard size > 0, frames.contains(where: { $0 != frames[0] }) else {
      return ["0", "100"].map { CSSKeyframes.Stop(percent: $0, value: first) }
    }
    // In shares of the duration and of the range. A part of the tolerance is for the rounding of the corners.
    let shares = frames.map { ($0 - range.lowerBound) / size }
    let width = tolerance * 0.995
    var (lower, upper) = (shares.map { $0 - width }, shares.map { $0 + width })
    for index in [0, shares.count - 1] { (lower[index], upper[index]) = (shares[index], shares[index]) }
    let corners = FewestLines(xs: times.map { $0 / duration }, lower: lower, upper: upper).points()
    var steepest = 1e-3
    for (from, to) in zip(corners, corners.dropFirst()) where to.x > from.x {
      steepest = max(steepest, abs(to.y - from.y) / (to.x - from.x))
    }
    let unit = PowerOfTen.value(PowerOfTen.exponent(of: tolerance * size / 500))
    let percentUnit = min(0.1, PowerOfTen.value(PowerOfTen.exponent(of: tolerance / 500 / steepest * 100)))
    var stops: [CSSKeyframes.Stop] = []
    var last = -1.0
    for (index, corner) in corners.enumerated() {
      let isEnd = index == 0 || index == corners.count - 1
      let percent = isEnd ? (index == 0 ? 0 : 100) : (corner.x * 100 / percentUnit).rounded() * percentUnit
      guard isEnd || percent > last && percent < 100 else { continue }
      let rounded = ((range.lowerBound + corner.y * size) / unit).rounded() * unit
      let value = index == 0 ? first : isEnd ? end : CSSLinear.short(rounded)
      stops.append(CSSKeyframes.Stop(percent: NumberText.short(CSSLinear.short(percent)), value: value))
      last = percent
    }
    return stops
  }

  /// Keyframes of the cubics with the frames' velocities.
  private func cubics(_ track: Int, _ dimension: Int) throws(FileError) -> [CSSKeyframes.Stop] {
    let pieces = (0..<(shape.frames - 1)).map { frame in
      let (start, end) = (value(frame, track, dimension), value(frame + 1, track, dimension))
      let velocity = properties.count + dimension
      let (leaving, arriving) = (value(frame, track, velocity), value(frame + 1, track, velocity))
      let length = times[frame + 1] - times[frame]
      let slope = (end - start) / length
      return SIMD4(
        start, leaving, (3 * slope - 2 * leaving - arriving) / length,
        (leaving + arriving - 2 * slope) / length / length)
    }
    let clip: Clip
    do {
      clip = try Clip(
        dimensions: 1, initialValues: [value(0, track, dimension)],
        tracks: [PieceTrack(components: [0], times: times, pieces: [pieces], boundariesBelongToLater: true)])
    } catch { throw FileError(file: path, "track \(track): \(error)") }
    return CSSKeyframes.stops(of: clip, dimension: 0, ClipCubics.sources(of: clip))
  }
}
