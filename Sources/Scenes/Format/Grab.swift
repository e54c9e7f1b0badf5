// SPDX-License-Identifier: MIT

/// A hand that takes the tracks of a timeline group in mid-run, draws them along, and lets go: they begin anew from there.
///
/// One that holds them for no time has them begin anew in motion, with the velocity that they have.
package struct Grab: Equatable, Sendable, Decodable {
  /// Whom it takes when.
  package var trigger: SceneTrigger
  /// Seconds for which each track is held.
  package var hold: Double
  /// How far a track is drawn while it is held, a number a dimension; empty: it is kept where it is.
  package var drag: [Double]

  /// The keys of a grab.
  package enum Key: String, CodingKey, CaseIterable { case at, waves, order, hold, drag }

  /// A grab put together in code.
  package init(_ trigger: SceneTrigger, hold: Double = 0, drag: [Double] = []) {
    self.trigger = trigger
    self.hold = hold
    self.drag = drag
  }

  /// Reads a grab, strictly.
  package init(from decoder: any Decoder) throws(DescriptionError) {
    let fields = try StrictFields<Key>(decoder)
    trigger = try SceneTrigger(fields, at: .at, waves: .waves, order: .order)
    hold = try fields.number(.hold, .sceneTime, default: 0)
    drag = try fields.optionalNumbers(.drag, .coordinate) ?? []
    guard drag.isEmpty || hold > 0 else { throw fields.error(.drag, "needs a hold of more than 0 s") }
  }

  /// By how much a component is drawn after so many seconds: it sets out and stops at rest.
  func way(_ component: Int, after seconds: Double) -> Double {
    guard !drag.isEmpty else { return 0 }
    let share = min(max(seconds / hold, 0), 1)
    return drag[component] * share * share * (3 - 2 * share)
  }
}
