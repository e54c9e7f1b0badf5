// SPDX-License-Identifier: MIT

/// Work whose bytes are known, at each size: what `murmuration plot` draws of a run.
package struct RooflinePanel: Equatable {
  /// One size of the work.
  package struct Point: Equatable {
    /// Bytes read and written each time.
    package let bytes: Double
    /// Billions of bytes a second.
    package let speed: Double
    /// The speed of the fastest copy of the same number of bytes.
    package let roof: Double

    /// The numbers that can be drawn. A run is a file, in which any others may stand.
    private static let drawable = 1e-9...1e18

    /// A point; nil for numbers that cannot be drawn.
    fileprivate init?(bytesPerTrack: Double, tracks: Int, nsPerTrack: Double, roof: Double) {
      (bytes, speed, self.roof) = (bytesPerTrack * Double(tracks), bytesPerTrack / nsPerTrack, roof)
      guard Self.drawable ~= bytes, Self.drawable ~= speed, Self.drawable ~= roof else { return nil }
    }
  }

  /// The work's name.
  package let name: String
  /// The points of each instruction set, or of the batch and of its yardstick in C; by size.
  package private(set) var lines: [(name: String, points: [Point])] = []

  package static func == (lhs: RooflinePanel, rhs: RooflinePanel) -> Bool {
    lhs.name == rhs.name && lhs.lines.map(\.name) == rhs.lines.map(\.name)
      && lhs.lines.map(\.points) == rhs.lines.map(\.points)
  }

  fileprivate init(_ name: String) { self.name = name }

  fileprivate mutating func add(_ point: Point, to line: String) {
    let place = lines.firstIndex { $0.name == line } ?? lines.count
    if place == lines.count { lines.append((line, [])) }
    lines[place].points.append(point)
    lines[place].points.sort { $0.bytes < $1.bytes }
  }
}

extension BenchReport {
  /// The work of the report whose bytes are known, in the order of its rows.
  package var rooflinePanels: [RooflinePanel] {
    var panels: [RooflinePanel] = []
    func add(_ point: RooflinePanel.Point, _ name: String, _ line: String) {
      let place = panels.firstIndex { $0.name == name } ?? panels.count
      if place == panels.count { panels.append(RooflinePanel(name)) }
      panels[place].add(point, to: line)
    }
    for row in results {
      let yardstick = KernelYardstick(rawValue: row.name)
      let point = RooflinePanel.Point(
        bytesPerTrack: Double(row.bytesPerTrack), tracks: row.tracks, nsPerTrack: row.nsPerTrack,
        roof: row.rooflineGBPerSecond)
      guard let point else { continue }
      add(point, yardstick?.work ?? row.name, yardstick.map { $0 == .libm ? "C, libm" : "C" } ?? row.isa)
    }
    func isYardstick(_ row: OperationResult) -> Bool { row.name.hasPrefix("yardstick") }
    // A yardstick stands in the panel of its work.
    let taken = Set(operations.compactMap { $0.bytesPerTrack == nil ? nil : $0.yardstick })
    for row in operations {
      guard let point = row.point else { continue }
      if isYardstick(row), taken.contains(row.name) { continue }
      add(point, row.name, isYardstick(row) ? "C" : "batch")
      let other = operations.first { $0.name == row.yardstick && $0.tracks == row.tracks && isYardstick($0) }
      if let point = other?.point { add(point, row.name, "C") }
    }
    return panels
  }
}

extension OperationResult {
  fileprivate var point: RooflinePanel.Point? {
    guard let bytesPerTrack, let rooflineGBPerSecond else { return nil }
    return RooflinePanel.Point(
      bytesPerTrack: bytesPerTrack, tracks: called, nsPerTrack: nsPerTrack, roof: rooflineGBPerSecond)
  }
}
