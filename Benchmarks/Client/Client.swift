// SPDX-License-Identifier: MIT
// A program of a user, which Scripts/check-client builds and runs in debug and in release.
import Foundation
import ModalMotion
import Murmuration
import Rigs

/// Ends the program unless two numbers agree.
func expect(_ name: String, _ value: Double, _ wanted: Double, within tolerance: Double) {
  print("  \(name): \(value)")
  if !(abs(value - wanted) <= tolerance) {
    print("  wanted: \(wanted)")
    exit(1)
  }
}

@main
struct Client {
  struct Pose {
    var height = 0.0
  }

  static func main() throws {
    // Critically damped with a period of 1 s: 1 − (1 + 2πt) · e^(−2πt), at a quarter of a second 1 − (1 + π/2) · e^(−π/2).
    let wanted = 0.4655839487
    let spring = Spring(duration: 1, bounce: 0)
    let model = spring.value(target: 1.0, initialVelocity: 0.0, time: 0.25)
    expect("Spring", model, wanted, within: 1e-9)

    // The kernels for wide instruction sets come with the product.
    let processor = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    if processor.contains(" avx512vl "), !KernelSet.available.contains(.avx512) {
      print("  the product lacks the kernels for AVX-512")
      exit(1)
    }

    for set in KernelSet.available {
      var batch = try AnimationBatch<SIMD2<Float>>(kernels: set)
      let together = try batch.add([[0, 0], [0, 0]], to: [[1, 3], [2, 4]], spring)
      let alone = try batch.add([0, 0], to: [1, -1], spring)
      try batch.advance(to: 0.25)
      let (last, single) = (batch[together[1]] ?? .zero, batch[alone] ?? .zero)
      expect("AnimationBatch \(set) cohort", Double(last.y), 4 * wanted, within: 4e-6)
      expect("AnimationBatch \(set) alone", Double(single.y), -wanted, within: 1e-6)
    }

    try checkLiterals()
    try checkProducts()

    let timeline = KeyframeTimeline(initialValue: Pose()) {
      KeyframeTrack(\.height) {
        LinearKeyframe(10.0, duration: 0.2)
        LinearKeyframe(0.0, duration: 0.4)
      }
    }
    expect("KeyframeTimeline duration", timeline.duration, 0.6, within: 1e-12)
    expect("KeyframeTimeline value", timeline.value(time: 0.3).height, 7.5, within: 1e-9)
  }

  /// A mixer reads tracks; a point between two walls swings as its spring, 2 · cos(ωt) with ω² = 2 · 8.
  static func checkProducts() throws {
    var weights = try AnimationBatch<SIMD2<Float>>()
    try weights.add([SIMD2<Float>(1, 2), SIMD2<Float>(3, 4)])
    let layer = MixerLayer(.additive, trackCount: 2, shapes: [1, 10])
    var mixer = try Mixer(base: [100], layers: [layer], instances: 2)
    try mixer.set(0..<2, from: weights, indices: 0..<2)
    var mixed: [Float] = [0, 0]
    var outputs = mixed.mutableSpan
    try mixer.mix(into: &outputs)
    expect("Mixer", Double(mixed[1]), 143, within: 1e-4)

    guard (try? BLAS.requireUsable()) != nil else { return }
    var chain = try ModalBatch(ModalBasis(.chain(points: 3, stiffness: 8)), instances: 1)
    try chain.pluck(instance: 0, point: 1, by: 2)
    try chain.advance(to: 0.25)
    var places: [Float] = [0, 0, 0]
    var span = places.mutableSpan
    try chain.copyPositions(into: &span)
    expect("ModalBatch", Double(places[1]), 2 * 0.5403023059, within: 1e-5)
  }

  /// Calls with arrays that nothing else reads: an optimiser that takes a call for one that does not read them leaves them
  /// unwritten.
  static func checkLiterals() throws {
    typealias Point = SIMD2<Float>
    var batch = try AnimationBatch<Point>()
    func expectTarget(_ name: String, _ track: TrackHandle, _ wanted: Point) {
      let target = batch.target(of: track) ?? Point(repeating: .nan)
      expect("\(name) x", Double(target.x), Double(wanted.x), within: 0)
      expect("\(name) y", Double(target.y), Double(wanted.y), within: 0)
    }
    let tracks = try batch.add([Point(1, 2), Point(3, 4)])
    expectTarget("add", tracks[1], [3, 4])
    try batch.animate(tracks, to: [Point(5, 6), Point(7, 8)], .smooth)
    expectTarget("animate", tracks[1], [7, 8])
    try batch.animate(tracks, to: [Point(9, 1), Point(2, 3)], animations: [.smooth, .easeIn])
    expectTarget("animate by animations", tracks[1], [2, 3])
    try batch.animate(tracks, to: [Point(4, 5), Point(6, 7)], springs: [.bouncy, .snappy])
    expectTarget("animate by springs", tracks[1], [6, 7])
    try batch.retarget(tracks, to: [Point(8, 9), Point(1, 3)])
    expectTarget("retarget", tracks[1], [1, 3])
    try batch.set(tracks, [Point(2, 4), Point(6, 8)], velocities: [Point(0, 0), Point(0, 0)])
    expectTarget("set", tracks[1], [6, 8])
    let springs = try batch.add([Point(0, 0)], velocities: [Point(1, 1)], to: [Point(3, 5)], springs: [.bouncy])
    expectTarget("add by springs", springs[0], [3, 5])
    try batch.animate(springs[0], to: Point(7, 9), .smooth)
    expectTarget("animate one", springs[0], [7, 9])
    let cohort = try batch.add([Point(0, 0)], to: [Point(4, 2)], .smooth)
    expectTarget("add with a spring", cohort[0], [4, 2])
  }
}
