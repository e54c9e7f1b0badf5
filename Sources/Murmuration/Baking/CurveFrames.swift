// SPDX-License-Identifier: MIT
import Kernels

/// Tracks that curves lead, in the frames of a bake: they are played in a batch of a few tracks that is made for the bake.
/// Lent for its duration, to one thread.
@safe
struct CurveFrames: BakeSource {
  /// The tracks as they stand.
  @safe
  struct Origin {
    let tracks: [CurveTrack]
    let origins: [Float]
    let targets: [Float]
    let called: [Int: CalledTrack]
    let slots: SlotTable
    let columns: PlaybackColumns
  }

  /// The phases that they are led through.
  struct Phases {
    let sequence: PhaseSequence
    let playback: PhaseBatch.Playback
    let motions: [CurveMotion]
    let clocks: [PhaseClock]
    let variations: [SIMD2<Float>]
  }

  /// What plays them.
  private final class Player {
    var batch: CurveBatch
    init(_ batch: consuming CurveBatch) { self.batch = batch }
  }

  /// A track of the block: its index, where it is in the player, and its clock. There is nothing to play of no track.
  private struct Lane {
    let index: Int
    let slot: Int
    var clock: PhaseClock
  }

  private let origin: Origin
  private let phases: Phases?
  private let dimension: Int
  private let velocities: Bool
  private let clock: BakeClock
  private let player: Player
  private var lanes: [Lane?] = []
  private var time = -Double.infinity

  init(
    _ origin: Origin, _ phases: Phases?, dimensions: Int, tolerance: Double, _ kernels: KernelSet, dimension: Int,
    velocities: Bool, _ clock: BakeClock
  ) throws(BatchError) {
    (self.origin, self.phases) = (origin, phases)
    (self.dimension, self.velocities, self.clock) = (dimension, velocities, clock)
    // Room for tiles that each have one track, and as many that they move to.
    let rows = 2 * BakedLanes.capacity * laneCountOfTile
    var batch = try CurveBatch(
      dimensions: dimensions, reservingCapacity: rows, curveTolerance: tolerance, supported: kernels)
    batch.computesVelocities = velocities
    player = Player(batch)
  }

  mutating func begin(_ indices: Range<Int>) {
    lanes.removeAll(keepingCapacity: true)
    player.batch.removeAll()
    player.batch.latestStart = -BatchLimits.maximumTime
    player.batch.clock.time = clock.earliest
    player.batch.schedule.turnBack(to: clock.earliest)
    time = -.infinity
    for index in indices {
      lanes.append(origin.slots.isLive(index) ? lane(index) : nil)
    }
  }

  private func lane(_ index: Int) -> Lane {
    let (track, dimensions) = (origin.tracks[index], player.batch.dimensions)
    let (row, columns) = (origin.slots.row(of: index), origin.columns)
    let first = index * dimensions
    var clock = phases?.clocks[index] ?? PhaseClock(origin: 0, next: .infinity)
    if clock.isPaused { clock.next = .infinity }
    if track.isPaused || track.kind == .rests && track.last == nil && origin.called[index] == nil {
      let slot = player.batch.addAtRest { unsafe columns.value[$0 * columns.dimensionStride + row] }
      return Lane(index: index, slot: slot, clock: clock)
    }
    let slot = player.batch.addAtRest { origin.targets[first + $0] }
    player.batch.tracks[slot] = track
    player.batch.tracks[slot].kind = .rests
    player.batch.tracks[slot].place = -1
    for dimension in 0..<dimensions {
      player.batch.origins[slot * dimensions + dimension] = origin.origins[first + dimension]
    }
    player.batch.called[slot] = origin.called[index]
    player.batch.follow(slot)
    return Lane(index: index, slot: slot, clock: clock)
  }

  // MARK: - Frames

  mutating func compute(_ frames: Range<Int>, into block: BakedLanes) {
    for frame in frames {
      // Steps are not taken back: what was taken is taken anew.
      if phases != nil, clock[frame] < time, let first = firstIndex {
        begin(first..<first + lanes.count)
      }
      time = clock[frame]
      takeSteps(until: time)
      // The bake has checked its times, and no step that has been taken is later.
      assert(abs(time) <= BatchLimits.maximumTime && time >= player.batch.latestStart)
      player.batch.advance(toChecked: time)
      write(frame - frames.lowerBound, block)
    }
  }

  private var firstIndex: Int? {
    lanes.firstIndex { $0 != nil }.flatMap { place in lanes[place].map { $0.index - place } }
  }

  private func write(_ frame: Int, _ block: BakedLanes) {
    let columns = player.batch.storage.columns
    for (place, lane) in lanes.enumerated() {
      let element = place * BakedLanes.stride + frame
      guard let lane else {
        unsafe (block.values[element], block.velocities[element]) = (0, 0)
        continue
      }
      let from = dimension * columns.dimensionStride + player.batch.slots.row(of: lane.slot)
      unsafe block.values[element] = columns.value[from]
      if velocities {
        unsafe block.velocities[element] = columns.velocity[from]
      }
    }
  }

  private mutating func takeSteps(until time: Double) {
    guard let phases else { return }
    let dimensions = player.batch.dimensions
    for place in lanes.indices {
      guard var lane = lanes[place], lane.clock.next <= time else { continue }
      while let event = lane.clock.goOn(in: phases.sequence, phases.playback, until: time) {
        switch event {
        case .setsOut(_, isStill: true, _, _), .ends, .stalls:
          break
        case .setsOut(let phase, _, let moment, _):
          let targets = (0..<dimensions).map { dimension in
            let value = phases.sequence.targets[phase * dimensions + dimension]
            return phases.variations.isEmpty
              ? value : PhaseBatch.target(value, phases.variations[lane.index * dimensions + dimension])
          }
          player.batch.setOut(lane.slot, phases.motions[phase], at: moment, targets: targets.span)
        case .skips:
          // No effect lasts for as many rounds as are left to be taken, so where they begin makes no difference.
          player.batch.rest(lane.slot)
        }
      }
      lanes[place] = lane
    }
  }
}
