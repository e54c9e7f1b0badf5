// SPDX-License-Identifier: MIT

/// A node of a hierarchy: where its local transform comes from, and where its world matrix goes.
public struct NodeStep: BitwiseCopyable, Sendable {
  /// The block of the world matrix of the node above; negative for a root.
  public var parent: Int32
  /// The block of the node's own world matrix.
  public var block: Int32
  /// The first dimension of the columns of each property; negative for a constant.
  public var translation: Int32
  public var rotation: Int32
  public var scale: Int32
  /// The index of the node's constants, of which there are ``NodeTiles/constantCount``: the linear part column after
  /// column, the translation, and the scale that is multiplied into a rotation from columns.
  public var constants: Int32
  /// The matrices that are written from this node.
  public var firstOutput: Int32
  public var endOutput: Int32
  /// Whether nothing moves the node, so that its block holds its world matrix for all instances.
  public var isFixed: Bool
  /// Whether the block is read again: by nodes below, or for a second matrix.
  public var isStored: Bool
  /// Whether the constant scale differs from 1 and the rotation comes from columns.
  public var isScaled: Bool

  public init(
    parent: Int32, block: Int32, translation: Int32, rotation: Int32, scale: Int32, constants: Int32,
    outputs: Range<Int32>, isFixed: Bool, isStored: Bool, isScaled: Bool
  ) {
    (self.parent, self.block, self.constants) = (parent, block, constants)
    (self.translation, self.rotation, self.scale) = (translation, rotation, scale)
    (firstOutput, endOutput) = (outputs.lowerBound, outputs.upperBound)
    (self.isFixed, self.isStored, self.isScaled) = (isFixed, isStored, isScaled)
  }
}

/// A matrix of the result: the world matrix of a node, or its product with a constant matrix.
public struct NodeOutput: BitwiseCopyable, Sendable {
  /// The index of the matrix among those of an instance.
  public var index: Int32
  /// The index of the constant matrix, four columns of three numbers; negative for the world matrix itself.
  public var factor: Int32

  public init(index: Int32, factor: Int32) { (self.index, self.factor) = (index, factor) }
}

/// Tiles of instances whose world matrices are computed, one node after the other.
///
/// A block holds one matrix of each instance of a tile: sixteen rows of ``laneCountOfTile`` lanes, a row for each
/// element of the matrix, column after column. The rows of 0, 0, 0 and 1 at the lower edge are never written.
public struct NodeTiles {
  public var steps: ConstantColumn<NodeStep>
  public var stepCount: Int
  public var outputs: ConstantColumn<NodeOutput>
  /// The constants of nodes and outputs.
  public var numbers: ConstantColumn<Float>
  /// Memory for blocks, aligned to 64 bytes.
  public var blocks: Column<Float>
  /// The block in which matrices wait to be turned.
  public var turningBlock: Int
  /// The columns of poses, and floats from one dimension to the next. Whole tiles are read.
  public var values: ConstantColumn<Float>
  public var valueStride: Int
  /// The matrices. Whole tiles are written.
  public var result: Column<Float>
  /// Floats from one column to the next if planar, otherwise from one instance to the next.
  public var resultStride: Int
  /// Whether the result is columns, twelve for each matrix, otherwise sixteen floats for each matrix of an instance.
  public var isPlanar: Bool
  public var tileCount: Int
  /// Past the caches by whole lines or not; `result` and its stride are aligned to vectors then, to lines if not
  /// planar.
  public var stores: LaneRun.Stores

  public init(
    steps: ConstantColumn<NodeStep>, stepCount: Int, outputs: ConstantColumn<NodeOutput>,
    numbers: ConstantColumn<Float>, blocks: Column<Float>, turningBlock: Int, values: ConstantColumn<Float>,
    valueStride: Int, result: Column<Float>, resultStride: Int, isPlanar: Bool, tileCount: Int,
    stores: LaneRun.Stores
  ) {
    (self.steps, self.stepCount, self.outputs, self.numbers) = (steps, stepCount, outputs, numbers)
    (self.blocks, self.turningBlock) = (blocks, turningBlock)
    (self.values, self.valueStride) = (values, valueStride)
    (self.result, self.resultStride, self.isPlanar) = (result, resultStride, isPlanar)
    (self.tileCount, self.stores) = (tileCount, stores)
  }

  /// Floats of a block.
  @export(implementation)
  public static var blockCount: Int { 16 * laneCountOfTile }
  /// The numbers of a node among the constants.
  @export(implementation)
  public static var constantCount: Int { 15 }
}

