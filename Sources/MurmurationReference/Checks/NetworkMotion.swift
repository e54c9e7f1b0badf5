// SPDX-License-Identifier: MIT
package import ModalMotion
import Murmuration

/// A network of springs moved by its forces alone, in Double and at a tiny step; modal motion must agree with it.
///
/// The classic Runge–Kutta method of fourth order; no mode, matrix or closed form is involved.
package struct NetworkMotion {
  /// The second point of a grounding is −1: the first one's position at rest.
  private let springs: [(first: Int, second: Int, stiffness: Double, damping: Double)]
  private let inverseMasses: [Double]
  private let drag: Double
  package var positions, velocities: [Double]

  /// - Parameter dashpots: The damping of each link, in addition to the network's Rayleigh damping.
  package init(_ network: SpringNetwork, dashpots: [Double] = []) {
    let (α, β) = if case .rayleigh(let α, let β) = network.damping { (α, β) } else { (0.0, 0.0) }
    drag = α
    let links = network.links.enumerated().map { index, link in
      (link.first, link.second, link.stiffness, (dashpots.isEmpty ? 0 : dashpots[index]) + β * link.stiffness)
    }
    springs = links + network.groundings.map { ($0.point, -1, $0.stiffness, β * $0.stiffness) }
    inverseMasses = network.masses.enumerated().map { network.fixedPoints.contains($0) ? 0 : 1 / $1 }
    positions = Array(repeating: 0, count: network.pointCount)
    velocities = positions
  }

  /// The accelerations of all points.
  private func accelerations(_ u: [Double], _ v: [Double]) -> [Double] {
    var a = v.map { -drag * $0 }
    for (p, q, stiffness, damping) in springs {
      let (stretch, rate) = q < 0 ? (u[p], v[p]) : (u[p] - u[q], v[p] - v[q])
      let force = stiffness * stretch + damping * rate
      a[p] -= force * inverseMasses[p]
      if q >= 0 { a[q] += force * inverseMasses[q] }
    }
    return a
  }

  /// Moves on by some steps of `h` seconds.
  ///
  /// Never inlined: a check that inlined it would take as long to compile as a tenth of the module.
  @inline(never)
  package mutating func advance(steps: Int, step h: Double) {
    for _ in 0..<steps {
      let start = (positions, velocities)
      var (u, v) = start
      // The slope at the start, twice one in the middle, and one at the end; each but the last leads to the next.
      for (weight, part) in [(h / 6, h / 2), (h / 3, h / 2), (h / 3, h), (h / 6, 0)] {
        let (slope, acceleration) = (v, accelerations(u, v))
        for point in u.indices {
          positions[point] += weight * slope[point]
          velocities[point] += weight * acceleration[point]
          u[point] = start.0[point] + part * slope[point]
          v[point] = start.1[point] + part * acceleration[point]
        }
      }
    }
  }
}
