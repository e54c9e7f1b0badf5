// SPDX-License-Identifier: MIT
import Kernels

/// One bake, in as many parts as there are workers. Lent to them for its duration.
struct BakeJob {
  let table: KernelTable
  let columns: SpringColumns
  let slots: SlotTable
  let tiles: TileTable
  let cohorts: CohortTable
  let dimension: Int
  let indices: Range<Int>
  let times: BakeTimes
  /// What each part works in.
  let memory: BakeMemory
  /// Where the first track goes.
  let output: BakeOutput

  /// Lanes of a cohort from which on the kernel for cohorts is worth its call; the bits are the same.
  private static let leastCohort = 64

  /// Frames that are baked before the next ones: what is kept of a cohort stays in the second cache. Whole anchors, so that
  /// no bit depends on it.
  static let framesAtOnce = 4096

  /// Bakes part `index` of `count`: whole blocks of lanes. Where it is cut changes no bit.
  func bake(part index: Int, of count: Int) {
    let blocks = (indices.count + laneCountOfBake - 1) / laneCountOfBake
    let first = indices.lowerBound + blocks * index / count * laneCountOfBake
    let last = min(indices.upperBound, indices.lowerBound + blocks * (index + 1) / count * laneCountOfBake)
    guard first < last else {
      return
    }
    let lanes = unsafe BakeLanes(memory: memory[index])
    var frames = CohortFrames(table: table, times: times)
    var range = first..<first
    var overlap = 0
    while range.upperBound < last {
      let isContinued = overlap > 0
      let next = range.upperBound
      let run = cohortRun(from: next, limit: min(last, next + laneCountOfCohortBake))
      let end = run > 0 ? next + run : min(last, next + laneCountOfBake)
      range = next..<end
      overlap = overlapCount(range, last: last, isCohort: run > 0)
      let part = output(range, overlap: overlap, isContinued: isContinued)
      if run > 0 {
        gatherState(next..<end + overlap, into: lanes)
        unsafe frames.withBases(of: segment(at: next, limit: next + 1).cohort ?? 0, cohorts) { bases in
          unsafe table.bake.cohort(lanes, end + overlap - next, bases, times.count, part)
        }
      } else {
        gather(next..<end + overlap, into: lanes)
        table.bake.lanes(lanes, end + overlap - next, times, part)
      }
    }
  }

  /// How many tracks from an index on are in one cohort, at most up to `limit`; 0 if too few for its kernel.
  private func cohortRun(from first: Int, limit: Int) -> Int {
    guard let place = segment(at: first, limit: first + 1).cohort else {
      return 0
    }
    let end = end(ofCohort: place, from: first, limit: limit)
    return end - first >= Self.leastCohort ? end - first : 0
  }

  /// The index behind the tracks of a cohort that follow each other from `first` on.
  private func end(ofCohort place: Int, from first: Int, limit: Int) -> Int {
    var end = first
    while end < limit {
      let segment = segment(at: end, limit: limit)
      guard segment.cohort == place else {
        break
      }
      end += segment.count
    }
    return end
  }

  /// How many lanes behind a range are computed with it, because they share lines with it in some frame: none where no
  /// line is shared, else a tile, or all that are left.
  private func overlapCount(_ range: Range<Int>, last: Int, isCohort: Bool) -> Int {
    guard output.isStreamed, !isAligned, range.upperBound < last else {
      return 0
    }
    let end = min(last, range.upperBound + laneCountOfTile)
    if isCohort {
      let place = segment(at: range.lowerBound, limit: range.lowerBound + 1).cohort ?? 0
      guard self.end(ofCohort: place, from: range.upperBound, limit: end) == end else {
        return 0
      }
    }
    return end - range.upperBound
  }

  /// Whether every row begins on a line.
  private var isAligned: Bool {
    let addresses = unsafe Int(bitPattern: output.values) | Int(bitPattern: output.velocities)
    return (addresses | output.frameStride * MemoryLayout<Float>.stride) & 63 == 0
  }

  private func output(_ range: Range<Int>, overlap: Int, isContinued: Bool) -> BakeOutput {
    let offset = (range.lowerBound - indices.lowerBound) * output.laneStride
    var part = output
    unsafe part.values += offset
    if let velocities = unsafe output.velocities {
      unsafe part.velocities = velocities + offset
    }
    part.overlap = overlap
    part.isContinued = isContinued
    return part
  }
}

/// The bases of a cohort in every frame, kept for the next lanes of the same.
private struct CohortFrames {
  let table: KernelTable
  let times: BakeTimes
  private var place = -1
  private var bases: [CohortBasis] = []

  init(table: KernelTable, times: BakeTimes) { (self.table, self.times) = (table, times) }

  mutating func withBases(
    of place: Int, _ cohorts: CohortTable, _ body: (UnsafePointer<CohortBasis>) -> Void
  ) {
    if place != self.place {
      compute(cohorts[place])
      self.place = place
    }
    unsafe bases.withUnsafeBufferPointer { unsafe body($0.baseAddress.unsafelyUnwrapped) }
  }

  /// The bits are those of the cohort's basis at each time: a frame is to the kernel a cohort that started its age ago.
  private mutating func compute(_ cohort: Cohort) {
    var columns = CohortColumns()
    for frame in 0..<times.count {
      columns.append(cohort.coefficients, start: cohort.start - times(frame))
    }
    let padded = (times.count + laneCountOfTile - 1) / laneCountOfTile * laneCountOfTile
    bases = Array(repeating: .rest, count: padded)
    unsafe bases.withUnsafeMutableBufferPointer { bases in
      unsafe columns.evaluateBases(table, at: 0, into: bases.baseAddress.unsafelyUnwrapped)
    }
    if let restTime = cohort.restTime {
      for frame in 0..<times.count where times(frame) >= restTime {
        bases[frame] = .rest
      }
    }
  }
}
