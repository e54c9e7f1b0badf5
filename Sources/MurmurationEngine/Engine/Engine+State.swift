// SPDX-License-Identifier: MIT
import Kernels

/// The whole state of an engine at one time: what is plain as bytes, column after column, and beside it what holds other
/// values.
package struct EngineState: Sendable {
  /// What must be known before the state is taken over.
  struct Head: BitwiseCopyable {
    var store = IndexTable.noStore
    var dimensions = 0
    var time = 0.0
    var capacity = 0
    var mappedColumns: Engine.ColumnGroups = []
    var goalCapacity = 0
    var listBytes = 0
    var areRotations = false
  }

  var head = Head()
  var bytes: [UInt8] = []
  var shared = SharedState()
  /// Whether long columns are only named, so that the engine must stay as it is while the state is in use.
  private let isLent: Bool

  package init() { isLent = false }

  /// The state that an engine lends until it changes.
  fileprivate init(lentBy engine: inout Engine) {
    isLent = true
    write(&engine)
  }

  package var store: UInt32 { head.store }
  package var dimensions: Int { head.dimensions }
  package var time: Double { head.time }
  package var areRotations: Bool { head.areRotations }
  package var byteCount: Int { bytes.count }

  /// Takes memory for the state of an engine.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)`` if there is none; nothing changes then.
  package mutating func makeRoom(for engine: inout Engine) throws(BatchError) {
    var coder = StateCoder(.counting)
    engine.code(&coder)
    guard bytes.capacity < coder.count else { return }
    guard MemoryBlock.hasRoom(forBytes: coder.count) else { throw .capacityExceeded(engine.tracks.capacity) }
    bytes.removeAll()
    bytes.reserveCapacity(coder.count)
  }

  /// Takes over the state of an engine, for which there is memory.
  package mutating func write(_ engine: inout Engine) {
    head = engine.stateHead
    bytes.removeAll(keepingCapacity: true)
    var coder = StateCoder(isLent ? .lending : .writing, bytes)
    // Only the coder has them now, so that it appends to their memory.
    bytes = []
    engine.code(&coder)
    bytes = coder.bytes
    shared.write(engine)
  }

  /// A coder that reads the bytes.
  var reader: StateCoder { StateCoder(isLent ? .borrowing : .reading, bytes) }
}

/// The state of an engine that is not plain. Copies share clips, curves, sequences and animations, which never change.
struct SharedState: Sendable {
  var clips = ClipLibrary()
  var curves: CurveLibrary
  var phases = PhaseLibrary()
  var called: CalledMotions
  var programs: [CurveProgram?] = []
  var watches: [WatchedChanges.Watch] = []
  var motions: [WaitingCalls.Shared] = []
  var pauses: [Pauses.Pause?] = []

  /// The state of an engine without tracks.
  init(dimensions: Int = 0) {
    curves = CurveLibrary(dimensions: dimensions, tolerance: CurveLibrary.defaultTolerance)
    called = CalledMotions(dimensions: dimensions)
  }

  /// Takes over the state of an engine, in memory that is there.
  mutating func write(_ engine: borrowing Engine) {
    (clips, curves, phases) = (engine.clips.library, engine.curves.library, engine.phases.library)
    (called, programs, watches) = (engine.called, engine.curves.effects.programs, engine.watched.watches)
    motions.copyState(of: engine.waiting.motions)
    pauses.copyState(of: engine.pauses.pauses)
  }
}

// Copies of the whole state: snapshots, to which a batch goes back, and copies of batches.
extension Engine {
  /// An engine with a state.
  ///
  /// - Parameter store: The number of its store.
  /// - Throws: ``BatchError/capacityExceeded(_:)`` if there is no memory, and ``BatchError/invalidSnapshot(reason:)`` for a
  ///   state that was read and is not whole.
  package init(_ state: borrowing EngineState, store: UInt32, kernels: KernelSet) throws(BatchError) {
    self.init(accepted: state.dimensions, kernels: kernels)
    tracks.indices = IndexTable(store: store)
    guard try take(state) else { throw .ofOtherBuild }
    guard store != state.store else { return }
    follows.renameLeaders(store)
    events.rename(store)
    watched.rename(store)
  }

