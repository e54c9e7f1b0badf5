// SPDX-License-Identifier: MIT

/// The local time of clips in kernels: a whole clip is 2³² ticks less a margin at both ends.
///
/// Integers make every comparison exact, so a lane shows the same value however it came to its time. A difference of
/// two ticks has more digits than the Float that it becomes. An instant is rounded to half a tick: 2⁻³³ of the clip's
/// duration.
public enum ClipTick {
  /// Ticks at both ends that no instant of the clip falls on.
  @export(implementation) public static var margin: Int32 { @inline(__always) get { 256 } }
  /// The tick of the start of a clip.
  @export(implementation) public static var start: Int32 { @inline(__always) get { .min + margin } }
  /// The tick of its end.
  @export(implementation) public static var end: Int32 { @inline(__always) get { .max - margin } }
  /// The tick of a lane that is held before the start, in clips with another value there than at the start.
  @export(implementation) public static var before: Int32 { @inline(__always) get { .min } }
  /// The tick of a lane that is held after the end, in clips with another value there than at the end.
  @export(implementation) public static var after: Int32 { @inline(__always) get { .max } }
  /// Ticks from the start to the end.
  @export(implementation) public static var count: Double { @inline(__always) get { Double(end) - Double(start) } }
  /// Ticks of one clip unit, the unit of time of pieces.
  @export(implementation) public static var unit: Double { @inline(__always) get { 0x1p31 } }
}

/// The most pieces that are looked up within registers, where the instruction set can.
public let pieceCountOfRegisters = 32

/// The pieces of one track of a clip, and the tables to find them.
///
/// A piece is a cubic in u = (tick − center) · 2⁻³¹. It is measured from its middle, where the terms are smallest. The
/// first piece is measured from its start and the last from its end, so that the values held there are exact.
///
/// A tick's piece is found from its upper bits: they name a bucket, whose first piece is known, and `steps` comparisons
/// lead on from there. The memory is lent.
@safe
public struct PieceTable {
  /// The dimensions that the track gives values to.
  public var components: UnsafePointer<Int32>
  public var componentCount: Int

  /// For a lookup within registers, or nil if there are too many pieces. First the first pieces of 32 buckets, then
  /// lines of `lineLength` entries: last ticks, centers, and four lines of coefficients for each component.
  public var lines: UnsafeRawPointer?
  /// Entries of a line, 16 or 32.
  public var lineLength: Int
  /// The most pieces that begin within one of these buckets.
  public var lineSteps: Int

  /// For a lookup in memory.
  /// Four integers for each bucket: its first piece, the last tick of this piece, its center, and the center of the
  /// next piece. Buckets are 2^shift ticks wide, and `half` is the bucket of tick 0.
  public var buckets: UnsafePointer<Float>
  public var shift: Int32
  public var half: Int32
  /// The most pieces that begin within one bucket.
  public var steps: Int
  /// The last tick of each piece.
  public var lasts: UnsafePointer<Int32>
  /// The tick from which each piece is measured.
  public var centers: UnsafePointer<Int32>
  /// Coefficients from the constant one up: [piece][component][4]. Three more records can be read after the last one.
  public var records: UnsafePointer<Float>

  public init(
    components: UnsafePointer<Int32>, componentCount: Int, buckets: UnsafePointer<Float>, shift: Int32,
    steps: Int, lasts: UnsafePointer<Int32>, centers: UnsafePointer<Int32>, records: UnsafePointer<Float>,
    lines: UnsafeRawPointer? = nil, lineLength: Int = 0, lineSteps: Int = 0
  ) {
    unsafe self.components = components
    self.componentCount = componentCount
    unsafe self.buckets = buckets
    self.shift = shift
    half = 1 << (31 - shift)
    self.steps = steps
    unsafe self.lasts = lasts
    unsafe self.centers = centers
    unsafe self.records = records
    unsafe self.lines = lines
    self.lineLength = lineLength
    self.lineSteps = lineSteps
  }
}

/// The tracks of one clip.
@safe
public struct ClipTable {
  public var tracks: UnsafePointer<PieceTable>
  public var trackCount: Int

  public init(tracks: UnsafePointer<PieceTable>, trackCount: Int) {
    unsafe self.tracks = tracks
    self.trackCount = trackCount
  }
}
