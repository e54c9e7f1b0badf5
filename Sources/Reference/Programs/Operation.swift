// SPDX-License-Identifier: MIT
import Murmuration

/// One call on a batch, as a value: so that a program can be shortened and printed.
///
/// Tracks are named by their place in the model's list, modulo its length, and numbers come from a seed; so every part of
/// a program is a program.
enum Operation: Equatable, Sendable {
  case add(numbers: Numbers)
  case emit(count: Int, numbers: Numbers, hasSpringEach: Bool)
  case retarget(place: Int, numbers: Numbers, hasSpring: Bool)
  case retargetMany(Selection, numbers: Numbers, SpringUse)
  case retargetIndices(first: Int, count: Int, numbers: Numbers, hasSpring: Bool)
  case retargetAll(numbers: Numbers, hasSpring: Bool)
  case set(place: Int, numbers: Numbers)
  case setMany(Selection, numbers: Numbers)
  case remove(place: Int)
  case removeMany(Selection)
  case removeAll
  case compact
  case reserve(Int)
  case advance(seconds: Double, Look)
  /// Goes back by a share of the time since the latest start.
  case seek(share: Double, Look)
  case restTolerance(Float, velocity: Float?)
  case computesVelocities(Bool)
  case refused(Refusal, place: Int)
}

/// Which spring the tracks of a bulk retarget follow.
enum SpringUse: String, CaseIterable, Sendable {
  case keep = "their springs"
  case one = "one spring"
  case each = "a spring each"
}

/// What is asked after an advance, beyond the values. Asking for velocities computes them where the batch was told not
/// to, so it must not be done always.
struct Look: Equatable, Sendable {
  var readsVelocities = false
  var asksRestTimes = false
}

/// Tracks by their places in the model's list.
struct Selection: Equatable, Sendable {
  var first = 0
  /// From one place to the next; more than 1 leaves holes.
  var step = 1
  var count: Int
  /// How many are named a second time.
  var repeats = 0
  /// In an order that follows from this, or in that of their places.
  var shuffle: UInt64?

  fileprivate func placed(among trackCount: Int) -> Selection {
    Selection(
      first: first % trackCount, step: step, count: min(count, trackCount), repeats: min(repeats, count, trackCount),
      shuffle: shuffle)
  }

  /// The places among so many tracks.
  func places(among trackCount: Int) -> [Int] {
    guard trackCount > 0 else {
      return []
    }
    var places = (0..<min(count, trackCount)).map { (first + $0 * step) % trackCount }
    places += places.prefix(repeats)
    if let shuffle {
      var random = SplitMix64(seed: shuffle)
      places.shuffle(using: &random)
    }
    return places
  }
}

extension Operation {
  /// The same operation with its place below the number of tracks.
  func placed(among trackCount: Int) -> Operation {
    guard trackCount > 0 else {
      return self
    }
    return switch self {
    case .retarget(let place, let numbers, let hasSpring):
      .retarget(place: place % trackCount, numbers: numbers, hasSpring: hasSpring)
    case .retargetMany(let selection, let numbers, let use):
      .retargetMany(selection.placed(among: trackCount), numbers: numbers, use)
    case .set(let place, let numbers): .set(place: place % trackCount, numbers: numbers)
    case .setMany(let selection, let numbers): .setMany(selection.placed(among: trackCount), numbers: numbers)
    case .remove(let place): .remove(place: place % trackCount)
    case .removeMany(let selection): .removeMany(selection.placed(among: trackCount))
    default: self
    }
  }
}

// MARK: - Text

extension Operation {
  /// One line that says what is called, with the numbers where they are few.
  func text(dimensions: Int) -> String {
    switch self {
    case .add(let numbers): "add \(numbers.spring(0).text) \(numbers.start(0, dimensions))"
    case .emit(let count, let numbers, let hasSpringEach):
      "emit \(count) with \(hasSpringEach ? "a spring each" : numbers.spring(0).text): "
        + numbers.list(count) { (hasSpringEach ? numbers.spring($0).text + " " : "") + numbers.start($0, dimensions) }
    case .retarget(let place, let numbers, let hasSpring):
      "retarget \(place) to \(numbers.target(0).text(dimensions)), "
        + (hasSpring ? numbers.spring(0).text : "its spring")
    case .retargetMany(let selection, let numbers, let use):
      "retarget \(selection) with \(use.rawValue)\(use == .one ? " " + numbers.spring(0).text : ""): "
        + numbers.list(selection.count + selection.repeats) {
          numbers.target($0).text(dimensions) + (use == .each ? " " + numbers.spring($0).text : "")
        }
    case .retargetIndices(let first, let count, let numbers, let hasSpring):
      "retarget \(count) indices from \(first), \(hasSpring ? numbers.spring(0).text : "their springs"): "
        + numbers.list(count) { numbers.target($0).text(dimensions) }
    case .retargetAll(let numbers, let hasSpring):
      "retarget all, \(hasSpring ? numbers.spring(0).text : "their springs"): first to "
        + numbers.target(0).text(dimensions)
    case .set(let place, let numbers):
      "set \(place) to \(numbers.value(0).text(dimensions)) velocity \(numbers.velocity(0).text(dimensions))"
    case .setMany(let selection, let numbers):
      "set \(selection): "
        + numbers.list(selection.count + selection.repeats) {
          "\(numbers.value($0).text(dimensions)) velocity \(numbers.velocity($0).text(dimensions))"
        }
    case .remove(let place): "remove \(place)"
    case .removeMany(let selection): "remove \(selection)"
    case .removeAll: "remove all"
    case .compact: "compact"
    case .reserve(let count): "reserve \(count)"
    case .advance(let seconds, let look): "advance by \(seconds)\(look)"
    case .seek(let share, let look): "go back \(share) of the way to the latest start\(look)"
    case .restTolerance(let value, let velocity):
      "rest tolerance \(value)\(velocity.map { ", velocity \($0)" } ?? "")"
    case .computesVelocities(let does): "velocities \(does ? "on" : "off")"
    case .refused(let refusal, let place): "refused: \(refusal.rawValue) at \(place)"
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
