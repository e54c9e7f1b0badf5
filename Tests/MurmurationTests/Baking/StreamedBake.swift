// SPDX-License-Identifier: MIT
import Foundation
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// The least number of frames of `columns` numbers each that a bake stores past the caches.
func streamedFrames(columns: Int) -> Int { BakeLimits.streamedBytes / (columns * MemoryLayout<Float>.stride) + 1 }

/// Expects that a bake which is stored past the caches writes the bits of bakes of fewer columns, which are not, wherever in
/// a line of memory it begins, and nothing beside them.
///
/// - Parameters:
///   - columns: The tracks or dimensions of a frame.
///   - bake: Bakes `frames` frames of some of the columns.
func expectStreamedRows(
  _ columns: Range<Int>, frames: Int, _ bake: (Range<Int>, inout MutableSpan<Float>) throws -> Void
) throws {
  let total = columns.count * frames
  #expect(total * MemoryLayout<Float>.stride > BakeLimits.streamedBytes)
  let expected = UnsafeMutableBufferPointer<Float>.allocate(capacity: total)
  defer { expected.deallocate() }
  for part in [columns.prefix(columns.count / 2), columns.suffix(columns.count - columns.count / 2)] {
    let count = part.count * frames
    #expect(count * MemoryLayout<Float>.stride <= BakeLimits.streamedBytes)
    let output = UnsafeMutableBufferPointer<Float>.allocate(capacity: count)
    defer { output.deallocate() }
    var span = output.mutableSpan
    try bake(part, &span)
    let offset = part.lowerBound - columns.lowerBound
    for frame in 0..<frames {
      memcpy(
        expected.baseAddress! + frame * columns.count + offset, output.baseAddress! + frame * part.count,
        part.count * MemoryLayout<Float>.stride)
    }
  }
  let bytes = (total + 64) * MemoryLayout<Float>.stride
  let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
  defer { memory.deallocate() }
  let numbers = memory.bindMemory(to: Float.self, capacity: total + 64)
  for shift in [0, 1, 9] {
    memset(memory, 0xFF, bytes)
    let written = 16 + shift..<16 + shift + total
    var span = UnsafeMutableBufferPointer(start: numbers, count: total + 64).extracting(written).mutableSpan
    try bake(columns, &span)
    let isSame = memcmp(numbers + written.lowerBound, expected.baseAddress!, total * MemoryLayout<Float>.stride) == 0
    #expect(isSame, "\(columns), \(shift) off a line")
    let beside = [0..<written.lowerBound, written.upperBound..<total + 64].joined()
    #expect(beside.allSatisfy { numbers[$0].bitPattern == .max }, "\(columns), \(shift) off a line")
  }
}
