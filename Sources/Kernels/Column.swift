// SPDX-License-Identifier: MIT
public import CProcessor

// The two handles to memory that another owns. All columns are read and written through them, so raw addresses occur only
// here and where memory is allocated, lent or handed to C. The functions are transparent: they cost no call in debug builds
// either.

/// Neighbouring numbers or records in memory that another owns, for reading and writing.
///
/// The memory must outlive the column, and two threads must not use an element at the same time unless both read it.
/// Debug builds check that each element read or written lies within the column; release builds hold an address alone.
@safe
@frozen public struct Column<Element: BitwiseCopyable>: Equatable {
  /// The address of element 0, for C functions and for handing memory on.
  public let address: UnsafeMutablePointer<Element>
  #if DEBUG
    /// The number of elements from `address` on, in debug builds.
    @usableFromInline let count: Int
  #else
    @usableFromInline var count: Int { @_transparent get { 0 } }
  #endif

  /// The elements from an address on.
  ///
  /// - Parameter count: Their number, which debug builds check.
  @_transparent
  public init(_ address: UnsafeMutablePointer<Element>, count: @autoclosure () -> Int) {
    unsafe self.address = address
    #if DEBUG
      self.count = count()
    #endif
  }

  /// A column without elements.
  @_transparent
  public static var empty: Column {
    unsafe Column(UnsafeMutablePointer(bitPattern: MemoryLayout<Element>.alignment).unsafelyUnwrapped, count: 0)
  }

  /// An element.
  public subscript(index: Int) -> Element {
    @_transparent unsafeAddress {
      check(index, count: 1)
      return unsafe UnsafePointer(address + index)
    }
    @_transparent nonmutating unsafeMutableAddress {
      check(index, count: 1)
      return unsafe address + index
    }
  }

  /// Traps in debug builds if elements are not within the column.
  @_transparent
  public func check(_ index: Int, count needed: Int) {
    #if DEBUG
      precondition(index >= 0 && index &+ needed <= count, "elements beyond the end of a column")
    #endif
  }

  // MARK: - Parts

  /// The column from an element on, which need not exist if the indices that follow lead back into the memory.
  @_transparent
  public static func + (column: Column, index: Int) -> Column {
    unsafe Column(column.address + index, count: column.count &- index)
  }

  /// The column that begins `index` elements earlier.
  @_transparent
  public static func - (column: Column, index: Int) -> Column { column + (0 &- index) }

  @_transparent
  public static func += (column: inout Column, index: Int) { column = column + index }

  /// The number of elements from the beginning of `b` to that of `a`, in the same memory.
  @_transparent
  public static func - (a: Column, b: Column) -> Int { unsafe a.address - b.address }

  /// Whether two columns begin at the same address.
  @_transparent
  public static func == (a: Column, b: Column) -> Bool { unsafe a.address == b.address }

  /// The same memory, for reading alone.
  @_transparent
  public var constant: ConstantColumn<Element> {
    unsafe ConstantColumn(address, count: count)
  }

  /// The same memory as elements of another type.
  @_transparent
  public func rebound<Other>(to type: Other.Type) -> Column<Other> {
    let bytes = count &* MemoryLayout<Element>.stride
    return unsafe Column<Other>(
      UnsafeMutableRawPointer(address).assumingMemoryBound(to: type), count: bytes / MemoryLayout<Other>.stride)
  }

  // MARK: - Vectors

  /// The vector of the elements from `index` on.
  @_transparent
  public func lanes<Lanes: SIMD>(at index: Int, as type: Lanes.Type = Lanes.self) -> Lanes
  where Lanes.Scalar == Element {
    check(index, count: MemoryLayout<Lanes>.size / MemoryLayout<Element>.stride)
    return unsafe UnsafeRawPointer(address + index).loadUnaligned(as: type)
  }

  /// Stores a vector in the elements from `index` on.
  @_transparent
  public func store<Lanes: SIMD>(_ lanes: Lanes, at index: Int) where Lanes.Scalar == Element {
    check(index, count: MemoryLayout<Lanes>.size / MemoryLayout<Element>.stride)
    unsafe UnsafeMutableRawPointer(address + index).storeBytes(of: lanes, as: Lanes.self)
  }

  // MARK: - Many elements

  /// Sets the first `count` elements.
  @_transparent
  public func update(repeating element: Element, count: Int) {
    check(0, count: count)
    unsafe address.update(repeating: element, count: count)
  }

  /// Copies the first `count` elements of another column, which may overlap this one.
  @_transparent
  public func update(from other: ConstantColumn<Element>, count: Int) {
    check(0, count: count)
    other.check(0, count: count)
    unsafe address.update(from: other.address, count: count)
  }

  @_transparent
  public func update(from other: Column, count: Int) { update(from: other.constant, count: count) }

  /// Prefetches the line of an element, which need not exist; both lines of a record that may lie in two.
  @_transparent
  public func prefetch(_ index: Int) {
    let element = unsafe UnsafeRawPointer(address + index)
    unsafe lanes_prefetch(element)
    if MemoryLayout<Element>.size > 16 { unsafe lanes_prefetch(element + (MemoryLayout<Element>.size - 1)) }
  }
}

