// SPDX-License-Identifier: MIT
import Kernels

// Lanes in the order of indices, from wherever their tracks stand. Tracks that came together mostly stand together, so
// neighbours are copied as one.
extension BakeJob {
  /// Gathers the lanes of some indices, and clears those behind them up to a whole tile.
  func gather(_ range: Range<Int>, into lanes: BakeLanes) {
    let isExact = unsafe times.each != nil
    var index = range.lowerBound
    while index < range.upperBound {
      let lane = index - range.lowerBound
      guard slots.isLive(index) else {
        lanes.clear(lane, isExact: isExact)
        index += 1
        continue
      }
      let row = slots.row(of: index)
      let kind = tiles.kind(ofRow: row)
      let count = neighbours(index, row: row, kind: kind, limit: range.upperBound)
      copyState(row, count: count, to: lane, lanes)
      if TileKind.isMixed(kind) {
        copyMixed(row, count: count, isOverdamped: kind == TileKind.overdamped, isExact: isExact, to: lane, lanes)
      } else {
        let place = unsafe kind == TileKind.shared ? Int(columns.member[row]) : Int(kind - TileKind.firstCohort)
        copy(cohorts[place], count: count, to: lane, lanes)
      }
      index += count
    }
    clear(behind: range.count, lanes, isExact: isExact)
  }

  /// Gathers displacement, amplitude and target alone.
  func gatherState(_ range: Range<Int>, into lanes: BakeLanes) {
    var index = range.lowerBound
    while index < range.upperBound {
      let row = slots.row(of: index)
      let count = neighbours(index, row: row, kind: tiles.kind(ofRow: row), limit: range.upperBound)
      copyState(row, count: count, to: index - range.lowerBound, lanes)
      index += count
    }
    for lane in range.count..<paddedCount(range.count) {
      unsafe (lanes.displacement[lane], lanes.amplitude[lane], lanes.target[lane]) = (0, 0, 0)
    }
  }

  /// How many indices from one on have tracks in neighbouring rows of one kind, and of one cohort.
  private func neighbours(_ index: Int, row: Int, kind: Int32, limit: Int) -> Int {
    guard kind != TileKind.shared else {
      return 1
    }
    var count = 1
    while index + count < limit, slots.isLive(index + count), slots.row(of: index + count) == row + count,
      tiles.kind(ofRow: row + count) == kind
    {
      count += 1
    }
    return count
  }

  private func copyState(_ row: Int, count: Int, to lane: Int, _ lanes: BakeLanes) {
    let element = dimension * columns.dimensionStride + row
    unsafe (lanes.displacement + lane).update(from: columns.displacement + element, count: count)
    unsafe (lanes.amplitude + lane).update(from: columns.amplitude + element, count: count)
    unsafe (lanes.target + lane).update(from: columns.target + element, count: count)
  }

  private func copyMixed(
    _ row: Int, count: Int, isOverdamped: Bool, isExact: Bool, to lane: Int, _ lanes: BakeLanes
  ) {
    unsafe (lanes.start + lane).update(from: columns.start + row, count: count)
    unsafe (lanes.rate + lane).update(from: columns.rate + row, count: count)
    unsafe (lanes.restAge + lane).update(from: columns.restAge + row, count: count)
    unsafe (lanes.restTime + lane).update(repeating: .infinity, count: count)
    unsafe (lanes.isExact + lane).update(repeating: isExact ? -1 : 0, count: count)
    for offset in 0..<count {
      let coefficients = unsafe SpringCoefficients(
        isOverdamped: isOverdamped, rate: columns.rate[row + offset], decay: columns.decay[row + offset])
      unsafe lanes.α[lane + offset] = coefficients.α
      unsafe lanes.κ[lane + offset] = coefficients.κ
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

  private func clear(behind count: Int, _ lanes: BakeLanes, isExact: Bool) {
    for lane in count..<paddedCount(count) {
      lanes.clear(lane, isExact: isExact)
    }
  }

  private func paddedCount(_ count: Int) -> Int { (count + laneCountOfTile - 1) / laneCountOfTile * laneCountOfTile }
}