/// Affine maps, one for each lane: the images of the three axes, and of the origin.
public struct AffineLanes<I: InstructionSet> {
  public var x0, x1, x2: I.Floats
  public var y0, y1, y2: I.Floats
  public var z0, z1, z2: I.Floats
  public var o0, o1, o2: I.Floats

  /// The same map in all lanes: four columns of three numbers.
  @export(implementation) @inline(__always)
  init(_ numbers: ConstantColumn<Float>) {
    (x0, x1, x2) = (I.splat(numbers[0]), I.splat(numbers[1]), I.splat(numbers[2]))
    (y0, y1, y2) = (I.splat(numbers[3]), I.splat(numbers[4]), I.splat(numbers[5]))
    (z0, z1, z2) = (I.splat(numbers[6]), I.splat(numbers[7]), I.splat(numbers[8]))
    (o0, o1, o2) = (I.splat(numbers[9]), I.splat(numbers[10]), I.splat(numbers[11]))
  }

  /// The maps in a block.
  @export(implementation) @inline(__always)
  init(block: Column<Float>) {
    let row = laneCountOfTile
    (x0, x1, x2) = (I.load(block, 0), I.load(block, row), I.load(block, 2 &* row))
    (y0, y1, y2) = (I.load(block, 4 &* row), I.load(block, 5 &* row), I.load(block, 6 &* row))
    (z0, z1, z2) = (I.load(block, 8 &* row), I.load(block, 9 &* row), I.load(block, 10 &* row))
    (o0, o1, o2) = (I.load(block, 12 &* row), I.load(block, 13 &* row), I.load(block, 14 &* row))
  }

  /// Calls a closure with the column, the line and the lanes of each element.
  @export(implementation) @inline(__always)
  func forEach(_ body: (Int, Int, I.Floats) -> Void) {
    body(0, 0, x0)
    body(0, 1, x1)
    body(0, 2, x2)
    body(1, 0, y0)
    body(1, 1, y1)
    body(1, 2, y2)
    body(2, 0, z0)
    body(2, 1, z1)
    body(2, 2, z2)
    body(3, 0, o0)
    body(3, 1, o1)
    body(3, 2, o2)
  }

  /// Makes the linear part the rotation of a quaternion; `factor` is `rotationFactor`.
  @export(implementation) @inline(__always)
  mutating func rotate(_ x: I.Floats, _ y: I.Floats, _ z: I.Floats, _ w: I.Floats, factor: I.Floats) {
    let (fx, fy, fz) = (x * factor, y * factor, z * factor)
    let (xx, yy, zz) = (x * fx, y * fy, z * fz)
    let (xy, xz, yz) = (x * fy, x * fz, y * fz)
    let (one, minus) = (I.splat(1), I.Floats.zero - w)
    x0 = (one - yy) - zz
    x1 = I.fusedMultiplyAdd(w, fz, xy)
    x2 = I.fusedMultiplyAdd(minus, fy, xz)
    y0 = I.fusedMultiplyAdd(minus, fz, xy)
    y1 = (one - xx) - zz
    y2 = I.fusedMultiplyAdd(w, fx, yz)
    z0 = I.fusedMultiplyAdd(w, fy, xz)
    z1 = I.fusedMultiplyAdd(minus, fx, yz)
    z2 = (one - xx) - yy
  }

  /// Scales along the axes first.
  @export(implementation) @inline(__always)
  mutating func scale(_ x: I.Floats, _ y: I.Floats, _ z: I.Floats) {
    (x0, x1, x2) = (x0 * x, x1 * x, x2 * x)
    (y0, y1, y2) = (y0 * y, y1 * y, y2 * y)
    (z0, z1, z2) = (z0 * z, z1 * z, z2 * z)
  }

  /// The map after this one: the product of a parent's with this.
  @export(implementation) @inline(__always)
  func below(_ parent: AffineLanes<I>) -> AffineLanes<I> {
    var product = self
    (product.x0, product.y0, product.z0, product.o0) = line(parent.x0, parent.y0, parent.z0, parent.o0)
    (product.x1, product.y1, product.z1, product.o1) = line(parent.x1, parent.y1, parent.z1, parent.o1)
    (product.x2, product.y2, product.z2, product.o2) = line(parent.x2, parent.y2, parent.z2, parent.o2)
    return product
  }