/// Neighbouring numbers or records in memory that another value owns and that does not change meanwhile.
///
/// What holds for ``Column`` holds here too.
@safe
@frozen public struct ConstantColumn<Element>: Equatable {
  /// The address of element 0, for C functions.
  public let address: UnsafePointer<Element>
  #if DEBUG
    @usableFromInline let count: Int
  #else
    @usableFromInline var count: Int { @_transparent get { 0 } }
  #endif

  /// The elements from an address on.
  ///
  /// - Parameter count: Their number, which debug builds check.
  @_transparent
  public init(_ address: UnsafePointer<Element>, count: @autoclosure () -> Int) {
    unsafe self.address = address
    #if DEBUG
      self.count = count()
    #endif
  }

  /// A column without elements.
  @_transparent
  public static var empty: ConstantColumn {
    unsafe ConstantColumn(UnsafePointer(bitPattern: MemoryLayout<Element>.alignment).unsafelyUnwrapped, count: 0)
  }

  /// An element.
  public subscript(index: Int) -> Element {
    @_transparent unsafeAddress {
      check(index, count: 1)
      return unsafe address + index
    }
  }

  /// Traps in debug builds if elements are not within the column.
  @_transparent
  public func check(_ index: Int, count needed: Int) {
    #if DEBUG
      precondition(index >= 0 && index &+ needed <= count, "elements beyond the end of a column")
    #endif
  }

  /// The column from an element on.
  @_transparent
  public static func + (column: ConstantColumn, index: Int) -> ConstantColumn {
    unsafe ConstantColumn(column.address + index, count: column.count &- index)
  }

  @_transparent
  public static func += (column: inout ConstantColumn, index: Int) { column = column + index }

  /// The number of elements from the beginning of `b` to that of `a`, in the same memory.
  @_transparent
  public static func - (a: ConstantColumn, b: ConstantColumn) -> Int { unsafe a.address - b.address }

  /// Whether two columns begin at the same address.
  @_transparent
  public static func == (a: ConstantColumn, b: ConstantColumn) -> Bool { unsafe a.address == b.address }

  /// The same memory as elements of another type.
  @_transparent
  public func rebound<Other>(to type: Other.Type) -> ConstantColumn<Other> {
    let bytes = count &* MemoryLayout<Element>.stride
    return unsafe ConstantColumn<Other>(
      UnsafeRawPointer(address).assumingMemoryBound(to: type), count: bytes / MemoryLayout<Other>.stride)
  }

  /// The vector of the elements from `index` on.
  @_transparent
  public func lanes<Lanes: SIMD>(at index: Int, as type: Lanes.Type = Lanes.self) -> Lanes
  where Lanes.Scalar == Element {
    check(index, count: MemoryLayout<Lanes>.size / MemoryLayout<Element>.stride)
    return unsafe UnsafeRawPointer(address + index).loadUnaligned(as: type)
  }

  /// Prefetches the line of an element, which need not exist; both lines of a record that may lie in two.
  @_transparent
  public func prefetch(_ index: Int) {
    let element = unsafe UnsafeRawPointer(address + index)
    unsafe lanes_prefetch(element)
    if MemoryLayout<Element>.size > 16 { unsafe lanes_prefetch(element + (MemoryLayout<Element>.size - 1)) }
  }
}

extension Column<UInt8> {
  /// Elements of another type in a part of raw memory.
  ///
  /// - Parameters:
  ///   - offset: The byte at which they begin.
  ///   - count: Their number.
  @_transparent
  public func elements<Other>(of type: Other.Type, at offset: Int = 0, count: Int) -> Column<Other> {
    check(offset, count: count &* MemoryLayout<Other>.stride)
    return unsafe Column<Other>(
      UnsafeMutableRawPointer(address + offset).assumingMemoryBound(to: type), count: count)
  }
}

extension UnsafeMutableBufferPointer where Element: BitwiseCopyable {
  /// The memory as a column; nil if there is none.
  @_transparent
  public var column: Column<Element>? {
    guard let baseAddress else { return nil }
    return unsafe Column(baseAddress, count: count)
  }
}

extension UnsafeBufferPointer {
  /// The memory as a column; nil if there is none.
  @_transparent
  public var column: ConstantColumn<Element>? {
    guard let baseAddress else { return nil }
    return unsafe ConstantColumn(baseAddress, count: count)
  }
}

extension Array {
  /// Lends the elements as a column to read. The column must not be kept.
  @inlinable @inline(__always)
  public func withConstantColumn<Result>(_ body: (ConstantColumn<Element>) -> Result) -> Result {
    unsafe withUnsafeBufferPointer { body(unsafe $0.column ?? .empty) }
  }
}

extension Array where Element: BitwiseCopyable {
  /// Lends the elements as a column to read and write. The column must not be kept.
  @inlinable @inline(__always)
  public mutating func withColumn<Result>(_ body: (Column<Element>) -> Result) -> Result {
    unsafe withUnsafeMutableBufferPointer { body(unsafe $0.column ?? .empty) }
  }
}
