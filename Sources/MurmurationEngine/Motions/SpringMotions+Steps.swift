// SPDX-License-Identifier: MIT
import CProcessor
import Kernels

// Springs in steps of phases: motions that take over from a motion whose basis is known, and rounds that are skipped.
extension SpringMotions {
  // MARK: - Steps

  /// Replaces the motion of a track by the next one, from the state of the motion before it. The next frame shows it.
  /// Completions that were reported are not reported again.
  ///
  /// - Parameters:
  ///   - step: The motion that begins; it belongs to the kind of the track.
  ///   - basis: The basis of the motion before, at the moment.
  ///   - moment: When it begins.
  ///   - goals: The goals, by dimension.
  ///   - endurance: The extent with which the motion is surely still under way when the next one takes over; nil if
  ///     that is never sure.
  mutating func step(
    _ index: Int, _ step: SpringStep, after basis: MotionBasis, at moment: Double, _ goals: [Float],
    _ endurance: Endurance?, _ tracks: borrowing TrackStore
  ) {
    let columns = columns
    columns.start[index] = moment
    columns.rate[index] = step.coefficients.rate
    columns.decay[index] = step.coefficients.decay
    noteStart(at: moment)
    watch.change(index, leastRestAge: step.leastRestAge)
    var largest = SIMD2<Float>.zero
    for dimension in 0..<dimensions {
      let (element, start) = (dimension * columns.dimensionStride + index, dimension * columns.startStride + index)
      let shown = basis.applied(columns.displacement[start], columns.amplitude[start])
      // The sum makes a −0 a plain 0, as in the kernels.
      let target = goals[dimension] + 0
      let displacement = step.rule.jumps ? 0 : shown.value + columns.target[element] - target
      let amplitude = step.rule.amplitude(displacement: displacement, velocity: shown.velocity)
      columns.target[element] = target
      (columns.displacement[start], columns.amplitude[start]) = (displacement, amplitude)
      largest = pointwiseMax(largest, SIMD2(displacement.magnitude, amplitude.magnitude))
    }
    if let endurance, endurance.lasts(largest, perValue: perTolerance) {
      // No frame has to look at this lane, unless for another lane of the tile.
      columns.restAge[index] = .infinity
      columns.logicalAge[index] = .infinity
      if watch.isAsleep(TileStore.tile(index)) { wake(TileStore.tile(index), tracks) }
    } else {
      wake(TileStore.tile(index), tracks)
    }
  }

  /// Makes the columns of a track show its motion at a moment whose basis is known.
  func show(_ index: Int, _ basis: MotionBasis) {
    let columns = columns
    for dimension in 0..<dimensions {
      let element = dimension * columns.dimensionStride + index
      let start = dimension * columns.startStride + index
      let shown = basis.applied(columns.displacement[start], columns.amplitude[start])
      columns.value[element] = shown.value + columns.target[element]
      columns.velocity[element] = shown.velocity
    }
  }

  /// Prefetches the lines that the start of a motion of a track writes.
  @inline(__always)
  func prefetchStart(_ index: Int) {
    let columns = columns
    watch.prefetch(TileStore.tile(index))
    columns.restAge.prefetch(index)
    columns.logicalAge.prefetch(index)
    columns.start.prefetch(index)
    columns.rate.prefetch(index)
    prefetchMotion(index)
  }

  /// Prefetches what a kernel reads of a tile.
  @inline(__always)
  func prefetch(tile: Int) {
    let (columns, index) = (columns, tile * laneCountOfTile)
    for half in [0, laneCountOfTile / 2] {
      columns.start.prefetch(index + half)
      columns.rate.prefetch(index + half)
    }
    prefetchMotion(index)
  }

  /// Prefetches the decay, displacement, amplitude and target of a track.
  @inline(__always)
  private func prefetchMotion(_ index: Int) {
    let columns = columns
    columns.decay.prefetch(index)
    for dimension in 0..<dimensions {
      columns.displacement.prefetch(dimension * columns.startStride + index)
      columns.amplitude.prefetch(dimension * columns.startStride + index)
      columns.target.prefetch(dimension * columns.dimensionStride + index)
    }
  }

