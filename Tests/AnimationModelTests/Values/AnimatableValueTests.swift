// SPDX-License-Identifier: MIT
import AnimationModel
import Testing
import TestSupport

/// A user's structure with parts of several kinds, one of which does not move.
private struct Pose: Animatable, Equatable {
  var position: SIMD2<Float>
  var turn: Angle
  var name: String

  var animatableData: AnimatablePair<SIMD2<Float>, Double> {
    get { AnimatablePair(position, turn.animatableData) }
    set { (position, turn.animatableData) = (newValue.first, newValue.second) }
  }
}

/// A user's value in which nothing moves.
private struct Label: Animatable {
  var text: String
  typealias AnimatableData = EmptyAnimatableData
}

/// The vectors that animated values are made of.
struct AnimatableValueTests {
  private func isVectorSpace<V: VectorArithmetic>(_ a: V, _ b: V, magnitudeSquared: Double) {
    #expect(a + .zero == a && a - a == .zero && a + b - b == a)
    #expect(a.scaled(by: 2) == a + a && a.scaled(by: 0) == .zero)
    #expect(a.magnitudeSquared == magnitudeSquared && V.zero.magnitudeSquared == 0)
  }

  @Test func everyVectorIsOne() {
    isVectorSpace(3.0, 0.5, magnitudeSquared: 9)
    isVectorSpace(Float(3), 0.5, magnitudeSquared: 9)
    isVectorSpace(SIMD2<Float>(3, 4), SIMD2(1, 2), magnitudeSquared: 25)
    isVectorSpace(SIMD2<Double>(3, 4), SIMD2(1, 2), magnitudeSquared: 25)
    isVectorSpace(SIMD3<Float>(1, 2, 2), SIMD3(1, 2, 3), magnitudeSquared: 9)
    isVectorSpace(SIMD3<Double>(1, 2, 2), SIMD3(1, 2, 3), magnitudeSquared: 9)
    isVectorSpace(SIMD4<Float>(1, 1, 1, 1), SIMD4(1, 2, 3, 4), magnitudeSquared: 4)
    isVectorSpace(SIMD4<Double>(1, 1, 1, 1), SIMD4(1, 2, 3, 4), magnitudeSquared: 4)
    isVectorSpace(Angle.radians(2), .radians(1), magnitudeSquared: 4)
    isVectorSpace(AnimatablePair(3.0, AnimatablePair(Float(4), 12.0)), .zero, magnitudeSquared: 169)
    #expect(EmptyAnimatableData() + .zero == .zero && EmptyAnimatableData().magnitudeSquared == 0)
    #expect(Float(1e30).magnitudeSquared.isFinite, "the square is formed in Double")
    #expect(Float(1e30).scaled(by: 1e-40) == Float(Double(Float(1e30)) * 1e-40), "so is the product")
    var value = SIMD3<Float>(1, 2, 3)
    value.animatableData = SIMD3(4, 5, 6)
    #expect(value == SIMD3(4, 5, 6) && value.animatableData == value && 2.5.animatableData == 2.5)
  }

  @Test func anglesAreNumbers() {
    #expect(isClose(Angle.degrees(180).radians, .pi, relative: 1e-15))
    var angle = Angle(radians: .pi / 2)
    #expect(isClose(angle.degrees, 90, relative: 1e-15))
    angle.degrees = 350
    let middle = Spring.smooth.value(fromValue: angle, toValue: .degrees(10), initialVelocity: .zero, time: 0.2)
    #expect(middle < angle && middle > .degrees(10), "from 350° to 10° the long way")
    #expect(Angle() == .zero && Angle.zero < .degrees(1))
    angle = -Angle.degrees(30) * 4 + .degrees(180) / 2
    #expect(isClose(angle.degrees, -30, absolute: 1e-12))
    angle *= 3
    angle /= 2
    angle -= .degrees(15)
    #expect(isClose(angle.degrees, -60, absolute: 1e-12))
    // The nearest one within half a turn.
    #expect(isClose(Angle.degrees(10).nearest(to: .degrees(350)).degrees, 370, absolute: 1e-12))
    #expect(isClose(Angle.degrees(-1000).nearest(to: .degrees(0)).degrees, 80, absolute: 1e-12))
  }

