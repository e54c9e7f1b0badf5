// SPDX-License-Identifier: MIT
// The names are those of the header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase
public import CSurface
import Murmuration
import Rigs
import Surface

/// A mixer as the table of objects holds it.
final class MixerObject {
  fileprivate var mixer: Mixer
  /// Numbers on their way to other strides; kept, so that the next call need not allocate.
  private var copy: [Float] = []

  init(_ mixer: consuming Mixer) { self.mixer = mixer }

  /// Lends memory for numbers, whose content is meaningless.
  private func withCopy(
    _ count: Int, _ body: (inout MutableSpan<Float>) throws(MatrixError) -> Void
  ) throws(MatrixError) {
    if copy.count < count {
      guard BatchLimits.hasRoom(for: count, of: Float.self) else { throw .invalidSize(of: "numbers", count) }
      copy = [Float](repeating: 0, count: count)
    }
    var numbers: [Float] = []
    swap(&numbers, &copy)
    defer { swap(&numbers, &copy) }
    var span = numbers.mutableSpan
    try body(&span)
  }

  func set(
    _ columns: Range<Int>, of instances: Range<Int>, to values: UnsafePointer<Float>, _ instanceStride: Int,
    _ columnStride: Int
  ) throws(MatrixError) {
    if instanceStride == 1, columnStride >= instances.count {
      let length = columns.isEmpty ? 0 : (columns.count - 1) * columnStride + instances.count
      return try mixer.set(
        columns, of: instances, to: UnsafeBufferPointer(start: values, count: length).span, stride: columnStride)
    }
    // All at once, so that an error changes nothing.
    try withCopy(columns.count * instances.count) { copy throws(MatrixError) in
      for column in 0..<columns.count {
        for instance in 0..<instances.count {
          copy[column * instances.count + instance] = values[instance * instanceStride + column * columnStride]
        }
      }
      try mixer.set(columns, of: instances, to: copy.span)
    }
  }

  func mix(
    _ instances: Range<Int>, into output: UnsafeMutablePointer<Float>, _ instanceStride: Int, _ outputStride: Int
  ) throws(MatrixError) {
    let width = mixer.outputCount
    if outputStride == 1, instanceStride >= width {
      let length = instances.isEmpty ? 0 : (instances.count - 1) * instanceStride + width
      var span = UnsafeMutableBufferPointer(start: output, count: length).mutableSpan
      return try mixer.mix(instances, into: &span, stride: instanceStride)
    }
    // All at once here too.
    try withCopy(width * instances.count) { copy throws(MatrixError) in
      try mixer.mix(instances, into: &copy)
      for instance in 0..<instances.count {
        for place in 0..<width {
          output[instance * instanceStride + place * outputStride] = copy[instance * width + place]
        }
      }
    }
  }
}

private let kind = ObjectKind<MixerObject>(OBJECT_MIXER, "mixer")

/// Runs a call about a mixer.
private func withMixer(
  _ mixer: murmuration_mixer, _ body: (MixerObject) throws(MatrixError) -> Void
) -> Int32 {
  kind.with(mixer) { object in
    do throws(MatrixError) { try body(object) } catch { return fail(error) }
    return ok
  }
}

/// Fails with an error of a mixer.
private func fail(_ error: MatrixError) -> Int32 {
  let code =
    switch error {
    case .invalidValue: MURMURATION_INVALID_VALUE
    case .unsupportedKernels: MURMURATION_UNSUPPORTED_KERNELS
    case .noTrack: MURMURATION_TRACK_OUT_OF_RANGE
    default: MURMURATION_INVALID_MIXER
    }
  return fail(code, error.description)
}

/// The range of a first element and a count; `outOfRange` unless it is within `0..<all`.
private func range(_ name: String, _ first: Int32, _ count: Int32, of all: Int) throws(MatrixError) -> Range<Int> {
  guard first >= 0, first <= all else { throw .outOfRange(name, Int(first), count: all) }
  guard count >= 0, Int(count) <= all - Int(first) else {
    throw .outOfRange(name, count < 0 ? Int(count) : all, count: all)
  }
  return Int(first)..<Int(first) + Int(count)
}

/// Throws if strides lead beyond any memory.
private func checkReach(
  _ instances: Range<Int>, _ instanceStride: Int32, _ others: Int, _ otherStride: Int32
) throws(MatrixError) {
  let floats = instances.count * Int(instanceStride) + others * Int(otherStride)
  guard floats <= Int.max / 4 else { throw .invalidSize(of: "numbers", floats) }
}

// MARK: - Calls

