// SPDX-License-Identifier: MIT
import Murmuration

/// A call about named tracks, with all its numbers. Columns are planar: dimension 0 of all tracks, then dimension 1, ….
enum Call: Sendable {
  /// One animation for all tracks, or one for each.
  case animate(to: [Float], [Animation?], delays: [Double])
  case retarget(to: [Float], delays: [Double])
  case set([Float], velocities: [Float])
  case displace([Float], velocities: [Float])
  /// With given velocities, or with those that the tracks have.
  case decelerate(Deceleration, velocities: [Float])
  /// Clips, by their index among the assets, with a playback for each track.
  case play([Int], [Playback], isFromShown: Bool)
  case vary(scales: [Float], offsets: [Float])
  case trigger, pause, resume
  case setSpeed([Double])
  /// To shares of the clip's duration.
  case seek(progress: [Double])
  /// To seconds of the clip.
  case seekTime([Double])
  case remove
}

/// The tracks that a call names, in the batch's terms.
enum BatchNames {
  case one(TrackHandle)
  case many([TrackHandle])
  case range(Range<Int>)
  case all

  /// The handles, if the call names handles.
  var handles: [TrackHandle] {
    switch self {
    case .one(let handle): [handle]
    case .many(let handles): handles
    case .range, .all: []
    }
  }
}

extension Numbers {
  /// The call of a kind about some tracks.
  func call(_ kind: CallKind, count: Int, at now: Double, _ assets: ProgramAssets) -> Call {
    let indices = 0..<count
    func columns(_ vector: (Int) -> Vector) -> [Float] {
      Vector.planar(indices.map(vector), dimensions: assets.dimensions)
    }
    switch kind {
    case .spring: return .animate(to: columns(target), [.spring(spring(0))], delays: [])
    case .springs: return .animate(to: columns(target), indices.map { .spring(spring($0)) }, delays: [])
    case .animation: return .animate(to: columns(target), [animation(0)], delays: [])
    case .animations:
      return .animate(to: columns(target), indices.map { isStill($0) ? nil : animation($0) }, delays: [])
    case .jump: return .animate(to: columns(target), [nil], delays: [])
    case .retarget: return .retarget(to: columns(target), delays: [])
    case .delayedSpring: return .animate(to: columns(target), [.spring(spring(0))], delays: indices.map(delay))
    case .delayedRetarget: return .retarget(to: columns(target), delays: indices.map(delay))
    case .delayedAnimations:
      return .animate(
        to: columns(target), indices.map { isStill($0) ? nil : animation($0) }, delays: indices.map(delay))
    case .set: return .set(columns(value), velocities: columns(velocity))
    case .displace: return .displace(columns(value), velocities: columns(velocity))
    case .decelerate: return .decelerate(deceleration, velocities: hasVelocities ? columns(velocity) : [])
    case .play, .playOn:
      let isFromShown = kind == .playOn
      return .play(
        indices.map { clip($0, among: isFromShown ? assets.restartableClips : assets.clips.indices) },
        indices.map { isFromShown ? forwardPlayback($0) : playback($0, near: now) }, isFromShown: isFromShown)
    case .vary: return .vary(scales: columns(factor), offsets: columns(value))
    case .trigger: return .trigger
    case .pause: return .pause
    case .resume: return .resume
    case .setSpeed: return .setSpeed(indices.map(speed))
    case .seek: return .seek(progress: indices.map(share))
    case .seekTime: return .seekTime(indices.map { 4 * share($0) })
    case .remove: return .remove
    }
  }

  /// The numbers that a call of a kind gives its n-th track, in words.
  func text(_ kind: CallKind, _ index: Int, _ assets: ProgramAssets) -> String {
    let dimensions = assets.dimensions
    let target = target(index).text(dimensions)
    return switch kind {
    case .spring: "to \(target), \(spring(0).text)"
    case .springs: "to \(target), \(spring(index).text)"
    case .animation: "to \(target), \(animation(0))"
    case .animations: "to \(target), \(isStill(index) ? "none" : "\(animation(index))")"
    case .jump, .retarget: "to \(target)"
    case .delayedSpring: "to \(target) after \(delay(index)) s, \(spring(0).text)"
    case .delayedRetarget: "to \(target) after \(delay(index)) s"
    case .delayedAnimations:
      "to \(target) after \(delay(index)) s, \(isStill(index) ? "none" : "\(animation(index))")"
    case .set, .displace: "to \(value(index).text(dimensions)) velocity \(velocity(index).text(dimensions))"
    case .decelerate: "\(deceleration.rate)" + (hasVelocities ? " from \(velocity(index).text(dimensions))" : "")
    case .play: "clip \(clip(index, among: assets.clips.indices)), \(playback(index, near: 0)), from now"
    case .playOn: "clip \(clip(index, among: assets.restartableClips)), \(forwardPlayback(index))"
    case .vary: "by \(factor(index).text(dimensions)) and \(value(index).text(dimensions))"
    case .setSpeed: "\(speed(index))"
    case .seek: "\(share(index))"
    case .seekTime: "\(4 * share(index)) s"
    case .trigger, .pause, .resume, .remove: ""
    }
  }
}

extension ReferenceTrack {
  /// Takes a call as the n-th of its tracks.
  mutating func take(_ call: Call, _ index: Int, of count: Int, at now: Double, _ assets: ProgramAssets) throws {
    func own(_ columns: [Float]) -> [Float] { (0..<dimensions).map { columns[$0 * count + index] } }
    switch call {
    case .animate(let targets, let animations, let delays):
      let animation = animations[animations.count == 1 ? 0 : index]
      if delays.isEmpty {
        animate(to: own(targets), with: animation, at: now)
      } else {
        animate(to: own(targets), with: animation, after: delays[index], at: now)
      }
    case .retarget(let targets, let delays):
      if delays.isEmpty {
        retarget(to: own(targets), at: now)
      } else {
        retarget(to: own(targets), after: delays[index], at: now)
      }
    case .set(let values, let velocities): set(own(values), velocities: own(velocities), at: now)
    case .displace(let values, let velocities): displace(own(values), velocities: own(velocities), at: now)
    case .decelerate(let deceleration, let velocities):
      decelerate(deceleration, velocities: velocities.isEmpty ? nil : own(velocities), at: now)
    case .play(let clips, let playbacks, let isFromShown):
      try play(assets.clips[clips[index]], playbacks[index], fromShown: isFromShown, at: now)
    case .vary(let scales, let offsets): setVariation(scales: own(scales), offsets: own(offsets))
    case .trigger: trigger(at: now)
    case .pause: pause(at: now)
    case .resume: resume(at: now)
    case .setSpeed(let speeds): setSpeed(speeds[index], at: now)
    case .seek(let progress):
      if case .clip(let clip) = motion { seek(to: progress[index] * clip.content.duration, at: now) }
    case .seekTime(let seconds): seek(to: seconds[index], at: now)
    case .remove: break
    }
  }
}
