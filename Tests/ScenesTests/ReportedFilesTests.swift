// SPDX-License-Identifier: MIT
@testable import Formats
import Foundation
import TestSupport
import Testing

@testable import Scenes

/// Files as people have them, after bug reports of other programs: each is read with the right numbers, or refused with
/// its file, the place in it and what to do.
struct ReportedFilesTests {
  private static let folder = Fixtures.path("Reports")
  /// The names of files, and the words with which they are refused.
  private static let refused = TextTable.rows(of: "refused", in: "reports.txt")
  /// The names of files with the same channels, their number, the frame rate, the names and the values.
  private static let read = TextTable.rows(of: "read", in: "reports.txt")

  @Test func everyFileHasAnOutcome() {
    let files = (FileManager.default.enumerator(atPath: Self.folder)?.compactMap { $0 as? String } ?? [])
      .filter { $0.contains(".") }
    let known = Self.refused.map { $0[0] } + Self.read.flatMap { $0[0].split(separator: " ").map(String.init) }
    #expect(files.sorted() == known.sorted())
  }

  @Test(arguments: refused) func filesAreRefusedWithTheirPlace(_ row: [String]) {
    let error = fileError { _ = try SceneSource.load("\(Self.folder)/\(row[0])") }
    // A long path is shortened in the middle; the name of the file stays.
    let place = "\(row[0].split(separator: "/").last ?? ""): \(row[1].replacing("FOLDER", with: Self.folder))"
    #expect(error?.description.contains(place) == true, "\(error?.description ?? "taken")")
  }

  @Test(arguments: read) func filesAreReadRight(_ row: [String]) throws {
    for name in row[0].split(separator: " ") {
      let recording = try Recording(path: "\(Self.folder)/\(name)")
      #expect("\(recording.channels)" == row[1] && recording.framesPerSecond == Double(row[2]), "\(name)")
      let names = row[3] == "-" ? [] : row[3].split(separator: ",")
      #expect(recording.names == names.map { String($0) }, "\(name)")
      #expect(recording.values == row[4].split(separator: " ").compactMap { Float($0) }, "\(name)")
      #expect(recording.warnings.isEmpty)
      #expect(try SceneSource.load("\(Self.folder)/\(name)").scene.groups[0].count == recording.channels)
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
    #expect(try skeleton.joints.count == joints && Recording(bvh: recording.bvh()) == recording)
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
    #expect(recording.values == (try Recording(path: "\(Self.folder)/21-bvh-line-ends/crlf.bvh")).values)
    let words = "\(path): line 17: states \(name == "one-less" ? 4 : 2) frames, holds 3"
    #expect(recording.warnings.map(\.description) == [words])
    #expect(try SceneSource.load(path, lenient: true).warnings == recording.warnings)
    for other in ["zero", "no-time", "time-zero"] {
      #expect(fileError { _ = try Recording(path: "\(Self.folder)/25-bvh-frames/\(other).bvh", lenient: true) } != nil)
    }
  }
}