  /// A line of a parent's matrix times this one.
  @export(implementation) @inline(__always)
  func line(
    _ a: I.Floats, _ b: I.Floats, _ c: I.Floats, _ d: I.Floats
  ) -> (I.Floats, I.Floats, I.Floats, I.Floats) {
    (
      I.fusedMultiplyAdd(a, x0, I.fusedMultiplyAdd(b, x1, c * x2)),
      I.fusedMultiplyAdd(a, y0, I.fusedMultiplyAdd(b, y1, c * y2)),
      I.fusedMultiplyAdd(a, z0, I.fusedMultiplyAdd(b, z1, c * z2)),
      I.fusedMultiplyAdd(a, o0, I.fusedMultiplyAdd(b, o1, I.fusedMultiplyAdd(c, o2, d)))
    )
  }

  /// Stores the maps in a block.
  @export(implementation) @inline(__always)
  func store(to block: Column<Float>) {
    forEach { column, line, value in block.store(value, at: (4 &* column &+ line) &* laneCountOfTile) }
  }
}

extension InstructionSet {
  /// Computes the world matrices of tiles: each node's is that of the node above times its local transform.
  ///
  /// All nodes of one tile come before the next tile, so that the matrices of the nodes above stay in the first cache.
  /// The order of operations is the same for every instance.
  @export(implementation) @inline(__always)
  public static func transformNodes(_ tiles: NodeTiles) {
    // Lines of columns are written whole, and matrices instance after instance, which processors see ahead.
    let width = tiles.isPlanar ? laneCountOfTile : Floats.scalarCount
    let isOne = width == Floats.scalarCount
    var instance = 0
    while instance < tiles.tileCount &* laneCountOfTile {
      let values = tiles.values + instance
      let result = tiles.result + (tiles.isPlanar ? instance : instance &* tiles.resultStride)
      // The division of the next node begins before this one's matrix: it takes as long as all else.
      var next = isOne ? rotationFactor(tiles, tiles.steps[0], values) : .zero
      var step = 0
      while step < tiles.stepCount {
        var factor = next
        if isOne, step &+ 1 < tiles.stepCount { next = rotationFactor(tiles, tiles.steps[step &+ 1], values) }
        var lane = 0
        while lane < width {
          if !isOne { factor = rotationFactor(tiles, tiles.steps[step], values + lane) }
          transformNode(
            tiles, tiles.steps[step], values + lane, factor: factor, tiles.blocks + lane, isWritten: isOne,
            to: result + lane)
          lane &+= Floats.scalarCount
        }
        if !isOne { writeColumns(tiles, tiles.steps[step], to: result) }
        step &+= 1
      }
      instance &+= width
    }
    if tiles.stores != .ordinary { fence() }
  }

  /// 2 / |q|² of the quaternion that turns a node, of any length between 10⁻¹⁸ and 10¹⁸. With that of 0 nothing turns.
  @export(implementation) @inline(__always)
  static func rotationFactor(_ tiles: NodeTiles, _ step: NodeStep, _ values: ConstantColumn<Float>) -> Floats {
    guard step.rotation >= 0 else { return .zero }
    let (x, y, z, w) = rotation(tiles, step, values)
    prefetchVector(values + Int(step.rotation) &* tiles.valueStride, tiles.valueStride, 4)
    let square = fusedMultiplyAdd(x, x, fusedMultiplyAdd(y, y, fusedMultiplyAdd(z, z, w * w)))
    return splat(2) / maximum(square, splat(.leastNormalMagnitude))
  }

  @export(implementation) @inline(__always)
  static func rotation(
    _ tiles: NodeTiles, _ step: NodeStep, _ values: ConstantColumn<Float>
  ) -> (Floats, Floats, Floats, Floats) {
    let (x, stride) = (values + Int(step.rotation) &* tiles.valueStride, tiles.valueStride)
    return (load(x, 0), load(x, stride), load(x, 2 &* stride), load(x, 3 &* stride))
  }

