// SPDX-License-Identifier: MIT
import Testing

@testable import Formats
@testable import Scenes

struct NPYReaderTests {
  @Test(arguments: [UInt8(1), 2, 3], ["<f4", "<f8"])
  func everyVersionAndWidthIsRead(_ version: UInt8, _ descr: String) throws {
    let values = [1, 2, 3, -4, 0.5, 1e15, 7, 8, 9, 10, 11, 12]
    // Three dimensions are the components of each track.
    for (shape, channels) in [([12], 1), ([2, 6], 6), ([2, 3, 2], 6)] {
      let recording = try Recording(
        npy: NPYFixture(version: version, descr: descr, shape: shape, values: values).bytes)
      #expect(recording.channels == channels && recording.values == values.map { Float($0) })
    }
  }

  @Test func columnMajorOrderIsTurnedRound() throws {
    // NumPy's asfortranarray of arange(12).reshape(2, 3, 2) stores these, first index fastest.
    let stored: [Double] = [0, 6, 2, 8, 4, 10, 1, 7, 3, 9, 5, 11]
    let recording = try Recording(npy: NPYFixture(fortran: true, shape: [2, 3, 2], values: stored).bytes)
    #expect(recording.values == (0..<12).map(Float.init))
  }

  @Test func everyProperPrefixIsRefusedWithItsByte() {
    let bytes = NPYFixture(shape: [2, 3], values: [1, 2, 3, 4, 5, 6]).bytes
    expectPrefixesAreRefused(bytes, at: "byte") { try Recording(npy: $0) }
  }

  /// The ends of each type, from the highest byte to the lowest.
  @Test(
    arguments: [
      ("|b1", [0x01], 1), ("|i1", [0x80], -128), ("|u1", [0xFF], 255), ("i2", [0x80, 0], -32768),
      ("u2", [0xFF, 0xFE], 65534),
      ("i4", [0x80, 0, 0, 1], -2_147_483_647), ("u4", [0xFF, 0xFF, 0xFF, 0xFF], 4_294_967_295),
      ("i8", [0xFF, 0xE0, 0, 0, 0, 0, 0, 0], -0x1p53), ("u8", [0, 0x20, 0, 0, 0, 0, 0, 0], 0x1p53),
      ("f2", [0x7B, 0xFF], 65504), ("f2", [0x80, 0x01], -0x1p-24), ("f2", [0x04, 0x01], 0x1.004p-14),
      ("f4", [0x3F, 0x80, 0, 1], 1.00000011920928955078125), ("f8", [0x3F, 0xF0, 0, 0, 0, 0, 0, 1], 1.0.nextUp),
    ] as [(String, [UInt8], Double)])
  func everyTypeIsReadExactlyInBothByteOrders(_ type: String, _ bytes: [UInt8], _ expected: Double) throws {
    for order in type.count == 2 ? ["<", ">"] : [""] {
      let empty = NPYFixture(descr: order + type, shape: [1], values: []).bytes
      let array = try NumPyArray(npy: empty + (order == ">" ? bytes : bytes.reversed()))
      switch array.elements {
      case .float32(let numbers): #expect(numbers.map { Double($0) } == [expected] && bytes.count <= 4)
      case .float64(let numbers): #expect(numbers == [expected])
      }
    }
  }

  @Test(
    arguments: [
      ("<i8", [1, 0, 0, 0, 0, 0, 0x20, 0]), ("<u8", [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]),
    ] as [(String, [UInt8])])
  func integersThatDoubleDoesNotHoldAreRefused(_ type: String, _ bytes: [UInt8]) {
    let file = NPYFixture(descr: type, shape: [1], values: []).bytes + bytes
    for error in [fileError { _ = try NumPyArray(npy: file) }, fileError { _ = try Recording(npy: file) }] {
      #expect(error?.description == "byte \(file.count - 8): is an integer beyond 2⁵³ that float64 does not hold")
    }
  }

  @Test func halvesThatAreNoNumbersAreRead() throws {
    let file = NPYFixture(descr: "<f2", shape: [3], values: []).bytes + [0, 0x7C, 0, 0xFC, 0, 0x7E]
    guard case .float32(let numbers) = try NumPyArray(npy: file).elements else {
      return #expect(Bool(false), "no float32")
    }
    #expect(numbers[0] == .infinity && numbers[1] == -.infinity && numbers[2].isNaN)
  }

  @Test func bytesAfterTheDataAreRefused() {
    let bytes = NPYFixture(shape: [1], values: [1]).bytes + [0]
    #expect(fileError { try Recording(npy: bytes) }?.reason == "unexpected bytes after the data")
  }

  @Test(arguments: [
    ("<c8", [1], "elements are “<c8”; floats, integers and booleans of up to 8 bytes are read"),
    ("|f4", [1], "elements are “|f4”"), ("<i3", [1], "elements are “<i3”"), ("|O", [1], "elements are “|O”"),
    ("<f4", [], "has 0 dimensions"), ("<f4", [1, 1, 1, 1], "has 4 dimensions"), ("<f4", [0, 3], "holds no frame"),
    ("<f4", [3, 0], "holds no channel"), ("<f4", [1_000_000_000_000], "the data are cut short"),
    ("<f4", [1 << 62, 4], "the data are cut short"),
    // No frame, and more channels than an integer counts.
    ("<f4", [0, 1 << 62, 4], "holds no frame"),
  ])
  func headersThatCannotBeAreRefused(_ descr: String, _ shape: [Int], _ expected: String) {
    let bytes = NPYFixture(descr: descr, shape: shape, values: []).bytes
    expectRefusal(expected) { try Recording(npy: bytes) }
  }

  @Test(arguments: [
    ("(1,)", "(-1,)"), ("(1,)", "(3.5,)"), ("(1,)", "(1e12,)"), ("(1,)", "1"), ("False", "0"),
    ("'<f4'", "[('a','<f4')]"),
    ("descr", "desks"), ("'shape'", "'descr'"), ("{", "["), ("(1,)", "(99999999999999999999,)"),
  ])
  func dictionariesThatCannotBeAreRefused(_ old: String, _ new: String) throws {
    let bytes = NPYFixture(shape: [1], values: [1]).bytes
    let data = Array(bytes.suffix(4))
    let text = String(decoding: bytes[10..<(bytes.count - 4)], as: UTF8.self)
    let range = try #require(text.firstRange(of: old))
    var changed = text
    changed.replaceSubrange(range, with: new)
    let start: [UInt8] = Array(bytes[..<8]) + [UInt8(changed.utf8.count), 0]
    #expect(fileError { try Recording(npy: start + Array(changed.utf8) + data) }?.place.isEmpty == false)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 2e15])
  func valuesBeyondTheLimitAreRefused(_ value: Double) {
    for descr in ["<f4", "<f8"] {
      let error = fileError { try Recording(npy: NPYFixture(descr: descr, shape: [2], values: [0, value]).bytes) }
      #expect(error?.reason.hasPrefix("values must be finite") == true)
    }
  }
}
