// SPDX-License-Identifier: MIT
// Rotations. A lane shows q = g · exp(φ/2): its goal g, a quaternion of length 1, times the exponential of its offset φ in the
// tangent space of the goal, which motions lead to 0. With h = |φ|/2, C = cos h and S = sin h / h,
//
//     exp(φ/2) = (½Sφ, C)          ω = φ̇ − ½S² φ×φ̇ + (1 − SC)/|φ|² φ×(φ×φ̇)
//
// ω being the angular velocity in the axes of the body: φ̇ times the right Jacobian of φ (Solà, Deray and Atchuthan 2018,
// equations 143 and 145). For another goal g′ the lane takes over q and ω. With (v, w) = g′⁻¹q, where the sign of g′ is the one
// with w ≥ 0, which is the shortest way, and z = |v|²/(1 + w)² = tan²(h′/2),
//
//     φ′ = 4A(z)/(1 + w) · v          φ̇′ = ω + ½φ′×ω + K(z) φ′×(φ′×ω)
//
// A(z) = atan(√z)/√z and K(z) = (1 − h′ cot h′)/(4h′²) are minimax polynomials for 0 ≤ z ≤ 1, within 2⁻²⁶ and 2⁻²³ of the
// largest value. Sums, products, quotients and roots alone, each rounded by itself, so that all sets have the same bits.

/// The columns of tracks that are rotations. Each number has a column for each of its components.
public struct RotationColumns {
  /// φ, with a fourth component that is not read; the quaternion itself in lanes that play clips.
  public var value: Column<Float>
  /// The rate of change of the value, per second.
  public var velocity: Column<Float>
  /// Floats from a component of a value or a velocity to the next.
  public var dimensionStride: Int
  /// g.
  public var goal: Column<Float>
  /// q.
  public var shown: Column<Float>
  /// Floats from a component of a goal or of q to the next.
  public var stride: Int

  public init(
    value: Column<Float>, velocity: Column<Float>, dimensionStride: Int, goal: Column<Float>, shown: Column<Float>,
    stride: Int
  ) {
    (self.value, self.velocity, self.dimensionStride) = (value, velocity, dimensionStride)
    (self.goal, self.shown, self.stride) = (goal, shown, stride)
  }
}

/// From which columns the rotation of a lane is known.
public enum RotationSource: Sendable {
  /// From the last frame: it is what shows.
  case shown
  /// From its offset, at a moment between frames.
  case offset
  /// Its value is a quaternion.
  case quaternion
}

/// The kernels of rotations, which modules for the web leave out.
public struct RotationKernels: Sendable {
  #if !REAL_TIME_ONLY
    /// Shows lanes: columns, run, whether their values are quaternions.
    public let show: @Sendable (RotationColumns, LaneRun, Bool) -> Void
    /// Gives lanes other goals: columns, run, what their rotations are, the goals of the first lane, which may have any length,
    /// floats from a component to the next, and the columns for the new values, velocities and goals.
    public let turn:
      @Sendable (RotationColumns, LaneRun, RotationSource, ConstantColumn<Float>, Int, RotationColumns) -> Void
    /// Whether quaternions, in whole vectors, have a direction: the first one, floats from a component to the next, their number.
    public let haveDirections: @Sendable (ConstantColumn<Float>, Int, Int) -> Bool
  #else
    // Nothing calls these where there are no rotations.
    public func show(_: RotationColumns, _: LaneRun, _: Bool) {}
    public func turn(
      _: RotationColumns, _: LaneRun, _: RotationSource, _: ConstantColumn<Float>, _: Int, _: RotationColumns
    ) {}
    public func haveDirections(_: ConstantColumn<Float>, _: Int, _: Int) -> Bool { false }
  #endif

  @export(implementation) @inline(__always)
  init<I: InstructionSet>(_: I.Type) {
    #if !REAL_TIME_ONLY
      show = { I.showRotations($0, $1, areQuaternions: $2) }
      turn = { I.turnRotations($0, $1, $2, to: $3, stride: $4, $5) }
      haveDirections = { I.haveDirections($0, stride: $1, count: $2) }
    #endif
  }
}

