// SPDX-License-Identifier: MIT
import Kernels

/// A bake of some tracks in some frames, in parts for workers. Lent to them for its duration.
///
/// Springs, and tracks that follow legs, are baked one component after the other, in blocks of neighbours by index: springs
/// by their factors for many frames, legs by their clips' tables (see ``LegTracks``). All other tracks are played (see
/// ``PlayedTracks``). Tracks that stand fit into either kind of block.
@safe
struct TrackBake {
  private let state: UnsafePointer<Engine>
  let plan: BakePlan
  /// The frames of the plan that are baked, and their times.
  let frames: Range<Int>
  let times: BakeTimes
  let indices: Range<Int>
  /// The memory of the output, and the position of the first of the frames in it.
  private let target: BakeTarget
  private let firstFrame: Int
  /// The errors of all parts.
  let failure: BakeFailure

  /// - Parameters:
  ///   - state: The engine, which must outlive this.
  ///   - firstFrame: The position of the first of the frames in the target.
  init(
    _ state: UnsafePointer<Engine>, _ plan: BakePlan, _ frames: Range<Int>, _ indices: Range<Int>,
    to target: BakeTarget, firstFrame: Int, _ failure: BakeFailure
  ) {
    unsafe self.state = state
    (self.plan, self.frames, times, self.indices) = (plan, frames, plan.times.part(frames), indices)
    (self.target, self.firstFrame, self.failure) = (target, firstFrame, failure)
  }

  /// The engine, which does not change during the bake. It is read by its address: a coroutine of Swift 6.3.1 would use
  /// a copy that is freed already.
  var engine: Engine {
    @inline(__always) unsafeAddress { unsafe state }
  }

  var hasVelocities: Bool { target.first.velocities != nil }
  /// Whether rows are stored past the caches.
  var isStreamed: Bool { target.first.isStreamed }

  /// The output of a component, from an index and a frame on.
  ///
  /// - Parameter frame: Counted from the first of the frames.
  func output(ofComponent component: Int, from index: Int, frame: Int = 0) -> BakeOutput {
    target.output(
      ofComponent: component - plan.components.lowerBound, lane: index - indices.lowerBound, frame: firstFrame + frame)
  }

  // MARK: - Blocks

  /// How a track is computed.
  enum Path: Equatable {
    case springs
    case legs
    case played
    /// A track that stands, or an index without a track. Blocks of springs and of legs can show it.
    case stands

    /// Whether a block that begins with a track of this path can show one of another.
    func shows(_ other: Path) -> Bool {
      switch other {
      case .stands: self != .played
      case .springs: self == .springs || self == .stands
      case .legs, .played: self == other
      }
    }
  }

  /// Bakes part `index` of `count`: whole blocks of lanes. Where parts are cut changes no bit.
  func bake(part index: Int, of count: Int) {
    let blocks = (indices.count + laneCountOfBake - 1) / laneCountOfBake
    let first = indices.lowerBound + blocks * index / count * laneCountOfBake
    let last = min(indices.upperBound, indices.lowerBound + blocks * (index + 1) / count * laneCountOfBake)
    guard first < last else { return }
    let memory = MemoryBlock(byteCount: BakeLanes.byteCount, alignment: 64, isZeroed: false)
    let lanes = BakeLanes(memory: memory.bytes)
    var legs: LegTracks?
    for component in plan.components { bakeBlocks(of: first..<last, component, lanes, &legs) }
    play(first..<last)
    if isStreamed { engine.table.fence() }
  }

  /// Bakes a component of the springs and legs of some indices.
  ///
  /// - Parameters:
  ///   - lanes: Memory for a block of springs.
  ///   - legs: Made at the first leg.
  private func bakeBlocks(
    of range: Range<Int>, _ component: Int, _ lanes: BakeLanes, _ legs: inout LegTracks?
  ) {
    var next = range.lowerBound
    var overlap = 0
    while next < range.upperBound {
      let isContinued = overlap > 0
      let (path, end) = block(from: next, limit: range.upperBound)
      var part = output(ofComponent: component, from: next)
      overlap = overlapCount(path, end, last: range.upperBound, part)
      (part.overlap, part.isContinued) = (overlap, isContinued)
      let block = next..<end + overlap
      switch path {
      case .springs, .stands:
        gather(block, component, into: lanes)
        engine.table.bake.lanes(lanes, block.count, times, part)
      case .legs:
        if legs == nil { legs = LegTracks(self) }
        legs?.bake(block, component, to: part)
      case .played: break
      }
      next = end
    }
  }

  /// The path of the block that begins at an index, and its end.
  private func block(from first: Int, limit: Int) -> (Path, end: Int) {
    let path = segment(at: first, limit: first + 1).path
    let lanes = path == .legs ? BakedLanes.laneCount : laneCountOfBake
    return (path, end(from: first, limit: min(limit, first + lanes), of: path))
  }

  /// The end of the tracks from an index on that one block can show.
  private func end(from first: Int, limit: Int, of path: Path) -> Int {
    var end = first
    while end < limit {
      let segment = segment(at: end, limit: limit)
      guard path.shows(segment.path) else { break }
      end += segment.count
    }
    return end
  }

  /// The number of lanes after a block that are computed with it, because they share lines of memory with it in some frame.
  /// It is 0 if no line is shared; otherwise a whole tile, or all lanes that are left.
  private func overlapCount(_ path: Path, _ end: Int, last: Int, _ output: BakeOutput) -> Int {
    guard path != .played, output.isStreamed, !output.isAligned, end < last else { return 0 }
    let limit = min(last, end + laneCountOfTile)
    return self.end(from: end, limit: limit, of: path) == limit ? limit - end : 0
  }

