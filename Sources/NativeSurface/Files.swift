// SPDX-License-Identifier: MIT
import CSurface
import Formats
import Surface

// What the calls about scenes and glTF share.

/// Fails with an error of a file or a scene.
func fail(_ error: FileError) -> Int32 { fail(MURMURATION_FILE_ERROR, error.description) }

/// The bytes that a caller lends, or the status of impossible ones.
func bytes(_ start: UnsafeRawPointer?, _ count: Int64, _ body: ([UInt8]) -> Int32) -> Int32 {
  guard count >= 0, count <= FileBytes.recordingLimit else {
    return fail(MURMURATION_INVALID_COUNT, "count must be 0...\(FileBytes.recordingLimit), is \(count)")
  }
  if start == nil, count != 0 { return failNull("bytes") }
  if let fault = roomFault("bytes", Int(count), of: UInt8.self) { return fault }
  return body(Array(UnsafeRawBufferPointer(start: start, count: Int(count))))
}

/// An element of a list that a caller counts from 0.
func element<Element>(_ list: [Element], _ index: Int32, _ name: String, _ body: (Element) -> Int32) -> Int32 {
  guard list.indices ~= Int(index) else {
    return fail(MURMURATION_INVALID_COUNT, "\(name) must be within 0..<\(list.count), is \(index)")
  }
  return body(list[Int(index)])
}
