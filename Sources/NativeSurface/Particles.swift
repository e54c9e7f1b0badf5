// SPDX-License-Identifier: MIT
// The names are those of the header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase
public import CSurface
import Murmuration
import Surface

/// Particles as the table of objects holds them.
///
/// Each property has a number too, as a batch. A call about the particles takes all of them, so that no other thread is in a
/// call about a property meanwhile.
final class ParticlesObject {
  fileprivate var particles: Particles
  fileprivate var properties: [murmuration_batch] = []
  /// Components of each property.
  fileprivate let dimensions: [Int]
  fileprivate var events = LentList<murmuration_event>()

  init(_ dimensions: [Int]) throws(BatchError) {
    self.dimensions = dimensions
    particles = Particles()
    for count in dimensions { _ = try particles.addProperty(dimensions: count) }
  }

  init(_ snapshot: BatchSnapshot) throws(BatchError) {
    dimensions = snapshot.dimensions
    particles = try Particles(snapshot)
  }

  /// Gives the object and each property a number, and writes them; none, and the status, if there are no more.
  fileprivate func register(
    _ particles: UnsafeMutablePointer<murmuration_particles>, _ numbers: UnsafeMutablePointer<murmuration_batch>
  ) -> Int32 {
    var status = registerProperties()
    guard status == ok else { return status }
    status = kind.register(self, particles)
    guard status == ok else {
      _ = freeProperties()
      return status
    }
    for (index, property) in properties.enumerated() { numbers[index] = property }
    return ok
  }

  deinit { events.free() }

  /// Gives each property a number; none, and the status, if there are no more.
  private func registerProperties() -> Int32 {
    for property in dimensions.indices {
      var number: murmuration_batch = 0
      let status = BatchObject.register(particles.box(ofProperty: property), isProperty: true, &number)
      guard status == ok else {
        _ = freeProperties()
        return status
      }
      properties.append(number)
    }
    return ok
  }

  /// Takes every property for this thread; none, and the status, if another thread is in a call about one.
  private func take() -> Int32 {
    for (index, property) in properties.enumerated() where object_take(property, UInt32(OBJECT_BATCH)) == nil {
      giveBack(index)
      return failToTakeBatch(property)
    }
    return ok
  }

  private func giveBack(_ count: Int) {
    for property in properties.prefix(count) { object_give_back(property, UInt32(OBJECT_BATCH)) }
  }

  /// Frees the properties, unless another thread is in a call about one.
  fileprivate func freeProperties() -> Int32 {
    let status = take()
    guard status == ok else { return status }
    for property in properties { BatchObject.free(property) }
    properties = []
    return ok
  }

  /// Runs a call while no other thread is in a call about a property.
  fileprivate func whole(_ body: () throws(BatchError) -> Void) -> Int32 {
    let taken = take()
    guard taken == ok else { return taken }
    defer { giveBack(properties.count) }
    return status(body)
  }

  /// The values of new particles, those of each property.
  fileprivate func values(
    _ start: UnsafePointer<Float>, count: Int, _ trackStride: Int32, _ componentStride: Int32
  ) throws(BatchError) -> [InputValues] {
    try checkReach("values", count, dimensions.reduce(0, +), trackStride, componentStride)
    var first = 0
    return dimensions.map { dimensions in
      defer { first += dimensions }
      return InputValues(
        start + first * Int(componentStride), count: count, dimensions: dimensions,
        componentStride: Int(componentStride), trackStride: Int(trackStride))
    }
  }

  fileprivate func add(
    _ values: UnsafePointer<Float>?, _ trackStride: Int32, _ componentStride: Int32, count: Int,
    handles: UnsafeMutablePointer<TrackHandle>?
  ) throws(BatchError) {
    if let values {
      return try particles.add(
        try self.values(values, count: count, trackStride, componentStride), handles: handles)
    }
    try withUnsafePointer(to: Float(0)) { zero throws(BatchError) in
      try particles.add(try self.values(zero, count: count, 0, 0), handles: handles)
    }
  }

  fileprivate func remove(
    _ tracks: UnsafePointer<murmuration_track>?, _ first: Int32, _ count: Int32
  ) throws(BatchError) {
    let selection = try particles.box(ofProperty: 0).address.pointee.selection(tracks, first, count)
    switch selection {
    case .handles(let handles), .live(let handles): try particles.remove(handles.span)
    case .indices(let indices): try particles.remove(indices)
    case .all: particles.removeAll()
    }
  }
}

private let kind = ObjectKind<ParticlesObject>(OBJECT_PARTICLES, "set of particles")

/// Runs a call about particles and all their properties.
private func withParticles(
  _ particles: murmuration_particles, _ body: (ParticlesObject) throws(BatchError) -> Void
) -> Int32 {
  kind.with(particles) { object in object.whole { () throws(BatchError) in try body(object) } }
}

// MARK: - Calls

