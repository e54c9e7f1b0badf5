// SPDX-License-Identifier: MIT
// The names are those of the header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase
import AnimationModel
import CSurface
import Murmuration

/// A program of springs, curves, clips, phases and slides whose calls are those of the header, and a hash of what it reads.
private struct SameBitsProgram {
  private var random = SplitMix64(seed: 17)
  private(set) var hash: UInt64 = 0xcbf2_9ce4_8422_2325
  private let batch: murmuration_batch
  private let count: Int32 = 1_000
  private var numbers: [Float]
  private var tracks: [murmuration_track]

  init(_ batch: murmuration_batch) {
    self.batch = batch
    numbers = [Float](repeating: 0, count: 2 * Int(count))
    tracks = [murmuration_track](repeating: murmuration_track(), count: Int(count))
  }

  /// Draws a value for each track.
  private mutating func draw() {
    for index in numbers.indices { numbers[index] = Float(random.uniform(-100...100)) }
  }

  private static func animation(_ spring: murmuration_spring) -> murmuration_animation {
    murmuration_spring_animation(spring)
  }

  /// Runs the program; the first status that is no success, or ``ok``.
  mutating func run() -> Int32 {
    draw()
    var status = murmuration_add(batch, numbers, 2, 1, &tracks, count)
    if status == ok { status = setOut() }
    if status == ok { status = playClip() }
    if status == ok { status = playPhases() }
    for frame in 0..<120 where status == ok {
      if frame % 10 == 5 { status = change(frame / 10) }
      if status == ok { status = murmuration_advance_by(batch, random.uniform(0...0.03), Int32(frame % 2)) }
      if status == ok { status = read() }
    }
    return status
  }

  /// Sends the first half of the tracks to goals: with one spring, with one each, and along curves.
  private mutating func setOut() -> Int32 {
    draw()
    var bouncy = Self.animation(murmuration_spring_of_duration(0.6, 0.3))
    var status = murmuration_animate(batch, tracks, 0, 200, numbers, 2, 1, &bouncy, nil, 0, nil)
    var each: [murmuration_animation] = []
    for _ in 0..<200 {
      each.append(Self.animation(murmuration_spring_of_duration(random.uniform(0.05...3), random.uniform(-0.95...1))))
    }
    if status == ok { status = murmuration_animate_each(batch, tracks, 200, 200, numbers, 2, 1, each, nil, 0, nil) }
    var curve = murmuration_modified(
      murmuration_curve_animation(murmuration_named_curve(Int32(MURMURATION_EASE_IN_OUT)), 0.7),
      Int32(MURMURATION_REPEAT_AUTOREVERSED), 3)
    if status == ok { status = murmuration_animate(batch, tracks, 400, 100, numbers, 2, 1, &curve, nil, 0, nil) }
    return status
  }

  /// Plays keyframes on a fifth of the tracks.
  private mutating func playClip() -> Int32 {
    func keyframe(_ kind: Int, _ to: Double, _ duration: Double) -> murmuration_keyframe {
      var keyframe = murmuration_keyframe()
      (keyframe.kind, keyframe.to, keyframe.duration) = (Int32(kind), to, duration)
      keyframe.curve.kind = Int32(MURMURATION_EASE_OUT)
      keyframe.spring = murmuration_spring_of_duration(0.4, 0.2)
      return keyframe
    }
    let keyframes = [
      keyframe(MURMURATION_LINEAR_KEYFRAME, 10, 0.2), keyframe(MURMURATION_CUBIC_KEYFRAME, -4, 0.3),
      keyframe(MURMURATION_SPRING_KEYFRAME, 2, 0), keyframe(MURMURATION_MOVE, 1, 0),
      keyframe(MURMURATION_CUBIC_KEYFRAME, 7, 0.5),
    ]
    var clip = murmuration_clip()
    var status = murmuration_load_clip(batch, [0, 1], keyframes, [3, 2], 2, 0, &clip, nil)
    var playbacks: [murmuration_playback] = []
    for _ in 0..<200 {
      var playback = murmuration_playback()
      if status == ok { status = murmuration_playback_default(&playback) }
      playback.iterations = .infinity
      playback.speed = random.uniform(0.3...2)
      playback.delay = random.uniform(0...0.5)
      playback.flags = Int32(MURMURATION_AUTOREVERSES)
      playbacks.append(playback)
    }
    if status == ok { status = murmuration_play_clip(batch, &clip, tracks, 500, 200, playbacks, 200, 0, 0, nil) }
    return status
  }

  /// Plays phases on a fifth of the tracks.
  private mutating func playPhases() -> Int32 {
    let targets: [Float] = [0, 0, 10, 5, -3, 8]
    let animations = [
      Self.animation(murmuration_spring_of_duration(0.3, 0)), Self.animation(murmuration_spring_of_duration(0.4, 0.3)),
      Self.animation(murmuration_spring_of_response(0.2, 1.5)),
    ]
    var phases = murmuration_phases()
    var status = murmuration_load_phases(batch, targets, animations, 2, 3, &phases)
    var starts: [Double] = []
    for _ in 0..<200 { starts.append(random.uniform(0...0.5)) }
    draw()
    if status == ok {
      status = murmuration_play_phases(
        batch, &phases, tracks, 700, 200, Int32(MURMURATION_LOOPS), starts, nil, 0, 0, numbers, 2, 1, nil)
    }
    return status
  }

  /// Sends some tracks elsewhere: by retargets, by hand, by throws and by pauses.
  private mutating func change(_ round: Int) -> Int32 {
    draw()
    switch round % 5 {
    case 0: return murmuration_retarget(batch, tracks, 0, 400, numbers, 2, 1, nil, 0, nil)
    case 1: return murmuration_displace(batch, tracks, 150, 100, numbers, 2, 1, numbers, 1, 100, nil)
    case 2: return murmuration_decelerate(batch, tracks, 900, 100, numbers, 2, 1, 0.998, nil, nil, 0, nil, 0, nil)
    case 3: return murmuration_pause(batch, tracks, 300, 50)
    default:
      let status = murmuration_resume(batch, tracks, 300, 50)
      return status == ok ? murmuration_animate(batch, tracks, 0, 50, numbers, 2, 1, nil, nil, 0, nil) : status
    }
  }

  /// Adds the bits of all values to the hash.
  private mutating func read() -> Int32 {
    let status = murmuration_read(
      batch, Int32(MURMURATION_VALUES), nil, 0, Int32(MURMURATION_ALL), &numbers, 2, 1)
    for number in numbers { hash = (hash ^ UInt64(number.bitPattern)) &* 0x100_0000_01b3 }
    return status
  }
}

@c @implementation
public func murmuration_same_bits(_ hash: UnsafeMutablePointer<UInt64>?) -> Int32 {
  guard let hash else { return failNull("hash") }
  var batch: murmuration_batch = 0
  var status = murmuration_batch_create(2, 1_000, 0, &batch)
  guard status == ok else { return status }
  var program = SameBitsProgram(batch)
  status = program.run()
  let freed = murmuration_batch_free(batch)
  guard status == ok, freed == ok else { return status == ok ? freed : status }
  hash.pointee = program.hash
  return ok
}
