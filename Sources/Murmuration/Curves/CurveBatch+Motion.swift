// SPDX-License-Identifier: MIT
import AnimationModel
import Kernels

// Changes of motions, and what a track shows at any time. All follows from the entries; lanes of kernels are made of them.
extension CurveBatch {
  /// Changes the motion of a track at a moment, which is not before its last change; there must be a free tile.
  mutating func setOut(_ slot: Int, _ motion: CurveMotion, at moment: Double, targets newTargets: Span<Float>) {
    let first = slot * dimensions
    var changes = false
    for dimension in 0..<dimensions where newTargets[dimension] != targets[first + dimension] {
      changes = true
    }
    latestStart = max(latestStart, moment)
    if case .jump = motion {
      take(newTargets, slot)
      rest(slot)
      return
    }
    guard changes else { return }
    var adds = false
    if case .adds = motion { adds = true }
    let hasArrived = adds && hasArrived(slot, at: moment)
    if hasArrived || isFinished(slot, at: moment) {
      for dimension in 0..<dimensions {
        origins[first + dimension] = targets[first + dimension]
      }
      forgetMotions(slot)
      // The run of what has just arrived goes on: another change at this moment adds to this one.
      if !hasArrived {
        tracks[slot].runStart = moment
      }
    }
    switch motion {
    case .jump:
      break
    case .arrives:
      arrive(slot, at: moment, newTargets)
      return
    case .called(let animation):
      callFromNowOn(slot)
      retarget(called: slot, animation.animation, at: moment, newTargets)
    case .adds(let progress):
      if called[slot] != nil {
        retarget(called: slot, progress.animation, at: moment, newTargets)
      } else if progress.isInstant, tracks[slot].lastSpan == nil {
        arrive(slot, at: moment, newTargets)
        return
      } else {
        append(CurveEntry(.progress(progress), start: moment), slot, newTargets)
      }
    case .takesOver(let spring):
      if called[slot] != nil {
        retarget(called: slot, .spring(spring), at: moment, newTargets)
      } else {
        takeOver(slot, spring, at: moment, newTargets)
      }
    }
    begin(slot)
  }

  private mutating func take(_ newTargets: Span<Float>, _ slot: Int) {
    for dimension in 0..<dimensions {
      targets[slot * dimensions + dimension] = newTargets[dimension] + 0
    }
  }

  /// Has a track be at its target from a moment on, which the next look reports.
  private mutating func arrive(_ slot: Int, at moment: Double, _ newTargets: Span<Float>) {
    take(newTargets, slot)
    rest(slot)
    tracks[slot].reportedLogical = false
    tracks[slot].reportedSettled = false
    (tracks[slot].logicalEnd, tracks[slot].restTime) = (moment, moment)
    looks[slot] = moment
    schedule.set(slot, moment)
  }

  /// Has a motion add its effect, or replace those of the same moment.
  private mutating func append(_ entry: CurveEntry, _ slot: Int, _ newTargets: Span<Float>) {
    let first = slot * dimensions
    if tracks[slot].lastSpan != nil {
      if entry.span.start == tracks[slot].runStart {
        tracks[slot].earlier.removeAll()
      } else if var last = tracks[slot].last {
        last.targets = Array(targets[first..<first + dimensions])
        tracks[slot].earlier.append(last)
        // What came before a motion that has finished has no effect any more.
        if let finished = tracks[slot].earlier.lastIndex(where: { $0.span.isFinished(at: entry.span.start) }) {
          tracks[slot].earlier.removeSubrange(..<finished)
        }
      }
    }
    take(newTargets, slot)
    tracks[slot].last = entry
  }

  private mutating func takeOver(_ slot: Int, _ spring: Spring, at moment: Double, _ newTargets: Span<Float>) {
    let first = slot * dimensions
    var velocities = [Double](repeating: 0, count: dimensions)
    if tracks[slot].lastSpan != nil, tracks[slot].runStart != moment {
      evaluate(slot, at: moment)
      for dimension in 0..<dimensions {
        origins[first + dimension] = Float(shown[dimension])
      }
      velocities = shownVelocities
    }
    take(newTargets, slot)
    let way = (0..<dimensions).map { Double(targets[first + $0]) - Double(origins[first + $0]) }
    let end = spring.relativeRestTime(target: Components(way), initialVelocity: Components(velocities))
    tracks[slot].earlier.removeAll()
    tracks[slot].last = CurveEntry(.spring(TakenOver(spring, velocities: velocities, end: end)), start: moment)
  }

