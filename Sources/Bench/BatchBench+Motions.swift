// SPDX-License-Identifier: MIT
import Murmuration

// The time of calls that change motions, and of frames and reading afterwards.
extension BatchBench {
  // MARK: - Frames

  /// Frames of springs that each move alone, each beside a copy of the same number of bytes.
  func mixedFrames() throws -> [OperationResult] {
    try [(false, "value"), (true, "value-and-velocity")].flatMap { velocities, what in
      let shared = try shared(.mixed)
      var rounds = rounds
      (rounds.warmUp, rounds.repetitions) = (1, max(1, 20_000 / tracks))
      let frames = [Self.advance(shared, as: "frame.mixed.\(what)", by: 0.01, velocities: velocities)]
      return try rounds.time(frames)[0].rows(besideCopyOf: shared.batch.bytesPerFrame)
    }
  }

  // MARK: - Calls

  /// Tracks that stand, in the order of their handles.
  private func standing() throws -> AnimationBatch<Float> {
    var batch = try AnimationBatch<Float>(reservingCapacity: tracks)
    try batch.add(values)
    try batch.advance(to: Self.frame)
    return batch
  }

  /// The first call that changes the motion of a batch's tracks; it also takes the memory for that motion.
  func firstChanges() throws -> [OperationResult] {
    let goals = targets[1]
    typealias Change = (inout AnimationBatch<Float>, [TrackHandle]) throws -> Void
    let changes: [(String, () throws -> AnimationBatch<Float>, Change)] = [
      ("animate.standing.handles", standing, { try $0.animate($1, to: goals, .bouncy) }),
      ("animate.standing.all", standing, { batch, _ in try batch.animate(.all, to: goals.span, .bouncy) }),
      (
        "animate.standing.one-by-one", standing,
        { for (index, handle) in $1.enumerated() { try $0.animate(handle, to: goals[index], .bouncy) } }
      ),
      (
        "add.one-by-one", { try AnimationBatch(reservingCapacity: tracks) },
        { batch, _ in for value in values { try batch.add(value) } }
      ),
      (
        "change.mixed.to-cohort", { try batch(.mixed) },
        { batch, _ in try batch.animate(.all, to: goals.span, .bouncy) }
      ),
      (
        "change.mixed.to-ease", { try batch(.mixed) }, { batch, _ in try batch.animate(.all, to: goals.span, .easeOut) }
      ),
      (
        "change.cohort.to-ease", { try batch(.cohort) },
        { batch, _ in try batch.animate(.all, to: goals.span, .easeOut) }
      ),
    ]
    return try changes.flatMap { name, make, change in
      let shared = SharedBatch(try AnimationBatch<Float>())
      var handles: [TrackHandle] = []
      return try rounds.rows([
        Step { _ in
          shared.batch = try make()
          handles = shared.batch.handles
        },
        Step(name) { _ in try change(&shared.batch, handles) },
      ])
    }
  }

  /// The call that sends tracks at rest, its frame, and the next frame.
  func departuresFromRest() throws -> [OperationResult] {
    try ["handles", "all"].flatMap { which in
      let shared = try shared(.cohort)
      let handles = shared.batch.handles
      return try rounds.rows([
        Step { _ in try shared.batch.comeToRest() },
        Step("animate.rest.\(which)") { round in
          let goals = targets[1 - round & 1]
          if which == "all" {
            try shared.batch.animate(.all, to: goals.span, .bouncy)
          } else {
            try shared.batch.animate(handles, to: goals, .bouncy)
          }
        },
        Self.advance(shared, as: "animate.rest.\(which).frame-after"),
        Self.advance(shared, as: "animate.rest.\(which).frame"),
      ])
    }
  }

  /// Frames of springs to which an ease adds its effect, with and without velocities, and a copy of the same number of
  /// bytes.
  func sums() throws -> [OperationResult] {
    try Kind.allCases.flatMap { kind in
      let shared = try shared(kind)
      let goals = targets[1]
      try shared.batch.animate(.all, to: goals.span, .easeOut)
      return try [(false, "value"), (true, "value-and-velocity")].flatMap { velocities, what in
        var rounds = rounds
        rounds.warmUp = 1
        let frames = [Self.advance(shared, as: "frame.ease-on-\(kind).\(what)", by: 0.01, velocities: velocities)]
        return try rounds.time(frames)[0].rows(besideCopyOf: shared.batch.bytesPerFrame)
      }
    }
  }

