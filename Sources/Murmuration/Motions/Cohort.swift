// SPDX-License-Identifier: MIT
import Kernels

/// The motion that the tracks of a cohort share.
struct Cohort {
  private(set) var coefficients: SpringCoefficients
  private(set) var start: Double
  /// When the perceptual duration has passed, shortened by a millionth so that a frame at exactly this age counts.
  private var perceptualEnd: Double
  /// Whether its tracks share tiles with other cohorts.
  let isShared: Bool

  var trackCount = 0
  /// The number of the change that began the cohort.
  var change: UInt32 = 0
  /// The number of its own tiles in the plan.
  var tileCount = 0
  /// Its first run in the plan, or −1.
  var firstRun: Int32 = -1
  /// The row for the next track while the cohort is founded; a multiple of the lanes of a tile if a tile has to be
  /// taken first.
  var openRow = 0

  /// During a bulk retarget: the number of tracks that leave the cohort, and the index of the new cohort that they
  /// join.
  var leaving = 0
  var successor = -1

  /// The largest displacement and amplitude that any component of any track started with.
  private var largestDisplacement: Float = 0
  private var largestAmplitude: Float = 0
  /// When the last of its tracks is at rest; nil until that is computed.
  private(set) var restTime: Double?

  /// Whether its tracks were reported as logically complete and as settled.
  var reported = SpringWatch.Reported()
  /// Whether its tracks are at rest, and their columns show it.
  var isAsleep = false
  /// Whether the columns showed its tracks at rest after the last frame.
  var showsRest = false

  init(_ coefficients: SpringCoefficients, start: Double, isShared: Bool) {
    self.coefficients = coefficients
    self.start = start
    perceptualEnd = Self.perceptualEnd(coefficients, start)
    self.isShared = isShared
  }

  /// Whether its tracks would fit into half of its tiles. That always holds for less than half a tile of tracks, which
  /// go to shared tiles.
  var isSparse: Bool {
    !isShared
      && tileCount * laneCountOfTile > 2 * trackCount + (trackCount < laneCountOfTile / 2 ? 0 : laneCountOfTile - 1)
  }

  /// Takes over the state of another cohort with the same coefficients and start.
  mutating func continueMotion(of other: Cohort) {
    (largestDisplacement, largestAmplitude) = (other.largestDisplacement, other.largestAmplitude)
    restTime = other.restTime
    (reported, isAsleep, showsRest) = (other.reported, other.isAsleep, other.showsRest)
  }

  /// Starts the same tracks anew.
  mutating func restart(_ coefficients: SpringCoefficients, start: Double) {
    self.coefficients = coefficients
    self.start = start
    perceptualEnd = Self.perceptualEnd(coefficients, start)
    (largestDisplacement, largestAmplitude, restTime) = (0, 0, nil)
    (reported, isAsleep, showsRest) = (SpringWatch.Reported(), false, false)
  }

  /// Takes the extent of motions that start into account.
  mutating func include(_ extent: Extent) {
    largestDisplacement = max(largestDisplacement, extent.displacement)
    largestAmplitude = max(largestAmplitude, extent.amplitude)
    restTime = nil
  }

  mutating func computeRest(_ tolerance: RestTolerance, dimensions: Int) -> Double {
    if let restTime {
      return restTime
    }
    let bound = RestBound(
      coefficients, displacement: Double(largestDisplacement) * Double(dimensions),
      amplitude: Double(largestAmplitude) * Double(dimensions))
    let time = start + bound.age(tolerance)
    restTime = time
    return time
  }

  /// Forgets when the cohort comes to rest, as tolerances changed.
  mutating func forgetRest() { restTime = nil }

  /// When its tracks are logically complete, given when they are at rest.
  func logicalTime(restTime: Double) -> Double { min(restTime, perceptualEnd) }

  private static func perceptualEnd(_ coefficients: SpringCoefficients, _ start: Double) -> Double {
    coefficients.logicalAge.map { start + $0 * 0.999999 } ?? .infinity
  }
}
