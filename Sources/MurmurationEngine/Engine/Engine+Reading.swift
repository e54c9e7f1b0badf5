// SPDX-License-Identifier: MIT
import Kernels

// What the typed front reads besides what the C surface reads.
extension Engine {
  /// How far the pieces of a curve may be from it, as a share of the way.
  package var curveTolerance: Double { curves.library.tolerance }
  package var restTolerance: RestTolerances { springs.tolerance }

  // MARK: - One track

  /// The index of a live track; nil if the handle names none of this batch.
  package func index(of track: TrackHandle) -> Int? { tracks.index(of: track) }

  /// Throws ``BatchError`` for the first handle that names no track of this batch.
  package func check(_ handles: Span<TrackHandle>) throws(BatchError) { try tracks.indices.check(handles) }

  /// A component of a number of a track; nil if the handle names no track of this batch.
  package func component(_ component: Int, of numbers: Numbers, _ track: TrackHandle) -> Float? {
    index(of: track).map { index in
      switch numbers {
      case .values: tracks.columns.value[tracks.element(index, component)]
      case .velocities: withVelocity(at: index) { $0(component) }
      case .targets: target(at: index, component)
      }
    }
  }

  /// Lends the velocity of a track at the current time, by component. Does nothing if the handle names no track of this
  /// batch.
  package func withVelocity(of track: TrackHandle, _ body: ((Int) -> Float) -> Void) {
    if let index = index(of: track) { withVelocity(at: index, body) }
  }

  /// See ``MovingTracks/localTime(of:)``.
  package func localTime(of track: TrackHandle) -> Double? {
    guard let index = index(of: track), tracks.tiles.kind(at: index).isClip else { return nil }
    return clips.localTime(of: index, at: time)
  }

  /// See ``AnimatedTracks/phase(of:)``.
  package func phase(of track: TrackHandle) -> Int? {
    index(of: track) == nil ? nil : phases.player(track.index).map { Int($0.clock.phase) }
  }

  /// See ``AnimatedTracks/nextStepTime(of:)``.
  package func nextStepTime(of track: TrackHandle) -> Double? {
    index(of: track) == nil ? nil : phases.player(track.index)?.nextStepTime
  }

  // MARK: - Clips and sequences

  /// A clip that is loaded.
  package func clip(_ clip: ClipID) throws(BatchError) -> Clip { clips.library.clip(try index(of: clip)) }

  /// A sequence that is loaded.
  package func sequence(_ sequence: PhaseSequenceID) throws(BatchError) -> PhaseSequence {
    phases.library[try index(of: sequence)].sequence
  }

  // MARK: - The last frame

  /// See ``MovingTracks/bytesPerFrame``.
  package var bytesOfLastFrame: Int {
    mutating get { bytesPerFrame(velocities: velocities.areComplete) }
  }

  /// Runs the kernels of the last frame again, and nothing else.
  package mutating func runKernels() { run(velocities: velocities.areComplete, timePassed: false) }
}
