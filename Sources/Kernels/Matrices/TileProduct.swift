// SPDX-License-Identifier: MIT

/// Rows of a tile of outputs: its sums fill the registers together with one row of shapes.
public let rowCountOfTile = 6

/// The arguments of one product, outputs [rows × columns] = base + weights [rows × inner] · shapes [inner × columns].
///
/// Columns come in *panels*, each as wide as a tile (``MatrixKernels/panelColumns``). All strides are in floats; the
/// columns are lent. Outputs overlap nothing else.
public struct TileProduct {
  /// [inner][row], a column for each term, readable to a multiple of ``rowCountOfTile`` rows.
  public var weights: ConstantColumn<Float>
  public var weightStride: Int
  /// [panel][inner][column of the panel], readable for whole panels.
  public var shapes: ConstantColumn<Float>
  /// Floats from a term to the next within a panel. Lists of terms need whole panels without gaps.
  public var shapeStride: Int
  public var panelStride: Int
  /// The start of the sums, readable for whole panels; nil for 0.
  public var base: ConstantColumn<Float>?
  /// The terms of each panel; nil if all panels have all of them.
  public var terms: TermLists?
  /// [row][column]. Only rows × columns of it are written.
  public var outputs: Column<Float>
  public var outputStride: Int
  public var rows: Int
  public var columns: Int
  public var inner: Int
  /// Storing past the caches needs every row of outputs aligned to a vector; by halves, to half a vector of 64 bytes.
  public var stores: LaneRun.Stores

  public init(
    weights: ConstantColumn<Float>, weightStride: Int, shapes: ConstantColumn<Float>, shapeStride: Int,
    panelStride: Int,
    base: ConstantColumn<Float>? = nil, terms: TermLists? = nil, outputs: Column<Float>,
    outputStride: Int, rows: Int, columns: Int, inner: Int, stores: LaneRun.Stores = .ordinary
  ) {
    self.weights = weights
    self.weightStride = weightStride
    self.shapes = shapes
    self.shapeStride = shapeStride
    self.panelStride = panelStride
    self.base = base
    self.terms = terms
    self.outputs = outputs
    self.outputStride = outputStride
    self.rows = rows
    self.columns = columns
    self.inner = inner
    self.stores = stores
  }
}

/// The terms of each panel. A panel has only the shapes of its terms, one after the other.
public struct TermLists {
  /// Terms in 0..<inner, panel after panel.
  public var terms: ConstantColumn<Int32>
  /// The index of each panel's first term, and the end of the last panel.
  public var starts: ConstantColumn<Int>

  public init(terms: ConstantColumn<Int32>, starts: ConstantColumn<Int>) {
    self.terms = terms
    self.starts = starts
  }
}

/// The matrix kernels of one instruction set; none with `REAL_TIME_ONLY`: see ``BakeKernels``.
public struct MatrixKernels: Sendable {
  #if !REAL_TIME_ONLY
    /// Columns of a panel.
    public let panelColumns: Int
    /// Computes a product.
    public let multiply: @Sendable (TileProduct) -> Void
    /// Multiplies a column by factors; false if a result is NaN or beyond the limit.
    public let scale: @Sendable (ColumnScale) -> Bool
    /// Whether `count` floats are within ± a limit; `count` is a multiple of ``laneCountOfTile``.
    public let isWithin: @Sendable (Float, ConstantColumn<Float>, Int) -> Bool
    /// Adds a pose's values.
    public let addValues: @Sendable (PoseColumns) -> Void
    /// Adds a pose's rotations.
    public let addRotations: @Sendable (PoseColumns) -> Void
    /// Divides sums of values by their weight: sums, total weights, the value where the weight is 0.
    public let finishValues: @Sendable (PoseColumns, Float) -> Void
    /// Normalises sums of rotations: sums, the rotation where a sum is 0.
    public let finishRotations: @Sendable (PoseColumns, SIMD4<Float>) -> Void
    /// Computes the world matrices of hierarchies.
    public let transformNodes: @Sendable (NodeTiles) -> Void
  #endif

  @export(implementation) @inline(__always)
  init<I: InstructionSet, Row: TileRow>(_: I.Type, row: Row.Type) where Row.Lanes == I {
    #if !REAL_TIME_ONLY
      panelColumns = I.panelColumns(row)
      multiply = { I.multiply($0, Row.self) }
      scale = { I.scale($0) }
      isWithin = { I.isWithin($0, $1, $2) }
      addValues = { I.addValues($0) }
      addRotations = { I.addRotations($0) }
      finishValues = { I.finishValues($0, rest: $1) }
      finishRotations = { I.finishRotations($0, rest: $1) }
      transformNodes = { I.transformNodes($0) }
    #endif
  }
}
