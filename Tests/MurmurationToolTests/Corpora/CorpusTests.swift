// SPDX-License-Identifier: MIT
@testable import Formats
import Foundation
import Scenes
import TestSupport
import Testing

/// The corpora of the fuzzer, which are files for each reader of the tool, read and played as the fuzzer does it.
///
/// Each file is accepted unless its name starts with “refused”, so that a corpus cannot silently become a heap of mistakes.
struct CorpusTests {
  struct File: CustomTestStringConvertible {
    let target: FuzzTarget
    let url: URL
    var testDescription: String { "\(target.rawValue)/\(url.lastPathComponent)" }
  }

  static let files: [File] = FuzzTarget.allCases.flatMap { target in
    let folder = corpora.appendingPathComponent(target.rawValue)
    let found = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    return found.sorted { $0.path < $1.path }.map { File(target: target, url: $0) }
  }

  private static let corpora = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fixtures/Corpora")

  @Test(arguments: files) func filesAreTakenOrRefusedAsTheirNamesSay(_ file: File) throws {
    let folder = try TemporaryFolder()
    FuzzTarget.prepare(folder.url.path)
    let bytes = Array(try Data(contentsOf: file.url))
    var refusal: FileError?
    do throws(FileError) {
      try file.target.read(bytes, in: folder.url.path)
    } catch {
      refusal = error
    }
    // Networks move with OpenBLAS alone. GroupSceneTests demands this reason only where it is missing.
    if refusal?.reason.contains("OpenBLAS") == true { return }
    let isMeant = file.url.lastPathComponent.hasPrefix("refused")
    #expect((refusal != nil) == isMeant, "\(refusal?.description ?? "taken")")
  }

  @Test(arguments: FuzzTarget.allCases) func everyReaderHasFilesOfBothKinds(_ target: FuzzTarget) {
    let names = Self.files.filter { $0.target == target }.map(\.url.lastPathComponent)
    #expect(names.contains { $0.hasPrefix("refused") } && names.contains { !$0.hasPrefix("refused") })
  }
}
