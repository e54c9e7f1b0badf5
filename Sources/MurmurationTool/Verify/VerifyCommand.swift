internal import ArgumentParser
internal import CrossCheck
internal import Murmuration

struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "verify", abstract: "x")
  @Option var samples = 100_000
  func run() throws {
    let c = KernelCheck(sets: KernelSet.available)
    for r in SpringRegime.allCases {
      for x in c.mixed(r, samples: samples, seed: 1) + c.cohort(r, samples: samples, seed: 2) {
        print(x.passed ? "ok  " : "FAIL", x.name, x.isa, x.samples, x.maxError, x.unit, x.passed ? "" : x.worst)
      }
    }
  }
}
