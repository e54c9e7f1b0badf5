// SPDX-License-Identifier: MIT
import Kernels

extension KeyframeBatch {
  /// Stops an instance where it is; the clock no longer moves it. One that waits, waits on when it is resumed.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``; nothing changes then.
  public mutating func pause(_ handle: TrackHandle) throws(BatchError) {
    pause(try slots.row(of: handle))
  }

  /// Stops instances where they are; otherwise as ``pause(_:)-(TrackHandle)``.
  public mutating func pause(_ handles: Span<TrackHandle>) throws(BatchError) {
    try slots.check(handles)
    for index in handles.indices { pause(slots.row(of: handles[index].index)) }
  }

  private mutating func pause(_ row: Int) {
    guard unsafe storage.states[row].mode == .running else { return }
    change(row) { state, _ in state.mode = .paused }
  }

  /// Lets a paused instance go on from where it is; others are left alone.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``; nothing changes then.
  public mutating func resume(_ handle: TrackHandle) throws(BatchError) {
    resume(try slots.row(of: handle))
  }

  /// Lets paused instances go on; otherwise as ``resume(_:)-(TrackHandle)``.
  public mutating func resume(_ handles: Span<TrackHandle>) throws(BatchError) {
    try slots.check(handles)
    for index in handles.indices { resume(slots.row(of: handles[index].index)) }
  }

  private mutating func resume(_ row: Int) {
    guard unsafe storage.states[row].mode == .paused else { return }
    change(row) { state, _ in state.mode = .running }
  }

  /// Plays an instance on at another speed, from where it is in the clip. One that is over and turns round goes back.
  ///
  /// - Parameters:
  ///   - handle: The instance.
  ///   - speed: See ``Playback/speed``.
  /// - Throws: ``BatchError``; nothing changes then.
  public mutating func retime(_ handle: TrackHandle, speed: Double) throws(BatchError) {
    let row = try slots.row(of: handle)
    try check(Playback(speed: speed), index: 0)
    change(row) { state, clip in state.setSpeed(speed, clip) }
  }

  /// Plays instances on at a speed each; otherwise as ``retime(_:speed:)``.
  public mutating func retime(_ handles: Span<TrackHandle>, speeds: Span<Double>) throws(BatchError) {
    try slots.check(handles)
    try checkCount(handles.count, speeds.count, of: "speeds")
    for index in speeds.indices { try check(Playback(speed: speeds[index]), index: index) }
    for index in handles.indices {
      change(slots.row(of: handles[index].index)) { state, clip in state.setSpeed(speeds[index], clip) }
    }
  }

  /// Ends the playback of an instance and leaves the value that it shows to the caller: it is its own from now on.
  ///
  /// Nothing is reported.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``; nothing changes then.
  public mutating func cancel(_ handle: TrackHandle) throws(BatchError) {
    cancel(try slots.row(of: handle))
  }

  /// Ends the playbacks of instances; otherwise as ``cancel(_:)-(TrackHandle)``.
  public mutating func cancel(_ handles: Span<TrackHandle>) throws(BatchError) {
    try slots.check(handles)
    for index in handles.indices { cancel(slots.row(of: handles[index].index)) }
  }

  private mutating func cancel(_ row: Int) {
    var row = row
    let columns = storage.columns
    for dimension in 0..<dimensions {
      let element = dimension * columns.dimensionStride + row
      unsafe storage.own[element] = columns.value[element]
    }
    let home = unsafe Int(storage.states[row].home)
    // A clip of its own is not needed any more. Where there is no room to leave it, it stays.
    if clip(ofRow: row) != home, (try? reserveTiles(1)) != nil {
      row = move(row, toClip: home)
    }
    setState(LaneState(home: home, changed: time), ofRow: row)
  }

  /// Gives an instance another value of its own. If that is what it shows, it shows at once.
  ///
  /// - Throws: ``BatchError``; nothing changes then.
  public mutating func set<V: TrackValue>(_ handle: TrackHandle, to value: V) throws(BatchError) {
    try checkDimensions(V.dimensions, of: "value")
    let row = try slots.row(of: handle)
    try check(value, of: "value")
    for dimension in 0..<dimensions { setOwn(row, dimension, to: value.component(dimension)) }
  }

  /// Gives instances other values of their own; otherwise as ``set(_:to:)-(_,V)``.
  ///
  /// - Parameters:
  ///   - handles: The instances.
  ///   - values: Component-major: all of dimension 0, then all of dimension 1, …
  /// - Throws: ``BatchError``; nothing changes then.
  public mutating func set(_ handles: Span<TrackHandle>, to values: Span<Float>) throws(BatchError) {
    try slots.check(handles)
    try checkCount(handles.count * dimensions, values.count, of: "values")
    try BatchLimits.check(values, of: "value")
    for index in handles.indices {
      let row = slots.row(of: handles[index].index)
      for dimension in 0..<dimensions {
        setOwn(row, dimension, to: values[dimension * handles.count + index])
      }
    }
  }

  private mutating func setOwn(_ row: Int, _ dimension: Int, to value: Float) {
    let element = dimension * storage.columns.dimensionStride + row
    unsafe storage.own[element] = value
    let tile = row / laneCountOfTile
    let showsOwn = tiles.own[tile] & PlaybackTiles.bit(row) != 0
    if unsafe showsOwn || storage.states[row].mode == .idle {
      keepVelocities(ofTile: tile)
      unsafe storage.columns.value[element] = value
      unsafe storage.columns.velocity[element] = 0
    }
  }

  /// Changes the state of an instance from now on.
  mutating func change(_ row: Int, _ body: (inout LaneState, ClipTiming) -> Void) {
    let clip = timing(ofRow: row)
    var state = state(ofRow: row)
    state.anchor(at: time, clip)
    body(&state, clip)
    setState(state, ofRow: row)
  }
}
