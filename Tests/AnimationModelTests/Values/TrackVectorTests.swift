// SPDX-License-Identifier: MIT
import AnimationModel
import Testing

/// The vector that batches compute called tracks with means the same as a list of numbers.
struct TrackVectorTests {
  private func vector(_ items: [Double]) -> TrackVector { TrackVector(count: items.count) { items[$0] } }

  @Test(arguments: [0, 1, 2, 3, 4, 5, 9], [0, 1, 4, 6])
  func arithmeticIsThatOfTheComponents(_ count: Int, _ otherCount: Int) {
    let items = (0..<count).map { Double($0 * $0) - 3.5 }
    let others = (0..<otherCount).map { 7 - 2 * Double($0) }
    let (a, b) = (vector(items), vector(others))
    for index in 0..<10 {
      let (x, y) = (index < count ? items[index] : 0, index < otherCount ? others[index] : 0)
      #expect(a[index] == x && (a + b)[index] == x + y && (a - b)[index] == x - y && a.scaled(by: -3)[index] == -3 * x)
    }
    #expect(a.magnitudeSquared == items.reduce(0) { $0 + $1 * $1 })
    #expect(a - a == .zero && vector(items + [0, 0]) == a && vector(items + [0, 0, 0, 0, 1]) != a)
  }

  @Test("A step from frame to frame shows what a value of numbers shows", arguments: [1, 4, 7])
  func stepsAreThoseOfNumbers(_ count: Int) {
    var all = AnimatedValue(TrackVector.zero)
    var each = (0..<count).map { _ in AnimatedValue(0.0) }
    func retarget(_ factor: Double, _ animation: Animation, at time: Double) {
      all.retarget(to: TrackVector(count: count) { factor * Double($0 + 1) }, with: animation, at: time)
      for index in each.indices { each[index].retarget(to: factor * Double(index + 1), with: animation, at: time) }
    }
    retarget(3, .bouncy, at: 0)
    retarget(-2, .easeInOut(duration: 1), at: 0.1)
    for time in [0.2, 0.5, 0.9, 1.3] {
      let moment = all.step(to: time)
      #expect(moment.hasArrived == (time > 1.1))
      for index in each.indices {
        #expect(abs(moment.value[index] - each[index].value(at: time)) < 1e-12)
        #expect(abs(moment.velocity[index] - each[index].velocity(at: time)) < 1e-11)
      }
    }
  }
}