  // MARK: - At a time

  /// Whether the last motion of a track has finished.
  func isFinished(_ slot: Int, at moment: Double) -> Bool {
    if !called.isEmpty, let called = called[slot] { return called.isFinished(at: moment) }
    return tracks[slot].lastSpan?.isFinished(at: moment) ?? true
  }

  /// Whether a moment is the very end of the last motion of a track, at its target.
  ///
  /// A motion that begins then and adds its effect is one from that target, now and later. The velocity with which the last
  /// one ends is gone at that moment, and not the one after.
  private func hasArrived(_ slot: Int, at moment: Double) -> Bool {
    guard let last = tracks[slot].lastSpan, last.start < moment else { return false }
    return last.arrives(at: moment)
  }

  /// Computes what a track shows at a time, into `shown` and `shownVelocities`.
  mutating func evaluate(_ slot: Int, at moment: Double) {
    let first = slot * dimensions
    guard !isFinished(slot, at: moment) else {
      for dimension in 0..<dimensions {
        shown[dimension] = Double(targets[first + dimension])
        shownVelocities[dimension] = 0
      }
      return
    }
    if !called.isEmpty, let called = called[slot] {
      let (position, velocity) = called.state(at: moment)
      for dimension in 0..<dimensions {
        shown[dimension] = position[dimension]
        shownVelocities[dimension] = velocity[dimension]
      }
      return
    }
    for dimension in 0..<dimensions {
      shown[dimension] = Double(origins[first + dimension])
      shownVelocities[dimension] = 0
    }
    for entry in tracks[slot].earlier {
      add(entry, at: moment) { Double(entry.targets[$0]) }
    }
    if let last = tracks[slot].last {
      let goals = targets
      add(last, at: moment) { Double(goals[first + $0]) }
    }
  }

  /// Adds the effect of a motion to what is shown.
  private mutating func add(_ entry: CurveEntry, at moment: Double, target: (Int) -> Double) {
    let local = entry.span.local(moment)
    switch entry.motion {
    case .progress(let progress):
      let isFinished = local > progress.end
      let (covered, rate) = progress.state(at: local)
      for dimension in 0..<dimensions {
        let way = target(dimension) - shown[dimension]
        shownVelocities[dimension] = isFinished ? 0 : shownVelocities[dimension] * (1 - covered) + way * rate
        shown[dimension] = covered == 1 ? target(dimension) : shown[dimension] + way * covered
      }
    case .spring(let start):
      let spring = start.spring
      for dimension in 0..<dimensions {
        let way = target(dimension) - shown[dimension]
        let velocity = start.velocities[dimension]
        if local > start.end {
          shown[dimension] = target(dimension)
        } else {
          shownVelocities[dimension] = spring.velocity(target: way, initialVelocity: velocity, time: local)
          shown[dimension] += spring.value(target: way, initialVelocity: velocity, time: local)
        }
      }
    }
  }

  // MARK: - Called animations

  /// Has the model keep a track from now on.
  private mutating func callFromNowOn(_ slot: Int) {
    guard called[slot] == nil else { return }
    let first = slot * dimensions
    let components = { (items: ArraySlice<Float>) in Components(items.map(Double.init)) }
    let origin = components(origins[first..<first + dimensions])
    let goal = components(targets[first..<first + dimensions])
    var value = AnimatedValue(origin)
    for entry in tracks[slot].earlier + (tracks[slot].last.map { [$0] } ?? []) {
      let target = entry.targets.isEmpty ? goal : components(entry.targets[...])
      switch entry.motion {
      case .progress(let progress):
        value.retarget(to: target, with: progress.animation, at: entry.span.start)
      case .spring(let start):
        value = AnimatedValue(
          origin, velocity: Components(start.velocities), target: target, with: start.spring, at: entry.span.start)
      }
    }
    if tracks[slot].lastSpan == nil {
      value = AnimatedValue(goal)
    }
    tracks[slot].earlier.removeAll()
    tracks[slot].last = nil
    called[slot] = CalledTrack(value)
  }

  private mutating func retarget(
    called slot: Int, _ animation: Animation, at moment: Double, _ newTargets: Span<Float>
  ) {
    take(newTargets, slot)
    let first = slot * dimensions
    let goal = Components(targets[first..<first + dimensions].map(Double.init))
    called[slot]?.retarget(to: goal, with: animation, at: moment)
  }
}
