// SPDX-License-Identifier: MIT
import Murmuration

/// Operations to play on a batch and on the model.
struct Program: Equatable, Sendable {
  let dimensions: Int
  /// The seed of clips and phases.
  let seed: UInt64
  var operations: [Operation]
}

// MARK: - Random programs

extension Program {
  enum Size: Sendable {
    /// Up to some 80 tracks, in which every tile matters.
    case small
    /// Some 2 000 to 3 000 tracks, cohorts of up to 300.
    case big

    fileprivate var tracks: ClosedRange<Int> { self == .small ? 0...80 : 2_000...3_000 }
    fileprivate var operations: ClosedRange<Int> { self == .small ? 20...150 : 60...120 }
  }

  /// The program of a seed, drawn from the calls that a batch takes.
  static func random(seed: UInt64, size: Size, _ calls: SubjectCalls) -> Program {
    var writer = ProgramWriter(seed: seed, size: size, calls)
    return writer.program(seed: seed)
  }
}

/// Draws the operations of a program. It keeps an estimate of the number of live tracks, which need not be right.
private struct ProgramWriter {
  private var random: SplitMix64
  private let size: Program.Size
  private let calls: SubjectCalls
  private let kinds: [CallKind]
  private var trackCount = 0
  private var operations: [Operation] = []

  init(seed: UInt64, size: Program.Size, _ calls: SubjectCalls) {
    random = SplitMix64(seed: seed)
    self.size = size
    self.calls = calls
    kinds = CallKind.allCases.filter { calls.kinds.contains($0) && $0 != .remove }
  }

  mutating func program(seed: UInt64) -> Program {
    let dimensions = draw(calls.dimensions)
    if calls.others.contains(.restTolerance) { operations.append(tolerance()) }
    if calls.others.contains(.computesVelocities) { operations.append(.computesVelocities(chance(2))) }
    while trackCount < size.tracks.lowerBound {
      append(arrival())
    }
    for _ in 0..<draw(size.operations) {
      let operation = next()
      append(isTaken(operation) ? operation : .advance(seconds: step(), look()))
    }
    return Program(dimensions: dimensions, seed: seed, operations: operations)
  }

  /// Whether the batch takes an operation.
  private func isTaken(_ operation: Operation) -> Bool {
    switch operation {
    case .advance: true
    case .call(let kind, let names, _): calls.kinds.contains(kind) && calls.takes(names.form, kind)
    case .add: calls.others.contains(.add)
    case .emit: calls.others.contains(.emit)
    case .removeAll: calls.others.contains(.removeAll)
    case .compact: calls.others.contains(.compact)
    case .reserve: calls.others.contains(.reserve)
    case .seek: calls.others.contains(.goingBack)
    case .restTolerance: calls.others.contains(.restTolerance)
    case .computesVelocities: calls.others.contains(.computesVelocities)
    case .refused: calls.others.contains(.refusals)
    }
  }

  private mutating func append(_ operation: Operation) {
    operations.append(operation)
    switch operation {
    case .add(let count, _), .emit(let count, _, _): trackCount += count
    case .call(.remove, let names, _): trackCount = max(0, trackCount - names.count)
    case .removeAll: trackCount = 0
    default: break
    }
  }

  // MARK: - Draws

  private mutating func draw(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(random.next() % UInt64(range.count))
  }

  private mutating func chance(_ oneIn: Int) -> Bool { draw(1...oneIn) == 1 }

  private mutating func numbers() -> Numbers { Numbers(seed: random.next() >> 8) }

  private mutating func place() -> Int { draw(0...9_999) }

  private mutating func next() -> Operation {
    switch draw(0...99) {
    case 0..<33: .advance(seconds: step(), look())
    case 33..<37: .seek(share: chance(4) ? 1 : random.unit(), look())
    case 37..<53: trackCount < size.tracks.upperBound ? arrival() : removal()
    case 53..<85: .call(kinds[draw(0...kinds.count - 1)], names(), numbers())
    case 85..<91: removal()
    case 91: chance(size == .small ? 3 : 20) ? .removeAll : .reserve(draw(0...400))
    case 92..<94: .compact
    case 94: tolerance()
    case 95..<97: .computesVelocities(chance(2))
    default: .refused(Refusal.allCases[draw(0...Refusal.allCases.count - 1)], at: place())
    }
  }

  /// A number of tracks near the size of a tile, or any number. A cohort of fewer than 16 tracks has no tile of its own.
  private mutating func many() -> Int {
    switch draw(0...3) {
    case 0: draw(1...15)
    case 1: draw(15...18)
    case 2: 16 * draw(1...(size == .small ? 2 : 18))
    default: draw(1...(size == .small ? 40 : 300))
    }
  }

  private mutating func arrival() -> Operation {
    let count = chance(4) && size == .small ? 1 : many()
    guard calls.others.contains(.emit), !calls.others.contains(.add) || chance(2) else {
      return .add(count: count, numbers())
    }
    return .emit(count: count, numbers(), hasSpringEach: chance(4))
  }

  private mutating func removal() -> Operation {
    guard chance(2) else { return .call(.remove, .one(place()), numbers()) }
    var removed = selection()
    if chance(2) {
      removed.count = draw(1...max(1, trackCount / 2))
    }
    return .call(.remove, .many(removed), numbers())
  }

  private mutating func names() -> TrackNames {
    switch draw(0...9) {
    case 0..<4: .one(place())
    case 4..<8: .many(selection())
    case 8: .range(first: place(), count: many())
    default: .all
    }
  }

  private mutating func selection() -> Selection {
    Selection(
      first: place(), step: chance(3) ? draw(2...3) : 1, count: many(), repeats: chance(4) ? draw(1...20) : 0,
      shuffle: chance(2) ? random.next() : nil)
  }

  private mutating func look() -> Look { Look(readsVelocities: chance(2), asksRestTimes: chance(6)) }

  private mutating func step() -> Double { min(calls.longestStep, anyStep()) }

  private mutating func anyStep() -> Double {
    switch draw(0...19) {
    case 0: 0
    case 1, 2: random.logarithmic(1e-12...1e-4)
    case 3: random.logarithmic(1...1e5)
    case 4, 5: random.uniform(0.5...10)
    case 6..<12: 1 / 60
    default: random.uniform(0...0.5)
    }
  }

  private mutating func tolerance() -> Operation {
    let value = [1e-30, 1e-6, 1e-3, 1e-3, 0.1, 5][draw(0...5)]
    return .restTolerance(Float(value), velocity: chance(3) ? Float(value * random.logarithmic(1...100)) : nil)
  }
}

// MARK: - Text

extension Program {
  /// One line for each operation.
  var text: String {
    guard let assets = try? ProgramAssets(seed: seed, dimensions: dimensions) else { return "" }
    return (["batch of \(dimensions) dimensions, seed \(seed)"] + operations.map { $0.text(assets) })
      .joined(separator: "\n")
  }
}
