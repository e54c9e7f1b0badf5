// SPDX-License-Identifier: MIT
import Murmuration
import Text

/// The work of a frame, for `--json`.
struct WorkReport: Encodable {
  let tracks: [String: Int]
  let tiles: [String: Int]
  let effects: Int
  let dueTracks: Int
  let computedEnds: Int
  let events: Int
  let bytes: Int

  init(_ work: BatchWork) {
    tracks = Dictionary(uniqueKeysWithValues: work.tracks.named.map { ($0.name, $0.count) })
    tiles = Dictionary(uniqueKeysWithValues: work.tiles.named.map { ($0.name, $0.count) })
    (effects, dueTracks, computedEnds) = (work.effects, work.dueTracks, work.computedEnds)
    (events, bytes) = (work.events, work.bytes)
  }
}

extension BatchWork {
  /// The work in words: tracks, tiles, and the rest. Numbers of 0 are left out.
  var lines: [String] {
    func list(_ counts: [(name: String, count: Int)]) -> String {
      counts.filter { $0.count > 0 }.map { "\($0.count) \($0.name)" }.joined(separator: ", ")
    }
    return [
      "tracks: \(list(tracks.named))", "tiles: \(list(tiles.named))",
      "\(effects) effects, \(dueTracks) due tracks, \(computedEnds) computed ends, \(events) events, \(NumberText.significant(Double(bytes) * 1e-6, digits: 3)) MB read and written",
    ]
  }
}

extension BatchWork.Tracks {
  /// The counts with their names.
  var named: [(name: String, count: Int)] {
    [
      ("springs", springs), ("effects", effects), ("clips", clips), ("following", following), ("called", called),
      ("paused", paused), ("still", still), ("at rest", atRest), ("waiting", waiting), ("in phases", inPhases),
    ]
  }
}

extension BatchWork.Tiles {
  /// The counts with their names.
  var named: [(name: String, count: Int)] {
    [
      ("uniform", uniform), ("lane by lane", laneWise), ("effects", effects), ("clips", clips), ("pieces", pieces),
      ("following", following), ("at rest", atRest),
    ]
  }
}
