// SPDX-License-Identifier: MIT
package import Murmuration

/// A call as fields that all calls share, each of them with its own meaning of "one for each track".
///
/// What is done to any call (naming other tracks, leaving some out, writing it to a file) is done to these fields, so that
/// it need not know the calls.
struct CallFields {
  /// The name of the call, as in recordings.
  var name: String
  var tracks: BatchCall.Tracks?
  /// Numbers of each track, track by track: values, velocities, goals, scales and offsets.
  var vectors: [VectorKey: [Float]] = [:]
  /// Numbers of each track: delays, starts, speeds, times, shares.
  var numbers: [Double]?
  var springs: [Spring]?
  var animations: [Animation?]?
  var playbacks: [Playback]?
  /// Clips by the order of loading, or the one sequence of phases.
  var assets: [Int]?
  var clip: Clip?
  var phases: PhaseSequence?
  var start: ClipStart?
  var phasePlayback: PhasePlayback?
  var deceleration: Deceleration?
  var restTolerance: RestTolerances?
  var reports: AnimationReports?
  var count: Int?
  /// The time of an advance.
  var time: Double?
  var computesVelocities: Bool?

  enum VectorKey: String, CaseIterable, Codable { case values, velocities, goals, scales, offsets }

  init(_ name: String, _ tracks: BatchCall.Tracks? = nil, _ vectors: [VectorKey: [Float]] = [:]) {
    (self.name, self.tracks, self.vectors) = (name, tracks, vectors)
  }
}

extension CallFields {
  // Thirty calls, each on a line: one function shows all of them at a glance.
  init(_ call: BatchCall) {
    func fields(
      _ name: String, _ tracks: BatchCall.Tracks? = nil, _ vectors: [VectorKey: [Float]] = [:],
      _ change: (inout CallFields) -> Void = { _ in }
    ) -> CallFields {
      var fields = CallFields(name, tracks, vectors)
      change(&fields)
      return fields
    }
    self =
      switch call {
      case .add(let values): fields("add", nil, [.values: values])
      case .addMoving(let values, let velocities, let goals, let springs):
        fields("addMoving", nil, [.values: values, .velocities: velocities, .goals: goals]) { $0.springs = springs }
      case .addPlaying(let clips, let playbacks):
        fields("addPlaying") { ($0.assets, $0.playbacks) = (clips, playbacks) }
      case .remove(let tracks): fields("remove", tracks)
      case .removeSettled: fields("removeSettled")
      case .removeAll: fields("removeAll")
      case .compact: fields("compact")
      case .reserve(let count): fields("reserve") { $0.count = count }
      case .animate(let tracks, let goals, let animations, let delays):
        fields("animate", tracks, [.goals: goals]) { ($0.animations, $0.numbers) = (animations, delays) }
      case .retarget(let tracks, let goals, let delays):
        fields("retarget", tracks, [.goals: goals]) { $0.numbers = delays }
      case .cancelDelays(let tracks): fields("cancelDelays", tracks)
      case .set(let tracks, let values, let velocities):
        fields("set", tracks, [.values: values, .velocities: velocities])
      case .displace(let tracks, let values, let velocities):
        fields("displace", tracks, [.values: values, .velocities: velocities])
      case .decelerate(let tracks, let velocities, let deceleration):
        fields("decelerate", tracks, velocities.map { [.velocities: $0] } ?? [:]) { $0.deceleration = deceleration }
      case .loadClip(let clip): fields("loadClip") { $0.clip = clip }
      case .unloadClip(let clip): fields("unloadClip") { $0.assets = [clip] }
      case .loadPhases(let phases): fields("loadPhases") { $0.phases = phases }
      case .unloadPhases(let phases): fields("unloadPhases") { $0.assets = [phases] }
      case .play(let clips, let tracks, let playbacks, let start):
        fields("play", tracks) { ($0.assets, $0.playbacks, $0.start) = (clips, playbacks, start) }
      case .setVariations(let tracks, let scales, let offsets):
        fields("setVariations", tracks, [.scales: scales, .offsets: offsets])
      case .setSpeed(let tracks, let speeds): fields("setSpeed", tracks) { $0.numbers = speeds }
      case .seek(let tracks, let times): fields("seek", tracks) { $0.numbers = times }
      case .seekProgress(let tracks, let shares): fields("seekProgress", tracks) { $0.numbers = shares }
      case .playPhases(let phases, let tracks, let playback, let starts, let offsets, let scales):
        fields("playPhases", tracks, [.offsets: offsets, .scales: scales]) {
          ($0.assets, $0.phasePlayback, $0.numbers) = ([phases], playback, starts)
        }
      case .trigger(let tracks): fields("trigger", tracks)
      case .pause(let tracks): fields("pause", tracks)
      case .resume(let tracks): fields("resume", tracks)
      case .stop(let tracks): fields("stop", tracks)
      case .advance(let time, let velocities):
        fields("advance") { ($0.time, $0.computesVelocities) = (time, velocities) }
      case .setRestTolerance(let tolerance): fields("setRestTolerance") { $0.restTolerance = tolerance }
      case .setReports(let reports): fields("setReports") { $0.reports = reports }
      }
  }

