// SPDX-License-Identifier: MIT
import Formats
import Murmuration
import Scenes
import Text

/// The estimated cost of the frames of a scene, and what they took, if that was measured.
struct SceneEstimate {
  /// A frame, or the mean of all.
  struct Column: Encodable {
    let name: String
    let estimated: Double
    let measured: Double?
    /// The estimate divided by what was measured.
    var ratio: Double? { measured.map { estimated / max($0, 1e-3) } }
  }

  private let scene: String
  private let sheets: (busiest: CostSheet, mean: CostSheet)
  private let costs: [CostTerm: Double]
  let busiest: Column
  let mean: Column

  /// The frames that are left out, unless there are no others.
  private static let firstFrames = 10

  /// Plays a scene, measures what its frames consist of, and adds it up.
  ///
  /// - Parameters:
  ///   - frames: The frames that count; those before them are played too.
  ///   - checks: Whether the frames of the scene are measured as well.
  init(_ playable: PlayableScene, frames: Range<Int>, kernels: KernelSet, checks: Bool, isQuiet: Bool) throws {
    let (all, bytes, tiles, clips) = try Self.sheets(playable, frames: frames, kernels)
    var calibration = CostCalibration(kernels: kernels, clips: clips, bytes: bytes, tiles: tiles)
    let terms = Set(all.flatMap(\.counts.keys))
    var progress = ProgressBar(
      total: CostCalibration.needed(for: terms).count, of: "measurements", isShown: !isQuiet)
    defer { progress.clear() }
    try calibration.measure(terms) { progress.update($0) }
    let costs = calibration.costs
    let estimates = all.map { $0.nanoseconds(costs) * 1e-3 }
    // The first frames touch memory that nothing has touched before, which takes longer than anything else.
    let counted = min(Self.firstFrames, all.count - 1)..<all.count
    let first = counted.max { estimates[$0] < estimates[$1] } ?? 0
    let measured = checks ? try Self.measure(playable, frames: frames, kernels) : nil
    func mean(_ numbers: [Double]) -> Double { numbers[counted].reduce(0, +) / Double(counted.count) }
    self.costs = costs
    scene = playable.scene.name
    sheets = (all[first], CostSheet.mean(of: all[counted]))
    busiest = Column(
      name: "frame \(frames.lowerBound + first)", estimated: estimates[first], measured: measured?[first])
    self.mean = Column(name: "mean of \(counted.count)", estimated: mean(estimates), measured: measured.map(mean))
  }

  /// The terms of each frame, and the largest advance.
  private static func sheets(
    _ playable: PlayableScene, frames: Range<Int>, _ kernels: KernelSet
  ) throws -> (sheets: [CostSheet], bytes: Int, tiles: Int, clips: [Int: Clip]) {
    var (sheets, bytes, tiles, clips) = ([CostSheet](), 0, 0, [Int: Clip]())
    var player = try ScenePlayer(playable, kernels: kernels)
    player.keepWork()
    for group in playable.scene.groups.indices { clips[group] = player.batchShape(ofGroup: group).clip }
    for frame in 0..<frames.upperBound {
      try player.advance(toFrame: frame) { Interruption.isNoted }
      try Interruption.check()
      var sheet = CostSheet()
      for group in playable.scene.groups.indices {
        let shape = player.shape(ofGroup: group)
        for work in player.takeWork(ofGroup: group) {
          (bytes, tiles) = (max(bytes, work.bytes), max(tiles, work.tiles.all))
          sheet.add(CostTerm.counts(of: work, shape, cacheBytes: CostCalibration.cacheBytes))
        }
      }
      if frames.contains(frame) { sheets.append(sheet) }
    }
    return (sheets, bytes, tiles, clips)
  }

  /// The microseconds of each frame in the calls that advance batches: the least of several runs, as other programs only
  /// ever make them longer.
  private static func measure(
    _ playable: PlayableScene, frames: Range<Int>, _ kernels: KernelSet
  ) throws -> [Double] {
    var quickest = [Double](repeating: .infinity, count: frames.count)
    let start = ContinuousClock.now
    for run in 0..<10 where run < 3 || ContinuousClock.now - start < .seconds(2) {
      var player = try ScenePlayer(playable, kernels: kernels)
      for frame in 0..<frames.upperBound {
        let before = player.frameSeconds
        try player.advance(toFrame: frame) { Interruption.isNoted }
        try Interruption.check()
        guard frames.contains(frame) else { continue }
        let own = frame - frames.lowerBound
        quickest[own] = min(quickest[own], (player.frameSeconds - before) * 1e6)
      }
    }
    return quickest
  }
}

