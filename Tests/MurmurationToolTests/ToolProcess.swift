// SPDX-License-Identifier: MIT
import Foundation
import TestSupport
import Testing

/// The built executable, run as a process: its exit status and both of its streams.
struct ToolProcess {
  /// How a run ended. A process that a signal ended has its number, negative, as status.
  struct Outcome {
    var status: Int32
    var output: String
    var errors: String

    /// The output as JSON.
    var json: JSONValue {
      get throws { try JSONDecoder().decode(JSONValue.self, from: Data(output.utf8)) }
    }

    /// Expects that each of some words stands in the output.
    func expect(_ parts: String..., sourceLocation: SourceLocation = #_sourceLocation) {
      for part in parts { #expect(output.contains(part), "“\(part)”: \(output)", sourceLocation: sourceLocation) }
    }
  }

  /// The executable, which stands beside the test bundle.
  static func executable() throws -> URL {
    var candidates = [URL(fileURLWithPath: CommandLine.arguments[0])]
    if let running = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") {
      candidates.append(URL(fileURLWithPath: running))
    }
    candidates += Bundle.allBundles.map(\.bundleURL)
    let places = candidates.flatMap { [$0.deletingLastPathComponent(), $0] }
      .map { $0.appendingPathComponent("murmuration") }
    return try #require(
      places.first { FileManager.default.isExecutableFile(atPath: $0.path) && !isDirectory($0) },
      "the executable murmuration is not beside the test bundle")
  }

  /// Runs the tool, or another program, with `input` on standard input, and with standard output to `outputPath` instead
  /// of here if given.
  static func run(
    _ arguments: [String], input: String = "", outputPath: String? = nil, inputPath: String? = nil,
    environment: [String: String] = [:], program: String? = nil
  ) throws -> Outcome {
    let folder = try TemporaryFolder()
    let process = Process()
    process.executableURL = try program.map { URL(fileURLWithPath: $0) } ?? executable()
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    // Files instead of pipes: nothing waits for a reader.
    let inputURL = URL(fileURLWithPath: inputPath ?? folder.write("stdin", input))
    process.standardInput = try FileHandle(forReadingFrom: inputURL)
    process.standardOutput = try FileHandle(
      forWritingTo: URL(fileURLWithPath: outputPath ?? folder.write("stdout", "")))
    process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.write("stderr", "")))
    try process.run()
    process.waitUntilExit()
    let status = process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    let output = outputPath == nil ? try folder.text("stdout") : ""
    return Outcome(status: status, output: output, errors: try folder.text("stderr"))
  }

  /// Runs the tool, which must succeed.
  @discardableResult
  static func succeed(
    _ arguments: [String], input: String = "", environment: [String: String] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Outcome {
    let outcome = try run(arguments, input: input, environment: environment)
    #expect(outcome.status == 0, "\(arguments): \(outcome.errors)", sourceLocation: sourceLocation)
    return outcome
  }

  /// Runs the tool, which must end with a status and say some words, or exactly these, with nothing on standard output.
  static func refuse(
    _ arguments: [String], status: Int32 = 1, _ words: String..., exactly: Bool = false, input: String = "",
    outputPath: String? = nil, inputPath: String? = nil, environment: [String: String] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let outcome = try run(
      arguments, input: input, outputPath: outputPath, inputPath: inputPath, environment: environment)
    let isSaid = words.allSatisfy { exactly ? outcome.errors == $0 : outcome.errors.contains($0) }
    #expect(
      outcome.status == status && isSaid && outcome.output.isEmpty, "\(arguments): \(outcome)",
      sourceLocation: sourceLocation)
  }

  /// The words of a command line, in which '…' is one word.
  static func words(_ line: String) -> [String] {
    line.split(separator: "'", omittingEmptySubsequences: false).enumerated().flatMap { place, part in
      place % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
    }
  }

  private static func isDirectory(_ url: URL) -> Bool {
    (try? FileManager.default.attributesOfItem(atPath: url.path)[.type] as? FileAttributeType) == .typeDirectory
  }
}

extension TemporaryFolder {
  /// Copies a program to the folder, where it can be run.
  ///
  /// Another process copies it. A file that is open for writing cannot be run, and a process that another test starts
  /// meanwhile would hold a file of ours open.
  func install(_ program: String, as name: String) throws {
    let copy = try Process.run(
      URL(fileURLWithPath: "/usr/bin/env"), arguments: ["install", "-m", "755", program, path(name)])
    copy.waitUntilExit()
    try #require(copy.terminationStatus == 0)
  }
}
