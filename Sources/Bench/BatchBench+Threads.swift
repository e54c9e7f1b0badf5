// SPDX-License-Identifier: MIT
import Foundation
import Murmuration

extension BatchBench {
  /// Frames of mixed tracks with one thread and with two, back to back, as in a program that computes. One and two threads
  /// take turns of ten frames, of which the first two only bring the columns back to the caches. Beside them are the
  /// fastest copies of the same number of bytes by one thread and by two: no frame scales better than memory. Then come
  /// single frames after a pause, as in a program that draws: the columns are cold, and the second thread must be woken.
  func threads() throws -> [OperationResult] {
    let (one, two) = (try shared(.mixed), try shared(.mixed))
    two.batch.threadCount = 2
    func frame(_ shared: SharedBatch<Float>) throws -> Double {
      try nanoseconds { try shared.batch.advance(by: Self.frame / 100, velocities: true) }
    }
    var (alone, together): ([Double], [Double]) = ([], [])
    var (aloneAfterPause, togetherAfterPause): ([Double], [Double]) = ([], [])
    let copy = CopyYardstick(bytes: one.batch.bytesPerFrame)
    var (copies, halves): ([Double], [Double]) = ([], [])
    for _ in 0..<rounds.count {
      alone += try (0..<10).map { _ in try frame(one) }.dropFirst(2)
      together += try (0..<10).map { _ in try frame(two) }.dropFirst(2)
      copies.append(copy.nanoseconds(threads: 1))
      halves.append(copy.nanoseconds(threads: 2))
      usleep(2000)
      aloneAfterPause.append(try frame(one))
      usleep(2000)
      togetherAfterPause.append(try frame(two))
    }
    func ratio(_ numerator: [Double], _ denominator: [Double]) -> Double {
      numerator.sorted()[numerator.count / 2] / denominator.sorted()[denominator.count / 2]
    }
    return [
      ("frame.mixed.1-thread", alone, nil), ("frame.mixed.2-threads", together, alone),
      ("yardstick.copy.1-thread", copies, nil), ("yardstick.copy.2-threads", halves, copies),
      ("frame.mixed.1-thread.after-pause", aloneAfterPause, nil),
      ("frame.mixed.2-threads.after-pause", togetherAfterPause, aloneAfterPause),
    ].map { name, taken, before in
      OperationResult(name, tracks: tracks, called: tracks, taken, ratio: before.map { ratio(taken, $0) })
    }
  }
}
