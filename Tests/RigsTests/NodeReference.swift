// SPDX-License-Identifier: MIT
import Murmuration
import Rigs

/// World matrices in Double, written apart from the library: a node's map is applied to points, and a matrix is what it
/// does to the origin and to the ends of the axes.
enum NodeReference {
  typealias Vector = SIMD3<Double>

  /// One node's properties in a pose.
  struct Local {
    var translation, scale: Vector
    var rotation: SIMD4<Double>
    var matrix: [Double]?

    init(_ node: NodeHierarchy.Node) {
      (translation, scale) = (Vector(node.translation), Vector(node.scale))
      rotation = SIMD4(node.rotation)
      matrix = node.matrix?.map(Double.init)
    }

    /// The place of a point in the node above.
    func place(_ p: Vector) -> Vector {
      if let m = matrix {
        let columns = [Vector(m[0], m[1], m[2]) * p.x, Vector(m[4], m[5], m[6]) * p.y, Vector(m[8], m[9], m[10]) * p.z]
        return columns.reduce(Vector(m[12], m[13], m[14]), +)
      }
      let scaled = p * scale
      let length = (rotation * rotation).sum().squareRoot()
      guard length > 0 else { return scaled + translation }
      // q · p · q*, by two products of quaternions.
      let q = rotation / length
      let turned = Self.product(Self.product(q, SIMD4(scaled, 0)), q * SIMD4(-1, -1, -1, 1))
      return Vector(turned.x, turned.y, turned.z) + translation
    }

    private static func product(_ a: SIMD4<Double>, _ b: SIMD4<Double>) -> SIMD4<Double> {
      SIMD4(
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z)
    }

    /// The largest factor of a length, at least.
    var largestScale: Double {
      guard let m = matrix else { return max(abs(scale.x), abs(scale.y), abs(scale.z)) }
      return [0, 1, 2, 4, 5, 6, 8, 9, 10].reduce(0) { $0 + m[$1] * m[$1] }.squareRoot()
    }

    var distance: Double {
      let t = matrix.map { Vector($0[12], $0[13], $0[14]) } ?? translation
      return (t * t).sum().squareRoot()
    }
  }

  /// A matrix of sixteen elements, and the bounds that `NodeMatrices` states for it.
  struct Result {
    var matrix: [Double]
    var linearBound, originBound: Double

    /// The largest share of its bound that an element's error takes.
    func error(of element: (Int) -> Float) -> Double {
      (0..<16).filter { $0 % 4 != 3 }.reduce(0) { worst, index in
        let difference = abs(Double(element(index)) - matrix[index])
        return max(worst, difference == 0 ? 0 : difference / (index < 12 ? linearBound : originBound))
      }
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
        let numbers = pose(channel)
        switch channel.property {
        case .translation: local.translation = Vector(numbers)
        case .rotation: local.rotation = SIMD4(numbers)
        case .scale: local.scale = Vector(numbers)
        }
      }
      chain.insert(local, at: 0)
      next = hierarchy.nodes[index].parent
    }
    if let factor { chain.append(Local(NodeHierarchy.Node(matrix: factor))) }
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
