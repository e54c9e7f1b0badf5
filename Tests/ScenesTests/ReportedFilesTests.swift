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

  private static func names(_ joints: [(name: String, kinds: String)]) -> [String] {
    joints.flatMap { joint in
      joint.kinds.map { "\(joint.name).\($0.isUppercase ? "\($0)position" : "\($0.uppercased())rotation")" }
    }
  }
  /// Two poses of a hip and a knee, of which the second is the first with other signs.
  private static let poses: [Float] = [0, 10, 0, 1, 2, 3, 4, 5, 6, 1, 10, 0, -1, -2, -3, -4, -5, -6]
  private static let bothMove: [Float] = [
    0, 10, 0, 1, 2, 3, 0, -4, 0, 4, 5, 6, 1, 10, 0, -1, -2, -3, 0, -4, 0, -4, -5, -6,
  ]
  private static let blender: [Float] = [
    0, 10, 0, 1.5, -2.5, 3, 0, 0, 45, 0.25, 10.125, -0.5, 0, 0, 0, 6, 7, 8,
  ]

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
    "23-bvh-writers/blender.bvh":
      .read(9, blender, names: names([("Hips", "XYZxyz"), ("Knee.L", "xyz")]), rate: 24),
    "23-bvh-writers/blender-6.bvh": .read(
      12, [0, 10, 0, 1.5, -2.5, 3, 0, -4, 0, 6, 7, 8], names: names([("Hips", "XYZxyz"), ("Knee.L", "XYZxyz")]),
      rate: 24),
    "23-bvh-writers/mixamo.bvh":
      .read(9, poses, names: names([("mixamorig:Hips", "XYZzyx"), ("mixamorig:LeftLeg", "zyx")]), rate: 30),
    "23-bvh-writers/motionbuilder.bvh":
      .read(12, bothMove, names: names([("Hips", "XYZzxy"), ("LeftLeg", "XYZzxy")]), rate: 30),
    "23-bvh-writers/two-roots.bvh": .read(
      12, [0, 10, 0, 1, 2, 3, 3, 0, 0, 4, 5, 6], names: names([("Actor", "XYZzxy"), ("Prop:Ball 1", "XYZyxz")]),
      rate: 60),
    "23-bvh-writers/one-line-braces.bvh": .read(9, poses, names: channels, rate: 40),
    "23-bvh-writers/no-channels.bvh":
      .read(6, [0, 10, 0, 1, 2, 3], names: names([("Hips", "XYZzxy")]), rate: 120),
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

  /// The positions of joints. Channels of position replace offsets; the first channel of rotation turns last.
  @Test(
    arguments: [
      // A knee 4 below the hip, and a tip 4 below the knee, all turned by 1.5°, −2.5° and 3° about x, y and z in this order.
      ("blender", 3, [0, 10, 0]), ("blender-6", 3, [0, 10, 0]), ("mixamo", 3, [0, 10, 0]),
      ("motionbuilder", 3, [0, 10, 0]),
      ("two-roots", 4, [0, 10, 0]), ("one-line-braces", 3, [0, 10, 0]), ("no-channels", 4, [0, 0, 0]),
    ] as [(String, Int, SIMD3<Float>)])
  func skeletonsOfWritersStandRight(_ name: String, _ joints: Int, _ root: SIMD3<Float>) throws {
    let recording = try Recording(path: "\(Self.folder)/23-bvh-writers/\(name).bvh")
    let skeleton = try #require(recording.skeleton)
    #expect(skeleton.joints.count == joints)
    #expect(try Recording(bvh: recording.bvh()) == recording)
    var (positions, transforms) = ([SIMD3<Float>](), [Transform]())
    skeleton.pose({ recording.value(frame: 0, channel: $0) }, into: &positions, &transforms)
    #expect(positions[0] == root)
    for (index, joint) in skeleton.joints.enumerated() {
      guard let parent = joint.parent else { continue }
      let arm = positions[index] - positions[parent]
      let length: Float = name == "no-channels" ? [0, 10, 1, 4][index] : name == "two-roots" && index == 3 ? 1 : 4
      #expect(abs((arm * arm).sum().squareRoot() - length) < 1e-5)
    }
    guard name.hasPrefix("blender") else { return }
    // R = X(1.5°) · Y(−2.5°) · Z(3°), applied to (0, −4, 0).
    let (a, b, c) = (1.5 * Double.pi / 180, -2.5 * Double.pi / 180, 3 * Double.pi / 180)
    let turned: [Double] = [
      -sin(c) * cos(b), cos(a) * cos(c) - sin(a) * sin(b) * sin(c), sin(a) * cos(c) + cos(a) * sin(b) * sin(c),
    ]
    for axis in 0..<3 { #expect(abs(Double(positions[1][axis] - root[axis]) + 4 * turned[axis]) < 1e-5) }
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
