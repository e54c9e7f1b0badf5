// SPDX-License-Identifier: MIT

/// The checksum of zip archives: the CRC of ISO 3309 with the polynomial 0xEDB88320, reflected.
///
/// Eight bytes a step, with a table for each: Kounavis and Berry, “A Systematic Approach to Building High Performance
/// Software-Based CRC Generators”, 2005.
struct CRC32 {
  private var state: UInt32 = 0xFFFF_FFFF

  /// The checksum of all bytes so far.
  var value: UInt32 { ~state }

  /// Adds bytes.
  mutating func add(_ bytes: some RandomAccessCollection<UInt8>) {
    var state = state
    let done: Void? = bytes.withContiguousStorageIfAvailable { bytes in
      Self.tables.withUnsafeBufferPointer { tables in
        var index = 0
        while index + 8 <= bytes.count {
          var word: UInt64 = 0
          for byte in 0..<8 { word |= UInt64(bytes[index + byte]) << (8 * UInt64(byte)) }
          word ^= UInt64(state)
          state = 0
          for byte in 0..<8 { state ^= tables[(7 - byte) << 8 | Int(word >> (8 * UInt64(byte)) & 0xFF)] }
          index += 8
        }
        while index < bytes.count {
          state = tables[Int((state ^ UInt32(bytes[index])) & 0xFF)] ^ (state >> 8)
          index += 1
        }
      }
    }
    if done == nil { for byte in bytes { state = Self.tables[Int((state ^ UInt32(byte)) & 0xFF)] ^ (state >> 8) } }
    self.state = state
  }

  /// The checksum of bytes.
  static func of(_ bytes: some RandomAccessCollection<UInt8>) -> UInt32 {
    var sum = CRC32()
    sum.add(bytes)
    return sum.value
  }

  /// Table k, from 256 · k on: the effect of a byte that k more bytes follow.
  private static let tables: [UInt32] = {
    var tables = [UInt32](repeating: 0, count: 8 * 256)
    for byte in 0..<256 {
      var entry = UInt32(byte)
      for _ in 0..<8 { entry = entry & 1 == 1 ? 0xEDB8_8320 ^ (entry >> 1) : entry >> 1 }
      tables[byte] = entry
    }
    for entry in 256..<tables.count {
      let before = tables[entry - 256]
      tables[entry] = tables[Int(before & 0xFF)] ^ (before >> 8)
    }
    return tables
  }()
}
