// SPDX-License-Identifier: MIT
import Foundation
import Murmuration

extension BatchBench {
  /// Frames of mixed tracks with one thread and with two, one after the other as a program that computes does: ten of each by
  /// turns, of which the first two only bring the columns back to the caches. Beside them the fastest copies of as many bytes
  /// by one thread and by two, as no frame scales better than memory does. And single frames after a pause, as a program that
  /// draws does: the columns are cold, and the second thread has to be woken.
  func threads() throws -> [OperationResult] {
    var one = try batch(.mixed)
    var two = try batch(.mixed)
    two.threadCount = 2
    let step = Self.frame / 100
    var (alone, together): ([Double], [Double]) = ([], [])
    var (aloneAfterPause, togetherAfterPause): ([Double], [Double]) = ([], [])
    let copy = CopyYardstick(bytes: one.bytesPerFrame)
    var (copies, halves): ([Double], [Double]) = ([], [])
    for _ in 0..<rounds {
      alone += try (0..<10).map { _ in try time { try one.advance(by: step) } }.dropFirst(2)
      together += try (0..<10).map { _ in try time { try two.advance(by: step) } }.dropFirst(2)
      copies.append(copy.nanoseconds(threads: 1))
      halves.append(copy.nanoseconds(threads: 2))
      usleep(2000)
      aloneAfterPause.append(try time { try one.advance(by: step) })
      usleep(2000)
      togetherAfterPause.append(try time { try two.advance(by: step) })
    }
    func ratio(_ numerator: [Double], _ denominator: [Double]) -> Double {
      numerator.sorted()[numerator.count / 2] / denominator.sorted()[denominator.count / 2]
    }
    return [
      OperationResult("frame.mixed.1-thread", tracks: tracks, called: tracks, alone),
      OperationResult(
        "frame.mixed.2-threads", tracks: tracks, called: tracks, together, ratio: ratio(together, alone)),
      OperationResult("yardstick.copy.1-thread", tracks: tracks, called: tracks, copies),
      OperationResult("yardstick.copy.2-threads", tracks: tracks, called: tracks, halves, ratio: ratio(halves, copies)),
      OperationResult("frame.mixed.1-thread.after-pause", tracks: tracks, called: tracks, aloneAfterPause),
      OperationResult(
        "frame.mixed.2-threads.after-pause", tracks: tracks, called: tracks, togetherAfterPause,
        ratio: ratio(togetherAfterPause, aloneAfterPause)),
    ]
  }
}
