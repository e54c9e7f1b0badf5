// SPDX-License-Identifier: MIT

/// An array of numbers as NumPy's `.npy` and `.npz` files hold it, in C order: the last index varies fastest.
public struct NumPyArray: Sendable, Equatable {
  /// The numbers, in one of the two types that are read and written.
  public enum Elements: Sendable, Equatable {
    /// NumPy's `float32`.
    case float32([Float])
    /// NumPy's `float64`.
    case float64([Double])

    /// The number of numbers.
    public var count: Int {
      switch self {
      case .float32(let numbers): numbers.count
      case .float64(let numbers): numbers.count
      }
    }
  }

  /// The extent of each dimension; none for a single number.
  public let shape: [Int]
  /// The numbers.
  public let elements: Elements

  /// An array of a shape.
  /// - Throws: ``FileError`` for a negative extent or more than 64 of them, or unless the extents' product is the number of elements.
  public init(shape: [Int], elements: Elements) throws(FileError) {
    guard shape.count <= Self.dimensionLimit else { throw Self.tooManyDimensions(shape) }
    var count = 1
    for extent in shape {
      let (product, overflow) = count.multipliedReportingOverflow(by: extent)
      guard extent >= 0, !overflow else { throw FileError("\(shape) is no shape") }
      count = product
    }
    guard count == elements.count else {
      throw FileError("the shape \(shape) has room for \(count) numbers, \(elements.count) are given")
    }
    self.shape = shape
    self.elements = elements
  }

  /// The array in the bytes of a `.npy` file, versions 1 to 3, of floats, integers or booleans of up to 8 bytes, in C or
  /// Fortran order.
  ///
  /// Any numbers are taken, NaN and infinities too. Floats of up to 4 bytes, integers of up to 2 and booleans become
  /// float32, all others float64.
  /// - Throws: ``FileError`` with the byte: also for an integer that float64 does not hold.
  /// - Complexity: O(n) in the number of bytes; no shape takes more memory than four times the file's bytes.
  public init(npy bytes: [UInt8]) throws(FileError) {
    let header = try NPYHeader(bytes)
    guard header.shape.count <= Self.dimensionLimit else { throw Self.tooManyDimensions(header.shape) }
    let count = try header.elementCount(in: bytes)
    shape = header.shape
    if header.element.fitsFloat {
      elements = .float32(try header.elements(of: bytes, count: count) { number, _ throws(FileError) in Float(number) })
    } else {
      elements = .float64(try header.elements(of: bytes, count: count) { number, _ throws(FileError) in number })
    }
  }

  /// The array as a `.npy` file.
  public var npy: [UInt8] {
    var bytes = NPYHeader.bytes(shape: shape, type: type)
    switch elements {
    case .float32(let numbers): for number in numbers { bytes.append(word: UInt64(number.bitPattern), size: 4) }
    case .float64(let numbers): for number in numbers { bytes.append(word: number.bitPattern, size: 8) }
    }
    return bytes
  }

  /// NumPy's own limit.
  private static let dimensionLimit = 64

  private static func tooManyDimensions(_ shape: [Int]) -> FileError {
    FileError("has \(shape.count) dimensions; \(dimensionLimit) is the limit")
  }

  /// The type of the elements.
  var type: NumPyType {
    switch elements {
    case .float32: .float32
    case .float64: .float64
    }
  }
}

/// A type of numbers, by NumPy's letters for it.
enum NumPyType: String, Sendable {
  case float32 = "<f4"
  case float64 = "<f8"

  /// The bytes of a number.
  var size: Int { self == .float32 ? 4 : 8 }
}

extension NPYHeader {
  /// The header of version 1: padded with spaces so that the data begin at a multiple of 64 bytes.
  static func bytes(shape: [Int], type: NumPyType) -> [UInt8] {
    // Python writes a tuple of one as `(3,)`.
    let extents = shape.count == 1 ? "\(shape[0])," : shape.map { "\($0)" }.joined(separator: ", ")
    let dictionary = "{'descr': '\(type.rawValue)', 'fortran_order': False, 'shape': (\(extents)), }"
    let length = (10 + dictionary.utf8.count + 1 + 63) / 64 * 64 - 10
    let padding = String(repeating: " ", count: length - dictionary.utf8.count - 1)
    let start: [UInt8] = [0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(length & 0xFF), UInt8(length >> 8)]
    return start + Array("\(dictionary)\(padding)\n".utf8)
  }
}

extension Array where Element == UInt8 {
  /// Appends the lowest `size` bytes of a word, the lowest first.
  mutating func append(word: UInt64, size: Int) {
    for index in 0..<size { append(UInt8(truncatingIfNeeded: word >> (8 * UInt64(index)))) }
  }
}
