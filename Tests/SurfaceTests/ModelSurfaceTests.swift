// SPDX-License-Identifier: MIT
import AnimationModel
import CSurface
import Murmuration
import TestSupport
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

/// Colours through the C functions.
@Suite struct ColorSurfaceTests {
  private static let codes: [Int32] = [1, 2, 3, 5, 6, 7]

  private static func encoding(_ code: Int32) throws -> ColorEncoding {
    ColorEncoding(try #require([1: .sRGB, 2: .linear, 3: .okLab][code & 3]), isPremultiplied: code & 4 != 0)
  }

  @Test func colorsHaveTheBitsOfSwift() throws {
    var random = SplitMix64(seed: 5)
    // Nearly opaque colours, so that no division makes numbers that a batch refuses.
    let bytes = (0..<4 * 77).map { $0 % 4 == 3 ? 255 - UInt8(random.next() % 128) : UInt8(random.next() % 256) }
    var id: murmuration_batch = 0
    try #require(murmuration_batch_create(4, 0, 0, &id) == ok)
    var tracks = [murmuration_track](repeating: murmuration_track(), count: 77)
    var batch = try AnimationBatch<SIMD4<Float>>()
    for source in Self.codes {
      for destination in Self.codes {
        let conversion = ColorConversion(from: try Self.encoding(source), to: try Self.encoding(destination))
        // Bytes to colours side by side, and these to whole columns.
        var (swift, c) = ([SIMD4<Float>](repeating: .zero, count: 77), [Float](repeating: 9, count: 4 * 77))
        try conversion.convert(unorm8: bytes, into: &swift)
        let unorm8 = Int32(MURMURATION_UNORM8)
        #expect(murmuration_convert_colors(source, destination, bytes, unorm8, 77, &c, 4, 1) == ok)
        #expect(swift.indices.allSatisfy { index in (0..<4).allSatisfy { c[4 * index + $0] == swift[index][$0] } })
        var columns = [Float](repeating: 9, count: 4 * 77 + 1)
        #expect(murmuration_convert_colors(source, destination, c, 0, 77, &columns, 1, 77) == ok)
        batch.removeAll()
        _ = try batch.add(swift)
        #expect(murmuration_remove_all(id) == ok && murmuration_add(id, c, 4, 1, &tracks, 77) == ok)
        try conversion.convert(&swift)
        #expect(
          swift.indices.allSatisfy { index in (0..<4).allSatisfy { columns[77 * $0 + index] == swift[index][$0] } })
        #expect(columns[4 * 77] == 9)
        for (code, format) in VertexLayout.Format.allCases.enumerated() {
          var (expected, got) = ([UInt8](repeating: 7, count: 1700), [UInt8](repeating: 7, count: 1700))
          var layout = murmuration_vertex_layout(
            components: nil, component_count: 0, format: Int32(code), offset: 3, stride: 21, color_source: source,
            color_destination: destination)
          let all = Int32(MURMURATION_ALL)
          #expect(murmuration_copy_vertices(id, 0, nil, 0, all, &layout, &got, 1700) == ok)
          var span = expected.mutableSpan
          var output = span.mutableBytes
          try batch.copyValues(into: &output, layout: VertexLayout(offset: 3, stride: 21, format, color: conversion))
          #expect(got == expected)
        }
      }
    }
    #expect(murmuration_batch_free(id) == ok)
  }