  /// Checks that the engine can take over a state with the same number of dimensions.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)`` if there is no memory, and ``BatchError/isRecorded`` while calls are recorded.
  package func check(_ state: borrowing EngineState) throws(BatchError) {
    if recorder != nil { throw .isRecorded }
    let head = state.head
    let fits =
      tracks.capacity == head.capacity && mappedColumns == head.mappedColumns && listBytes >= head.listBytes
    let hasRoom =
      fits
      || self.hasRoom(head.capacity, for: head.mappedColumns, andTracks: true)
        && MemoryBlock.hasRoom(forBytes: head.listBytes)
    if !hasRoom { throw .capacityExceeded(head.capacity) }
  }

  /// Takes over a state with the same number of dimensions: tracks and what they show, all motions, calls that wait, pauses,
  /// phases, the clock, and events not yet read. Threads and the memory of calls stay.
  ///
  /// No handle, no name of a clip or of a sequence and no number of a change that was given out is given out again.
  ///
  /// - Returns: Whether the state was whole.
  /// - Throws: As ``check(_:)``; nothing changes then.
  /// - Complexity: O(indices · dimensions). It allocates only if the capacity or the kinds of motions differ.
  @discardableResult
  package mutating func take(_ state: borrowing EngineState) throws(BatchError) -> Bool {
    try check(state)
    try follows.reserveGoals(state.head.goalCapacity)
    take(state.shared)
    var coder = state.reader
    let latest = lastChange
    code(&coder)
    lastChange = max(lastChange, latest)
    return coder.isIntact && coder.left == 0
  }

  private mutating func take(_ shared: borrowing SharedState) {
    clips.library.copyState(of: shared.clips)
    curves.library = shared.curves
    phases.library.copyState(of: shared.phases)
    called = shared.called
    curves.effects.programs = shared.programs
    watched.take(shared.watches)
    waiting.motions.copyState(of: shared.motions)
    pauses.pauses.copyState(of: shared.pauses)
  }

  /// Goes through the plain state.
  fileprivate mutating func code(_ coder: inout StateCoder) {
    tracks.code(&coder)
    springs.code(&coder, tracks)
    clips.code(&coder, tracks)
    curves.code(&coder, tracks)
    follows.code(&coder, tracks)
    waiting.code(&coder)
    phases.code(&coder)
    pauses.code(&coder)
    speeds.code(&coder)
    #if !hasFeature(Embedded)
      rotations.code(&coder, tracks)
      coder.code(&areRotations)
    #endif
    events.code(&coder)
    watched.code(&coder)
    velocities.code(&coder)
    coder.code(&clock)
    coder.code(&mappedColumns)
    coder.code(&frames.dueCount)
    coder.code(&frames.computedEndCount)
    coder.code(&lastChange)
  }

  fileprivate var stateHead: EngineState.Head {
    EngineState.Head(
      store: tracks.indices.store, dimensions: dimensions, time: time, capacity: tracks.capacity,
      mappedColumns: mappedColumns, goalCapacity: follows.goalCapacity, listBytes: listBytes, areRotations: areRotations
    )
  }

  /// Bytes of what is kept beside the columns, at least.
  private var listBytes: Int {
    curves.effects.byteCount + waiting.byteCount + phases.byteCount + pauses.byteCount + speeds.byteCount
      + watched.byteCount + MemoryLayout<UInt32>.stride * tracks.indices.count + MemoryLayout<Float>.stride * dimensions
      * follows.goalCapacity
  }
}

extension EngineBox {
  /// A copy of an engine, with another store.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)`` if there is no memory.
  package convenience init(copyOf other: EngineBox, store: UInt32) throws(BatchError) {
    try self.init(EngineState(lentBy: &other.engine), store: store, kernels: other.engine.kernels)
  }

  /// An engine with a state: see ``Engine/init(_:store:kernels:)``.
  package convenience init(_ state: EngineState, store: UInt32, kernels: KernelSet) throws(BatchError) {
    self.init(try Engine(state, store: store, kernels: kernels))
  }
}

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
      let outcome = coder.coded(watch?.outcome ?? ChangeOutcome(change: 0))
      let pending = coder.coded(list: watch?.pending ?? [])
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
    return refused()
  }

  private mutating func coded(_ held: HeldCurves) -> HeldCurves {
    let under = coded(list: held.under)
    let (areOnSpring, reported) = (coded(held.areOnSpring), coded(held.reported))
    let effects = coded(list: held.effects) { coder, effect in
      let goal = coder.coded(list: effect?.goal ?? [])
      let start = coder.coded(effect?.start ?? 0)
      return coder.coded(effect?.motion).map { HeldCurves.Effect(motion: $0, start: start, goal: goal) }
    }
    return HeldCurves(under: under, areOnSpring: areOnSpring, reported: reported, effects: effects)
  }
}
