// SPDX-License-Identifier: MIT
import Murmuration

// Calls with a fault in them.
extension AnimationSubject {
  private func badValue(_ place: Int) -> Value {
    let bad: Float = [.nan, .infinity, -2e15, -.infinity][place % 4]
    return Value { $0 == place % Value.dimensions ? bad : 0 }
  }

  private func badSpring(_ place: Int) -> Spring {
    [
      Spring(duration: 1, bounce: -1), Spring(duration: .nan), Spring(duration: 1e7), Spring(duration: -1),
      Spring(duration: 1, bounce: .nan),
    ][place % 5]
  }

  private var zero: Value { Value { _ in 0 } }

  mutating func refuse(_ refusal: Refusal, _ context: RefusalContext) throws(BatchError) {
    let place = context.number
    switch refusal {
    case .staleRetarget, .staleSet, .staleRemoval:
      try callOne(refusal, context.deadHandles[place % context.deadHandles.count], place)
    case .foreignRetarget: try callOne(refusal, context.foreignHandle, place)
    case .badStart, .badTarget, .badVelocity, .badSpring:
      try callOne(
        refusal, context.handles.isEmpty ? context.foreignHandle : context.handles[place % context.handles.count], place
      )
    case .noSuchDimension, .noSuchIndices, .shortOutput: try read(refusal)
    case .noTime: try advance(to: [.nan, .infinity][place % 2])
    case .hugeTime: try advance(by: [-1e11, 1e11][place % 2])
    case .badAmongStarts, .badSpringAmongStarts, .fewHandles, .fewVelocities, .manyTargets:
      try emit(refusal, context)
    default: try callMany(refusal, context)
    }
  }

  // MARK: - One track

  private mutating func callOne(_ refusal: Refusal, _ handle: TrackHandle, _ place: Int) throws(BatchError) {
    switch refusal {
    case .staleRetarget, .foreignRetarget: try batch.animate(handle, to: zero, .bouncy)
    case .staleSet: try batch.set([handle], [zero], velocities: [zero])
    case .staleRemoval: try batch.remove(handle)
    case .badStart: try batch.add(badValue(place))
    case .badTarget: try batch.retarget(handle, to: badValue(place))
    case .badVelocity: try batch.set([handle], [zero], velocities: [badValue(place)])
    default: try batch.add([zero], to: [zero], badSpring(place))
    }
  }

  private mutating func read(_ refusal: Refusal) throws(BatchError) {
    var output = [Float](repeating: 0, count: indexCount)
    switch refusal {
    case .noSuchDimension:
      var span = output.mutableSpan
      try batch.copyVelocities(component: Value.dimensions, into: &span)
    case .noSuchIndices:
      let goals = [Value](repeating: zero, count: indexCount + 1)
      try batch.retarget(0..<indexCount + 1, to: goals.span)
    default:
      output.removeLast()
      var span = output.mutableSpan
      try batch.copyValues(component: 0, into: &span)
    }
  }

  // MARK: - Many tracks

  private mutating func emit(_ refusal: Refusal, _ context: RefusalContext) throws(BatchError) {
    let (count, place) = (20, context.number)
    var values = [Value](repeating: zero, count: count)
    var velocities = values
    var goals = values
    var springs = [Spring](repeating: .smooth, count: count)
    switch refusal {
    case .badAmongStarts: values[place % count] = badValue(place)
    case .badSpringAmongStarts: springs[place % count] = badSpring(place)
    case .fewVelocities: velocities.removeLast()
    case .manyTargets: goals.append(zero)
    default: break
    }
    if refusal == .badSpringAmongStarts || refusal != .fewHandles && place % 2 == 0 {
      try batch.add(values, velocities: velocities, to: goals, springs: springs)
    } else {
      var handles = [TrackHandle](repeating: context.foreignHandle, count: refusal == .fewHandles ? count - 1 : count)
      var span = handles.mutableSpan
      try batch.add(values.span, velocities: velocities.span, to: goals.span, .smooth, handles: &span)
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
    var goals = [Value](repeating: zero, count: handles.count)
    switch refusal {
    case .badAmongTargets, .badAmongSets: goals[at] = badValue(place)
    case .fewTargets: goals.removeLast()
    default: break
    }
    var all = [Value](repeating: zero, count: indexCount)
    switch refusal {
    case .badAmongIndices, .badAmongAll: all[context.handles[at].index] = badValue(place)
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
    case .staleAmongRemovals, .foreignAmongRemovals: try batch.remove(handles)
    case .staleAmongSets, .badAmongSets: try batch.set(handles, goals, velocities: goals)
    case .staleAmongSprings, .badSpringAmongRetargets, .fewSprings:
      try batch.animate(handles, to: goals, springs: springs)
    case .badAmongIndices: try batch.retarget(0..<indexCount, to: all.span)
    case .badAmongAll, .fewForAll:
      if place % 2 == 0 { try batch.animateAll(to: all.span, .smooth) } else { try batch.retargetAll(to: all.span) }
    case .badSpringForAll: try batch.animateAll(to: all.span, .spring(badSpring(place)))
    case .badSpringForMany: try batch.animate(handles, to: goals, .spring(badSpring(place)))
    default:
      guard place % 2 == 0 else { return _ = try batch.retarget(handles, to: goals) }
      try batch.animate(handles, to: goals, .smooth)
    }
  }
}
