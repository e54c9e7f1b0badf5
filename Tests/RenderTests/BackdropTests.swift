// SPDX-License-Identifier: MIT
import Testing

@testable import Render

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
    #expect(abs(Screen.light([188, 10, 255]).y - 10 / 255 / 12.92) < 1e-6)
    #expect(Screen.light([188, 10, 255]).z == 1)
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
    #expect(dark == dark.sorted() && Set(dark).count == 6)
    #expect(light == light.sorted(by: >) && Set(light).count == 6)
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
