// SPDX-License-Identifier: MIT
import Foundation
import Murmuration

// Examples of the documentation, as in `Examples.swift`: where to keep a batch.

// example: Sources/Murmuration/Murmuration.docc/Articles/KeepingABatch.md
@MainActor
final class Stage {
  private var batch: AnimationBatch<SIMD2<Float>>
  private let dots: [TrackHandle]

  init(count: Int) throws {
    batch = try AnimationBatch()
    dots = try batch.add([SIMD2<Float>](repeating: .zero, count: count))
  }

  func send(to goal: SIMD2<Float>) throws {
    try batch.animate(dots, to: dots.map { _ in goal }, .bouncy)
  }

  func frame(at time: Double, draw: (SIMD2<Float>) -> Void) throws {
    try batch.advance(to: time)
    for dot in dots { draw(batch[dot] ?? .zero) }
  }
}
// end

// example: Sources/Murmuration/Murmuration.docc/Articles/KeepingABatch.md
actor Simulation {
  private var batch: AnimationBatch<Float>

  init(_ batch: consuming AnimationBatch<Float>) { self.batch = batch }

  func values(at time: Double) throws -> [Float] {
    try batch.advance(to: time)
    var values = [Float](repeating: 0, count: batch.indexCount)
    try batch.copyValues(into: &values)
    return values
  }
}
// end

// example: Sources/Murmuration/Murmuration.docc/Articles/KeepingABatch.md
struct Level: ~Copyable {
  var positions: AnimationBatch<SIMD2<Float>>
  var colors: AnimationBatch<SIMD4<Float>>

  init() throws {
    let positions = try AnimationBatch<SIMD2<Float>>()
    let colors = try AnimationBatch<SIMD4<Float>>()
    self.positions = positions
    self.colors = colors
  }

  mutating func advance(to time: Double) throws {
    try positions.advance(to: time)
    try colors.advance(to: time)
  }
}
// end

extension Examples {
  static func goingBack(_ printer: inout Printer) throws {
    var batch = try AnimationBatch<Float>()
    let track = try batch.add(0, to: 1, .smooth)
    // example: Sources/Murmuration/Murmuration.docc/Articles/KeepingABatch.md
    var moment = try batch.snapshot()
    try batch.advance(by: 1 / 60)
    try batch.restore(moment)  // an input of that frame came late
    try batch.push(track, by: 3)
    try batch.snapshot(into: &moment)  // allocates nothing
    try batch.advance(by: 1 / 60)
    // end
    printer(moment.time)
    printer(batch.time)
  }
}

extension Examples {
  static func moving() async throws -> [Float] {
    // example: Sources/Murmuration/Murmuration.docc/Articles/KeepingABatch.md
    var batch = try AnimationBatch<Float>()
    try batch.add(0, to: 100, .smooth)
    let simulation = Simulation(batch)  // the actor owns it from here on
    let values = try await simulation.values(at: 10)
    // end
    return values
  }
}

// example: Sources/Murmuration/Murmuration.docc/Articles/KeepingABatch.md
func moving(_ tracks: borrowing some AnimatedTracks & ~Copyable) -> Int {
  (0..<tracks.indexCount).count { tracks.handle(at: $0).flatMap { tracks.isAtRest($0) } == false }
}
// end
