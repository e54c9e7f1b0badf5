// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// The built executable, run as a process: its exit status and both of its streams.
struct ToolProcess {
  /// How a run ended. A process that a signal ended has its number, negative, as status.
  struct Outcome {
    var status: Int32
    var output: String
    var errors: String
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
    let inputURL = inputPath.map { URL(fileURLWithPath: $0) } ?? folder.file("stdin", Data(input.utf8))
    process.standardInput = try FileHandle(forReadingFrom: inputURL)
    let outputURL = outputPath.map { URL(fileURLWithPath: $0) } ?? folder.file("stdout", Data())
    let errorURL = folder.file("stderr", Data())
    process.standardOutput = try FileHandle(forWritingTo: outputURL)
    process.standardError = try FileHandle(forWritingTo: errorURL)
    try process.run()
    process.waitUntilExit()
    let status = process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    let output = outputPath == nil ? try String(contentsOf: outputURL, encoding: .utf8) : ""
    return Outcome(status: status, output: output, errors: try String(contentsOf: errorURL, encoding: .utf8))
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

  private static func isDirectory(_ url: URL) -> Bool {
    (try? FileManager.default.attributesOfItem(atPath: url.path)[.type] as? FileAttributeType) == .typeDirectory
  }
}

/// A folder that is gone when the test is.
final class TemporaryFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("murmuration-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The path of a name in the folder.
  func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// Writes a file to the folder.
  func file(_ name: String, _ data: Data) -> URL {
    let place = url.appendingPathComponent(name)
    _ = FileManager.default.createFile(atPath: place.path, contents: data)
    return place
  }

  /// A new folder with a text in it, and the path of that file.
  static func with(_ name: String, _ text: String) throws -> (TemporaryFolder, String) {
    let folder = try TemporaryFolder()
    return (folder, folder.write(name, text))
  }

  /// Writes a text to the folder and returns the path of the file.
  func write(_ name: String, _ text: String) -> String { file(name, Data(text.utf8)).path }

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

  /// The bytes of a file in the folder.
  func data(_ name: String) throws -> Data { try Data(contentsOf: url.appendingPathComponent(name)) }

  /// The text of a file in the folder.
  func text(_ name: String) throws -> String { String(decoding: try data(name), as: UTF8.self) }

  /// The names of everything in the folder.
  var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted() }
}
