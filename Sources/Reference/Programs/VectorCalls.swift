// SPDX-License-Identifier: MIT
import Murmuration

// The calls about one track, whose value type follows from the dimensions of the batch.
extension SpringBatch {
  func shownValue(of handle: TrackHandle) throws(BatchError) -> Vector {
    switch dimensions {
    case 1: Vector(try value(of: handle, as: Float.self), 0, 0, 0)
    case 2: Vector(lowHalf: try value(of: handle, as: SIMD2<Float>.self), highHalf: .zero)
    case 3: Vector(try value(of: handle, as: SIMD3<Float>.self), 0)
    default: try value(of: handle)
    }
  }

  mutating func shownVelocity(of handle: TrackHandle) throws(BatchError) -> Vector {
    switch dimensions {
    case 1: Vector(try velocity(of: handle, as: Float.self), 0, 0, 0)
    case 2: Vector(lowHalf: try velocity(of: handle, as: SIMD2<Float>.self), highHalf: .zero)
    case 3: Vector(try velocity(of: handle, as: SIMD3<Float>.self), 0)
    default: try velocity(of: handle)
    }
  }

  func shownTarget(of handle: TrackHandle) throws(BatchError) -> Vector {
    switch dimensions {
    case 1: Vector(try target(of: handle, as: Float.self), 0, 0, 0)
    case 2: Vector(lowHalf: try target(of: handle, as: SIMD2<Float>.self), highHalf: .zero)
    case 3: Vector(try target(of: handle, as: SIMD3<Float>.self), 0)
    default: try target(of: handle)
    }
  }

  mutating func addTrack(
    _ spring: Spring, value: Vector, target: Vector, velocity: Vector
  ) throws(BatchError) -> TrackHandle {
    switch dimensions {
    case 1: try add(spring, value: value.x, target: target.x, velocity: velocity.x)
    case 2: try add(spring, value: value.lowHalf, target: target.lowHalf, velocity: velocity.lowHalf)
    case 3: try add(spring, value: value.xyz, target: target.xyz, velocity: velocity.xyz)
    default: try add(spring, value: value, target: target, velocity: velocity)
    }
  }

  mutating func retargetTrack(_ handle: TrackHandle, to target: Vector, spring: Spring?) throws(BatchError) {
    switch dimensions {
    case 1: try retarget(handle, to: target.x, spring: spring)
    case 2: try retarget(handle, to: target.lowHalf, spring: spring)
    case 3: try retarget(handle, to: target.xyz, spring: spring)
    default: try retarget(handle, to: target, spring: spring)
    }
  }

  mutating func setTrack(_ handle: TrackHandle, value: Vector, velocity: Vector) throws(BatchError) {
    switch dimensions {
    case 1: try set(handle, value: value.x, velocity: velocity.x)
    case 2: try set(handle, value: value.lowHalf, velocity: velocity.lowHalf)
    case 3: try set(handle, value: value.xyz, velocity: velocity.xyz)
    default: try set(handle, value: value, velocity: velocity)
    }
  }
}

extension SIMD4<Float> {
  fileprivate var xyz: SIMD3<Float> { SIMD3(x, y, z) }
}
