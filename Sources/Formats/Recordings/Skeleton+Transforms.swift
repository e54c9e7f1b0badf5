// SPDX-License-Identifier: MIT
import Kernels

extension Skeleton.Joint {
  /// The place of the joint in the one above it.
  func transform(_ value: (Int) -> Float) -> Transform {
    if let matrix { return matrix }
    func vector(_ sources: [Skeleton.Source]) -> SIMD3<Float> {
      SIMD3(sources[0].number(value), sources[1].number(value), sources[2].number(value))
    }
    let scale = vector(scale)
    var transform = Transform(x: [scale.x, 0, 0], y: [0, scale.y, 0], z: [0, 0, scale.z], origin: .zero)
    if turns.isEmpty {
      transform = Transform(
        quaternion: SIMD4(
          lowHalf: SIMD2(rotation[0].number(value), rotation[1].number(value)),
          highHalf: SIMD2(rotation[2].number(value), rotation[3].number(value)))
      ).applied(to: transform)
    } else {
      for turn in turns.reversed() {
        transform = Transform(axis: turn.axis, degrees: value(turn.value)).applied(to: transform)
      }
    }
    transform.origin = vector(translation)
    return transform
  }
}

extension Transform {
  /// A rotation about a coordinate axis; an angle that is not finite turns nothing.
  fileprivate init(axis: Int, degrees: Float) {
    let quarters = degrees.isFinite ? Double(degrees) / 90 : 0
    let (sine, cosine) = ReproducibleMath.sineAndCosine(quarterTurns: quarters)
    let (s, c) = (Float(sine), Float(cosine))
    switch axis {
    case 0: self.init(x: [1, 0, 0], y: [0, c, s], z: [0, -s, c], origin: .zero)
    case 1: self.init(x: [c, 0, -s], y: [0, 1, 0], z: [s, 0, c], origin: .zero)
    default: self.init(x: [c, s, 0], y: [-s, c, 0], z: [0, 0, 1], origin: .zero)
    }
  }

  /// The rotation of a quaternion x, y, z, w of any length but 0.
  fileprivate init(quaternion q: SIMD4<Float>) {
    let factor = 2 / max((q * q).sum(), .leastNormalMagnitude)
    let (x, y, z, w) = (q.x, q.y, q.z, q.w)
    self.init(
      x: [1 - factor * (y * y + z * z), factor * (x * y + z * w), factor * (x * z - y * w)],
      y: [factor * (x * y - z * w), 1 - factor * (x * x + z * z), factor * (y * z + x * w)],
      z: [factor * (x * z + y * w), factor * (y * z - x * w), 1 - factor * (x * x + y * y)], origin: .zero)
  }
}
