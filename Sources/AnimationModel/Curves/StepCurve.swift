// SPDX-License-Identifier: MIT

/// The staircase of CSS `steps()`: the output jumps at equal intervals and is constant between.
///
/// Source: CSS Easing Functions Level 1, section 2.3.
public struct StepCurve: Hashable, Sendable {
  /// Where a staircase jumps.
  public enum Position: String, CaseIterable, Hashable, Sendable {
    /// The first jump is at the start: intervals show their end value.
    case jumpStart = "jump-start"
    /// The last jump is at the end: intervals show their start value.
    case jumpEnd = "jump-end"
    /// No jump at either end: the first interval shows 0 and the last shows 1.
    case jumpNone = "jump-none"
    /// A jump at both ends: no interval shows 0 or 1.
    case jumpBoth = "jump-both"
  }

  /// The number of intervals of equal length: at least 1, and at least 2 for ``Position/jumpNone``.
  public let count: Int

  /// Where the jumps are.
  public let position: Position

  /// A staircase of `count` intervals; a count below the least valid one is raised to it.
  public init(count: Int, position: Position = .jumpEnd) {
    self.count = max(count, position == .jumpNone ? 2 : 1)
    self.position = position
  }

  /// The output at a progress. Outside 0…1 the staircase goes on as CSS says.
  ///
  /// - Parameters:
  ///   - progress: The input.
  ///   - before: CSS's "before flag": at a jump, show the value before it. Set while an effect's delay has not passed.
  public func value(at progress: Double, before: Bool = false) -> Double {
    let scaled = progress * Double(count)
    var step = scaled.rounded(.down)
    if position == .jumpStart || position == .jumpBoth { step += 1 }
    if before && scaled == scaled.rounded(.down) { step -= 1 }
    if progress >= 0 && step < 0 { step = 0 }
    if progress <= 1 && step > jumps { step = jumps }
    return step / jumps
  }

  /// The number of jumps between 0 and 1.
  private var jumps: Double {
    switch position {
    case .jumpStart, .jumpEnd: Double(count)
    case .jumpNone: Double(count) - 1
    case .jumpBoth: Double(count) + 1
    }
  }

  /// The staircase with input and output exchanged; at the jumps themselves it takes the value the position says.
  package var inverse: StepCurve {
    switch position {
    case .jumpStart: StepCurve(count: count, position: .jumpEnd)
    case .jumpEnd: StepCurve(count: count, position: .jumpStart)
    case .jumpNone: StepCurve(count: count - 1, position: .jumpBoth)
    case .jumpBoth: StepCurve(count: count == .max ? count : count + 1, position: .jumpNone)
    }
  }
}
