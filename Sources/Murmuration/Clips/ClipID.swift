// SPDX-License-Identifier: MIT

/// Names a clip that a batch has loaded; never reused.
public struct ClipID: Hashable, Sendable {
  package let place: UInt32
  package let generation: UInt32
  package let store: UInt32

  package init(place: UInt32, generation: UInt32, store: UInt32) {
    self.place = place
    self.generation = generation
    self.store = store
  }
}
