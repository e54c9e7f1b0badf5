// SPDX-License-Identifier: MIT
import Text

/// The header of a `.npy` file: element type, order and shape, as NumPy writes them.
///
/// Format: `\x93NUMPY`, two version bytes, the header's length (2 bytes in version 1, 4 in 2 and 3), then a Python
/// dictionary in text. Source: numpy.lib.format's documentation.
struct NPYHeader: Equatable {
  /// The type of the elements.
  var element: NPYElement
  /// Whether the first index varies fastest.
  var fortranOrder: Bool
  /// The extent of each dimension.
  var shape: [Int]
  /// The byte where the data begin.
  var dataStart: Int

  /// The header at the start of `bytes`.
  init(_ bytes: [UInt8]) throws(FileError) {
    guard bytes.starts(with: [0x93, 0x4E, 0x55, 0x4D, 0x50, 0x59]) else {
      throw FileError(place: "byte 0", "does not start as a .npy file does")
    }
    guard bytes.count >= 12 else { throw FileError(place: "byte \(bytes.count)", "the header is cut short") }
    let lengthBytes: Int
    switch bytes[6] {
    case 1: lengthBytes = 2
    case 2, 3: lengthBytes = 4
    default: throw FileError(place: "byte 6", "is version \(bytes[6]) of the format; 1, 2 and 3 are known")
    }
    let length = (0..<lengthBytes).reduce(0) { $0 | Int(bytes[8 + $1]) << (8 * $1) }
    dataStart = 8 + lengthBytes + length
    guard dataStart <= bytes.count else { throw FileError(place: "byte \(bytes.count)", "the header is cut short") }

    var dictionary = PythonDictionary(bytes[(8 + lengthBytes)..<dataStart])
    (element, fortranOrder, shape) = try dictionary.parse()
  }
}

/// The three keys of a `.npy` header, parsed strictly: each exactly once, and no other key.
private struct PythonDictionary {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  mutating func parse() throws(FileError) -> (element: NPYElement, fortranOrder: Bool, shape: [Int]) {
    var type: NPYElement?
    var fortranOrder: Bool?
    var shape: [Int]?
    try expect("{")
    while !accept("}") {
      let key = try string()
      try expect(":")
      switch key {
      case "descr" where type == nil: type = try element()
      case "fortran_order" where fortranOrder == nil: fortranOrder = try boolean()
      case "shape" where shape == nil: shape = try tuple()
      default: throw error("unexpected key “\(key.printable)” in the header")
      }
      if !accept(",") {
        try expect("}")
        break
      }
    }
    skipSpace()
    guard rest.isEmpty else { throw error("unexpected text after the header's dictionary") }
    guard let type, let fortranOrder, let shape else { throw error("descr, fortran_order or shape is missing") }
    return (type, fortranOrder, shape)
  }

  private func error(_ reason: String) -> FileError { FileError(place: "byte \(rest.startIndex)", reason) }

  private mutating func skipSpace() {
    while let first = rest.first, first == 0x20 || (0x09...0x0D).contains(first) { rest.removeFirst() }
  }

  private mutating func accept(_ token: String) -> Bool {
    skipSpace()
    guard rest.starts(with: token.utf8) else { return false }
    rest = rest.dropFirst(token.utf8.count)
    return true
  }

  private mutating func expect(_ token: String) throws(FileError) {
    guard accept(token) else { throw error("expected “\(token)” in the header") }
  }

  private mutating func string() throws(FileError) -> String {
    let quote: UInt8 = accept("'") ? 0x27 : 0x22
    if quote == 0x22 { try expect("\"") }
    guard let end = rest.firstIndex(of: quote) else { throw error("a text in the header has no end") }
    defer { rest = rest[(end + 1)...] }
    return rest[..<end].text
  }

  private mutating func element() throws(FileError) -> NPYElement {
    skipSpace()
    guard rest.first == 0x27 || rest.first == 0x22 else {
      throw error("records of named fields are not read; save one field")
    }
    let name = try string()
    guard let element = NPYElement(name) else {
      throw error(
        "elements are “\(name.printable)”; floats, integers and booleans of up to 8 bytes are read: "
          + "save array.astype(\"float32\")")
    }
    return element
  }

  private mutating func boolean() throws(FileError) -> Bool {
    if accept("True") { return true }
    try expect("False")
    return false
  }

  private mutating func tuple() throws(FileError) -> [Int] {
    var extents: [Int] = []
    try expect("(")
    while !accept(")") {
      skipSpace()
      let digits = rest.prefix(while: \.isDigit)
      guard let extent = Int(digits.text) else { throw error("expected an extent of the shape, within 2⁶³") }
      rest = rest.dropFirst(digits.count)
      // Python 2 wrote its long integers so.
      if rest.first == UInt8(ascii: "L") { rest.removeFirst() }
      extents.append(extent)
      if !accept(",") {
        try expect(")")
        break
      }
    }
    return extents
  }
}
