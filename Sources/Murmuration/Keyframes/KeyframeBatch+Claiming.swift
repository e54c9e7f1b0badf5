// SPDX-License-Identifier: MIT
import Kernels

// Tiles for many instances that come at once: kernels run over neighbours of one clip, so each clip that gets many is given
// its tiles side by side, before the first of them is placed.
extension KeyframeBatch {
  /// Makes sure that the tiles can be taken that so many instances of a clip need, and gives it those that they will fill.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)``; nothing changes then.
  mutating func claimTiles(for place: Int, count: Int) throws(BatchError) {
    let needed = tilesNeeded(place, count)
    try reserveTiles(needed.own + needed.mixedRows / laneCountOfTile + 1, for: count)
    claim(place, count)
  }

  /// Likewise for instances of many clips.
  ///
  /// - Complexity: O(instances); O(clips) with the first call after clips were loaded.
  mutating func claimTiles(for clips: Span<ClipID>) throws(BatchError) {
    countClaims(clips)
    var (own, mixedRows) = (0, 0)
    for index in clips.indices {
      let place = unsafe Int(clips[unchecked: index].place)
      // Once for each clip: those that were looked at are negative.
      guard claims[place] > 0 else { continue }
      let needed = tilesNeeded(place, Int(claims[place]))
      (own, mixedRows) = (own + needed.own, mixedRows + needed.mixedRows)
      claims[place] = -claims[place]
    }
    // The counts are 0 again whatever comes.
    var hasRoom = true
    do { try reserveTiles(own + mixedRows / laneCountOfTile + 1) } catch { hasRoom = false }
    for index in clips.indices {
      let place = unsafe Int(clips[unchecked: index].place)
      if hasRoom, claims[place] < 0 { claim(place, -Int(claims[place])) }
      claims[place] = 0
    }
    guard hasRoom else { throw .capacityExceeded(clips.count) }
  }

  private mutating func countClaims(_ clips: Span<ClipID>) {
    if claims.count < library.entries.count {
      claims.append(contentsOf: repeatElement(0, count: library.entries.count - claims.count))
    }
    for index in clips.indices {
      unsafe claims[Int(clips[unchecked: index].place)] += 1
    }
  }

  /// Whether a clip to which so many instances come has tiles of its own then.
  private func getsOwnTiles(_ place: Int, _ count: Int) -> Bool {
    library.entries[place].rows + count >= rowsBeforeOwnTiles
  }

  /// Tiles of the clip that are enough for so many instances of it, and how many of them may come into mixed ones.
  private func tilesNeeded(_ place: Int, _ count: Int) -> (own: Int, mixedRows: Int) {
    (
      getsOwnTiles(place, count) ? count / laneCountOfTile + 1 : 0,
      min(count, max(0, rowsBeforeOwnTiles - library.entries[place].rows))
    )
  }

  /// Gives a clip the tiles that so many instances of it will fill.
  private mutating func claim(_ place: Int, _ count: Int) {
    // A rest that is worth a tile of its own gets one too.
    let rest = count % laneCountOfTile >= max(1, rowsBeforeOwnTiles) ? 1 : 0
    guard getsOwnTiles(place, count) else { return }
    for _ in 0..<count / laneCountOfTile + rest {
      claimed.append(takeTile(place))
    }
    // The tile that is opened last is filled first.
    for tile in claimed.reversed() {
      library.open(tile, of: place)
    }
    claimed.removeAll(keepingCapacity: true)
  }
}
