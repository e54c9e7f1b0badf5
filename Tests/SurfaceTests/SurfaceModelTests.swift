// SPDX-License-Identifier: MIT
import AnimationModel
import CSurface
import Murmuration
import Testing

/// Springs, curves and trackers of the surface are those of the model and of the library.
@Suite struct SurfaceModelTests {
  private static let forms: [(murmuration_spring, Spring)] = [
    (murmuration_spring_of_duration(0.6, 0.4), Spring(duration: 0.6, bounce: 0.4)),
    (murmuration_spring_of_duration(0.6, -0.4), Spring(duration: 0.6, bounce: -0.4)),
    (murmuration_spring_of_response(0.3, 1.5), Spring(response: 0.3, dampingRatio: 1.5)),
    (murmuration_spring_of_stiffness(2, 150, 8), Spring(mass: 2, stiffness: 150, damping: 8)),
    (murmuration_spring_of_stiffness(1, 100, 40), Spring(mass: 1, stiffness: 100, damping: 40)),
    (
      murmuration_spring(form: Int32(MURMURATION_MASS_STIFFNESS_ANY_DAMPING), reserved: 0, parameters: (1, 100, 40)),
      Spring(mass: 1, stiffness: 100, damping: 40, allowOverDamping: true)
    ),
    (murmuration_spring_of_settling(1, 0.7, 0.001), Spring(settlingDuration: 1, dampingRatio: 0.7, epsilon: 0.001)),
  ]

