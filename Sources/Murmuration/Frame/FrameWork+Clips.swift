// SPDX-License-Identifier: MIT
import Kernels

/// Runs of clips, or of curves, that one call of a kernel evaluates: a call takes as long as a tile or two.
@safe
struct GatheredRuns {
  fileprivate let memory: UnsafeMutableBufferPointer<ClipRun>
  fileprivate var count = 0
  fileprivate var areCurves = false

  /// None; there is room for as many as the memory holds.
  init(_ memory: UnsafeMutableBufferPointer<ClipRun>) { unsafe self.memory = memory }
}

extension FrameWork {
  static var clipRunsAtOnce: Int { 64 }

  /// Has tiles of a clip, a curve, or of a clip each evaluated together with others.
  func gather(_ kind: MotionKind, _ tiles: Range<Int>, _ gathered: inout GatheredRuns) {
    let isFull = unsafe gathered.count == gathered.memory.count
    if isFull || gathered.areCurves != kind.isCurve { evaluate(&gathered) }
    gathered.areCurves = kind.isCurve
    unsafe gathered.memory.initializeElement(
      at: gathered.count,
      to: ClipRun(
        firstLane: tiles.lowerBound * laneCountOfTile, laneCount: tiles.count * laneCountOfTile,
        clip: kind.clip ?? kind.curve ?? ClipRun.mixed))
    gathered.count += 1
  }

  /// Evaluates what was gathered.
  func evaluate(_ gathered: inout GatheredRuns) {
    let columns = gathered.areCurves ? curves : clips
    if gathered.count > 0, let columns, let tables = unsafe gathered.areCurves ? curveTables : clipTables {
      let runs = unsafe UnsafeBufferPointer(rebasing: gathered.memory[..<gathered.count])
      unsafe table.evaluateClips(columns, runs, tables, time, velocities)
    }
    gathered.count = 0
  }

  /// Evaluates some runs of clips and curves.
  func evaluateClips(where isWanted: (MotionKind) -> Bool) {
    unsafe withUnsafeTemporaryAllocation(of: ClipRun.self, capacity: Self.clipRunsAtOnce) { memory in
      var gathered = unsafe GatheredRuns(memory)
      for run in runs where isWanted(run.kind) { gather(run.kind, run.tiles, &gathered) }
      evaluate(&gathered)
    }
  }
}
