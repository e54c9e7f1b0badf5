// SPDX-License-Identifier: MIT

/// The local time of clips, as kernels count it: the whole of a clip is 2³² ticks but for a margin at both ends.
///
/// Integers make every comparison exact, so that a lane shows the same however it came to its time; and a difference of
/// two of them has more digits than the Float it becomes. An instant is rounded to half a tick: 2⁻³³ of the clip's duration.
public enum ClipTick {
  /// Ticks at both ends that no instant of the clip falls on.
  @inlinable public static var margin: Int32 { @inline(__always) get { 256 } }
  /// The tick of the start of a clip.
  @inlinable public static var start: Int32 { @inline(__always) get { .min + margin } }
  /// The tick of its end.
  @inlinable public static var end: Int32 { @inline(__always) get { .max - margin } }
  /// Where a lane stands that shows what is before the start.
  @inlinable public static var before: Int32 { @inline(__always) get { .min } }
  /// Where a lane stands that shows what is after the end.
  @inlinable public static var after: Int32 { @inline(__always) get { .max } }
  /// Ticks from the start to the end.
  @inlinable public static var count: Double { @inline(__always) get { Double(end) - Double(start) } }
  /// Units in which pieces count: so many ticks are 1.
  @inlinable public static var unit: Double { @inline(__always) get { 0x1p31 } }
}

/// How many pieces are looked up within registers, where the instruction set can.
public let pieceCountOfRegisters = 32

/// The pieces of one track of a clip, and how they are found.
///
/// A piece is a cubic in u = (tick − center) · 2⁻³¹. It is measured from its middle, as the terms are smallest there: a
/// smooth step loses 1.5 units in the last place that way, and 7.6 measured from its start. The first piece is what shows
/// before the track, the last what shows after it.
///
/// A tick's piece is found from its upper bits: they name a bucket, whose first piece is known, and `steps` comparisons
/// lead on from there. The memory is lent.
public struct PieceTable {
  /// The dimensions that the track gives values to.
  public var components: UnsafePointer<Int32>
  public var componentCount: Int
  public var pieceCount: Int

  /// The first piece of each bucket; buckets are 2^shift ticks wide, and `half` is the bucket of tick 0.
  public var firsts: UnsafePointer<Int32>
  public var shift: Int32
  public var half: Int32
  /// Pieces that begin within a bucket, at most.
  public var steps: Int
  /// The last tick of each piece.
  public var lasts: UnsafePointer<Int32>
  /// The tick from which each piece is measured.
  public var centers: UnsafePointer<Int32>
  /// Coefficients from the constant one up: [component][piece][4].
  public var records: UnsafePointer<Float>

  /// The same for a lookup within registers, where there are few enough pieces; else nil. Lines of
  /// ``pieceCountOfRegisters`` entries: the first pieces of as many buckets, last ticks, centers.
  public var lines: UnsafePointer<Int32>?
  /// Pieces that begin within one of these buckets, at most.
  public var lineSteps: Int
  /// Lines of coefficients: [component][4].
  public var coefficientLines: UnsafePointer<Float>?

  public init(
    components: UnsafePointer<Int32>, componentCount: Int, pieceCount: Int, firsts: UnsafePointer<Int32>, shift: Int32,
    steps: Int, lasts: UnsafePointer<Int32>, centers: UnsafePointer<Int32>, records: UnsafePointer<Float>,
    lines: UnsafePointer<Int32>? = nil, lineSteps: Int = 0, coefficientLines: UnsafePointer<Float>? = nil
  ) {
    self.components = components
    self.componentCount = componentCount
    self.pieceCount = pieceCount
    self.firsts = firsts
    self.shift = shift
    half = 1 << (31 - shift)
    self.steps = steps
    self.lasts = lasts
    self.centers = centers
    self.records = records
    self.lines = lines
    self.lineSteps = lineSteps
    self.coefficientLines = coefficientLines
  }
}

/// The tracks of one clip.
public struct ClipTable {
  public var tracks: UnsafePointer<PieceTable>
  public var trackCount: Int

  public init(tracks: UnsafePointer<PieceTable>, trackCount: Int) {
    self.tracks = tracks
    self.trackCount = trackCount
  }
}
