// SPDX-License-Identifier: MIT
import ArgumentParser
import Murmuration

/// The options of every command that plays a scene.
struct PlayOptions: ParsableArguments {
  @Option(parsing: .unconditional, help: "Frames per second of the output.")
  var fps: Double?

  @Option(parsing: .unconditional, help: "Threads that each batch may use, 1 to 64. The frames do not depend on it.")
  var threads = 1

  @Option(parsing: .unconditional, help: "Draw everything random from this seed.")
  var seed: UInt64?

  @Option(
    help: ArgumentHelp("The instruction set: portable, avx2 or avx512.", valueName: "isa"),
    transform: { try KernelSet(named: $0) })
  var isa: KernelSet?
}
