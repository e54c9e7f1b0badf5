// SPDX-License-Identifier: MIT
import Kernels

/// Goes through plain state in one order, and counts its bytes, writes them or reads them back.
///
/// Each store names its state once, in its `code(_:)`, for every way. Numbers are in the order and width of this machine.
package struct StateCoder {
  package enum Way {
    case counting, writing, reading
    /// Long columns are not written, but where they lie; `borrowing` reads them from there.
    case lending, borrowing
  }

  let way: Way
  /// The bytes that were written so far, or that are read.
  package private(set) var bytes: [UInt8]
  /// Bytes that were counted, written or read so far.
  private(set) var count = 0
  /// Whether all that was read was there, and fitted.
  package private(set) var isIntact = true

  /// The animations around the one that is being coded.
  var depth = 0

  /// Columns of this many bytes are lent.
  private static let leastLoan = 64

  package init(_ way: Way, _ bytes: [UInt8] = []) { (self.way, self.bytes) = (way, bytes) }

  package var isReading: Bool { way == .reading || way == .borrowing }
  /// The bytes that are still to be read.
  package var left: Int { bytes.count - count }

  /// Notes that what is read cannot be, or that what is written must not be.
  mutating func refuse() { isIntact = false }

  /// Nil, as what is read cannot be.
  mutating func refused<Value>() -> Value? {
    refuse()
    return nil
  }

  /// Writes bytes, or reads them to where they belong. Nothing is read beyond the end.
  @inline(never)
  mutating func raw(_ address: UnsafeMutableRawPointer, _ byteCount: Int) {
    guard byteCount > 0 else { return }
    let isLent = byteCount >= Self.leastLoan
    switch way {
    case .counting: break
    case .lending where isLent:
      var address = UInt(bitPattern: address)
      unsafe raw(&address, MemoryLayout<UInt>.size)
      return
    case .borrowing where isLent:
      var source = UInt(0)
      unsafe raw(&source, MemoryLayout<UInt>.size)
      if let source = unsafe UnsafeRawPointer(bitPattern: source) {
        unsafe address.copyMemory(from: source, byteCount: byteCount)
      }
      return
    case .writing, .lending:
      let source = unsafe UnsafeBufferPointer(start: address.assumingMemoryBound(to: UInt8.self), count: byteCount)
      unsafe bytes.append(contentsOf: source)
    case .reading, .borrowing:
      guard isIntact, byteCount <= left else { return refuse() }
      let from = count
      unsafe bytes.withUnsafeBytes { bytes in
        unsafe address.copyMemory(from: bytes.baseAddress! + from, byteCount: byteCount)
      }
    }
    count += byteCount
  }

  /// A value: the given one, or the one that is read.
  package mutating func coded<Value: BitwiseCopyable>(_ value: Value) -> Value {
    var value = value
    code(&value)
    return value
  }

  @inline(__always)
  package mutating func code<Value: BitwiseCopyable>(_ value: inout Value) {
    unsafe raw(&value, MemoryLayout<Value>.size)
  }

  /// The number of elements of a list, each of some bytes. The width of an element is coded too: so a build that lays them
  /// out in another way is refused.
  @inline(never)
  package mutating func codedCount(_ count: Int, width: Int) -> Int {
    var head = SIMD2<UInt64>(UInt64(count), UInt64(width))
    code(&head)
    guard isReading else { return count }
    guard isIntact, head.y == UInt64(width), way == .borrowing || head.x <= UInt64(left / max(1, width)) else {
      refuse()
      return 0
    }
    return Int(head.x)
  }

  /// The elements of a column, of which there are as many when they are read.
  @inline(__always)
  mutating func code<Element: BitwiseCopyable>(_ column: Column<Element>, count: Int) {
    guard count > 0 else { return }
    column.check(0, count: count)
    unsafe raw(UnsafeMutableRawPointer(column.address), count * MemoryLayout<Element>.stride)
  }

  /// The elements of a list. A list of another length gets new memory when it is read.
  package mutating func code<Element: BitwiseCopyable>(_ list: inout [Element]) {
    let count = codedCount(list.count, width: MemoryLayout<Element>.stride)
    if isReading, count != list.count {
      unsafe list = [Element](unsafeUninitializedCapacity: max(count, list.capacity)) { $1 = count }
    }
    guard count > 0 else { return }
    if isReading {
      unsafe list.withUnsafeMutableBytes { unsafe raw($0.baseAddress!, $0.count) }
    } else {
      unsafe list.withUnsafeBytes { unsafe raw(UnsafeMutableRawPointer(mutating: $0.baseAddress!), $0.count) }
    }
  }
}
