// SPDX-License-Identifier: MIT
import Formats
import ModalMotion
import Murmuration

/// Instances of one network of springs: the group's tracks are their points, network after network.
package struct NetworkGroup: Equatable, Sendable {
  /// The network.
  package var network: NetworkDescription
  /// The positions of the middles of the networks; nil if all are in the origin.
  package var start: Layout?
  /// The gestures that move them; nil without any.
  package var gestures: Gestures?

  init(_ fields: StrictFields<SceneGroup.Key>) throws(DescriptionError) {
    network = try fields.value(.network)
    start = try fields.optional(.start)
    gestures = try fields.optional(.gestures)
    if gestures != nil, network.anchors == .none {
      throw fields.error(.gestures, "need a network that is anchored; nothing holds this one")
    }
  }

  /// The number of networks for `count` points; the last one may be shown in part.
  package func instances(of count: Int) -> Int { (count + network.points - 1) / network.points }

  /// The number of times that a network is pulled or let go in a run of `seconds`.
  func changes(in seconds: Double, count: Int) -> Double {
    gestures.map { 2 * (seconds / $0.every + 1) * Double(instances(of: count)) } ?? 0
  }

  func check(count: Int, dimensions: Int, path: [DescriptionError.Step]) throws(DescriptionError) {
    guard dimensions == 1 || dimensions == 3 else {
      throw DescriptionError(
        path: path + [.key("network")],
        reason: "goes with 1 dimension, the displacement, or 3, the place at rest and the displacement; the scene has "
          + "\(dimensions)")
    }
    try start?.check(count: instances(of: count), dimensions: dimensions, path: path + [.key("start")])
  }
}
