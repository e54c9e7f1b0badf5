// SPDX-License-Identifier: MIT
import Kernels

/// A name for a sequence of phases that an ``AnimationBatch`` has loaded. It is never reused.
public struct PhaseSequenceID: Hashable, Sendable {
  package let index: UInt32
  package let generation: UInt32
  package let store: UInt32

  package init(index: UInt32, generation: UInt32, store: UInt32) {
    self.index = index
    self.generation = generation
    self.store = store
  }
}

/// A sequence that a batch has loaded, as its tracks play it.
final class LoadedSequence: Sendable {
  let sequence: PhaseSequence
  /// The motion to each phase.
  let motions: [MotionRequest]
  /// The steps as springs; nil if an animation is not a spring.
  let springs: [SpringStep]?
  /// The kind of the motion to each phase: springs, or standing after a jump. Only used if all steps are springs and jumps.
  let kinds: [MotionKind]
  /// How far the motion to each phase must lead so that it lasts until the next step, if all steps are springs and jumps.
  let endurances: [Endurance]

  /// - Throws: ``BatchError/invalidAnimation(index:reason:)`` for a phase whose animation batches do not accept.
  init(_ sequence: PhaseSequence) throws(BatchError) {
    var motions: [MotionRequest] = []
    for (phase, animation) in sequence.animations.enumerated() {
      motions.append(try MotionRequest(animation, index: phase))
    }
    let steps = SpringStep.plan(sequence)
    let kinds = motions.map { motion in
      if case .spring = motion { MotionKind.spring } else { MotionKind.still }
    }
    self.sequence = sequence
    self.motions = motions
    springs = steps
    self.kinds = kinds
    endurances = (steps ?? []).enumerated().map { phase, step in
      Endurance(step.coefficients, until: sequence.stepDuration(to: phase))
    }
  }
}

/// How far a motion must lead so that it is surely not at rest when the next one takes over. Then no frame in between needs
/// to look for its rest.
///
/// From `RestKernel`: with E = 2^(−z) the decay until then, a motion is at rest by then only if E·(Y + A) or E·(Y + κA·age) is
/// within the tolerance.
struct Endurance {
  /// The lower limit of Y + A and of Y + κA·age, in units of the tolerance; infinite if nothing is sure.
  private let least: Float
  /// κ · age.
  private let growth: Float

  /// - Parameter age: Seconds until the next motion.
  init(_ coefficients: SpringCoefficients, until age: Double) {
    let decay = ReproducibleMath.exp2OfNegative(-Double(coefficients.decay) * age)
    let isKnown = !coefficients.isJump && decay > 0 && age < .infinity
    // The margin is more than the roundings of the kernel and of this.
    least = isKnown ? Float(1.02 / decay) : .infinity
    growth = isKnown ? Float(coefficients.κ * age) : 0
  }

  /// Whether a motion is surely under way for that long.
  ///
  /// - Parameters:
  ///   - magnitudes: Those of displacement and amplitude, of one dimension or summed up.
  ///   - perValue: One over the largest distance from the target at rest.
  @inline(__always)
  func lasts(_ magnitudes: SIMD2<Float>, perValue: Float) -> Bool {
    let (y, a) = (magnitudes.x * perValue, magnitudes.y * perValue)
    return y + a >= least && y + growth * a >= least
  }
}

/// The sequences that a batch has loaded.
struct PhaseLibrary: Sendable {
  struct Entry {
    var loaded: LoadedSequence?
    var generation: UInt32 = 0
    /// The store that loaded it. Copies of that store name it alike.
    var store = IndexTable.noStore
    /// The number of tracks that play the sequence.
    var players = 0
  }

  var entries: [Entry] = []
  /// Whether no sequence was ever loaded.
  var isEmpty: Bool { entries.isEmpty }
  private var free: [Int] = []
  /// The columns that steps need, of every sequence that was ever loaded.
  private(set) var columns: Engine.ColumnGroups = .springs
  /// No sequence gets a generation before this one any more.
  private var nextGeneration: UInt32 = 0

  /// Takes a sequence, and returns its index.
  mutating func add(_ loaded: LoadedSequence, store: UInt32) -> PhaseSequenceID {
    let index = free.popLast() ?? entries.count
    if index == entries.count { entries.append(Entry()) }
    entries[index].generation = max(entries[index].generation, nextGeneration)
    (entries[index].loaded, entries[index].store) = (loaded, store)
    for motion in loaded.motions { columns.formUnion(motion.columns) }
    return PhaseSequenceID(index: UInt32(index), generation: entries[index].generation, store: store)
  }

  /// Unloads a sequence that no track plays.
  mutating func remove(_ index: Int) {
    let generation = entries[index].generation
    entries[index] = Entry(generation: generation &+ 1)
    // An index is not taken again once its generations are used up.
    if generation < .max { free.append(index) }
  }

  /// The sequence at an index, which must have one.
  subscript(index: Int) -> LoadedSequence { unsafe entries[index].loaded.unsafelyUnwrapped }

  /// Whether an index has a sequence of that generation.
  func isLoaded(_ index: Int, generation: UInt32) -> Bool {
    entries.indices.contains(index) && entries[index].generation == generation && entries[index].loaded != nil
  }

  /// Whether a name is that of a loaded sequence.
  func isLoaded(_ id: PhaseSequenceID) -> Bool {
    isLoaded(Int(id.index), generation: id.generation) && entries[Int(id.index)].store == id.store
  }

  /// Codes the sequences.
  mutating func code(_ coder: inout StateCoder, dimensions: Int) {
    let count = coder.codedCount(entries.count, width: 1)
    if coder.isReading { self = PhaseLibrary(entries: [Entry](repeating: Entry(), count: count)) }
    for index in 0..<count {
      if coder.coded(entries[index].loaded != nil) {
        let sequence = coder.coded(entries[index].loaded?.sequence)
        if coder.isReading {
          guard let sequence, sequence.dimensions == dimensions,
            let loaded = try? LoadedSequence(sequence)
          else { return coder.refuse() }
          entries[index].loaded = loaded
        }
      }
      coder.code(&entries[index].generation)
      coder.code(&entries[index].store)
      coder.code(&entries[index].players)
    }
    coder.code(&free)
    coder.code(&columns)
    coder.code(&nextGeneration)
  }

  /// Takes over the sequences of another library. No name that was given out is given out again.
  mutating func copyState(of other: PhaseLibrary) {
    let next = entries.reduce(max(nextGeneration, other.nextGeneration)) { max($0, $1.generation &+ 1) }
    self = other
    nextGeneration = next
  }
}
