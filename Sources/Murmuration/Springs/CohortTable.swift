// SPDX-License-Identifier: MIT
import Kernels

/// The cohorts of a batch: what their tracks share. A cohort's group number is its place in the table plus
/// ``LaneGroup/firstCohort``; the place is used again once the cohort has no tracks.
struct CohortTable {
  struct Cohort {
    var coefficients: SpringCoefficients
    var start: Double
    var trackCount: Int
    /// The basis at the time of the last ``evaluate(at:)``.
    var basis = CohortBasis(
      valueOfDisplacement: 1, valueOfVelocity: 0, velocityOfDisplacement: 0, velocityOfVelocity: 1)
  }

  private var cohorts: [Cohort] = []
  private var freePlaces: [Int32] = []

  /// One past the largest group number in use.
  var groupCount: Int { Int(LaneGroup.firstCohort) + cohorts.count }

  subscript(group: Int32) -> Cohort { cohorts[Int(group - LaneGroup.firstCohort)] }

  /// The group number of a new cohort without tracks.
  mutating func open(_ coefficients: SpringCoefficients, start: Double) -> Int32 {
    let cohort = Cohort(coefficients: coefficients, start: start, trackCount: 0)
    if let place = freePlaces.popLast() {
      cohorts[Int(place)] = cohort
      return place + LaneGroup.firstCohort
    }
    cohorts.append(cohort)
    return Int32(cohorts.count - 1) + LaneGroup.firstCohort
  }

  /// Computes the basis of every cohort that has tracks, once for all the runs of tiles that it may be spread over.
  mutating func evaluate(at time: Double) {
    for place in cohorts.indices where cohorts[place].trackCount > 0 {
      cohorts[place].basis = cohorts[place].coefficients.basis(age: time - cohorts[place].start)
    }
  }

  /// Counts a track in; groups that are not cohorts need no counting.
  mutating func join(_ group: Int32) {
    if group >= LaneGroup.firstCohort {
      cohorts[Int(group - LaneGroup.firstCohort)].trackCount += 1
    }
  }

  /// Counts a track out, and gives the place back with the last one.
  mutating func leave(_ group: Int32) {
    guard group >= LaneGroup.firstCohort else {
      return
    }
    let place = group - LaneGroup.firstCohort
    cohorts[Int(place)].trackCount -= 1
    if cohorts[Int(place)].trackCount == 0 {
      freePlaces.append(place)
    }
  }

  /// Counts many tracks in.
  mutating func join(_ group: Int32, trackCount: Int) {
    cohorts[Int(group - LaneGroup.firstCohort)].trackCount += trackCount
  }

  /// Starts every cohort anew.
  mutating func restartAll(at start: Double) {
    for place in cohorts.indices {
      cohorts[place].start = start
    }
  }

  /// The group number of the one cohort that has all `trackCount` tracks, or nil.
  func soleCohort(trackCount: Int) -> Int32? {
    guard trackCount > 0, let place = cohorts.firstIndex(where: { $0.trackCount > 0 }),
      cohorts[place].trackCount == trackCount
    else {
      return nil
    }
    return Int32(place) + LaneGroup.firstCohort
  }

  /// Gives a cohort another spring and start.
  mutating func restart(_ group: Int32, _ coefficients: SpringCoefficients, start: Double) {
    cohorts[Int(group - LaneGroup.firstCohort)].coefficients = coefficients
    cohorts[Int(group - LaneGroup.firstCohort)].start = start
  }

  /// Forgets every cohort.
  mutating func removeAll() {
    cohorts.removeAll(keepingCapacity: true)
    freePlaces.removeAll(keepingCapacity: true)
  }
}