  @Test func coloursMixAsLight() {
    let (black, white) = (LinearColor(red: 0, green: 0, blue: 0), LinearColor(sRGBRed: 1, green: 1, blue: 1))
    #expect(white == LinearColor(red: 1, green: 1, blue: 1, opacity: 1))
    var grey = black
    grey.animatableData = (white.animatableData + black.animatableData) / 2
    #expect(grey == LinearColor(red: 0.5, green: 0.5, blue: 0.5))
    // Half of the light is encoded as 188 of 255.
    #expect(isClose(LinearColor(sRGBRed: 188.0 / 255, green: 0, blue: 0).red, 0.5, absolute: 0.005))
    #expect(isClose(LinearColor(sRGBRed: -0.5, green: 0.02, blue: 0).red, -0.21404114048223255, relative: 1e-14))
    #expect(isClose(LinearColor(sRGBRed: 0, green: 0.02, blue: 0).green, 0.02 / 12.92, relative: 1e-14))
  }

  /// Source of the numbers: https://bottosson.github.io/posts/oklab, and the samples of CSS Color 4.
  @Test(
    arguments: [
      ([1, 1, 1], [1, 0, 0]), ([1, 0, 0], [0.6279554, 0.2248631, 0.1258463]),
      ([0, 1, 0], [0.8664396, -0.2338874, 0.1794985]), ([0, 0, 1], [0.4520137, -0.0324570, -0.3115281]),
      ([0.5, 0.5, 0.5], [0.5981807, 0, 0]),
    ] as [(SIMD3<Double>, SIMD3<Double>)])
  func coloursAreThoseOfTheSources(sRGB: SIMD3<Double>, okLab: SIMD3<Double>) {
    let color = LinearColor(SIMD4<Double>(sRGB, 0.5), in: .sRGB)
    #expect(color == LinearColor(sRGBRed: sRGB.x, green: sRGB.y, blue: sRGB.z, opacity: 0.5))
    for (encoding, expected) in [(ColorEncoding.sRGB, sRGB), (.okLab, okLab)] {
      let (straight, multiplied) = (color.numbers(in: encoding), color.numbers(in: encoding.premultiplied))
      let backs = [LinearColor(straight, in: encoding), LinearColor(multiplied, in: encoding.premultiplied)]
      #expect(straight.w == 0.5 && multiplied.w == 0.5)
      for component in 0..<3 {
        #expect(isClose(straight[component], expected[component], absolute: 2e-7))
        #expect(multiplied[component] == straight[component] / 2)
        for back in backs {
          #expect(isClose(back.animatableData[component], color.animatableData[component], absolute: 1e-6))
        }
      }
    }
    let invisible = LinearColor([0.3, 0.2, 0.1, 0], in: .linear.premultiplied)
    #expect(invisible == LinearColor(red: 0, green: 0, blue: 0, opacity: 0))
  }

  @Test func aUsersStructureMovesInItsAnimatedParts() {
    let from = Pose(position: SIMD2(0, 10), turn: .degrees(0), name: "start")
    let to = Pose(position: SIMD2(100, 20), turn: .degrees(90), name: "end")
    let rest = Pose(position: .zero, turn: .zero, name: "")
    let spring = Spring.bouncy
    func value(at time: Double) -> Pose {
      spring.value(fromValue: from, toValue: to, initialVelocity: rest, time: time)
    }
    let (pose, progress) = (value(at: 0.2), spring.value(target: 1.0, time: 0.2))
    #expect(isClose(Double(pose.position.x), 100 * progress, relative: 1e-6))
    #expect(isClose(pose.turn.degrees, 90 * progress, relative: 1e-14))
    #expect(pose.name == "end" && value(at: 0).animatableData == from.animatableData && value(at: .infinity) == to)
    let velocity = spring.velocity(fromValue: from, toValue: to, initialVelocity: rest, time: 0.2)
    #expect(isClose(velocity.turn.degrees, 90 * spring.velocity(target: 1.0, time: 0.2), relative: 1e-14))
    let force = spring.force(fromValue: from, toValue: to, position: from, velocity: rest)
    #expect(isClose(Double(force.position.y), 10 * spring.stiffness, relative: 1e-6))
    let settling = spring.settlingDuration(fromValue: from, toValue: to, initialVelocity: rest)
    #expect(settling == spring.settlingDuration(target: to.animatableData - from.animatableData))
    // A value without animated parts is at its end at once.
    let label = spring.value(
      fromValue: Label(text: "a"), toValue: Label(text: "b"), initialVelocity: Label(text: ""), time: 0)
    #expect(label.text == "b")
  }
}
