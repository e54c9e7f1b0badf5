// SPDX-License-Identifier: MIT
import Text

/// Named arrays in one file, as `numpy.savez` and `numpy.savez_compressed` write them and `numpy.load` reads them.
public struct NPZArchive: Sendable, Equatable {
  /// The arrays in the file's order, each with its name without `.npy`.
  public private(set) var names: [String]
  private var arrays: [String: NumPyArray]

  /// The largest file that is read, in bytes.
  public static let sizeLimit = FileBytes.recordingLimit

  /// An archive without arrays.
  public init() { (names, arrays) = ([], [:]) }

  /// The array of a name; nil without one. An array that is set takes the place of one of its name, or the last place; nil
  /// takes it out.
  public subscript(name: String) -> NumPyArray? {
    get { arrays[name] }
    set {
      if arrays[name] == nil, newValue != nil { names.append(name) }
      if newValue == nil { names.removeAll { $0 == name } }
      arrays[name] = newValue
    }
  }

  /// The arrays in the file at `path`.
  /// - Throws: ``FileError`` with the file, the place in it and the reason.
  public init(path: String) throws(FileError) {
    let bytes = try FileBytes.read(path, limit: Self.sizeLimit)
    do { try self.init(bytes) } catch { throw error.named(path) }
  }

  /// The arrays in the bytes of a `.npz` file, as `numpy.savez` and `numpy.savez_compressed` write them; each may be what
  /// ``NumPyArray/init(npy:)`` reads.
  ///
  /// - Throws: ``FileError`` with the entry and the byte: also for an entry that does not match its checksum, and for
  ///   compressed entries of more than 512 MiB in all.
  /// - Complexity: O(n) in the number of bytes, inflated; no count in the file takes more memory than its bytes can fill.
  public init(_ bytes: [UInt8]) throws(FileError) {
    self.init()
    let directory = try ZipDirectory(bytes)
    for (name, entry) in try Self.named(directory) {
      let contents = try directory.contents(of: entry)
      do { self[name] = try NumPyArray(npy: contents) } catch { throw error.within(name.printable) }
    }
  }

  /// The entries of a directory, each with the name of its array.
  /// - Throws: ``FileError`` for two of one name.
  static func named(_ directory: ZipDirectory) throws(FileError) -> [(name: String, entry: ZipDirectory.Entry)] {
    var taken = Set<String>()
    var entries: [(name: String, entry: ZipDirectory.Entry)] = []
    for entry in directory.entries {
      let name = entry.name.hasSuffix(".npy") ? String(entry.name.dropLast(4)) : entry.name
      guard taken.insert(name).inserted else { throw FileError(place: name.printable, "is there twice") }
      entries.append((name, entry))
    }
    return entries
  }

  /// Writes the arrays to the file at `path`, whole or not at all.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - compressed: Whether the arrays are deflated, as by `numpy.savez_compressed`. `numpy.load` reads both.
  /// - Throws: ``FileError`` for a name that is not of visible ASCII, and if the file cannot be written.
  public func write(to path: String, compressed: Bool = false) throws(FileError) {
    let named = names.compactMap { name in arrays[name].map { (name: name, array: $0) } }
    var writer = try NPZWriter(
      path, entries: named.map { ($0.name, $0.array.shape, $0.array.type) }, isCompressed: compressed)
    for (index, (_, array)) in named.enumerated() {
      switch array.elements {
      case .float32(let numbers): try writer.append(numbers, to: index)
      case .float64(let numbers): try writer.append(numbers, to: index)
      }
    }
    try writer.finish()
  }
}