  /// Tweens that are retargeted every tenth of a second: eases of 0.35 s, so that up to four add up.
  func tweensOnTheWay() throws -> [OperationResult] {
    try ["handles", "all"].flatMap { which in
      let shared = SharedBatch(try standing())
      let handles = shared.batch.handles
      var rounds = rounds
      rounds.warmUp = 5
      return try rounds.rows([
        Step("tweens.on-the-way.\(which)") { round in
          let goals = targets[round & 1]
          if which == "all" {
            try shared.batch.animate(.all, to: goals.span, .easeOut)
          } else {
            try shared.batch.animate(handles, to: goals, .easeOut)
          }
        },
        Self.advance(shared, as: "tweens.on-the-way.\(which).frame-after"),
        Self.advance(shared, as: "tweens.on-the-way.\(which).frame"),
        Self.advance(shared, by: 4),
      ])
    }
  }

  // MARK: - Reading

  /// All values of two-dimensional tracks, as vectors and as columns, beside a copy of the same number of bytes.
  func copies() throws -> [OperationResult] {
    var batch = try AnimationBatch<SIMD2<Float>>(reservingCapacity: tracks)
    let goals = targets[0].indices.map { SIMD2(targets[0][$0], targets[1][$0]) }
    try batch.add(goals.map { -$0 }, to: goals, springs: springs)
    try batch.advance(to: Self.frame)
    let shared = SharedBatch(batch)
    var vectors = goals
    var columns = [Float](repeating: 0, count: 2 * tracks)
    return try rounds.time([
      Step("copy.interleaved.2") { _ in try shared.batch.copyValues(into: &vectors) },
      Step("copy.planar.2") { _ in
        var span = columns.mutableSpan
        try shared.batch.copyValues(planar: &span)
      },
    ]).flatMap { $0.rows(besideCopyOf: 16 * tracks) } + vertexCopies()
  }

  /// Values in the formats of vertices, and three properties of particles that share vertices of 20 bytes, where a row is about
  /// one of them; each beside a copy of the same number of bytes.
  private func vertexCopies() throws -> [OperationResult] {
    var sparks = Particles()
    let position = try sparks.addProperty(SIMD3<Float>.self)
    let color = try sparks.addProperty(SIMD4<Float>.self)
    let scale = try sparks.addProperty(Float.self)
    let colors = targets[0].indices.map { SIMD4(targets[0][$0], targets[1][$0], 0.25, 1) }
    try sparks.add(
      position.start(at: colors.map { [$0.x, $0.y, $0.z] }), color.start(at: colors), scale.start(at: targets[0]))
    var memory = [UInt8](repeating: 0, count: 20 * tracks)
    let formats: [(String, VertexLayout)] = [
      ("float32", VertexLayout()), ("float16", VertexLayout(.float16)), ("unorm8", VertexLayout(.unorm8)),
      ("oklab-unorm8", VertexLayout(.unorm8, color: ColorConversion(from: .okLab, to: .sRGB))),
      ("linear-unorm8", VertexLayout(.unorm8, color: ColorConversion(from: .linear, to: .sRGB))),
    ]
    let single = try formats.flatMap { name, layout in
      try rounds.time([
        Step("copy.\(name).4") { _ in
          var span = memory.mutableSpan
          var vertices = span.mutableBytes
          try sparks[color].copyValues(into: &vertices, layout: layout)
        }
      ])[0].rows(besideCopyOf: (16 + 4 * layout.format.size) * tracks)
    }
    let shared = Step("copy.vertices.20-bytes", called: 3 * tracks) { _ in
      var span = memory.mutableSpan
      var vertices = span.mutableBytes
      try sparks[position].copyValues(into: &vertices, layout: VertexLayout(stride: 20))
      try sparks[color].copyValues(into: &vertices, layout: VertexLayout(offset: 12, stride: 20, .unorm8))
      try sparks[scale].copyValues(into: &vertices, layout: VertexLayout(offset: 16, stride: 20))
    }
    return try single + rounds.time([shared])[0].rows(besideCopyOf: 52 * tracks)
  }
}
