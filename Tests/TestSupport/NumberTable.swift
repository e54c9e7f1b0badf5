// SPDX-License-Identifier: MIT

/// Rows of numbers from lines of text, numbers separated by spaces.
public func numberTable(_ text: String) -> [[Double]] {
  text.split(separator: "\n").map { line in line.split(separator: " ").compactMap { Double($0) } }
}
