// SPDX-License-Identifier: MIT
import Murmuration
import ScenePictures
import Scenes
import Text

/// The settings that keys of `murmuration watch` change: the moment, whether time runs, and the change to the springs.
struct WatchState: Equatable {
  /// A key that was pressed.
  enum Key: Equatable {
    case quit, pause, back, forward, restart
    case longer, shorter, bouncier, flatter, theme
  }

  /// The seconds that a scene plays, after which it starts again.
  let duration: Double
  /// The moment that is shown.
  private(set) var time = 0.0
  private(set) var isPaused = false
  private(set) var isOver = false
  /// The factor of the springs' durations, and the number that is added to their bounces.
  private(set) var change = SpringChange()
  private(set) var theme: Theme

  /// The seconds of a step to another moment.
  static let step = 1.0

  init(duration: Double, theme: Theme) {
    self.duration = duration
    self.theme = theme
  }

  /// The keys that the bytes of a terminal spell; others are left out.
  static func keys(_ bytes: [UInt8]) -> [Key] {
    var (keys, rest) = ([Key](), bytes[...])
    while let byte = rest.popFirst() {
      // An arrow is an escape, a bracket or an O, and a letter.
      if byte == 0x1B, let bracket = rest.first, bracket == 0x5B || bracket == 0x4F {
        rest.removeFirst()
        let letter = rest.drop { !(0x40...0x7E).contains($0) }.first
        rest = rest.drop { !(0x40...0x7E).contains($0) }.dropFirst()
        switch letter {
        case 0x41: keys.append(.bouncier)
        case 0x42: keys.append(.flatter)
        case 0x43: keys.append(.forward)
        case 0x44: keys.append(.back)
        default: break
        }
        continue
      }
      if let key = key(byte) { keys.append(key) }
    }
    return keys
  }

  private static func key(_ byte: UInt8) -> Key? {
    switch byte {
    case UInt8(ascii: "q"), 0x03, 0x04: .quit
    case UInt8(ascii: " "): .pause
    case UInt8(ascii: "h"): .back
    case UInt8(ascii: "l"): .forward
    case UInt8(ascii: "r"): .restart
    case UInt8(ascii: "["): .shorter
    case UInt8(ascii: "]"): .longer
    case UInt8(ascii: "k"): .bouncier
    case UInt8(ascii: "j"): .flatter
    case UInt8(ascii: "t"): .theme
    default: nil
    }
  }

  /// Does what a key asks for.
  mutating func press(_ key: Key) {
    switch key {
    case .quit: isOver = true
    case .pause: isPaused.toggle()
    case .back: time = max(0, time - Self.step)
    case .forward: time = min(duration, time + Self.step)
    case .restart: time = 0
    case .longer: change.durationFactor = min(16, change.durationFactor * 1.25)
    case .shorter: change.durationFactor = max(1.0 / 16, change.durationFactor / 1.25)
    case .bouncier: change.bounce = min(1, change.bounce + 0.1)
    case .flatter: change.bounce = max(-1, change.bounce - 0.1)
    case .theme: theme = theme == .dark ? .light : .dark
    }
  }

  /// Lets real time pass; at the scene's end it starts again.
  mutating func pass(_ seconds: Double) {
    guard !isPaused else { return }
    time += seconds
    if time >= duration { time = 0 }
  }

  /// The last line of the screen, cut to a number of columns.
  func status(name: String, _ tracks: BatchWork.Tracks, columns: Int) -> String {
    let bounce = (change.bounce < 0 ? "−" : "+") + NumberText.fixed(abs(change.bounce), decimals: 1)
    let text =
      "\(isPaused ? "‖" : "▶") \(name)  \(NumberText.fixed(time, decimals: 1)) of \(NumberText.fixed(duration, decimals: 1)) s"
      + "  springs × \(NumberText.fixed(change.durationFactor, decimals: 2)), bounce \(bounce)"
      + "  \(tracks.all - tracks.atRest) of \(tracks.all) move"
      + "   space pause  ← → seek  [ ] duration  ↑ ↓ bounce  t theme  q quit"
    return String(text.prefix(max(0, columns)))
  }
}