  @Test(arguments: 0..<7) func springs(form: Int) throws {
    var (spring, model) = Self.forms[form]
    let times = [0, 0.01, 0.3, 2, 50]
    var (values, speeds) = ([Double](repeating: .nan, count: 5), [Double](repeating: .nan, count: 5))
    #expect(murmuration_spring_values(&spring, 2, 10, 3, times, 5, &values, &speeds) == ok)
    for (index, time) in times.enumerated() {
      #expect(values[index] == 2 + model.value(target: 8, initialVelocity: 3, time: time))
      #expect(speeds[index] == model.velocity(target: 8, initialVelocity: 3, time: time))
    }
    var seconds = 0.0
    #expect(murmuration_spring_settling_duration(&spring, 8, 3, 0.01, &seconds) == ok)
    #expect(seconds == model.settlingDuration(target: 8, initialVelocity: 3, epsilon: 0.01))
    var info = murmuration_spring_info()
    #expect(murmuration_spring_describe(&spring, &info) == ok)
    #expect(info.duration == model.duration && info.bounce == model.bounce && info.mass == model.mass)
    #expect(
      info.damping_ratio == model.dampingRatio && info.stiffness == model.stiffness && info.damping == model.damping)
  }

  @Test func springsThatAreRefused() {
    var spring = murmuration_spring(form: 9, reserved: 0, parameters: (0.5, 0, 0))
    var info = murmuration_spring_info()
    #expect(murmuration_spring_describe(&spring, &info) == MURMURATION_INVALID_CODE)
    spring = murmuration_spring_of_duration(0.5, 0)
    var number = 0.0
    #expect(murmuration_spring_values(&spring, 0, 1, 0, &number, -1, nil, nil) == MURMURATION_INVALID_COUNT)
    #expect(murmuration_spring_values(&spring, 0, 1, 0, nil, 1, nil, nil) == MURMURATION_NULL_POINTER)
    for epsilon in [0, -1, .nan, .infinity] {
      #expect(
        murmuration_spring_settling_duration(&spring, 1, 0, epsilon, &number) == MURMURATION_INVALID_TOLERANCE)
    }
    #expect(murmuration_spring_settling_duration(&spring, .nan, 0, 0.1, &number) == MURMURATION_INVALID_VALUE)
  }

  @Test func curves() {
    let named: [UnitCurve] = [
      .linear, .easeIn, .easeOut, .easeInOut, .circularEaseIn, .circularEaseOut, .circularEaseInOut,
    ]
    var pairs = named.enumerated().map { (murmuration_named_curve(Int32($0)), $1) }
    pairs += NamedEase.all.enumerated().map {
      (murmuration_named_curve(Int32(MURMURATION_EASE_IN_SINE + $0)), UnitCurve(.named($1)))
    }
    #expect(MURMURATION_EASE_IN_OUT_BOUNCE == MURMURATION_EASE_IN_SINE + 29)
    pairs.append((murmuration_named_curve(Int32(MURMURATION_EASE_OUT_BACK)), .easeOutBack))
    pairs.append(
      (
        murmuration_bezier(0.2, -0.5, 0.4, 1.3),
        .bezier(startControlPoint: UnitPoint(x: 0.2, y: -0.5), endControlPoint: UnitPoint(x: 0.4, y: 1.3))
      ))
    let progress = [0.1, 0.5, 0.9]
    for (curve, model) in pairs {
      var curve = curve
      var (values, speeds) = ([0, 0, 0.0], [0, 0, 0.0])
      #expect(murmuration_curve_values(&curve, progress, 3, &values, &speeds) == ok)
      #expect(values == progress.map { model.value(at: $0) } && speeds == progress.map { model.velocity(at: $0) })
    }
    for kind in [-1, 38] as [Int32] {
      var unknown = murmuration_named_curve(kind)
      #expect(murmuration_curve_values(&unknown, progress, 3, nil, nil) == MURMURATION_INVALID_CODE)
    }
  }

  @Test(arguments: [(1, 3), (2, 1), (4, 2)] as [(Int32, Int32)])
  func trackers(trackStride: Int32, componentStride: Int32) throws {
    var swift = try VelocityTrackers(count: 3, dimensions: 2)
    var c: murmuration_trackers = 0
    #expect(murmuration_trackers_create(3, 2, &c) == ok)
    defer { #expect(murmuration_trackers_free(c) == ok) }
    var random = SplitMix64(seed: 5)
    for sample in 0..<6 {
      let columns = (0..<6).map { _ in Float(random.uniform(-9...9)) }
      var strided = [Float](repeating: .nan, count: 20)
      for dimension in 0..<2 {
        for track in 0..<3 {
          strided[track * Int(trackStride) + dimension * Int(componentStride)] = columns[dimension * 3 + track]
        }
      }
      let time = Double(sample) / 60
      try swift.record(columns.span, at: time)
      #expect(murmuration_trackers_record(c, strided, trackStride, componentStride, time) == ok)
      if sample == 3 {
        try swift.reset(1)
        #expect(murmuration_trackers_reset(c, 1, 1) == ok)
      }
      var expected = [Float](repeating: 0, count: 6)
      var span = expected.mutableSpan
      try swift.velocities(at: time + 0.01, into: &span)
      var output = [Float](repeating: .nan, count: 20)
      #expect(murmuration_trackers_velocities(c, time + 0.01, &output, trackStride, componentStride) == ok)
      for dimension in 0..<2 {
        for track in 0..<3 {
          #expect(
            output[track * Int(trackStride) + dimension * Int(componentStride)] == expected[dimension * 3 + track])
        }
      }
    }
    var number: Float = .nan
    #expect(murmuration_trackers_record(c, &number, 0, 0, 1) == MURMURATION_INVALID_VALUE)
    number = 0
    #expect(murmuration_trackers_record(c, &number, 0, 0, 0) == MURMURATION_TIME_BEFORE_START)
    #expect(murmuration_trackers_record(c, nil, 0, 0, 1) == MURMURATION_NULL_POINTER)
    #expect(murmuration_trackers_record(c, &number, -1, 0, 1) == MURMURATION_INVALID_STRIDE)
    #expect(murmuration_trackers_velocities(c, 9, &number, 0, 1) == MURMURATION_INVALID_STRIDE)
    #expect(murmuration_trackers_reset(c, 3, 1) == MURMURATION_TRACK_OUT_OF_RANGE)
    #expect(murmuration_trackers_reset(c, 0, all) == ok && murmuration_trackers_record(c, &number, 0, 0, 0) == ok)
  }
}
