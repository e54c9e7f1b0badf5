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
        bytes: Double(row.bytesPerTrack * row.tracks), speed: Double(row.bytesPerTrack) / row.nsPerTrack,
        roof: row.rooflineGBPerSecond)
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
    guard let bytesPerTrack, let rooflineGBPerSecond, nsPerTrack > 0 else { return nil }
    return RooflinePanel.Point(
      bytes: bytesPerTrack * Double(called), speed: bytesPerTrack / nsPerTrack, roof: rooflineGBPerSecond)
  }
}
