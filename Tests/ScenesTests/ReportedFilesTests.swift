// SPDX-License-Identifier: MIT
@testable import Formats
import Foundation
import TestSupport
import Testing

@testable import Scenes

/// Files as people have them, after bug reports of other programs: each is read with the right numbers, or refused with
/// its file, the place in it and what to do.
struct ReportedFilesTests {
  /// The result of reading a file.
  enum Outcome: Sendable {
    case read(_ channels: Int, _ values: [Float], names: [String] = [], rate: Double? = nil)
    case refused(_ words: String)
  }

  private static let folder = Fixtures.path("Reports")

  /// The frames of most of the BVH files.
  private static let walk: [Float] = [
    0, 10, 0, 0, 0, 0, 5, 0, 0, 1, 10, 0, 10, 20, 30, 6, 0, 0, 2, 10, 0, 20, 40, 60, 7, 0, 0,
  ]
  private static let channels =
    ["Xposition", "Yposition", "Zposition", "Zrotation", "Xrotation", "Yrotation"]
    .map { "Hips.\($0)" } + ["Zrotation", "Xrotation", "Yrotation"].map { "Knee.\($0)" }
  private static let walks = Outcome.read(9, walk, names: channels, rate: 40)
  private static let steps = Outcome.read(9, walk, names: channels, rate: 30)
  private static let scientific: [Float] = [
    0, 10, 0, 1.25358e-05, -2.4148367e-6, 0, 5.665364e-15, 0.5, 1, 1, 10, 0, 100, 0, 0, 0, 0, 0, 2, 10, 0, 0, 0, 0, 0,
    0, 0,
  ]

  private static let table = Outcome.read(2, [0, 10, 1, 11, 2, 12], names: ["x", "y"])
  private static let decimals: [Float] = [0.5, 10.25, 1.5, 11.25]

  private static let array = Outcome.read(3, (0..<12).map { Float($0) })
  private static let bits: [Float] = [0] + [Float](repeating: 1, count: 11)

  static let outcomes: [String: Outcome] = [
    "20-bvh-numbers/decimal-comma.bvh":
      .refused("line 19, value 1: “0,0” is not a finite decimal number; decimals are written with a point"),
    "20-bvh-numbers/glued.bvh":
      .refused("line 19, value 3: “0.0-7.5” is not a finite decimal number; numbers are written apart"),
    "20-bvh-numbers/nan.bvh":
      .refused("line 19, value 4: “nan” is not a finite decimal number; fill in a number, or take the line out"),
    "20-bvh-numbers/scientific.bvh": .read(9, scientific, names: channels, rate: 40),
    "20-bvh-numbers/time-comma.bvh":
      .refused("line 18: Frame Time: “0,033333” is not a finite decimal number; decimals are written with a point"),
    "21-bvh-line-ends/blank-tail.bvh": walks, "21-bvh-line-ends/bom.bvh": walks, "21-bvh-line-ends/cr-only.bvh": walks,
    "21-bvh-line-ends/crlf-no-last.bvh": walks, "21-bvh-line-ends/crlf.bvh": walks,
    "21-bvh-line-ends/no-last-newline.bvh": walks, "21-bvh-line-ends/trailing-space-tabs.bvh": walks,
    "22-bvh-end-site/hierarchy-lower.bvh": walks, "22-bvh-end-site/lower.bvh": walks,
    "22-bvh-end-site/named.bvh": walks, "22-bvh-end-site/upper.bvh": walks,
    "25-bvh-frames/no-time.bvh": .refused("line 18: expected “Frame Time:” and a number"),
    "25-bvh-frames/one-less.bvh":
      .refused("line 17: states 4 frames, holds 3; correct the number, or read them all with --lenient"),
    "25-bvh-frames/one-more.bvh":
      .refused("line 17: states 2 frames, holds 3; correct the number, or read them all with --lenient"),
    "25-bvh-frames/spaces.bvh": steps, "25-bvh-frames/tab.bvh": steps,
    "25-bvh-frames/time-zero.bvh": .refused("line 18: Frame Time: must be from 1e-4 to 1e4 seconds, is 0.0"),
    "25-bvh-frames/zero.bvh": .refused("line 17: Frames: must be a whole number from 1 on, is 0"),
    "30-npy/4d.npy": .refused("has 4 dimensions; save it as [frames], [frames, tracks] or"),
    "30-npy/big-endian.npy": array, "30-npy/bool.npy": .read(3, bits), "30-npy/compressed.npz": array,
    "30-npy/empty.npy": .refused("holds no frame: its shape is [0, 3]"), "30-npy/float16.npy": array,
    "30-npy/fortran-3d.npy": .read(6, (0..<12).map { Float($0) }), "30-npy/fortran.npy": array,
    "30-npy/int64.npy": array, "30-npy/long-suffix.npy": array,
    "30-npy/nan.npy": .refused("byte 148: values must be finite and within ±1e15, is nan"),
    "30-npy/plain.npz": array, "30-npy/scalar.npy": .refused("has 0 dimensions; save it as [frames]"),
    "30-npy/uint8.npy": array, "30-npy/unnamed.npz": array, "30-npy/version2.npy": array,
    "30-npy/version3.npy": array,
    "31-csv/bom-no-header.csv": .read(2, [0, 10, 1, 11, 2, 12]), "31-csv/bom.csv": table,
    "31-csv/comment.csv": .refused("line 1: is a comment, which is not read; take it out"), "31-csv/crlf.csv": table,
    "31-csv/decimal-comma-one-column-no-header.csv":
      .refused("line 1: its commas may be decimal commas; write points, or, if they separate columns, name these"),
    "31-csv/decimal-comma-one-column.csv":
      .refused("line 2: has 2 fields, the first line 1; a decimal comma needs “;” between the fields"),
    "31-csv/empty-field.csv": .refused("line 3, column 2: is empty; fill in a number, or take the line out"),
    "31-csv/follow.json":
      .refused("groups[0].follow.file: \(folder)/31-csv/missing-first.csv: line 1, column 2: “N/A” is not"),
    "31-csv/header-only.csv": .refused("line 1: holds no frame; a line for each is expected"),
    "31-csv/missing-first.csv": .refused("line 1, column 2: “N/A” is not a finite decimal number; fill in a number"),
    "31-csv/missing-second.csv": .refused("line 2, column 2: “N/A” is not a finite decimal number; fill in a number"),
    "31-csv/nan.csv": .refused("line 3, column 2: “nan” is not a finite decimal number; fill in a number"),
    "31-csv/no-last.csv": table, "31-csv/numeric-header.csv": .read(2, [0, 1, 0.5, 10, 1.5, 11]),
    "31-csv/plain.csv": table, "31-csv/quoted-numbers.csv": .read(2, [0, 10, 1, 11], names: ["x", "y"]),
    "31-csv/semicolon-comma-no-header.csv": .read(2, decimals),
    "31-csv/semicolon-comma.csv": .read(2, decimals, names: ["x", "y"]), "31-csv/semicolon.csv": table,
    "31-csv/tabs.csv": .read(2, [0, 10, 1, 11], names: ["x", "y"]), "31-csv/trailing-blank.csv": table,
    "49-gltf-required/draco.gltf":
      .refused("extensionsRequired[0]: “KHR_draco_mesh_compression” is not read; export the file without it"),
    "49-gltf-required/meshopt.gltf":
      .refused("extensionsRequired[0]: “EXT_meshopt_compression” is not read; export the file without it"),
  ]

