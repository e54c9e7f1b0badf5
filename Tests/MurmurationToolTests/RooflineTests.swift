// SPDX-License-Identifier: MIT
import Testing

@testable import MurmurationTool

/// The sentence about a share of the roofline names the main reason for it.
struct RooflineTests {
  @Test(arguments: [
    (0.9, 1e9, 1.0, 1.0, 0.0, "about as fast as memory"), (0.1, 1e9, 1, 0.1, 1, "set out, complete or come to rest"),
    (0.1, 1e9, 1, 0.1, 0, "most tracks are at rest"), (0.1, 1e4, 5e-6, 1, 0, "takes 5 µs, of which its fixed cost"),
    (0.1, 1048576.0, 1e-3, 1, 0, "the 1000 KiB of a frame fit into caches"), (0.1, 1e9, 1, 1, 0, "more arithmetic"),
  ])
  func theSentenceSaysWhatIsKnown(
    share: Double, bytes: Double, seconds: Double, awake: Double, events: Double, words: String
  ) {
    let explanation = Roofline.explanation(
      share: share, bytesAtOnce: bytes, secondsPerFrame: seconds, awake: awake, events: events)
    #expect(explanation.contains(words), "\(explanation)")
  }

  @Test func nothingIsMeasuredWhereNothingMoved() {
    #expect(Roofline(bytes: 0, bytesAtOnce: 0, seconds: 0, frames: 0) == nil)
    #expect(Roofline(bytes: 10, bytesAtOnce: 10, seconds: 0, frames: 1) == nil)
  }
}
