// SPDX-License-Identifier: MIT
import AnimationModel
import Kernels

/// The curves that the tracks of a batch follow, as tables of pieces.
struct CurveTables {
  /// Curves there may be tables of; tracks with more are evaluated on their own.
  static let limit = 4096
  /// Curves from which on those without a track are forgotten.
  private static let crowd = 256

  private let dimensions: Int
  private let tolerance: Double
  private var kinds: [UnitCurve: Int32] = [:]
  private var curves: [UnitCurve?] = [nil]
  private var tables: [ClipTables?] = [nil]
  /// The form whose curve each kind was last asked for.
  private var forms: [ProgressForm?] = [nil]
  /// What kernels take, by kind. Kind 0 and those that are free have the table of another, which is never used.
  private(set) var lent: [ClipTable] = []
  private var freeKinds: [Int32] = []

  init(dimensions: Int, tolerance: Double) {
    self.dimensions = dimensions
    self.tolerance = tolerance
  }

  /// Whether a curve's tiles are known to be of a kind: it is as quickly found out as two references are compared, and may
  /// be so where this says no.
  func isKind(_ kind: Int32, of form: ProgressForm) -> Bool { forms[Int(kind)] === form }

  /// The kind of tile for a curve that a form is of, or nil if it has no table.
  mutating func kind(of curve: UnitCurve, _ form: ProgressForm, _ tiles: inout CurveTiles) -> Int32? {
    let kind = kind(of: curve, &tiles)
    if let kind { forms[Int(kind)] = form }
    return kind
  }

  private mutating func kind(of curve: UnitCurve, _ tiles: inout CurveTiles) -> Int32? {
    if let known = kinds[curve] { return known }
    if kinds.count >= Self.crowd {
      forgetUnused(tiles)
    }
    guard kinds.count < Self.limit, let fit = CurveFitCache.fit(curve, tolerance: tolerance) else { return nil }
    let track = PieceTrack(
      components: Array(0..<dimensions), times: fit.times,
      pieces: [[SIMD4<Double>]](repeating: fit.pieces, count: dimensions),
      boundariesBelongToLater: fit.boundariesBelongToLater)
    // A curve whose pieces are too steep for a clip has no table either: its tracks are evaluated one by one.
    guard
      let clip = try? Clip(
        dimensions: dimensions, initialValues: [Double](repeating: 0, count: dimensions), tracks: [track])
    else { return nil }
    let made = ClipTables(clip)
    let kind = freeKinds.popLast() ?? Int32(tables.count)
    if Int(kind) == tables.count {
      tables.append(nil)
      curves.append(nil)
      forms.append(nil)
    }
    tables[Int(kind)] = made
    curves[Int(kind)] = curve
    kinds[curve] = kind
    while lent.count < tables.count {
      lent.append(made.table)
    }
    lent[Int(kind)] = made.table
    tiles.addKind(Int(kind))
    return kind
  }

  /// Forgets the curves that no track in a tile follows.
  mutating func forgetUnused(_ tiles: CurveTiles) {
    for kind in curves.indices where kind > 0 && tiles.counts[kind] == 0 {
      guard let curve = curves[kind] else { continue }
      kinds[curve] = nil
      curves[kind] = nil
      forms[kind] = nil
      tables[kind] = nil
      freeKinds.append(Int32(kind))
    }
  }
}

// Tables are never changed once they are made, and live as long as this or a copy of it.
extension CurveTables: @unchecked Sendable {}
