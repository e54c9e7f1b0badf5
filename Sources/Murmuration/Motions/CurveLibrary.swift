// SPDX-License-Identifier: MIT
import AnimationModel
import Kernels

/// The curves that tracks follow, as tables of pieces: each the way from 0 to 1 in the time from 0 to 1.
struct CurveLibrary {
  /// Curves that there may be tables of.
  static let limit = 4096
  /// How far the pieces of a curve may be from it, as a share of the way.
  static let tolerance = 0x1p-16
  /// Curves from which on those without a track are forgotten.
  private static let crowd = 256
  /// Curves among which one is looked for before its hash is computed, which takes longer than to compare it with a few.
  private static let few = 6

  private struct Entry {
    var curve: UnitCurve?
    /// What sums have of it.
    var form: ProgressForm?
    var tables: ClipTables?
    /// Rows that follow it.
    var rows = 0
  }

  private let dimensions: Int
  private var entries: [Entry] = []
  private var places: [UnitCurve: Int] = [:]
  private var free: [Int] = []
  /// What kernels take, by place. A place that is free has the table of another, which is never used.
  private(set) var tables: [ClipTable] = []

  init(dimensions: Int) { self.dimensions = dimensions }

  /// The place of a curve; nil if it has no table, as it is too steep for one or there are too many.
  mutating func place(of curve: UnitCurve) -> Int? {
    for place in entries.indices.prefix(Self.few) where entries[place].curve == curve { return place }
    if let known = places[curve] { return known }
    if places.count >= Self.crowd { forgetUnused() }
    guard places.count < Self.limit, let fit = CurveFitCache.fit(curve, tolerance: Self.tolerance) else { return nil }
    let track = PieceTrack(
      components: Array(0..<dimensions), times: fit.times,
      pieces: [[SIMD4<Double>]](repeating: fit.pieces, count: dimensions),
      boundariesBelongToLater: fit.boundariesBelongToLater)
    guard
      let clip = try? Clip(
        dimensions: dimensions, initialValues: [Double](repeating: 0, count: dimensions), tracks: [track])
    else { return nil }
    let made = ClipTables(clip)
    let place = free.popLast() ?? entries.count
    if place == entries.count {
      entries.append(Entry())
      tables.append(made.table)
    }
    entries[place] = Entry(curve: curve, form: ProgressForm(.curve(curve)), tables: made)
    tables[place] = made.table
    places[curve] = place
    return place
  }

  /// The curve at a place that has one, as sums have it.
  func form(at place: Int) -> ProgressForm { unsafe entries[place].form.unsafelyUnwrapped }

  /// A curve, as sums have it.
  mutating func form(of curve: UnitCurve) -> ProgressForm {
    place(of: curve).map { form(at: $0) } ?? ProgressForm(.curve(curve))
  }

  /// Notes that rows begin or cease to follow a curve.
  mutating func countRows(_ place: Int, _ change: Int) { entries[place].rows += change }

  /// Notes that no row follows a curve.
  mutating func removeRows() {
    for place in entries.indices { entries[place].rows = 0 }
  }

  private mutating func forgetUnused() {
    for place in entries.indices where entries[place].rows == 0 {
      guard let curve = entries[place].curve else { continue }
      places[curve] = nil
      entries[place] = Entry()
      free.append(place)
    }
  }
}

// What tables point to is never changed once it is made, and lives as long as this or a copy of it.
extension CurveLibrary: @unchecked Sendable {}
