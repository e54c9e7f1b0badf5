// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// `serve` becomes the program beside the tool.
@Suite struct ServeProcessTests {
  /// Runs a copy of the tool in a folder of its own, beside a program or none.
  private func serve(_ arguments: [String], program: String?) throws -> ToolProcess.Outcome {
    let folder = try TemporaryFolder()
    try folder.install(ToolProcess.executable().resolvingSymlinksInPath().path, as: "murmuration")
    if let program { try folder.install(folder.write("program", program), as: "murmuration-serve") }
    return try ToolProcess.run(["serve"] + arguments, program: folder.path("murmuration"))
  }

  @Test func itPassesArgumentsAndStatusOn() throws {
    let program = "#!/bin/sh\nprintf '<%s>' \"$@\"\necho words >&2\nexit 7\n"
    let outcome = try serve(["--port", "0", "--folder", "a b", "--help", "--", "-x"], program: program)
    #expect(outcome.output == "<--port><0><--folder><a b><--help><--><-x>")
    #expect(outcome.errors == "words\n" && outcome.status == 7)
    #expect(try serve([], program: "#!/bin/sh\necho $#\n").output == "0\n")
  }

  @Test func withoutTheProgramItSaysHowToBuildIt() throws {
    let outcome = try serve(["--port", "0"], program: nil)
    #expect(outcome.status == 1 && outcome.output.isEmpty)
    #expect(outcome.errors.contains("murmuration-serve: cannot be run: No such file or directory"))
    #expect(outcome.errors.contains("swift build -c release --product murmuration-serve"))
  }
}
