// SPDX-License-Identifier: MIT
import AnimationModel
import CSurface
import Testing

/// Springs and curves over columns through the C functions. (Bad arguments are in the table of refusals.)
@Suite struct ColumnSurfaceTests {
  private static func springs(_ list: [murmuration_spring]) throws -> murmuration_springs {
    var springs: murmuration_springs = 0
    try #require(murmuration_springs_create(list, Int32(list.count), &springs) == ok)
    return springs
  }

  @Test func springsMoveAsTheModelSays() throws {
    let list = [(0.5, 0.3), (0.3, -0.5), (1, 0)].map { murmuration_spring_of_duration($0, $1) }
    let models = [(0.5, 0.3), (0.3, -0.5), (1, 0)].map { Spring(duration: $0, bounce: $1) }
    let (each, one) = (try Self.springs(list), try Self.springs([list[0]]))
    var (values, velocities): ([Float], [Float]) = ([1, 2, 3], [0, 0, 0])
    #expect(
      murmuration_springs_values(each, values, 1, [5], 0, [10], 0, [0.1, 0.2, 0.3], 0, 3, &values, &velocities) == ok)
    for (index, spring) in models.enumerated() {
      let (start, age) = (Double(index + 1), Double(Float(index + 1) / 10))
      let value = start + spring.value(target: 10 - start, initialVelocity: 5, time: age)
      #expect(abs(Double(values[index]) - value) < 1e-5)
      #expect(
        abs(Double(velocities[index]) - spring.velocity(target: 10 - start, initialVelocity: 5, time: age)) < 1e-4)
    }
    // At rest, towards 0, at one age, without velocities.
    #expect(murmuration_springs_values(one, [1], 0, nil, 9, nil, 9, nil, 0.1, 3, &values, nil) == ok)
    let value = 1 + models[0].value(target: -1.0, time: 0.1)
    #expect(values.allSatisfy { abs(Double($0) - value) < 1e-6 })
    (values, velocities) = ([1, 2, 3], [4, 5, 6])
    var (first, second) = ([1.0, 2, 3], [4.0, 5, 6])
    for _ in 0..<10 {
      #expect(murmuration_springs_step(each, &values, &velocities, [7], 0, 0.01, 3) == ok)
      for index in 0..<3 {
        models[index].update(value: &first[index], velocity: &second[index], target: 7, deltaTime: 0.01)
      }
    }
    #expect(zip(values, first).allSatisfy { abs(Double($0) - $1) < 1e-5 })
    #expect(zip(velocities, second).allSatisfy { abs(Double($0) - $1) < 1e-3 })
    #expect(murmuration_springs_free(each) == ok && murmuration_springs_free(one) == ok)
    #expect(murmuration_springs_free(each) == MURMURATION_UNKNOWN_OBJECT)
  }

  @Test func curvesEase() {
    var curve = murmuration_named_curve(Int32(MURMURATION_EASE_IN_OUT))
    var values: [Float] = [-1, 0.25, 0.5, 2]
    #expect(murmuration_ease(&curve, 0, values, 1, nil, 0, nil, 0, 4, &values) == ok)
    #expect(values[0] == 0 && abs(values[2] - 0.5) < 1e-5 && values[3] == 1)
    #expect(abs(Double(values[1]) - UnitCurve.easeInOut.value(at: 0.25)) < 2e-5)
    #expect(murmuration_ease(&curve, 1e-6, [1], 0, [1, 2, 3, 4], 1, [9], 0, 4, &values) == ok)
    #expect(values == [9, 9, 9, 9])
    #expect(murmuration_ease(&curve, 0, nil, 1, nil, 0, nil, 0, 0, nil) == ok)
  }
}
