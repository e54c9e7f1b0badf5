// SPDX-License-Identifier: MIT
// Choices that are made outside of a loop. They are types rather than flags, so that each combination is a loop of its
// own that tests nothing.

/// The columns that a loop writes.
public protocol Output {
  static var includesVelocity: Bool { get }
}

/// The value column only.
public enum ValueOnly: Output {
  @export(implementation) @inline(__always)
  public static var includesVelocity: Bool { false }
}

/// The value and the velocity column.
public enum ValueAndVelocity: Output {
  @export(implementation) @inline(__always)
  public static var includesVelocity: Bool { true }
}

/// How a loop stores a vector.
public protocol StoreWay {
  static var bypassesCache: Bool { get }
  static func store<I: InstructionSet>(_ set: I.Type, _ new: I.Floats, to address: Column<Float>)
}

/// Through the caches.
public enum Ordinary: StoreWay {
  @export(implementation) @inline(__always)
  public static var bypassesCache: Bool { false }

  @export(implementation) @inline(__always)
  public static func store<I: InstructionSet>(_ set: I.Type, _ new: I.Floats, to address: Column<Float>) {
    address.store(new, at: 0)
  }
}

/// Past the caches: an ordinary store first reads the line that it overwrites.
public enum PastCaches: StoreWay {
  @export(implementation) @inline(__always)
  public static var bypassesCache: Bool { true }

  @export(implementation) @inline(__always)
  public static func store<I: InstructionSet>(_ set: I.Type, _ new: I.Floats, to address: Column<Float>) {
    I.stream(new, to: address)
  }
}
