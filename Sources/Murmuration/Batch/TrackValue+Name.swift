// SPDX-License-Identifier: MIT
// Names of types, which embedded builds lack.

extension TrackValue {
  /// The name of the type in errors.
  static var name: String {
    #if hasFeature(Embedded)
      "this type"
    #else
      "\(Self.self)"
    #endif
  }
}
