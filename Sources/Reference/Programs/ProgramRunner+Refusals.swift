// SPDX-License-Identifier: MIT
import Murmuration

// Calls with something wrong in them must throw, say what, and change nothing.
extension ProgramRunner {
  mutating func refuse(_ refusal: Refusal, _ place: Int) throws {
    if refusal.isStale ? model.deadHandles.isEmpty : refusal.needsTrack && model.tracks.isEmpty {
      return
    }
    let (time, logical, settled) = (batch.time, batch.logicallyComplete, batch.settled)
    do throws(BatchError) {
      try call(refusal, place)
    } catch {
      try findings.expect(.state, refusal.isExplained(by: error), "\(refusal.rawValue): \(error)")
      try findings.expect(
        .state, batch.time == time && batch.logicallyComplete == logical && batch.settled == settled,
        "\(refusal.rawValue): changed the clock or the reports")
      return try checkNothingChanged()
    }
    throw Difference(aspect: .state, text: "\(refusal.rawValue): accepted")
  }

  private func badFloat(_ place: Int) -> Float { [.nan, .infinity, -2e15, -.infinity][place % 4] }

  private func badSpring(_ place: Int) -> Spring {
    [
      Spring(duration: 1, bounce: -1), Spring(duration: .nan), Spring(duration: 1e7), Spring(duration: -1),
      Spring(duration: 1, bounce: .nan),
    ][place % 5]
  }

  private mutating func call(_ refusal: Refusal, _ place: Int) throws(BatchError) {
    switch refusal {
    case .staleRead, .staleRetarget, .staleSet, .staleRemoval:
      try callOne(refusal, model.deadHandles[place % model.deadHandles.count], place)
    case .foreignRead, .foreignRetarget: try callOne(refusal, foreignHandle, place)
    case .badStart, .badTarget, .badVelocity, .badSpring, .otherDimensions:
      try callOne(refusal, model.tracks.isEmpty ? foreignHandle : model[place % model.tracks.count].handle, place)
    case .noSuchDimension, .noSuchIndices, .shortOutput: try read(refusal)
    case .noTime: try batch.advance(to: [.nan, .infinity][place % 2])
    case .hugeTime: try batch.advance(by: [-1e11, 1e11][place % 2])
    case .timeBeforeStart:
      try batch.advance(to: (model.latestStart ?? 0) - [1e-3, 1, 1e6][place % 3])
    case .badAmongStarts, .badSpringAmongStarts, .fewHandles, .fewVelocities, .manyTargets:
      try emit(refusal, place)
    default: try callMany(refusal, place)
    }
  }

  // MARK: - One track

  private mutating func callOne(_ refusal: Refusal, _ handle: TrackHandle, _ place: Int) throws(BatchError) {
    let bad = Vector(repeating: badFloat(place))
    switch refusal {
    case .staleRead, .foreignRead:
      switch place % 4 {
      case 0: _ = try batch.shownValue(of: handle)
      case 1: _ = try batch.shownVelocity(of: handle)
      case 2: _ = try batch.restTime(of: handle)
      default: _ = try batch.rowIndex(of: handle)
      }
    case .staleRetarget, .foreignRetarget: try batch.retargetTrack(handle, to: .zero, spring: .bouncy)
    case .staleSet: try batch.setTrack(handle, value: .zero, velocity: .zero)
    case .staleRemoval: try batch.remove(handle)
    case .badStart: _ = try batch.addTrack(.smooth, value: bad, target: .zero, velocity: .zero)
    case .badTarget: try batch.retargetTrack(handle, to: bad, spring: nil)
    case .badVelocity: try batch.setTrack(handle, value: .zero, velocity: bad)
    case .badSpring: _ = try batch.addTrack(badSpring(place), value: .zero, target: .zero, velocity: .zero)
    default:
      if dimensions == 1 {
        try batch.retarget(handle, to: SIMD2<Float>.zero)
      } else {
        try batch.retarget(handle, to: Float(0))
      }
    }
  }

