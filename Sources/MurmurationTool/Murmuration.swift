// SPDX-License-Identifier: MIT
import ArgumentParser
import Scenes
import Text

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The command `murmuration`, with a subcommand for each of its jobs.
@main
struct MurmurationCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "murmuration",
    abstract: "Animates thousands to millions of values: springs and keyframes with SwiftUI's names and numbers.",
    discussion: """
      EXAMPLES:
        A flock of 50 000 birds through the kernels, checked against the model:
          murmuration run murmuration --verify
        Its first two seconds in one array, all frames of a bird together:
          murmuration bake murmuration --duration 2 --track-major -o birds.npy
        Values of a spring at three moments, from the reference model:
          echo '{"kind": "spring", "spring": "bouncy", "times": [0, 0.1, 0.2]}' \\
            | murmuration sample
        A picture of three springs:
          murmuration plot bouncy smooth "flattened:bounce=-0.4" -o springs.svg
        The flock as a picture, and live in the terminal:
          murmuration render murmuration -o flock.png
          murmuration watch murmuration
        A spring in the terminal:
          murmuration plot bouncy

      SCENE is a built-in scene (`murmuration run --list-scenes`), a scene file (.json), \
      a recording (.bvh, .csv, .npy, .npz) or a glTF file (.gltf, .glb).

      EXIT STATUS: 0 when all went well; 1 when something failed, with the reason on \
      standard error; 64 for a command line that is not understood; 141 when the reader \
      of standard output went away.
      """,
    version: "0.1.0",
    subcommands: [
      RunCommand.self, EstimateCommand.self, BakeCommand.self, VerifyCommand.self, BenchCommand.self,
      SampleCommand.self, PlotCommand.self,
      RenderCommand.self, WatchCommand.self, ServeCommand.self, ProgramsCommand.self,
    ])

  /// Runs the command line. Its texts and errors pass through the checked output, so that a full disk does not pass for
  /// success.
  static func main() {
    StandardOutput.reportFailedWrites()
    do {
      var command = try command(for: Array(CommandLine.arguments.dropFirst()))
      do { try command.run() } catch let error as ValidationError { finish(with: error, of: type(of: command)) }
      try StandardOutput.flushPrinted()
    } catch {
      finish(with: error)
    }
  }

  /// Ends with the fault that a command has found in its command line when it ran, and says which help to read.
  private static func finish(with error: ValidationError, of command: any ParsableCommand.Type) -> Never {
    let name = command.configuration.commandName ?? ""
    writeToStandardError("Error: \(error.message)\n  See 'murmuration \(name) --help' for more information.")
    Glue.exit(ExitCode.validationFailure.rawValue)
  }

  /// The command that a command line asks for.
  ///
  /// - Throws: An error with the nearest name if there is no such command.
  static func command(for arguments: [String]) throws -> any ParsableCommand {
    let commands = configuration.subcommands.map { $0.configuration }
    let names = commands.filter { $0.shouldDisplay }.compactMap { $0.commandName } + ["help"]
    let isKnown = { name in name == "help" || commands.contains { $0.commandName == name } }
    // `help` shows its own text for a command that it does not know.
    let named = arguments.first == "help" ? arguments.dropFirst().first : arguments.first
    if let name = named, !name.hasPrefix("-"), !isKnown(name) {
      let isScene = SceneSource.names.meant(by: name) != nil
      throw ValidationError(
        "there is no command \(name.printable) (known: \(names.joined(separator: ", ")))"
          + (isScene ? "; did you mean “run \(name)”?" : KnownNames(names).suggestion(for: name)))
    }
    return try parseAsRoot(arguments)
  }

  private static func finish(with error: any Error) -> Never {
    if error as? OutputError == .closedPipe { Glue.exit(141) }
    let code = exitCode(for: error)
    let message = fullMessage(for: error)
    guard code == .success else {
      if !message.isEmpty { writeToStandardError(message) }
      Glue.exit(code.rawValue)
    }
    do {
      try StandardOutput.write(message + "\n")
    } catch {
      if error != .closedPipe { writeToStandardError("Error: \(error)") }
      Glue.exit(error == .closedPipe ? 141 : 1)
    }
    Glue.exit(0)
  }
}

/// The system's `exit`, which the command's own `exit(withError:)` would hide.
private enum Glue {
  static func exit(_ code: Int32) -> Never {
    #if canImport(Glibc)
      Glibc.exit(code)
    #elseif canImport(Musl)
      Musl.exit(code)
    #else
      Darwin.exit(code)
    #endif
  }
}
