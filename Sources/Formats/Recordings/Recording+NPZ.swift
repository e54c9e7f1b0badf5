// SPDX-License-Identifier: MIT

extension Recording {
  /// The recording in a `.npz` file: its array `values`, or the only one beside `times`.
  ///
  /// The shapes are those of ``init(npy:)``. An array `times` of evenly spaced seconds, one a frame, gives the rate.
  /// - Throws: ``FileError`` with the array.
  public init(npz bytes: [UInt8]) throws(FileError) {
    let archive = try NPZArchive(bytes)
    let candidates = archive.names.filter { $0 != "times" && $0 != "velocities" }
    let name = archive["values"] != nil ? "values" : candidates.first ?? ""
    guard let array = archive[name], name == "values" || candidates.count == 1 else {
      throw FileError("holds \(candidates.count) arrays, none of them called “values”")
    }
    var rate: Double?
    if case .float64(let times)? = archive["times"]?.elements, times.count == array.shape.first {
      rate = Recording.rate(ofTimes: times)
    }
    do { try self.init(npy: array.npy, framesPerSecond: rate) } catch { throw error.within(name) }
  }

  /// Frames per second of evenly spaced times; nil for others.
  private static func rate(ofTimes times: [Double]) -> Double? {
    guard let first = times.first, let last = times.last, times.count > 1, (last - first).isFinite else { return nil }
    let step = (last - first) / Double(times.count - 1)
    guard step >= 1e-4, step <= 1e4 else { return nil }
    let isEven = times.indices.allSatisfy { abs(times[$0] - (first + Double($0) * step)) <= 1e-6 * step }
    let whole = (1 / step).rounded()
    return isEven ? abs(step * whole - 1) < 1e-9 ? whole : 1 / step : nil
  }
}
