// SPDX-License-Identifier: MIT
import Kernels

/// A bake of one component of some tracks in some frames, in parts for workers. Lent to them for its duration.
///
/// It goes through the indices in their order. Neighbours whose motions are computed in the same way form a block: springs
/// of any kind, or staged tracks, a lane after the other. Tracks that stand fit into any block.
@safe
struct TrackBake {
  private let state: UnsafePointer<Engine>
  let moments: BakeMoments
  /// The range of the moments.
  let frames: Range<Int>
  let component: Int
  let indices: Range<Int>
  /// The output of the first track in the first frame.
  let output: BakeOutput
  /// The errors of all parts.
  let failure: BakeFailure
  let times: BakeTimes

  /// - Parameter state: The engine, which must outlive this.
  init(
    _ state: UnsafePointer<Engine>, _ moments: BakeMoments, _ frames: Range<Int>, _ component: Int,
    _ indices: Range<Int>, to output: BakeOutput, _ failure: BakeFailure
  ) {
    unsafe self.state = state
    (self.moments, self.frames, self.component) = (moments, frames, component)
    (self.indices, self.output, self.failure, times) = (indices, output, failure, moments.times(frames))
  }

  /// The engine, which does not change during the bake. It is read by its address: a coroutine of Swift 6.3.1 would use
  /// a copy that is freed already.
  var engine: Engine {
    @inline(__always) unsafeAddress { unsafe state }
  }

  /// The time of the last frame, up to the first of these, whose number is a multiple of ``Engine/bakedFramesAtOnce``;
  /// nil if each frame has a time of its own.
  var milestone: Double? {
    guard case .frames(let all) = moments else { return nil }
    let first = all.range.lowerBound + frames.lowerBound
    return all.time(of: first & ~(Engine.bakedFramesAtOnce - 1))
  }

  // MARK: - Blocks

  /// How a track is computed.
  enum Path: Equatable {
    case springs
    case staged
    /// A track that stands, or an index without a track. Any block can show either.
    case stands
  }

  /// Bakes part `index` of `count`: whole blocks of lanes. Where parts are cut changes no bit.
  func bake(part index: Int, of count: Int) {
    let blocks = (indices.count + laneCountOfBake - 1) / laneCountOfBake
    let first = indices.lowerBound + blocks * index / count * laneCountOfBake
    let last = min(indices.upperBound, indices.lowerBound + blocks * (index + 1) / count * laneCountOfBake)
    guard first < last else { return }
    let memory = MemoryBlock(byteCount: BakeLanes.byteCount, alignment: 64, isZeroed: false)
    let lanes = BakeLanes(memory: memory.bytes)
    var staged: StagedTracks?
    var next = first
    var overlap = 0
    while next < last {
      let isContinued = overlap > 0
      let (path, end) = block(from: next, limit: last)
      overlap = overlapCount(path, end, last: last)
      var part = output.from(lane: next - indices.lowerBound, frame: 0)
      (part.overlap, part.isContinued) = (overlap, isContinued)
      let range = next..<end + overlap
      switch path {
      case .springs, .stands:
        gather(range, into: lanes)
        engine.table.bake.lanes(lanes, range.count, times, part)
      case .staged:
        if staged == nil {
          guard SpringPhases.hasRoom(dimensions: engine.dimensions) else {
            return failure.note(.capacityExceeded(range.count))
          }
          staged = StagedTracks(self)
        }
        staged?.bake(range, to: part)
      }
      next = end
    }
  }

  /// The path of the block that begins at an index, and its end.
  private func block(from first: Int, limit: Int) -> (Path, end: Int) {
    let segment = segment(at: first, limit: min(limit, first + laneCountOfBake))
    if segment.path == .staged {
      return (.staged, end(from: first, limit: min(limit, first + BakedLanes.laneCount), while: { $0.isStaged }))
    }
    return (.springs, end(from: first, limit: min(limit, first + laneCountOfBake), while: { $0.isOfSprings }))
  }

  /// The end of the tracks from an index on whose paths are of a kind.
  private func end(from first: Int, limit: Int, while isOfKind: (Path) -> Bool) -> Int {
    var end = first
    while end < limit {
      let segment = segment(at: end, limit: limit)
      guard isOfKind(segment.path) else { break }
      end += segment.count
    }
    return end
  }

  /// The number of lanes after a block that are computed with it, because they share lines of memory with it in some frame.
  /// It is 0 if no line is shared; otherwise a whole tile, or all lanes that are left.
  private func overlapCount(_ path: Path, _ end: Int, last: Int) -> Int {
    guard output.isStreamed, !output.isAligned, end < last else { return 0 }
    let limit = min(last, end + laneCountOfTile)
    let shared = self.end(from: end, limit: limit) {
      path == .staged ? $0.isStaged : $0.isOfSprings
    }
    return shared == limit ? limit - end : 0
  }

  // MARK: - Tracks

  /// Indices whose tracks stand in neighbouring rows and are of one kind.
  struct Segment {
    var count: Int
    /// The first row, or −1 if there is no track.
    var row: Int
    var path: Path
  }

  /// The segment that begins at an index.
  @inline(__always)
  func segment(at index: Int, limit: Int) -> Segment {
    guard engine.tracks.slots.isLive(index) else { return Segment(count: 1, row: -1, path: .stands) }
    let row = engine.tracks.slots.row(of: index)
    let kind = engine.tracks.tiles.kind(ofRow: row)
    if engine.phases.isPlaying(index) { return Segment(count: 1, row: row, path: .staged) }
    if kind == .still {
      let velocity = engine.tracks.columns.velocity[engine.tracks.element(row, component)]
      return Segment(count: 1, row: row, path: velocity == 0 ? .stands : .staged)
    }
    guard kind == .spring else { return Segment(count: 1, row: row, path: .staged) }
    var count = engine.tracks.slots.neighbours(index..<limit)
    // The lanes from here on that move: of the first tile, and of the full ones after it.
    let moving = engine.tracks.tiles.moving.column
    var (tile, end) = (row / laneCountOfTile, row)
    end += (~(moving[tile] >> UInt16(row % laneCountOfTile))).trailingZeroBitCount
    while end < row + count, end % laneCountOfTile == 0 {
      tile += 1
      end += (~moving[tile]).trailingZeroBitCount
      if moving[tile] != .max { break }
    }
    count = min(count, end - row)
    if engine.phases.playerCount > 0 {
      count = (index + 1..<index + count).first { engine.phases.isPlaying($0) }.map { $0 - index } ?? count
    }
    return Segment(count: count, row: row, path: .springs)
  }
}

extension TrackBake.Path {
  fileprivate var isStaged: Bool { self == .staged || self == .stands }
  fileprivate var isOfSprings: Bool { self != .staged }
}
