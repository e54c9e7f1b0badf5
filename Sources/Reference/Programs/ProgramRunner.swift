// SPDX-License-Identifier: MIT
import Murmuration

/// Plays a program on a batch and on the references of its tracks, and compares the two.
///
/// After a call that the batch shows at once, the values are compared, and the reference starts anew from the values of
/// the batch. So the bound is the bound of one motion, however long the program.
struct ProgramRunner<Subject: ProgramSubject & ~Copyable>: ~Copyable {
  var batch: Subject
  var list = TrackList()
  let assets: ProgramAssets
  var findings: Findings
  /// The time of the last change of any track, removed tracks included.
  var lastChange = 0.0
  /// A handle that another batch gave.
  let foreignHandle: TrackHandle
  let dimensions: Int
  /// The values of the batch by index, with a column for each dimension.
  var values: [[Float]]
  var velocities: [[Float]]

  init(_ program: Program, set: KernelSet, findings: Findings) throws {
    var other = try AnimationBatch<Float>(kernels: set)
    let foreignHandle = try other.add(0)
    var assets = try ProgramAssets(seed: program.seed, dimensions: program.dimensions)
    batch = try Subject.make(&assets, on: set)
    self.foreignHandle = foreignHandle
    self.findings = findings
    self.assets = assets
    dimensions = program.dimensions
    values = Array(repeating: [], count: dimensions)
    velocities = values
  }

  /// Plays a program from the start, up to the first difference.
  ///
  /// - Returns: The difference, if there is one, and the operations that were played, with their actual indices.
  static func play(
    _ program: Program, on set: KernelSet, _ findings: inout Findings
  ) -> (difference: Difference?, played: Program) {
    var played = program
    played.operations = []
    do {
      var runner = try ProgramRunner(program, set: set, findings: findings)
      defer { findings = runner.findings }
      for operation in program.operations {
        let reduced = operation.reduced(to: runner.list.tracks.count)
        played.operations.append(reduced)
        try runner.perform(reduced)
      }
      return (nil, played)
    } catch let difference as Difference {
      return (difference, played)
    } catch {
      return (Difference(aspect: .state, text: "a good call threw: \(error)"), played)
    }
  }

  mutating func perform(_ operation: Operation) throws {
    lastChange = max(lastChange, list.latestCall ?? 0)
    switch operation {
    case .add(let count, let numbers): try add(count, numbers)
    case .emit(let count, let numbers, let hasSpringEach): try emit(count, numbers, hasSpringEach: hasSpringEach)
    case .call(let kind, let names, let numbers): try call(kind, names, numbers)
    case .removeAll:
      batch.removeAll()
      list.remove(Array(list.tracks.indices))
      try checkNothingChanged()
    case .compact:
      try batch.compact()
      try checkNothingChanged()
    case .reserve(let count):
      try batch.reserve(count)
      try checkNothingChanged()
    case .advance(let seconds, let look): try advance(by: seconds, look)
    case .seek(let share, let look): try seek(share, look)
    case .restTolerance(let value, let velocity):
      batch.setRestTolerance(try RestTolerances(value: value, velocity: velocity))
      list.set(batch.rules)
      list.forgetRests()
      try checkNothingChanged()
    case .computesVelocities(let does):
      batch.setComputesVelocities(does)
      try checkNothingChanged()
    case .refused(let refusal, let number): try refuse(refusal, number)
    }
  }

  // MARK: - Time

  private mutating func advance(by seconds: Double, _ look: Look) throws {
    let before = batch.time
    try batch.advance(by: seconds)
    let time = batch.time
    // The sum makes up for the rounding of earlier sums.
    let isSum = abs(time - (before + seconds)) <= before.ulp + seconds.ulp + time.ulp
    try findings.expect(.state, isSum, "\(before) s and \(seconds) s make \(time) s")
    try checkFrame(look, hasMoved: time != before)
  }

  private mutating func seek(_ share: Double, _ look: Look) throws {
    let before = batch.time
    let latest = Subject.forgetsGoneTracks ? list.latestCall ?? before - 1 : max(lastChange, list.latestCall ?? 0)
    let time = share == 1 ? latest : max(latest, before - share * (before - latest))
    try batch.advance(to: time)
    try findings.expect(.state, batch.time == time, "the clock is set to \(time) s and shows \(batch.time) s")
    try checkFrame(look, hasMoved: time != before)
  }

  // MARK: - Refusals

  /// Makes a call with a fault in it. The call must throw, name the fault, and change nothing.
  private mutating func refuse(_ refusal: Refusal, _ number: Int) throws {
    if refusal.isStale ? list.deadHandles.isEmpty : refusal.needsTrack && list.tracks.isEmpty {
      return
    }
    let time = batch.time
    let reported = try batch.reports().count
    let context = RefusalContext(
      handles: list.tracks.map(\.handle), deadHandles: list.deadHandles, foreignHandle: foreignHandle,
      number: number)
    do throws(BatchError) {
      try batch.refuse(refusal, context)
    } catch {
      try findings.expect(.state, refusal.isExplained(by: error), "\(refusal.rawValue): \(error)")
      let isUnchanged = try batch.time == time && batch.reports().count == reported
      try findings.expect(.state, isUnchanged, "\(refusal.rawValue): changed the clock or the reports")
      return try checkNothingChanged()
    }
    throw Difference(aspect: .state, text: "\(refusal.rawValue): accepted")
  }
}
