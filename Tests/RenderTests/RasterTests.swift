// SPDX-License-Identifier: MIT
import Testing

@testable import Render

struct RasterTests {
  private static let light = Light(1, 0.5, 0.25, 0)

  /// The sum of all marks in the first channel.
  private func sum(_ raster: Raster) -> Float { raster.pixels.reduce(0) { $0 + $1.x } }

  @Test func aDiscAddsTheSameLightWhereverItsMiddleIs() {
    for radius: Float in [0.5, 1.25, 3, 7.5] {
      var sums: [Float] = []
      for step in 0..<8 {
        var raster = Raster(width: 32, height: 32)
        raster.addDisc(x: 16 + Float(step) / 8, y: 16 + Float(step % 3) / 3, radius: radius, Self.light)
        sums.append(sum(raster))
      }
      // The integral of (1 − d²/r²)² over a disc is πr²/3.
      let wanted = Float.pi * radius * radius / 3
      for sum in sums { #expect(abs(sum - wanted) < 0.15 * wanted, "radius \(radius): \(sum), not \(wanted)") }
    }
  }

  @Test func aLineAddsItsLengthTimesItsWidth() {
    for (x, y) in [(Float(20), Float(0)), (0, 20), (17, 9), (-9, 17), (3, 30)] {
      for width: Float in [0.3, 1, 2.5] {
        var raster = Raster(width: 80, height: 80)
        raster.addLine(x0: 40.2, y0: 38.7, x1: 40.2 + x, y1: 38.7 + y, width: width, Self.light)
        let wanted = (x * x + y * y).squareRoot() * width
        #expect(abs(sum(raster) - wanted) < 0.01 * wanted, "(\(x), \(y)) of width \(width)")
      }
    }
  }

  @Test func linesThatFollowEachOtherJoinWithoutASeam() {
    var whole = Raster(width: 40, height: 20)
    whole.addLine(x0: 3.1, y0: 4.4, x1: 33.7, y1: 12.6, width: 1.5, Self.light)
    var parts = Raster(width: 40, height: 20)
    var last = (x: Float(3.1), y: Float(4.4))
    for step in 1...9 {
      let next = (x: 3.1 + 30.6 * Float(step) / 9, y: 4.4 + 8.2 * Float(step) / 9)
      parts.addLine(x0: last.x, y0: last.y, x1: next.x, y1: next.y, width: 1.5, Self.light)
      last = next
    }
    for (one, other) in zip(whole.pixels, parts.pixels) { #expect(abs(one.x - other.x) < 0.06) }
  }

  @Test(arguments: [
    (Float.nan, Float(3)), (.infinity, 3), (-.infinity, 3), (3, .nan), (1e30, 3), (-1e9, -1e9),
    (.greatestFiniteMagnitude, 0),
  ])
  func numbersThatArePlacesNowhereAddNothing(_ x: Float, _ y: Float) {
    var raster = Raster(width: 8, height: 8)
    raster.addDisc(x: x, y: y, radius: 2, Self.light)
    raster.addDisc(x: 3, y: 3, radius: .nan, Self.light)
    raster.addDisc(x: 3, y: 3, radius: .infinity, Self.light)
    raster.addLine(x0: x, y0: y, x1: x, y1: y, width: 1, Self.light)
    raster.addLine(x0: 1, y0: 1, x1: x, y1: 1e30, width: 1, Self.light)
    raster.addLine(x0: 1, y0: 1, x1: 5, y1: 5, width: .nan, Self.light)
    raster.fill([SIMD2(x, y), SIMD2(1, 1), SIMD2(2, 5)], Self.light)
    #expect(raster.pixels.allSatisfy { $0 == .zero })
  }

  @Test func aLineThatLeavesTheGridIsCutAtItsRim() {
    var raster = Raster(width: 20, height: 10)
    raster.addLine(x0: -1e6, y0: 5, x1: 1e6, y1: 5, width: 1, Self.light)
    #expect(abs(sum(raster) - 20) < 0.1)
  }

  @Test func aPolygonCoversItsArea() {
    let corners: [SIMD2<Float>] = [[2.25, 3.5], [12.75, 4], [9, 15.5], [3.5, 11]]
    var area: Float = 0
    for index in corners.indices {
      let (a, b) = (corners[index], corners[(index + 1) % corners.count])
      area += (a.x * b.y - b.x * a.y) / 2
    }
    var raster = Raster(width: 20, height: 20)
    raster.fill(corners, Light(1, 1, 1, 0))
    #expect(abs(sum(raster) - area) < 0.01 && raster.pixels.allSatisfy { $0.x <= 1.0001 && $0.x >= 0 })
  }

  /// The part of a polygon outside the grid changes nothing in the part inside.
  @Test func aPolygonIsCutAtEachRim() {
    let corners: [SIMD2<Float>] = [[-7, 5], [10, -9], [33, 8], [12, 30]]
    var whole = Raster(width: 60, height: 60)
    whole.fill(corners.map { $0 + SIMD2(20, 20) }, Self.light)
    var part = Raster(width: 20, height: 16)
    part.fill(corners, Self.light)
    for y in 0..<16 {
      for x in 0..<20 {
        #expect(abs(part.pixels[y * 20 + x].x - whole.pixels[(y + 20) * 60 + x + 20].x) < 1e-3, "(\(x), \(y))")
      }
    }
  }

  @Test func aPolygonReplacesWhatIsBehindIt() {
    var raster = Raster(width: 4, height: 4)
    raster.addDisc(x: 2, y: 2, radius: 3, Light(9, 9, 9, 0))
    raster.fill([[0, 0], [4, 0], [4, 4], [0, 4]], Self.light)
    #expect(raster.pixels.allSatisfy { ($0 - Self.light).max() < 1e-5 && ($0 - Self.light).min() > -1e-5 })
  }

  @Test func fadingEndsInNothing() {
    var raster = Raster(width: 4, height: 4)
    raster.addDisc(x: 2, y: 2, radius: 2, Self.light)
    let before = raster.pixels
    raster.fade(by: 0.5)
    #expect(zip(before, raster.pixels).allSatisfy { $0 * 0.5 == $1 })
    for _ in 0..<40 { raster.fade(by: 0.5) }
    #expect(raster.pixels.allSatisfy { $0 == .zero })
  }
}

struct BackdropTests {
  private static let dark = Backdrop(top: [11, 14, 24], bottom: [5, 6, 12], isInked: false)
  private static let light = Backdrop(top: [252, 252, 249], bottom: [252, 252, 249], isInked: true)

  @Test func everyLevelOfTheScreenComesBack() {
    for level in UInt8.min...UInt8.max {
      let flat = Backdrop(top: SIMD3(repeating: level), bottom: SIMD3(repeating: level), isInked: false)
      let picture = flat.picture(of: Raster(width: 8, height: 8))
      #expect(picture.bytes.allSatisfy { $0 == level }, "level \(level)")
      #expect(flat.emptyPixel(row: 3, of: 8) == SIMD3(repeating: level))
    }
  }

  @Test func theTransferFunctionIsThatOfTheStandard() {
    // Values of IEC 61966-2-1, worked out by hand: ((188/255 + 0.055) / 1.055)^2.4, and the straight part.
    #expect(abs(Screen.light([188, 10, 255]).x - 0.502886) < 1e-5)
    #expect(abs(Screen.light([188, 10, 255]).y - 10 / 255 / 12.92) < 1e-6 && Screen.light([188, 10, 255]).z == 1)
  }

  @Test func aMarkShowsItsColourOnBothBackdrops() {
    for backdrop in [Self.dark, Self.light] {
      for colour: SIMD3<UInt8> in [[64, 150, 240], [200, 60, 40], [120, 130, 140]] {
        var raster = Raster(width: 9, height: 9)
        raster.fill([[0, 0], [9, 0], [9, 9], [0, 9]], backdrop.strength(showing: colour))
        let shown = backdrop.picture(of: raster)[4, 4]
        for channel in 0..<3 {
          let difference = abs(Int(shown[channel]) - Int(colour[channel]))
          #expect(difference <= 2, "\(shown), not \(colour)")
        }
      }
    }
  }

  @Test func moreMarksAreBrighterOnDarkAndDarkerOnLight() {
    func levels(_ backdrop: Backdrop) -> [Int] {
      (0..<6).map { count in
        var raster = Raster(width: 1, height: 1)
        for _ in 0..<count { raster.addDisc(x: 0.5, y: 0.5, radius: 2, Light(0.4, 0.4, 0.4, 0)) }
        return Int(backdrop.picture(of: raster)[0, 0].x)
      }
    }
    let (dark, light) = (levels(Self.dark), levels(Self.light))
    #expect(dark == dark.sorted() && Set(dark).count == 6 && light == light.sorted(by: >) && Set(light).count == 6)
  }

  @Test func aStrengthBeyondAllStaysAColour() {
    for backdrop in [Self.dark, Self.light] {
      var raster = Raster(width: 2, height: 1)
      raster.addDisc(x: 1, y: 0.5, radius: 2, Light(1e30, 1e18, 3, 0))
      let shown = backdrop.picture(of: raster)[0, 0]
      #expect(backdrop.isInked ? shown.x == 0 : shown.x == 255)
    }
  }
}

struct CameraTests {
  @Test func fromAboveTheBoxFillsThePictureAsFarAsItCan() {
    let camera = Camera(low: [-10, -2, 0], high: [30, 8, 0])
    let projection = camera.projection(at: 0, width: 400, height: 300)
    let (low, high) = (projection(-10, -2, 0), projection(30, 8, 0))
    // The width decides: 40 units are 400 pixels.
    #expect(abs(low.x) < 1e-3 && abs(high.x - 400) < 1e-3 && abs(low.y - 200) < 1e-3 && abs(high.y - 100) < 1e-3)
    #expect(low.factor == 1)
  }

  @Test(arguments: [(0.0, 0.0), (25, 20), (-65, 20), (130, 70), (10, -30)])
  func theBoxIsInThePictureAtEveryMomentOfARound(_ azimuth: Double, _ elevation: Double) {
    var camera = Camera(low: [-50, -20, -5], high: [40, 60, 25])
    (camera.azimuth, camera.elevation, camera.lens, camera.turns) = (azimuth, elevation, 35, 0.25)
    for step in 0..<16 {
      let projection = camera.projection(at: Double(step) / 4, width: 1280, height: 720)
      for corner in 0..<8 {
        let place = projection(
          corner & 1 == 0 ? -50 : 40, corner & 2 == 0 ? -20 : 60, corner & 4 == 0 ? -5 : 25)
        #expect((-1...1281).contains(place.x) && (-1...721).contains(place.y), "step \(step), corner \(corner)")
      }
    }
  }

  @Test func whatIsNearerIsLargerAndWhatIsBehindIsHidden() {
    var camera = Camera(low: [-1, -1, -1], high: [1, 1, 1])
    (camera.elevation, camera.lens) = (0, 40)
    let projection = camera.projection(at: 0, width: 100, height: 100)
    #expect(projection(0, -1, 0).factor > 1 && projection(0, 1, 0).factor < 1 && projection(0, -1000, 0).factor.isNaN)
    // Up in the scene is up in the picture, and right is right.
    #expect(projection(0, 0, 0.5).y < 50 && projection(0.5, 0, 0).x > 50)
  }

  @Test func aBoxWithoutAnExtentIsSeenToo() {
    let projection = Camera(low: [3, 3, 0], high: [3, 3, 0]).projection(at: 0, width: 64, height: 64)
    let place = projection(3, 3, 0)
    #expect(place.x == 32 && place.y == 32)
  }
}
