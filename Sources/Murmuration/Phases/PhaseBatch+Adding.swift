// SPDX-License-Identifier: MIT

extension PhaseBatch {
  /// Adds a track.
  ///
  /// - Parameters:
  ///   - start: When a looping track sets out, on the batch's clock; now unless given. A start in the past is made up for
  ///     with the next advance, as if the track had played all along. A triggered track has no use for it.
  ///   - offset: What is added to the sequence's targets; nothing unless given.
  ///   - scale: What they are multiplied by before; 1 unless given.
  /// - Throws: ``BatchError`` if the time or a value is not accepted, or a value has not the sequence's dimensions.
  /// - Complexity: O(dimensions), amortised.
  @discardableResult
  public mutating func add<V: TrackValue>(
    startingAt start: Double? = nil, offset: V, scale: V = V { _ in 1 }
  ) throws(BatchError) -> TrackHandle {
    try checkDimensions(V.dimensions, of: "offset")
    let start = start ?? time
    try check(start: start)
    for dimension in 0..<dimensions {
      try check(offset: offset.component(dimension), scale: scale.component(dimension), index: dimension)
    }
    try reserve(1)
    beginVariations()
    return place(startingAt: start) { SIMD2(offset.component($0), scale.component($0)) }
  }

  /// Adds a track that shows the sequence's targets; otherwise as ``add(startingAt:offset:scale:)``.
  @discardableResult
  public mutating func add(startingAt start: Double? = nil) throws(BatchError) -> TrackHandle {
    let start = start ?? time
    try check(start: start)
    try reserve(1)
    return place(startingAt: start) { _ in SIMD2(0, 1) }
  }

  /// Adds many tracks, and writes their handles into memory of the caller.
  ///
  /// - Parameters:
  ///   - starts: When each sets out, on the batch's clock, as in ``add(startingAt:offset:scale:)``.
  ///   - offsets: What is added to the sequence's targets, component-major: dimension 0 of all tracks, then dimension 1, …;
  ///     empty for nothing.
  ///   - scales: What the targets are multiplied by before, in the same layout; empty for 1.
  ///   - handles: Gets the handles, in the order of the starts; exactly as many as tracks.
  /// - Throws: ``BatchError``; nothing is added or written then.
  /// - Complexity: O(tracks · dimensions), amortised.
  public mutating func emit(
    startingAt starts: Span<Double>, offsets: Span<Float> = Span(), scales: Span<Float> = Span(),
    handles: inout MutableSpan<TrackHandle>
  ) throws(BatchError) {
    let count = starts.count
    try checkCount(count, handles.count, of: "handles")
    for (what, got) in [("offsets", offsets.count), ("scales", scales.count)] where got != 0 {
      try checkCount(count * dimensions, got, of: what)
    }
    let varies = !offsets.isEmpty || !scales.isEmpty
    for index in 0..<count {
      try check(start: starts[index])
    }
    if varies {
      for index in 0..<count * dimensions {
        try check(
          offset: offsets.isEmpty ? 0 : offsets[index], scale: scales.isEmpty ? 1 : scales[index], index: index)
      }
    }
    try reserve(count)
    if varies {
      beginVariations()
    }
    for index in 0..<count {
      handles[index] = place(startingAt: starts[index]) { dimension in
        let element = dimension * count + index
        return SIMD2(offsets.isEmpty ? 0 : offsets[element], scales.isEmpty ? 1 : scales[element])
      }
    }
  }

  /// Adds many tracks; otherwise as ``emit(startingAt:offsets:scales:handles:)``.
  ///
  /// - Returns: The handles, in the order of the starts.
  @discardableResult
  public mutating func add(
    startingAt starts: Span<Double>, offsets: Span<Float> = Span(), scales: Span<Float> = Span()
  ) throws(BatchError) -> [TrackHandle] {
    var handles = [TrackHandle](repeating: .noTrack, count: starts.count)
    var span = handles.mutableSpan
    try emit(startingAt: starts, offsets: offsets, scales: scales, handles: &span)
    return handles
  }

  /// Makes room for more tracks.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)`` before anything is allocated.
  public mutating func reserve(_ additional: Int) throws(BatchError) {
    if springSteps != nil {
      try springs.reserve(additional)
    } else {
      try curves.reserve(additional)
    }
  }

  // MARK: - Checks

  private func check(start: Double) throws(BatchError) {
    guard abs(start) <= BatchLimits.maximumTime else { throw .invalidTime(start) }
  }

  private func check(offset: Float, scale: Float, index: Int) throws(BatchError) {
    try sequence.check(offset: offset, scale: scale, index: index)
  }

  // MARK: - Tracks

  private mutating func beginVariations() {
    if variations.isEmpty {
      variations = [SIMD2<Float>](repeating: SIMD2(0, 1), count: max(1, clocks.count) * dimensions)
    }
  }

  private mutating func place(
    startingAt start: Double, variation: (Int) -> SIMD2<Float>
  ) -> TrackHandle {
    let sequence = sequence
    let first = { (dimension: Int) in
      PhaseBatch.target(sequence.targets[dimension], variation(dimension))
    }
    let slot = springSteps != nil ? springs.addAtRest(value: first) : curves.addAtRest(value: first)
    let plays = playback == .loops && sequence.phaseCount > 1
    let clock = PhaseClock(origin: start, next: plays ? start : .infinity)
    if slot == clocks.count {
      clocks.append(clock)
      schedule.grow(to: clocks.count)
      due.grow(to: clocks.count)
    } else {
      clocks[slot] = clock
    }
    if !variations.isEmpty {
      while variations.count < clocks.count * dimensions {
        variations.append(SIMD2(0, 1))
      }
      for dimension in 0..<dimensions {
        variations[slot * dimensions + dimension] = variation(dimension)
      }
    }
    schedule.set(slot, clock.next)
    return handle(ofSlot: slot)
  }

  /// A target as a track varies it.
  static func target(_ value: Float, _ variation: SIMD2<Float>) -> Float { PhaseSequence.target(value, variation) }

  /// The target of a track in a phase.
  func target(_ slot: Int, _ phase: Int, _ dimension: Int) -> Float {
    let value = sequence.targets[phase * dimensions + dimension]
    return variations.isEmpty ? value : Self.target(value, variations[slot * dimensions + dimension])
  }

  /// Where the tracks stand, in the batch that plays them.
  var slots: SlotTable { springSteps != nil ? springs.slots : curves.slots }

  func handle(ofSlot slot: Int) -> TrackHandle { slots.handle(ofSlot: slot) }

  /// The slot of a live track.
  func slot(of handle: TrackHandle) throws(BatchError) -> Int {
    _ = try slots.row(of: handle)
    return handle.index
  }
}
