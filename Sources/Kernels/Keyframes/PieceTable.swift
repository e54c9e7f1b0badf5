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
public struct PieceTable: BitwiseCopyable {
  /// The dimensions that the track gives values to.
  public var components: ConstantColumn<Int32>
  public var componentCount: Int
  /// Whether all components have the same cubics, as those of curves have.
  public var sharesCubics = false

  /// For a lookup within registers, or nil if there are too many pieces. First the first pieces of 32 buckets, then
  /// lines of `lineLength` entries: last ticks, centers, and four lines of coefficients for each component.
  public var lines: ConstantColumn<Float>?
  /// Entries of a line, 16 or 32.
  public var lineLength: Int
  /// The most pieces that begin within one of these buckets.
  public var lineSteps: Int

  /// For a lookup in memory.
  /// Four integers for each bucket: its first piece, the last tick of this piece, its center, and the center of the
  /// next piece. Buckets are 2^shift ticks wide, and `half` is the bucket of tick 0.
  public var buckets: ConstantColumn<Float>
  public var shift: Int32
  public var half: Int32
  /// The most pieces that begin within one bucket.
  public var steps: Int
  /// The last tick of each piece.
  public var lasts: ConstantColumn<Int32>
  /// The tick from which each piece is measured.
  public var centers: ConstantColumn<Int32>
  /// Coefficients from the constant one up: [piece][component][4]. Three more records can be read after the last one.
  public var records: ConstantColumn<Float>

  public init(
    components: ConstantColumn<Int32>, componentCount: Int, buckets: ConstantColumn<Float>, shift: Int32, steps: Int,
    lasts: ConstantColumn<Int32>, centers: ConstantColumn<Int32>, records: ConstantColumn<Float>,
    lines: ConstantColumn<Float>? = nil, lineLength: Int = 0, lineSteps: Int = 0
  ) {
    self.components = components
    self.componentCount = componentCount
    self.buckets = buckets
    self.shift = shift
    half = 1 << (31 - shift)
    self.steps = steps
    self.lasts = lasts
    self.centers = centers
    self.records = records
    self.lines = lines
    self.lineLength = lineLength
    self.lineSteps = lineSteps
  }
}

/// The tracks of one clip.
public struct ClipTable: BitwiseCopyable {
  public var tracks: ConstantColumn<PieceTable>
  public var trackCount: Int

  public init(tracks: ConstantColumn<PieceTable>, trackCount: Int) {
    self.tracks = tracks
    self.trackCount = trackCount
  }
}
