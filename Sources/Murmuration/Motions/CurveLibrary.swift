// SPDX-License-Identifier: MIT
import Kernels

/// The curves of a row: one curve, or a sum of effects. Rows of one shape share tiles, whatever their starts and
/// durations.
struct CurveShape: Sendable {
  /// What the curves add to: `.still`, or the family of the spring that goes on under them.
  let under: MotionKind
  /// The indices of the curves, in the order in which they began.
  let curves: LayerCurves

  /// Whether this is the single curve of a track that stood. The way of such a curve never changes, so kernels have
  /// less work with it.
  var isPlain: Bool { under == .still && curves.count == 1 }
}

/// The indices of the curves of a shape, without memory from the heap: frames and calls look at a shape for each run
/// and each track.
///
/// From the fourth layer on all layers have one curve. Each list is a shape, with tiles of its own, and there are not so many
/// lists then: tracks with many effects at once are mostly sent again and again along one curve.
struct LayerCurves: RandomAccessCollection, Sendable {
  private var numbers = SIMD4<Int32>.zero
  private(set) var endIndex = 0
  var startIndex: Int { 0 }

  subscript(layer: Int) -> Int { Int(numbers[Swift.min(layer, 3)]) }

  /// The curves from a layer on, and one curve more; nil if there are no such layers.
  func from(_ first: Int, adding curve: Int) -> LayerCurves? {
    var curves = LayerCurves()
    for layer in first..<endIndex { curves.append(self[layer]) }
    guard curves.endIndex < 4 || curves[3] == curve, curves.endIndex < CurveMotions.layerLimit else { return nil }
    curves.append(curve)
    return curves
  }

  /// The curves before the last.
  var withoutLast: LayerCurves {
    var curves = self
    curves.endIndex -= 1
    return curves
  }

  private mutating func append(_ curve: Int) {
    if endIndex < 4 { numbers[endIndex] = Int32(curve) }
    endIndex += 1
  }
}

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
  /// Once there are so many curves, those that no row follows are forgotten before another one is added.
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

  /// A shape as a node of a tree: each child has one curve more.
  struct Node {
    /// Rows that have the shape.
    var rows = 0
    /// The shapes with one curve more.
    var next: [(curve: Int, shape: Int)] = []
  }

  private let dimensions: Int
  private var entries: [Entry] = []
  /// The indices of the curves; nil for a curve that cannot have a table, so that it is not tried for each track.
  private(set) var places: [ProgressForm.Base: Int?] = [:]
  private var free: [Int] = []
  /// The tables as kernels take them, by index. A free index keeps an old table, which is never used.
  private(set) var tables: [ClipTable] = []
  /// The shapes by index. The first two have no curve, and no row.
  private(set) var shapes = [MotionKind.still, .spring].map { CurveShape(under: $0, curves: LayerCurves()) }
  var nodes = [Node](repeating: Node(), count: 2)
  private var freeShapes: [Int] = []
  /// The number of shapes at which shapes without a row are forgotten before another shape is made.
  private var shapeCrowd = crowd
  /// The largest number of shapes.
  private static let shapeLimit = 1 << 16

  init(dimensions: Int, tolerance: Double) { (self.dimensions, self.tolerance) = (dimensions, tolerance) }

  /// The index of a curve, or of the way of a spring; nil if it is too steep for a table, if its table would be too large,
  /// or if there are too many.
  mutating func place(of base: ProgressForm.Base) -> Int? {
    for place in entries.indices.prefix(Self.few) where entries[place].base == base { return place }
    if let known = places[base] { return known }
    if places.count >= Self.crowd { forgetUnused() }
    guard places.count < Self.limit else { return nil }
    guard let track = track(of: base),
      let clip = try? Clip(
        dimensions: dimensions, initialValues: [Double](repeating: 0, count: dimensions), tracks: [track]),
      let made = try? ClipTables(clip)
    else {
      places.updateValue(nil, forKey: base)
      return nil
    }
    let place = free.popLast() ?? entries.count
    if place == entries.count {
      entries.append(Entry())
      tables.append(made.table)
    }
    entries[place] = Entry(base: base, form: ProgressForm(base), tables: made)
    tables[place] = made.table
    places[base] = place
    return place
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
      if track.needsMargins || overshoots(track) {
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
  func form(at place: Int) -> ProgressForm { unsafe entries[place].form.unsafelyUnwrapped }

  /// A curve, as sums take it.
  mutating func form(of curve: UnitCurve) -> ProgressForm {
    place(of: .curve(curve)).map { form(at: $0) } ?? ProgressForm(.curve(curve))
  }

  // MARK: - Shapes

  /// The number of shapes in use.
  var shapeCount: Int { shapes.count - freeShapes.count }

  /// The index of the shape without curves over a still track or over a family of springs.
  static func shape(before under: MotionKind) -> Int { under == .still ? 0 : 1 }

  /// The index of the shape of some curves over a still track or over a family of springs; nil if there are too many
  /// shapes.
  mutating func shape(_ curves: some Sequence<Int>, over under: MotionKind) -> Int? {
    makeRoom()
    var shape: Int? = Self.shape(before: under)
    for curve in curves { shape = shape.flatMap { child(of: $0, curve) } }
    return shape
  }

  /// The index of a shape with one more curve, without the curves before layer `first`; nil if there are too many
  /// shapes. The curves before it have covered their ways, so the others add to a value that stands.
  mutating func shape(_ old: CurveShape, from first: Int, adding curve: Int) -> Int? {
    old.curves.from(first, adding: curve).flatMap { shape($0, over: first == 0 ? old.under : .still) }
  }

  /// The index of a shape with one more curve; nil if there are too many shapes.
  mutating func shape(_ old: Int, adding curve: Int) -> Int? {
    makeRoom()
    return child(of: old, curve)
  }

  private mutating func child(of shape: Int, _ curve: Int) -> Int? {
    for next in nodes[shape].next where next.curve == curve { return next.shape }
    guard shapeCount < Self.shapeLimit, let curves = shapes[shape].curves.from(0, adding: curve) else { return nil }
    let new = CurveShape(under: shapes[shape].under, curves: curves)
    let index = freeShapes.popLast() ?? shapes.count
    if index == shapes.count {
      shapes.append(new)
      nodes.append(Node())
    } else {
      (shapes[index], nodes[index]) = (new, Node())
    }
    nodes[shape].next.append((curve, index))
    return index
  }

  private mutating func makeRoom() {
    guard shapeCount >= shapeCrowd else { return }
    forgetUnusedShapes()
    shapeCrowd = max(Self.crowd, 2 * shapeCount)
  }

  private mutating func forgetUnusedShapes() {
    freeShapes = nodes.indices.filter { $0 > 1 && nodes[$0].rows == 0 }
    let free = Set(freeShapes)
    for shape in nodes.indices { nodes[shape].next.removeAll { free.contains($0.shape) } }
  }

  private mutating func forgetUnused() {
    forgetUnusedShapes()
    var used: Set<Int> = []
    for shape in shapes.indices where nodes[shape].rows > 0 { used.formUnion(shapes[shape].curves) }
    places = places.filter { $0.value.map { used.contains($0) } ?? false }
    for place in entries.indices where !used.contains(place) && entries[place].base != nil {
      entries[place] = Entry()
      free.append(place)
    }
  }
}

// What tables point to is never changed once it is made, and lives as long as the library or a copy of it.
extension CurveLibrary: @unchecked Sendable {}
