// SPDX-License-Identifier: MIT
public import AnimationModel
import Kernels

extension SpringBatch {
  /// Sends tracks to new targets, each after a delay of its own.
  ///
  /// Until its delay is over a track keeps its present motion. Then it sets out alone, from the value and velocity that it
  /// has at that very moment, whenever frames are: it does not depend on the frame rate. Any later call that changes the
  /// track's motion, or removes it, cancels what waits; so does a later call of this kind, which also counts where a track
  /// is named twice.
  ///
  /// - Parameters:
  ///   - handles: The tracks.
  ///   - targets: Component-major: dimension 0 of all, then dimension 1, …
  ///   - spring: The spring to follow; nil to keep the one that each follows then.
  ///   - delays: Seconds from now, one for each track, 0 or more. Without a delay a track sets out now, but as the others
  ///     do with the next advance; until then ``target(of:as:)`` is the old one.
  /// - Throws: ``BatchError``; nothing changes then.
  /// - Complexity: O(tracks · (dimensions + log waiting)); no allocation while there is room.
  public mutating func retarget(
    _ handles: Span<TrackHandle>, to targets: Span<Float>, spring: Spring? = nil, delays: Span<Double>
  ) throws(BatchError) {
    try checkRetarget(count: handles.count, targets: targets, spring: spring)
    try checkCount(handles.count, delays.count, of: "delays")
    for index in delays.indices {
      // False for NaN too.
      guard delays[index] >= 0, time + delays[index] <= BatchLimits.maximumTime else {
        throw .invalidDelay(index: index, seconds: delays[index])
      }
    }
    for index in handles.indices {
      _ = try slots.row(of: handles[index])
    }
    waiting.reserve(handles.count, slots: slots.count)
    let coefficients = spring.map(SpringCoefficients.init(accepted:))
    for index in handles.indices {
      waiting.add(handles[index].index, at: time + delays[index], coefficients) {
        targets[$0 * handles.count + index]
      }
    }
  }

  /// Sets out the tracks whose delay is over at a time, each at its moment.
  mutating func setOutWaiting(until seconds: Double) throws(BatchError) {
    guard waiting.nextTime <= seconds else {
      return
    }
    try reserveTiles(waiting.count / laneCountOfTile + 2)
    while let order = waiting.next(until: seconds) {
      var row = slots.row(of: order.slot)
      reportCompletion(ofRow: row, at: order.time)
      show(row, at: order.time)
      let coefficients = order.coefficients ?? self.coefficients(ofRow: row).toAnyTarget
      row = setAlone(row, coefficients, start: order.time)
      let rule = AmplitudeRule(coefficients)
      for dimension in 0..<dimensions {
        start(row, dimension, target: waiting.target(order.slot, dimension), rule)
      }
    }
  }

  /// Reports what a motion completes until it ends at a time.
  private mutating func reportCompletion(ofRow row: Int, at end: Double) {
    let handle = handle(ofRow: row)
    let logicalTime: Double
    let restTime: Double
    var wasLogical: Bool
    var wasSettled: Bool
    if let place = cohort(ofRow: row) {
      restTime = cohorts[place].computeRest(tolerance.kernel, dimensions: dimensions)
      logicalTime = cohorts[place].logicalTime(restTime: restTime)
      (wasLogical, wasSettled) = (cohorts[place].reportedLogical, cohorts[place].reportedSettled)
    } else {
      let tile = row / laneCountOfTile
      let bit = UInt16(1) << UInt16(row % laneCountOfTile)
      computeRest(tile..<tile + 1)
      let start = unsafe storage.columns.start[row]
      restTime = unsafe start + Double(storage.columns.restAge[row])
      logicalTime = unsafe min(restTime, start + Double(storage.columns.logicalAge[row]))
      (wasLogical, wasSettled) = (tiles.reported[tile].logical & bit != 0, tiles.reported[tile].settled & bit != 0)
    }
    if !wasLogical, end >= logicalTime {
      logicallyComplete.append(handle)
    }
    if !wasSettled, end >= restTime {
      settled.append(handle)
    }
  }

  /// Makes the columns of a row show its motion at a time.
  private func show(_ row: Int, at moment: Double) {
    let columns = storage.columns
    let start: Double
    let rests: Bool
    if let place = cohort(ofRow: row) {
      start = cohorts[place].start
      rests = moment >= cohorts[place].restTime ?? .infinity
    } else {
      start = unsafe columns.start[row]
      rests = unsafe Float(moment - start) >= columns.restAge[row]
    }
    let basis = rests ? .rest : coefficients(ofRow: row).basis(age: moment - start)
    for dimension in 0..<dimensions {
      let element = dimension * columns.dimensionStride + row
      let y = unsafe columns.displacement[element]
      let a = unsafe columns.amplitude[element]
      unsafe columns.value[element] =
        (basis.valueOfDisplacement * y + basis.valueOfAmplitude * a) + columns.target[element]
      unsafe columns.velocity[element] = basis.velocityOfDisplacement * y + basis.velocityOfAmplitude * a + 0
    }
  }
}
