// SPDX-License-Identifier: MIT
package import Murmuration

/// The values of a clip at its own times, and how far a batch that plays it may be from them.
///
/// A clip that was made of keyframes is what the model's path through these keyframes is, within its tolerance for
/// springs and timing curves; moves, linear and cubic keyframes are exact. Any other clip is its own pieces.
package struct ClipContent: Sendable {
  package let clip: Clip
  private var parts: [Part] = []
  /// The seconds by which a batch's clip may be longer or shorter, as it starts from values and velocities with errors:
  /// a keyframe may last until its spring settles.
  package private(set) var durationError = 0.0

  /// One dimension.
  private struct Part: Sendable {
    /// The path; nil if only the clip's pieces are known.
    var path: KeyframePath<Double>?
    /// The error of a value, and of a velocity at the clip's own speed.
    var bound: ErrorBound
    /// The errors with which the batch started, in value or in velocity, and the paths that start lower and higher by
    /// that, or by 1 if it has no bound.
    var starts: [(error: Double, paths: [KeyframePath<Double>])] = []

    /// An error, to which the largest differences of a number of these paths from the exact one are added. These are no
    /// linear functions of the errors of the start, as lengths of keyframes follow from it too.
    func widened(_ error: Double, _ exact: Double, _ read: (KeyframePath<Double>) -> Double) -> Double {
      starts.reduce(error) { error, start in
        let largest = start.paths.map { abs(read($0) - exact) }.max() ?? 0
        return error + ErrorBound.passed(start.error.isFinite ? 1 : .infinity, by: largest)
      }
    }
  }

  /// A clip. If it was made anew from values and velocities, these have errors in the batch.
  package init(_ clip: Clip, from samples: [MotionSample]? = nil) {
    self.clip = clip
    for (dimension, sample) in (samples ?? clip.initialValues.map { MotionSample(value: $0) }).enumerated() {
      // The terms of a piece are evaluated within 8 u of their sum.
      let reach = ClipReach(clip, dimension: dimension)
      var bound = ErrorBound(value: ErrorBound.perMotion * reach.value, velocity: ErrorBound.perMotion * reach.bend)
      // Terms are rounded to Floats in units of half of the duration.
      if clip.duration > 0 { bound.velocity += 16 * ErrorBound.least / clip.duration + ErrorBound.least }
      bound.value += 4 * ErrorBound.least
      parts.append(Part(bound: bound))
      guard let source = clip.source else { continue }
      let keyframes = source.keyframes[dimension]
      func path(_ value: Double, _ velocity: Double) -> KeyframePath<Double> {
        KeyframePath(initialValue: value, initialVelocity: velocity, keyframes: keyframes)
      }
      let exact = path(sample.value, sample.velocity)
      parts[dimension].path = exact
      parts[dimension].bound.add(exact.error(within: source.tolerance))
      // The sizes of the batch's pieces follow from its start, which has that error.
      parts[dimension].bound.value += ErrorBound.perMotion * sample.bound.value
      for (error, x, v) in [(sample.bound.value, 1.0, 0.0), (sample.bound.velocity, 0, 1)] where error != 0 {
        let steps = [-1, -0.75, -0.5, -0.25, 0.25, 0.5, 0.75, 1].map { $0 * (error.isFinite ? error : 1) }
        let paths = steps.map { path(sample.value + $0 * x, sample.velocity + $0 * v) }
        parts[dimension].starts.append((error, paths))
        // A batch that starts beside an end has a way to it, and pieces for that.
        for other in [paths[0], paths[7]] { parts[dimension].bound.include(other.error(within: source.tolerance)) }
      }
      // Twice the differences: between these starts the duration may be longer or shorter than at all of them.
      durationError = 2 * parts[dimension].widened(durationError / 2, exact.duration, \.duration)
    }
  }

  /// The duration of the clip in seconds.
  package var duration: Double { clip.duration }

  /// The same clip from other values and velocities, which have errors in the batch.
  package func restarted(from samples: [MotionSample]) throws(ClipError) -> ClipContent {
    let other = try clip.restarted(from: samples.map(\.value), velocity: samples.map(\.velocity))
    return ClipContent(other, from: samples)
  }

  /// Moments of a range at which a dimension is in a piece shorter than some seconds: right after the start of each such
  /// piece, at its end, and three in between; nil if they are too many.
  func moments(ofDimension dimension: Int, in range: ClosedRange<Double>, shorterThan seconds: Double) -> [Double]? {
    guard let times = clip.tracks.first(where: { $0.components.contains(dimension) })?.times else { return [] }
    let first = times.indices.endOfPrefix { times[$0] < range.lowerBound }
    var moments: [Double] = []
    for end in max(1, first)..<max(1, times.count) {
      let (start, length) = (times[end - 1], times[end] - times[end - 1])
      if start > range.upperBound { break }
      guard length < seconds else { continue }
      moments += [start.nextUp, start + length / 4, start + length / 2, start + length * 0.75, times[end]].filter {
        range.contains($0)
      }
      if moments.count > 1000 { return nil }
    }
    return moments
  }

  /// The state of a dimension at a time of the clip, at the clip's own speed.
  package func sample(_ dimension: Int, at time: Double) -> MotionSample {
    var sample = state(dimension, at: time)
    guard time == 0 else { return sample }
    // Where a clip jumps at its very start, a batch may show that it stands.
    let (step, speed) = (0x1p-30 * duration, abs(sample.velocity))
    let way = abs(state(dimension, at: step).value - sample.value)
    if way > 2 * (speed * step + sample.bound.value) { sample.bound.velocity += speed }
    return sample
  }

  private func state(_ dimension: Int, at time: Double) -> MotionSample {
    let part = parts[dimension]
    // The clip stands outside its duration; a path that ends earlier stands from its own end on.
    var sample = MotionSample(
      value: part.path?.value(at: time) ?? clip.value(dimension: dimension, at: time),
      velocity: part.path?.velocity(at: time) ?? clip.velocity(dimension: dimension, at: time), bound: part.bound)
    // The velocity of a vertical curve is any number.
    if !sample.velocity.isFinite { (sample.velocity, sample.bound.velocity) = (0, .infinity) }
    sample.bound.value = part.widened(sample.bound.value, sample.value) { $0.value(at: time) }
    sample.bound.velocity = part.widened(sample.bound.velocity, sample.velocity) { $0.velocity(at: time) }
    return sample
  }
}

extension KeyframePath<Double> {
  /// The error of pieces that follow the path within a tolerance; none if all keyframes are cubics, and so exact.
  fileprivate func error(within tolerance: Double) -> ErrorBound {
    var (shape, isExact) = (CurveBound(duration: duration, value(at:), velocity: velocity(at:)), true)
    // The way of a keyframe, which a spring that is cut short does not cover; a spring counts velocity/ω₀ if that is more.
    let ways = segments.map { segment in
      switch segment.path {
      case .move, .cubic: return 0.0
      case .linear(let from, let to, let curve):
        isExact = isExact && curve == .linear
        shape.include(curve, over: abs(to - from), segment.duration)
        return abs(to - from)
      case .spring(let spring, let from, let to, let velocity):
        isExact = false
        guard spring.duration > 0 else { return abs(to - from) }
        shape.include(spring, from: to - from, velocity)
        return max(abs(to - from), abs(velocity) / spring.naturalFrequency)
      }
    }
    return isExact ? ErrorBound() : shape.error(within: tolerance * max(shape.range, ways.max() ?? 0))
  }
}
