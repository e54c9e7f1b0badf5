// SPDX-License-Identifier: MIT

/// One row of a tile of outputs, in registers. The number of registers decides the number of vectors.
public protocol TileRow: SendableMetatype {
  associatedtype Lanes: InstructionSet
  static var vectorCount: Int { get }
  static var zero: Self { get }
  static func load(_ address: ConstantColumn<Float>) -> Self
  /// Adds `weight · shapes`.
  mutating func add(_ weight: Lanes.Floats, _ shapes: Self)
  func store<W: StoreWay>(to address: Column<Float>, _ way: W.Type)
  /// Stores the first `count` floats only.
  func store(to address: Column<Float>, count: Int)
}

/// Four vectors, for 32 registers: with six rows, 24 sums and 4 shapes.
public struct WideRow<I: InstructionSet>: TileRow {
  public typealias Lanes = I
  @usableFromInline var a, b, c, d: I.Floats

  @export(implementation) @inline(__always)
  init(_ a: I.Floats, _ b: I.Floats, _ c: I.Floats, _ d: I.Floats) { (self.a, self.b, self.c, self.d) = (a, b, c, d) }

  @export(implementation) @inline(__always)
  public static var vectorCount: Int { 4 }

  @export(implementation) @inline(__always)
  public static var zero: Self { Self(I.Floats.zero, I.Floats.zero, I.Floats.zero, I.Floats.zero) }

  @export(implementation) @inline(__always)
  public static func load(_ address: ConstantColumn<Float>) -> Self {
    let width = I.Floats.scalarCount
    return Self(
      I.load(address, 0), I.load(address, width), I.load(address, 2 &* width), I.load(address, 3 &* width))
  }

  @export(implementation) @inline(__always)
  public mutating func add(_ weight: I.Floats, _ shapes: Self) {
    a = I.multiplyAdd(weight, shapes.a, a)
    b = I.multiplyAdd(weight, shapes.b, b)
    c = I.multiplyAdd(weight, shapes.c, c)
    d = I.multiplyAdd(weight, shapes.d, d)
  }

  @export(implementation) @inline(__always)
  public func store<W: StoreWay>(to address: Column<Float>, _ way: W.Type) {
    let width = I.Floats.scalarCount
    W.store(I.self, a, to: address)
    W.store(I.self, b, to: address + width)
    W.store(I.self, c, to: address + 2 &* width)
    W.store(I.self, d, to: address + 3 &* width)
  }

  @export(implementation) @inline(__always)
  public func store(to address: Column<Float>, count: Int) {
    let width = I.Floats.scalarCount
    I.store(a, to: address, count: count)
    I.store(b, to: address + width, count: count &- width)
    I.store(c, to: address + 2 &* width, count: count &- 2 &* width)
    I.store(d, to: address + 3 &* width, count: count &- 3 &* width)
  }
}

/// Two vectors, for 16 registers: with six rows, 12 sums and 2 shapes.
public struct NarrowRow<I: InstructionSet>: TileRow {
  public typealias Lanes = I
  @usableFromInline var a, b: I.Floats

  @export(implementation) @inline(__always)
  init(_ a: I.Floats, _ b: I.Floats) { (self.a, self.b) = (a, b) }

  @export(implementation) @inline(__always)
  public static var vectorCount: Int { 2 }

  @export(implementation) @inline(__always)
  public static var zero: Self { Self(I.Floats.zero, I.Floats.zero) }

  @export(implementation) @inline(__always)
  public static func load(_ address: ConstantColumn<Float>) -> Self {
    Self(I.load(address, 0), I.load(address, I.Floats.scalarCount))
  }

  @export(implementation) @inline(__always)
  public mutating func add(_ weight: I.Floats, _ shapes: Self) {
    a = I.multiplyAdd(weight, shapes.a, a)
    b = I.multiplyAdd(weight, shapes.b, b)
  }

  @export(implementation) @inline(__always)
  public func store<W: StoreWay>(to address: Column<Float>, _ way: W.Type) {
    W.store(I.self, a, to: address)
    W.store(I.self, b, to: address + I.Floats.scalarCount)
  }

  @export(implementation) @inline(__always)
  public func store(to address: Column<Float>, count: Int) {
    I.store(a, to: address, count: count)
    I.store(b, to: address + I.Floats.scalarCount, count: count &- I.Floats.scalarCount)
  }
}

extension InstructionSet {
  /// Stores the first `count` lanes; all of them if there are fewer, and no lane if `count` is negative.
  @export(implementation) @inline(__always)
  static func store(_ a: Floats, to address: Column<Float>, count: Int) {
    if count >= Floats.scalarCount {
      address.store(a, at: 0)
    } else {
      var lane = 0
      while lane < count {
        address[lane] = a[lane]
        lane &+= 1
      }
    }
  }
}
