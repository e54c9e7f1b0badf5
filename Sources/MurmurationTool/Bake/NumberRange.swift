// SPDX-License-Identifier: MIT
import ArgumentParser
import Foundation

/// A range of numbers on the command line: `a..<b`, with at least one number.
struct NumberRange: ExpressibleByArgument {
  let range: Range<Int>

  init?(argument: String) {
    guard let dots = argument.range(of: "..<"), let first = Int(argument[..<dots.lowerBound]),
      let end = Int(argument[dots.upperBound...]), 0 <= first, first < end
    else { return nil }
    range = first..<end
  }

  var defaultValueDescription: String { "\(range.lowerBound)..<\(range.upperBound)" }
}
