// SPDX-License-Identifier: MIT

/// A ``KeyframePath`` whose vectors are lists of components. Clips are compiled from it, whatever the type of vector.
package struct ComponentPath: Sendable {
  /// How a value gets from the start of a segment to its end.
  package enum Way: Sendable {
    case move
    case linear(UnitCurve)
    case cubic
    case spring(Spring)
  }

  /// One keyframe between its neighbours.
  package struct Segment: Sendable {
    package let way: Way
    /// Seconds from the start of the track.
    package let start: Double
    /// Seconds; zero for a move, else positive or infinite.
    package let duration: Double

    package init(way: Way, start: Double, duration: Double) {
      self.way = way
      self.start = start
      self.duration = duration
    }
  }

  /// The ends of one component of one segment.
  package struct Ends: Sendable {
    package var from = 0.0
    package var to = 0.0
    /// Velocities at the ends, per second: both for a cubic, the first for a spring, else zero.
    package var startVelocity = 0.0
    package var endVelocity = 0.0

    package init(from: Double, to: Double, startVelocity: Double = 0, endVelocity: Double = 0) {
      self.from = from
      self.to = to
      self.startVelocity = startVelocity
      self.endVelocity = endVelocity
    }
  }

  /// The number of components.
  package let width: Int

  /// The value before the start.
  package let initialValue: [Double]

  package let segments: [Segment]

  /// The ends of all components of the first segment, then of the second, and so on.
  package let ends: [Ends]

  package init(width: Int, initialValue: [Double], segments: [Segment], ends: [Ends]) {
    self.width = width
    self.initialValue = initialValue
    self.segments = segments
    self.ends = ends
  }
}

extension KeyframePath where Vector: ComponentVector {
  /// The path with its vectors as lists of components.
  package var componentPath: ComponentPath {
    let width = Vector.componentCount
    var ends: [ComponentPath.Ends] = []
    ends.reserveCapacity(width * segments.count)
    var list: [ComponentPath.Segment] = []
    list.reserveCapacity(segments.count)
    for segment in segments {
      let way: ComponentPath.Way
      switch segment.path {
      case .move(let to):
        way = .move
        for index in 0..<width { ends.append(ComponentPath.Ends(from: to[component: index], to: to[component: index])) }
      case .linear(let from, let to, let curve):
        way = .linear(curve)
        for index in 0..<width {
          ends.append(ComponentPath.Ends(from: from[component: index], to: to[component: index]))
        }
      case .cubic(let cubic):
        way = .cubic
        for index in 0..<width {
          ends.append(
            ComponentPath.Ends(
              from: cubic.from[component: index], to: cubic.to[component: index],
              startVelocity: cubic.startVelocity[component: index], endVelocity: cubic.endVelocity[component: index]))
        }
      case .spring(let spring, let from, let to, let velocity):
        way = .spring(spring)
        for index in 0..<width {
          ends.append(
            ComponentPath.Ends(
              from: from[component: index], to: to[component: index], startVelocity: velocity[component: index]))
        }
      }
      list.append(ComponentPath.Segment(way: way, start: segment.start, duration: segment.duration))
    }
    return ComponentPath(width: width, initialValue: initialValue.components, segments: list, ends: ends)
  }
}
