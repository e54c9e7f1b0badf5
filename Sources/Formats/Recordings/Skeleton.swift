// SPDX-License-Identifier: MIT

/// A tree of joints that the values of a frame move, as motion capture and glTF files describe it. Its second axis points
/// up.
public struct Skeleton: Sendable, Equatable {
  /// A number: one that is given, or a value of the frame.
  package struct Source: Sendable, Equatable {
    var constant: Float
    /// The index of the value; negative for the constant.
    var index = -1

    @inline(__always)
    func number(_ value: (Int) -> Float) -> Float { index >= 0 ? value(index) : constant }
  }

  /// One joint and its place in the joint above it.
  package struct Joint: Sendable, Equatable {
    /// The index of the joint above, which comes before this one; nil for a root.
    package var parent: Int?
    /// Whether a value moves this joint or one above it.
    package internal(set) var isMoved = false
    var translation = [Source](repeating: Source(constant: 0), count: 3)
    /// Turns about an axis by a value in degrees, from the outermost to the innermost.
    var turns: [(axis: Int, value: Int)] = []
    /// A rotation as a quaternion: x, y, z, w.
    var rotation = [Float(0), 0, 0, 1].map { Source(constant: $0) }
    var scale = [Source](repeating: Source(constant: 1), count: 3)
    /// A transform that stands in place of all of these.
    var matrix: Transform?

    package static func == (left: Joint, right: Joint) -> Bool {
      left.parent == right.parent && left.isMoved == right.isMoved && left.translation == right.translation
        && left.rotation == right.rotation && left.scale == right.scale && left.matrix == right.matrix
        && left.turns.elementsEqual(right.turns) { $0 == $1 }
    }
  }

  /// The joints; each comes after the one above it.
  package internal(set) var joints: [Joint] = []
  /// The number of values of a frame.
  package internal(set) var width: Int

  init(width: Int) { self.width = width }

  /// The joints that are joined to a moving one above: the bones.
  package var bones: [(from: Int, to: Int)] {
    joints.indices.compactMap { index in
      guard joints[index].isMoved, let parent = joints[index].parent, joints[parent].isMoved else { return nil }
      return (parent, index)
    }
  }

  /// The positions of all joints, for values that `value` returns by their index.
  package func pose(_ value: (Int) -> Float, into positions: inout [SIMD3<Float>], _ transforms: inout [Transform]) {
    positions.removeAll(keepingCapacity: true)
    transforms.removeAll(keepingCapacity: true)
    for joint in joints {
      var transform = joint.transform(value)
      if let parent = joint.parent { transform = transforms[parent].applied(to: transform) }
      transforms.append(transform)
      positions.append(transform.origin)
    }
  }
}

/// A linear map and a translation, in three dimensions.
package struct Transform: Sendable, Equatable {
  /// The images of the three axes.
  var x: SIMD3<Float>
  var y: SIMD3<Float>
  var z: SIMD3<Float>
  /// The image of the origin.
  package var origin: SIMD3<Float>

  /// The position to which a point is moved.
  func point(_ p: SIMD3<Float>) -> SIMD3<Float> { x * p.x + y * p.y + z * p.z + origin }

  /// First `inner`, then this transform.
  func applied(to inner: Transform) -> Transform {
    func turned(_ v: SIMD3<Float>) -> SIMD3<Float> { x * v.x + y * v.y + z * v.z }
    return Transform(x: turned(inner.x), y: turned(inner.y), z: turned(inner.z), origin: point(inner.origin))
  }
}
