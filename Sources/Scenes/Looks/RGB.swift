// SPDX-License-Identifier: MIT
import Formats
import Text

/// A colour of the screen: levels of red, green and blue, from 0 to 255.
package typealias RGB = SIMD3<UInt8>

extension RGB {
  /// The colour that `#` and six hexadecimal digits spell; nil for any other text.
  package init?(hexadecimal text: String) {
    guard text.utf8.count == 7, text.first == "#", text.dropFirst().allSatisfy(\.isHexDigit),
      let number = UInt32(text.dropFirst(), radix: 16)
    else { return nil }
    self.init(UInt8(number >> 16), UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF))
  }
}

extension StrictFields {
  /// The colours under a key, or nil if the key is missing.
  func colours(_ key: Key, count: ClosedRange<Int>) throws(DescriptionError) -> [RGB]? {
    guard let texts: [String] = try optional(key) else { return nil }
    guard count.contains(texts.count) else {
      throw error(key, "must hold \(count.lowerBound) to \(count.upperBound) colours, holds \(texts.count)")
    }
    var colours: [RGB] = []
    for (index, text) in texts.enumerated() {
      guard let colour = RGB(hexadecimal: text) else {
        throw DescriptionError(
          path: path(key) + [.index(index)], reason: "must be a colour such as \"#ff8800\", is \"\(text.printable)\"")
      }
      colours.append(colour)
    }
    return colours
  }
}
