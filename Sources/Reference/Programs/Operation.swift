// SPDX-License-Identifier: MIT
import Murmuration

/// One call on a batch, as a value, so that a program can be shortened and printed.
///
/// Tracks are named by their index in the model's list, modulo its length, and numbers come from a seed. So every part
/// of a program is a program.
enum Operation: Equatable, Sendable {
  /// Adds tracks at rest.
  case add(count: Int, Numbers)
  /// Adds tracks in motion, on one spring or on a spring each.
  case emit(count: Int, Numbers, hasSpringEach: Bool)
  case call(CallKind, TrackNames, Numbers)
  case removeAll
  case compact
  case reserve(Int)
  case advance(seconds: Double, Look)
  /// Moves the clock back, by a share of the time since the latest change.
  case seek(share: Double, Look)
  case restTolerance(Float, velocity: Float?)
  case computesVelocities(Bool)
  case refused(Refusal, at: Int)
}

/// The calls about named tracks.
enum CallKind: String, CaseIterable, Sendable {
  /// New targets with one spring, or with a spring each; or with the springs that the tracks follow.
  case spring, springs, retarget
  /// New targets with one animation of any kind, with an animation each, or without an animation.
  case animation, animations, jump
  /// The same calls with delays.
  case delayedSpring = "delayed spring"
  case delayedRetarget = "delayed retarget"
  case delayedAnimations = "delayed animations"
  case set, displace, decelerate
  /// A clip from its first value, or from the shown value.
  case play
  case playOn = "play on"
  case vary
  case trigger
  case pause, resume
  case setSpeed = "set the speed of"
  case seek
  case seekTime = "seek the time of"
  case remove
}

/// The calls that name no tracks.
enum BatchCall: String, CaseIterable, Sendable {
  case add, emit, removeAll, compact, reserve, restTolerance, computesVelocities, refusals, goingBack
}

/// The tracks that a call names.
enum TrackNames: Equatable, Sendable {
  case one(Int)
  case many(Selection)
  /// Some indices of the batch from `first` on, with or without a track.
  case range(first: Int, count: Int)
  case all

  /// The form of the call, without the tracks.
  enum Form: CaseIterable, Sendable { case one, many, range, all }
}

/// The questions after an advance, besides the values. A question about velocities computes them even if the batch was told
/// not to, so some frames do without it.
struct Look: Equatable, Sendable {
  var readsVelocities = false
  var asksRestTimes = false
}

/// Tracks by their indices in the model's list.
struct Selection: Equatable, Sendable {
  var first = 0
  /// The distance from one index to the next; more than 1 leaves holes.
  var step = 1
  var count: Int
  /// The number of tracks that are named a second time.
  var repeats = 0
  /// The seed of the order; nil for the order of the indices.
  var shuffle: UInt64?

  fileprivate func reduced(to trackCount: Int) -> Selection {
    Selection(
      first: first % trackCount, step: step, count: min(count, trackCount), repeats: min(repeats, count, trackCount),
      shuffle: shuffle)
  }

  /// The indices in a list of tracks.
  func indices(in trackCount: Int) -> [Int] {
    guard trackCount > 0 else {
      return []
    }
    var indices = (0..<min(count, trackCount)).map { (first + $0 * step) % trackCount }
    indices += indices.prefix(repeats)
    if let shuffle {
      var random = SplitMix64(seed: shuffle)
      indices.shuffle(using: &random)
    }
    return indices
  }
}

extension Operation {
  /// The same operation with its first index below the number of tracks.
  func reduced(to trackCount: Int) -> Operation {
    guard trackCount > 0, case .call(let kind, let names, let numbers) = self else {
      return self
    }
    return switch names {
    case .one(let index): .call(kind, .one(index % trackCount), numbers)
    case .many(let selection): .call(kind, .many(selection.reduced(to: trackCount)), numbers)
    case .range, .all: self
    }
  }
}

// MARK: - Text

extension Operation {
  /// One line that names the call, with its numbers if there are few.
  func text(_ assets: ProgramAssets) -> String {
    let dimensions = assets.dimensions
    return switch self {
    case .add(let count, let numbers):
      "add \(count) at " + numbers.list(count) { numbers.value($0).text(dimensions) }
    case .emit(let count, let numbers, let hasSpringEach):
      "emit \(count) with \(hasSpringEach ? "a spring each" : numbers.spring(0).text): "
        + numbers.list(count) { (hasSpringEach ? numbers.spring($0).text + " " : "") + numbers.start($0, dimensions) }
    case .call(let kind, let names, let numbers):
      "\(kind.rawValue) \(names)" + numbers.list(names.count) { numbers.text(kind, $0, assets) }
    case .removeAll: "remove all"
    case .compact: "compact"
    case .reserve(let count): "reserve \(count)"
    case .advance(let seconds, let look): "advance by \(seconds)\(look)"
    case .seek(let share, let look): "go back \(share) of the way to the latest change\(look)"
    case .restTolerance(let value, let velocity):
      "rest tolerance \(value)\(velocity.map { ", velocity \($0)" } ?? "")"
    case .computesVelocities(let does): "velocities \(does ? "on" : "off")"
    case .refused(let refusal, let index): "refused: \(refusal.rawValue) at \(index)"
    }
  }
}

extension TrackNames: CustomStringConvertible {
  /// The number of tracks or indices that are named; unknown if all are named.
  var count: Int {
    switch self {
    case .one: 1
    case .many(let selection): selection.count + selection.repeats
    case .range(_, let count): count
    case .all: 4
    }
  }

  var description: String {
    switch self {
    case .one(let index): "\(index): "
    case .many(let selection): "\(selection): "
    case .range(let first, let count): "\(count) indices from \(first): "
    case .all: "all: "
    }
  }
}

extension Look: CustomStringConvertible {
  var description: String {
    (readsVelocities ? ", velocities read" : "") + (asksRestTimes ? ", rest times asked" : "")
  }
}

extension Selection: CustomStringConvertible {
  var description: String {
    "\(count) from \(first)" + (step > 1 ? " by \(step)" : "") + (repeats > 0 ? ", \(repeats) of them twice" : "")
      + (shuffle == nil ? "" : ", shuffled")
  }
}
