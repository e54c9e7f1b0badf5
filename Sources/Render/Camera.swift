// SPDX-License-Identifier: MIT
import Kernels

/// A camera that looks at the middle of a box and keeps all of it in the picture. The third coordinate points up.
package struct Camera: Equatable, Sendable {
  /// The corners of the box.
  package var low: SIMD3<Double>
  package var high: SIMD3<Double>
  /// Where the camera stands, seen from the middle: in degrees to the right of the second coordinate's negative side.
  package var azimuth = 0.0
  /// The height at which it stands, in degrees above the plane; 90 looks straight down.
  package var elevation = 90.0
  /// The angle of the picture from top to bottom, in degrees; 0 for parallel rays.
  package var lens = 0.0
  /// The rounds of the camera about the box, per second.
  package var turns = 0.0

  /// A camera that looks straight down on a box.
  package init(low: SIMD3<Double>, high: SIMD3<Double>) { (self.low, self.high) = (low, high) }

  /// The directions right, up and away of a camera, in the box's coordinates.
  private func axes(at time: Double) -> (right: SIMD3<Double>, up: SIMD3<Double>, away: SIMD3<Double>) {
    let around = ReproducibleMath.sineAndCosine(quarterTurns: azimuth / 90 + 4 * turns * time)
    let above = ReproducibleMath.sineAndCosine(quarterTurns: elevation / 90)
    let right = SIMD3(around.cosine, around.sine, 0)
    let level = SIMD3(-around.sine, around.cosine, 0)
    let straightUp = SIMD3(0, 0, 1.0)
    return (
      right, level * above.sine + straightUp * above.cosine, level * above.cosine - straightUp * above.sine
    )
  }

  /// How the camera shows points at `time`, in a picture of a size.
  ///
  /// The distance is that from which the box fits at every moment of the camera's round, so that nothing jumps.
  package func projection(at time: Double, width: Int, height: Int) -> Projection {
    let half = (high - low) / 2
    let views = turns == 0 ? [0] : (0..<24).map { Double($0) / 24 / turns }
    let sight = ReproducibleMath.sineAndCosine(quarterTurns: lens / 180)
    let (tangent, aspect) = (sight.sine / sight.cosine, Double(width) / Double(height))
    var (across, up, distance) = (1e-9, 1e-9, 1e-9)
    for view in views {
      let axes = axes(at: view)
      for corner in 0..<8 {
        let signs = SIMD3(corner & 1 == 0 ? -1.0 : 1, corner & 2 == 0 ? -1 : 1, corner & 4 == 0 ? -1 : 1)
        let point = half * signs
        let (x, y, away) = (
          abs((point * axes.right).sum()), abs((point * axes.up).sum()), (point * axes.away).sum()
        )
        (across, up) = (max(across, x), max(up, y))
        if lens > 0 { distance = max(distance, x / (tangent * aspect) - away, y / tangent - away) }
      }
    }
    let axes = axes(at: time)
    let scale =
      lens > 0
      ? Double(height) / 2 / (tangent * distance) : min(Double(width) / 2 / across, Double(height) / 2 / up)
    return Projection(
      target: SIMD3((low + high) / 2), right: SIMD3(axes.right), up: SIMD3(axes.up), away: SIMD3(axes.away),
      scale: Float(scale), distance: lens > 0 ? Float(distance) : .infinity,
      middle: SIMD2(Float(width) / 2, Float(height) / 2))
  }
}

/// Where a camera shows points at one moment.
package struct Projection: Sendable {
  let target: SIMD3<Float>
  let right: SIMD3<Float>
  let up: SIMD3<Float>
  let away: SIMD3<Float>
  /// The pixels of a unit of length at the middle of the box.
  package let scale: Float
  /// The distance of the middle; infinite for parallel rays.
  let distance: Float
  let middle: SIMD2<Float>

  /// The pixel at which a point shows, and how much larger than at the middle of the box a length shows there; NaN for a
  /// point behind the camera.
  @inline(__always)
  package func callAsFunction(_ x: Float, _ y: Float, _ z: Float) -> (x: Float, y: Float, factor: Float) {
    let point = SIMD3(x, y, z) - target
    let (across, up, depth) = ((point * right).sum(), (point * self.up).sum(), (point * away).sum())
    var factor: Float = 1
    if distance < .infinity {
      let ahead = distance + depth
      factor = ahead > distance * 0.04 ? distance / ahead : .nan
    }
    return (middle.x + scale * factor * across, middle.y - scale * factor * up, factor)
  }
}
