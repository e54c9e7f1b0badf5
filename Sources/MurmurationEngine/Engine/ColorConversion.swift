// SPDX-License-Identifier: MIT
public import AnimationModel
package import Kernels

/// A conversion of colours from one encoding to another, in Float and with the same bits on every processor.
///
/// Let colours move in the space that shall look even, and convert them where they come in and where they go out:
///
/// ```swift
/// let (inward, outward) = (ColorConversion(from: .sRGB, to: .okLab), ColorConversion(from: .okLab, to: .sRGB))
/// var ends = [SIMD4<Float>](repeating: .zero, count: 2)
/// try inward.convert(unorm8: [255, 0, 0, 255, 0, 128, 255, 255], into: &ends)
/// let light = try colors.add(ends[0])
/// try colors.animate(light, to: ends[1], .smooth)
/// try colors.advance(by: 0.25)
/// try colors.copyValues(into: &pixels, layout: VertexLayout(.unorm8, color: outward))
/// ```
///
/// ``/AnimationModel/LinearColor`` defines each encoding in Double. From an encoding to itself nothing changes. Where
/// premultiplied components are to become others and alpha is 0, they become 0.
///
/// Of colours in the gamut of sRGB, a number is within 2⁻¹⁵ of the definition's, and after a conversion from bytes and back all
/// bytes are the same. A byte is the one nearest to the definition's number if that is farther than 2⁻⁷ of a step from the
/// middle between two. Colours out of gamut are kept in floats, and clamped in other formats; components beyond 10⁹ may become
/// infinite or NaN.
public struct ColorConversion: Hashable, Sendable {
  /// The encoding of the colours that are given.
  public var source: ColorEncoding
  /// The encoding that they get.
  public var destination: ColorEncoding

  /// A conversion.
  public init(from source: ColorEncoding, to destination: ColorEncoding) {
    (self.source, self.destination) = (source, destination)
  }

  /// The colours that are converted at a time. Their columns take 16 KiB, which stay in the first cache.
  private static let atOnce = 1024

  private var steps: ColorSteps {
    let isSame = source.space == destination.space
    let keepsAlpha = isSame && source.isPremultiplied == destination.isPremultiplied
    let linear = ColorEncoding.Space.linear
    return ColorSteps(
      divides: source.isPremultiplied && !keepsAlpha, from: (isSame ? linear : source.space).rawValue,
      to: (isSame ? linear : destination.space).rawValue, multiplies: destination.isPremultiplied && !keepsAlpha)
  }

  /// Converts colours in columns of some at a time.
  ///
  /// - Parameters:
  ///   - count: The number of colours.
  ///   - table: The kernels.
  ///   - read: Writes the colours of some indices into columns.
  ///   - write: Reads the converted ones.
  package func convert(
    _ count: Int, _ table: KernelTable, from read: (Range<Int>, ColorColumns) -> Void,
    to write: (Range<Int>, ColorColumns) -> Void
  ) {
    let tile = laneCountOfTile
    let stride = min((count + tile - 1) / tile * tile, Self.atOnce)
    withTemporaryLines(of: 4 * stride) { first in
      first.update(repeating: 0, count: 4 * stride)
      var done = 0
      while done < count {
        let colors = done..<min(done + Self.atOnce, count)
        let block = ColorColumns(first, stride: stride, count: (colors.count + tile - 1) / tile * tile)
        read(colors, block)
        #if !REAL_TIME_ONLY
          table.elements.convertColors(block, steps)
        #endif
        write(colors, block)
        done = colors.upperBound
      }
    }
  }

  // MARK: - Colours of the caller

  /// Converts colours into memory of the caller, which may be that of the colours.
  ///
  /// - Throws: ``BatchError/unsupportedKernels(_:)``.
  package func convert(
    _ colors: InputValues, to output: UnsafeMutablePointer<Float>, trackStride: Int, componentStride: Int
  ) throws(BatchError) {
    let table = try KernelSet.ofBatch(nil).table
    convert(colors.count, table) { indices, block in
      colors.copy(indices, to: block.first, stride: block.stride)
    } to: { indices, block in
      unsafe write(block, indices, table, to: output, trackStride, componentStride)
    }
  }

  /// Converts colours of four bytes each, side by side, which have 0…1 as 0…255; otherwise as floats.
  package func convert(
    unorm8 bytes: UnsafePointer<UInt8>, count: Int, to output: UnsafeMutablePointer<Float>, trackStride: Int,
    componentStride: Int
  ) throws(BatchError) {
    let table = try KernelSet.ofBatch(nil).table
    let bytes = unsafe ConstantColumn(bytes, count: 4 * count)
    convert(count, table) { indices, block in
      for component in 0..<4 {
        let (column, numbers) = (block.first + component * block.stride, bytes + (4 * indices.lowerBound + component))
        for index in 0..<indices.count { column[index] = Float(numbers[4 * index]) / 255 }
      }
    } to: { indices, block in
      unsafe write(block, indices, table, to: output, trackStride, componentStride)
    }
  }

  private func write(
    _ block: ColorColumns, _ indices: Range<Int>, _ table: KernelTable, to output: UnsafeMutablePointer<Float>,
    _ trackStride: Int, _ componentStride: Int
  ) {
    let output = unsafe Column(
      output + indices.lowerBound * trackStride, count: (indices.count - 1) * trackStride + 3 * componentStride + 1)
    if componentStride == 1 {
      return table.interleave(block.first.constant, block.stride, 4, indices.count, output, trackStride)
    }
    for component in 0..<4 {
      for index in 0..<indices.count {
        output[index * trackStride + component * componentStride] = block.first[component * block.stride + index]
      }
    }
  }
}
