// SPDX-License-Identifier: MIT
import ArgumentParser
import Foundation

/// The examples by name. Each is a file of its own, which shows one use of the library and returns a picture of it.
@main
struct Examples: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "Examples", abstract: "Runs an example of the library, and draws it if a file is named.")

  /// The examples, in the order of the documentation.
  static let all: [(name: String, run: @Sendable () throws -> Sketch)] = [
    ("FirstTracks", FirstTracks.run), ("HelloSpring", HelloSpring.run), ("Burst", Burst.run), ("Flock", Flock.run),
    ("Tweens", Tweens.run), ("UIAnimator", UIAnimator.run), ("BarChart", BarChart.run),
    ("PhaseBadges", PhaseBadges.run), ("KeyframeCoins", KeyframeCoins.run), ("DragAndFling", DragAndFling.run),
    ("FoxCrowd", FoxCrowd.run), ("VertexUpload", VertexUpload.run), ("VideoPipe", VideoPipe.run),
    ("Rollback", Rollback.run), ("TimeSlider", TimeSlider.run),
  ]

  @Argument(help: "One of \(all.map(\.name).joined(separator: ", ")).")
  var example: String

  @Option(name: [.short, .long], help: "The .svg file that gets its picture.")
  var output: String?

  func run() throws {
    guard let example = Self.all.first(where: { $0.name.lowercased() == example.lowercased() }) else {
      throw ValidationError("there is no example \(example)")
    }
    let sketch = try example.run()
    guard let output else { return }
    try sketch.svg.write(toFile: output, atomically: true, encoding: .utf8)
    print("\(output) has the picture")
  }
}
