// SPDX-License-Identifier: MIT
import Kernels

/// Tracks that springs lead through phases, in the frames of a bake. Lent for its duration.
///
/// Steps are taken at their own moments, as playing takes them; between two of them a track follows one motion.
struct PhaseFrames: BakeSource {
  private let tracks: PhaseTracks
  private let tables: MotionTables
  private let kernel: BakeKernels.Motions
  private let dimension: Int
  private let velocities: Bool
  private let clock: BakeClock
  private var lanes: PhaseLanes

  init(_ tracks: PhaseTracks, _ table: KernelTable, dimension: Int, velocities: Bool, _ clock: BakeClock) {
    (self.tracks, self.dimension, self.velocities, self.clock) = (tracks, dimension, velocities, clock)
    // Frames at any distances are looked at one by one.
    let frames = clock.perSecond == nil ? 1 : min(clock.count, BakedLanes.frameCount)
    tables = MotionTables(tracks.springs.coefficients, frames: frames, interval: 1 / (clock.perSecond ?? 1), table)
    kernel = table.bake.motions
    lanes = PhaseLanes(0..<0, dimensions: tracks.dimensions)
  }

  mutating func begin(_ indices: Range<Int>) {
    lanes = PhaseLanes(indices, dimensions: tracks.dimensions)
    for place in 0..<lanes.count {
      tracks.begin(place, lanes)
    }
  }

  mutating func compute(_ frames: Range<Int>, into block: BakedLanes) {
    var queue = MotionQueue(kernel, tables, block, velocities: velocities)
    let (lanes, first) = (lanes, frames.lowerBound)
    for place in 0..<lanes.count {
      var frame = first
      while frame < frames.upperBound {
        tracks.move(place, lanes, to: clock[frame])
        let end = clock.end(of: frame..<frames.upperBound, before: lanes[place].clock.next)
        let state = lanes[place, dimension]
        let rest = tracks.rest(of: place, state, in: frame..<end, lanes, clock)
        if rest > frame {
          let age = clock[frame] - lanes[place].start
          queue.move(place, frame &- first..<rest &- first, lanes[place].spring, age: age, state)
        }
        if rest < end {
          queue.stand(place, rest &- first..<end &- first, at: state.z)
        }
        frame = end
      }
    }
    queue.bake()
  }
}
