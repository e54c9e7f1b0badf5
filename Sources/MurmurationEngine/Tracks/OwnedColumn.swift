// SPDX-License-Identifier: MIT
import Kernels

/// A column that owns its memory, and grows.
///
/// An array asks before each write whether another variable shares it, and many reads count its references up and down. This
/// column has one owner, and needs neither. Debug builds check that each element lies within it, as for ``Column``.
struct OwnedColumn<Element: BitwiseCopyable>: ~Copyable {
  private var memory: MemoryBlock?
  /// The number of elements for which there is memory.
  private(set) var capacity = 0
  /// The elements, until the column grows.
  private(set) var column = Column<Element>.empty
  private(set) var count = 0

  var indices: Range<Int> { 0..<count }

  /// An element.
  subscript(index: Int) -> Element {
    @_transparent unsafeAddress { unsafe UnsafePointer(address(of: index)) }
    @_transparent unsafeMutableAddress { unsafe address(of: index) }
  }

  @_transparent
  private func address(of index: Int) -> UnsafeMutablePointer<Element> {
    assert(indices.contains(index), "an element beyond the end of a column")
    return unsafe column.address + index
  }

  /// Appends copies of an element, so that there are `count` elements or more.
  ///
  /// - Complexity: O(new elements), amortised: the memory at least doubles when it grows.
  mutating func grow(to count: Int, with element: Element) {
    guard count > self.count else { return }
    if count > capacity { map(max(count, 2 * capacity)) }
    (column + self.count).update(repeating: element, count: count - self.count)
    self.count = count
  }

  /// Takes memory for `count` elements or more, which is not touched before they are appended; at least twice as much as
  /// there was.
  mutating func reserve(_ count: Int) { if count > capacity { map(max(count, 2 * capacity)) } }

  mutating func code(_ coder: inout StateCoder) {
    let coded = coder.codedCount(count, width: MemoryLayout<Element>.stride)
    if coder.isReading {
      count = 0
      if coded > capacity { map(coded) }
      count = coded
    }
    coder.code(column, count: count)
  }

  /// Moves the elements to memory for more of them.
  private mutating func map(_ newCapacity: Int) {
    let larger = MemoryBlock(byteCount: newCapacity * MemoryLayout<Element>.stride, alignment: 64, isZeroed: false)
    let new = larger.bytes.elements(of: Element.self, count: newCapacity)
    new.update(from: column, count: count)
    memory = consume larger
    (column, capacity) = (new, newCapacity)
  }

  /// The bytes of a number of elements, up to a whole line.
  static func lineBytes(_ count: Int) -> Int { (count * MemoryLayout<Element>.stride + 63) & ~63 }

  /// Moves the elements to the first lines of memory that another owner keeps, and appends copies of an element there. The
  /// memory begins behind these lines then.
  ///
  /// - Parameter count: The number of elements from now on, no less than before.
  mutating func move(to memory: inout Column<UInt8>, count: Int, with element: Element) {
    let new = memory.elements(of: Element.self, count: count)
    new.update(from: column, count: self.count)
    (new + self.count).update(repeating: element, count: count - self.count)
    (column, self.count, capacity) = (new, count, count)
    self.memory = nil
    memory = memory + Self.lineBytes(count)
  }

  /// Removes all elements, and keeps the memory.
  mutating func clear() { count = 0 }
}

// The column points into memory that the value owns, and the type cannot be copied.
extension OwnedColumn: @unchecked Sendable {}

extension Array {
  /// Prefetches an element, if there is one at the index.
  @inline(__always)
  func prefetch(_ index: Int) { if index < count { withConstantColumn { $0.prefetch(index) } } }
}

extension Array {
  /// Takes over the elements of another list, in memory of its own. An assignment would share memory, and the next change of
  /// one list would allocate.
  mutating func copyState(of other: [Element]) {
    // Lists of one length need no other memory, and those without elements none at all.
    if count == other.count {
      for index in indices { self[index] = other[index] }
    } else {
      removeAll(keepingCapacity: true)
      append(contentsOf: other)
    }
  }

  /// Removes all elements and keeps the memory. An empty list costs no call.
  @inline(__always)
  mutating func clear() { if !isEmpty { removeAll(keepingCapacity: true) } }

  /// Appends copies of an element, so that there are `count` elements or more.
  mutating func grow(to count: Int, with element: Element) {
    if count > self.count { append(contentsOf: repeatElement(element, count: count - self.count)) }
  }
}
