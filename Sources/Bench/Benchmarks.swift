// SPDX-License-Identifier: MIT
import Foundation
import Murmuration

/// The parts of `murmuration bench`, and the report of those that were measured.
package struct Benchmarks {
  package var report = BenchReport(machine: .current)
  private let isQuick: Bool
  private let note: (_ text: String) -> Void

  /// - Parameters:
  ///   - isQuick: Whether fewer sizes and rounds are enough.
  ///   - note: Called with the reason where a part has no rows.
  package init(isQuick: Bool, note: @escaping (_ text: String) -> Void) { (self.isQuick, self.note) = (isQuick, note) }

  /// The number of rounds of the slowest rows; others take a multiple of it.
  package var rounds: Int { isQuick ? 5 : 15 }

  /// Measures a part; of `rigs` the clocks alone, as the files of rigs belong to the scenes.
  package mutating func measure(_ part: BenchPart) throws {
    switch part {
    case .kernels:
      for tracks in sizes {
        report.results += try SpringBench(tracks: tracks).measure(rounds: rounds, sets: KernelSet.available)
      }
    case .retargets, .churn, .rest, .motions, .frames, .cohorts, .threads:
      for tracks in isQuick ? [10_000] : part.runsAtEachSize ? [10_000, 100_000, 1_000_000] : [1_000_000] {
        report.operations += try BatchBench(tracks: tracks, rounds: 2 * rounds).measure(part)
      }
      if part == .churn { try measureChanges() }
    case .keyframes:
      for tracks in isQuick ? [10_000] : [1_000, 10_000, 100_000, 1_000_000] {
        report.operations += try KeyframeBench(tracks: tracks, rounds: 10 * rounds).playing()
        let own = try KeyframeBench(tracks: tracks, rounds: (tracks < 1_000_000 ? 10 : 3) * rounds, ownClips: true)
        report.operations += try own.playing("clip.own")
        if tracks != 1_000, tracks != 100_000 {
          report.operations += try KeyframeBench(tracks: tracks, rounds: 2 * rounds).seeking()
        }
      }
    case .rigs:
      report.operations += try ClockBench(tracks: isQuick ? 100_000 : 1_000_000, rounds: 6 * rounds).measure()
    case .phases:
      for tracks in isQuick ? [10_000] : [10_000, 100_000] {
        let bench = PhaseBench(tracks: tracks, rounds: 8 * rounds)
        report.operations += try bench.phases() + bench.tweens()
      }
    case .baking:
      for tracks in isQuick ? [10_000] : [10_000, 100_000] {
        report.bakes += try BakeBench(tracks: tracks, rounds: rounds).measure()
      }
      for dimensions in isQuick ? [10_000] : [1_008, 10_000, 100_000] {
        for frames in [18, 240] {
          report.bakes += try SamplerBakeBench(dimensions: dimensions, framesPerPiece: frames).measure(rounds: rounds)
        }
      }
    case .matrices:
      for tracks in isQuick ? [64] : [8, 64] {
        let bench = MatrixBench(instances: 1_000, outputs: 3_000, tracks: tracks)
        report.matrices += try bench.measure(rounds: rounds, sets: KernelSet.available)
      }
    case .nodes:
      for instances in isQuick ? [10_000] : [1_000, 10_000, 100_000] {
        report.nodes += try NodeBench(instances: instances).measure(rounds: 2 * rounds, sets: KernelSet.available)
      }
    case .modal:
      report.operations += try ModalBench(rounds: 10 * rounds).measure(note: note)
    case .rotations:
      for tracks in isQuick ? [10_000] : [10_000, 100_000] {
        report.operations += try ChangeBench(tracks: tracks, rounds: rounds).rotations()
      }
    }
  }

  /// Programs that change things in every frame, bakes of such tracks, and a mixer beside one call of BLAS.
  private mutating func measureChanges() throws {
    for tracks in isQuick ? [10_000] : [10_000, 100_000, 1_000_000] {
      report.operations += try ChangeBench(tracks: tracks, rounds: rounds).measure()
    }
    report.bakes += try PairBakeBench(tracks: 10_000).measure(rounds: rounds)
    let mixer = MatrixBench(instances: 1_000, outputs: 3_000, tracks: 32)
    report.matrices += try mixer.measure(rounds: rounds, sets: [try KernelSet.selected])
  }

  /// The numbers of tracks; ten million tracks and their yardsticks take some gigabytes.
  private var sizes: [Int] {
    if isQuick {
      return [10_000]
    }
    let usual = [1_000, 10_000, 100_000, 1_000_000]
    return ProcessInfo.processInfo.physicalMemory >= 8 << 30 ? usual + [10_000_000] : usual
  }
}