  private static let files = (FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? [])
    .filter { $0.contains(".") }.sorted()

  @Test func everyFileHasAnOutcome() {
    #expect(Set(Self.files) == Set(Self.outcomes.keys))
  }

  @Test(arguments: files) func filesAreReadRightOrRefusedWithTheirPlace(_ name: String) throws {
    let path = "\(Self.folder)/\(name)"
    switch try #require(Self.outcomes[name]) {
    case .refused(let words):
      let error = fileError { _ = try SceneSource.load(path) }
      // A long path is shortened in the middle; the name of the file stays.
      let place = "\(name.split(separator: "/").last ?? ""): \(words)"
      #expect(error?.description.contains(place) == true, "\(error?.description ?? "taken")")
    case .read(let channels, let values, let names, let rate):
      let recording = try Recording(path: path)
      #expect(recording.channels == channels && recording.values == values && recording.names == names)
      #expect(recording.framesPerSecond == rate && recording.warnings.isEmpty)
      #expect(try SceneSource.load(path).scene.groups[0].count == channels)
    }
  }

  /// The joints of all these files are the same, whatever their letters.
  @Test func endSitesAreReadInCapitalsAndSmallLettersAndWithNames() throws {
    let whole = try Recording(path: "\(Self.folder)/21-bvh-line-ends/crlf.bvh")
    #expect(whole.skeleton?.joints.count == 3)
    for name in ["hierarchy-lower", "lower", "named", "upper"] {
      #expect(try Recording(path: "\(Self.folder)/22-bvh-end-site/\(name).bvh") == whole, "\(name)")
    }
  }

  @Test(arguments: ["one-less", "one-more"]) func otherFramesThanStatedAreReadIfAskedAndReported(
    _ name: String
  ) throws {
    let path = "\(Self.folder)/25-bvh-frames/\(name).bvh"
    let recording = try Recording(path: path, lenient: true)
    #expect(recording.values == Self.walk)
    let words = "\(path): line 17: states \(name == "one-less" ? 4 : 2) frames, holds 3"
    #expect(recording.warnings.map(\.description) == [words])
    #expect(try SceneSource.load(path, lenient: true).warnings == recording.warnings)
    for other in ["zero", "no-time", "time-zero"] {
      #expect(fileError { _ = try Recording(path: "\(Self.folder)/25-bvh-frames/\(other).bvh", lenient: true) } != nil)
    }
  }
}
