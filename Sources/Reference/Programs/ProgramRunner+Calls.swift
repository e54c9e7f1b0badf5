// SPDX-License-Identifier: MIT
import Murmuration

// The calls that change motions. Each is made on the batch first, and what the batch shows after it is compared: asking
// before would compute the velocities that the call itself must see to.
extension ProgramRunner {
  private func flat(_ count: Int, _ vector: (Int) -> Vector) -> [Float] {
    Vector.componentMajor((0..<count).map(vector), dimensions: dimensions)
  }

  /// The vector without the dimensions that the batch does not have.
  private func cut(_ vector: Vector) -> Vector {
    var cut = Vector.zero
    for dimension in 0..<dimensions {
      cut[dimension] = vector[dimension]
    }
    return cut
  }

  /// The index at which each place is named last: if a call names a track twice, the first time does not count.
  private func lastWord(on places: [Int]) -> [Int: Int] {
    Dictionary(zip(places, places.indices)) { _, last in last }
  }

  // MARK: - Coming

  mutating func add(_ numbers: Numbers) throws {
    let handle = try batch.addTrack(
      numbers.spring(0), value: numbers.value(0), target: numbers.target(0), velocity: numbers.velocity(0))
    try register(handle, numbers, 0, spring: 0)
  }

  mutating func emit(_ count: Int, _ numbers: Numbers, hasSpringEach: Bool) throws {
    let values = flat(count, numbers.value)
    let targets = flat(count, numbers.target)
    let velocities = numbers.hasVelocities ? flat(count, numbers.velocity) : []
    let springs = hasSpringEach ? (0..<count).map(numbers.spring) : []
    let spring = numbers.spring(0)
    var handles: [TrackHandle]
    if numbers.seed & 32 == 0 {
      handles =
        hasSpringEach
        ? try batch.add(springs.span, values: values.span, targets: targets.span, velocities: velocities.span)
        : try batch.add(spring, values: values.span, targets: targets.span, velocities: velocities.span)
    } else {
      handles = Array(repeating: foreignHandle, count: count)
      var span = handles.mutableSpan
      if hasSpringEach {
        try batch.emit(
          springs.span, values: values.span, targets: targets.span, velocities: velocities.span, handles: &span)
      } else {
        try batch.emit(
          spring, values: values.span, targets: targets.span, velocities: velocities.span, handles: &span)
      }
    }
    for index in 0..<count {
      try register(handles[index], numbers, index, spring: hasSpringEach ? index : 0)
    }
  }

  private mutating func register(_ handle: TrackHandle, _ numbers: Numbers, _ index: Int, spring: Int) throws {
    let isNew = model.place(ofIndex: handle.index) == nil && !model.deadHandles.contains(handle)
    try findings.expect(.state, isNew, "a new track has the handle of another, index \(handle.index)")
    model.append(
      ModelTrack(
        handle, numbers.spring(spring), start: batch.time, from: cut(numbers.value(index)),
        velocity: cut(numbers.velocity(index)), target: cut(numbers.target(index)), dimensions: dimensions))
    try checkStart(model.tracks.count - 1)
  }

  /// A track that a call put somewhere shows just that.
  private mutating func checkStart(_ place: Int) throws {
    let track = model[place]
    let value = try batch.shownValue(of: track.handle)
    let velocity = try batch.shownVelocity(of: track.handle)
    try expect(.value, value == track.from, place, "starts with \(value)")
    try expect(.velocity, velocity == track.velocity, place, "starts with velocity \(velocity)")
  }

  // MARK: - Retargeting

  /// A call has sent a track to a target: what it shows is what it showed, and the velocity is that of the old motion.
  private mutating func restart(_ place: Int, target: Vector, spring: Spring?) throws {
    let old = model[place]
    let value = try batch.shownValue(of: old.handle)
    let velocity = try batch.shownVelocity(of: old.handle)
    try expect(.value, value == old.shown, place, "retargeted, it shows \(value)")
    try compare(place, value, velocity)
    model[place].restart(spring, at: batch.time, from: value, velocity: velocity, target: cut(target))
    let shownTarget = try batch.shownTarget(of: old.handle)
    try expect(.state, shownTarget == model[place].target, place, "its target is \(shownTarget)")
  }

