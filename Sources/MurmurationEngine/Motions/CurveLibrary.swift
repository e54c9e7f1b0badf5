// SPDX-License-Identifier: MIT
import Kernels

/// The curves that tracks follow, as tables of pieces. Each goes from 0 to 1 in the time from 0 to 1.
struct CurveLibrary {
  /// The largest number of curves with tables.
  static let limit = 4096
  /// The largest number of coefficients in the tables of a curve: 64 MiB.
  private static let numberLimit = 1 << 22
  /// The largest natural frequency times length, in radians, of a spring with a table: about 6 000 pieces, which take some
  /// milliseconds. Without this limit, a spring with a bounce of 0.9999 would take half a second.
  private static let longestSpring = 4096.0
  /// How far the pieces of a curve may be from it, as a share of the way.
  let tolerance: Double
  static let defaultTolerance = 0x1p-16
  /// The number of curves from which on unused ones are forgotten before another one is added.
  private static let crowd = 256
  /// The number of curves that are compared before the hash of a curve is computed, which takes longer than a few
  /// comparisons.
  private static let few = 6

  private struct Entry {
    var base: ProgressForm.Base?
    /// The curve as sums take it.
    var form: ProgressForm?
    var tables: ClipTables?
  }

  private let dimensions: Int
  private var entries: [Entry] = []
  /// The indices of the curves; nil for a curve that cannot have a table, so that it is not tried for each track.
  private(set) var indices: [ProgressForm.Base: Int?] = [:]
  /// The curve that was looked up last, and its index: programs often start many motions along one curve.
  private var latest: (curve: UnitCurve, index: Int)?
  private var free: [Int] = []
  /// The tables as kernels take them, by index. A free index keeps an old table, which is never used.
  private(set) var tables: [ClipTable] = []
  /// The number of effects along each curve.
  var users: [Int] = []

  init(dimensions: Int, tolerance: Double) { (self.dimensions, self.tolerance) = (dimensions, tolerance) }

  /// The index of a curve; nil as for ``index(of:)``.
  mutating func index(of curve: UnitCurve) -> Int? {
    if let latest, latest.curve == curve { return latest.index }
    guard let index = index(of: .curve(curve)) else { return nil }
    latest = (curve, index)
    return index
  }

  /// The index of the curve along which effects without a table are shown; nil if there is no memory for it.
  mutating func indexOfComputed() -> Int? { index(of: .curve(Progress.computedCurve)) }

  /// The index of a curve, or of the way of a spring; nil if it is too steep for a table, if its table would be too large,
  /// or if there are too many.
  mutating func index(of base: ProgressForm.Base) -> Int? {
    for index in entries.indices.prefix(Self.few) where entries[index].base == base { return index }
    if let known = indices[base] { return known }
    if indices.count >= Self.crowd { forgetUnused() }
    guard indices.count < Self.limit || base == .curve(Progress.computedCurve) else { return nil }
    guard let made = makeTables(base) else {
      indices.updateValue(nil, forKey: base)
      return nil
    }
    let index = free.popLast() ?? entries.count
    if index == entries.count { appendEntry() }
    set(base, made, index)
    return index
  }

  private mutating func appendEntry() {
    entries.append(Entry())
    tables.append(ClipTable(tracks: .empty, trackCount: 0))
    users.append(0)
  }

  private mutating func set(_ base: ProgressForm.Base, _ made: ClipTables, _ index: Int) {
    entries[index] = Entry(base: base, form: ProgressForm(base), tables: made)
    tables[index] = made.table
    indices[base] = index
  }

  private func makeTables(_ base: ProgressForm.Base) -> ClipTables? {
    guard let track = track(of: base) else { return nil }
    let clip = try? Clip(
      dimensions: dimensions, initialValues: [Double](repeating: 0, count: dimensions), tracks: [track])
    return clip.flatMap { ClipTables($0) }
  }

  /// Codes the curves, of which tables are made anew.
  mutating func code(_ coder: inout StateCoder) {
    let (tolerance, count) = (coder.coded(tolerance), coder.codedCount(entries.count, width: 1))
    if coder.isReading {
      guard Clip.tolerances ~= tolerance else { return coder.refuse() }
      self = CurveLibrary(dimensions: dimensions, tolerance: tolerance)
      for _ in 0..<count { appendEntry() }
    }
    for index in 0..<count {
      let base = coder.coded(entries[index].base)
      if coder.isReading, let base {
        guard coder.isIntact, let made = makeTables(base) else { return coder.refuse() }
        set(base, made, index)
      }
      coder.code(&users[index])
    }
    coder.code(&free)
  }

  private func track(of base: ProgressForm.Base) -> PieceTrack? {
    let components = Array(0..<dimensions)
    let pieceLimit = Self.numberLimit / dimensions
    switch base {
    case .curve(let curve):
      guard let fit = CurveFitCache.fit(curve, tolerance: tolerance), fit.pieces.count <= pieceLimit else { return nil }
      var track = PieceTrack(
        components: components, times: fit.times,
        pieces: [[SIMD4<Double>]](repeating: fit.pieces, count: dimensions),
        boundariesBelongToLater: fit.boundariesBelongToLater)
      if fit.startsWithJump { track.insert(components.map { _ in .zero }) }
      if overshoots(track) {
        // After its end, the curve has covered all of its way.
        track.times.append(track.times[track.pieceCount])
        for component in components { track.pieces[component].append(SIMD4(1, 0, 0, 0)) }
      }
      return track
    case .spring(let spring, let velocity, let end):
      guard spring.naturalFrequency * end <= Self.longestSpring else { return nil }
      let way = KeyframePath(
        initialValue: 0.0, keyframes: [.spring(to: 1, duration: end, spring: spring, startVelocity: velocity)])
      let clip = try? Clip(way.componentPath, tolerance: tolerance)
      guard let fit = clip?.tracks.first, fit.pieces[0].count < pieceLimit else { return nil }
      // After its end, the spring has covered all of its way.
      return PieceTrack(
        components: components, times: fit.times + [end],
        pieces: [[SIMD4<Double>]](repeating: fit.pieces[0] + [SIMD4(1, 0, 0, 0)], count: dimensions))
    }
  }

  /// Whether the last piece of a curve leaves the curve's end where legs that are over show it, a little behind the end.
  /// The last piece of a curve with an upright end is so short that it would.
  private func overshoots(_ track: PieceTrack) -> Bool {
    let (last, behind) = (track.pieceCount - 1, CurveMotions.ticksBehindEnd / ClipTick.count)
    let end = track.pieces[0][last].cubicValue(at: track.times[last + 1] - track.times[last] + behind)
    return !(abs(end - 1) <= max(tolerance / 16, 0x1p-22))
  }

  /// The curve of an index in use, as sums take it.
  func form(at index: Int) -> ProgressForm { unsafe entries[index].form.unsafelyUnwrapped }

  private mutating func forgetUnused() {
    latest = nil
    indices = indices.filter { $0.value.map { users[$0] > 0 } ?? false }
    for index in entries.indices where users[index] == 0 && entries[index].base != nil {
      entries[index] = Entry()
      free.append(index)
    }
  }
}

// What tables point to is never changed once it is made, and lives as long as the library or a copy of it.
extension CurveLibrary: @unchecked Sendable {}
