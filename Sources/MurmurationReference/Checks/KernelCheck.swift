// SPDX-License-Identifier: MIT
import Kernels
package import Murmuration

/// Compares the spring kernels with the model on random springs, on several instruction sets at once.
///
/// Every lane has a spring, a start and an age of its own. Outputs are poisoned with NaN before each run, so a lane
/// that is not written shows. The rows behind the run must keep their poison, so a row too many shows as well.
package struct KernelCheck {
  /// The bound of value and velocity, in the unit of the results; see accuracy in ``AnimationBatch``.
  package static let bound = 8.0
  static let valueUnit = "2^-24 S"
  static let velocityUnit = "2^-24 S w0"

  /// Rows of a run; one less than a multiple of the tile, so that the last vector of every width holds a track.
  private static let rows = 1_007
  let sets: [KernelSet]

  /// A check of the kernels of these instruction sets. All sets must have the bits of the first one.
  package init(sets: [KernelSet]) { self.sets = sets }

  /// Checks mixed lanes of one regime.
  ///
  /// - Returns: For each instruction set the value, the velocity, and the number of lanes whose bits differ from the
  ///   first set's.
  package func mixed(_ regime: SpringRegime, samples: Int, seed: UInt64) -> [CheckResult] {
    var random = SplitMix64(seed: seed)
    var tally = Tally(name: "mixed.\(regime.rawValue)", sets: sets)
    repeat {
      // The clock is anywhere; the starts lie before it.
      let now = random.uniform(0...1e6)
      let draws = (0..<Self.rows).map { _ in SpringDraw(regime, &random) }
      let lanes = LaneBlock(rows: Self.rows)
      for (row, draw) in draws.enumerated() {
        lanes.place(draw, row: row, start: now - draw.age)
      }
      let references = draws.indices.map { draws[$0].reference(age: now - lanes.start(of: $0)) }
      tally.compare(lanes, draws, references) { table, run, columns in
        let kernel = regime.isOverdamped ? table.evaluateOverdamped : table.evaluateOscillating
        kernel(columns, run, now, true)
      }
    } while tally.samples < samples
    return tally.results
  }

  /// Checks cohorts of one regime: 111 lanes share a spring and an age, values and velocities differ.
  package func cohort(_ regime: SpringRegime, samples: Int, seed: UInt64) -> [CheckResult] {
    var random = SplitMix64(seed: seed)
    var tally = Tally(name: "cohort.\(regime.rawValue)", sets: sets)
    repeat {
      let shared = SpringDraw(regime, &random)
      let draws = (0..<111).map { _ in
        var draw = SpringDraw(regime, &random)
        draw.spring = shared.spring
        draw.bounce = shared.bounce
        draw.age = shared.age
        return draw
      }
      let lanes = LaneBlock(rows: draws.count)
      for (row, draw) in draws.enumerated() {
        lanes.place(draw, row: row, start: 0)
      }
      let basis = SpringCoefficients(accepted: shared.spring).basis(age: shared.age)
      let references = draws.map { $0.reference(age: shared.age) }
      // By turns the cohort has its own tiles and shared tiles.
      let isShared = tally.samples / draws.count % 2 == 1
      tally.compare(lanes, draws, references) { table, run, columns in
        if isShared {
          [basis].withUnsafeBufferPointer { table.evaluateShared(columns, run, $0.column!, true) }
        } else {
          table.evaluateCohort(columns, run, basis, true)
        }
      }
    } while tally.samples < samples
    return tally.results
  }
}

/// The results of one check on several instruction sets.
struct Tally {
  private let sets: [KernelSet]
  private var values: [CheckResult]
  private var velocities: [CheckResult]
  private var bits: [CheckResult]

  init(name: String, sets: [KernelSet]) {
    self.sets = sets
    values = sets.map {
      CheckResult(name: name + ".value", isa: $0.rawValue, unit: KernelCheck.valueUnit, bound: KernelCheck.bound)
    }
    velocities = sets.map {
      CheckResult(name: name + ".velocity", isa: $0.rawValue, unit: KernelCheck.velocityUnit, bound: KernelCheck.bound)
    }
    bits = sets.dropFirst().map {
      CheckResult(name: name + ".same-bits", isa: $0.rawValue, unit: "differing lanes", bound: 0)
    }
  }

  var samples: Int { values.first?.samples ?? 0 }
  var results: [CheckResult] { values + velocities + bits }

  mutating func compare(
    _ lanes: borrowing LaneBlock, _ draws: [SpringDraw], _ references: [(value: Double, velocity: Double)],
    _ evaluate: (KernelTable, LaneRun, SpringColumns) -> Void
  ) {
    var first: [(value: Float, velocity: Float)] = []
    for (index, set) in sets.enumerated() {
      lanes.poison()
      let run = LaneRun(firstLane: 0, laneCount: lanes.paddedRows)
      evaluate(set.table, run, lanes.columns)
      compare(index, lanes.answers(), overran: lanes.wroteBehind, draws, references, &first)
    }
  }

  /// Compares the outputs of one set; `first` are the outputs of the first set.
  mutating func compare(
    _ index: Int, _ answers: [(value: Float, velocity: Float)], overran: Bool, _ draws: [SpringDraw],
    _ references: [(value: Double, velocity: Double)], _ first: inout [(value: Float, velocity: Float)]
  ) {
    if index == 0 {
      first = answers
    }
    for row in draws.indices {
      let error = draws[row].error(
        value: answers[row].value, velocity: answers[row].velocity, against: references[row])
      values[index].record(max(error.value, overran ? .infinity : 0), draws[row].description)
      velocities[index].record(error.velocity, draws[row].description)
      if index > 0 {
        let differs =
          answers[row].value.bitPattern != first[row].value.bitPattern
          || answers[row].velocity.bitPattern != first[row].velocity.bitPattern
        bits[index - 1].record(bits[index - 1].maxError + (differs ? 1 : 0), draws[row].description)
      }
    }
  }
}
