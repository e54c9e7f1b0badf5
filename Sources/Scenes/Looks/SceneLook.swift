// SPDX-License-Identifier: MIT
package import Formats

/// How a scene looks in a picture, apart from its groups: the camera, the background, trails, and a moment to show.
package struct SceneLook: Equatable, Sendable, Decodable {
  /// The camera; nil for one that sees all of the scene, from above in two dimensions.
  package var camera: CameraDescription?
  /// The background; nil for plain dark and plain light.
  package var background: BackgroundDescription?
  /// The seconds after which half of a mark's trail has faded; 0 for no trails.
  package var trail: Double
  /// The moment, in seconds, that a single picture shows; nil for the middle of the scene.
  package var still: Double?

  /// The keys of a look.
  package enum Key: String, CodingKey, CaseIterable { case camera, background, trail, still }

  /// A look put together in code.
  package init(
    camera: CameraDescription? = nil, background: BackgroundDescription? = nil, trail: Double = 0, still: Double? = nil
  ) {
    self.camera = camera
    self.background = background
    self.trail = trail
    self.still = still
  }

  /// Reads a look, strictly.
  package init(from decoder: any Decoder) throws(DescriptionError) {
    let fields = try StrictFields<Key>(decoder)
    camera = try fields.optional(.camera)
    background = try fields.optional(.background)
    trail = try fields.number(.trail, NumberRule("in [0, 60]") { (0...60).contains($0) }, default: 0)
    still = try fields.optionalNumber(.still, .sceneTime)
  }
}

/// Where a picture is seen from.
package struct CameraDescription: Equatable, Sendable, Decodable {
  /// The lower and the upper corner of the box that the camera keeps in the picture, three numbers each; nil for a box
  /// around all marks.
  package var bounds: [SIMD3<Double>]?
  /// Degrees about the vertical, and above the plane; nil for straight down in two dimensions, and a view from the side
  /// in three.
  package var azimuth: Double?
  package var elevation: Double?
  /// The angle of the picture from top to bottom, in degrees; 0 for parallel rays, nil for 0 in two dimensions.
  package var lens: Double?
  /// The rounds about the scene, per second.
  package var turns: Double

  /// The keys of a camera.
  package enum Key: String, CodingKey, CaseIterable { case bounds, azimuth, elevation, lens, turns }

  /// A camera put together in code.
  package init(bounds: [SIMD3<Double>]? = nil, elevation: Double? = nil) {
    self.bounds = bounds
    self.elevation = elevation
    turns = 0
  }

  /// Reads a camera, strictly.
  package init(from decoder: any Decoder) throws(DescriptionError) {
    let fields = try StrictFields<Key>(decoder)
    bounds = try CameraDescription.readBounds(fields)
    azimuth = try fields.optionalNumber(.azimuth, NumberRule("within ±360") { abs($0) <= 360 })
    elevation = try fields.optionalNumber(.elevation, NumberRule("in [-90, 90]") { abs($0) <= 90 })
    lens = try fields.optionalNumber(.lens, NumberRule("0 or in [1, 120]") { $0 == 0 || (1...120).contains($0) })
    turns = try fields.number(.turns, NumberRule("within ±10") { abs($0) <= 10 }, default: 0)
  }

  private static func readBounds(_ fields: StrictFields<Key>) throws(DescriptionError) -> [SIMD3<Double>]? {
    guard let corners: [[Double]] = try fields.optional(.bounds) else { return nil }
    guard corners.count == 2 else {
      throw fields.error(.bounds, "must hold 2 corners, the lower and the upper, holds \(corners.count)")
    }
    for (index, corner) in corners.enumerated() {
      guard (2...3).contains(corner.count) else {
        throw DescriptionError(
          path: fields.path(.bounds) + [.index(index)], reason: "must hold 2 or 3 numbers, holds \(corner.count)")
      }
      for (axis, number) in corner.enumerated() {
        try NumberRule.coordinate.check(number, at: fields.path(.bounds) + [.index(index), .index(axis)])
      }
    }
    let points = corners.map { SIMD3($0[0], $0[1], $0.count == 3 ? $0[2] : 0) }
    guard points[0].x < points[1].x, points[0].y < points[1].y, points[0].z <= points[1].z else {
      throw fields.error(.bounds, "must hold the lower corner and then the upper one")
    }
    return points
  }
}

/// The ground of a picture: colours for a dark and for a light picture.
package struct BackgroundDescription: Equatable, Sendable, Decodable {
  /// One colour, or the colours at the top and at the bottom.
  package var dark: [RGB]
  package var light: [RGB]
  /// Whether marks darken the dark background too, as birds do the evening sky.
  package var isInked: Bool

  /// The keys of a background.
  package enum Key: String, CodingKey, CaseIterable { case dark, light, ink }

  /// The plain background.
  package static let plain = BackgroundDescription(
    dark: [RGB(11, 14, 24), RGB(5, 6, 12)], light: [RGB(252, 252, 249)], isInked: false)

  /// A background put together in code.
  package init(dark: [RGB], light: [RGB], isInked: Bool) {
    (self.dark, self.light) = (dark, light)
    self.isInked = isInked
  }

  /// Reads a background, strictly.
  package init(from decoder: any Decoder) throws(DescriptionError) {
    let fields = try StrictFields<Key>(decoder)
    dark = try fields.colours(.dark, count: 1...2) ?? BackgroundDescription.plain.dark
    light = try fields.colours(.light, count: 1...2) ?? BackgroundDescription.plain.light
    isInked = try fields.optional(.ink) ?? false
  }
}
