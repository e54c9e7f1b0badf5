// SPDX-License-Identifier: MIT
// Products of a few weights with many shapes. A tile of six rows and one panel stays in registers while all terms are
// added to it: each term loads two or four vectors of shapes and six weights, for twelve or 24 fused products.
//
// Measured on a Zen 5 core, billions of operations a second with 3, 8, 16, 64 and 512 terms in [1 000 × 3 008] outputs:
// 130, 186, 207, 236, 238 with AVX-512; OpenBLAS reaches 67, 119, 160, 210, 228 there.

/// The terms of a panel, and the address of their shapes.
public protocol TermOrder {
  /// The panel's terms as a range of the lists, and the shapes of the first term.
  static func terms(_ product: TileProduct, panel: Int, width: Int) -> (Range<Int>, ConstantColumn<Float>)
  /// The term at an index of the lists.
  static func term(_ product: TileProduct, at place: Int) -> Int
}

/// All terms, one after the other.
public enum AllTerms: TermOrder {
  @export(implementation) @inline(__always)
  public static func terms(_ product: TileProduct, panel: Int, width: Int) -> (Range<Int>, ConstantColumn<Float>) {
    unsafe (Range(uncheckedBounds: (0, product.inner)), product.shapes + panel &* product.panelStride)
  }

  @export(implementation) @inline(__always)
  public static func term(_ product: TileProduct, at place: Int) -> Int { place }
}

/// The terms of a list.
public enum ListedTerms: TermOrder {
  @export(implementation) @inline(__always)
  public static func terms(_ product: TileProduct, panel: Int, width: Int) -> (Range<Int>, ConstantColumn<Float>) {
    let lists = unsafe product.terms.unsafelyUnwrapped
    let first = lists.starts[panel]
    return unsafe (Range(uncheckedBounds: (first, lists.starts[panel &+ 1])), product.shapes + first &* width)
  }

  @export(implementation) @inline(__always)
  public static func term(_ product: TileProduct, at place: Int) -> Int {
    unsafe Int(product.terms.unsafelyUnwrapped.terms[place])
  }
}

extension InstructionSet {
  /// One tile: the rows from `row` on, of one panel.
  @export(implementation) @inline(__always)
  static func tile<Row: TileRow, Order: TermOrder, W: StoreWay>(
    _ product: TileProduct, row: Int, panel: Int, _: Row.Type, _ order: Order.Type, _ way: W.Type
  ) where Row.Lanes == Self {
    let width = Row.vectorCount &* Floats.scalarCount
    let column = panel &* width
    let start = if let base = product.base { Row.load(base + column) } else { Row.zero }
    var (r0, r1, r2, r3, r4, r5) = (start, start, start, start, start, start)
    let (places, firstShapes) = Order.terms(product, panel: panel, width: width)
    var shapes = firstShapes
    let weights = product.weights + row
    var place = places.lowerBound
    while place < places.upperBound {
      let shape = Row.load(shapes)
      let weight = weights + Order.term(product, at: place) &* product.weightStride
      r0.add(splat(weight[0]), shape)
      r1.add(splat(weight[1]), shape)
      r2.add(splat(weight[2]), shape)
      r3.add(splat(weight[3]), shape)
      r4.add(splat(weight[4]), shape)
      r5.add(splat(weight[5]), shape)
      shapes += product.shapeStride
      place &+= 1
    }
    let (rows, columns) = (product.rows &- row, product.columns &- column)
    let stride = product.outputStride
    let outputs = product.outputs + (row &* stride &+ column)
    if rows >= rowCountOfTile, columns >= width {
      r0.store(to: outputs, way)
      r1.store(to: outputs + stride, way)
      r2.store(to: outputs + 2 &* stride, way)
      r3.store(to: outputs + 3 &* stride, way)
      r4.store(to: outputs + 4 &* stride, way)
      r5.store(to: outputs + 5 &* stride, way)
    } else {
      r0.store(to: outputs, count: columns)
      if rows > 1 { r1.store(to: outputs + stride, count: columns) }
      if rows > 2 { r2.store(to: outputs + 2 &* stride, count: columns) }
      if rows > 3 { r3.store(to: outputs + 3 &* stride, count: columns) }
      if rows > 4 { r4.store(to: outputs + 4 &* stride, count: columns) }
      if rows > 5 { r5.store(to: outputs + 5 &* stride, count: columns) }
    }
  }

  /// Walks blocks of panels whose shapes stay in the first cache. Within each block it walks one tile row after the
  /// other, so that six streams are written at a time.
  @export(implementation) @inline(__always)
  static func tiles<Row: TileRow, Order: TermOrder, W: StoreWay>(
    _ product: TileProduct, _ row: Row.Type, _ order: Order.Type, _ way: W.Type
  ) where Row.Lanes == Self {
    let width = Row.vectorCount &* Floats.scalarCount
    let panels = (product.columns &+ width &- 1) / width
    // 32 KiB of shapes.
    let block = max(1, 8192 / max(1, product.inner &* width))
    var first = 0
    while first < panels {
      let end = min(panels, first &+ block)
      var row = 0
      while row < product.rows {
        var panel = first
        while panel < end {
          tile(product, row: row, panel: panel, Row.self, order, way)
          panel &+= 1
        }
        row &+= rowCountOfTile
      }
      first = end
    }
  }

  @export(implementation) @inline(__always)
  static func tiles<Row: TileRow, Order: TermOrder>(_ product: TileProduct, _ row: Row.Type, _ order: Order.Type)
  where Row.Lanes == Self {
    switch product.stores {
    case .ordinary: tiles(product, row, order, Ordinary.self)
    case .pastCaches:
      tiles(product, row, order, PastCaches.self)
      fence()
    }
  }

  /// Computes a product: each sum starts from its base and adds the terms in their order.
  @export(implementation) @inline(__always)
  public static func multiply<Row: TileRow>(_ product: TileProduct, _ row: Row.Type) where Row.Lanes == Self {
    if product.terms == nil {
      tiles(product, row, AllTerms.self)
    } else {
      tiles(product, row, ListedTerms.self)
    }
  }

  /// The columns of a panel of tiles with such rows.
  @export(implementation) @inline(__always)
  public static func panelColumns<Row: TileRow>(_: Row.Type) -> Int where Row.Lanes == Self {
    Row.vectorCount &* Floats.scalarCount
  }
}
