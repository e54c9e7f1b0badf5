// SPDX-License-Identifier: MIT
package import Murmuration

/// A network of springs moved by its forces alone, in Double and at a tiny step; modal motion must agree with it.
///
/// The classic Runge–Kutta method of fourth order; no mode, matrix or closed form is involved.
package struct NetworkMotion {
  private struct Spring {
    var first: Int
    /// −1 for the point's position at rest.
    var second: Int
    var stiffness: Double
    var damping: Double
  }

  private var springs: [Spring] = []
  private let inverseMasses: [Double]
  private let drag: Double
  package var positions: [Double]
  package var velocities: [Double]

  /// - Parameter dashpots: The damping of each link, in addition to the network's Rayleigh damping.
  package init(_ network: SpringNetwork, dashpots: [Double] = []) {
    var (mass, stiffness) = (0.0, 0.0)
    if case .rayleigh(let α, let β) = network.damping {
      (mass, stiffness) = (α, β)
    }
    drag = mass
    for (index, link) in network.links.enumerated() {
      let own = dashpots.isEmpty ? 0 : dashpots[index]
      springs.append(
        Spring(
          first: link.first, second: link.second, stiffness: link.stiffness, damping: own + stiffness * link.stiffness))
    }
    for held in network.groundings {
      springs.append(
        Spring(first: held.point, second: -1, stiffness: held.stiffness, damping: stiffness * held.stiffness))
    }
    var inverse = network.masses.map { 1 / $0 }
    for point in network.fixedPoints {
      inverse[point] = 0
    }
    inverseMasses = inverse
    positions = Array(repeating: 0, count: network.pointCount)
    velocities = positions
  }

  private func accelerations(_ u: [Double], _ v: [Double], into a: inout [Double]) {
    u.withUnsafeBufferPointer { u in
      v.withUnsafeBufferPointer { v in
        springs.withUnsafeBufferPointer { springs in
          for point in a.indices {
            a[point] = -drag * v[point]
          }
          for spring in springs {
            let (p, q) = (spring.first, spring.second)
            let stretch = u[p] - (q < 0 ? 0 : u[q])
            let rate = v[p] - (q < 0 ? 0 : v[q])
            let force = spring.stiffness * stretch + spring.damping * rate
            a[p] -= force * inverseMasses[p]
            if q >= 0 {
              a[q] += force * inverseMasses[q]
            }
          }
        }
      }
    }
  }

  /// Moves on by some steps of `h` seconds.
  ///
  /// Never inlined: a check that inlined it would take as long to compile as a tenth of the module.
  @inline(never)
  package mutating func advance(steps: Int, step h: Double) {
    var stages = Array(repeating: positions, count: 4)
    var slopes = stages
    for _ in 0..<steps {
      var (u, v) = (positions, velocities)
      for stage in 0..<4 {
        slopes[stage] = v
        accelerations(u, v, into: &stages[stage])
        let part = stage == 2 ? h : h / 2
        if stage < 3 {
          for point in u.indices {
            u[point] = positions[point] + part * slopes[stage][point]
            v[point] = velocities[point] + part * stages[stage][point]
          }
        }
      }
      for point in u.indices {
        positions[point] += h / 6 * (slopes[0][point] + 2 * (slopes[1][point] + slopes[2][point]) + slopes[3][point])
        velocities[point] += h / 6 * (stages[0][point] + 2 * (stages[1][point] + stages[2][point]) + stages[3][point])
      }
    }
  }
}
