// SPDX-License-Identifier: MIT
import AnimationModel
import MurmurationReference
import TestSupport
import Testing

@testable import Murmuration
@testable import MurmurationClips
@testable import MurmurationEngine

/// Fits that are hard, or that cannot be made. (`ClipTimelineTests` compares those of random curves with their bounds.)
@Suite struct CubicFitTests {
  /// The whole error of a piece of the shortest length counts, not just its first error above the limit. Here the motion is
  /// a fourth root, whose cubic happens to be close to it in the middle.
  @Test func theShortestPieceIsMeasuredToItsEnd() throws {
    let settings = CubicFit<Double>.Settings(tolerance: 0x1p-24, longest: 1, shortest: 1)
    func root(_ time: Double) -> Double { (1 - time).squareRoot().squareRoot() }
    let fit = try #require(
      CubicFit<Double>(from: 0, to: 1, settings) { time in
        let rest = root(time)
        return CubicFit<Double>.Point(time: time, value: -rest, velocity: 0.25 / (rest * rest * rest))
      })
    #expect(fit.pieces.count == 1)
    let misses = (0...1000).map { place in
      let time = Double(place) / 1000
      return abs(fit.pieces[0].coefficients(of: 0).cubicValue(at: time) + root(time))
    }
    #expect(misses[500] < 0.01)
    #expect(try #require(misses.max()) <= fit.valueError)
  }

  @Test("Functions that cannot be fitted end with nil or an honest bound")
  func roughFunctions() {
    let noise = CubicFit<Double>.pieces(tolerance: 1e-6) { time in
      (Double((time.bitPattern &* 0x9E37_79B9_7F4A_7C15) >> 40) * 0x1p-24, 0)
    }
    #expect(noise == nil)
    let broken = CubicFit<Double>.pieces(tolerance: 1e-6) { _ in (.nan, 0) }
    #expect(broken == nil)
    let step = CubicFit<Double>.pieces(tolerance: 1e-6) { ($0 < 0.3 ? 0 : 1, 0) }
    #expect((step?.valueError ?? 1) > 0.1)
  }

  /// A slowly damped spring took as long as 65 536 pieces before it was refused, and again for each track.
  @Test func whatNeedsTooManyPiecesIsRefusedAtOnce() {
    var calls = 0
    func fit(to end: Double) -> CubicFit<Double>? {
      let settings = CubicFit<Double>.Settings(tolerance: 1e-6, longest: 1, shortest: 1e-3, maximumCount: 8)
      return CubicFit(from: 0, to: end, settings) { time in
        calls += 1
        return CubicFit.Point(time: time, value: time, velocity: 1)
      }
    }
    #expect(fit(to: 8.5) == nil && calls == 0)
    #expect(fit(to: 8)?.pieces.count == 8)
    var library = CurveLibrary(dimensions: 1, tolerance: CurveLibrary.defaultTolerance)
    let way = ProgressForm.Base.spring(Spring(mass: 1, stiffness: 1, damping: 1e-6), initialVelocity: 0, end: 1e6)
    #expect(library.index(of: way) == nil && library.indices[way] == .some(nil))
    // Refusals are forgotten with the curves that no track follows.
    for index in 0..<300 {
      _ = library.index(
        of: .curve(
          .bezier(
            startControlPoint: UnitPoint(x: Double(index) / 300, y: 0), endControlPoint: UnitPoint(x: 0.5, y: 1))))
    }
    #expect(library.indices[way] == nil && library.indices.count <= 256)
  }

  @Test func cacheIsBounded() throws {
    // The cache is emptied at least twice, even if other tests have left fits there.
    for index in 0..<2500 {
      let x = Double(index) / 2500
      _ = try #require(
        CurveFitCache.fit(
          .bezier(startControlPoint: UnitPoint(x: x, y: 0), endControlPoint: UnitPoint(x: 0.5, y: 1)), tolerance: 0x1p-8
        ))
      #expect(CurveFitCache.count <= CurveFitCache.capacity)
    }
  }
}

extension CubicFit {
  /// The pieces of a motion whose value and velocity at a time a function gives; nil if there are more than 65 536.
  static func pieces(
    tolerance: Double, _ function: (Double) -> (value: Value, velocity: Value)
  ) -> CubicFit? {
    CubicFit(from: 0, to: 1, Settings(tolerance: tolerance, longest: 1, shortest: 0x1p-30)) { time in
      let (value, velocity) = function(time)
      return Point(time: time, value: value, velocity: velocity)
    }
  }
}
