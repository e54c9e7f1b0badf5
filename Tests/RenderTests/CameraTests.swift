// SPDX-License-Identifier: MIT
import Testing

@testable import Render

struct CameraTests {
  @Test func fromAboveTheBoxFillsThePictureAsFarAsItCan() {
    let camera = Camera(low: [-10, -2, 0], high: [30, 8, 0])
    let projection = camera.projection(at: 0, width: 400, height: 300)
    let (low, high) = (projection(-10, -2, 0), projection(30, 8, 0))
    // The width decides: 40 units are 400 pixels.
    #expect(abs(low.x) < 1e-3 && abs(high.x - 400) < 1e-3)
    #expect(abs(low.y - 200) < 1e-3 && abs(high.y - 100) < 1e-3)
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
    #expect(projection(0, -1, 0).factor > 1 && projection(0, 1, 0).factor < 1)
    #expect(projection(0, -1000, 0).factor.isNaN)
    // Up in the scene is up in the picture, and right is right.
    #expect(projection(0, 0, 0.5).y < 50 && projection(0.5, 0, 0).x > 50)
  }

  @Test func aBoxWithoutAnExtentIsSeenToo() {
    let projection = Camera(low: [3, 3, 0], high: [3, 3, 0]).projection(at: 0, width: 64, height: 64)
    let place = projection(3, 3, 0)
    #expect(place.x == 32 && place.y == 32)
  }
}