  /// Plays the tracks of some indices that are played, some at a time.
  private func play(_ range: Range<Int>) {
    var played: [Int] = []
    var next = range.lowerBound
    while next < range.upperBound {
      let segment = segment(at: next, limit: range.upperBound)
      if segment.path == .played { played.append(next) }
      next += segment.count
      let isWhole = next == range.upperBound || played.count == PlayedTracks.count(dimensions: engine.dimensions)
      guard isWhole, !played.isEmpty else { continue }
      do throws(BatchError) { try PlayedTracks(self, played).play() } catch { failure.note(error) }
      played.clear()
    }
  }

  // MARK: - Tracks

  /// Neighbouring indices whose tracks are baked in one way.
  struct Segment {
    var count: Int
    /// The first index, or −1 if there is no track.
    var index: Int
    var path: Path
  }

  /// The segment that begins at an index.
  @inline(__always)
  func segment(at index: Int, limit: Int) -> Segment {
    guard engine.tracks.indices.isLive(index) else { return Segment(count: 1, index: -1, path: .stands) }
    let kind = engine.tracks.tiles.kind(at: index)
    if engine.phases.isPlaying(index) { return Segment(count: 1, index: index, path: .played) }
    if kind == .still {
      let stands = plan.components.allSatisfy { engine.tracks.columns.velocity[engine.tracks.element(index, $0)] == 0 }
      return Segment(count: 1, index: index, path: stands ? .stands : .played)
    }
    guard kind == .spring else {
      return Segment(count: 1, index: index, path: kind.isClip ? .legs : .played)
    }
    var count = limit - index
    // The lanes from here on that move: of the first tile, and of the full ones after it.
    let moving = engine.tracks.tiles.moving.column
    var (tile, end) = (index / laneCountOfTile, index)
    end += (~(moving[tile] >> UInt16(index % laneCountOfTile))).trailingZeroBitCount
    while end < index + count, end % laneCountOfTile == 0 {
      tile += 1
      end += (~moving[tile]).trailingZeroBitCount
      if moving[tile] != .max { break }
    }
    count = min(count, end - index)
    if engine.phases.playerCount > 0 {
      count = (index + 1..<index + count).first { engine.phases.isPlaying($0) }.map { $0 - index } ?? count
    }
    return Segment(count: count, index: index, path: .springs)
  }
}

// MARK: - Springs

// Lanes of springs, in the order of indices.
extension TrackBake {
  /// Gathers a component of the lanes of some indices, and clears the lanes after them up to a whole tile.
  func gather(_ range: Range<Int>, _ component: Int, into lanes: BakeLanes) {
    var rests = RestAges()
    var index = range.lowerBound
    while index < range.upperBound {
      let lane = index - range.lowerBound
      let segment = segment(at: index, limit: range.upperBound)
      switch segment.path {
      case .springs:
        copyStates(segment, component, to: lane, lanes)
        copyMotions(segment, to: lane, lanes, &rests)
      case .stands, .legs, .played:
        lanes.clear(
          lane,
          at: segment.index < 0
            ? 0 : engine.tracks.columns.value[engine.tracks.element(segment.index, component)])
      }
      index += segment.count
    }
    for lane in range.count..<paddedCount(range.count) { lanes.clear(lane) }
  }

  private func copyStates(_ segment: Segment, _ component: Int, to lane: Int, _ lanes: BakeLanes) {
    let columns = engine.springs.columns
    let (start, count) = (component * columns.startStride + segment.index, segment.count)
    let element = engine.tracks.element(segment.index, component)
    (lanes.displacement + lane).update(from: columns.displacement + start, count: count)
    (lanes.amplitude + lane).update(from: columns.amplitude + start, count: count)
    (lanes.target + lane).update(from: columns.target + element, count: count)
  }

  private func copyMotions(_ segment: Segment, to lane: Int, _ lanes: BakeLanes, _ rests: inout RestAges) {
    let (columns, index, count) = (engine.springs.columns, segment.index, segment.count)
    (lanes.start + lane).update(from: columns.start + index, count: count)
    (lanes.rate + lane).update(from: columns.rate + index, count: count)
    for offset in 0..<count {
      let coefficients = engine.springs.coefficients(at: index + offset)
      lanes.α[lane + offset] = coefficients.α
      lanes.κ[lane + offset] = coefficients.κ
      lanes.steadyTime[lane + offset] = BakeTimes.steadyTime(naturalFrequency: coefficients.naturalFrequency)
    }
    rests.copy(index..<index + count, to: lanes.restAge + lane, engine)
  }

  private func paddedCount(_ count: Int) -> Int { (count + laneCountOfTile - 1) / laneCountOfTile * laneCountOfTile }
}

/// The ages at which tracks come to rest. If no frame has computed them yet, they are computed here, a tile at a
/// time.
private struct RestAges {
  private var tile = -1
  private var ages: [Float] = []

  /// Copies the ages of some tracks.
  mutating func copy(_ range: Range<Int>, to copies: Column<Float>, _ engine: borrowing Engine) {
    var index = range.lowerBound
    while index < range.upperBound {
      let wanted = index / laneCountOfTile
      let end = min(range.upperBound, (wanted + 1) * laneCountOfTile)
      if engine.springs.watch.knowsAges(wanted) {
        (copies + (index - range.lowerBound)).update(from: engine.springs.columns.restAge + index, count: end - index)
      } else {
        if wanted != tile {
          tile = wanted
          ages = engine.springs.withRestAges(ofTile: wanted) { ages in
            unsafe Array(UnsafeBufferPointer(start: ages.address, count: laneCountOfTile))
          }
        }
        for other in index..<end { copies[other - range.lowerBound] = ages[other % laneCountOfTile] }
      }
      index = end
    }
  }
}
