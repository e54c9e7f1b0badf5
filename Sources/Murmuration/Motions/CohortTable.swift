// SPDX-License-Identifier: MIT
import Kernels

/// The cohorts of a batch. The index of a cohort is used again once it has no tracks.
struct CohortTable {
  private var cohorts: [Cohort] = []
  private var columns = CohortColumns()
  /// The basis of each cohort at the time of the last ``evaluateBases(_:at:)``, and padding.
  private(set) var bases: [CohortBasis] = []
  private(set) var freePlaces: [Int32] = []
  /// When each cohort has to be looked at next; −∞ if it was changed since the last look, or rests. The times stand
  /// side by side, so that a frame passes over thousands of cohorts quickly.
  private(set) var deadlines: [Double] = []

  subscript(place: Int) -> Cohort {
    _read { yield cohorts[place] }
    _modify {
      deadlines[place] = -.infinity
      yield &cohorts[place]
    }
  }

  /// The first cohort from an index on that is due at a time, or nil.
  func firstDue(from place: Int, at time: Double) -> Int? {
    deadlines.withConstantColumn { [count = deadlines.count] deadlines in
      for place in place..<count where deadlines[place] <= time {
        return place
      }
      return nil
    }
  }

  /// Sets the time at which a cohort that was looked at is due again. A change makes it due before that.
  mutating func setDeadline(_ place: Int, _ time: Double) { deadlines[place] = time }

  var indices: Range<Int> { cohorts.indices }

  /// Adds a cohort without tracks, and returns its index.
  mutating func open(_ coefficients: SpringCoefficients, start: Double, isShared: Bool) -> Int {
    let cohort = Cohort(coefficients, start: start, isShared: isShared)
    if let place = freePlaces.popLast() {
      cohorts[Int(place)] = cohort
      deadlines[Int(place)] = -.infinity
      columns.set(Int(place), coefficients, start: start)
      return Int(place)
    }
    cohorts.append(cohort)
    deadlines.append(-.infinity)
    columns.append(coefficients, start: start)
    if bases.count < cohorts.count {
      for _ in 0..<laneCountOfTile {
        bases.append(.rest)
      }
    }
    return cohorts.count - 1
  }

  /// Adds a cohort without tracks that moves as another does, and returns its index.
  mutating func openCopy(of place: Int, isShared: Bool) -> Int {
    let copy = open(cohorts[place].coefficients, start: cohorts[place].start, isShared: isShared)
    self[copy].continueMotion(of: cohorts[place])
    bases[copy] = bases[place]
    return copy
  }

  /// Frees the index of a cohort that no track joined.
  mutating func close(_ place: Int) { freePlaces.append(Int32(place)) }

  /// Adds tracks to the count of a cohort.
  mutating func join(_ place: Int, trackCount: Int = 1) {
    cohorts[place].trackCount += trackCount
  }

  /// Subtracts tracks from the count of a cohort, and frees its index with the last track.
  mutating func leave(_ place: Int, trackCount: Int = 1) {
    cohorts[place].trackCount -= trackCount
    if cohorts[place].trackCount == 0 {
      freePlaces.append(Int32(place))
    }
  }

  /// Starts the tracks of a cohort anew.
  mutating func restart(_ place: Int, _ coefficients: SpringCoefficients, start: Double) {
    self[place].restart(coefficients, start: start)
    columns.set(place, coefficients, start: start)
  }

  /// Starts every cohort anew.
  mutating func restartAll(at start: Double) {
    for place in cohorts.indices {
      restart(place, cohorts[place].coefficients.toAnyTarget, start: start)
    }
  }

  /// Computes the bases of all cohorts at a time.
  mutating func evaluateBases(_ table: KernelTable, at time: Double) {
    bases.withColumn { bases in
      columns.evaluateBases(table, at: time, into: bases)
    }
  }

  mutating func setBasis(_ place: Int, _ basis: CohortBasis) { bases[place] = basis }

  /// The cohort that has all `trackCount` tracks, or nil.
  func soleCohort(trackCount: Int) -> Int? {
    guard trackCount > 0, let place = cohorts.firstIndex(where: { $0.trackCount > 0 }),
      cohorts[place].trackCount == trackCount
    else {
      return nil
    }
    return place
  }

  /// Whether a cohort fills less than half of its tiles.
  var hasSparse: Bool { cohorts.contains { $0.isSparse } }

  /// Forgets every cohort.
  mutating func removeAll() {
    cohorts.removeAll(keepingCapacity: true)
    deadlines.removeAll(keepingCapacity: true)
    columns.removeAll()
    bases.removeAll(keepingCapacity: true)
    freePlaces.removeAll(keepingCapacity: true)
  }
}