  /// Skips whole rounds of the motion of a track: displacement and amplitude become linear functions of the old ones. A
  /// step must follow.
  ///
  /// - Parameters:
  ///   - seconds: How much later the motion begins.
  ///   - state: Returns the new displacement and amplitude of a dimension, given the old ones.
  mutating func moveOn(_ index: Int, by seconds: Double, _ state: (_ dimension: Int, SIMD2<Double>) -> SIMD2<Double>) {
    let columns = columns
    columns.start[index] += seconds
    watch.change(index, leastRestAge: .infinity)
    noteStart(at: columns.start[index])
    for dimension in 0..<dimensions {
      let start = dimension * columns.startStride + index
      let new = state(dimension, SIMD2(Double(columns.displacement[start]), Double(columns.amplitude[start])))
      (columns.displacement[start], columns.amplitude[start]) = (Float(new.x), Float(new.y))
    }
  }
}

extension MotionBasis {
  /// The distance from the target and the velocity of a motion with this basis.
  @inline(__always)
  func applied(_ displacement: Float, _ amplitude: Float) -> (value: Float, velocity: Float) {
    (
      valueOfDisplacement * displacement + valueOfAmplitude * amplitude,
      velocityOfDisplacement * displacement + velocityOfAmplitude * amplitude + 0
    )
  }
}

// The part of a frame that springs need besides kernels: reports of the tracks that completed or came to rest.
extension SpringMotions {
  /// Whether a tile of springs need not be evaluated.
  func rests(_ tile: Int, _ tracks: borrowing TrackStore) -> Bool {
    tracks.tiles.moving[tile] == 0 || watch.isAsleep(tile)
  }

  /// About the number of tiles of springs that frames evaluate whose lanes have one spring and start, from some of them.
  func estimateUniform(_ tracks: borrowing TrackStore) -> Int {
    let tiles = tracks.frame.count(of: .spring)
    guard tiles > 0 else { return 0 }
    var (seen, uniform) = (0, 0)
    for tile in stride(from: 0, to: tracks.tiles.end, by: max(1, tracks.tiles.end / 32)) {
      guard tracks.frame.kinds[tile] == .spring else { continue }
      seen += 1
      if watch.isUniform(tile) { uniform += 1 }
    }
    return seen == 0 ? 0 : tiles * uniform / seen
  }

  /// Reports the completions that a frame found in tiles of springs.
  mutating func report(
    at time: Double, _ tracks: borrowing TrackStore,
    _ marked: inout [(tile: Int32, mark: SpringWatch.Mark)], _ events: inout EventList
  ) {
    guard time >= watch.soonest else { return }
    marked.clear()
    tracks.frame.forEachRunOfSprings { watch.takeMarks(in: $0, &marked) }
    // While tracks complete in each frame, a search for the next moment would not pay.
    if marked.isEmpty { watch.findSoonest(tracks.frame) }
    // The marked tiles lie scattered, and their columns were not read for many frames.
    for (tile, _) in marked {
      tracks.columns.change.prefetch(Int(tile) * laneCountOfTile)
    }
    for (tile, mark) in marked {
      if mark.contains(.completed) { report(Int(tile), at: time, tracks, &events) }
      if mark.contains(.fellAsleep) { tracks.frame.mark(Int(tile)) }
    }
  }

  private func report(_ tile: Int, at time: Double, _ tracks: borrowing TrackStore, _ events: inout EventList) {
    @inline(__always)
    func report(_ kind: AnimationEvent.Kind, _ lanes: UInt16, age: (_ index: Int) -> Float) {
      lanes.forEachLane { lane in
        let index = tile * laneCountOfTile + lane
        // An age is a Float, which may be rounded beyond this frame.
        let moment = min(columns.start[index] + Double(age(index)), time)
        events.append(kind, index: index, tracks.columns.change[index], at: moment)
      }
    }
    report(.logicallyComplete, watch.found[tile].logical) { min(columns.logicalAge[$0], columns.restAge[$0]) }
    report(.settled, watch.found[tile].settled) { columns.restAge[$0] }
  }
}