@usableFromInline struct VectorLanes<I: InstructionSet> {
  @usableFromInline var x, y, z: I.Floats

  @export(implementation) @inline(__always)
  init(_ x: I.Floats, _ y: I.Floats, _ z: I.Floats) { (self.x, self.y, self.z) = (x, y, z) }

  @export(implementation) @inline(__always)
  init(_ column: ConstantColumn<Float>, stride: Int, at lane: Int) {
    self.init(column.lanes(at: lane), column.lanes(at: lane &+ stride), column.lanes(at: lane &+ 2 &* stride))
  }

  @export(implementation) @inline(__always)
  func store(_ column: Column<Float>, stride: Int, at lane: Int) {
    column.store(x, at: lane)
    column.store(y, at: lane &+ stride)
    column.store(z, at: lane &+ 2 &* stride)
  }

  @export(implementation) @inline(__always)
  var square: I.Floats { (x * x + y * y) + z * z }

  @export(implementation) @inline(__always)
  func cross(_ b: Self) -> Self { Self(y * b.z - z * b.y, z * b.x - x * b.z, x * b.y - y * b.x) }

  @export(implementation) @inline(__always)
  static func * (a: I.Floats, b: Self) -> Self { Self(a * b.x, a * b.y, a * b.z) }

  @export(implementation) @inline(__always)
  static func + (a: Self, b: Self) -> Self { Self(a.x + b.x, a.y + b.y, a.z + b.z) }
}

@usableFromInline struct QuaternionLanes<I: InstructionSet> {
  @usableFromInline var v: VectorLanes<I>
  @usableFromInline var w: I.Floats

  @export(implementation) @inline(__always)
  init(_ v: VectorLanes<I>, _ w: I.Floats) { (self.v, self.w) = (v, w) }

  @export(implementation) @inline(__always)
  init(_ column: ConstantColumn<Float>, stride: Int, at lane: Int) {
    self.init(VectorLanes(column, stride: stride, at: lane), column.lanes(at: lane &+ 3 &* stride))
  }

  @export(implementation) @inline(__always)
  func store(_ column: Column<Float>, stride: Int, at lane: Int) {
    v.store(column, stride: stride, at: lane)
    column.store(w, at: lane &+ 3 &* stride)
  }

  @export(implementation) @inline(__always)
  static func * (a: Self, b: Self) -> Self {
    let x = (a.w * b.v.x + a.v.x * b.w) + (a.v.y * b.v.z - a.v.z * b.v.y)
    let y = (a.w * b.v.y + a.v.y * b.w) + (a.v.z * b.v.x - a.v.x * b.v.z)
    let z = (a.w * b.v.z + a.v.z * b.w) + (a.v.x * b.v.y - a.v.y * b.v.x)
    let w = (a.w * b.w - a.v.x * b.v.x) - (a.v.y * b.v.y + a.v.z * b.v.z)
    return Self(VectorLanes(x, y, z), w)
  }

  @export(implementation) @inline(__always)
  var conjugate: Self { Self(I.splat(-1) * v, w) }

  @export(implementation) @inline(__always)
  var square: I.Floats { (v.x * v.x + v.y * v.y) + (v.z * v.z + w * w) }

  @export(implementation) @inline(__always)
  static func * (a: I.Floats, b: Self) -> Self { Self(a * b.v, a * b.w) }

  /// The quaternion at length 1; that of no turn for one that is nearly zero.
  ///
  /// One of a length near 1 needs no root: a step of Newton's method leaves an error of ⅜(n − 1)².
  @export(implementation) @inline(__always)
  var normalized: Self {
    let n = square
    let room = I.splat(RotationLimits.nearOne) - I.magnitude(n - I.splat(1))
    let isFar = unsafe unsafeBitCast(room, to: I.Ints.self)
    let near = (I.splat(1.5) - I.splat(0.5) * n) * self
    guard I.signs(isFar) != 0 else { return near }
    let (mask, far) = (isFar &>> I.Ints(repeating: 31), rescaled(n))
    return Self(
      VectorLanes(
        I.blend(mask, far.v.x, near.v.x), I.blend(mask, far.v.y, near.v.y), I.blend(mask, far.v.z, near.v.z)),
      I.blend(mask, far.w, near.w))
  }

