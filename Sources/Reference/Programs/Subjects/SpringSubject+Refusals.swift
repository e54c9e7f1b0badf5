// SPDX-License-Identifier: MIT
import Murmuration

// Calls with something wrong in them.
extension SpringBatch {
  private func badFloat(_ place: Int) -> Float { [.nan, .infinity, -2e15, -.infinity][place % 4] }

  private func badSpring(_ place: Int) -> Spring {
    [
      Spring(duration: 1, bounce: -1), Spring(duration: .nan), Spring(duration: 1e7), Spring(duration: -1),
      Spring(duration: 1, bounce: .nan),
    ][place % 5]
  }

  mutating func refuse(_ refusal: Refusal, _ context: RefusalContext) throws(BatchError) {
    let place = context.number
    switch refusal {
    case .staleRead, .staleRetarget, .staleSet, .staleRemoval:
      try callOne(refusal, context.deadHandles[place % context.deadHandles.count], place)
    case .foreignRead, .foreignRetarget: try callOne(refusal, context.foreignHandle, place)
    case .badStart, .badTarget, .badVelocity, .badSpring, .otherDimensions:
      try callOne(
        refusal, context.handles.isEmpty ? context.foreignHandle : context.handles[place % context.handles.count], place
      )
    case .noSuchDimension, .noSuchIndices, .shortOutput: try read(refusal)
    case .noTime: try advance(to: [.nan, .infinity][place % 2])
    case .hugeTime: try advance(by: [-1e11, 1e11][place % 2])
    case .timeBeforeStart:
      try advance(to: (context.latestChange ?? 0) - [1e-3, 1, 1e6][place % 3])
    case .badAmongStarts, .badSpringAmongStarts, .fewHandles, .fewVelocities, .manyTargets:
      try emit(refusal, context)
    default: try callMany(refusal, context)
    }
  }

  // MARK: - One track

  private mutating func callOne(_ refusal: Refusal, _ handle: TrackHandle, _ place: Int) throws(BatchError) {
    let bad = [Float](repeating: badFloat(place), count: dimensions)
    let zero = [Float](repeating: 0, count: dimensions)
    switch refusal {
    case .staleRead, .foreignRead:
      switch place % 4 {
      case 0: _ = try shownValue(of: handle)
      case 1: _ = try copyVelocity(of: handle)
      case 2: _ = try restTime(of: handle)
      default: _ = try rowIndex(of: handle)
      }
    case .staleRetarget, .foreignRetarget: try retargetOne(handle, to: zero, .bouncy)
    case .staleSet: try setOne(handle, zero, zero)
    case .staleRemoval: try remove(handle)
    case .badStart: try addOne(.smooth, bad)
    case .badTarget: try retargetOne(handle, to: bad, nil)
    case .badVelocity: try setOne(handle, zero, bad)
    case .badSpring: try addOne(badSpring(place), zero)
    default:
      if dimensions == 1 {
        try retarget(handle, to: SIMD2<Float>.zero)
      } else {
        try retarget(handle, to: Float(0))
      }
    }
  }

  private mutating func read(_ refusal: Refusal) throws(BatchError) {
    var output = [Float](repeating: 0, count: indexCount)
    switch refusal {
    case .noSuchDimension:
      var span = output.mutableSpan
      try copyVelocities(dimension: dimensions, into: &span)
    case .noSuchIndices:
      let targets = [Float](repeating: 0, count: dimensions * (indexCount + 1))
      try retarget(0..<indexCount + 1, to: targets.span)
    default:
      output.removeLast()
      var span = output.mutableSpan
      try copyValues(dimension: 0, into: &span)
    }
  }

  // MARK: - Many tracks

  private mutating func emit(_ refusal: Refusal, _ context: RefusalContext) throws(BatchError) {
    let (count, place) = (20, context.number)
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
    var handles = [TrackHandle](repeating: context.foreignHandle, count: refusal == .fewHandles ? count - 1 : count)
    var span = handles.mutableSpan
    if refusal == .badSpringAmongStarts || place % 2 == 0 {
      try emit(
        springs.span, values: values.span, targets: targets.span, velocities: velocities.span, handles: &span)
    } else {
      try emit(
        .smooth, values: values.span, targets: targets.span, velocities: velocities.span, handles: &span)
    }
  }

  private mutating func callMany(_ refusal: Refusal, _ context: RefusalContext) throws(BatchError) {
    let place = context.number
    var handles = Array(context.handles.prefix(40))
    let at = handles.isEmpty ? 0 : place % handles.count
    switch refusal {
    case .staleAmongRetargets, .staleAmongSets, .staleAmongRemovals, .staleAmongSprings:
      handles.insert(context.deadHandles[place % context.deadHandles.count], at: at)
    case .foreignAmongRetargets, .foreignAmongRemovals: handles.insert(context.foreignHandle, at: at)
    default: break
    }
    var targets = [Float](repeating: 1, count: handles.count * dimensions)
    switch refusal {
    case .badAmongTargets, .badAmongSets: targets[place % targets.count] = badFloat(place)
    case .fewTargets: targets.removeLast()
    default: break
    }
    var all = [Float](repeating: 1, count: indexCount * dimensions)
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
    case .staleAmongRemovals, .foreignAmongRemovals: try remove(handles.span)
    case .staleAmongSets, .badAmongSets: try set(handles.span, values: targets.span, velocities: targets.span)
    case .staleAmongSprings, .badSpringAmongRetargets, .fewSprings:
      try retarget(handles.span, to: targets.span, springs: springs.span)
    case .badAmongIndices: try retarget(0..<indexCount, to: all.span)
    case .badAmongAll, .fewForAll: try retargetAll(to: all.span, spring: place % 2 == 0 ? .smooth : nil)
    case .badSpringForAll: try retargetAll(to: all.span, spring: badSpring(place))
    case .badSpringForMany: try retarget(handles.span, to: targets.span, spring: badSpring(place))
    default: try retarget(handles.span, to: targets.span, spring: place % 2 == 0 ? .smooth : nil)
    }
  }
}
