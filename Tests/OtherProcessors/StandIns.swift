// SPDX-License-Identifier: MIT
// The limit of batches that clips are checked against. The sources of batches are not compiled here.

enum BatchLimits {
  static let maximumMagnitude: Float = 1e15
}