  private mutating func read(_ refusal: Refusal) throws(BatchError) {
    var output = [Float](repeating: 0, count: batch.indexCount)
    switch refusal {
    case .noSuchDimension:
      var span = output.mutableSpan
      try batch.copyVelocities(dimension: dimensions, into: &span)
    case .noSuchIndices:
      let targets = [Float](repeating: 0, count: dimensions * (batch.indexCount + 1))
      try batch.retarget(0..<batch.indexCount + 1, to: targets.span)
    default:
      output.removeLast()
      var span = output.mutableSpan
      try batch.copyValues(dimension: 0, into: &span)
    }
  }

  // MARK: - Many tracks

  private mutating func emit(_ refusal: Refusal, _ place: Int) throws(BatchError) {
    let count = 20
    var values = [Float](repeating: 0, count: count * dimensions)
    var velocities = values
    var targets = values
    var springs = [Spring](repeating: .smooth, count: count)
    switch refusal {
    case .badAmongStarts: values[place % values.count] = badFloat(place)
    case .badSpringAmongStarts: springs[place % count] = badSpring(place)
    case .fewVelocities: velocities.removeLast()
    case .manyTargets: targets.append(0)
    default: break
    }
    var handles = [TrackHandle](repeating: foreignHandle, count: refusal == .fewHandles ? count - 1 : count)
    var span = handles.mutableSpan
    if refusal == .badSpringAmongStarts || place % 2 == 0 {
      try batch.emit(
        springs.span, values: values.span, targets: targets.span, velocities: velocities.span, handles: &span)
    } else {
      try batch.emit(
        .smooth, values: values.span, targets: targets.span, velocities: velocities.span, handles: &span)
    }
  }

  private mutating func callMany(_ refusal: Refusal, _ place: Int) throws(BatchError) {
    var handles = model.tracks.prefix(40).map(\.handle)
    let at = handles.isEmpty ? 0 : place % handles.count
    switch refusal {
    case .staleAmongRetargets, .staleAmongSets, .staleAmongRemovals, .staleAmongSprings:
      handles.insert(model.deadHandles[place % model.deadHandles.count], at: at)
    case .foreignAmongRetargets, .foreignAmongRemovals: handles.insert(foreignHandle, at: at)
    default: break
    }
    var targets = [Float](repeating: 1, count: handles.count * dimensions)
    switch refusal {
    case .badAmongTargets, .badAmongSets: targets[place % targets.count] = badFloat(place)
    case .fewTargets: targets.removeLast()
    default: break
    }
    var all = [Float](repeating: 1, count: batch.indexCount * dimensions)
    switch refusal {
    case .badAmongIndices, .badAmongAll: all[place % all.count] = badFloat(place)
    case .fewForAll: all.removeLast()
    default: break
    }
    var springs = [Spring](repeating: .bouncy, count: handles.count)
    switch refusal {
    case .badSpringAmongRetargets: springs[at] = badSpring(place)
    case .fewSprings: springs.removeLast()
    default: break
    }
    switch refusal {
    case .staleAmongRemovals, .foreignAmongRemovals: try batch.remove(handles.span)
    case .staleAmongSets, .badAmongSets: try batch.set(handles.span, values: targets.span, velocities: targets.span)
    case .staleAmongSprings, .badSpringAmongRetargets, .fewSprings:
      try batch.retarget(handles.span, to: targets.span, springs: springs.span)
    case .badAmongIndices: try batch.retarget(0..<batch.indexCount, to: all.span)
    case .badAmongAll, .fewForAll: try batch.retargetAll(to: all.span, spring: place % 2 == 0 ? .smooth : nil)
    case .badSpringForAll: try batch.retargetAll(to: all.span, spring: badSpring(place))
    case .badSpringForMany: try batch.retarget(handles.span, to: targets.span, spring: badSpring(place))
    default: try batch.retarget(handles.span, to: targets.span, spring: place % 2 == 0 ? .smooth : nil)
    }
  }
}
