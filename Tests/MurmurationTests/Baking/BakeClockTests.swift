// SPDX-License-Identifier: MIT
import Kernels
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// The first frame past a time is the one that a search frame by frame finds, even if the times of frames round to equal
/// numbers.
struct BakeClockTests {
  @Test(arguments: [(0, 60), (1e6, 60), (1e6, 1e12), (-1e6, 3e12), (1.7e9, 1e9), (1.7e9, 1e300), (0.1, 1e-3)])
  func endsAreThoseOfASearch(_ start: Double, _ perSecond: Double) {
    let clock = BakeClock(BakeTimes(BakeFrames(0..<320, perSecond: perSecond, start: start)))
    var changes = 0
    for frames in [0..<320, 256..<320, 300..<320, 7..<8] {
      for frame in frames where clock[frame] > clock[frames.lowerBound] {
        for time in [clock[frame].nextDown, clock[frame], clock[frame].nextUp] {
          changes += 1
          let until = frames.first { clock[$0] > time } ?? frames.upperBound
          guard time >= clock[frames.lowerBound] else { continue }
          #expect(clock.end(of: frames, until: time) == until, "\(time) in \(frames)")
        }
      }
      #expect(clock.end(of: frames, until: .infinity) == frames.upperBound)
    }
    #expect(changes > 0 || perSecond == 1e300)
  }
}
