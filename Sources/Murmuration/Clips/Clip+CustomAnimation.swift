// SPDX-License-Identifier: MIT
// Embedded builds have no custom animations.

#if !hasFeature(Embedded)

  extension Clip {
    /// The clip of a custom animation from 0 to 1; see ``init(_:duration:tolerance:)-(Animation,_,_)``.
    public init(
      custom animation: some CustomAnimation, duration: Double? = nil, tolerance: Double = 0x1p-16
    ) throws(ClipError) {
      try self.init(Animation(animation), duration: duration, tolerance: tolerance)
    }
  }
#endif
