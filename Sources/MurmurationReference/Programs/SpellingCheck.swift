// SPDX-License-Identifier: MIT
package import Murmuration

/// Plays programs on two batches that spell their calls in different ways, and compares the bits.
///
/// Both batches show the same bits in every frame, and the same events.
package struct SpellingCheck {
  /// A way to play a program that is compared with the calls as recorded.
  package struct Way: Hashable, Sendable, CustomStringConvertible {
    package var spelling = BatchPlayer.Spelling.handles
    package var kernels: KernelSet?
    package var threads = 1
    /// Tracks of other kinds between the program's own. Ranges and "all" would name them too, so calls name handles.
    package var hasNeighbours = false
    /// Every frame computes velocities, also where the program leaves them out.
    package var hasVelocities = false
    package var detour: Detour?

    /// What a batch does between the calls of a program, by turns.
    package enum Detour: String, CaseIterable, Sendable {
      /// It makes calls that are still to come, and goes back to a snapshot.
      case rollback = "with rollbacks"
      /// A copy takes its place.
      case copy = "with copies"
      /// The same two through bytes.
      case rollbackToBytes = "with rollbacks to bytes"
      case copyOfBytes = "with copies of bytes"

      fileprivate var usesBytes: Bool { [.rollbackToBytes, .copyOfBytes].contains(self) }
    }

    package var description: String {
      let others = [
        kernels?.rawValue, threads > 1 ? "\(threads) threads" : nil, hasNeighbours ? "neighbours" : nil,
        hasVelocities ? "velocities" : nil, detour?.rawValue,
      ]
      return ([spelling.rawValue] + others.compactMap { $0 }).joined(separator: ", ")
    }

    /// All ways on a machine.
    package static var all: [Way] {
      BatchPlayer.Spelling.allCases.dropFirst().map { Way(spelling: $0) }
        + [Way(spelling: .asRecorded, threads: 3), Way(hasNeighbours: true)]
        + [Way(spelling: .asRecorded, hasVelocities: true)]
        + Detour.allCases.map { Way(spelling: .asRecorded, detour: $0) }
        + KernelSet.available.filter { $0 != .portable }.map { Way(spelling: .asRecorded, kernels: $0) }
    }
  }

  /// The first difference between a recording as it was made, on portable kernels, and another way to play it; nil if
  /// there is none.
  package static func difference(_ recording: BatchRecording, _ way: Way) throws -> String? {
    var first = try BatchPlayer(recording, kernels: .portable)
    var second = try BatchPlayer(
      recording, spelling: way.spelling, kernels: way.kernels ?? .portable, threads: way.threads,
      hasNeighbours: way.hasNeighbours)
    for (position, call) in recording.calls.enumerated() {
      if position % 3 == 2, let detour = way.detour {
        switch detour {
        case .rollback, .rollbackToBytes:
          let calls = recording.calls[position...].prefix(1 + position % 7)
          try second.rollBack(after: calls, throughBytes: detour.usesBytes)
        case .copy, .copyOfBytes: try second.moveToCopy(throughBytes: detour.usesBytes)
        }
      }
      var refusals: (BatchError?, BatchError?)
      // Indices are other tracks where there are neighbours.
      var other = way.hasNeighbours ? first.named(call) : call
      if way.hasVelocities, case .advance(let time, _) = call.verb { other.verb = .advance(to: time, velocities: true) }
      do throws(BatchError) { try first.perform(call) } catch { refusals.0 = error }
      // Where there are neighbours, there are more indices.
      if way.hasNeighbours, case .trackOutOfRange? = refusals.0 { continue }
      do throws(BatchError) { try second.perform(other, isAccepted: refusals.0 == nil) } catch { refusals.1 = error }
      guard (refusals.0 == nil) == (refusals.1 == nil) else {
        return "call \(position) is refused by one of the two: \(refusals)"
      }
      if case .advance = call.verb, let text = difference(first, second) { return "call \(position): \(text)" }
    }
    return nil
  }

  private static func difference(_ first: borrowing BatchPlayer, _ second: borrowing BatchPlayer) -> String? {
    for track in first.liveTracks {
      let (one, other) = (first.handle(track), second.handle(track))
      for (what, value, other) in [
        ("value", first.batch[one], second.batch[other]),
        ("velocity", first.batch.velocity(of: one), second.batch.velocity(of: other)),
      ] {
        for dimension in 0..<first.dimensions {
          let (one, other) = (value?.component(dimension), other?.component(dimension))
          if one?.bitPattern == other?.bitPattern { continue }
          return "\(what) \(dimension) of track \(track) is \(one ?? .nan) and \(other ?? .nan)"
        }
      }
    }
    // One call in place of many has one number for all: changes are not compared.
    let events = (first.eventTexts, second.eventTexts)
    return events.0 == events.1 ? nil : "events \(events.0) and \(events.1)"
  }
}

extension BatchPlayer {
  /// The events of the program's own tracks, without the numbers of changes, by track.
  fileprivate var eventTexts: [String] {
    let byIndex = tracksByIndex
    let list = batch.events.compactMap { event in
      (byIndex[ifPresent: event.track.index] ?? nil).map {
        ($0, "track \($0) \(event.kind) \(event.number) at \(event.moment)")
      }
    }
    return list.sorted { $0.0 < $1.0 }.map(\.1)
  }
}
