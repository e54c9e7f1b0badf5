/// Time spent in the kernels, measured around `advance` alone.
package struct KernelClock: Equatable, Sendable {
  /// The seconds spent.
  package private(set) var seconds = 0.0
  /// The track evaluations done in them: for each advance, the tracks of its batch.
  package private(set) var evaluations = 0

  /// The bytes that the columns of the evaluated tracks have, each counted once an evaluation.
  package private(set) var bytes = 0

  /// A clock that has measured nothing.
  package init() {}

  /// Runs `body`, which evaluates `tracks` tracks of `bytesPerTrack`, and adds its time.
  mutating func measure<E: Error>(tracks: Int, bytesPerTrack: Int, _ body: () throws(E) -> Void) throws(E) {
    let clock = ContinuousClock()
    let start = clock.now
    try body()
    let (whole, atto) = (clock.now - start).components
    seconds += Double(whole) + Double(atto) * 1e-18
    evaluations += tracks
    bytes += tracks * bytesPerTrack
  }

  /// This clock's and another's measurements together.
  static func + (left: KernelClock, right: KernelClock) -> KernelClock {
    var sum = left
    sum.seconds += right.seconds
    sum.evaluations += right.evaluations
    sum.bytes += right.bytes
    return sum
  }
}
