// SPDX-License-Identifier: MIT
import Text

/// Reads accessors: the numbers that a glTF file stores in its buffers.
///
/// Nothing is allocated before the counts are known to be backed by data. The numbers of all accessors together are
/// bounded: a small file may have many accessors of the same bytes, or of zeros without bytes.
struct GLTFAccessors {
  /// The most numbers that all accessors of a file may have together.
  static let valueLimit = 1 << 24

  private let accessors: [GLTFAccessorDescription]
  private let views: [GLTFBufferViewDescription]
  private var buffers: GLTFBuffers
  private var read: [Int: [Double]] = [:]
  private var spare = GLTFAccessors.valueLimit

  /// The accessors of a file.
  init(_ description: GLTFDescription, buffers: GLTFBuffers) {
    accessors = description.accessors
    views = description.bufferViews
    self.buffers = buffers
  }

  /// The file's description of accessor `index`.
  func description(_ index: Int) throws(FileError) -> GLTFAccessorDescription {
    guard accessors.indices.contains(index) else {
      throw FileError("names accessors[\(index)] of \(accessors.count)")
    }
    return accessors[index]
  }

  /// The numbers of accessor `index`, element after element; normalised integers are converted.
  /// - Throws: `FileError` with the place in the file, and with the byte if data end too early.
  mutating func values(_ index: Int) throws(FileError) -> [Double] {
    if let values = read[index] { return values }
    let values = try values(of: try description(index), name: "accessors[\(index)]")
    read[index] = values
    return values
  }

  private mutating func values(of accessor: GLTFAccessorDescription, name: String) throws(FileError) -> [Double] {
    guard let type = GLTFComponentType(rawValue: accessor.componentType) else {
      throw FileError(place: "\(name).componentType", "\(accessor.componentType) is none that glTF has")
    }
    guard let width = GLTFAccessors.widths[accessor.type] else {
      throw FileError(
        place: "\(name).type", "must be SCALAR, VEC2, VEC3, VEC4 or MAT4 here, is \(accessor.type.printable)")
    }
    var run: ElementRun?
    if let place = accessor.place {
      run = try self.run(at: place, count: accessor.count, width: width, type: type, name: name, mayStride: true)
    }
    guard accessor.count <= spare / width else {
      throw FileError(place: "\(name).count", "makes more than \(GLTFAccessors.valueLimit) numbers in all")
    }
    spare -= accessor.count * width
    var values = run?.numbers(width: width, type: type) ?? [Double](repeating: 0, count: accessor.count * width)
    if let sparse = accessor.sparse {
      try replace(sparse, in: &values, width: width, type: type, name: "\(name).sparse")
    }
    if accessor.isNormalized { for index in values.indices { values[index] = type.normalized(values[index]) } }
    return values
  }

  /// Replaces the elements of `values` that `sparse` names.
  private mutating func replace(
    _ sparse: GLTFAccessorDescription.Sparse, in values: inout [Double], width: Int, type: GLTFComponentType,
    name: String
  ) throws(FileError) {
    let limit = values.count / width
    guard sparse.count <= limit else {
      throw FileError(place: "\(name).count", "must be at most the accessor's count of \(limit), is \(sparse.count)")
    }
    let code = sparse.indices.componentType ?? 0
    guard let indexType = GLTFComponentType(rawValue: code),
      [.unsignedByte, .unsignedShort, .unsignedInt].contains(indexType)
    else { throw FileError(place: "\(name).indices.componentType", "must be 5121, 5123 or 5125, is \(code)") }
    let count = sparse.count
    let indices = try run(
      at: sparse.indices.place, count: count, width: 1, type: indexType, name: "\(name).indices", mayStride: false
    ).numbers(width: 1, type: indexType)
    let elements = try run(
      at: sparse.values.place, count: count, width: width, type: type, name: "\(name).values", mayStride: false
    ).numbers(width: width, type: type)

    var previous = -1
    for (position, number) in indices.enumerated() {
      let index = Int(number)
      guard index > previous, index < limit else {
        throw FileError(
          place: "\(name).indices",
          "number \(position) must be greater than \(previous) and less than \(limit), is \(index)")
      }
      previous = index
      for component in 0..<width { values[index * width + component] = elements[position * width + component] }
    }
  }

  /// The bytes of `count` elements, after a check that the buffer has them all.
  private mutating func run(
    at place: GLTFAccessorDescription.Place, count: Int, width: Int, type: GLTFComponentType, name: String,
    mayStride: Bool
  ) throws(FileError) -> ElementRun {
    guard views.indices.contains(place.bufferView) else {
      throw FileError(place: "\(name).bufferView", "names bufferViews[\(place.bufferView)] of \(views.count)")
    }
    let view = views[place.bufferView]
    let viewName = "bufferViews[\(place.bufferView)]"
    if let compression = view.compressions.first {
      throw FileError(
        place: "\(name): \(viewName)", "“\(compression.rawValue)” is not read; export the file without it")
    }
    let size = width * type.size
    if let stride = view.byteStride {
      let stridePlace = "\(name): \(viewName).byteStride"
      guard mayStride else { throw FileError(place: stridePlace, "must not be there for sparse data") }
      guard (4...252).contains(stride), stride.isMultiple(of: 4), stride >= size else {
        throw FileError(place: stridePlace, "must be a multiple of 4 from \(max(4, size)) to 252, is \(stride)")
      }
    }
    let stride = view.byteStride ?? size
    guard place.byteOffset.isMultiple(of: type.size), (view.byteOffset + place.byteOffset).isMultiple(of: type.size)
    else {
      throw FileError(
        place: "\(name).byteOffset", "does not stand at a multiple of the component's \(type.size) bytes")
    }
    // Each factor and term is below 2⁴¹ and the stride below 2⁸, so nothing here overflows.
    let end = count == 0 ? place.byteOffset : place.byteOffset + (count - 1) * stride + size
    guard end <= view.byteLength else {
      throw FileError(
        place: "\(name).count", "\(count) elements need \(end) bytes; \(viewName) ends at byte \(view.byteLength)")
    }
    let buffer: ArraySlice<UInt8>
    do {
      buffer = try buffers.bytes(view.buffer)
    } catch {
      throw error.within("\(name): \(viewName).buffer")
    }
    guard view.byteOffset + view.byteLength <= buffer.count else {
      throw FileError(
        place: "\(name): \(viewName).byteLength",
        "reaches byte \(view.byteOffset + view.byteLength); buffers[\(view.buffer)] ends at byte \(buffer.count)")
    }
    return ElementRun(bytes: buffer, start: view.byteOffset + place.byteOffset, stride: stride, count: count)
  }

  private static let widths = ["SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16]
}

/// Elements at equal distances in a buffer that holds all of them.
private struct ElementRun {
  var bytes: ArraySlice<UInt8>
  var start: Int
  var stride: Int
  var count: Int

  func numbers(width: Int, type: GLTFComponentType) -> [Double] {
    var numbers: [Double] = []
    numbers.reserveCapacity(count * width)
    for element in 0..<count {
      for component in 0..<width {
        numbers.append(type.number(in: bytes, at: start + element * stride + component * type.size))
      }
    }
    return numbers
  }
}
