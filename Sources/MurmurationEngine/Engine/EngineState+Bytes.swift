// SPDX-License-Identifier: MIT
import Kernels

// The whole state as bytes that another process can read.
extension EngineState {
  /// Codes the state with all that a snapshot in memory shares with its batch. A custom animation is refused, as it is code.
  package mutating func code(_ coder: inout StateCoder) {
    coder.code(&head)
    coder.code(&bytes)
    if coder.isReading {
      let isValid =
        1...BatchLimits.maximumDimensions ~= head.dimensions && 0...BatchLimits.maximumTracks ~= head.capacity
      guard coder.isIntact, isValid else { return coder.refuse() }
      shared = SharedState(dimensions: head.dimensions)
    }
    shared.code(&coder, head.dimensions)
  }

  /// Makes the state one of no batch: what another process gave out names nothing here.
  package mutating func forgetStore() {
    head.store = IndexTable.noStore
    shared.forgetStore()
  }
}

extension BatchError {
  /// A state that is laid out in another way than here.
  package static var ofOtherBuild: BatchError { .invalidSnapshot(reason: "it is of another build of this library") }
}

extension SharedState {
  fileprivate mutating func code(_ coder: inout StateCoder, _ dimensions: Int) {
    clips.code(&coder, dimensions: dimensions)
    curves.code(&coder)
    phases.code(&coder, dimensions: dimensions)
    called.code(&coder)
    programs = coder.coded(list: programs) { coder, program in .some(coder.coded(program ?? nil)) }
    watches = coder.coded(list: watches) { coder, watch in
      let criteria = coder.coded(watch?.criteria ?? .settled)
      var (outcome, pending) = (watch?.outcome ?? ChangeOutcome(change: 0), watch?.pending ?? [])
      coder.code(&outcome)
      coder.code(&pending)
      return WatchedChanges.Watch(criteria: criteria, outcome: outcome, pending: pending)
    }
    motions = coder.coded(list: motions) { coder, motion in
      let users = coder.coded(motion?.users ?? 0)
      return coder.coded(motion?.motion).map { WaitingCalls.Shared(motion: $0, users: users) }
    }
    pauses = coder.coded(list: pauses) { coder, pause in .some(coder.coded(pause ?? nil)) }
  }

  fileprivate mutating func forgetStore() {
    for index in clips.entries.indices { clips.entries[index].store = IndexTable.noStore }
    for index in phases.entries.indices { phases.entries[index].store = IndexTable.noStore }
  }
}

extension StateCoder {
  fileprivate mutating func coded(_ pause: Pauses.Pause?) -> Pauses.Pause? {
    guard coded(pause != nil) else { return nil }
    let since = coded(pause?.since ?? 0)
    return Pauses.Pause(since: since, motion: coded(pause?.motion))
  }

  private mutating func coded(_ motion: PausedMotion?) -> PausedMotion? {
    var (kind, reported, spring) = (UInt8(0), SpringWatch.Reported(), SpringCoefficients.jump)
    var (held, called) = (HeldCurves(under: [], areOnSpring: false, reported: reported), CalledMotions.Motion?.none)
    switch motion {
    case nil: break
    case .spring(let of): (kind, reported) = (1, of)
    case .curves(let of): (kind, held) = (2, of)
    case .following(let of): (kind, spring) = (3, of)
    case .called(let of): (kind, called) = (4, of)
    }
    code(&kind)
    switch kind {
    case 0: return nil
    case 1: return .spring(coded(reported))
    case 2: return .curves(coded(held))
    case 3: return .following(coded(spring))
    case 4: if let motion = coded(called) { return .called(motion) }
    default: break
    }
    refuse()
    return nil
  }

  private mutating func coded(_ held: HeldCurves) -> HeldCurves {
    var under = held.under
    code(&under)
    let (areOnSpring, reported) = (coded(held.areOnSpring), coded(held.reported))
    let effects = coded(list: held.effects) { coder, effect in
      var goal = effect?.goal ?? []
      coder.code(&goal)
      let start = coder.coded(effect?.start ?? 0)
      return coder.coded(effect?.motion).map { HeldCurves.Effect(motion: $0, start: start, goal: goal) }
    }
    return HeldCurves(under: under, areOnSpring: areOnSpring, reported: reported, effects: effects)
  }
}
