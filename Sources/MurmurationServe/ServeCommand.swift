// SPDX-License-Identifier: MIT
import ArgumentParser
import Foundation

/// `murmuration-serve`: shows the page that runs the engine in the browser.
@main
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "murmuration-serve",
    abstract: "Serves the page that runs the engine in the browser, to this computer alone.",
    discussion: """
      Scripts/build-web makes the folder. The server listens on 127.0.0.1, reads files, and writes nothing. Requests for \
      anything outside the folder, for another host or from another site's pages are refused.

      EXAMPLE:
        Scripts/build-web && swift run murmuration-serve
      """)

  @Option(help: ArgumentHelp("The port to listen on; 0 takes any that is free.", valueName: "number"))
  var port: UInt16 = 8080

  @Option(
    help: ArgumentHelp("The folder to serve.", valueName: "path"), completion: .directory)
  var folder = ".build/web"

  func run() async throws {
    guard let files = ServedFolder(folder) else {
      throw ValidationError("there is no folder \(folder); Scripts/build-web makes .build/web")
    }
    let server = try PageServer(files, port: port)
    try await server.run { port in
      print("http://127.0.0.1:\(port)/")
      fflush(nil)
    }
  }
}
