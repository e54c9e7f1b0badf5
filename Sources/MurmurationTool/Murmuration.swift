internal import ArgumentParser

@main
struct MurmurationCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "murmuration", abstract: "Animates many values at once.",
    subcommands: [VerifyCommand.self, BenchCommand.self])
}
