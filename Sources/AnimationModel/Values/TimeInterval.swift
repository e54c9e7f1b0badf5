// SPDX-License-Identifier: MIT

/// A number of seconds.
///
/// It is the same type as Foundation's of that name, and both may be imported: code written for SwiftUI names it without
/// importing Foundation.
public typealias TimeInterval = Double
