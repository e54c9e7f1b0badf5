// SPDX-License-Identifier: MIT
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Animations evaluated in Double, straight from the formulas of the glTF 2.0 specification, appendix C.
///
/// Slow and plain. Compiled clips are checked against it, and share no arithmetic with it.
package enum GLTFReference {
  /// The values of all channels at `time`, in seconds; values hold before the first key and after the last.
  package static func values(of animation: GLTFAnimation, at time: Double) -> [Double] {
    animation.channels.flatMap { values(of: $0, at: time) }
  }

  /// The value of a channel at `time`.
  package static func values(of channel: GLTFAnimation.Channel, at time: Double) -> [Double] {
    let sampler = channel.sampler
    let times = sampler.times
    // The last key at or before the time: if several keys have the same time, the last one wins.
    guard let key = lastKey(of: times, notAfter: time) else { return value(of: channel, key: 0) }
    guard key + 1 < times.count else { return value(of: channel, key: key) }
    let duration = times[key + 1] - times[key]
    let progress = (time - times[key]) / duration
    switch sampler.interpolation {
    case .step:
      return value(of: channel, key: key)
    case .linear:
      let (from, to) = (element(sampler, key), element(sampler, key + 1))
      return channel.path == .rotation
        ? sphericalInterpolation(from, to, progress)
        : zip(from, to).map { (1 - progress) * $0 + progress * $1 }
    case .cubicSpline:
      let spline = spline(sampler, key: key, duration: duration, progress: progress)
      return channel.path == .rotation ? normalized(spline) : spline
    }
  }

  private static func lastKey(of times: [Double], notAfter time: Double) -> Int? {
    var (low, high) = (0, times.count)
    while low < high {
      let middle = (low + high) / 2
      if times[middle] <= time { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? nil : low - 1
  }

  private static func element(_ sampler: GLTFAnimation.Sampler, _ key: Int, part: Int = 1) -> [Double] {
    let start = sampler.position(key: key, part: part)
    return Array(sampler.values[start..<(start + sampler.width)])
  }

  /// The value of a channel at a key.
  package static func value(of channel: GLTFAnimation.Channel, key: Int) -> [Double] {
    let value = element(channel.sampler, key)
    return channel.path == .rotation && channel.sampler.interpolation == .cubicSpline ? normalized(value) : value
  }

  /// sin(a(1 − t))/sin(a)·v₀ + s·sin(at)/sin(a)·v₁ with a = arccos |d|, s the sign of d = v₀·v₁.
  private static func sphericalInterpolation(_ from: [Double], _ to: [Double], _ progress: Double) -> [Double] {
    let dot = zip(from, to).reduce(0) { $0 + $1.0 * $1.1 }
    let sign = dot < 0 ? -1.0 : 1.0
    // The arc cosine of |d|, from the lengths of difference and sum: near 1, d itself loses the angle.
    let difference = zip(from, to).reduce(0) { $0 + ($1.0 - sign * $1.1) * ($1.0 - sign * $1.1) }.squareRoot()
    let sum = zip(from, to).reduce(0) { $0 + ($1.0 + sign * $1.1) * ($1.0 + sign * $1.1) }.squareRoot()
    let angle = 2 * atan2(difference, sum)
    // Near 0 a great circle is a straight line.
    guard angle > 1e-9 else { return zip(from, to).map { (1 - progress) * $0 + progress * sign * $1 } }
    let first = sin(angle * (1 - progress)) / sin(angle)
    let second = sign * sin(angle * progress) / sin(angle)
    return zip(from, to).map { first * $0 + second * $1 }
  }

  /// (2t³ − 3t² + 1)v₀ + d(t³ − 2t² + t)b₀ + (−2t³ + 3t²)v₁ + d(t³ − t²)a₁, with a the in-tangents and b the out-tangents.
  private static func spline(
    _ sampler: GLTFAnimation.Sampler, key: Int, duration: Double, progress t: Double
  ) -> [Double] {
    let (start, end) = (element(sampler, key), element(sampler, key + 1))
    let (leaving, arriving) = (element(sampler, key, part: 2), element(sampler, key + 1, part: 0))
    let (square, cube) = (t * t, t * t * t)
    return start.indices.map { index in
      (2 * cube - 3 * square + 1) * start[index] + duration * (cube - 2 * square + t) * leaving[index]
        + (3 * square - 2 * cube) * end[index] + duration * (cube - square) * arriving[index]
    }
  }

  private static func normalized(_ rotation: [Double]) -> [Double] {
    let length = rotation.reduce(0) { $0 + $1 * $1 }.squareRoot()
    return length > 0 ? rotation.map { $0 / length } : rotation
  }
}
