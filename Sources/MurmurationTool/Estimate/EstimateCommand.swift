// SPDX-License-Identifier: MIT
import ArgumentParser
import Murmuration
import Scenes
import Text

/// `murmuration estimate`: says what the frames of a scene cost, as a sum.
struct EstimateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "estimate",
    abstract: "Says what the frames of a scene cost, as a sum whose terms are measured on this machine.",
    discussion: """
      The scene is played once, and what its frames do is counted: advances of batches, tiles of sixteen tracks by their \
      kernels, and due tracks. Each of these is then measured alone: tracks that do nothing else, with \
      the same number of components, in the second-level cache or beyond it. The busiest frame is the one with the largest sum.

      Calls between frames, such as retargets, are not in it, nor are the products of networks; a frame has one thread.

      --check measures the frames of the scene too. It fails if the mean of the estimates is not within 30 % of theirs.

      EXAMPLES:
        murmuration estimate murmuration
        murmuration estimate meadow --tracks 100000 --check
      """)

  @OptionGroup var scene: SceneArgument

  @Flag(help: "Measure the frames of the scene too; an estimate beyond 30 % is a failure.")
  var check = false

  @OptionGroup var playing: SceneOptions

  @OptionGroup var output: OutputOptions

  func validate() throws {
    _ = try scene.name()
    try playing.requireCountOfTracks()
    guard playing.play.threads == 1 else { throw ValidationError("estimate goes without --threads") }
    guard output.output == nil else { throw ValidationError("estimate goes without --output") }
  }

  func run() throws {
    Interruption.watch()
    let (playable, frames) = try playing.load(scene.name())
    let estimate = try SceneEstimate(
      playable, frames: frames, kernels: playing.kernels(), checks: check, isQuiet: output.quiet)
    try output.print(estimate.text, json: estimate.report)
    guard let ratio = estimate.mean.ratio, !(0.7...1.3 ~= ratio) else { return }
    throw EstimateFailure(ratio: ratio)
  }
}

/// An estimate that is not what was measured.
struct EstimateFailure: Error, CustomStringConvertible {
  let ratio: Double

  var description: String {
    "the estimate is \(NumberText.fixed(ratio, decimals: 2)) times what was measured; 0.70 to 1.30 are within its bound"
  }
}
