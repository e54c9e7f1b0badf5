// SPDX-License-Identifier: MIT
import Murmuration

/// Plays a program on a batch and on the model, and compares the two.
///
/// The reference of a track starts anew with each change of its motion from the value and velocity that the batch shows,
/// both of which are compared with the motion before; so the bound is that of one motion, however long the program.
struct ProgramRunner: ~Copyable {
  var batch: SpringBatch
  var model: SpringModel
  var findings: Findings
  /// A handle that another batch gave.
  let foreignHandle: TrackHandle
  let dimensions: Int
  /// What the batch shows by index, a column for each dimension.
  var values: [[Float]]
  var velocities: [[Float]]

  init(dimensions: Int, set: KernelSet, findings: Findings) throws {
    var other = try SpringBatch(kernels: set)
    let foreignHandle = try other.add(.smooth, value: Float(0), target: 1)
    batch = try SpringBatch(dimensions: dimensions, kernels: set)
    model = SpringModel(tolerance: batch.restTolerance)
    self.foreignHandle = foreignHandle
    self.findings = findings
    self.dimensions = dimensions
    values = Array(repeating: [], count: dimensions)
    velocities = values
  }

  /// Plays a program from the start, up to the first difference.
  ///
  /// - Returns: The difference, if there is one, and what was played, with places as they came out.
  static func play(
    _ program: Program, on set: KernelSet, _ findings: inout Findings
  ) -> (difference: Difference?, played: Program) {
    var played = Program(dimensions: program.dimensions, operations: [])
    do {
      var runner = try ProgramRunner(dimensions: program.dimensions, set: set, findings: findings)
      defer { findings = runner.findings }
      for operation in program.operations {
        let placed = operation.placed(among: runner.model.tracks.count)
        played.operations.append(placed)
        try runner.perform(placed)
      }
      return (nil, played)
    } catch let difference as Difference {
      return (difference, played)
    } catch {
      return (Difference(aspect: .state, text: "a good call threw: \(error)"), played)
    }
  }

  private mutating func perform(_ operation: Operation) throws {
    switch operation {
    case .add(let numbers): try add(numbers)
    case .emit(let count, let numbers, let hasSpringEach): try emit(count, numbers, hasSpringEach: hasSpringEach)
    case .retarget(let place, let numbers, let hasSpring): try retarget(place, numbers, hasSpring: hasSpring)
    case .retargetMany(let selection, let numbers, let use):
      try retarget(selection.places(among: model.tracks.count), numbers, use)
    case .retargetIndices(let first, let count, let numbers, let hasSpring):
      let lower = first % (batch.indexCount + 1)
      try retarget(indices: lower..<min(lower + count, batch.indexCount), numbers, hasSpring: hasSpring)
    case .retargetAll(let numbers, let hasSpring): try retargetAll(numbers, hasSpring: hasSpring)
    case .set(let place, let numbers): try set(place, numbers)
    case .setMany(let selection, let numbers): try set(selection.places(among: model.tracks.count), numbers)
    case .remove(let place): try remove(place)
    case .removeMany(let selection): try remove(selection.places(among: model.tracks.count))
    case .removeAll:
      batch.removeAll()
      model.remove(Array(model.tracks.indices))
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
      model.tolerance = try RestTolerances(value: value, velocity: velocity)
      batch.restTolerance = model.tolerance
      model.forgetRestTimes()
      try checkNothingChanged()
    case .computesVelocities(let does):
      batch.computesVelocities = does
      try checkNothingChanged()
    case .refused(let refusal, let place): try refuse(refusal, place)
    }
  }

  // MARK: - Time

  private mutating func advance(by seconds: Double, _ look: Look) throws {
    let before = batch.time
    try batch.advance(by: seconds)
    let time = batch.time
    // What earlier sums lost to rounding is made up for.
    let isSum = abs(time - (before + seconds)) <= before.ulp + seconds.ulp + time.ulp
    try findings.expect(.state, isSum, "\(before) s and \(seconds) s make \(time) s")
    try checkFrame(look, hasMoved: time != before)
  }

  private mutating func seek(_ share: Double, _ look: Look) throws {
    let before = batch.time
    let latest = model.latestStart ?? before - 1
    let time = share == 1 ? latest : max(latest, before - share * (before - latest))
    try batch.advance(to: time)
    try findings.expect(.state, batch.time == time, "the clock is set to \(time) s and shows \(batch.time) s")
    try checkFrame(look, hasMoved: time != before)
  }
}
