// SPDX-License-Identifier: MIT
import ArgumentParser
import Formats
import Foundation

/// `murmuration serve`: hands over to the program `murmuration-serve` beside the tool. It is a program of its own, so that
/// the tool is built without a web server.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serves the page that runs the engine in the browser, to this computer alone.",
    discussion: """
      Runs the program murmuration-serve, which is built beside this one, with the same arguments.

      EXAMPLE:
        murmuration serve --port 8080
      """)

  @Argument(parsing: .captureForPassthrough, help: "The arguments of murmuration-serve.")
  var arguments: [String] = []

  func run() throws {
    guard let folder = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent() else {
      throw FileError("the folder of murmuration is unknown")
    }
    let program = folder.appendingPathComponent("murmuration-serve").path
    var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) }
    words.append(nil)
    // The program takes the place of this one, with its streams, signals and status.
    execv(program, words)
    let reason = String(cString: strerror(errno))
    throw FileError(
      file: program, "cannot be run: \(reason); “swift build -c release --product murmuration-serve” builds it")
  }
}
