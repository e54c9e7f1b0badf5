// SPDX-License-Identifier: MIT

/// The buffer of a `.glb` file, and the JSON of what describes it.
struct GLBEncoder {
  /// A box: its edge, and the number of its morph targets.
  private struct Box: Hashable {
    var edge: Float
    var targets: Int
  }

  /// Numbers of animations, and of boxes: positions, offsets of morph targets, and indices.
  private var numbers: [UInt8] = []
  private var positions: [UInt8] = []
  private var indices: [UInt8] = []
  private var accessors: [String] = []
  private var meshes: [String] = []

  private var inputs: [[Double]: Int] = [:]
  private var boxes: [Box: Int] = [:]
  private var indexAccessor: Int?
  private var positionAccessors: [Float: Int] = [:]
  private var targetAccessors: [Float: Int] = [:]

  /// The accessor of key times.
  mutating func times(_ times: [Double]) -> Int {
    if let input = inputs[times] { return input }
    let (first, last) = (Float(times[0]), Float(times[times.count - 1]))
    // Readers compare limits with the stored numbers: the shortest digits of a Float are another Double.
    let input = accessor(
      view: 0, offset: numbers.count, count: times.count, "SCALAR", limits: ["\(Double(first))"], ["\(Double(last))"])
    append(times)
    inputs[times] = input
    return input
  }

  /// The accessor of the elements of a sampler.
  mutating func values(_ values: [Double], path: GLTFAnimation.Path) -> Int {
    let (type, width) = path == .weights ? ("SCALAR", 1) : path == .rotation ? ("VEC4", 4) : ("VEC3", 3)
    let output = accessor(view: 0, offset: numbers.count, count: values.count / width, type)
    append(values)
    return output
  }

  private mutating func append(_ values: [Double]) {
    for value in values { numbers.append(word: UInt64(Float(value).bitPattern), size: 4) }
  }

  private mutating func accessor(
    view: Int, offset: Int, count: Int, _ type: String, component: Int = 5126, limits low: [String] = [],
    _ high: [String] = []
  ) -> Int {
    let limits =
      low.isEmpty ? "" : #","min":[\#(low.joined(separator: ","))],"max":[\#(high.joined(separator: ","))]"#
    accessors.append(
      #"{"bufferView":\#(view),"byteOffset":\#(offset),"componentType":\#(component),"count":\#(count),"type":"\#(type)"\#(limits)}"#
    )
    return accessors.count - 1
  }

  // MARK: - Boxes

  /// The corners of each triangle of a box, counterclockwise from outside. Bit 0 of a corner is its side in x, bit 1 in y,
  /// bit 2 in z.
  private static let triangles: [UInt8] = [
    0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6,
  ]

  /// The mesh of a box around the origin. Each morph target raises its upper side by the edge.
  mutating func mesh(box edge: Float, targets: Int) -> Int {
    let box = Box(edge: edge, targets: targets)
    if let mesh = boxes[box] { return mesh }
    let half = edge / 2
    let position =
      positionAccessors[edge]
      ?? vectors([-half, -half, -half], [half, half, half]) { corner in
        SIMD3(corner & 1 == 0 ? -half : half, corner & 2 == 0 ? -half : half, corner & 4 == 0 ? -half : half)
      }
    positionAccessors[edge] = position
    let index = indexAccessor ?? accessor(view: 2, offset: 0, count: Self.triangles.count, "SCALAR", component: 5121)
    if indexAccessor == nil { indices = Self.triangles }
    indexAccessor = index
    var morphs = ""
    if targets > 0 {
      let target = targetAccessors[edge] ?? vectors([0, 0, 0], [0, edge, 0]) { [0, $0 & 2 == 0 ? 0 : edge, 0] }
      targetAccessors[edge] = target
      let texts = [String](repeating: #"{"POSITION":\#(target)}"#, count: targets)
      morphs = #","targets":[\#(texts.joined(separator: ","))]"#
    }
    meshes.append(#"{"primitives":[{"attributes":{"POSITION":\#(position)},"indices":\#(index)\#(morphs)}]}"#)
    boxes[box] = meshes.count - 1
    return meshes.count - 1
  }

  private mutating func vectors(_ low: SIMD3<Float>, _ high: SIMD3<Float>, _ corner: (Int) -> SIMD3<Float>) -> Int {
    func texts(_ vector: SIMD3<Float>) -> [String] { vector.indices.map { "\(Double(vector[$0]))" } }
    let accessor = accessor(
      view: 1, offset: positions.count, count: 8, "VEC3", limits: texts(low), texts(high))
    for index in 0..<8 {
      let vector = corner(index)
      for axis in 0..<3 { positions.append(word: UInt64(vector[axis].bitPattern), size: 4) }
    }
    return accessor
  }

  // MARK: - The file

  /// Numbers between commas.
  static func list(_ numbers: some Sequence<Int>) -> String { numbers.map { "\($0)" }.joined(separator: ",") }

  static func list<V: SIMD<Float>>(_ vector: V) -> String {
    vector.indices.map { "\(vector[$0])" }.joined(separator: ",")
  }

  /// The file of these members of the JSON object, and of those of the buffer.
  func file(_ parts: [String]) -> [UInt8] {
    let hasBoxes = !positions.isEmpty
    var views = [#"{"buffer":0,"byteOffset":0,"byteLength":\#(max(numbers.count, 1))}"#]
    if hasBoxes {
      let end = numbers.count + positions.count
      views.append(
        #"{"buffer":0,"byteOffset":\#(numbers.count),"byteLength":\#(positions.count),"byteStride":12,"target":34962}"#)
      views.append(#"{"buffer":0,"byteOffset":\#(end),"byteLength":\#(indices.count),"target":34963}"#)
    }
    var buffer = numbers + positions + indices
    while buffer.isEmpty || !buffer.count.isMultiple(of: 4) { buffer.append(0) }
    var parts = parts
    if !accessors.isEmpty {
      parts.append(#""accessors":[\#(accessors.joined(separator: ","))]"#)
      parts.append(#""bufferViews":[\#(views.joined(separator: ","))]"#)
      parts.append(#""buffers":[{"byteLength":\#(buffer.count)}]"#)
    }
    if !meshes.isEmpty { parts.append(#""meshes":[\#(meshes.joined(separator: ","))]"#) }
    var json = Array("{\(parts.joined(separator: ","))}".utf8)
    while !json.count.isMultiple(of: 4) { json.append(0x20) }

    var bytes = Array("glTF".utf8)
    bytes.append(word: 2, size: 4)
    bytes.append(word: UInt64(28 + json.count + buffer.count), size: 4)
    bytes.append(word: UInt64(json.count), size: 4)
    bytes += Array("JSON".utf8) + json
    bytes.append(word: UInt64(buffer.count), size: 4)
    bytes += Array("BIN\0".utf8) + buffer
    return bytes
  }
}
