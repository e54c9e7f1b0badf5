// SPDX-License-Identifier: MIT
import Kernels
import Murmuration

/// Lanes for a kernel to run over, without a batch around them, and two tiles behind them that the kernel must not
/// touch.
struct LaneBlock: ~Copyable {
  private let storage: SpringStorage
  private let rows: Int
  /// The number of rows that a run covers.
  let paddedRows: Int

  init(rows: Int) {
    self.rows = rows
    paddedRows = (rows + laneCountOfTile - 1) / laneCountOfTile * laneCountOfTile
    storage = SpringStorage(dimensions: 1, rows: paddedRows + 2 * laneCountOfTile)
  }

  var columns: SpringColumns { storage.columns }

  func start(of row: Int) -> Double { columns.start[row] }

  func place(_ draw: SpringDraw, row: Int, start: Double) {
    let coefficients = SpringCoefficients(accepted: draw.spring)
    columns.start[row] = start
    columns.rate[row] = coefficients.rate
    columns.decay[row] = coefficients.decay
    columns.displacement[row] = draw.displacement
    columns.amplitude[row] = AmplitudeRule(coefficients).amplitude(
      displacement: draw.displacement, velocity: draw.velocity)
    columns.target[row] = draw.target
  }

  func poison() {
    for row in 0..<storage.capacity {
      columns.value[row] = .nan
      columns.velocity[row] = .nan
    }
  }

  func answers() -> [(value: Float, velocity: Float)] {
    (0..<rows).map { (columns.value[$0], columns.velocity[$0]) }
  }

  /// Whether a row behind the run lost its poison.
  var wroteBehind: Bool {
    (paddedRows..<storage.capacity).contains { !columns.value[$0].isNaN || !columns.velocity[$0].isNaN }
  }
}
