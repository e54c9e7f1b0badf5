// SPDX-License-Identifier: MIT

/// The numbers in memory that held `old` before `body` wrote to it.
func written(
  _ count: Int, over old: Float = 0, _ body: (inout MutableSpan<Float>) throws -> Void
) rethrows -> [Float] {
  var numbers = [Float](repeating: old, count: count)
  var span = numbers.mutableSpan
  try body(&span)
  return numbers
}