@c @implementation
public func murmuration_particles_create(
  _ dimensions: UnsafePointer<Int32>?, _ propertyCount: Int32,
  _ particles: UnsafeMutablePointer<murmuration_particles>?, _ properties: UnsafeMutablePointer<murmuration_batch>?
) -> Int32 {
  guard let dimensions else { return failNull("dimensions") }
  guard let particles else { return failNull("particles") }
  guard let properties else { return failNull("properties") }
  guard 1...64 ~= propertyCount else {
    return fail(MURMURATION_INVALID_COUNT, "property_count must be 1...64, is \(propertyCount)")
  }
  let object: ParticlesObject
  do throws(BatchError) {
    object = try ParticlesObject((0..<Int(propertyCount)).map { Int(dimensions[$0]) })
  } catch {
    return fail(error)
  }
  return object.register(particles, properties)
}

@c @implementation
public func murmuration_particles_from_snapshot(
  _ snapshot: murmuration_snapshot, _ propertyCount: Int32, _ particles: UnsafeMutablePointer<murmuration_particles>?,
  _ properties: UnsafeMutablePointer<murmuration_batch>?
) -> Int32 {
  guard let particles else { return failNull("particles") }
  guard let properties else { return failNull("properties") }
  return SnapshotObject.kind.with(snapshot) { held in
    let count = held.snapshot.dimensions.count
    guard Int(propertyCount) == count else {
      return fail(MURMURATION_INVALID_COUNT, "property_count must be \(count), is \(propertyCount)")
    }
    var object: ParticlesObject?
    let status = status { () throws(BatchError) in object = try ParticlesObject(held.snapshot) }
    guard status == ok, let object else { return status }
    return object.register(particles, properties)
  }
}

@c @implementation
public func murmuration_particles_snapshot_create(
  _ particles: murmuration_particles, _ snapshot: UnsafeMutablePointer<murmuration_snapshot>?
) -> Int32 {
  SnapshotObject.register(snapshot) { snapshot in take(&snapshot, particles) }
}

@c @implementation
public func murmuration_particles_snapshot_update(
  _ snapshot: murmuration_snapshot, _ particles: murmuration_particles
) -> Int32 {
  SnapshotObject.kind.with(snapshot) { object in take(&object.snapshot, particles) }
}

private func take(_ snapshot: inout BatchSnapshot, _ particles: murmuration_particles) -> Int32 {
  withParticles(particles) { object throws(BatchError) in try object.particles.snapshot(into: &snapshot) }
}

@c @implementation
public func murmuration_particles_restore(_ particles: murmuration_particles, _ snapshot: murmuration_snapshot) -> Int32
{
  SnapshotObject.kind.with(snapshot) { held in
    withParticles(particles) { object throws(BatchError) in try object.particles.restore(held.snapshot) }
  }
}

@c @implementation
public func murmuration_particles_free(_ particles: murmuration_particles) -> Int32 {
  kind.free(particles) { object in object.freeProperties() }
}

@c @implementation
public func murmuration_particles_add(
  _ particles: murmuration_particles, _ values: UnsafePointer<Float>?, _ trackStride: Int32, _ componentStride: Int32,
  _ tracks: UnsafeMutablePointer<murmuration_track>?, _ count: Int32
) -> Int32 {
  guard count >= 0 else { return failCount("count", count) }
  if values != nil, let fault = inputFault("values", values, count, trackStride, componentStride) { return fault }
  return withParticles(particles) { particles throws(BatchError) in
    try particles.add(
      values, trackStride, componentStride, count: Int(count),
      handles: UnsafeMutableRawPointer(tracks)?.assumingMemoryBound(to: TrackHandle.self))
  }
}

@c @implementation
public func murmuration_particles_remove(
  _ particles: murmuration_particles, _ tracks: UnsafePointer<murmuration_track>?, _ first: Int32, _ count: Int32
) -> Int32 {
  withParticles(particles) { particles throws(BatchError) in try particles.remove(tracks, first, count) }
}

@c @implementation
public func murmuration_particles_remove_settled(
  _ particles: murmuration_particles, _ removed: UnsafeMutablePointer<Int32>?
) -> Int32 {
  withParticles(particles) { particles in
    let count = particles.particles.removeSettled()
    removed?.pointee = Int32(count)
  }
}

@c @implementation
public func murmuration_particles_advance(
  _ particles: murmuration_particles, _ seconds: Double, _ flags: Int32
) -> Int32 {
  guard flags & ~MURMURATION_WITH_VELOCITIES == 0 else { return failCode("flags", flags) }
  return withParticles(particles) { particles throws(BatchError) in
    try particles.particles.advance(to: seconds, velocities: flags != 0)
  }
}

@c @implementation
public func murmuration_particles_advance_by(
  _ particles: murmuration_particles, _ seconds: Double, _ flags: Int32
) -> Int32 {
  guard flags & ~MURMURATION_WITH_VELOCITIES == 0 else { return failCode("flags", flags) }
  return withParticles(particles) { particles throws(BatchError) in
    try particles.particles.advance(by: seconds, velocities: flags != 0)
  }
}

@c @implementation
public func murmuration_particles_events(
  _ particles: murmuration_particles, _ events: UnsafeMutablePointer<UnsafePointer<murmuration_event>?>?,
  _ count: UnsafeMutablePointer<Int32>?
) -> Int32 {
  guard let events else { return failNull("events") }
  guard let count else { return failNull("count") }
  return withParticles(particles) { particles throws(BatchError) in
    try particles.events.lend(particles.particles.events, events, count, murmuration_event.init)
  }
}
