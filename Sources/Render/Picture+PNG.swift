// SPDX-License-Identifier: MIT
import CPNG

/// Why a picture could not be encoded: the words of libpng.
package struct PNGError: Error, Equatable, CustomStringConvertible {
  package let description: String
}

extension Picture {
  /// The picture as a PNG file: 8 bits, RGB, sRGB. The same picture gives the same bytes.
  /// - Throws: `PNGError` if libpng is out of memory.
  package func png() throws(PNGError) -> [UInt8] {
    var image = png_image()
    image.version = png_uint_32(PNG_IMAGE_VERSION)
    image.width = png_uint_32(width)
    image.height = png_uint_32(height)
    image.format = png_uint_32(PNG_FORMAT_FLAG_COLOR)
    defer { png_image_free(&image) }
    // A first call finds the size, a second one writes.
    var size = png_alloc_size_t(0)
    guard png_image_write_to_memory(&image, nil, &size, 0, bytes, 0, nil) != 0 else { throw PNGError(image) }
    var file = [UInt8](repeating: 0, count: Int(size))
    guard png_image_write_to_memory(&image, &file, &size, 0, bytes, 0, nil) != 0 else { throw PNGError(image) }
    file.removeLast(file.count - Int(size))
    return file
  }
}

extension PNGError {
  fileprivate init(_ image: png_image) {
    var image = image
    description = withUnsafeBytes(of: &image.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
