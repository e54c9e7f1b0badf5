// SPDX-License-Identifier: MIT
package import Formats
import Kernels
import Murmuration
package import Render
package import Scenes

/// The two kinds of pictures.
package enum Theme: String, CaseIterable, Sendable {
  case dark, light
}

/// Draws the moments of a scene, each as a player shows it.
package struct ScenePainter {
  private let stage: SceneStage
  private let backdrop: Backdrop
  private let camera: Camera
  private let ramps: [ColourRamp]
  private var raster: Raster
  private var marks = SceneMarks()
  private var screen = ScreenMarks()
  private var corners: [SIMD2<Float>] = []
  private var lastTime: Double?

  /// A painter of pictures of a size.
  package init(_ stage: SceneStage, theme: Theme, width: Int, height: Int) {
    self.stage = stage
    let background = stage.look.background ?? .plain
    let colours = theme == .dark ? background.dark : background.light
    let backdrop = Backdrop(
      top: colours[0], bottom: colours[colours.count - 1], isInked: theme == .light || background.isInked)
    self.backdrop = backdrop
    camera = Camera(stage)
    ramps = stage.groups.map { ColourRamp($0.colours, strength: $0.strength, on: backdrop) }
    raster = Raster(width: width, height: height)
  }

  /// The colour around the pictures of a contact sheet.
  package static func ground(_ stage: SceneStage, theme: Theme) -> RGB {
    let background = stage.look.background ?? .plain
    return theme == .dark ? background.dark[0] : background.light[0]
  }

  /// The seconds for which a mark's trail can be seen.
  package var trailLength: Double { 8 * stage.look.trail }

  /// The picture of what has been painted.
  package var picture: Picture { backdrop.picture(of: raster) }

  /// The colour of a pixel of a row on which nothing is painted.
  package func emptyPixel(row: Int) -> RGB { backdrop.emptyPixel(row: row, of: raster.height) }

  /// Paints the moment at which a player stands, over the trails of the moments painted before.
  ///
  /// - Parameters:
  ///   - time: The moment in seconds; one before the last painted one starts on an empty picture.
  ///   - step: The seconds of a frame. A point leaves a streak along its way in half of a frame, or in the whole frame
  ///     if it has a trail.
  package mutating func paint(_ player: borrowing ScenePlayer, at time: Double, step: Double) throws(FileError) {
    let trail = stage.look.trail
    if trail > 0, let lastTime, lastTime < time, time - lastTime < trailLength {
      raster.fade(by: Float(ReproducibleMath.exp2OfNegative((lastTime - time) / trail)))
    } else {
      raster.clear()
    }
    lastTime = time
    let projection = camera.projection(at: time, width: raster.width, height: raster.height)
    let shutter = Float(trail > 0 ? step : step / 2)
    for (index, group) in stage.groups.enumerated() {
      try group.fill(&marks, group: index, from: player, velocities: group.mark == .point)
      paint(group, ramps[index], projection, shutter: shutter)
    }
  }

  private mutating func paint(_ group: GroupStage, _ ramp: ColourRamp, _ projection: Projection, shutter: Float) {
    let pixels = Float(group.size) * Float(raster.height) / 720
    switch group.mark {
    case .point:
      paintPoints(radius: pixels, ramp, projection, shutter: shutter)
    case .line:
      screen.project(marks, projection)
      paintLines(group.links, width: pixels, ramp)
      if group.links.isEmpty { paintPoints(radius: pixels, ramp, projection, shutter: shutter) }
    case .heart: paintShapes(.heart, height: Float(group.size) * projection.scale, ramp, projection)
    case .disc: paintShapes(.disc, height: Float(group.size) * projection.scale, ramp, projection)
    case .arrow: paintShapes(.arrow, height: Float(group.size) * projection.scale, ramp, projection)
    }
  }

  private mutating func paintPoints(radius: Float, _ ramp: ColourRamp, _ projection: Projection, shutter: Float) {
    let hasVelocities = marks.velocityX.count == marks.x.count && shutter > 0
    for index in marks.x.indices {
      let (x, y, z) = (marks.x[index], marks.y[index], marks.z[index])
      let end = projection(x, y, z)
      guard end.factor > 0 else { continue }
      let radius = radius * end.factor * (marks.size.isEmpty ? 1 : marks.size[index])
      let light = ramp[marks.shade.isEmpty ? 0 : marks.shade[index]]
      if hasVelocities {
        let start = projection(
          x - marks.velocityX[index] * shutter, y - marks.velocityY[index] * shutter,
          z - marks.velocityZ[index] * shutter)
        let (dx, dy) = (end.x - start.x, end.y - start.y)
        let length = (dx * dx + dy * dy).squareRoot()
        let visible = max(radius, Raster.smallestRadius)
        if length > visible {
          // The light of the disc, spread along its way.
          let share = radius * radius / (visible * length)
          raster.addLine(x0: start.x, y0: start.y, x1: end.x, y1: end.y, width: 1.05 * visible, light * share)
          continue
        }
      }
      raster.addDisc(x: end.x, y: end.y, radius: radius, light)
    }
  }

  private mutating func paintLines(_ links: [SIMD2<Int32>], width: Float, _ ramp: ColourRamp) {
    for link in links {
      let (from, to) = (Int(link.x), Int(link.y))
      guard screen.factor[from] > 0, screen.factor[to] > 0 else { continue }
      let light = ramp[marks.shade.isEmpty ? 0 : marks.shade[to]]
      raster.addLine(
        x0: screen.x[from], y0: screen.y[from], x1: screen.x[to], y1: screen.y[to], width: width * screen.factor[to],
        light)
    }
  }

  /// Shapes cover what is behind them, so the farthest come first.
  private mutating func paintShapes(_ shape: Glyph, height: Float, _ ramp: ColourRamp, _ projection: Projection) {
    screen.project(marks, projection)
    let order = marks.x.indices.filter { screen.factor[$0] > 0 }
      .sorted { (screen.factor[$0], $0) < (screen.factor[$1], $1) }
    for index in order {
      let size = height * screen.factor[index] * (marks.size.isEmpty ? 1 : marks.size[index])
      let stretch = marks.stretch.isEmpty ? 1 : marks.stretch[index]
      let turn = marks.turn.isEmpty ? 0 : marks.turn[index]
      shape.lay(
        &corners, at: SIMD2(screen.x[index], screen.y[index]), width: size, height: size * stretch, degrees: turn)
      raster.fill(corners, ramp[marks.shade.isEmpty ? 0 : marks.shade[index]])
    }
  }
}