  mutating func retarget(_ place: Int, _ numbers: Numbers, hasSpring: Bool) throws {
    guard !model.tracks.isEmpty else {
      return
    }
    let place = place % model.tracks.count
    let spring = hasSpring ? numbers.spring(0) : nil
    try batch.retargetTrack(model[place].handle, to: numbers.target(0), spring: spring)
    try restart(place, target: numbers.target(0), spring: spring)
  }

  mutating func retarget(_ places: [Int], _ numbers: Numbers, _ use: SpringUse) throws {
    let handles = places.map { model[$0].handle }
    let targets = flat(places.count, numbers.target)
    let springs = places.indices.map { use == .keep ? nil : numbers.spring(use == .each ? $0 : 0) }
    if use == .each {
      let springs = springs.compactMap { $0 }
      try batch.retarget(handles.span, to: targets.span, springs: springs.span)
    } else {
      try batch.retarget(handles.span, to: targets.span, spring: springs.first ?? nil)
    }
    // Cohorts of this very moment may take these tracks in.
    model.forgetRestTimes(startedAt: batch.time)
    for (place, index) in lastWord(on: places) {
      try restart(place, target: numbers.target(index), spring: springs[index])
    }
  }

  mutating func retarget(indices: Range<Int>, _ numbers: Numbers, hasSpring: Bool) throws {
    let targets = flat(indices.count, numbers.target)
    let spring = hasSpring ? numbers.spring(0) : nil
    try batch.retarget(indices, to: targets.span, spring: spring)
    try restart(indices, numbers, spring)
  }

  mutating func retargetAll(_ numbers: Numbers, hasSpring: Bool) throws {
    let targets = flat(batch.indexCount, numbers.target)
    let spring = hasSpring ? numbers.spring(0) : nil
    try batch.retargetAll(to: targets.span, spring: spring)
    try restart(0..<batch.indexCount, numbers, spring)
  }

  private mutating func restart(_ indices: Range<Int>, _ numbers: Numbers, _ spring: Spring?) throws {
    model.forgetRestTimes(startedAt: batch.time)
    for index in indices {
      if let place = model.place(ofIndex: index) {
        try restart(place, target: numbers.target(index - indices.lowerBound), spring: spring)
      }
    }
  }

  // MARK: - Setting

  mutating func set(_ place: Int, _ numbers: Numbers) throws {
    guard !model.tracks.isEmpty else {
      return
    }
    let place = place % model.tracks.count
    try batch.setTrack(model[place].handle, value: numbers.value(0), velocity: numbers.velocity(0))
    try settle(place, numbers, 0)
  }

  mutating func set(_ places: [Int], _ numbers: Numbers) throws {
    let handles = places.map { model[$0].handle }
    let values = flat(places.count, numbers.value)
    let velocities = flat(places.count, numbers.velocity)
    try batch.set(handles.span, values: values.span, velocities: velocities.span)
    for (place, index) in lastWord(on: places) {
      try settle(place, numbers, index)
    }
  }

  private mutating func settle(_ place: Int, _ numbers: Numbers, _ index: Int) throws {
    let target = model[place].target
    model[place].restart(
      nil, at: batch.time, from: cut(numbers.value(index)), velocity: cut(numbers.velocity(index)), target: target)
    try checkStart(place)
    let shownTarget = try batch.shownTarget(of: model[place].handle)
    try expect(.state, shownTarget == target, place, "set, its target is \(shownTarget)")
  }

  // MARK: - Going

  mutating func remove(_ place: Int) throws {
    guard !model.tracks.isEmpty else {
      return
    }
    let place = place % model.tracks.count
    try batch.remove(model[place].handle)
    model.remove([place])
  }

  mutating func remove(_ places: [Int]) throws {
    let handles = places.map { model[$0].handle }
    try batch.remove(handles.span)
    model.remove(places)
  }
}