@c @implementation
public func murmuration_mixer_create(
  _ base: UnsafePointer<Float>?, _ outputCount: Int32, _ layers: UnsafePointer<murmuration_layer>?,
  _ layerCount: Int32, _ numbers: UnsafePointer<Float>?, _ numberCount: Int64, _ instanceCount: Int32,
  _ mixer: UnsafeMutablePointer<murmuration_mixer>?
) -> Int32 {
  guard let mixer else { return failNull("mixer") }
  guard outputCount >= 0 else { return failCount("output_count", outputCount) }
  guard layerCount >= 0 else { return failCount("layer_count", layerCount) }
  if base == nil, outputCount != 0 { return failNull("base") }
  if layers == nil, layerCount != 0 { return failNull("layers") }
  if numbers == nil, numberCount != 0 { return failNull("numbers") }
  let width = Int(outputCount)
  let given = UnsafeBufferPointer(start: layers, count: Int(layerCount))
  var needed = 0
  for layer in given {
    guard 0...1 ~= layer.kind else { return failCode("kind", layer.kind) }
    guard 0...7 ~= layer.flags else { return failCode("flags", layer.flags) }
    guard layer.reserved == 0 else {
      return fail(MURMURATION_INVALID_CODE, "reserved must be 0, is \(layer.reserved)")
    }
    guard layer.shape_count >= 0 else { return failCount("shape_count", layer.shape_count) }
    let rows = Int(layer.shape_count) + (layer.flags & 3).nonzeroBitCount
    let (sum, overflow) = needed.addingReportingOverflow(rows * width)
    guard !overflow, sum <= Int.max / 4 else {
      return fail(MURMURATION_INVALID_MIXER, "the layers are larger than memory")
    }
    needed = sum
  }
  guard numberCount == Int64(needed) else {
    return fail(MURMURATION_INVALID_COUNT, "numbers: \(needed) are needed, \(numberCount) were given")
  }
  // Copied once here, and once where the mixer keeps them.
  if let fault = roomFault("numbers", 2 * (needed + width), of: Float.self) { return fault }
  var rest = UnsafeBufferPointer(start: numbers, count: needed)[...]
  func take(_ rows: Int) -> [Float] {
    let part = rest.prefix(rows * width)
    rest = rest.dropFirst(rows * width)
    return Array(part)
  }
  let list = given.map { layer in
    let base = layer.flags & 1 == 0 ? [] : take(1)
    let mask = layer.flags & 2 == 0 ? [] : take(1)
    return MixerLayer(
      Int(layer.kind) == MURMURATION_ADDITIVE ? .additive : .override, trackCount: Int(layer.shape_count),
      shapes: take(Int(layer.shape_count)), base: base, mask: mask, isWeighted: layer.flags & 4 != 0)
  }
  do throws(MatrixError) {
    return kind.register(
      MixerObject(
        try Mixer(
          base: Array(UnsafeBufferPointer(start: base, count: width)), layers: list, instances: Int(instanceCount))),
      mixer)
  } catch {
    return fail(error)
  }
}

@c @implementation
public func murmuration_mixer_free(_ mixer: murmuration_mixer) -> Int32 { kind.free(mixer) }

@c @implementation
public func murmuration_mixer_describe(
  _ mixer: murmuration_mixer, _ info: UnsafeMutablePointer<murmuration_mixer_info>?
) -> Int32 {
  guard let info else { return failNull("info") }
  return withMixer(mixer) { object in
    info.pointee = murmuration_mixer_info(
      output_count: Int32(object.mixer.outputCount), instance_count: Int32(object.mixer.instanceCount),
      column_count: Int32(object.mixer.columnCount), term_count: Int32(object.mixer.termCount))
  }
}

@c @implementation
public func murmuration_mixer_set(
  _ mixer: murmuration_mixer, _ firstColumn: Int32, _ columnCount: Int32, _ firstInstance: Int32,
  _ instanceCount: Int32, _ values: UnsafePointer<Float>?, _ instanceStride: Int32, _ columnStride: Int32
) -> Int32 {
  guard columnCount >= 0 else { return failCount("column_count", columnCount) }
  guard instanceCount >= 0 else { return failCount("instance_count", instanceCount) }
  let isEmpty = columnCount == 0 || instanceCount == 0
  if let fault = inputFault("values", values, isEmpty ? 0 : 1, instanceStride, columnStride) { return fault }
  return withMixer(mixer) { object throws(MatrixError) in
    let columns = try range("input column", firstColumn, columnCount, of: object.mixer.columnCount)
    let instances = try range("instance", firstInstance, instanceCount, of: object.mixer.instanceCount)
    try checkReach(instances, instanceStride, columns.count, columnStride)
    try object.set(columns, of: instances, to: values.orNothing, Int(instanceStride), Int(columnStride))
  }
}

@c @implementation
public func murmuration_mixer_set_tracks(
  _ mixer: murmuration_mixer, _ firstColumn: Int32, _ columnCount: Int32, _ firstInstance: Int32,
  _ batch: murmuration_batch, _ firstComponent: Int32, _ firstIndex: Int32, _ indexCount: Int32
) -> Int32 {
  guard columnCount >= 0 else { return failCount("column_count", columnCount) }
  guard indexCount >= 0 else { return failCount("index_count", indexCount) }
  return kind.with(mixer) { object in
    var status = ok
    let taken = withAnyEngine(batch) { engine in
      do throws(MatrixError) {
        try object.mixer.set(
          try range("input column", firstColumn, columnCount, of: object.mixer.columnCount), from: engine.columns,
          dimension: Int(firstComponent), indices: try range("index", firstIndex, indexCount, of: engine.indexCount),
          instance: Int(firstInstance))
      } catch { status = fail(error) }
    }
    return taken == ok ? status : taken
  }
}

@c @implementation
public func murmuration_mixer_mix(
  _ mixer: murmuration_mixer, _ firstInstance: Int32, _ instanceCount: Int32, _ output: UnsafeMutablePointer<Float>?,
  _ instanceStride: Int32, _ outputStride: Int32
) -> Int32 {
  guard instanceCount >= 0 else { return failCount("instance_count", instanceCount) }
  if let fault = outputFault("output", output, instanceCount, instanceStride, outputStride) { return fault }
  return withMixer(mixer) { object throws(MatrixError) in
    let instances = try range("instance", firstInstance, instanceCount, of: object.mixer.instanceCount)
    try checkReach(instances, instanceStride, object.mixer.outputCount, outputStride)
    try object.mix(instances, into: output.orNothing, Int(instanceStride), Int(outputStride))
  }
}