/// The marks of a group on the screen.
private struct ScreenMarks {
  var x: [Float] = []
  var y: [Float] = []
  var factor: [Float] = []

  mutating func project(_ marks: SceneMarks, _ projection: Projection) {
    x.removeAll(keepingCapacity: true)
    y.removeAll(keepingCapacity: true)
    factor.removeAll(keepingCapacity: true)
    for index in marks.x.indices {
      let place = projection(marks.x[index], marks.y[index], marks.z[index])
      x.append(place.x)
      y.append(place.y)
      // An absent mark has no place.
      factor.append(place.x.isFinite && place.y.isFinite ? place.factor : .nan)
    }
  }
}

extension Camera {
  /// The camera of a stage: its own, or one from above for flat scenes, and across the longer side for others.
  init(_ stage: SceneStage) {
    self.init(low: stage.bounds.low, high: stage.bounds.high)
    let look = stage.look.camera
    let isDeep = high.y - low.y > high.x - low.x
    azimuth = look?.azimuth ?? (stage.isSolid ? (isDeep ? -65 : 25) : 0)
    elevation = look?.elevation ?? (stage.isSolid ? 20 : 90)
    lens = look?.lens ?? (stage.isSolid ? 32 : 0)
    turns = look?.turns ?? 0
  }
}
