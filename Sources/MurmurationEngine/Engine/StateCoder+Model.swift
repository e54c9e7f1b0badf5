// SPDX-License-Identifier: MIT
import Kernels

// The values that animations are made of. Each function takes the value that is written, or any value when one is read, and
// returns the value.
extension StateCoder {
  mutating func coded<Element: BitwiseCopyable>(list: [Element]) -> [Element] {
    var list = list
    code(&list)
    return list
  }

  /// The elements of a list of values that are not plain.
  mutating func coded<Element>(list: [Element], _ element: (inout StateCoder, Element?) -> Element?) -> [Element] {
    var read: [Element] = []
    for index in 0..<codedCount(list.count, width: 1) {
      guard let next = element(&self, isReading ? nil : list[index]), isIntact else { break }
      if isReading { read.append(next) }
    }
    return isReading ? read : list
  }

  mutating func coded(_ curve: UnitCurve) -> UnitCurve {
    var (kind, numbers, count) = (UInt8(0), SIMD4<Double>.zero, 0)
    var lists = (inputs: [Double](), outputs: [Double]())
    switch curve.shape {
    case .identity: break
    case .named(let ease):
      let family = NamedEase.Family.allCases.firstIndex(of: ease.family) ?? 0
      let direction = NamedEase.Direction.allCases.firstIndex(of: ease.direction) ?? 0
      (kind, numbers) = (1, SIMD4(Double(family), Double(direction), ease.isInverse ? 1 : 0, 0))
    case .bezier(let bezier): (kind, numbers) = (2, SIMD4(bezier.start.x, bezier.start.y, bezier.end.x, bezier.end.y))
    case .steps(let steps):
      let position = StepCurve.Position.allCases.firstIndex(of: steps.position) ?? 0
      (kind, count, numbers.x) = (3, steps.count, Double(position))
    case .piecewiseLinear(let line): (kind, lists) = (4, (line.inputs, line.outputs))
    }
    code(&kind)
    code(&numbers)
    code(&count)
    lists = (coded(list: lists.inputs), coded(list: lists.outputs))
    /// The case that a number names.
    func element<Case>(_ cases: [Case], _ number: Double) -> Case? {
      Int(exactly: number).flatMap { cases.indices ~= $0 ? cases[$0] : nil }
    }
    switch kind {
    case 0: return .linear
    case 1:
      guard let family = element(NamedEase.Family.allCases, numbers.x),
        let direction = element(NamedEase.Direction.allCases, numbers.y)
      else { break }
      let ease = NamedEase(family, direction)
      return UnitCurve(.named(numbers.z == 1 ? ease.inverse : ease))
    case 2:
      return .bezier(
        startControlPoint: UnitPoint(x: numbers.x, y: numbers.y), endControlPoint: UnitPoint(x: numbers.z, y: numbers.w)
      )
    case 3:
      guard let position = element(StepCurve.Position.allCases, numbers.x) else { break }
      return .steps(count, position: position)
    case 4 where lists.inputs.count == lists.outputs.count:
      return .linear(points: zip(lists.inputs, lists.outputs).map { .init(input: $0, output: $1) })
    default: break
    }
    refuse()
    return .linear
  }

  /// An animation that is not custom. No custom animation is written: the coder refuses.
  mutating func coded(_ animation: Animation?) -> Animation? {
    var (kind, number, times, reverses) = (UInt8(0), 0.0, Int?.none, false)
    var (spring, curve, base) = (Spring(), UnitCurve.linear, Animation?.none)
    switch animation?.structure {
    case nil: break
    case .curve(let of, let duration): (kind, curve, number) = (1, of, duration)
    case .spring(let of): (kind, spring, number) = (2, of, animation?.blendDuration ?? 0)
    case .interpolatingSpring(let of, let velocity): (kind, spring, number) = (3, of, velocity)
    case .delay(let of, let seconds): (kind, base, number) = (4, of, seconds)
    case .speed(let of, let speed): (kind, base, number) = (5, of, speed)
    case .repeat(let of, let count, let autoreverses): (kind, base, times, reverses) = (6, of, count, autoreverses)
    case .logicallyComplete(let of, let seconds): (kind, base, number) = (7, of, seconds)
    case .custom: kind = animation?.slide != nil ? 8 : animation?.summands != nil ? 9 : 10
    }
    code(&kind)
    code(&number)
    code(&times)
    code(&reverses)
    if kind == 1 { curve = coded(curve) }
    if 2...3 ~= kind { spring = coded(spring) }
    // Damaged bytes could nest without end.
    depth += 1
    defer { depth -= 1 }
    if depth > 256 { kind = 10 }
    if 4...7 ~= kind { base = coded(base) }
    switch (kind, base) {
    case (0, _): return nil
    case (1, _): return .timingCurve(curve, duration: number)
    case (2, _): return .spring(spring, blendDuration: number)
    case (3, _): return .interpolatingSpring(spring, initialVelocity: number)
    case (4, let base?): return base.delay(number)
    case (5, let base?): return base.speed(number)
    case (6, let base?):
      guard let times else { return base.repeatForever(autoreverses: reverses) }
      return base.repeatCount(times, autoreverses: reverses)
    case (7, let base?): return base.logicallyComplete(after: number)
    case (8, _):
      let slide = animation?.slide
      let (decayConstant, hasBounds) = (coded(slide?.decayConstant ?? 0), coded(slide?.bounded != nil))
      guard hasBounds else { return .deceleration(decayConstant: decayConstant) }
      let components = coded(list: slide?.bounded?.components ?? [])
      return .slide(decayConstant: decayConstant, components, end: coded(slide?.bounded?.end ?? 0))
    case (9, _):
      let summands = coded(list: animation?.summands ?? []) { coder, summand in
        let start = coder.coded(summand?.start ?? 0)
        return coder.coded(summand?.animation).map { ($0, start) }
      }
      return .sum(summands)
    default: break
    }
    return refused()
  }

