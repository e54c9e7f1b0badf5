// SPDX-License-Identifier: MIT
import CSurface
package import Murmuration

// Objects of classes, which programs name by numbers. Batches are no such objects: a call about one takes no reference.

/// A kind of object, and its name in messages.
package struct ObjectKind<Object: AnyObject>: Sendable {
  fileprivate let code: UInt32
  fileprivate let name: String

  /// - Parameter code: One of `objects.h`.
  package init(_ code: Int, _ name: String) { (self.code, self.name) = (UInt32(code), name) }

  /// Gives an object a number, and writes it.
  package func register(_ object: Object, _ number: UnsafeMutablePointer<UInt32>) -> Int32 {
    let owned = Unmanaged.passRetained(object)
    let given = object_register(owned.toOpaque(), code)
    guard given != 0 else {
      owned.release()
      return failAsNumbersAreUsed()
    }
    number.pointee = given
    return ok
  }

  /// Runs a call about an object, which this thread takes meanwhile.
  ///
  /// - Returns: What `body` returns, or the status of a number that names no object or one that another thread has taken.
  package func with(_ number: UInt32, _ body: (Object) -> Int32) -> Int32 {
    guard let object = object_take(number, code) else { return failToTake(number, code, name) }
    defer { object_give_back(number, code) }
    return body(Unmanaged<Object>.fromOpaque(object).takeUnretainedValue())
  }

  /// Ends an object and its number.
  ///
  /// - Parameter body: What comes first; with another status than ``ok`` nothing ends.
  package func free(_ number: UInt32, after body: (Object) -> Int32 = { _ in ok }) -> Int32 {
    guard let object = object_take(number, code) else { return failToTake(number, code, name) }
    let owned = Unmanaged<Object>.fromOpaque(object)
    let status = body(owned.takeUnretainedValue())
    guard status == ok else {
      object_give_back(number, code)
      return status
    }
    object_retire(number)
    owned.release()
    return ok
  }
}

/// Memory for a list that is lent.
package struct LentList<Element> {
  private var memory = UnsafeMutableBufferPointer<Element>(start: nil, count: 0)

  package init() {}

  /// Lends a list until the next call, with each element as the header has it.
  package mutating func lend<Source>(
    _ list: [Source], _ start: UnsafeMutablePointer<UnsafePointer<Element>?>, _ count: UnsafeMutablePointer<Int32>,
    _ element: (Source) -> Element
  ) throws(BatchError) {
    if list.count > memory.count {
      let length = max(2 * memory.count, list.count)
      free()
      memory = UnsafeMutableBufferPointer(start: nil, count: 0)
      try BatchLimits.checkRoom(for: length, of: Element.self)
      memory = .allocate(capacity: length)
    }
    for index in list.indices { memory.initializeElement(at: index, to: element(list[index])) }
    start.pointee = list.isEmpty ? nil : UnsafePointer(memory.baseAddress)
    count.pointee = Int32(list.count)
  }

  package func free() { memory.baseAddress?.deallocate() }
}

/// Memory for a text that is lent.
package struct LentText {
  private var memory = UnsafeMutableBufferPointer<CChar>(start: nil, count: 0)

  package init() {}

  /// Lends a text until the next call.
  package mutating func lend(_ string: String, _ text: UnsafeMutablePointer<UnsafePointer<CChar>?>) {
    free()
    let characters = string.utf8CString
    memory = .allocate(capacity: characters.count)
    _ = memory.initialize(from: characters)
    text.pointee = UnsafePointer(memory.baseAddress)
  }

  package func free() { memory.baseAddress?.deallocate() }
}

/// Fails as an object could not be taken.
@inline(never)
func failToTake(_ number: UInt32, _ kind: UInt32, _ name: String) -> Int32 {
  object_exists(number, kind)
    ? fail(MURMURATION_BUSY, "another call about \(name) \(number) is under way")
    : fail(MURMURATION_UNKNOWN_OBJECT, "there is no \(name) \(number): it was freed, or never existed")
}

/// Fails as an object gets no number.
func failAsNumbersAreUsed() -> Int32 {
  fail(MURMURATION_TOO_MANY_OBJECTS, "all numbers for objects are used, or memory is")
}
