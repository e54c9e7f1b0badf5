// SPDX-License-Identifier: MIT
import Kernels

// Whole stretches of neighbouring rows at once: what the general calls do row by row, at the speed of memory.
extension SpringBatch {
  /// Retargets every row, none of which is free.
  ///
  /// - Parameters:
  ///   - targets: Component-major, ``rowCount`` values a dimension; checked.
  ///   - coefficients: Those of one spring for all, which then are one cohort; nil to keep each track's.
  mutating func retargetEveryRow(to targets: Span<Float>, coefficients: SpringCoefficients?) {
    let rows = rowCount
    guard rows > 0 else {
      return
    }
    let columns = storage.columns
    if let coefficients {
      if let sole = cohorts.soleCohort(trackCount: rows) {
        cohorts.restart(sole, coefficients, start: time)
      } else {
        cohorts.removeAll()
        let group = cohorts.open(coefficients, start: time)
        cohorts.join(group, trackCount: rows)
        unsafe columns.group.update(repeating: group, count: rows)
        planIsStale = true
      }
      unsafe columns.stiffness.update(repeating: Float(coefficients.stiffness), count: rows)
    } else {
      cohorts.restartAll(at: time)
      unsafe columns.start.update(repeating: time, count: rows)
    }
    latestStart = time
    start(0..<rows, targets: targets)
  }

  /// Appends a cohort behind the last row; there must be room.
  mutating func append(
    _ count: Int, values: Span<Float>, targets: Span<Float>, velocities: Span<Float>, basis: Basis
  ) -> [TrackHandle] {
    let first = rowCount
    let columns = storage.columns
    generations.append(contentsOf: repeatElement(0, count: count))
    self.count += count
    cohorts.join(basis.group, trackCount: count)
    unsafe (columns.group + first).update(repeating: basis.group, count: count)
    unsafe (columns.stiffness + first).update(repeating: Float(basis.coefficients.stiffness), count: count)
    for dimension in 0..<dimensions {
      let stretch = dimension * count..<(dimension + 1) * count
      unsafe values.extracting(stretch).withUnsafeBufferPointer { values in
        unsafe columnValue(first, dimension).update(from: values.baseAddress.unsafelyUnwrapped, count: count)
      }
      if velocities.isEmpty {
        unsafe columnVelocity(first, dimension).update(repeating: 0, count: count)
      } else {
        unsafe velocities.extracting(stretch).withUnsafeBufferPointer { velocities in
          unsafe columnVelocity(first, dimension).update(from: velocities.baseAddress.unsafelyUnwrapped, count: count)
        }
      }
    }
    latestStart = time
    planIsStale = true
    start(first..<first + count, targets: targets)
    return (first..<first + count).map { TrackHandle(row: UInt32($0), generation: 0, store: store) }
  }

  /// Starts every dimension of neighbouring rows from the values and velocities that their columns show.
  private func start(_ rows: Range<Int>, targets: Span<Float>) {
    for dimension in 0..<dimensions {
      let stretch = dimension * rows.count..<(dimension + 1) * rows.count
      unsafe targets.extracting(stretch).withUnsafeBufferPointer { targets in
        if let targets = targets.baseAddress {
          unsafe start(rows, dimension, targets: targets)
        }
      }
    }
  }

  private func start(_ rows: Range<Int>, _ dimension: Int, targets: UnsafePointer<Float>) {
    typealias Floats = SIMD16<Float>
    typealias Bits = SIMD16<Int32>
    let columns = storage.columns
    let offset = dimension * columns.dimensionStride
    var row = rows.lowerBound
    while row + Floats.scalarCount <= rows.upperBound {
      let element = offset + row
      let target = unsafe UnsafeRawPointer(targets + (row - rows.lowerBound)).loadUnaligned(as: Floats.self)
      let value = unsafe UnsafeRawPointer(columns.value + element).loadUnaligned(as: Floats.self)
      let velocity = unsafe UnsafeRawPointer(columns.velocity + element).loadUnaligned(as: Bits.self)
      let stiffness = unsafe UnsafeRawPointer(columns.stiffness + row).loadUnaligned(as: Bits.self)
      // A spring of duration 0 has no stiffness, and keeps displacement and velocity at 0.
      let moves = (Bits.zero &- stiffness) &>> Bits(repeating: 31)
      let displacement = unsafe unsafeBitCast(value - target, to: Bits.self)
      unsafe UnsafeMutableRawPointer(columns.target + element).storeBytes(of: target, as: Floats.self)
      unsafe UnsafeMutableRawPointer(columns.displacement + element).storeBytes(of: displacement & moves, as: Bits.self)
      unsafe UnsafeMutableRawPointer(columns.initialVelocity + element).storeBytes(of: velocity & moves, as: Bits.self)
      row += Floats.scalarCount
    }
    while row < rows.upperBound {
      start(row, dimension, target: unsafe targets[row - rows.lowerBound])
      row += 1
    }
  }
}
