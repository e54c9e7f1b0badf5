// SPDX-License-Identifier: MIT

/// Keeps the calls that a batch accepts, with tracks, clips and sequences by the order in which they came.
///
/// The engine owns it, and only the engine's owner uses it.
final class Recorder: @unchecked Sendable {
  var recording: BatchRecording
  private var trackCount = 0
  /// The last track of each index.
  private var tracksByIndex: [Int] = []
  private var clips: [ClipID] = []
  private var sequences: [PhaseSequenceID] = []
  /// The indices of the batch while a call is kept.
  private var indices: IndexTable?
  /// The places in the lists of a call that are kept, if it passes over tracks that are gone.
  private var kept: [Int]?

  init(_ recording: BatchRecording) { self.recording = recording }

  func admit(_ handle: TrackHandle) {
    while tracksByIndex.count <= handle.index { tracksByIndex.append(-1) }
    tracksByIndex[handle.index] = trackCount
    trackCount += 1
  }

  func admit(_ clip: ClipID) { clips.append(clip) }
  func admit(_ sequence: PhaseSequenceID) { sequences.append(sequence) }

  #if !hasFeature(Embedded)
    /// Keeps a call of a batch with some indices.
    func append(_ indices: IndexTable, _ call: (Recorder) -> BatchCall) {
      self.indices = indices
      defer { (self.indices, kept) = (nil, nil) }
      let call = call(self)
      guard let kept, case .tracks(let tracks)? = call.tracks else { return recording.calls.append(call) }
      recording.calls.append(call.keeping(kept, of: tracks.count, dimensions: recording.dimensions))
    }
  #endif

  func names(_ tracks: SelectedTracks) -> BatchCall.Tracks {
    switch tracks {
    case .handles(let handles): return .tracks(unsafe handles.map { tracksByIndex[$0.index] })
    case .live(let handles):
      kept = handles.indices.filter { indices?.liveIndex(of: unsafe handles[$0]) != nil }
      // Tracks of before the recording may have had larger indices; they are gone.
      return .tracks(unsafe handles.map { $0.index < tracksByIndex.count ? tracksByIndex[$0.index] : -1 })
    case .indices(let range): return .indices(range)
    case .all: return .all
    }
  }

  func names(_ handles: Span<TrackHandle>) -> BatchCall.Tracks { .tracks(numbers(handles)) }

  func numbers(_ handles: Span<TrackHandle>) -> [Int] { handles.indices.map { tracksByIndex[handles[$0].index] } }
  func name(_ handle: TrackHandle) -> BatchCall.Tracks { .tracks([tracksByIndex[handle.index]]) }
  func number(_ clip: ClipID) -> Int { clips.lastIndex(of: clip) ?? -1 }
  func number(_ sequence: PhaseSequenceID) -> Int { sequences.lastIndex(of: sequence) ?? -1 }

  /// The numbers of tracks, track by track.
  func numbers(_ values: InputValues?) -> [Float] {
    guard let values else { return [] }
    return (0..<values.count).flatMap { track in (0..<recording.dimensions).map { values[track, $0] } }
  }

  func list<Element>(_ elements: Span<Element>) -> [Element] { elements.indices.map { elements[$0] } }
}

extension Engine {
  /// Keeps a call that was accepted, if calls are recorded. Embedded builds have no recorder, and compile to nothing here.
  @inline(__always)
  func record(_ call: (Recorder) -> BatchCall) {
    #if !hasFeature(Embedded)
      if let recorder { recorder.append(tracks.indices, call) }
    #endif
  }
}

#if !hasFeature(Embedded)
  extension Engine {
    /// Begins to keep calls: see ``AnimationBatch/record()``.
    package mutating func startRecording() throws(BatchError) {
      guard tracks.indices.count == 0, clips.library.entries.isEmpty, phases.library.isEmpty else {
        throw .recordsFromStart
      }
      var recording = BatchRecording(dimensions: dimensions, curveTolerance: curves.library.tolerance)
      if time != 0 { recording.calls.append(BatchCall(.advance(to: time, velocities: false))) }
      recording.calls += [BatchCall(.setRestTolerance(springs.tolerance)), BatchCall(.setReports(reports))]
      recorder = Recorder(recording)
    }

    /// The calls so far; nil if they are not recorded.
    package var recording: BatchRecording? { recorder?.recording }

    /// Ends the recording, and returns it; nil if calls were not recorded.
    @discardableResult
    package mutating func stopRecording() -> BatchRecording? {
      defer { recorder = nil }
      return recording
    }
  }
#endif
