// SPDX-License-Identifier: MIT

/// Names a clip that a batch has loaded; never reused.
public struct ClipID: Hashable, Sendable {
  let place: UInt32
  let generation: UInt32
  let store: UInt32
}