  private mutating func coded(_ vector: TrackVector) -> TrackVector {
    let components = coded(list: vector.components)
    return TrackVector(count: components.count) { components[$0] }
  }

  private mutating func coded(_ context: AnimationContext<TrackVector>?) -> AnimationContext<TrackVector> {
    var read = AnimationContext<TrackVector>()
    read.isLogicallyComplete = coded(context?.isLogicallyComplete ?? false)
    let start = context?.state.springStart
    if coded(start != nil) {
      read.state.springStart = .init(
        time: coded(start?.time ?? 0), offset: coded(start?.offset ?? .zero), velocity: coded(start?.velocity ?? .zero))
    }
    read.state.parts = coded(list: context?.state.parts ?? []) { coder, part in
      let target = coder.coded(part?.target ?? .zero)
      coder.depth += 1
      defer { coder.depth -= 1 }
      guard coder.depth < 256 else { return nil }
      return CombinedPart(target: target, context: coder.coded(part?.context))
    }
    return read
  }

  mutating func coded(_ motion: CalledMotions.Motion?) -> CalledMotions.Motion? {
    let (value, run) = (motion?.value, motion?.value.run)
    let (target, changeTime) = (coded(value?.target ?? .zero), coded(value?.changeTime ?? 0))
    var read: CalledValue.Run?
    if coded(run != nil) {
      guard let animation = coded(run?.animation) else { return refused() }
      read = CalledValue.Run(
        animation: animation, context: coded(run?.context), interval: coded(run?.interval ?? .zero),
        start: coded(run?.start ?? 0), continues: coded(run?.continues ?? false))
    }
    return CalledMotions.Motion(
      value: CalledValue(target: target, run: read, changeTime: changeTime), changed: coded(motion?.changed ?? 0),
      reported: coded(motion?.reported ?? SpringWatch.Reported()), isOver: coded(motion?.isOver ?? false))
  }

  mutating func coded(_ base: ProgressForm.Base?) -> ProgressForm.Base? {
    var (kind, curve, spring, numbers) = (UInt8(0), UnitCurve.linear, Spring(), SIMD2<Double>.zero)
    switch base {
    case nil: break
    case .curve(let of): (kind, curve) = (1, of)
    case .spring(let of, let velocity, let end): (kind, spring, numbers) = (2, of, SIMD2(velocity, end))
    }
    code(&kind)
    if kind == 1 { return .curve(coded(curve)) }
    guard kind == 2 else { return nil }
    code(&numbers)
    return .spring(coded(spring), initialVelocity: numbers.x, end: numbers.y)
  }

  mutating func coded(_ program: CurveProgram?) -> CurveProgram? {
    let progress = program?.progress
    let form = progress?.form
    guard coded(program != nil) else { return nil }
    let (isComputed, isModified) = (coded(form?.isComputed ?? false), coded(form?.source != nil))
    let elapsed = coded(form?.elapsed)
    let (logicalEnd, end) = (coded(progress?.logicalEnd ?? 0), coded(progress?.end ?? 0))
    guard let animation = coded(progress?.animation) else { return nil }
    if isComputed { return CurveProgram(computing: animation) }
    if let elapsed {
      return CurveProgram(Progress(continuing: animation, elapsed: elapsed, logicalEnd: logicalEnd, end: end))
    }
    if !isModified, let (curve, duration) = animation.plainCurve {
      return CurveProgram(Progress(ProgressForm(.curve(curve)), duration: duration))
    }
    guard let progress = Progress(animation, includesSprings: true) else { return refused() }
    return CurveProgram(progress)
  }

