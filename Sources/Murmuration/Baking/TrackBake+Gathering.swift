// SPDX-License-Identifier: MIT
import Kernels

// Lanes of springs, gathered in the order of indices. Tracks that were added together usually stand in neighbouring rows,
// which are copied at once.
extension TrackBake {
  /// Gathers a component of the lanes of some indices, and clears the lanes after them up to a whole tile.
  func gather(_ range: Range<Int>, _ component: Int, into lanes: BakeLanes) {
    var rests = RestAges()
    var index = range.lowerBound
    while index < range.upperBound {
      let lane = index - range.lowerBound
      let segment = segment(at: index, limit: range.upperBound)
      switch segment.path {
      case .springs:
        copyStates(segment, component, to: lane, lanes)
        copyMotions(segment, to: lane, lanes, &rests)
      case .stands, .legs, .played:
        lanes.clear(
          lane,
          at: segment.row < 0
            ? 0 : engine.tracks.columns.value[engine.tracks.element(segment.row, component)])
      }
      index += segment.count
    }
    for lane in range.count..<paddedCount(range.count) { lanes.clear(lane) }
  }

  private func copyStates(_ segment: Segment, _ component: Int, to lane: Int, _ lanes: BakeLanes) {
    let columns = engine.springs.columns
    let (start, count) = (component * columns.startStride + segment.row, segment.count)
    let element = engine.tracks.element(segment.row, component)
    (lanes.displacement + lane).update(from: columns.displacement + start, count: count)
    (lanes.amplitude + lane).update(from: columns.amplitude + start, count: count)
    (lanes.target + lane).update(from: columns.target + element, count: count)
  }

  private func copyMotions(_ segment: Segment, to lane: Int, _ lanes: BakeLanes, _ rests: inout RestAges) {
    let (columns, row, count) = (engine.springs.columns, segment.row, segment.count)
    (lanes.start + lane).update(from: columns.start + row, count: count)
    (lanes.rate + lane).update(from: columns.rate + row, count: count)
    for offset in 0..<count {
      let coefficients = engine.springs.coefficients(ofRow: row + offset)
      lanes.α[lane + offset] = coefficients.α
      lanes.κ[lane + offset] = coefficients.κ
      lanes.steadyTime[lane + offset] = BakeTimes.steadyTime(naturalFrequency: coefficients.naturalFrequency)
    }
    rests.copy(row..<row + count, to: lanes.restAge + lane, engine)
  }

  private func paddedCount(_ count: Int) -> Int { (count + laneCountOfTile - 1) / laneCountOfTile * laneCountOfTile }
}

/// The ages at which rows come to rest. If no frame has computed them yet, they are computed here, a tile at a
/// time.
private struct RestAges {
  private var tile = -1
  private var ages: [Float] = []

  /// Copies the ages of some rows.
  mutating func copy(_ rows: Range<Int>, to copies: Column<Float>, _ engine: borrowing Engine) {
    var row = rows.lowerBound
    while row < rows.upperBound {
      let wanted = row / laneCountOfTile
      let end = min(rows.upperBound, (wanted + 1) * laneCountOfTile)
      if engine.springs.watch.knowsAges(wanted) {
        (copies + (row - rows.lowerBound)).update(from: engine.springs.columns.restAge + row, count: end - row)
      } else {
        if wanted != tile {
          tile = wanted
          ages = engine.springs.withRestAges(ofTile: wanted) { ages in
            unsafe Array(UnsafeBufferPointer(start: ages.address, count: laneCountOfTile))
          }
        }
        for row in row..<end { copies[row - rows.lowerBound] = ages[row % laneCountOfTile] }
      }
      row = end
    }
  }
}