extension ScenePlayer {
  /// The shape of the batch of a group.
  fileprivate func shape(ofGroup group: Int) -> CostTerm.Shape {
    let (dimensions, velocities, clip) = batchShape(ofGroup: group)
    let family: CostTerm.Shape.Family =
      switch playable.scene.groups[group].motion {
      case .springs, .animations, .networks: .springs
      case .timelines, .rigs: .clips
      case .phases: .phases
      }
    return CostTerm.Shape(
      family: family, dimensions: dimensions, velocities: velocities, group: clip == nil ? nil : group)
  }
}

// MARK: - Words

extension SceneEstimate {
  /// The most lines of terms; what costs least is added up in the last of them.
  private static let lines = 7

  /// The sum, in at most twelve lines.
  var text: String {
    let columns = [(busiest, sheets.busiest), (mean, sheets.mean)]
    var rows = [[scene.isEmpty ? "scene" : scene, "ns each", "count", "µs", "count", "µs"]]
    let terms = sheets.mean.terms(costs)
    let shown = terms.count > Self.lines ? terms.prefix(Self.lines - 1) : terms[...]
    for term in shown {
      rows.append(
        [name(term), NumberText.significant(costs[term] ?? 0, digits: 3)]
          + columns.flatMap { [NumberText.significant($1.counts[term] ?? 0, digits: 4), microseconds($1, [term])] })
    }
    if shown.count < terms.count {
      let others = Array(terms[shown.endIndex...])
      rows.append(["others", ""] + columns.flatMap { ["", microseconds($1, others)] })
    }
    rows.append(["sum", ""] + columns.flatMap { ["", number($0.0.estimated)] })
    if mean.measured != nil {
      rows.append(["measured", ""] + columns.flatMap { ["", number($0.0.measured ?? 0)] })
      rows.append(["ratio", ""] + columns.flatMap { ["", NumberText.fixed($0.0.ratio ?? 0, decimals: 2)] })
    }
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    let head = String(repeating: " ", count: widths[0] + 2 + widths[1])
    let titles = zip(columns, [2, 4]).map { column, place in
      column.0.name.paddedLeft(to: widths[place] + widths[place + 1] + 4)
    }
    let body = rows.map { row in
      row.indices.map { $0 == 0 ? row[$0].padded(to: widths[$0]) : row[$0].paddedLeft(to: widths[$0]) }.joined(
        separator: "  ")
    }
    return ([head + titles.joined()] + body).joined(separator: "\n") + "\n"
  }

  private func name(_ term: CostTerm) -> String {
    let place = term.isInMemory ? ", beyond L2" : ""
    guard term.kind.isTiles else { return term.kind.rawValue + place }
    return
      "\(term.kind.rawValue), \(term.shape.dimensions) \(term.shape.dimensions == 1 ? "component" : "components")\(place)"
  }

  private func microseconds(_ sheet: CostSheet, _ terms: [CostTerm]) -> String {
    number(terms.reduce(0) { $0 + sheet.cost($1, costs) } * 1e-3)
  }

  private func number(_ microseconds: Double) -> String { NumberText.fixed(microseconds, decimals: 2) }
}

/// An estimate, for `--json`; times are microseconds.
struct EstimateReport: Encodable {
  /// A term of the sum.
  struct Term: Encodable {
    let name: String
    let dimensions: Int
    let isInMemory: Bool
    let nsEach: Double
    let busiest: Double
    let mean: Double
  }

  let scene: String
  let terms: [Term]
  let busiest: SceneEstimate.Column
  let mean: SceneEstimate.Column
  let ratio: Double?
}

extension SceneEstimate {
  /// The estimate for other programs.
  var report: EstimateReport {
    EstimateReport(
      scene: scene,
      terms: sheets.mean.terms(costs).map {
        EstimateReport.Term(
          name: $0.kind.rawValue, dimensions: $0.shape.dimensions, isInMemory: $0.isInMemory, nsEach: costs[$0] ?? 0,
          busiest: sheets.busiest.counts[$0] ?? 0, mean: sheets.mean.counts[$0] ?? 0)
      }, busiest: busiest, mean: mean, ratio: mean.ratio)
  }
}
