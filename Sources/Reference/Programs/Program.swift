// SPDX-License-Identifier: MIT
import Murmuration

/// Operations to play on a batch and on the model.
struct Program: Equatable, Sendable {
  let dimensions: Int
  var operations: [Operation]

  /// One line for each operation.
  var text: String {
    (["batch of \(dimensions) dimensions"] + operations.map { $0.text(dimensions: dimensions) })
      .joined(separator: "\n")
  }
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

  /// The program of a seed.
  static func random(seed: UInt64, size: Size) -> Program {
    var writer = ProgramWriter(seed: seed, size: size)
    return writer.program()
  }
}

/// Draws the operations of a program. It keeps an estimate of how many tracks live, which need not be right.
private struct ProgramWriter {
  private var random: SplitMix64
  private let size: Program.Size
  private var trackCount = 0
  private var operations: [Operation] = []

  init(seed: UInt64, size: Program.Size) {
    random = SplitMix64(seed: seed)
    self.size = size
  }

  mutating func program() -> Program {
    let dimensions = draw(1...3)
    operations.append(tolerance())
    operations.append(.computesVelocities(chance(2)))
    while trackCount < size.tracks.lowerBound {
      append(emission())
    }
    for _ in 0..<draw(size.operations) {
      append(next())
    }
    return Program(dimensions: dimensions, operations: operations)
  }

  private mutating func append(_ operation: Operation) {
    operations.append(operation)
    switch operation {
    case .add: trackCount += 1
    case .emit(let count, _, _): trackCount += count
    case .remove: trackCount = max(0, trackCount - 1)
    case .removeMany(let selection): trackCount = max(0, trackCount - selection.count)
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
    case 37..<42: trackCount < size.tracks.upperBound ? .add(numbers: numbers()) : removal()
    case 42..<53: trackCount < size.tracks.upperBound ? emission() : removal()
    case 53..<62: .retarget(place: place(), numbers: numbers(), hasSpring: chance(2))
    case 62..<73: .retargetMany(selection(), numbers: numbers(), SpringUse.allCases[draw(0...2)])
    case 73..<77: .retargetIndices(first: place(), count: many(), numbers: numbers(), hasSpring: chance(2))
    case 77..<80: .retargetAll(numbers: numbers(), hasSpring: chance(2))
    case 80..<83: .set(place: place(), numbers: numbers())
    case 83..<85: .setMany(selection(), numbers: numbers())
    case 85..<88: .remove(place: place())
    case 88..<91: removal()
    case 91: chance(size == .small ? 3 : 20) ? .removeAll : .reserve(draw(0...400))
    case 92..<94: .compact
    case 94: tolerance()
    case 95..<97: .computesVelocities(chance(2))
    default: .refused(Refusal.allCases[draw(0...Refusal.allCases.count - 1)], place: place())
    }
  }

  /// Around a tile, of which a cohort has none of its own below 16 tracks; or anything.
  private mutating func many() -> Int {
    switch draw(0...3) {
    case 0: draw(1...15)
    case 1: draw(15...18)
    case 2: 16 * draw(1...(size == .small ? 2 : 18))
    default: draw(1...(size == .small ? 40 : 300))
    }
  }

  private mutating func emission() -> Operation {
    .emit(count: many(), numbers: numbers(), hasSpringEach: chance(4))
  }

  private mutating func removal() -> Operation {
    var removed = selection()
    if chance(2) {
      removed.count = draw(1...max(1, trackCount / 2))
    }
    return .removeMany(removed)
  }

  private mutating func selection() -> Selection {
    Selection(
      first: place(), step: chance(3) ? draw(2...3) : 1, count: many(), repeats: chance(4) ? draw(1...20) : 0,
      shuffle: chance(2) ? random.next() : nil)
  }

  private mutating func look() -> Look { Look(readsVelocities: chance(2), asksRestTimes: chance(6)) }

  private mutating func step() -> Double {
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