  @export(implementation) @inline(__always)
  func rescaled(_ n: I.Floats) -> Self {
    let isNone = I.isLess(n, I.splat(RotationLimits.leastSquare)) &>> I.Ints(repeating: 31)
    let scale = I.clear(I.splat(1) / I.squareRoot(I.blend(isNone, I.splat(1), n)), where: isNone)
    var unit = scale * self
    unit.w = I.blend(isNone, I.splat(1), unit.w)
    return unit
  }
}

/// Which numbers a batch takes for a rotation.
public enum RotationLimits {
  /// The least and the largest squared length of a quaternion.
  public static let leastSquare: Float = 1e-30
  public static let largestSquare: Float = 1e30
  /// How far a squared length may be from 1 for one step of Newton's method.
  public static let nearOne: Float = 0x1p-12
}

extension InstructionSet {
  /// sin(h)/h and cos h of h = ½√`square`, within 1.5 · 2⁻²⁴ and 2 · 2⁻²⁴ up to half a turn, and within 2⁻²³ + h · 2⁻²⁴ beyond.
  @export(implementation) @inline(__always)
  static func halfSineAndCosine(ofSquare square: Floats) -> (sine: Floats, cosine: Floats) {
    let u = splat(0.25) * square
    let (sine, cosine) = (evenSine(u), evenCosine(u))
    // Beyond half a turn the angle is reduced.
    let far = marksBeyondHalfATurn(square)
    guard signs(far) != 0 else { return (sine, cosine) }
    let mask = far &>> Ints(repeating: 31)
    let h = squareRoot(maximum(u, splat(1)))
    let turns = minimum(h, splat(0x1p18))
    let n = nearestInteger(turns * splat(0.31830987))
    // π in three parts, of which products with n are exact but for the last.
    let r = ((turns - n * splat(3.140625)) - n * splat(0.00096702575)) - n * splat(6.278329e-07)
    let odd = unsafe unsafeBitCast(n + splat(12_582_912), to: Ints.self) &<< Ints(repeating: 31)
    let reduced = r * r
    let farSine = unsafe unsafeBitCast(
      unsafeBitCast(evenSine(reduced) * r / h, to: Ints.self) ^ odd, to: Floats.self)
    let farCosine = unsafe unsafeBitCast(unsafeBitCast(evenCosine(reduced), to: Ints.self) ^ odd, to: Floats.self)
    return (blend(mask, farSine, sine), blend(mask, farCosine, cosine))
  }

  /// Negative where the square of an angle is beyond that of half a turn: a greater Float has the greater bits.
  @export(implementation) @inline(__always)
  static func marksBeyondHalfATurn(_ square: Floats) -> Ints {
    unsafe Ints(repeating: Int32(bitPattern: Float(9.87).bitPattern)) &- unsafeBitCast(square, to: Ints.self)
  }

  /// sin(√u)/√u for 0 ≤ u ≤ (π/2)².
  @export(implementation) @inline(__always)
  static func evenSine(_ u: Floats) -> Floats {
    var p = u * splat(2.605078407214023e-06) + splat(-0.0001980901142815128)
    p = p * u + splat(0.008333050645887852)
    p = p * u + splat(-0.16666658222675323)
    return p * u + splat(1)
  }

  /// cos √u for 0 ≤ u ≤ (π/2)².
  @export(implementation) @inline(__always)
  static func evenCosine(_ u: Floats) -> Floats {
    var p = u * splat(-2.605002862310357e-07) + splat(2.476008012308739e-05)
    p = p * u + splat(-0.0013888359535485506)
    p = p * u + splat(0.04166663438081741)
    p = p * u + splat(-0.5)
    return p * u + splat(1)
  }

