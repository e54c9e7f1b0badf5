// SPDX-License-Identifier: MIT
@testable import Formats
import Foundation
import TestSupport
import Testing

struct NPZTests {
  private func small() throws -> NPZArchive {
    var archive = NPZArchive()
    archive["values"] = try NumPyArray(shape: [2, 3], elements: .float32([1, -2.5, .nan, .infinity, 0, 0x1p-133]))
    archive["times"] = try NumPyArray(shape: [2], elements: .float64([0, 1.0 / 60]))
    archive["empty"] = try NumPyArray(shape: [0, 4], elements: .float32([]))
    archive["one"] = try NumPyArray(shape: [], elements: .float64([7]))
    return archive
  }

  private func smallFile() throws -> [UInt8] {
    let folder = try TemporaryFolder()
    try small().write(to: folder.path("a.npz"))
    return try folder.bytes("a.npz")
  }

  private func bytesOfReport() throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: Fixtures.path("Reports/30-npy/compressed.npz"))))
  }

  @Test func theChecksumIsThatOfZip() {
    // The check value of the catalogue of parametrised CRC algorithms, CRC-32/ISO-HDLC.
    #expect(CRC32.of(Array("123456789".utf8)) == 0xCBF4_3926)
    let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    for count in [0, 1, 7, 8, 9, 15, 16, 17, 1000] {
      // A bit at a time.
      var slow: UInt32 = 0xFFFF_FFFF
      for byte in bytes[..<count] {
        slow ^= UInt32(byte)
        for _ in 0..<8 { slow = slow & 1 == 1 ? 0xEDB8_8320 ^ (slow >> 1) : slow >> 1 }
      }
      #expect(CRC32.of(bytes[..<count]) == ~slow)
      var parts = CRC32()
      for start in stride(from: 0, to: count, by: 13) { parts.add(bytes[start..<min(start + 13, count)]) }
      #expect(parts.value == ~slow)
    }
  }

  /// Bytes of all kinds: none, a few, one symbol alone, steps, noise, a text that returns after 32 KiB and after more, and
  /// more than the megabyte that is deflated at a time.
  private static let contents: [[UInt8]] = {
    var state: UInt64 = 7
    func noise(_ count: Int) -> [UInt8] {
      (0..<count).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1
        return UInt8(truncatingIfNeeded: state >> 56)
      }
    }
    let text = noise(300)
    let rare =
      (0..<18).flatMap { [UInt8](repeating: UInt8($0), count: 1 << ($0 / 2)) } + [UInt8](repeating: 99, count: 3000)
    return [
      [], [5], [1, 2, 3], [UInt8](repeating: 0, count: 70_000), (0..<50_000).map { UInt8(truncatingIfNeeded: $0 / 9) },
      noise(70_000), text + [UInt8](repeating: 1, count: 32_468) + text,
      text + [UInt8](repeating: 1, count: 32_469) + text, rare,
      (0..<1_100_000).flatMap { [UInt8(truncatingIfNeeded: $0 >> 4), UInt8(truncatingIfNeeded: $0 >> 9)] },
    ]
  }()

  /// In one piece or in many.
  @Test(arguments: contents.indices, [Int.max, 1 << 20, 40_000, 997])
  func deflatedBytesInflateToThemselves(_ index: Int, _ part: Int) throws {
    let bytes = Self.contents[index]
    guard bytes.count / part < 100 else { return }
    var deflater = Deflater()
    for start in stride(from: 0, to: bytes.count, by: part == .max ? max(1, bytes.count) : part) {
      deflater.add(Array(bytes[start..<min(bytes.count, part == .max ? bytes.count : start + part)]))
    }
    let deflated = deflater.finish()
    let inflated = try Inflater.inflate(deflated[...], size: bytes.count)
    #expect(inflated == bytes)
    // A block stands as it is rather than grow, and repetitions vanish, also those from the part before.
    #expect(deflated.count <= bytes.count + 6 * (2 + bytes.count / min(part, 0xFFFF)))
    if index == 3, part >= 40_000 { #expect(deflated.count < 500) }
    if index == 6, part == .max { #expect(deflated.count < 450) }
    if index == 9, part >= 1 << 20 { #expect(deflated.count < bytes.count / 15) }
  }

  @Test func archivesReadBack() throws {
    let folder = try TemporaryFolder()
    var archive = try small()
    archive["steps"] = try NumPyArray(shape: [300_000], elements: .float32((0..<300_000).map { Float($0 / 100) }))
    for isCompressed in [false, true] {
      try archive.write(to: folder.path("\(isCompressed).npz"), compressed: isCompressed)
    }
    let (plain, deflated) = (try folder.bytes("false.npz"), try folder.bytes("true.npz"))
    #expect(deflated.count < plain.count / 20)
    for bytes in [plain, deflated] {
      let read = try NPZArchive(bytes)
      #expect(read.names == ["values", "times", "empty", "one", "steps"])
      for name in archive.names {
        #expect(read[name]?.shape == archive[name]?.shape && read[name]?.npy == archive[name]?.npy)
      }
    }
    for end in stride(from: 0, to: deflated.count, by: 61) {
      #expect(throws: FileError.self) { try NPZArchive(Array(deflated[..<end])) }
    }
  }

  /// Archives as programs write them that do not go back in a file: sizes of 0 in the header, and behind the bytes a
  /// descriptor; with entries that are stored and deflated in turns, and sizes in 64-bit fields that need none.
  @Test(arguments: [false, true]) func entriesWithDescriptorsAndWideFieldsAreRead(_ isWide: Bool) throws {
    let array = try NumPyArray(shape: [40], elements: .float32((0..<40).map { Float($0 % 3) })).npy
    var deflater = Deflater()
    deflater.add(array)
    let deflated = deflater.finish()
    var (bytes, directory): ([UInt8], [UInt8]) = ([], [])
    func put(_ words: [(Int, Int)], to bytes: inout [UInt8]) {
      for (word, size) in words { bytes.append(word: UInt64(word), size: size) }
    }
    let checksum = Int(CRC32.of(array))
    for (name, contents) in [("a", array), ("b", deflated), ("c", array), ("d", deflated)] {
      let method = contents.count == array.count ? 0 : 8
      let offset = bytes.count
      put([(0x0403_4B50, 4), (20, 2), (8, 2), (method, 2), (0, 4), (0, 12), (5, 2), (0, 2)], to: &bytes)
      bytes += Array("\(name).npy".utf8) + contents
      put([(0x0807_4B50, 4), (checksum, 4), (contents.count, 4), (array.count, 4)], to: &bytes)
      let sizes = isWide ? [0xFFFF_FFFF, 0xFFFF_FFFF] : [contents.count, array.count]
      put([(0x0201_4B50, 4), (45, 2), (20, 2), (8, 2), (method, 2), (0, 4), (checksum, 4)], to: &directory)
      put([(sizes[0], 4), (sizes[1], 4), (5, 2), (isWide ? 28 : 0, 2), (0, 10)], to: &directory)
      put([(isWide ? 0xFFFF_FFFF : offset, 4)], to: &directory)
      directory += Array("\(name).npy".utf8)
      if isWide { put([(1, 2), (24, 2), (array.count, 8), (contents.count, 8), (offset, 8)], to: &directory) }
    }
    let start = bytes.count
    bytes += directory
    put([(0x0605_4B50, 4), (0, 4), (4, 2), (4, 2), (directory.count, 4), (start, 4), (0, 2)], to: &bytes)
    let read = try NPZArchive(bytes)
    #expect(read.names == ["a", "b", "c", "d"] && read.names.allSatisfy { read[$0]?.npy == array })
  }

  /// Sizes and offsets beyond 4 GiB, without the bytes.
  @Test func largeEntriesHaveWideFields() throws {
    let large = ZipEntry(name: "a.npy", size: 5_000_000_000, offset: 0)
    let late = ZipEntry(name: "b.npy", size: 8, offset: large.dataStart + large.size, checksum: 5)
    #expect(large.localHeader.count == large.headerLength && late.localHeader.count == late.headerLength)
    // 30 and 46 bytes, five of the name, and 20 or 12 of wide fields.
    #expect(large.headerLength == 55 && late.headerLength == 35)
    #expect(large.directoryEntry.count == 71 && late.directoryEntry.count == 63)
    // The size twice, in eight bytes each.
    #expect(Array(large.localHeader[35..<39]) == [1, 0, 16, 0])
    #expect(Array(large.localHeader[39..<47]) == [0x00, 0xF2, 0x05, 0x2A, 1, 0, 0, 0])
    // Noise may be longer when it is deflated.
    let grown = ZipEntry(name: "a.npy", size: 4_294_967_290, deflatedSize: 4_295_294_970, offset: 0)
    #expect(grown.localHeader.count == grown.headerLength && grown.headerLength == 55)
    #expect(
      Array(grown.localHeader[8..<10]) == [8, 0]
        && Array(grown.localHeader[18..<26]) == [UInt8](repeating: 255, count: 8))
    #expect(Array(grown.localHeader[39..<47]) == [0xFA, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0])
    #expect(Array(grown.localHeader[47..<55]) == [0xFA, 0xFF, 4, 0, 1, 0, 0, 0])
    let directory = ZipEntry.directory(of: [large, late], at: late.dataStart + 8)
    #expect(directory.count == 232 && Array(directory.suffix(22).prefix(4)) == [0x50, 0x4B, 5, 6])
    #expect(Array(directory.suffix(6).prefix(4)) == [0xFF, 0xFF, 0xFF, 0xFF])
  }

  @Test func archivesCutAtAnyByteAreRefused() throws {
    let bytes = try smallFile()
    for end in 0..<bytes.count {
      let error = #expect(throws: FileError.self) { try NPZArchive(Array(bytes[..<end])) }
      #expect(error?.place.isEmpty == false)
    }
  }

  /// A changed byte is noticed, or changes nothing but times and attributes that are not read.
  @Test func changedBytesAreNoticed() throws {
    let bytes = try smallFile()
    let whole = try NPZArchive(bytes)
    for index in bytes.indices {
      for mask: UInt8 in [1, 0x80, 0xFF] {
        var changed = bytes
        changed[index] ^= mask
        guard let read = try? NPZArchive(changed) else { continue }
        for (name, other) in zip(read.names, whole.names) {
          #expect(read[name]?.npy == whole[other]?.npy, "byte \(index) with \(mask)")
        }
      }
    }
  }

  @Test(arguments: [
    (10, 12, "is compressed by method 12; save it with numpy.savez or savez_compressed"), (8, 1, "is encrypted"),
    (10, 8, "has damaged data"), (16, 0xAA, "does not match its checksum"),
  ]) func entriesThatAreNotReadAreNamed(_ offset: Int, _ byte: UInt8, _ reason: String) throws {
    var bytes = try smallFile()
    let directory = try #require((0..<bytes.count).first { Array(bytes[$0...].prefix(4)) == [0x50, 0x4B, 1, 2] })
    bytes[directory + offset] = byte
    let error = #expect(throws: FileError.self) { try NPZArchive(bytes) }
    #expect(error?.reason.contains("the entry “values.npy” \(reason)") == true, "\(error?.description ?? "")")
  }

  /// Five arrays that Python's zlib deflated: with codes of their own, with the fixed code, stored in a block, and with a
  /// copy from 32 KiB before.
  private static let deflated = Fixtures.path("Corpora/npz/deflated.npz")

  @Test func deflatedArraysAreReadAsNumPyReadsThem() throws {
    let archive = try NPZArchive(path: Self.deflated)
    var (state, noise) = (1, [Float]())
    for _ in 0..<3000 {
      state = (state * 1_103_515_245 + 12345) % (1 << 31)
      noise.append(Float(state >> 16 & 255))
    }
    #expect(archive.names == ["values", "noise", "stored", "far", "few"])
    let steps = (0..<60000).map { Float($0 / 7 % 1000) }
    #expect(archive["values"]?.elements == .float32(steps))
    #expect(archive["noise"]?.elements == .float32(noise) && archive["stored"] == archive["noise"])
    let far = Array(noise[..<300]) + [Float](repeating: 0, count: 32400) + Array(noise[..<300])
    #expect(archive["far"]?.elements == .float32(far) && archive["few"]?.elements == .float64([0, 1, 2]))
  }

  /// Cut deflated data are refused. So are changed ones, by the decoder or at the latest by the checksum, unless they still
  /// stand for the same bytes: some bits only fill the last byte, or belong to symbols that do not occur.
  @Test func damagedDeflatedDataAreRefused() throws {
    let whole = try bytesOfReport()
    let size = 128 + 48
    let name = "values.npy".utf8.count
    let start = 30 + name + Int(whole[28])
    let data = whole[start..<(try #require(whole.firstRange(of: [0x50, 0x4B, 1, 2])).lowerBound)]
    let contents = try Inflater.inflate(data, size: size)
    #expect(contents.count == size)
    for end in data.indices {
      #expect(throws: FileError.self) { try Inflater.inflate(data[..<end], size: size) }
    }
    for wrong in [0, 1, size - 1, size + 1, 1 << 40] {
      let error = #expect(throws: FileError.self) { try Inflater.inflate(data, size: wrong) }
      #expect(error?.place.hasPrefix("byte") == true)
    }
    #expect(throws: FileError.self) { try Inflater.inflate(data + [0], size: size) }
    let archive = try NPZArchive(whole)
    for index in data.indices {
      for bit in 0..<8 {
        var changed = whole
        changed[index] ^= 1 << UInt8(bit)
        guard let read = try? NPZArchive(changed) else { continue }
        #expect(read == archive, "byte \(index), bit \(bit)")
      }
    }
  }

  /// A stated size is believed only as far as the data can fill it, and all entries together only up to a limit.
  @Test func inflatedBytesAreLimited() throws {
    let data: [UInt8] = [3, 0]
    let nothing = try Inflater.inflate(data[...], size: 0)
    #expect(nothing.isEmpty)
    let error = #expect(throws: FileError.self) { try Inflater.inflate(data[...], size: 4000) }
    #expect(error?.description == "byte 0: states 4000 bytes, more than its data can hold")
    var bytes = try bytesOfReport()
    let directory = try #require(bytes.firstRange(of: [0x50, 0x4B, 1, 2])?.lowerBound)
    for (offset, byte) in [0, 0, 0, 0x40].enumerated() { bytes[directory + 24 + offset] = UInt8(byte) }
    let limit = #expect(throws: FileError.self) { try NPZArchive(bytes) }
    #expect(limit?.reason == "the entry “values.npy” makes more than 512 MiB of inflated bytes")
  }

  /// A thousand entries that name the same bytes would take a thousand times the memory.
  @Test func entriesThatShareBytesAreRefused() throws {
    let array = try NumPyArray(shape: [100], elements: .float32([Float](repeating: 1, count: 100))).npy
    let first = ZipEntry(name: "a.npy", size: array.count, offset: 0, checksum: CRC32.of(array))
    let entries = (0..<1000).map { ZipEntry(name: "\($0).npy", size: array.count, offset: 0, checksum: first.checksum) }
    let bytes = first.localHeader + array
    let error = #expect(throws: FileError.self) {
      try NPZArchive(bytes + ZipEntry.directory(of: entries, at: bytes.count))
    }
    #expect(error?.reason.contains("overlaps others") == true)
    let twice = #expect(throws: FileError.self) {
      let comment = [UInt8](repeating: 0, count: 4 * bytes.count)
      return try NPZArchive(bytes + comment + ZipEntry.directory(of: [first, first], at: bytes.count + comment.count))
    }
    #expect(twice?.description == "a: is there twice")
  }

  @Test func namesAndShapesAreChecked() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.npz")
    for name in ["", "a/b", "..\\x", "é", "a b", String(repeating: "a", count: 300)] {
      var archive = NPZArchive()
      archive[name] = try NumPyArray(shape: [1], elements: .float32([1]))
      #expect(throws: FileError.self) { try archive.write(to: path) }
    }
    #expect(throws: FileError.self) { try NumPyArray(shape: [2, 2], elements: .float32([1])) }
    #expect(throws: FileError.self) { try NumPyArray(shape: [-1, -1], elements: .float32([1])) }
    #expect(throws: FileError.self) { try NumPyArray(shape: [.max, 2, 0], elements: .float32([])) }
    #expect(throws: FileError.self) { try NumPyArray(shape: [Int](repeating: 1, count: 65), elements: .float32([1])) }
    #expect(folder.names.isEmpty)
  }

  @Test func framesReadBackAsARecording() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.npz")
    let shape = FrameShape(frames: 3, tracks: 2, dimensions: 4)
    var writer = try NPZFrameWriter(
      path, shape: shape, hasVelocities: true, times: [0.5, 0.5 + 1.0 / 24, 0.5 + 2.0 / 24])
    for frame in 0..<3 {
      for track in 0..<2 { try writer.write((0..<4).map { Float(100 * frame + 10 * track + $0) }) }
      writer.endFrame()
    }
    try writer.finish()
    let archive = try NPZArchive(path: path)
    #expect(archive["values"]?.shape == [3, 2, 2] && archive["velocities"]?.shape == [3, 2, 2])
    let recording = try Recording(path: path)
    #expect(recording.channels == 4 && recording.framesPerSecond == 24)
    #expect(recording.values == [0, 1, 10, 11, 100, 101, 110, 111, 200, 201, 210, 211])
    #expect(archive["velocities"]?.elements == .float32([2, 3, 12, 13, 102, 103, 112, 113, 202, 203, 212, 213]))
  }

  /// Beside an extent of 0 others may be larger than the file, and their product beyond all integers.
  @Test(arguments: [[200, 0], [0, 200], [5, 0, 1 << 40], [1 << 62, 0], [0, 1 << 62, 4]])
  func arraysOfNothingReadBack(_ shape: [Int]) throws {
    let folder = try TemporaryFolder()
    var archive = NPZArchive()
    archive["none"] = try NumPyArray(shape: shape, elements: .float32([]))
    for isCompressed in [false, true] {
      try archive.write(to: folder.path("a.npz"), compressed: isCompressed)
      #expect(try NPZArchive(path: folder.path("a.npz")) == archive)
    }
  }

  @Test func aFileThatIsNotWholeDoesNotAppear() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.npz")
    for count in [1, 3] {
      #expect(throws: FileError.self) {
        var writer = try NPZWriter(path, entries: [("a", [2], .float32)])
        try writer.append([Float](repeating: 0, count: count), to: 0)
        try writer.finish()
      }
    }
    #expect(folder.names.isEmpty)
  }
}
