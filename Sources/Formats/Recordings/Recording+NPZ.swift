// SPDX-License-Identifier: MIT
import Text

extension Recording {
  /// The recording in a `.npz` file: its array `values`, or the only one beside `times`.
  ///
  /// The shapes are those of ``init(npy:)``. An array `times` of evenly spaced seconds, one a frame, gives the rate. Other
  /// arrays are not looked at, and may hold what is not read, such as texts.
  /// - Throws: ``FileError`` with the array.
  public init(npz bytes: [UInt8]) throws(FileError) {
    let directory = try ZipDirectory(bytes)
    let entries = try NPZArchive.named(directory)
    let candidates = entries.filter { $0.name != "times" && $0.name != "velocities" }
    let found = candidates.first { $0.name == "values" } ?? candidates.first
    guard let found, found.name == "values" || candidates.count == 1 else {
      throw FileError("holds \(candidates.count) arrays, none of them called “values”")
    }
    var times: NumPyArray?
    if let entry = entries.first(where: { $0.name == "times" })?.entry {
      let contents = try directory.contents(of: entry)
      do { times = try NumPyArray(npy: contents) } catch { throw error.within("times") }
    }
    let contents = try directory.contents(of: found.entry)
    do {
      let frames = try NPYHeader(contents).shape.first
      let rate = times.flatMap { $0.elements.count == frames ? Recording.rate(ofTimes: $0.elements) : nil }
      try self.init(npy: contents, framesPerSecond: rate)
    } catch { throw error.within(found.name.printable) }
  }

  /// Frames per second of evenly spaced times; nil for others.
  private static func rate(ofTimes elements: NumPyArray.Elements) -> Double? {
    // Float holds a time to within this share of it, after a product or a sum.
    let (times, share): ([Double], Double) =
      switch elements {
      case .float32(let numbers): (numbers.map { Double($0) }, 0x1p-22)
      case .float64(let numbers): (numbers, 0)
      }
    guard let first = times.first, let last = times.last, times.count > 1, (last - first).isFinite else { return nil }
    let step = (last - first) / Double(times.count - 1)
    guard step >= 1e-4, step <= 1e4 else { return nil }
    let rounding = share * max(abs(first), abs(last))
    let isEven = times.indices.allSatisfy { abs(times[$0] - (first + Double($0) * step)) <= 1e-6 * step + rounding }
    let whole = (1 / step).rounded()
    return isEven ? abs(step * whole - 1) < 1e-9 + 2 * rounding / (last - first) ? whole : 1 / step : nil
  }
}
