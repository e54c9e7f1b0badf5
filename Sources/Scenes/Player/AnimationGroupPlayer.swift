// SPDX-License-Identifier: MIT
import Murmuration

/// Plays a group of tracks that events send to targets with animations.
final class AnimationGroupPlayer: PlaybackGroupPlayer {
  var batch: AnimationBatch<Components>
  var values: GroupColumns
  var velocities: GroupColumns
  private let handles: [TrackHandle]
  private var course: AnimationCourse
  /// The moments at which tracks set out that wait for them, descending.
  private var departures: [Double] = []
  private var hasChanges = false
  private(set) var clock = PlaybackClock()
  var log = WorkLog()

  var count: Int { handles.count }
  var undisturbedUntil: Double { min(course.nextTime, departures.last ?? .infinity) }

  /// Lays out group `index` of a scene and adds its tracks at time 0.
  init(_ group: AnimationGroup, index: Int, count: Int, scene: Scene, kernels: KernelSet?, threads: Int) throws {
    var batch = try AnimationBatch(group: index, of: scene, count: count, kernels: kernels, threads: threads)
    let start = group.values(count: count, index: index, scene: scene)
    handles = try batch.add(planar: start.span)
    self.batch = batch
    course = AnimationCourse(group, index: index, count: count, scene: scene)
    values = GroupColumns(count: count, dimensions: scene.dimensions)
    velocities = values
  }

  func advance(to time: Double, unless isStopped: () -> Bool) throws {
    while !isStopped(), let change = course.next(until: time) {
      try evaluate(at: change.time)
      try NetworkClock.measure(&clock.changeSeconds) { try apply(change) }
      clock.changes += count
      hasChanges = true
    }
    if isStopped() { return }
    try evaluate(at: time)
  }

  func evaluate(at time: Double) throws {
    guard time != batch.time || hasChanges else { return }
    hasChanges = false
    try NetworkClock.measure(&clock.seconds) { try batch.advance(to: time, velocities: true) }
    clock.evaluations += count
    clock.completions += batch.events.count { $0.kind == .logicallyComplete }
    while let next = departures.last, next <= time { departures.removeLast() }
    expire()
  }

  private func apply(_ change: AnimationCourse.Change) throws {
    let (handles, targets, delays) = (handles, change.targets, change.delays)
    // A later call about a track takes the place of one that waits.
    departures = delays.map { change.time + $0 }.sorted(by: >)
    switch change.animations {
    case .shared(let animation): try batch.animate(handles.span, toPlanar: targets.span, animation, delays: delays.span)
    case .each(let animations):
      try batch.animate(handles.span, toPlanar: targets.span, animations: animations, delays: delays.span)
    }
  }
}