  mutating func coded(_ request: MotionRequest?) -> MotionRequest? {
    var (kind, curve, duration) = (UInt8(0), UnitCurve.linear, 0.0)
    var (coefficients, program, animation) = (SpringCoefficients.jump, CurveProgram?.none, Animation?.none)
    switch request {
    case nil, .jump: break
    case .spring(let of): (kind, coefficients) = (1, of)
    case .curve(let of, let seconds): (kind, curve, duration) = (2, of, seconds)
    case .program(let of): (kind, program) = (3, of)
    case .called(let of): (kind, animation) = (4, of)
    }
    code(&kind)
    code(&coefficients)
    code(&duration)
    switch kind {
    case 0: return .jump
    case 1: return .spring(coefficients)
    case 2: return .curve(coded(curve), duration: duration)
    case 3: if let program = coded(program) { return .program(program) }
    case 4: if let animation = coded(animation) { return .called(animation) }
    default: break
    }
    return refused()
  }

  private mutating func coded(_ keyframe: Keyframe<Double>?) -> Keyframe<Double>? {
    var (kind, curve, spring) = (UInt8(0), UnitCurve.linear, Spring())
    var (duration, velocities) = (Double?.none, (start: Double?.none, end: Double?.none))
    switch keyframe {
    case nil, .move: break
    case .linear(_, let seconds, let of): (kind, duration, curve) = (1, seconds, of)
    case .cubic(_, let seconds, let start, let end): (kind, duration, velocities) = (2, seconds, (start, end))
    case .spring(_, let seconds, let of, let start):
      (kind, duration, spring, velocities.start) = (3, seconds, of, start)
    }
    code(&kind)
    code(&duration)
    code(&velocities)
    let to = coded(keyframe?.target ?? 0)
    switch (kind, duration) {
    case (0, _): return .move(to: to)
    case (1, let seconds?): return .linear(to: to, duration: seconds, timingCurve: coded(curve))
    case (2, let seconds?):
      return .cubic(to: to, duration: seconds, startVelocity: velocities.start, endVelocity: velocities.end)
    case (3, _): return .spring(to: to, duration: duration, spring: coded(spring), startVelocity: velocities.start)
    default: break
    }
    return refused()
  }

  private mutating func coded(_ track: PieceTrack?) -> PieceTrack? {
    let (components, early) = (coded(list: track?.components ?? []), coded(list: track?.earlyBoundaries ?? []))
    let times = coded(list: track?.times ?? [])
    let pieces = coded(list: track?.pieces ?? []) { coder, pieces in coder.coded(list: pieces ?? []) }
    var read = PieceTrack(
      components: components, times: times, pieces: pieces,
      boundariesBelongToLater: coded(track?.boundariesBelongToLater ?? false))
    read.earlyBoundaries = early
    return read
  }

  mutating func coded(_ sequence: PhaseSequence?) -> PhaseSequence? {
    let targets = coded(list: sequence?.targets ?? [])
    let animations = coded(list: sequence?.animations ?? []) { coder, animation -> Animation?? in
      .some(coder.coded(animation ?? nil))
    }
    let dimensions = coded(sequence?.dimensions ?? 0)
    guard isReading else { return sequence }
    let parts = dimensions > 0 ? stride(from: 0, to: targets.count, by: dimensions) : stride(from: 0, to: 0, by: 1)
    let phases = parts.map { Array(targets[$0..<min($0 + dimensions, targets.count)]) }
    guard isIntact, let read = try? PhaseSequence(dimensions: dimensions, targets: phases, animations: animations)
    else { return refused() }
    return read
  }

  /// A clip. One that was made by a function of its start cannot start from other values once it is read.
  mutating func coded(_ clip: Clip?) -> Clip? {
    guard coded(clip != nil) else { return nil }
    let initialValues = coded(list: clip?.initialValues ?? [])
    let duration = coded(clip?.duration ?? 0)
    let tracks = coded(list: clip?.tracks ?? []) { $0.coded($1) }
    let errors = coded(list: clip?.report.valueErrorBounds ?? [])
    let velocityErrors = coded(list: clip?.report.velocityErrorBounds ?? [])
    var source = clip?.source
    if coded(source != nil) {
      let keyframes = coded(list: source?.keyframes ?? []) { coder, list in
        coder.coded(list: list ?? []) { $0.coded($1) }
      }
      source = ClipSource(
        keyframes: keyframes, tolerance: coded(source?.tolerance ?? 0), leastDuration: coded(source?.leastDuration ?? 0)
      )
    }
    guard isReading else { return clip }
    guard isIntact,
      let read = try? Clip(
        stored: tracks, initialValues: initialValues, duration: duration, valueErrorBounds: errors,
        velocityErrorBounds: velocityErrors, source: source)
    else { return refused() }
    return read
  }
}
