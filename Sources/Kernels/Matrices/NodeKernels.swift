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
  /// Whether the constant scale differs from 1 and the rotation comes from columns.
  public var isScaled: Bool

  public init(
    parent: Int32, block: Int32, translation: Int32, rotation: Int32, scale: Int32, constants: Int32,
    outputs: Range<Int32>, isFixed: Bool, isScaled: Bool
  ) {
    (self.parent, self.block, self.constants) = (parent, block, constants)
    (self.translation, self.rotation, self.scale) = (translation, rotation, scale)
    (firstOutput, endOutput) = (outputs.lowerBound, outputs.upperBound)
    (self.isFixed, self.isScaled) = (isFixed, isScaled)
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
  /// The block for products with constant matrices.
  public var productBlock: Int
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
    numbers: ConstantColumn<Float>, blocks: Column<Float>, productBlock: Int, values: ConstantColumn<Float>,
    valueStride: Int, result: Column<Float>, resultStride: Int, isPlanar: Bool, tileCount: Int,
    stores: LaneRun.Stores
  ) {
    (self.steps, self.stepCount, self.outputs, self.numbers) = (steps, stepCount, outputs, numbers)
    (self.blocks, self.productBlock) = (blocks, productBlock)
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
  @usableFromInline var x0, x1, x2: I.Floats
  @usableFromInline var y0, y1, y2: I.Floats
  @usableFromInline var z0, z1, z2: I.Floats
  @usableFromInline var o0, o1, o2: I.Floats

  /// The same map in all lanes: four columns of three numbers.
  @export(implementation) @inline(__always)
  init(_ numbers: ConstantColumn<Float>) {
    (x0, x1, x2) = (I.splat(numbers[0]), I.splat(numbers[1]), I.splat(numbers[2]))
    (y0, y1, y2) = (I.splat(numbers[3]), I.splat(numbers[4]), I.splat(numbers[5]))
    (z0, z1, z2) = (I.splat(numbers[6]), I.splat(numbers[7]), I.splat(numbers[8]))
    (o0, o1, o2) = (I.splat(numbers[9]), I.splat(numbers[10]), I.splat(numbers[11]))
  }

  /// Makes the linear part the rotation of a quaternion of any length between 10⁻¹⁸ and 10¹⁸. That of 0 turns nothing.
  @export(implementation) @inline(__always)
  mutating func rotate(_ x: I.Floats, _ y: I.Floats, _ z: I.Floats, _ w: I.Floats) {
    let square = I.fusedMultiplyAdd(x, x, I.fusedMultiplyAdd(y, y, I.fusedMultiplyAdd(z, z, w * w)))
    let factor = I.splat(2) / I.maximum(square, I.splat(.leastNormalMagnitude))
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

  /// Stores the map in the rows of a block, from a lane on.
  @export(implementation) @inline(__always)
  func store(to block: Column<Float>) {
    let row = laneCountOfTile
    block.store(x0, at: 0)
    block.store(x1, at: row)
    block.store(x2, at: 2 &* row)
    block.store(y0, at: 4 &* row)
    block.store(y1, at: 5 &* row)
    block.store(y2, at: 6 &* row)
    block.store(z0, at: 8 &* row)
    block.store(z1, at: 9 &* row)
    block.store(z2, at: 10 &* row)
    block.store(o0, at: 12 &* row)
    block.store(o1, at: 13 &* row)
    block.store(o2, at: 14 &* row)
  }

  /// Stores the product with a map in a block, which is applied after this one.
  @export(implementation) @inline(__always)
  func store(below parent: Column<Float>, to block: Column<Float>) {
    let row = laneCountOfTile
    for line in 0..<3 {
      let a = I.load(parent, line &* row)
      let b = I.load(parent, (4 &+ line) &* row)
      let c = I.load(parent, (8 &+ line) &* row)
      let d = I.load(parent, (12 &+ line) &* row)
      block.store(I.fusedMultiplyAdd(a, x0, I.fusedMultiplyAdd(b, x1, c * x2)), at: line &* row)
      block.store(I.fusedMultiplyAdd(a, y0, I.fusedMultiplyAdd(b, y1, c * y2)), at: (4 &+ line) &* row)
      block.store(I.fusedMultiplyAdd(a, z0, I.fusedMultiplyAdd(b, z1, c * z2)), at: (8 &+ line) &* row)
      let origin = I.fusedMultiplyAdd(a, o0, I.fusedMultiplyAdd(b, o1, I.fusedMultiplyAdd(c, o2, d)))
      block.store(origin, at: (12 &+ line) &* row)
    }
  }
}

extension InstructionSet {
  /// Computes the world matrices of tiles: each node's is that of the node above times its local transform.
  ///
  /// All nodes of one tile come before the next tile, so that the matrices of the nodes above stay in the first cache.
  /// The order of operations is the same for every instance.
  @export(implementation) @inline(__always)
  public static func transformNodes(_ tiles: NodeTiles) {
    var tile = 0
    while tile < tiles.tileCount {
      let values = tiles.values + tile &* laneCountOfTile
      let instances = tile &* laneCountOfTile
      let result = tiles.result + (tiles.isPlanar ? instances : instances &* tiles.resultStride)
      var step = 0
      while step < tiles.stepCount {
        transformNode(tiles, tiles.steps[step], values, to: result)
        step &+= 1
      }
      tile &+= 1
    }
    if tiles.stores != .ordinary { fence() }
  }

  @export(implementation) @inline(__always)
  static func transformNode(
    _ tiles: NodeTiles, _ step: NodeStep, _ values: ConstantColumn<Float>, to result: Column<Float>
  ) {
    let block = tiles.blocks + Int(step.block) &* NodeTiles.blockCount
    if !step.isFixed {
      let constants = tiles.numbers + Int(step.constants)
      var lane = 0
      while lane < laneCountOfTile {
        var map = AffineLanes<Self>(constants)
        if step.rotation >= 0 {
          let (x, stride) = (values + (Int(step.rotation) &* tiles.valueStride &+ lane), tiles.valueStride)
          map.rotate(load(x, 0), load(x, stride), load(x, 2 &* stride), load(x, 3 &* stride))
          prefetchTile(x, stride, 4)
        }
        if step.scale >= 0 {
          let (x, stride) = (values + (Int(step.scale) &* tiles.valueStride &+ lane), tiles.valueStride)
          map.scale(load(x, 0), load(x, stride), load(x, 2 &* stride))
          prefetchTile(x, stride, 3)
        } else if step.isScaled {
          map.scale(splat(constants[12]), splat(constants[13]), splat(constants[14]))
        }
        if step.translation >= 0 {
          let (x, stride) = (values + (Int(step.translation) &* tiles.valueStride &+ lane), tiles.valueStride)
          (map.o0, map.o1, map.o2) = (load(x, 0), load(x, stride), load(x, 2 &* stride))
          prefetchTile(x, stride, 3)
        }
        if step.parent >= 0 {
          map.store(below: tiles.blocks + (Int(step.parent) &* NodeTiles.blockCount &+ lane), to: block + lane)
        } else {
          map.store(to: block + lane)
        }
        lane &+= Floats.scalarCount
      }
    }
    var output = Int(step.firstOutput)
    while output < Int(step.endOutput) {
      write(tiles, block, tiles.outputs[output], to: result)
      output &+= 1
    }
  }

  /// Prefetches the lanes of the next tile: more columns are read than processors follow by themselves.
  @export(implementation) @inline(__always)
  static func prefetchTile(_ column: ConstantColumn<Float>, _ stride: Int, _ count: Int) {
    var index = 0
    while index < count {
      column.prefetch(index &* stride &+ laneCountOfTile)
      index &+= 1
    }
  }

  /// Writes one matrix of each instance of a tile.
  @export(implementation) @inline(__always)
  static func write(
    _ tiles: NodeTiles, _ world: Column<Float>, _ output: NodeOutput, to result: Column<Float>
  ) {
    var block = world
    if output.factor >= 0 {
      block = tiles.blocks + tiles.productBlock &* NodeTiles.blockCount
      let factor = AffineLanes<Self>(tiles.numbers + Int(output.factor))
      var lane = 0
      while lane < laneCountOfTile {
        factor.store(below: world + lane, to: block + lane)
        lane &+= Floats.scalarCount
      }
    }
    if !tiles.isPlanar {
      let matrix = result + Int(output.index) &* 16
      if tiles.stores == .ordinary {
        turnSixteen(block, laneCountOfTile, to: matrix, tiles.resultStride)
      } else {
        turnSixteenPastCaches(block, laneCountOfTile, to: matrix, tiles.resultStride)
      }
      return
    }
    var column = result + Int(output.index) &* 12 &* tiles.resultStride
    var row = 0
    while row < 12 {
      // Every fourth row of a block is an edge.
      let lanes = block + (row &+ row / 3) &* laneCountOfTile
      var lane = 0
      while lane < laneCountOfTile {
        if tiles.stores == .ordinary {
          column.store(load(lanes, lane), at: lane)
        } else {
          stream(load(lanes, lane), to: column + lane)
        }
        lane &+= Floats.scalarCount
      }
      column += tiles.resultStride
      row &+= 1
    }
  }

  @export(implementation) @inline(__always)
  public static func turnSixteenPastCaches(
    _ rows: Column<Float>, _ stride: Int, to columns: Column<Float>, _ columnStride: Int
  ) {
    turnSixteen(rows, stride, to: columns, columnStride)
  }
}
