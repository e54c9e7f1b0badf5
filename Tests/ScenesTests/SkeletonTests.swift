// SPDX-License-Identifier: MIT
@testable import Formats
import Foundation
import TestSupport
import Testing

@testable import Scenes

struct SkeletonTests {
  /// An arm of two bones of length 2: the upper one turns about z, the lower one about z too.
  private static let arm = Fixtures.path("Scenes/arm.bvh")

  private func pose(_ skeleton: Skeleton, _ values: [Float]) -> [SIMD3<Float>] {
    var (positions, transforms): ([SIMD3<Float>], [Transform]) = ([], [])
    skeleton.pose({ values[$0] }, into: &positions, &transforms)
    return positions
  }

  @Test func motionCaptureMovesItsBones() throws {
    let recording = try Recording(path: Self.arm)
    let skeleton = try #require(recording.skeleton)
    #expect(skeleton.width == 5 && skeleton.bones.map { [$0.from, $0.to] } == [[0, 1], [1, 2]])
    // The upper bone points to −x after a quarter turn, the lower one turns back upwards.
    let wanted: [SIMD3<Float>] = [[1, 0, 0], [-1, 0, 0], [-1, 2, 0]]
    for (position, wanted) in zip(pose(skeleton, recording.values), wanted) {
      let difference: SIMD3<Float> = position - wanted
      #expect((difference * difference).sum() < 1e-9, "\(position), not \(wanted)")
    }
  }

  @Test func theNodesOfAFileAreASkeleton() throws {
    let playable = try SceneSource.load(Fixtures.path("fox.gltf"))
    let rigs = try #require(playable.rigs)
    #expect(rigs.skeleton.bones.count > 15)
    for (index, joint) in rigs.skeleton.joints.enumerated() { #expect((joint.parent ?? -1) < index) }
    let stage = try SceneStage(playable)
    var player = try ScenePlayer(playable)
    try player.advance(to: 0.5)
    var marks = SceneMarks()
    try stage.groups[0].fill(&marks, group: 0, from: player, velocities: false)
    #expect(marks.x.count == playable.scene.groups[0].count * rigs.skeleton.joints.count)
    #expect(marks.z.allSatisfy { $0.isFinite })
  }

  /// Nodes whose children go round in a circle, claim a node twice, do not exist, or are none.
  @Test func aTreeThatIsNoneHasNoEnd() throws {
    let nodes = """
      [{"children": [1, 2, 99, -1]}, {"children": [2]}, {"children": [2, 0.5]}, {"children": [4]}, {"children": [3]},
      {"children": 7}, {"children": "x"}, {"children": [[]]}]
      """
    let fixture = URL(fileURLWithPath: Fixtures.path("animated_triangle.gltf"))
    var file = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: fixture)) as? [String: Any])
    file["nodes"] = try JSONSerialization.jsonObject(with: Data(nodes.utf8))
    let document = try GLTFDocument(Array(try JSONSerialization.data(withJSONObject: file)), folder: nil)
    let scene = try GLTFScene(document)
    let skeleton = Skeleton(scene.document.nodes, width: 0) { _, _, _ in nil }
    #expect(skeleton.joints.count == 6)
    let parents = skeleton.joints.map(\.parent)
    #expect(parents.prefix(3) == [nil, 0, 1] || parents.prefix(3) == [nil, 0, 0])
  }
}
