// SPDX-License-Identifier: MIT
import Kernels

/// Runs of clips, or of curves, that one call of a kernel evaluates. Most runs are short, and each call costs time.
struct GatheredRuns {
  fileprivate let memory: Column<ClipRun>
  fileprivate var count = 0
  fileprivate var areCurves = false

  /// No runs at first. The memory limits their number.
  init(_ memory: Column<ClipRun>) { self.memory = memory }
}

extension FrameWork {
  /// The number of runs that fit on the stack: beyond 1 024 bytes, temporary memory would be allocated in each frame.
  static var clipRunsAtOnce: Int { 1024 / MemoryLayout<ClipRun>.stride }

  /// Gathers tiles of a curve, to be evaluated together with others. Sums are evaluated right away.
  func gather(_ shape: CurveShape, _ tiles: Range<Int>, _ gathered: inout GatheredRuns) {
    if shape.isPlain {
      gather(ClipRun(tiles, clip: shape.curves[0]), ofCurves: true, &gathered)
    } else if let curves, let tables = curveTables {
      curves.evaluate(shape, tiles, at: time, velocities: velocities, table, tables)
    }
  }

  /// Gathers a run of a clip, or of a curve, to be evaluated together with others.
  func gather(_ run: ClipRun, ofCurves areCurves: Bool = false, _ gathered: inout GatheredRuns) {
    if gathered.count == Self.clipRunsAtOnce || gathered.areCurves != areCurves { evaluate(&gathered) }
    gathered.areCurves = areCurves
    gathered.memory[gathered.count] = run
    gathered.count += 1
  }

  /// Evaluates the runs that were gathered.
  func evaluate(_ gathered: inout GatheredRuns) {
    unsafe evaluate(
      UnsafeBufferPointer(start: gathered.memory.address, count: gathered.count), ofCurves: gathered.areCurves)
    gathered.count = 0
  }

  private func evaluate(_ runs: UnsafeBufferPointer<ClipRun>, ofCurves areCurves: Bool) {
    guard !runs.isEmpty, let columns = areCurves ? curves?.plain : clips,
      let tables = areCurves ? curveTables : clipTables
    else { return }
    unsafe table.evaluateClips(columns, runs, tables, time, velocities)
  }

  /// Evaluates all runs of clips.
  func evaluateClips() { unsafe clipRuns.withUnsafeBufferPointer { unsafe evaluate($0, ofCurves: false) } }

  /// Evaluates all runs of curves.
  func evaluateCurves() {
    unsafe withUnsafeTemporaryAllocation(of: ClipRun.self, capacity: Self.clipRunsAtOnce) { memory in
      var gathered = unsafe GatheredRuns(memory.column.unsafelyUnwrapped)
      for run in runs.reversed() { if let shape = run.kind.curve { gather(shapes[shape], run.tiles, &gathered) } }
      evaluate(&gathered)
    }
  }
}
