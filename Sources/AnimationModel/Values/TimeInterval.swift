// SPDX-License-Identifier: MIT

/// A number of seconds.
///
/// The same type as Foundation's `TimeInterval`, so both may be imported. Code written for SwiftUI compiles without
/// Foundation.
public typealias TimeInterval = Double
