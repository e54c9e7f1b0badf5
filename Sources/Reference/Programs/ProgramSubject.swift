// SPDX-License-Identifier: MIT
import Murmuration

/// The calls that a batch takes: what programs are drawn from.
struct SubjectCalls: Sendable {
  /// About tracks that are named.
  var kinds: Set<CallKind>
  /// Those of them that name ranges of indices, or all of them, too.
  var rangeKinds: Set<CallKind> = []
  /// Those of them that name all indices, but no ranges.
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
  /// The moment, where the batch tells it.
  var moment: Double?
  /// The number of the call that began the motion, where the batch tells it.
  var call: UInt32?
}

/// A batch that random programs drive: this says how it takes their calls. What it does not take is never called.
protocol ProgramSubject: ~Copyable {
  /// What the results are called, before what was compared.
  static var name: String { get }
  static var calls: SubjectCalls { get }
  /// Whether a call that changes a motion shows at once, and not with the next advance.
  static var showsCallsAtOnce: Bool { get }
  /// Whether an advance by no time has nothing to report.
  static var staysSilent: Bool { get }
  /// Whether the batch tells which tracks are at rest.
  static var tellsRest: Bool { get }
  /// Whether a clock may go back to before the last change of a track that is gone.
  static var forgetsGoneTracks: Bool { get }
  /// Whether a call of a kind is made about a track, as far as it names tracks one by one.
  static func takes(_ kind: CallKind, _ track: ReferenceTrack, at now: Double) -> Bool
  /// Whether a call of a kind must not name a track twice.
  static func namesOnce(_ kind: CallKind) -> Bool
  /// Of what had to be reported, what this batch reports.
  static func reported(_ due: [ReferenceEvent]) -> [ReferenceEvent]

  static func make(_ assets: inout ProgramAssets, on set: KernelSet) throws -> Self
  /// What holds for its tracks now.
  var rules: ReferenceRules { get }

  // MARK: Calls
  mutating func add(_ count: Int, at values: [Float], _ assets: ProgramAssets) throws -> [TrackHandle]
  mutating func emit(_ count: Int, _ numbers: Numbers, hasSpringEach: Bool) throws -> [TrackHandle]
  /// - Returns: The number that the batch gives the call; nil if it gives none.
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
  /// A track that was just added, at values: as it has to go on.
  func reference(at values: [Float], _ assets: ProgramAssets) -> ReferenceTrack
  /// How a track is evaluated that sums up animations.
  func evaluation(of handle: TrackHandle) throws -> SumMotion.Evaluation
  /// Whether a track is at rest; nil if the batch does not tell.
  func rests(_ handle: TrackHandle) throws -> Bool?
  /// When a track is at rest; nil if the batch does not tell.
  mutating func announcedRest(of handle: TrackHandle) throws -> Double?
  /// What a track heads for; nil if the batch does not tell.
  func shownTarget(of handle: TrackHandle) throws -> [Float]?
  /// What the last advance reported.
  func reports() throws -> [Report]
}

/// What a call that has to be refused is made with.
struct RefusalContext {
  let handles: [TrackHandle]
  let deadHandles: [TrackHandle]
  /// A handle that another batch gave.
  let foreignHandle: TrackHandle
  let latestChange: Double?
  let number: Int
}

extension ProgramSubject where Self: ~Copyable {
  static var showsCallsAtOnce: Bool { false }
  static var staysSilent: Bool { showsCallsAtOnce }
  static var tellsRest: Bool { false }
  static var forgetsGoneTracks: Bool { false }
  static func takes(_ kind: CallKind, _ track: ReferenceTrack, at now: Double) -> Bool { true }
  static func namesOnce(_ kind: CallKind) -> Bool { false }

  mutating func emit(_ count: Int, _ numbers: Numbers, hasSpringEach: Bool) throws -> [TrackHandle] { [] }
  mutating func setRestTolerance(_ tolerance: RestTolerances) {}
  mutating func setComputesVelocities(_ does: Bool) {}
  mutating func refuse(_ refusal: Refusal, _ context: RefusalContext) throws(BatchError) {}

  func reference(at values: [Float], _ assets: ProgramAssets) -> ReferenceTrack {
    ReferenceTrack(values, at: time, rules)
  }

  func evaluation(of handle: TrackHandle) throws -> SumMotion.Evaluation { .fitted }
  func rests(_ handle: TrackHandle) throws -> Bool? { nil }
  func shownTarget(of handle: TrackHandle) throws -> [Float]? { nil }
  mutating func announcedRest(of handle: TrackHandle) throws -> Double? { nil }
}

extension ProgramSubject where Self: TrackBatch & ~Copyable {
  /// The value of a track.
  func shownValue(of handle: TrackHandle) throws(BatchError) -> [Float] {
    var numbers = [Float](repeating: .nan, count: dimensions)
    var span = numbers.mutableSpan
    try copyValues(of: handle, into: &span)
    return numbers
  }

  /// The velocity of a track.
  mutating func shownVelocity(of handle: TrackHandle) throws -> [Float] {
    let row = try rowIndex(of: handle)
    var numbers: [Float] = []
    for dimension in 0..<dimensions {
      numbers.append(try withVelocities(dimension: dimension) { $0[row] })
    }
    return numbers
  }
}