  /// Shows lanes of a run.
  @export(implementation) @inline(__always)
  static func showRotations(_ columns: RotationColumns, _ run: LaneRun, areQuaternions: Bool) {
    let end = run.firstLane &+ run.laneCount
    var lane = run.firstLane
    if areQuaternions {
      while lane < end {
        QuaternionLanes<Self>(columns.value.constant, stride: columns.dimensionStride, at: lane).normalized
          .store(columns.shown, stride: columns.stride, at: lane)
        lane &+= Floats.scalarCount
      }
      return
    }
    while lane < end {
      let φ = VectorLanes<Self>(columns.value.constant, stride: columns.dimensionStride, at: lane)
      let (sine, cosine) = halfSineAndCosine(ofSquare: φ.square)
      let offset = QuaternionLanes<Self>((splat(0.5) * sine) * φ, cosine)
      (QuaternionLanes<Self>(columns.goal.constant, stride: columns.stride, at: lane) * offset)
        .store(columns.shown, stride: columns.stride, at: lane)
      lane &+= Floats.scalarCount
    }
  }

  /// Whether each of some quaternions has a direction; their number is a multiple of that of the lanes.
  @export(implementation) @inline(__always)
  static func haveDirections(_ first: ConstantColumn<Float>, stride: Int, count: Int) -> Bool {
    // Numbers from 0 on are in the order of their bits, with NaN last.
    let least = Ints(repeating: Int32(bitPattern: RotationLimits.leastSquare.bitPattern))
    let largest = Ints(repeating: Int32(bitPattern: RotationLimits.largestSquare.bitPattern))
    var (marks, lane) = (Ints.zero, 0)
    while lane < count {
      let bits = unsafe unsafeBitCast(
        QuaternionLanes<Self>(first, stride: stride, at: lane).square, to: Ints.self)
      marks |= (bits &- least) | (largest &- bits)
      lane &+= Floats.scalarCount
    }
    return signs(marks) == 0
  }

  /// Gives lanes of a run other goals.
  @export(implementation) @inline(__always)
  static func turnRotations(
    _ columns: RotationColumns, _ run: LaneRun, _ source: RotationSource, to goals: ConstantColumn<Float>, stride: Int,
    _ output: RotationColumns
  ) {
    switch source {
    case .shown: turnRotations(columns, run, to: goals, stride: stride, output) { stateOfShown(columns, $0) }
    case .offset: turnRotations(columns, run, to: goals, stride: stride, output) { stateOfOffset(columns, $0) }
    case .quaternion: turnRotations(columns, run, to: goals, stride: stride, output) { stateOfQuaternion(columns, $0) }
    }
  }

  @export(implementation) @inline(__always)
  static func turnRotations(
    _ columns: RotationColumns, _ run: LaneRun, to goals: ConstantColumn<Float>, stride: Int, _ output: RotationColumns,
    _ state: (Int) -> (rotation: QuaternionLanes<Self>, velocity: VectorLanes<Self>)
  ) {
    var position = 0
    while position < run.laneCount {
      let lane = run.firstLane &+ position
      let state = state(lane)
      var goal = QuaternionLanes<Self>(goals, stride: stride, at: position).normalized
      var way = goal.conjugate * state.rotation
      // Where the way is longer than half a turn, the negative quaternion of the goal is nearer.
      let sign = unsafe unsafeBitCast(way.w, to: Ints.self) & Ints(repeating: .min)
      let direction = unsafe unsafeBitCast(unsafeBitCast(splat(1), to: Ints.self) ^ sign, to: Floats.self)
      (way, goal) = (direction * way, direction * goal)
      let (offset, rate) = tangent(way, state.velocity)
      goal.store(output.goal, stride: output.stride, at: lane)
      offset.store(output.value, stride: output.dimensionStride, at: lane)
      rate.store(output.velocity, stride: output.dimensionStride, at: lane)
      position &+= Floats.scalarCount
    }
  }

  /// The rotation that a lane shows, and its angular velocity.
  @export(implementation) @inline(__always)
  static func stateOfShown(
    _ columns: RotationColumns, _ lane: Int
  ) -> (rotation: QuaternionLanes<Self>, velocity: VectorLanes<Self>) {
    let φ = VectorLanes<Self>(columns.value.constant, stride: columns.dimensionStride, at: lane)
    return (
      QuaternionLanes<Self>(columns.shown.constant, stride: columns.stride, at: lane),
      angularVelocity(columns, lane, φ)
    )
  }