  @Test func badArgumentsAreRefusedAndNothingIsWritten() throws {
    var output = [Float](repeating: 9, count: 8)
    let colors = [Float](repeating: 1, count: 8)
    for (code, status) in [
      (MURMURATION_INVALID_CODE, murmuration_convert_colors(0, 1, colors, 0, 2, &output, 4, 1)),
      (MURMURATION_INVALID_CODE, murmuration_convert_colors(1, 4, colors, 0, 2, &output, 4, 1)),
      (MURMURATION_INVALID_CODE, murmuration_convert_colors(-1, 1, colors, 0, 2, &output, 4, 1)),
      (MURMURATION_INVALID_CODE, murmuration_convert_colors(1, 8, colors, 0, 2, &output, 4, 1)),
      (MURMURATION_INVALID_CODE, murmuration_convert_colors(1, 3, colors, 1, 2, &output, 4, 1)),
      (MURMURATION_INVALID_COUNT, murmuration_convert_colors(1, 3, colors, 0, -1, &output, 4, 1)),
      (MURMURATION_NULL_POINTER, murmuration_convert_colors(1, 3, nil, 0, 2, &output, 4, 1)),
      (MURMURATION_NULL_POINTER, murmuration_convert_colors(1, 3, colors, 0, 2, nil, 4, 1)),
      (MURMURATION_INVALID_STRIDE, murmuration_convert_colors(1, 3, colors, 0, 2, &output, 0, 1)),
      (MURMURATION_INVALID_STRIDE, murmuration_convert_colors(1, 3, colors, 0, 2, &output, 4, -1)),
      (MURMURATION_OK, murmuration_convert_colors(1, 3, nil, 0, 0, nil, 4, 1)),
    ] { #expect(status == code) }
    #expect(output == [Float](repeating: 9, count: 8))

    var (two, four): (murmuration_batch, murmuration_batch) = (0, 0)
    try #require(murmuration_batch_create(2, 0, 0, &two) == ok && murmuration_batch_create(4, 0, 0, &four) == ok)
    for (batch, what, source, destination, code) in [
      (two, MURMURATION_VALUES, 1, 3, MURMURATION_WRONG_DIMENSIONS),
      (four, MURMURATION_VELOCITIES, 1, 3, MURMURATION_INVALID_CODE),
      (four, MURMURATION_VALUES, 0, 3, MURMURATION_INVALID_CODE),
      (four, MURMURATION_VALUES, 1, 0, MURMURATION_INVALID_CODE), (four, MURMURATION_TARGETS, 1, 3, MURMURATION_OK),
    ] as [(murmuration_batch, Int, Int32, Int32, Int)] {
      var layout = murmuration_vertex_layout(
        components: nil, component_count: 0, format: 0, offset: 0, stride: 0, color_source: source,
        color_destination: destination)
      #expect(murmuration_copy_vertices(batch, Int32(what), nil, 0, 0, &layout, nil, 0) == code)
    }
    #expect(murmuration_batch_free(two) == ok && murmuration_batch_free(four) == ok)
  }
}

/// Delays of staggers through the C function.
struct StaggerSurfaceTests {
  private func stagger(_ seconds: Double = 0.1) -> murmuration_stagger {
    var stagger = murmuration_stagger()
    stagger.seconds = seconds
    return stagger
  }

  @Test func delaysAreThoseOfSwift() throws {
    let places = ["first": MURMURATION_FROM_FIRST, "last": MURMURATION_FROM_LAST, "center": MURMURATION_FROM_CENTER]
    for recorded in try RecordedStagger.all() {
      var stagger = stagger(recorded.each ?? recorded.over ?? 0)
      stagger.is_total = recorded.over == nil ? 0 : 1
      stagger.origin = Int32(places[recorded.place ?? "first"] ?? MURMURATION_FROM_EDGES)
      if let point = recorded.point {
        (stagger.origin, stagger.column, stagger.row) = (Int32(MURMURATION_FROM_POINT), point[0], point[1])
      }
      if let seed = recorded.seed { (stagger.origin, stagger.seed) = (Int32(MURMURATION_FROM_RANDOM), seed) }
      stagger.columns = Int32(recorded.columns ?? 0)
      stagger.ease.kind = recorded.ease?.kind ?? 0
      var delays = [Double](repeating: -1, count: recorded.count + 1)
      #expect(murmuration_stagger_delays(&stagger, Int32(recorded.count), &delays) == ok)
      #expect(delays == recorded.delays + [-1], "\(recorded)")
    }
  }

  @Test func badStaggersAreRefused() {
    typealias Change = (inout murmuration_stagger) -> Void
    let changes: [(Int, Change)] = [
      (MURMURATION_INVALID_DELAY, { $0.seconds = -1 }), (MURMURATION_INVALID_DELAY, { $0.seconds = .nan }),
      (MURMURATION_INVALID_DELAY, { $0.seconds = 1e11 }), (MURMURATION_INVALID_CODE, { $0.is_total = 2 }),
      (MURMURATION_INVALID_CODE, { $0.origin = 6 }), (MURMURATION_INVALID_CODE, { $0.origin = -1 }),
      (MURMURATION_INVALID_CODE, { $0.reserved = 1 }), (MURMURATION_INVALID_COUNT, { $0.columns = -1 }),
      (MURMURATION_INVALID_CODE, { $0.ease.kind = 99 }), (MURMURATION_INVALID_CODE, { $0.ease.reserved = 1 }),
      (MURMURATION_INVALID_VALUE, { ($0.origin, $0.row) = (Int32(MURMURATION_FROM_POINT), .infinity) }),
    ]
    var delays = [7.0, 7]
    for (number, (code, change)) in changes.enumerated() {
      var stagger = stagger()
      change(&stagger)
      #expect(Int(murmuration_stagger_delays(&stagger, 2, &delays)) == code, "\(number)")
    }
    var good = stagger()
    #expect(murmuration_stagger_delays(&good, -1, &delays) == MURMURATION_INVALID_COUNT)
    #expect(murmuration_stagger_delays(&good, .max, &delays) == MURMURATION_CAPACITY_EXCEEDED)
    #expect(murmuration_stagger_delays(nil, 2, &delays) == MURMURATION_NULL_POINTER)
    #expect(murmuration_stagger_delays(&good, 2, nil) == MURMURATION_NULL_POINTER)
    #expect(delays == [7, 7] && murmuration_stagger_delays(&good, 0, nil) == ok)
  }
}
