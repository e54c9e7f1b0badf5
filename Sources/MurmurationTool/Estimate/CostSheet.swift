// SPDX-License-Identifier: MIT
import Murmuration
import Text

/// A part of the cost of a frame: what is counted, of which batch, and where its memory lies.
struct CostTerm: Hashable {
  /// What is counted.
  enum Kind: String, CaseIterable {
    /// The fixed part of each advance of a batch.
    case advance = "advances"
    /// Tiles by the kernels that run over them.
    case uniform = "uniform tiles"
    case laneWise = "lane-wise tiles"
    case effects = "tiles of effects"
    case clips = "tiles of a clip"
    case pieces = "tiles of pieces"
    case following = "tiles that follow"
    /// Work of a frame that is no kernel over a tile.
    case due = "due tracks"
    case ends = "computed ends"
    case events

    /// Whether it is counted in tiles.
    var isTiles: Bool {
      switch self {
      case .advance, .due, .ends, .events: false
      default: true
      }
    }
  }

  /// A batch, as far as the cost of its frames depends on it.
  struct Shape: Hashable {
    /// The motions of the group.
    enum Family { case springs, clips, phases }

    let family: Family
    let dimensions: Int
    let velocities: Bool
    /// The group whose clip its tracks play; nil without one.
    var group: Int?
  }

  let kind: Kind
  let shape: Shape
  /// Whether the bytes of the frame are more than the second-level cache has.
  var isInMemory = false

  /// The terms of a frame of a batch, with their counts. Tiles are in memory if what the frame reads and writes is more than the
  /// second-level cache has; due tracks, which frames touch seldom, if the columns of all tracks are.
  static func counts(of work: BatchWork, _ shape: Shape, cacheBytes: Int) -> [(term: CostTerm, count: Int)] {
    let tiles = work.tiles
    let counts: [(Kind, Int)] = [
      (.uniform, tiles.uniform), (.laneWise, tiles.laneWise), (.effects, tiles.effects), (.clips, tiles.clips),
      (.pieces, tiles.pieces), (.following, tiles.following), (.due, work.dueTracks), (.ends, work.computedEnds),
      (.events, work.events),
    ]
    let columnBytes = 16 * tiles.all * (20 + 20 * shape.dimensions)
    return [(CostTerm(kind: .advance, shape: shape), 1)]
      + counts.map { kind, count in
        let bytes = kind.isTiles ? work.bytes : columnBytes
        return (CostTerm(kind: kind, shape: shape, isInMemory: bytes > cacheBytes), count)
      }
  }
}

/// A sum of counts, each of which costs some nanoseconds: of one frame, or of the mean of several.
struct CostSheet {
  private(set) var counts: [CostTerm: Double] = [:]

  /// Adds the terms of a frame of a batch.
  mutating func add(_ terms: [(term: CostTerm, count: Int)]) {
    for (term, count) in terms where count > 0 { counts[term, default: 0] += Double(count) }
  }

  /// The mean of sheets; empty if there are none.
  static func mean(of sheets: some Collection<CostSheet>) -> CostSheet {
    var mean = CostSheet()
    for sheet in sheets {
      for (term, count) in sheet.counts { mean.counts[term, default: 0] += count / Double(sheets.count) }
    }
    return mean
  }

  /// The sum in nanoseconds. Terms without a cost count as 0.
  func nanoseconds(_ costs: [CostTerm: Double]) -> Double { counts.keys.reduce(0) { $0 + cost($1, costs) } }

  /// The terms, the dearest first.
  func terms(_ costs: [CostTerm: Double]) -> [CostTerm] {
    counts.keys.sorted { cost($0, costs) > cost($1, costs) }
  }

  /// The nanoseconds of a term.
  func cost(_ term: CostTerm, _ costs: [CostTerm: Double]) -> Double { (counts[term] ?? 0) * (costs[term] ?? 0) }
}

/// Equations of some unknowns, of which none is negative, and which they fulfil only nearly.
struct NearEquations {
  private var rows: [(factors: [Double], sum: Double)] = []

  /// Adds an equation: the sum of the unknowns times their factors.
  mutating func add(_ factors: [Double], sum: Double) { rows.append((factors, sum)) }

  /// The unknowns with the least sum of squared errors: one after the other is chosen best, many times.
  func solution(unknowns: Int) -> [Double] {
    var solution = [Double](repeating: 0, count: unknowns)
    for _ in 0..<500 {
      for unknown in 0..<unknowns {
        var (product, square) = (0.0, 0.0)
        for row in rows {
          let others = (0..<unknowns).reduce(0) { $1 == unknown ? $0 : $0 + row.factors[$1] * solution[$1] }
          product += row.factors[unknown] * (row.sum - others)
          square += row.factors[unknown] * row.factors[unknown]
        }
        solution[unknown] = square > 0 ? max(0, product / square) : 0
      }
    }
    return solution
  }
}