  /// The rotation and the angular velocity of a lane with an offset.
  @export(implementation) @inline(__always)
  static func stateOfOffset(
    _ columns: RotationColumns, _ lane: Int
  ) -> (rotation: QuaternionLanes<Self>, velocity: VectorLanes<Self>) {
    let φ = VectorLanes<Self>(columns.value.constant, stride: columns.dimensionStride, at: lane)
    let (sine, cosine) = halfSineAndCosine(ofSquare: φ.square)
    let rotation =
      QuaternionLanes<Self>(columns.goal.constant, stride: columns.stride, at: lane)
      * QuaternionLanes((splat(0.5) * sine) * φ, cosine)
    return (rotation, angularVelocity(columns, lane, φ))
  }

  /// The angular velocity of a lane with an offset.
  @export(implementation) @inline(__always)
  static func angularVelocity(_ columns: RotationColumns, _ lane: Int, _ φ: VectorLanes<Self>) -> VectorLanes<Self> {
    let rate = VectorLanes<Self>(columns.velocity.constant, stride: columns.dimensionStride, at: lane)
    let square = φ.square
    let (sine, cosine) = halfSineAndCosine(ofSquare: square)
    // (θ − sin θ)/θ³ for θ² up to π².
    var second = square * splat(-1.3943320109621737e-10) + splat(2.4822565336535263e-08)
    second = second * square + splat(-2.754570914476062e-06)
    second = second * square + splat(0.00019841003813780844)
    second = second * square + splat(-0.008333330973982811)
    second = second * square + splat(0.1666666716337204)
    let far = marksBeyondHalfATurn(square)
    if signs(far) != 0 {
      second = blend(
        far &>> Ints(repeating: 31), (splat(1) - sine * cosine) / maximum(square, splat(1)), second)
    }
    let first = φ.cross(rate)
    return (rate + (splat(-0.5) * (sine * sine)) * first) + second * φ.cross(first)
  }

  /// The rotation and the angular velocity of a lane whose value is a quaternion q: 2 q⁻¹q̇ is ω.
  @export(implementation) @inline(__always)
  static func stateOfQuaternion(
    _ columns: RotationColumns, _ lane: Int
  ) -> (rotation: QuaternionLanes<Self>, velocity: VectorLanes<Self>) {
    let q = QuaternionLanes<Self>(columns.value.constant, stride: columns.dimensionStride, at: lane)
    let rate = QuaternionLanes<Self>(columns.velocity.constant, stride: columns.dimensionStride, at: lane)
    let perSquare = splat(2) / maximum(q.square, splat(RotationLimits.leastSquare))
    return (q.normalized, perSquare * (q.conjugate * rate).v)
  }

  /// The offset of a lane from its goal by the shortest way, and the rate of change of the offset.
  @export(implementation) @inline(__always)
  static func tangent(
    _ way: QuaternionLanes<Self>, _ velocity: VectorLanes<Self>
  ) -> (offset: VectorLanes<Self>, rate: VectorLanes<Self>) {
    let perCosine = splat(1) / (splat(1) + way.w)
    let z = way.v.square * (perCosine * perCosine)
    var a = z * splat(0.0029035559855401516) + splat(-0.016283022239804268)
    a = a * z + splat(0.043039388954639435)
    a = a * z + splat(-0.07533677667379379)
    a = a * z + splat(0.1065467819571495)
    a = a * z + splat(-0.14207133650779724)
    a = a * z + splat(0.19993054866790771)
    a = a * z + splat(-0.3333309292793274)
    a = a * z + splat(1)
    let φ = (splat(4) * a * perCosine) * way.v
    var k = z * splat(0.00029374213772825897) + splat(-0.001307969680055976)
    k = k * z + splat(0.0030545792542397976)
    k = k * z + splat(-0.006268579047173262)
    k = k * z + splat(0.022216077893972397)
    k = k * z + splat(0.08333341032266617)
    let first = φ.cross(velocity)
    return (φ, (velocity + splat(0.5) * first) + k * φ.cross(first))
  }
}
