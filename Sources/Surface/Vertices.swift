// SPDX-License-Identifier: MIT
// The names are those of the header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase
import AnimationModel
public import CSurface
import Murmuration

// Numbers of tracks in vertices, and colours.

@c @implementation
public func murmuration_copy_vertices(
  _ batch: murmuration_batch, _ what: Int32, _ tracks: UnsafePointer<murmuration_track>?, _ first: Int32,
  _ count: Int32, _ layout: UnsafePointer<murmuration_vertex_layout>?, _ output: UnsafeMutableRawPointer?,
  _ byteCount: Int64
) -> Int32 {
  guard let numbers = Engine.Numbers(what) else { return failCode("what", what) }
  guard let layout = layout?.pointee else { return failNull("layout") }
  guard let format = VertexLayout.Format(rawValue: layout.format) else { return failCode("format", layout.format) }
  guard layout.component_count >= 0 else { return failCount("component_count", layout.component_count) }
  if layout.components == nil, layout.component_count > 0 { return failNull("components") }
  if output == nil, count != 0 { return failNull("output") }
  var components: [Int] = []
  for component in UnsafeBufferPointer(start: layout.components, count: Int(layout.component_count)) {
    components.append(Int(component))
  }
  var vertices = VertexLayout(
    offset: Int(layout.offset), stride: layout.stride == 0 ? nil : Int(layout.stride), format, components: components)
  #if REAL_TIME_ONLY
    // See `CheckedLayout`.
    vertices.color = nil
  #else
    if layout.color_source != 0 || layout.color_destination != 0 {
      guard let source = ColorEncoding(layout.color_source) else {
        return failCode("color_source", layout.color_source)
      }
      guard let destination = ColorEncoding(layout.color_destination) else {
        return failCode("color_destination", layout.color_destination)
      }
      vertices.color = ColorConversion(from: source, to: destination)
    }
  #endif
  return withEngine(batch) { engine throws(BatchError) in
    let bytes = UnsafeMutableRawBufferPointer(
      start: output, count: output == nil ? 0 : max(0, Int(clamping: byteCount)))
    try engine.copy(numbers, of: engine.selection(tracks, first, count), into: bytes, vertices)
  }
}

extension ColorEncoding {
  /// The encoding of a code; nil for an unknown one.
  fileprivate init?(_ code: Int32) {
    let premultiplied = Int32(MURMURATION_PREMULTIPLIED)
    guard let space = Space(rawValue: code & ~premultiplied) else { return nil }
    self.init(space, isPremultiplied: code & premultiplied != 0)
  }
}

@c @implementation
public func murmuration_convert_colors(
  _ source: Int32, _ destination: Int32, _ colors: UnsafeRawPointer?, _ format: Int32, _ count: Int32,
  _ output: UnsafeMutablePointer<Float>?, _ trackStride: Int32, _ componentStride: Int32
) -> Int32 {
  guard let from = ColorEncoding(source) else { return failCode("source", source) }
  guard let to = ColorEncoding(destination) else { return failCode("destination", destination) }
  guard count >= 0 else { return failCount("count", count) }
  guard format == MURMURATION_FLOAT32 || format == MURMURATION_UNORM8 else { return failCode("format", format) }
  if colors == nil, count > 0 { return failNull("colors") }
  if let fault = outputFault("output", output, count, trackStride, componentStride) { return fault }
  guard let colors, let output, count > 0 else { return ok }
  return status { () throws(BatchError) in
    try checkReach("output", Int(count), 4, trackStride, componentStride)
    let (count, trackStride, componentStride) = (Int(count), Int(trackStride), Int(componentStride))
    let conversion = ColorConversion(from: from, to: to)
    if format == MURMURATION_UNORM8 {
      return try conversion.convert(
        unorm8: colors.assumingMemoryBound(to: UInt8.self), count: count, to: output, trackStride: trackStride,
        componentStride: componentStride)
    }
    let input = InputValues(
      colors.assumingMemoryBound(to: Float.self), count: count, dimensions: 4, componentStride: 1, trackStride: 4)
    try conversion.convert(input, to: output, trackStride: trackStride, componentStride: componentStride)
  }
}
