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

  /// Gathers a run of a clip, or of a single curve, to be evaluated together with others.
  func gather(_ run: ClipRun, ofCurves areCurves: Bool, _ gathered: inout GatheredRuns) {
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
    guard !runs.isEmpty else { return }
    func evaluate(_ columns: PlaybackColumns, _ tables: ConstantColumn<ClipTable>) {
      unsafe table.evaluateClips(columns, runs, tables, time, velocities)
    }
    if areCurves {
      engine.curves.library.tables.withConstantColumn { evaluate(engine.curves.single(engine.tracks), $0) }
    } else {
      engine.clips.library.tables.withConstantColumn { evaluate(engine.clips.kernel, $0) }
    }
  }

  /// Evaluates all runs of clips.
  func evaluateClips() {
    unsafe engine.plan.clipRuns.withUnsafeBufferPointer { unsafe evaluate($0, ofCurves: false) }
  }

  /// Evaluates all runs of single curves.
  func evaluateSingleCurves() {
    unsafe engine.plan.curveRuns.withUnsafeBufferPointer { unsafe evaluate($0, ofCurves: true) }
  }

  /// Evaluates all runs of curves.
  func evaluateCurves() {
    evaluateSingleCurves()
    engine.plan.forEachRun(ofFamily: .sum) { evaluateSums($0) }
  }

  /// Evaluates tiles of sums.
  func evaluateSums(_ tiles: Range<Int>) {
    let columns = engine.curves.sums(engine.tracks, engine.springs.isMapped ? engine.springs.columns : nil)
    engine.curves.library.tables.withConstantColumn { tables in
      columns.evaluate(tiles, at: time, velocities: velocities, table, tables)
    }
  }
}
