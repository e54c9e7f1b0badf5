// SPDX-License-Identifier: MIT
// The names are those of the header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase
public import CSurface
import Formats
import Murmuration
import Scenes
import Surface

/// The animations of a glTF file as the table of objects holds them.
final class GLTFObject {
  fileprivate let parts: [GLTFScene.Part]
  fileprivate var text = LentText()

  init(_ scene: GLTFScene) { parts = scene.parts }

  deinit { text.free() }
}

private let kind = ObjectKind<GLTFObject>(OBJECT_GLTF, "glTF file")

/// Opens a file.
private func open(
  _ gltf: UnsafeMutablePointer<murmuration_gltf>, _ load: () throws(FileError) -> GLTFScene
) -> Int32 {
  do throws(FileError) { return kind.register(GLTFObject(try load()), gltf) } catch { return fail(error) }
}

/// Runs a call about an animation.
private func withAnimation(
  _ gltf: murmuration_gltf, _ animation: Int32, _ body: (GLTFObject, GLTFScene.Part) -> Int32
) -> Int32 {
  kind.with(gltf) { object in element(object.parts, animation, "animation") { body(object, $0) } }
}

// MARK: - Calls

@c @implementation
public func murmuration_gltf_open(
  _ path: UnsafePointer<CChar>?, _ gltf: UnsafeMutablePointer<murmuration_gltf>?
) -> Int32 {
  guard let path else { return failNull("path") }
  guard let gltf else { return failNull("gltf") }
  return open(gltf) { () throws(FileError) in try GLTFScene(path: String(cString: path)) }
}

@c @implementation
public func murmuration_gltf_open_bytes(
  _ start: UnsafeRawPointer?, _ count: Int64, _ gltf: UnsafeMutablePointer<murmuration_gltf>?
) -> Int32 {
  guard let gltf else { return failNull("gltf") }
  return bytes(start, count) { bytes in
    open(gltf) { () throws(FileError) in try GLTFScene(try GLTFDocument(bytes)) }
  }
}

@c @implementation
public func murmuration_gltf_free(_ gltf: murmuration_gltf) -> Int32 { kind.free(gltf) }

@c @implementation
public func murmuration_gltf_count(_ gltf: murmuration_gltf, _ count: UnsafeMutablePointer<Int32>?) -> Int32 {
  guard let count else { return failNull("count") }
  return kind.with(gltf) { object in
    count.pointee = Int32(object.parts.count)
    return ok
  }
}

@c @implementation
public func murmuration_gltf_describe(
  _ gltf: murmuration_gltf, _ animation: Int32, _ info: UnsafeMutablePointer<murmuration_gltf_animation_info>?
) -> Int32 {
  guard let info else { return failNull("info") }
  return withAnimation(gltf, animation) { _, part in
    info.pointee = murmuration_gltf_animation_info(
      duration: part.clip.duration, dimensions: Int32(part.clip.dimensions), reserved: 0)
    return ok
  }
}

@c @implementation
public func murmuration_gltf_text(
  _ gltf: murmuration_gltf, _ what: Int32, _ animation: Int32, _ component: Int32,
  _ text: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) -> Int32 {
  guard let text else { return failNull("text") }
  return withAnimation(gltf, animation) { object, part in
    let texts: [String]
    switch Int(what) {
    case MURMURATION_NAME: texts = [part.name]
    case MURMURATION_COMPONENT_NAME: texts = part.labels
    default: return failCode("what", what)
    }
    return element(texts, component, "component") { found in
      object.text.lend(found, text)
      return ok
    }
  }
}

@c @implementation
public func murmuration_gltf_load_clip(
  _ gltf: murmuration_gltf, _ animation: Int32, _ batch: murmuration_batch,
  _ clip: UnsafeMutablePointer<murmuration_clip>?, _ duration: UnsafeMutablePointer<Double>?
) -> Int32 {
  guard let clip else { return failNull("clip") }
  return withAnimation(gltf, animation) { _, part in
    withAnyEngine(batch) { engine throws(BatchError) in
      let id = try engine.load(part.clip)
      clip.pointee = murmuration_clip(index: id.index, generation: id.generation, store: id.store)
      duration?.pointee = part.clip.duration
    }
  }
}
