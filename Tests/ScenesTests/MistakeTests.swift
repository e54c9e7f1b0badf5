// SPDX-License-Identifier: MIT
import AnimationModel
import TestSupport
import Testing

@testable import Formats
@testable import Scenes

/// Readers refuse the mistakes of `Tests/Fixtures/Tables/mistakes.txt`.
///
/// The last cell of a row is the beginning of the error, or after … any part of it. The cells before it are the text, or a part
/// of a good text and what stands there instead.
struct MistakeTests {
  private static let tables = TextTable.all(in: "mistakes.txt")

  @Test func theTablesAreThere() {
    #expect(Self.tables.count == 20 && Self.tables.reduce(0) { $0 + $1.rows.count } > 400)
  }

  @Test(arguments: tables) func mistakesAreNamed(_ table: TextTable) {
    for row in table.rows {
      var found = "accepted"
      do { try read(table.name, row) } catch { found = "\(error)" }
      let words = row[row.count - 1]
      let isNamed = words.hasPrefix("…") ? found.contains(words.dropFirst()) : found.hasPrefix(words)
      #expect(isNamed, "\(row): \(found)")
    }
  }

  private func read(_ table: String, _ cells: [String]) throws {
    let text = Array(cells[0].utf8)
    switch table {
    case "curve": _ = try JSONDocument.decode(CurveDescription.self, from: text)
    case "spring": _ = try JSONDocument.decode(SpringDescription.self, from: text)
    case "track": _ = try JSONDocument.decode(TrackDescription.self, from: text)
    case "stagger": _ = try JSONDocument.decode(StaggerDescription.self, from: text)
    case "easing of CSS": _ = try UnitCurve(css: cells[0])
    case "CSV": _ = try Recording(csv: text)
    case "BVH": _ = try Recording(bvh: changed(BVHReaderTests.small, cells))
    case "scenes": _ = try SceneSource.decode(text)
    case "looks": _ = try SceneLookTests.scene(cells[0], group: cells[1])
    case "glTF":
      let fixture = GLTFFixture.small()
      let json = String(decoding: try changed(fixture.json(uri: nil), cells), as: UTF8.self)
      _ = try GLTFDocument(GLTFFixture.binary(json: json, buffer: fixture.buffer))
    case "glTF nodes": _ = try GLTFNodesTests.document(cells[0]).hierarchy()
    case "glTF skins":
      let matrix = #", {"componentType": 5126, "count": 1, "type": "MAT4""#
      // The animation is read none the less.
      let document = try GLTFNodesTests.document(
        "[{}, {}]", skins: "[\(cells[0])]", accessors: "\(matrix)}\(matrix), \"bufferView\": 5}")
      #expect(fileError { _ = try document.skin(1) } != nil)
      _ = try document.skin()
    case "glTF pointers": _ = try GLTFPointerTests.document([(cells[0], "STEP", [0, 0], "SCALAR")])
    default: _ = try SceneSource.decode(changed(sceneText(table.replacing("scene ", with: "")), cells))
    }
  }

  /// A text with the second cell in place of the first.
  private func changed(_ text: String, _ cells: [String]) throws -> [UInt8] {
    let changed = text.replacing(cells[0], with: cells[1], maxReplacements: 1)
    try #require(changed != text, "“\(cells[0])” is not there")
    return Array(changed.utf8)
  }
}
