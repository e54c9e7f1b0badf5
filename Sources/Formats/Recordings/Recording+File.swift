// SPDX-License-Identifier: MIT

extension Recording {
  /// The recording in the file at `path`, by the ending of its name: `.bvh`, `.csv`, `.npy` or `.npz`.
  /// - Parameters:
  ///   - path: The path.
  ///   - lenient: Whether a `.bvh` file is read that holds other frames than it states, with ``warnings``.
  /// - Throws: ``FileError`` with the file, the place in it and the reason: also for a file beyond 512 MiB.
  public init(path: String, lenient: Bool = false) throws(FileError) {
    let kind = Recording.fileExtension(of: path)
    guard ["bvh", "csv", "npy", "npz"].contains(kind) else {
      throw FileError(file: path, "is no recording by its name; .bvh, .csv, .npy and .npz are read")
    }
    let bytes = try FileBytes.read(path, limit: FileBytes.recordingLimit)
    do {
      switch kind {
      case "bvh":
        try FileKind.check(bytes, isOneOf: [.bvh], what: "motion capture")
        try self.init(bvh: bytes, lenient: lenient)
        warnings = warnings.map { $0.inFile(path) }
      case "csv":
        try FileKind.check(bytes, isOneOf: [], what: "a table")
        try self.init(csv: bytes)
      case "npz":
        try FileKind.check(bytes, isOneOf: [.zip, .foreign("a binary file")], what: "an archive of NumPy arrays")
        try self.init(npz: bytes)
      default:
        try FileKind.check(bytes, isOneOf: [.npy, .foreign("a binary file")], what: "a NumPy array")
        try self.init(npy: bytes)
      }
    } catch {
      throw error.inFile(path)
    }
  }

  /// The ending of a file's name in small letters, without the point.
  package static func fileExtension(of path: String) -> String {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: ".") else { return "" }
    return name[name.index(after: dot)...].lowercased()
  }
}
