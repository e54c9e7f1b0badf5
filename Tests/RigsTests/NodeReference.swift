// SPDX-License-Identifier: MIT
import Murmuration
import Rigs

/// World matrices in Double, written apart from the library: a node's map is applied to points, and a matrix is what it
/// does to the origin and to the ends of the axes.
enum NodeReference {
  typealias Vector = SIMD3<Double>

  /// One node's properties in a pose.
  struct Local {
    var translation: [Double]
    var rotation: [Double]
    var scale: [Double]
    var matrix: [Double]?

    init(_ node: NodeHierarchy.Node) {
      translation = [node.translation.x, node.translation.y, node.translation.z].map(Double.init)
      rotation = [node.rotation.x, node.rotation.y, node.rotation.z, node.rotation.w].map(Double.init)
      scale = [node.scale.x, node.scale.y, node.scale.z].map(Double.init)
      matrix = node.matrix?.map(Double.init)
    }

    /// The place of a point in the node above.
    func place(_ p: Vector) -> Vector {
      if let m = matrix {
        return Vector(
          m[0] * p.x + m[4] * p.y + m[8] * p.z + m[12], m[1] * p.x + m[5] * p.y + m[9] * p.z + m[13],
          m[2] * p.x + m[6] * p.y + m[10] * p.z + m[14])
      }
      let scaled = p * Vector(scale[0], scale[1], scale[2])
      let length = rotation.reduce(0) { $0 + $1 * $1 }.squareRoot()
      let q = rotation.map { length > 0 ? $0 / length : $0 }
      // q · p · q*, by two products of quaternions.
      let turned =
        length > 0
        ? Self.product(Self.product(q, [scaled.x, scaled.y, scaled.z, 0]), [-q[0], -q[1], -q[2], q[3]])
        : [scaled.x, scaled.y, scaled.z, 0]
      return Vector(turned[0], turned[1], turned[2]) + Vector(translation[0], translation[1], translation[2])
    }

    private static func product(_ a: [Double], _ b: [Double]) -> [Double] {
      [
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
        a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
      ]
    }

    /// The largest factor of a length, at least.
    var largestScale: Double {
      guard let m = matrix else { return scale.map(abs).max() ?? 0 }
      return [0, 1, 2, 4, 5, 6, 8, 9, 10].reduce(0) { $0 + m[$1] * m[$1] }.squareRoot()
    }

    var distance: Double {
      let t = matrix.map { [$0[12], $0[13], $0[14]] } ?? translation
      return t.reduce(0) { $0 + $1 * $1 }.squareRoot()
    }
  }

  /// A matrix of sixteen elements, and the bounds that `NodeMatrices` states for it.
  struct Result {
    var matrix: [Double]
    var linearBound: Double
    var originBound: Double

    /// The largest share of its bound that an element's error takes.
    func error(of element: (Int) -> Float) -> Double {
      var worst = 0.0
      for index in 0..<16 where index % 4 != 3 {
        let difference = abs(Double(element(index)) - matrix[index])
        let bound = index < 12 ? linearBound : originBound
        worst = max(worst, difference == 0 ? 0 : difference / bound)
      }
      return worst
    }
  }

  /// The world matrix of a node, times a matrix if there is one.
  static func world(
    _ hierarchy: NodeHierarchy, _ node: Int, factor: [Float]? = nil, _ pose: (NodeChannel) -> [Double],
    _ channels: [NodeChannel]
  ) -> Result {
    var chain: [Local] = []
    var next: Int? = node
    while let index = next {
      var local = Local(hierarchy.nodes[index])
      for channel in channels where channel.node == index {
        switch channel.property {
        case .translation: local.translation = pose(channel)
        case .rotation: local.rotation = pose(channel)
        case .scale: local.scale = pose(channel)
        }
      }
      chain.insert(local, at: 0)
      next = hierarchy.nodes[index].parent
    }
    if let factor {
      var local = Local(NodeHierarchy.Node())
      local.matrix = factor.map(Double.init)
      chain.append(local)
    }
    func place(_ p: Vector) -> Vector { chain.reversed().reduce(p) { $1.place($0) } }
    let origin = place(.zero)
    let axes = [Vector(1, 0, 0), Vector(0, 1, 0), Vector(0, 0, 1)].map { place($0) - origin }
    var (scale, length) = (1.0, 0.0)
    for local in chain {
      length += scale * local.distance
      scale *= local.largestScale
    }
    let unit = 8 * Double(chain.count + 1) * 0x1p-24
    return Result(
      matrix: axes.flatMap { [$0.x, $0.y, $0.z, 0] } + [origin.x, origin.y, origin.z, 1], linearBound: unit * scale,
      originBound: unit * length)
  }
}
