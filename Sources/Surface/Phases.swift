// SPDX-License-Identifier: MIT
// The names are those of the header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase
import AnimationModel
public import CSurface
import Murmuration

// Phases: sequences of targets.

extension murmuration_phases {
  fileprivate var id: PhaseSequenceID { PhaseSequenceID(index: index, generation: generation, store: store) }
}

@c @implementation
public func murmuration_load_phases(
  _ batch: murmuration_batch, _ targets: UnsafePointer<Float>?, _ animations: UnsafePointer<murmuration_animation>?,
  _ dimensions: Int32, _ phaseCount: Int32, _ phases: UnsafeMutablePointer<murmuration_phases>?
) -> Int32 {
  guard 1...Int32(BatchLimits.maximumDimensions) ~= dimensions else {
    return fail(BatchError.invalidDimensions(Int(dimensions)))
  }
  guard 1...Int32(PhaseSequence.maximumPhaseCount) ~= phaseCount else {
    return fail(phaseCount < 1 ? PhaseError.noPhases : .tooManyPhases(Int(phaseCount)))
  }
  guard let targets else { return failNull("targets") }
  guard let phases else { return failNull("phases") }
  // Of each phase the targets in a list and in an array that grows, its animation three times, and what lists cost.
  let bytesOfPhase = 16 * Int(dimensions) + 3 * MemoryLayout<Animation?>.stride + 512
  if let fault = roomFault("bytes for phases", Int(phaseCount) * bytesOfPhase, of: UInt8.self) { return fault }
  let sequence: PhaseSequence
  var lists: [[Float]] = []
  var motions: [Animation?] = []
  for phase in 0..<Int(phaseCount) {
    let start = targets + phase * Int(dimensions)
    lists.append(Array(UnsafeBufferPointer(start: start, count: Int(dimensions))))
    do throws(BatchError) {
      motions.append(try animations.map { $0 + phase }?.animation(index: phase))
    } catch {
      return fail(error)
    }
  }
  do throws(PhaseError) {
    sequence = try PhaseSequence(dimensions: Int(dimensions), targets: lists, animations: motions)
  } catch {
    return fail(error)
  }
  return withEngine(batch) { engine throws(BatchError) in
    let id = try engine.load(sequence)
    phases.pointee = murmuration_phases(index: id.index, generation: id.generation, store: id.store)
  }
}

@c @implementation
public func murmuration_unload_phases(_ batch: murmuration_batch, _ phases: UnsafePointer<murmuration_phases>?) -> Int32
{
  guard let phases else { return failNull("phases") }
  return withEngine(batch) { engine throws(BatchError) in try engine.unload(phases.pointee.id) }
}

@c @implementation
public func murmuration_play_phases(
  _ batch: murmuration_batch, _ phases: UnsafePointer<murmuration_phases>?, _ tracks: UnsafePointer<murmuration_track>?,
  _ first: Int32, _ count: Int32, _ mode: Int32, _ starts: UnsafePointer<Double>?, _ scales: UnsafePointer<Float>?,
  _ scaleTrackStride: Int32, _ scaleComponentStride: Int32, _ offsets: UnsafePointer<Float>?,
  _ offsetTrackStride: Int32, _ offsetComponentStride: Int32, _ change: UnsafeMutablePointer<UInt32>?
) -> Int32 {
  guard let phases else { return failNull("phases") }
  guard Int(mode) == MURMURATION_LOOPS || Int(mode) == MURMURATION_TRIGGERED else { return failCode("mode", mode) }
  if scales != nil, let fault = inputFault("scales", scales, count, scaleTrackStride, scaleComponentStride) {
    return fault
  }
  if offsets != nil, let fault = inputFault("offsets", offsets, count, offsetTrackStride, offsetComponentStride) {
    return fault
  }
  return withEngine(batch) { engine throws(BatchError) in
    let tracks = try engine.selection(tracks, first, count)
    var (factors, added): (InputValues?, InputValues?)
    if let scales { factors = try engine.values(scales, of: tracks, scaleTrackStride, scaleComponentStride) }
    if let offsets { added = try engine.values(offsets, of: tracks, offsetTrackStride, offsetComponentStride) }
    change.take(
      try engine.play(
        phases.pointee.id, on: tracks, Int(mode) == MURMURATION_LOOPS ? .loops : .triggered,
        startingAt: span(starts, engine.count(of: tracks)).span, offsets: added, scales: factors))
  }
}

@c @implementation
public func murmuration_trigger(
  _ batch: murmuration_batch, _ tracks: UnsafePointer<murmuration_track>?, _ first: Int32, _ count: Int32,
  _ completion: Int32, _ change: UnsafeMutablePointer<UInt32>?
) -> Int32 {
  if let fault = completionFault(completion) { return fault }
  return withEngine(batch) { engine throws(BatchError) in
    let tracks = try engine.selection(tracks, first, count)
    change.take(
      try engine.change(tracks, completion) { engine throws(BatchError) in try engine.trigger(tracks) })
  }
}
