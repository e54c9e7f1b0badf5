// SPDX-License-Identifier: MIT
import ArgumentParser
import Formats

/// The destination of results: the same options for every command.
struct OutputOptions: ParsableArguments {
  @Option(
    name: [.short, .long], help: ArgumentHelp("Write the result to this file.", valueName: "file"),
    completion: .file())
  var output: String?

  @Flag(help: "Show no progress, and print nothing about a result that a file holds.")
  var quiet = false

  @Flag(help: "Print one JSON object, and nothing else, on standard output.")
  var json = false

  func validate() throws {
    guard !(json && quiet) else { throw ValidationError("--json goes without --quiet") }
  }

  /// The file that is asked for, by a command that cannot do without.
  ///
  /// - Parameter example: A name to suggest.
  func path(_ example: String) throws -> String {
    guard let output else { throw ValidationError("name the file to write: -o \(example)") }
    return output
  }

  /// Refuses a file that cannot be written, before minutes of work whose result it would take.
  func check() throws {
    guard let output else { return }
    guard output != "-" else { throw ValidationError("--output: name a file; --json prints on standard output") }
    _ = try OutputFile(output)
  }

  /// Prints the outcome of a command as the options ask: an object, text, or nothing if it is in a file.
  func print(_ text: @autoclosure () -> String, json value: @autoclosure () -> some Encodable) throws {
    if json {
      try StandardOutput.write(try JSONText.of(value()))
    } else if !quiet || output == nil {
      try StandardOutput.write(text())
    }
  }

  /// Writes a text to the file at `path`, whole or not at all.
  static func write(_ text: String, to path: String) throws(FileError) {
    var file = try OutputFile(path)
    try file.write(text.utf8)
    try file.finish()
  }
}
