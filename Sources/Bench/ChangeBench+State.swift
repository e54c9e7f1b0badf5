// SPDX-License-Identifier: MIT
import Murmuration

// Snapshots and copies of a batch.
extension ChangeBench {
  /// Snapshots of moving tracks in memory that is there, the way back, and copies, beside a copy of as many bytes.
  func snapshots() throws -> [OperationResult] {
    let (shared, handles) = try standing()
    try shared.batch.animate(handles, to: goals[0], springs: springs)
    try shared.batch.advance(to: 0.1)
    let first = try shared.batch.snapshot()
    let moment = Moment(try shared.batch.snapshot())
    let bytes = first.byteCount
    let (from, to) = (LineColumn(count: bytes / 4, stagger: 0), LineColumn(count: bytes / 4, stagger: 1))
    for index in 0..<bytes / 4 { from.floats[index] = Float(index) }
    let name = "yardstick.copy.state"
    func work(_ name: String, _ run: @escaping () throws -> Void) -> Work {
      Work(name: name, yardstick: "yardstick.copy.state", bytes: 2 * Double(bytes), run: run)
    }
    return try rows([
      work("state.snapshot") { try shared.batch.snapshot(into: &moment.snapshot) },
      work("state.restore") { try shared.batch.restore(first) },
      work("state.copy") { _ = try shared.batch.copy() },
      Work(name: name, bytes: 2 * Double(bytes)) {
        _ = to.floats.update(fromContentsOf: from.floats)
      },
    ])
  }

  /// A snapshot that work writes to.
  private final class Moment {
    var snapshot: BatchSnapshot
    init(_ snapshot: BatchSnapshot) { self.snapshot = snapshot }
  }
}
