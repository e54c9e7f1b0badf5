// SPDX-License-Identifier: MIT
import Kernels

/// Runs of clips, or of curves, that one call of a kernel evaluates. Most runs are short, and each call costs time.
@safe
struct GatheredRuns {
  fileprivate let memory: UnsafeMutableBufferPointer<ClipRun>
  fileprivate var count = 0
  fileprivate var areCurves = false

  /// No runs. The memory limits their number.
  init(_ memory: UnsafeMutableBufferPointer<ClipRun>) { unsafe self.memory = memory }
}

extension FrameWork {
  /// The number of runs that fit on the stack: beyond 1 024 bytes, temporary memory would be allocated in each frame.
  static var clipRunsAtOnce: Int { 1024 / MemoryLayout<ClipRun>.stride }

  /// Gathers tiles of a clip, of a curve, or of several clips, to be evaluated together with others. Sums are evaluated
  /// at once.
  func gather(_ kind: MotionKind, _ tiles: Range<Int>, _ gathered: inout GatheredRuns) {
    var clip = kind.clip ?? ClipRun.mixed
    if let shape = kind.curve {
      guard shapes[shape].isPlain else {
        if let curves, let tables = unsafe curveTables {
          unsafe curves.evaluate(shapes[shape], tiles, at: time, velocities: velocities, table, tables)
        }
        return
      }
      clip = shapes[shape].curves[0]
    }
    let isFull = unsafe gathered.count == gathered.memory.count
    if isFull || gathered.areCurves != kind.isCurve { evaluate(&gathered) }
    gathered.areCurves = kind.isCurve
    unsafe gathered.memory.initializeElement(
      at: gathered.count,
      to: ClipRun(
        firstLane: tiles.lowerBound * laneCountOfTile, laneCount: tiles.count * laneCountOfTile, clip: clip))
    gathered.count += 1
  }

  /// Evaluates the runs that were gathered.
  func evaluate(_ gathered: inout GatheredRuns) {
    let columns = gathered.areCurves ? curves?.plain : clips
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
      for run in runs.reversed() where isWanted(run.kind) { gather(run.kind, run.tiles, &gathered) }
      evaluate(&gathered)
    }
  }
}
