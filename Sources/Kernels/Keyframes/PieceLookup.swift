// SPDX-License-Identifier: MIT
// Two ways to look pieces up: in memory, and within registers. They are types, so that each loop has one of them.

/// Four vectors, a component of a record each.
public struct Records<I: InstructionSet> {
  public var x: I.Floats
  public var y: I.Floats
  public var z: I.Floats
  public var w: I.Floats

  @inlinable @inline(__always)
  public init(x: I.Floats, y: I.Floats, z: I.Floats, w: I.Floats) {
    self.x = x
    self.y = y
    self.z = z
    self.w = w
  }
}

/// How the tables of a track are looked up.
public protocol PieceLookup {
  associatedtype Set: InstructionSet
  /// What a component of a track needs.
  associatedtype Cubics

  init(_ track: PieceTable)
  /// How many times a piece may have to be followed by the next.
  var steps: Int { get }
  /// The first pieces of the buckets of some ticks.
  func firstPieces(of ticks: Set.Ints) -> Set.Ints
  func lastTicks(of pieces: Set.Ints) -> Set.Ints
  func centers(of pieces: Set.Ints) -> Set.Ints
  func cubics(ofComponent index: Int) -> Cubics
  func coefficients(of pieces: Set.Ints, _ cubics: Cubics) -> Records<Set>
}

/// Lookups in memory: for any number of pieces.
@frozen public struct MemoryLookup<Set: InstructionSet>: PieceLookup {
  @usableFromInline let track: PieceTable

  @inlinable @inline(__always)
  public init(_ track: PieceTable) { self.track = track }

  @inlinable public var steps: Int { @inline(__always) get { track.steps } }

  @inlinable @inline(__always)
  public func firstPieces(of ticks: Set.Ints) -> Set.Ints {
    let buckets = ticks &>> Set.Ints(repeating: track.shift) &+ Set.Ints(repeating: track.half)
    return Set.gather(track.firsts, buckets)
  }

  @inlinable @inline(__always)
  public func lastTicks(of pieces: Set.Ints) -> Set.Ints { Set.gather(track.lasts, pieces) }

  @inlinable @inline(__always)
  public func centers(of pieces: Set.Ints) -> Set.Ints { Set.gather(track.centers, pieces) }

  @inlinable @inline(__always)
  public func cubics(ofComponent index: Int) -> UnsafePointer<Float> {
    track.records + index &* track.pieceCount &* 4
  }

  @inlinable @inline(__always)
  public func coefficients(of pieces: Set.Ints, _ cubics: UnsafePointer<Float>) -> Records<Set> {
    Set.records(cubics, pieces)
  }
}

/// An instruction set that looks 32 entries up within two registers.
public protocol RegisterLookup: InstructionSet {
  /// Entry `index` of `low` and, from ``pieceCountOfRegisters`` / 2 on, of `high`.
  static func lookUp(_ low: Floats, _ high: Floats, _ index: Ints) -> Floats
}

/// A table of 32 entries in registers.
@frozen public struct Line<Set: RegisterLookup> {
  @usableFromInline let low: Set.Floats
  @usableFromInline let high: Set.Floats

  @inlinable @inline(__always)
  init(_ address: UnsafeRawPointer) {
    low = address.loadUnaligned(as: Set.Floats.self)
    high = (address + 2 &* pieceCountOfRegisters).loadUnaligned(as: Set.Floats.self)
  }

  @inlinable @inline(__always)
  func floats(_ index: Set.Ints) -> Set.Floats { Set.lookUp(low, high, index) }

  @inlinable @inline(__always)
  func ints(_ index: Set.Ints) -> Set.Ints { unsafeBitCast(floats(index), to: Set.Ints.self) }
}

/// Lookups within registers: for up to 32 pieces.
@frozen public struct LineLookup<Set: RegisterLookup>: PieceLookup {
  @usableFromInline let firsts: Line<Set>
  @usableFromInline let lasts: Line<Set>
  @usableFromInline let centers: Line<Set>
  @usableFromInline let coefficientLines: UnsafePointer<Float>
  public let steps: Int

  /// For a track that has lines.
  @inlinable @inline(__always)
  public init(_ track: PieceTable) {
    let lines = track.lines.unsafelyUnwrapped
    firsts = Line(lines)
    lasts = Line(lines + pieceCountOfRegisters)
    centers = Line(lines + 2 &* pieceCountOfRegisters)
    coefficientLines = track.coefficientLines.unsafelyUnwrapped
    steps = track.lineSteps
  }

  /// The coefficients of one component.
  @frozen public struct Cubics {
    @usableFromInline let x: Line<Set>
    @usableFromInline let y: Line<Set>
    @usableFromInline let z: Line<Set>
    @usableFromInline let w: Line<Set>

    @inlinable @inline(__always)
    init(_ lines: UnsafePointer<Float>) {
      x = Line(lines)
      y = Line(lines + pieceCountOfRegisters)
      z = Line(lines + 2 &* pieceCountOfRegisters)
      w = Line(lines + 3 &* pieceCountOfRegisters)
    }
  }

  @inlinable @inline(__always)
  public func firstPieces(of ticks: Set.Ints) -> Set.Ints {
    firsts.ints(ticks &>> Set.Ints(repeating: 27) &+ Set.Ints(repeating: 16))
  }

  @inlinable @inline(__always)
  public func lastTicks(of pieces: Set.Ints) -> Set.Ints { lasts.ints(pieces) }

  @inlinable @inline(__always)
  public func centers(of pieces: Set.Ints) -> Set.Ints { centers.ints(pieces) }

  @inlinable @inline(__always)
  public func cubics(ofComponent index: Int) -> Cubics {
    Cubics(coefficientLines + index &* 4 &* pieceCountOfRegisters)
  }

  @inlinable @inline(__always)
  public func coefficients(of pieces: Set.Ints, _ cubics: Cubics) -> Records<Set> {
    Records(
      x: cubics.x.floats(pieces), y: cubics.y.floats(pieces), z: cubics.z.floats(pieces), w: cubics.w.floats(pieces))
  }
}
