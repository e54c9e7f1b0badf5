// SPDX-License-Identifier: MIT
// Two ways to look pieces up: in memory, and within registers. They are types, so each loop has one of them.

/// Four vectors: one for each component of a record.
public struct Records<I: InstructionSet> {
  public var x: I.Floats
  public var y: I.Floats
  public var z: I.Floats
  public var w: I.Floats

  @export(implementation) @inline(__always)
  public init(x: I.Floats, y: I.Floats, z: I.Floats, w: I.Floats) {
    self.x = x
    self.y = y
    self.z = z
    self.w = w
  }
}

/// A way to look up the tables of a track.
public protocol PieceLookup {
  associatedtype Set: InstructionSet
  /// The tables of one component of a track.
  associatedtype Cubics

  init(_ track: PieceTable)
  /// The pieces of some ticks, and the ticks from which these pieces are measured.
  func find(_ ticks: Set.Ints) -> (pieces: Set.Ints, centers: Set.Ints)
  func cubics(ofComponent index: Int) -> Cubics
  /// Where the pieces stand in the tables of a component. With one component, these are the pieces.
  func entries(of pieces: Set.Ints) -> Set.Ints
  func coefficients(of entries: Set.Ints, _ cubics: Cubics) -> Records<Set>
}

/// Lookups in memory: for any number of pieces.
@frozen public struct MemoryLookup<Set: InstructionSet>: PieceLookup {
  @usableFromInline let track: PieceTable

  @export(implementation) @inline(__always)
  public init(_ track: PieceTable) { self.track = track }

  @export(implementation) @inline(__always)
  public func find(_ ticks: Set.Ints) -> (pieces: Set.Ints, centers: Set.Ints) {
    let buckets = ticks &>> Set.Ints(repeating: track.shift) &+ Set.Ints(repeating: track.half)
    let bucket = Set.records(track.buckets, buckets)
    let isPast = unsafe Set.isGreater(ticks, unsafeBitCast(bucket.y, to: Set.Ints.self))
    var pieces = unsafe unsafeBitCast(bucket.x, to: Set.Ints.self) &- isPast
    guard track.steps > 1 else {
      return unsafe (pieces, unsafeBitCast(Set.select(isPast, bucket.w, bucket.z), to: Set.Ints.self))
    }
    for _ in 1..<track.steps {
      pieces = pieces &- Set.isGreater(ticks, Set.gather(track.lasts, pieces))
    }
    return (pieces, Set.gather(track.centers, pieces))
  }

  @export(implementation) @inline(__always)
  public func cubics(ofComponent index: Int) -> ConstantColumn<Float> { track.records + 4 &* index }

  @export(implementation) @inline(__always)
  public func entries(of pieces: Set.Ints) -> Set.Ints {
    let count = Int32(truncatingIfNeeded: track.componentCount)
    return count == 1 ? pieces : pieces &* Set.Ints(repeating: count)
  }

  @export(implementation) @inline(__always)
  public func coefficients(of entries: Set.Ints, _ cubics: ConstantColumn<Float>) -> Records<Set> {
    Set.records(cubics, entries)
  }
}

/// An instruction set that looks entries up within registers of sixteen.
public protocol RegisterLookup: InstructionSet {
  /// Entry `index` of a register.
  static func lookUp(_ entries: Floats, _ index: Ints) -> Floats
  /// Entry `index` of two registers, one after the other.
  static func lookUp(_ low: Floats, _ high: Floats, _ index: Ints) -> Floats
}

/// A table in registers.
public protocol RegisterLine {
  associatedtype Set: RegisterLookup
  static var entryCount: Int { get }

  init(_ entries: ConstantColumn<Float>)
  func floats(_ index: Set.Ints) -> Set.Floats
}

extension RegisterLine {
  @export(implementation) @inline(__always)
  func ints(_ index: Set.Ints) -> Set.Ints { unsafe unsafeBitCast(floats(index), to: Set.Ints.self) }
}

/// Sixteen entries.
@frozen public struct ShortLine<Set: RegisterLookup>: RegisterLine {
  @usableFromInline let entries: Set.Floats

  @export(implementation) public static var entryCount: Int { @inline(__always) get { 16 } }

  @export(implementation) @inline(__always)
  public init(_ entries: ConstantColumn<Float>) { self.entries = entries.lanes(at: 0, as: Set.Floats.self) }

  @export(implementation) @inline(__always)
  public func floats(_ index: Set.Ints) -> Set.Floats { Set.lookUp(entries, index) }
}

/// Thirty-two entries.
@frozen public struct LongLine<Set: RegisterLookup>: RegisterLine {
  @usableFromInline let low: Set.Floats
  @usableFromInline let high: Set.Floats

  @export(implementation) public static var entryCount: Int { @inline(__always) get { 32 } }

  @export(implementation) @inline(__always)
  public init(_ entries: ConstantColumn<Float>) {
    low = entries.lanes(at: 0, as: Set.Floats.self)
    high = entries.lanes(at: 16, as: Set.Floats.self)
  }

  @export(implementation) @inline(__always)
  public func floats(_ index: Set.Ints) -> Set.Floats { Set.lookUp(low, high, index) }
}

/// Lookups within registers, for tracks with no more pieces than a line has entries. With few instances of a clip, loading
/// its lines takes most of the time; so there are short lines too.
@frozen public struct LineLookup<Line: RegisterLine>: PieceLookup {
  public typealias Set = Line.Set

  @usableFromInline let firsts: LongLine<Set>
  @usableFromInline let lasts: Line
  @usableFromInline let centers: Line
  @usableFromInline let coefficients: ConstantColumn<Float>
  @usableFromInline let steps: Int

  /// For a track that has lines of this length.
  @export(implementation) @inline(__always)
  public init(_ track: PieceTable) {
    let lines = unsafe track.lines.unsafelyUnwrapped
    firsts = LongLine(lines)
    lasts = Line(lines + 32)
    centers = Line(lines + (32 &+ Line.entryCount))
    coefficients = lines + (32 &+ 2 &* Line.entryCount)
    steps = track.lineSteps
  }

  /// The coefficients of one component.
  @frozen public struct Cubics {
    @usableFromInline let x: Line
    @usableFromInline let y: Line
    @usableFromInline let z: Line
    @usableFromInline let w: Line

    @export(implementation) @inline(__always)
    init(_ lines: ConstantColumn<Float>) {
      x = Line(lines)
      y = Line(lines + Line.entryCount)
      z = Line(lines + 2 &* Line.entryCount)
      w = Line(lines + 3 &* Line.entryCount)
    }
  }

  @export(implementation) @inline(__always)
  public func find(_ ticks: Set.Ints) -> (pieces: Set.Ints, centers: Set.Ints) {
    var pieces = firsts.ints(ticks &>> Set.Ints(repeating: 27) &+ Set.Ints(repeating: 16))
    for _ in 0..<steps {
      pieces = pieces &- Set.isGreater(ticks, lasts.ints(pieces))
    }
    return (pieces, centers.ints(pieces))
  }

  @export(implementation) @inline(__always)
  public func cubics(ofComponent index: Int) -> Cubics { Cubics(coefficients + index &* 4 &* Line.entryCount) }

  @export(implementation) @inline(__always)
  public func entries(of pieces: Set.Ints) -> Set.Ints { pieces }

  @export(implementation) @inline(__always)
  public func coefficients(of entries: Set.Ints, _ cubics: Cubics) -> Records<Set> {
    Records(
      x: cubics.x.floats(entries), y: cubics.y.floats(entries), z: cubics.z.floats(entries),
      w: cubics.w.floats(entries))
  }
}
