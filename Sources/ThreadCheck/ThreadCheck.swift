// SPDX-License-Identifier: MIT

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A small program for the thread sanitizer, built in seconds from the two files in which threads meet.
///
/// Pools of several sizes do many jobs. Parts read numbers that the caller wrote before the job, and write numbers that
/// the caller reads afterwards and hands out again. Unless each job is handed over and back properly, that is a race.
/// Pauses let the workers fall asleep.
@main
enum ThreadCheck {
  private static let parts = 24

  static func main() {
    var sum = 0
    for count in 2...6 {
      // A pool that is dropped before its threads ran, and others that are dropped while they watch or sleep.
      _ = WorkerPool(count: count)
      let pool = WorkerPool(count: count)
      let numbers = UnsafeMutablePointer<Int>.allocate(capacity: parts)
      numbers.initialize(repeating: 0, count: parts)
      for job in 0..<2000 {
        for part in 0..<parts { numbers[part] += job }
        pool.run(numbers, parts: parts) { context, index, _ in
          context.assumingMemoryBound(to: Int.self)[index] += 1
        }
        if job % 100 == 99 { usleep(1000) }
      }
      sum += (0..<parts).reduce(0) { $0 + numbers[$1] }
      numbers.deallocate()
    }
    let expected = 5 * parts * (1999 * 2000 / 2 + 2000)
    precondition(sum == expected, "the parts of the jobs add up to \(sum), not \(expected)")
  }
}
