// SPDX-License-Identifier: MIT
// Choices of a loop that are made outside of it. They are types rather than flags, so that each combination is a loop
// of its own that tests nothing.

/// What a loop writes.
public protocol Output {
  static var includesVelocity: Bool { get }
}

/// The value column only.
public enum ValueOnly: Output {
  @inlinable @inline(__always)
  public static var includesVelocity: Bool { false }
}

/// The value and the velocity column.
public enum ValueAndVelocity: Output {
  @inlinable @inline(__always)
  public static var includesVelocity: Bool { true }
}

/// How a loop stores a vector; `mask` has all bits of a lane set where the lane is the run's.
public protocol StoreWay {
  static var isMasked: Bool { get }
  static func store<I: InstructionSet>(
    _ set: I.Type, _ new: I.Floats, to address: UnsafeMutablePointer<Float>, mask: I.Ints)
}

/// Every lane, through the caches.
public enum Ordinary: StoreWay {
  @inlinable @inline(__always)
  public static var isMasked: Bool { false }

  @inlinable @inline(__always)
  public static func store<I: InstructionSet>(
    _ set: I.Type, _ new: I.Floats, to address: UnsafeMutablePointer<Float>, mask: I.Ints
  ) {
    UnsafeMutableRawPointer(address).storeBytes(of: new, as: I.Floats.self)
  }
}

/// Every lane, past the caches: an ordinary store first reads the line that it overwrites.
public enum PastCaches: StoreWay {
  @inlinable @inline(__always)
  public static var isMasked: Bool { false }

  @inlinable @inline(__always)
  public static func store<I: InstructionSet>(
    _ set: I.Type, _ new: I.Floats, to address: UnsafeMutablePointer<Float>, mask: I.Ints
  ) {
    I.stream(new, to: address)
  }
}

/// The lanes of the mask; the others keep what they hold.
public enum Masked: StoreWay {
  @inlinable @inline(__always)
  public static var isMasked: Bool { true }

  @inlinable @inline(__always)
  public static func store<I: InstructionSet>(
    _ set: I.Type, _ new: I.Floats, to address: UnsafeMutablePointer<Float>, mask: I.Ints
  ) {
    let old = UnsafeRawPointer(address).loadUnaligned(as: I.Ints.self)
    let merged = old ^ ((old ^ unsafeBitCast(new, to: I.Ints.self)) & mask)
    UnsafeMutableRawPointer(address).storeBytes(of: merged, as: I.Ints.self)
  }
}
