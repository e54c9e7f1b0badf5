internal import ArgumentParser

struct PlotCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "plot", abstract: "Draws.")
}