  /// The call; nil if a field is missing, or there is no such call.
  var call: BatchCall? {
    func vector(_ key: VectorKey) -> [Float] { vectors[key] ?? [] }
    let numbers = numbers ?? []
    switch name {
    case "add": return .add(vector(.values))
    case "addMoving":
      return springs.map {
        .addMoving(vector(.values), velocities: vector(.velocities), to: vector(.goals), springs: $0)
      }
    case "addPlaying": return assets.map { .addPlaying(clips: $0, playbacks ?? [Playback()]) }
    case "removeSettled": return .removeSettled
    case "removeAll": return .removeAll
    case "compact": return .compact
    case "reserve": return count.map { .reserve($0) }
    case "loadClip": return clip.map { .loadClip($0) }
    case "unloadClip": return assets?.first.map { .unloadClip($0) }
    case "loadPhases": return phases.map { .loadPhases($0) }
    case "unloadPhases": return assets?.first.map { .unloadPhases($0) }
    case "advance": return time.map { .advance(to: $0, velocities: computesVelocities ?? false) }
    case "setRestTolerance": return restTolerance.map { .setRestTolerance($0) }
    case "setReports": return reports.map { .setReports($0) }
    default: break
    }
    guard let tracks else { return nil }
    switch name {
    case "remove": return .remove(tracks)
    case "animate": return animations.map { .animate(tracks, to: vector(.goals), $0, delays: numbers) }
    case "retarget": return .retarget(tracks, to: vector(.goals), delays: numbers)
    case "cancelDelays": return .cancelDelays(tracks)
    case "set": return .set(tracks, vector(.values), velocities: vector(.velocities))
    case "displace": return .displace(tracks, vector(.values), velocities: vector(.velocities))
    case "decelerate": return deceleration.map { .decelerate(tracks, velocities: vectors[.velocities], $0) }
    case "play":
      return assets.map { .play(clips: $0, on: tracks, playbacks ?? [Playback()], start: start ?? .firstValue) }
    case "setVariations": return .setVariations(tracks, scales: vector(.scales), offsets: vector(.offsets))
    case "setSpeed": return .setSpeed(tracks, numbers)
    case "seek": return .seek(tracks, to: numbers)
    case "seekProgress": return .seekProgress(tracks, numbers)
    case "playPhases":
      return assets?.first.map {
        .playPhases(
          $0, on: tracks, phasePlayback ?? .loops, startingAt: numbers, offsets: vector(.offsets),
          scales: vector(.scales))
      }
    case "trigger": return .trigger(tracks)
    case "pause": return .pause(tracks)
    case "resume": return .resume(tracks)
    case "stop": return .stop(tracks)
    default: return nil
    }
  }
}

// MARK: - Tracks of a call

extension CallFields {
  /// The number of tracks that the call adds.
  func addedCount(dimensions: Int) -> Int {
    switch name {
    case "add", "addMoving": (vectors[.values] ?? []).count / dimensions
    case "addPlaying": playbacks?.count ?? 0
    default: 0
    }
  }

  /// Keeps what the call says of some of its tracks, by their places in its lists; what it says of all tracks stays.
  ///
  /// - Parameter count: The number of tracks before.
  mutating func keep(_ places: [Int], of count: Int, dimensions: Int) {
    func kept<Element>(_ list: [Element]?) -> [Element]? {
      list.map { list in list.count == count && count != 1 ? places.map { list[$0] } : list }
    }
    if case .tracks(let list)? = tracks { tracks = .tracks(places.map { list[$0] }) }
    for (key, numbers) in vectors where numbers.count == count * dimensions {
      vectors[key] = places.flatMap { numbers[$0 * dimensions..<($0 + 1) * dimensions] }
    }
    numbers = kept(numbers)
    springs = kept(springs)
    animations = kept(animations)
    playbacks = kept(playbacks)
    // The number of playbacks is the number of tracks that are added, however many clips there are.
    if name != "playPhases", name != "unloadClip", name != "unloadPhases" { assets = kept(assets) }
    if name == "addPlaying", count == 1, places.isEmpty { playbacks = [] }
  }
}

extension BatchCall {
  /// The call about some of its tracks, by their places in its lists.
  package func keeping(_ places: [Int], of count: Int, dimensions: Int) -> BatchCall {
    var fields = CallFields(self)
    fields.keep(places, of: count, dimensions: dimensions)
    return fields.call ?? self
  }

  /// The tracks that it is about; nil for calls that name none.
  package var tracks: Tracks? { CallFields(self).tracks }
}
