// SPDX-License-Identifier: MIT
import AnimationModel
import Murmuration

// Rotations beside springs of four components, in the same run.
extension ChangeBench {
  /// A batch that closures share.
  private final class Rotations {
    var batch: RotationBatch
    init(_ batch: consuming RotationBatch) { self.batch = batch }
  }

  private static let four = "rotations.four-components"

  /// Springs of one call and of their own, and followers with a new goal for all in every frame, as columns.
  func rotations() throws -> [OperationResult] {
    var random = SplitMix64(seed: 5)
    let goals = (0..<2).map { _ in (0..<tracks).map { _ in Self.rotation(&random) } }
    let planar = goals.map { set in (0..<4).flatMap { part in set.map { Float($0.quaternion[part]) } } }
    let slow = Spring(duration: 100)
    var works: [Work] = []
    for (name, isOwn) in [("one-spring", false), ("springs-each", true)] {
      let springs = self.springs.map { Spring(duration: 100 * $0.duration, bounce: $0.bounce) }
      let plain = SharedBatch(try AnimationBatch<SIMD4<Float>>(reservingCapacity: tracks))
      let handles = try plain.batch.add([SIMD4<Float>](repeating: .zero, count: tracks))
      let turning = Rotations(try RotationBatch(reservingCapacity: tracks))
      let turned = try turning.batch.add(goals[0])
      let ends = goals[1].map { SIMD4<Float>($0.quaternion) }
      if isOwn {
        try plain.batch.animate(handles, to: ends, springs: springs)
        try turning.batch.animate(turned, to: goals[1], springs: springs)
      } else {
        try plain.batch.animate(handles, to: ends, .spring(slow))
        try turning.batch.animate(turned, to: goals[1], .spring(slow))
      }
      try plain.batch.advance(to: 0.1)
      try turning.batch.advance(to: 0.1)
      works.append(Work(name: "\(Self.four).\(name)") { try plain.batch.advance(by: 1e-6) })
      works.append(
        Work(name: "rotations.\(name)", yardstick: "\(Self.four).\(name)") { try turning.batch.advance(by: 1e-6) })
    }
    let following = Rotations(try RotationBatch(reservingCapacity: tracks))
    let followers = try following.batch.add(goals[0])
    try following.batch.follow(followers, with: spring)
    var set = 0
    works.append(
      Work(name: "rotations.following") {
        set = 1 - set
        try following.batch.setGoals(of: .all, planar: planar[set])
        try following.batch.advance(by: Self.frame)
      })
    return try rows(works)
  }

  private static func rotation(_ random: inout SplitMix64) -> Rotation {
    Rotation(
      vector: SIMD3(random.uniform(-1.5...1.5), random.uniform(-1.5...1.5), random.uniform(-1.5...1.5)))
  }
}