  @export(implementation) @inline(__always)
  static func transformNode(
    _ tiles: NodeTiles, _ step: NodeStep, _ values: ConstantColumn<Float>, factor: Floats, _ blocks: Column<Float>,
    isWritten: Bool, to result: Column<Float>
  ) {
    let block = blocks + Int(step.block) &* NodeTiles.blockCount
    var map: AffineLanes<Self>
    if step.isFixed {
      map = AffineLanes(block: block)
    } else {
      let constants = tiles.numbers + Int(step.constants)
      map = AffineLanes(constants)
      if step.rotation >= 0 {
        let (x, y, z, w) = rotation(tiles, step, values)
        map.rotate(x, y, z, w, factor: factor)
      }
      if step.scale >= 0 {
        let (x, stride) = (values + Int(step.scale) &* tiles.valueStride, tiles.valueStride)
        map.scale(load(x, 0), load(x, stride), load(x, 2 &* stride))
        prefetchVector(x, stride, 3)
      } else if step.isScaled {
        map.scale(splat(constants[12]), splat(constants[13]), splat(constants[14]))
      }
      if step.translation >= 0 {
        let (x, stride) = (values + Int(step.translation) &* tiles.valueStride, tiles.valueStride)
        (map.o0, map.o1, map.o2) = (load(x, 0), load(x, stride), load(x, 2 &* stride))
        prefetchVector(x, stride, 3)
      }
      if step.parent >= 0 {
        map = map.below(AffineLanes(block: blocks + Int(step.parent) &* NodeTiles.blockCount))
      }
      if step.isStored || !isWritten { map.store(to: block) }
    }
    guard isWritten else { return }
    var output = Int(step.firstOutput)
    while output < Int(step.endOutput) {
      write(tiles, map, tiles.outputs[output], to: result)
      output &+= 1
      // Rare, and in registers the map would be in the way.
      if output < Int(step.endOutput) { map = AffineLanes(block: block) }
    }
  }

  /// Prefetches the lanes of the next vector: more columns are read than processors follow by themselves.
  @export(implementation) @inline(__always)
  static func prefetchVector(_ column: ConstantColumn<Float>, _ stride: Int, _ count: Int) {
    var index = 0
    while index < count {
      column.prefetch(index &* stride &+ laneCountOfTile)
      index &+= 1
    }
  }

  /// Writes one matrix of each lane.
  @export(implementation) @inline(__always)
  static func write(
    _ tiles: NodeTiles, _ world: AffineLanes<Self>, _ output: NodeOutput, to result: Column<Float>
  ) {
    let map = output.factor < 0 ? world : AffineLanes(tiles.numbers + Int(output.factor)).below(world)
    guard tiles.isPlanar else {
      let block = tiles.blocks + tiles.turningBlock &* NodeTiles.blockCount
      turn(
        map, block, to: result + Int(output.index) &* 16, tiles.resultStride, pastCaches: tiles.stores != .ordinary)
      return
    }
    let column = result + Int(output.index) &* 12 &* tiles.resultStride
    if tiles.stores == .ordinary {
      map.forEach { column.store($2, at: (3 &* $0 &+ $1) &* tiles.resultStride) }
    } else {
      map.forEach { stream($2, to: column + (3 &* $0 &+ $1) &* tiles.resultStride) }
    }
  }

  /// Writes the matrices of a node of a whole tile, from its block, as columns: a line of a column at a time.
  @export(implementation) @inline(__always)
  static func writeColumns(_ tiles: NodeTiles, _ step: NodeStep, to result: Column<Float>) {
    let world = tiles.blocks + Int(step.block) &* NodeTiles.blockCount
    let product = tiles.blocks + tiles.turningBlock &* NodeTiles.blockCount
    for index in Int(step.firstOutput)..<Int(step.endOutput) {
      let output = tiles.outputs[index]
      if output.factor >= 0 {
        let factor = AffineLanes<Self>(tiles.numbers + Int(output.factor))
        for lane in stride(from: 0, to: laneCountOfTile, by: Floats.scalarCount) {
          factor.below(AffineLanes(block: world + lane)).store(to: product + lane)
        }
      }
      let rows = output.factor >= 0 ? product : world
      var column = result + Int(output.index) &* 12 &* tiles.resultStride
      for row in 0..<12 {
        // Every fourth row of a block is an edge.
        let lanes = rows + (row &+ row / 3) &* laneCountOfTile
        for lane in stride(from: 0, to: laneCountOfTile, by: Floats.scalarCount) {
          if tiles.stores == .ordinary {
            column.store(load(lanes, lane), at: lane)
          } else {
            stream(load(lanes, lane), to: column + lane)
          }
        }
        column += tiles.resultStride
      }
    }
  }

  @export(implementation) @inline(__always)
  public static func turn(
    _ map: AffineLanes<Self>, _ block: Column<Float>, to matrices: Column<Float>, _ stride: Int, pastCaches: Bool
  ) {
    map.store(to: block)
    turnPart(
      block, rowStride: laneCountOfTile, rows: 16, count: Floats.scalarCount, to: matrices, stride: stride)
  }
}
