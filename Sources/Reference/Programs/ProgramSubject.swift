// SPDX-License-Identifier: MIT
import Murmuration

/// The calls that a batch takes. Programs are drawn from them.
struct SubjectCalls: Sendable {
  /// The calls about named tracks.
  var kinds: Set<CallKind>
  /// The calls that can name ranges of indices, or all indices.
  var rangeKinds: Set<CallKind> = []
  /// The calls that can name all indices, but no ranges.
  var allKinds: Set<CallKind> = []
  var others: Set<BatchCall>
  /// Whether programs of some thousand tracks are drawn too.
  var hasBigPrograms = false
  /// The longest advance, in seconds.
  var longestStep = Double.infinity
  /// The dimensions that the batch may have.
  var dimensions = 1...3

  func takes(_ form: TrackNames.Form, _ kind: CallKind) -> Bool {
    form == .one || form == .many || rangeKinds.contains(kind) || form == .all && allKinds.contains(kind)
  }
}

extension TrackNames {
  var form: Form {
    switch self {
    case .one: .one
    case .many: .many
    case .range: .range
    case .all: .all
    }
  }
}

/// Something that a batch reported with its last advance.
struct Report: Sendable {
  let handle: TrackHandle
  let kind: ReferenceEvent.Kind
  /// The moment, if the batch tells it.
  var moment: Double?
  /// The number of the call that began the motion, if the batch tells it.
  var call: UInt32?
}

/// A batch that random programs drive. It says which calls it takes; other calls are never made.
protocol ProgramSubject: ~Copyable {
  /// The name of the results, before the name of an aspect.
  static var name: String { get }
  static var calls: SubjectCalls { get }
  /// Whether a call that changes a motion shows at once, rather than with the next advance.
  static var showsCallsAtOnce: Bool { get }
  /// Whether an advance by 0 s reports nothing.
  static var staysSilent: Bool { get }
  /// Whether the batch tells which tracks are at rest.
  static var tellsRest: Bool { get }
  /// Whether the clock may go back to before the last change of a track that is gone.
  static var forgetsGoneTracks: Bool { get }
  /// Whether a call of a kind may be made about a track, if it names tracks one by one.
  static func takes(_ kind: CallKind, _ track: ReferenceTrack, at now: Double) -> Bool
  /// The events, of those that are due, that this batch reports.
  static func reported(_ due: [ReferenceEvent]) -> [ReferenceEvent]

  static func make(_ assets: inout ProgramAssets, on set: KernelSet) throws -> Self
  /// The rules that hold for its tracks now.
  var rules: ReferenceRules { get }

  // MARK: Calls
  mutating func add(_ count: Int, at values: [Float], _ assets: ProgramAssets) throws -> [TrackHandle]
  mutating func emit(_ count: Int, _ numbers: Numbers, hasSpringEach: Bool) throws -> [TrackHandle]
  /// - Returns: The number that the batch gives the call; nil if it gives no number.
  mutating func perform(_ call: Call, on names: BatchNames, _ assets: ProgramAssets) throws -> UInt32?
  mutating func removeAll()
  mutating func compact() throws(BatchError)
  mutating func reserve(_ additional: Int) throws(BatchError)
  mutating func advance(to seconds: Double) throws(BatchError)
  mutating func advance(by seconds: Double) throws(BatchError)
  mutating func setRestTolerance(_ tolerance: RestTolerances)
  mutating func setComputesVelocities(_ does: Bool)
  mutating func refuse(_ refusal: Refusal, _ context: RefusalContext) throws(BatchError)

  // MARK: Answers
  var count: Int { get }
  var indexCount: Int { get }
  var time: Double { get }
  func contains(_ handle: TrackHandle) -> Bool
  func rowIndex(of handle: TrackHandle) throws(BatchError) -> Int
  func handle(atRow row: Int) -> TrackHandle?
  func handle(atIndex index: Int) -> TrackHandle?
  func copyValues(dimension: Int, into output: inout MutableSpan<Float>) throws(BatchError)
  mutating func copyVelocities(dimension: Int, into output: inout MutableSpan<Float>) throws(BatchError)
  func shownValue(of handle: TrackHandle) throws(BatchError) -> [Float]
  mutating func shownVelocity(of handle: TrackHandle) throws -> [Float]
  var computesVelocities: Bool { get }
  /// The reference of a track that was just added at values.
  func reference(at values: [Float], _ assets: ProgramAssets) -> ReferenceTrack
  /// How the batch evaluates a track that adds up animations.
  func evaluation(of handle: TrackHandle) throws -> SumMotion.Evaluation
  /// Whether a track is at rest; nil if the batch does not tell.
  func rests(_ handle: TrackHandle) throws -> Bool?
  /// When a track is at rest; nil if the batch does not tell.
  mutating func announcedRest(of handle: TrackHandle) throws -> Double?
  /// The target of a track; nil if the batch does not tell.
  func shownTarget(of handle: TrackHandle) throws -> [Float]?
  /// The reports of the last advance.
  func reports() throws -> [Report]
  /// The number of the last call; nil if the batch gives no numbers.
  var latestCall: UInt32? { get }
}

/// The arguments of a call that must be refused.
struct RefusalContext {
  let handles: [TrackHandle]
  let deadHandles: [TrackHandle]
  /// A handle that another batch gave.
  let foreignHandle: TrackHandle
  let number: Int
}

extension ProgramSubject where Self: ~Copyable {
  static var showsCallsAtOnce: Bool { false }
  static var staysSilent: Bool { showsCallsAtOnce }
  static var tellsRest: Bool { false }
  static var forgetsGoneTracks: Bool { false }
  static func takes(_ kind: CallKind, _ track: ReferenceTrack, at now: Double) -> Bool { true }

  mutating func emit(_ count: Int, _ numbers: Numbers, hasSpringEach: Bool) throws -> [TrackHandle] { [] }
  mutating func setRestTolerance(_ tolerance: RestTolerances) {}
  mutating func setComputesVelocities(_ does: Bool) {}
  mutating func refuse(_ refusal: Refusal, _ context: RefusalContext) throws(BatchError) {}

  func reference(at values: [Float], _ assets: ProgramAssets) -> ReferenceTrack {
    ReferenceTrack(values, at: time, rules)
  }

  func evaluation(of handle: TrackHandle) throws -> SumMotion.Evaluation { .fitted }
  var latestCall: UInt32? { nil }
  func rests(_ handle: TrackHandle) throws -> Bool? { nil }
  func shownTarget(of handle: TrackHandle) throws -> [Float]? { nil }
  mutating func announcedRest(of handle: TrackHandle) throws -> Double? { nil }
}
