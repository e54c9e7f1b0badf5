// SPDX-License-Identifier: MIT

/// The changes that a hand makes to tracks, one after another in time.
///
/// Both a player and the reference that checks it walk a course of their own.
package struct GrabCourse {
  /// A change to tracks at one moment.
  package struct Change {
    package enum Kind {
      /// The hand takes them, and their timelines stop.
      case take
      /// The hand lets go, and leaves them to a spring.
      case hand(Grab.Release)
      /// The timelines of the tracks begin anew, from where the hand or the spring has the tracks.
      case restart
    }

    package var time: Double
    package var tracks: [Int]
    package var kind: Kind
  }

  /// The courses of each kind of change, in the order in which they come for a track.
  private var courses: [(kind: Change.Kind, waves: WaveCourse)] = []

  /// The course of group `index` of a scene, from the start; nil if there is no hand.
  package init?(_ group: TimelineGroup, count: Int, index: Int, seed: UInt64) {
    guard let grab = group.grab else { return nil }
    func waves(after delay: Double) -> WaveCourse {
      WaveCourse([grab.trigger], count: count, index: index, seed: seed, delay: delay)
    }
    // A hand that holds for no time only lets go.
    if grab.hold > 0 { courses.append((.take, waves(after: 0))) }
    guard let release = grab.release else {
      courses.append((.restart, waves(after: grab.hold)))
      return
    }
    courses.append((.hand(release), waves(after: grab.hold)))
    if let resume = release.resume { courses.append((.restart, waves(after: grab.hold + resume))) }
  }

  /// The moment of the next change; infinite after the last.
  package var nextTime: Double { courses.map(\.waves.nextTime).min() ?? .infinity }

  /// The next change up to and including `time`, or nil without one. Changes at one moment come in the order of `courses`.
  package mutating func next(until time: Double) -> Change? {
    guard let first = courses.indices.min(by: { courses[$0].waves.nextTime < courses[$1].waves.nextTime }),
      let wave = courses[first].waves.next(until: time)
    else { return nil }
    return Change(time: wave.time, tracks: wave.tracks, kind: courses[first].kind)
  }
}
