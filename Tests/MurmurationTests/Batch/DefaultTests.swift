// SPDX-License-Identifier: MIT
import Murmuration
import Testing

/// Calls that leave an argument out do as SwiftUI does.
struct DefaultTests {
  @Test func anAnimationThatIsNotNamedIsTheDefaultOne() throws {
    var batch = try AnimationBatch<Float>()
    var named = try AnimationBatch<Float>()
    let (tracks, twins) = (try batch.add([0, 0, 0]), try named.add([0, 0, 0]))
    try batch.animate(tracks[0], to: 5)
    try batch.animate([tracks[1]], to: [6])
    try batch.animate(2..<3, toPlanar: [7].span)
    for (twin, goal) in zip(twins, [Float(5), 6, 7]) { try named.animate(twin, to: goal, .default) }
    try batch.advance(to: 0.2)
    try named.advance(to: 0.2)
    let same = zip(tracks, twins).allSatisfy { batch[$0] == named[$1] }
    let shown = batch[tracks[0]] ?? 0
    #expect(same && shown > 0.5 && shown < 4.9)
    try batch.animate(.all, to: 9)
    try batch.advance(by: 0.01)
    let goes = batch[tracks[0]] ?? 9
    #expect(goes < 8)
    try batch.animate(tracks[0], to: -1, nil)
    let jumped = batch[tracks[0]]
    #expect(jumped == -1)
  }

  @Test func whatIsSetWithoutAVelocityStands() throws {
    var batch = try AnimationBatch<SIMD2<Float>>()
    let tracks = try batch.add([[0, 0], [0, 0]])
    try batch.animate(tracks, to: [[5, 5], [5, 5]], .bouncy)
    try batch.advance(to: 0.1)
    try batch.set(tracks[0], [1, 2])
    try batch.displace([tracks[1]], [[3, 4]])
    let (first, second) = (batch[tracks[0]], batch.velocity(of: tracks[1]))
    #expect(first == [1, 2] && second == .zero)
    try batch.advance(to: 0.3)
    let (stays, goes) = (batch[tracks[0]], batch[tracks[1]] ?? .zero)
    #expect(stays == [1, 2] && goes != [3, 4])
    var dynamic = try AnimationBatch<Components>(dimensions: 3)
    let track = try dynamic.add([1, 2, 3])
    try dynamic.set(track, [4, 5, 6])
    let (value, velocity) = (dynamic[track], dynamic.velocity(of: track))
    #expect(value == [4, 5, 6] && velocity == [0, 0, 0])
  }

  /// A delay of the call takes over at its moment; one on the animation adds its effect.
  @Test func oneCallMayWait() throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([0, 0])
    try batch.animate(tracks, to: [10, 10], .smooth)
    try batch.advance(to: 0.1)
    try batch.animate(tracks[0], to: -10, .snappy, delay: 0.2)
    try batch.retarget(tracks[1], to: -10, delay: 0.2)
    let targets = tracks.map { batch.target(of: $0) }
    #expect(targets == [10, 10])
    try batch.advance(to: 0.31)
    let later = tracks.map { batch.target(of: $0) }
    #expect(later == [-10, -10])
    #expect(throws: BatchError.self) { try batch.animate(tracks[0], to: 1, delay: -1) }
  }
}
