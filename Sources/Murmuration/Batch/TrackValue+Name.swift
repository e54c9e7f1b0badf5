// SPDX-License-Identifier: MIT
// Names of types. Embedded builds have none.

extension TrackValue {
  /// What errors call the type.
  static var name: String {
    #if hasFeature(Embedded)
      "this type"
    #else
      "\(Self.self)"
    #endif
  }
}
