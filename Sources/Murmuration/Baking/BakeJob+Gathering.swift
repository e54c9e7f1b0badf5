// SPDX-License-Identifier: MIT
import Kernels

// Lanes in the order of indices, from wherever their tracks stand. Tracks that came together mostly stand together, so
// neighbours are copied as one.
extension BakeJob {
  /// Indices whose tracks stand in neighbouring rows and are of one kind.
  struct Segment {
    var count: Int
    /// The first row, or −1 if there is no track.
    var row: Int
    var kind: Int32
    /// The place of the cohort of the tracks; nil if they move alone.
    var cohort: Int?
  }

  /// The segment that begins at an index.
  func segment(at index: Int, limit: Int) -> Segment {
    guard slots.isLive(index) else {
      return Segment(count: 1, row: -1, kind: TileKind.free)
    }
    let row = slots.row(of: index)
    let kind = tiles.kind(ofRow: row)
    if kind == TileKind.shared {
      return Segment(count: 1, row: row, kind: kind, cohort: unsafe Int(columns.member[row]))
    }
    let neighbours = slots.neighbours(index..<limit)
    var tile = row / laneCountOfTile + 1
    while tile * laneCountOfTile < row + neighbours, tiles.kinds[tile] == kind {
      tile += 1
    }
    return Segment(
      count: min(neighbours, tile * laneCountOfTile - row), row: row, kind: kind,
      cohort: TileKind.isMixed(kind) ? nil : Int(kind - TileKind.firstCohort))
  }

  /// Gathers the lanes of some indices, and clears those behind them up to a whole tile.
  func gather(_ range: Range<Int>, into lanes: BakeLanes) {
    let isExact = unsafe times.each != nil
    let steadyFrequency = times.steadyFrequency
    var index = range.lowerBound
    while index < range.upperBound {
      let lane = index - range.lowerBound
      let segment = segment(at: index, limit: range.upperBound)
      if segment.row < 0 {
        lanes.clear(lane, isExact: isExact)
      } else {
        copyState(segment, to: lane, lanes)
        if let place = segment.cohort {
          copy(cohorts[place], count: segment.count, to: lane, lanes)
        } else {
          copyMixed(segment, steadyFrequency: steadyFrequency, to: lane, lanes)
        }
      }
      index += segment.count
    }
    for lane in range.count..<paddedCount(range.count) {
      lanes.clear(lane, isExact: isExact)
    }
  }

  /// Gathers displacement, amplitude and target alone, of indices that all have tracks.
  func gatherState(_ range: Range<Int>, into lanes: BakeLanes) {
    var index = range.lowerBound
    while index < range.upperBound {
      let segment = segment(at: index, limit: range.upperBound)
      copyState(segment, to: index - range.lowerBound, lanes)
      index += segment.count
    }
    for lane in range.count..<paddedCount(range.count) {
      unsafe (lanes.displacement[lane], lanes.amplitude[lane], lanes.target[lane]) = (0, 0, 0)
    }
  }

  private func copyState(_ segment: Segment, to lane: Int, _ lanes: BakeLanes) {
    let element = dimension * columns.dimensionStride + segment.row
    let count = segment.count
    unsafe (lanes.displacement + lane).update(from: columns.displacement + element, count: count)
    unsafe (lanes.amplitude + lane).update(from: columns.amplitude + element, count: count)
    unsafe (lanes.target + lane).update(from: columns.target + element, count: count)
  }

  /// - Parameter steadyFrequency: Springs that are quicker are computed from their start in each frame.
  private func copyMixed(_ segment: Segment, steadyFrequency: Double, to lane: Int, _ lanes: BakeLanes) {
    let (row, count) = (segment.row, segment.count)
    unsafe (lanes.start + lane).update(from: columns.start + row, count: count)
    unsafe (lanes.rate + lane).update(from: columns.rate + row, count: count)
    unsafe (lanes.restAge + lane).update(from: columns.restAge + row, count: count)
    unsafe (lanes.restTime + lane).update(repeating: .infinity, count: count)
    for offset in 0..<count {
      let coefficients = unsafe SpringCoefficients(
        isOverdamped: segment.kind == TileKind.overdamped, rate: columns.rate[row + offset],
        decay: columns.decay[row + offset])
      unsafe lanes.α[lane + offset] = coefficients.α
      unsafe lanes.κ[lane + offset] = coefficients.κ
      let isSteady = coefficients.naturalFrequency <= steadyFrequency
      unsafe lanes.isExact[lane + offset] = isSteady ? 0 : -1
    }
  }

  private func copy(_ cohort: Cohort, count: Int, to lane: Int, _ lanes: BakeLanes) {
    let coefficients = cohort.coefficients
    unsafe (lanes.start + lane).update(repeating: cohort.start, count: count)
    unsafe (lanes.rate + lane).update(repeating: coefficients.rate, count: count)
    unsafe (lanes.α + lane).update(repeating: coefficients.α, count: count)
    unsafe (lanes.κ + lane).update(repeating: coefficients.κ, count: count)
    unsafe (lanes.restAge + lane).update(repeating: .infinity, count: count)
    unsafe (lanes.restTime + lane).update(repeating: cohort.restTime ?? .infinity, count: count)
    unsafe (lanes.isExact + lane).update(repeating: -1, count: count)
  }

  private func paddedCount(_ count: Int) -> Int { (count + laneCountOfTile - 1) / laneCountOfTile * laneCountOfTile }
}
