// SPDX-License-Identifier: MIT
import AnimationModel
import Kernels

/// The basis a track is to follow: its own, or that of a cohort.
struct Basis {
  var group: Int32
  var coefficients: SpringCoefficients

  init(group: Int32, coefficients: SpringCoefficients) {
    self.group = group
    self.coefficients = coefficients
  }

  /// The basis of a track that moves alone, from a spring that was checked.
  init(alone spring: Spring) {
    self.init(alone: SpringCoefficients(accepted: spring))
  }

  init(alone coefficients: SpringCoefficients) {
    self.coefficients = coefficients
    group = coefficients.isOverdamped ? LaneGroup.overdamped : LaneGroup.oscillating
  }
}

// Every change of a motion goes through these: a track is placed in a basis that starts now, and each of its dimensions
// starts from the value and velocity that its columns show.
extension SpringBatch {
  /// The basis of a new cohort that starts now and has no tracks yet.
  mutating func openCohort(_ coefficients: SpringCoefficients) -> Basis {
    Basis(group: cohorts.open(coefficients, start: time), coefficients: coefficients)
  }

  /// Makes a row follow a basis from now on.
  mutating func place(_ row: Int, in basis: Basis) {
    let columns = storage.columns
    let group = unsafe columns.group[row]
    if group != basis.group {
      cohorts.join(basis.group)
      cohorts.leave(group)
      unsafe columns.group[row] = basis.group
      planIsStale = true
    }
    unsafe columns.stiffness[row] = Float(basis.coefficients.stiffness)
    if basis.group < LaneGroup.firstCohort {
      unsafe columns.start[row] = time
      unsafe columns.rate[row] = basis.coefficients.rate
      unsafe columns.decay[row] = Float(basis.coefficients.decay)
      unsafe columns.inverseRate[row] = Float(basis.coefficients.inverseRate)
    }
    latestStart = time
  }

  /// Starts one dimension of a row towards a target, from the value and velocity that its columns show.
  func start(_ row: Int, _ dimension: Int, target: Float) {
    let columns = storage.columns
    let element = dimension * columns.dimensionStride + row
    let jumps = unsafe columns.stiffness[row] == 0
    unsafe columns.target[element] = target
    unsafe columns.displacement[element] = jumps ? 0 : columns.value[element] - target
    unsafe columns.initialVelocity[element] = jumps ? 0 : columns.velocity[element]
  }

  /// The coefficients that a live row follows.
  func coefficients(of row: Int) -> SpringCoefficients {
    let columns = storage.columns
    let group = unsafe columns.group[row]
    if group >= LaneGroup.firstCohort {
      return cohorts[group].coefficients
    }
    return unsafe SpringCoefficients(
      isOverdamped: group == LaneGroup.overdamped, rate: columns.rate[row], decay: Double(columns.decay[row]),
      inverseRate: Double(columns.inverseRate[row]), stiffness: Double(columns.stiffness[row]))
  }

  func columnValue(_ row: Int, _ dimension: Int) -> UnsafeMutablePointer<Float> {
    unsafe storage.columns.value + (dimension * storage.columns.dimensionStride + row)
  }

  func columnVelocity(_ row: Int, _ dimension: Int) -> UnsafeMutablePointer<Float> {
    unsafe storage.columns.velocity + (dimension * storage.columns.dimensionStride + row)
  }
}

// MARK: - Checks

extension SpringBatch {
  func checkDimensions(_ got: Int) throws(BatchError) {
    guard got == dimensions else {
      throw .wrongDimensions(expected: dimensions, got: got)
    }
  }

  func check(_ spring: Spring, index: Int) throws(BatchError) {
    if let defect = BatchLimits.defect(of: spring) {
      throw .invalidSpring(index: index, reason: defect)
    }
  }

  func check(_ value: Float, index: Int) throws(BatchError) {
    // False for NaN too.
    guard abs(value) <= BatchLimits.maximumMagnitude else {
      throw .invalidValue(index: index, value: value)
    }
  }

  func check(_ values: Span<Float>) throws(BatchError) {
    // Without their signs, the bits of Floats are ordered as their magnitudes are, NaN last. One comparison of the
    // largest is much faster than one of each; it is looked for only if it is bad.
    var largest: UInt32 = 0
    for index in values.indices {
      largest = max(largest, unsafe values[unchecked: index].bitPattern & 0x7FFF_FFFF)
    }
    if largest > BatchLimits.maximumMagnitude.bitPattern {
      for index in values.indices {
        try check(values[index], index: index)
      }
    }
  }

  /// The row of a live track.
  func row(of handle: TrackHandle) throws(BatchError) -> Int {
    guard handle.store == store else {
      throw .storeMismatch(handle)
    }
    let row = Int(handle.row)
    guard row < generations.count, generations[row] == handle.generation,
      unsafe storage.columns.group[row] != LaneGroup.free
    else {
      throw .staleHandle(handle)
    }
    return row
  }

  func handle(of row: Int) -> TrackHandle {
    TrackHandle(row: UInt32(row), generation: generations[row], store: store)
  }
}
