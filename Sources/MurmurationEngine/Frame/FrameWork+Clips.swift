// SPDX-License-Identifier: MIT
import Kernels

/// Runs of clips that one call of a kernel evaluates. Most runs are short, and each call costs time.
struct GatheredRuns {
  fileprivate let memory: Column<ClipRun>
  fileprivate var count = 0

  /// No runs at first. The memory limits their number.
  init(_ memory: Column<ClipRun>) { self.memory = memory }
}

extension FrameWork {
  /// The number of runs that fit on the stack: beyond 1 024 bytes, temporary memory would be allocated in each frame.
  private static var clipRunsAtOnce: Int { 1024 / MemoryLayout<ClipRun>.stride }

  /// Lends memory for runs of clips, and evaluates those that are left in it.
  @inline(__always)
  func withGatheredRuns(_ body: (inout GatheredRuns) -> Void) {
    unsafe withUnsafeTemporaryAllocation(of: ClipRun.self, capacity: Self.clipRunsAtOnce) { memory in
      var gathered = unsafe GatheredRuns(memory.column.unsafelyUnwrapped)
      body(&gathered)
      evaluate(&gathered)
    }
  }

  /// Gathers a run of a clip, to be evaluated together with others.
  func gather(_ run: ClipRun, _ gathered: inout GatheredRuns) {
    if gathered.count == Self.clipRunsAtOnce { evaluate(&gathered) }
    gathered.memory[gathered.count] = run
    gathered.count += 1
  }

  /// Evaluates the runs that were gathered.
  private func evaluate(_ gathered: inout GatheredRuns) {
    unsafe evaluate(UnsafeBufferPointer(start: gathered.memory.address, count: gathered.count))
    gathered.count = 0
  }

  private func evaluate(_ runs: UnsafeBufferPointer<ClipRun>) {
    guard !runs.isEmpty else { return }
    engine.clips.library.tables.withConstantColumn { tables in
      unsafe table.evaluateClips(engine.clips.kernel, runs, tables, time, velocities)
    }
  }

  /// Evaluates the clips of a tile that has other tracks too.
  func evaluateClips(ofTile tile: Int) {
    guard let run = ClipRun(engine.tracks.tiles.clipKinds[tile], tile..<tile + 1) else { return }
    unsafe withUnsafePointer(to: run) { unsafe evaluate(UnsafeBufferPointer(start: $0, count: 1)) }
  }

  /// Evaluates all runs of clips.
  func evaluateClips() {
    withGatheredRuns { gathered in
      engine.tracks.frame.forEachRun { if let run = ClipRun($0.kind, $0.tiles) { gather(run, &gathered) } }
    }
  }

  /// Evaluates tiles that effects lead, with the springs in them.
  func evaluateCurves(_ tiles: Range<Int>) {
    let columns = engine.curves.sums(engine.tracks, engine.springs)
    engine.curves.library.tables.withConstantColumn { tables in
      columns.evaluate(tiles, at: time, velocities: velocities, table, tables)
    }
  }
}
