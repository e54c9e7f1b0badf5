// SPDX-License-Identifier: MIT

/// A reader of deflated bytes, as `numpy.savez_compressed` writes them.
///
/// It is our own, so that those who use this library need no zlib beside it. Source: RFC 1951.
struct Inflater {
  /// A code of a block: the symbol and the length of each code word, by the bits that begin with it.
  private struct Code {
    /// A symbol times 16, plus the length of its code word; 0 for bits that begin no code word.
    private var entries: [UInt16]
    /// The length of the longest code word, at most 15.
    let bits: Int

    /// The code whose words have these lengths, in the order of symbols; nil for more words than there are.
    init?(lengths: some Collection<UInt8>) {
      bits = Int(lengths.max() ?? 0)
      entries = [UInt16](repeating: 0, count: 1 << bits)
      var next = 0
      for length in 1...max(1, bits) {
        for (symbol, own) in lengths.enumerated() where Int(own) == length {
          guard next < 1 << length else { return nil }
          // Code words stand in the stream with their highest bit first, all else with its lowest.
          var word = (0..<length).reduce(0) { $0 << 1 | next >> $1 & 1 }
          while word < entries.count {
            entries[word] = UInt16(symbol << 4 | length)
            word += 1 << length
          }
          next += 1
        }
        next <<= 1
      }
    }

    @inline(__always)
    func word(at bits: UInt64) -> (symbol: Int, length: Int) {
      let entry = entries[Int(truncatingIfNeeded: bits) & (entries.count - 1)]
      return (Int(entry >> 4), Int(entry & 15))
    }
  }

  private let data: ArraySlice<UInt8>
  private var position: Int
  /// Bits that were read from the data and not used yet, the next one lowest.
  private var bits: UInt64 = 0
  private var bitCount = 0
  private let size: Int
  private var output: [UInt8] = []

  /// The bytes that deflated data stand for.
  /// - Parameters:
  ///   - data: Whole deflated data, and nothing else.
  ///   - size: The number of bytes that they stand for.
  /// - Throws: ``FileError`` with the byte, its index in the array of which the data are a slice.
  static func inflate(_ data: ArraySlice<UInt8>, size: Int) throws(FileError) -> [UInt8] {
    // Two bits are at least needed for 258 bytes; so no stated size takes memory that the data cannot fill.
    guard size / 1032 <= data.count else {
      throw FileError(place: "byte \(data.startIndex)", "states \(size) bytes, more than its data can hold")
    }
    var inflater = Inflater(data: data, size: size)
    try inflater.readBlocks()
    return inflater.output
  }

  private init(data: ArraySlice<UInt8>, size: Int) {
    (self.data, self.size, position) = (data, size, data.startIndex)
    output.reserveCapacity(size)
  }

  private func damage(_ reason: String) -> FileError {
    FileError(place: "byte \(position - bitCount / 8)", "has damaged data: \(reason)")
  }

  // MARK: - Blocks

  private mutating func readBlocks() throws(FileError) {
    var isLast = false
    while !isLast {
      isLast = try take(1) == 1
      switch try take(2) {
      case 0: try copyStored()
      case 1:
        let lengths = [(144, 8), (112, 9), (24, 7), (8, 8)].flatMap { [UInt8](repeating: $0.1, count: $0.0) }
        guard let literals = Code(lengths: lengths), let distances = Code(lengths: [UInt8](repeating: 5, count: 30))
        else { throw damage("no code") }
        try readSymbols(literals, distances)
      case 2:
        let (literals, distances) = try readCodes()
        try readSymbols(literals, distances)
      default: throw damage("a block of an unknown kind")
      }
    }
    guard output.count == size else { throw damage("\(output.count) bytes in place of \(size)") }
    guard position - bitCount / 8 == data.endIndex else { throw damage("bytes follow its end") }
  }

  private mutating func copyStored() throws(FileError) {
    _ = try take(bitCount % 8)
    let (count, check) = (try take(16), try take(16))
    guard count ^ check == 0xFFFF else { throw damage("a length does not match its complement") }
    // The bits that are left are whole bytes of the block.
    position -= bitCount / 8
    (bits, bitCount) = (0, 0)
    guard count <= data.endIndex - position else { throw damage("the last block is cut short") }
    try checkRoom(count)
    output += data[position..<(position + count)]
    position += count
  }

  /// The order in which the lengths of the code of lengths stand.
  static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

  private mutating func readCodes() throws(FileError) -> (literals: Code, distances: Code) {
    let (literalCount, distanceCount, count) = (257 + (try take(5)), 1 + (try take(5)), 4 + (try take(4)))
    var own = [UInt8](repeating: 0, count: 19)
    for index in Self.order.prefix(count) { own[index] = UInt8(try take(3)) }
    guard let code = Code(lengths: own) else { throw damage("a code has too many words") }
    var lengths: [UInt8] = []
    while lengths.count < literalCount + distanceCount {
      let symbol = try readSymbol(code)
      switch symbol {
      case 0...15: lengths.append(UInt8(symbol))
      case 16:
        guard let last = lengths.last else { throw damage("a repeat of nothing") }
        lengths += [UInt8](repeating: last, count: 3 + (try take(2)))
      case 17: lengths += [UInt8](repeating: 0, count: 3 + (try take(3)))
      default: lengths += [UInt8](repeating: 0, count: 11 + (try take(7)))
      }
    }
    guard lengths.count == literalCount + distanceCount else { throw damage("more lengths than codes") }
    guard let literals = Code(lengths: lengths[..<literalCount]),
      let distances = Code(lengths: lengths[literalCount...])
    else { throw damage("a code has too many words") }
    return (literals, distances)
  }

  static let lengths: [(base: Int, extra: Int)] = table(count: 28, group: 4, from: 3) + [(258, 0)]
  static let distances: [(base: Int, extra: Int)] = table(count: 30, group: 2, from: 1)

  /// Bases and extra bits of symbols: none for the first two groups, then one more for each.
  private static func table(count: Int, group: Int, from first: Int) -> [(base: Int, extra: Int)] {
    var base = first
    return (0..<count).map { index in
      let extra = max(0, index / group - 1)
      defer { base += 1 << extra }
      return (base, extra)
    }
  }

  private mutating func readSymbols(_ literals: Code, _ distances: Code) throws(FileError) {
    while true {
      let symbol = try readSymbol(literals)
      if symbol < 256 {
        try checkRoom(1)
        output.append(UInt8(symbol))
        continue
      }
      if symbol == 256 { return }
      guard symbol - 257 < Self.lengths.count else { throw damage("a length that is none") }
      let (base, extra) = Self.lengths[symbol - 257]
      let length = base + (try take(extra))
      let number = try readSymbol(distances)
      guard number < Self.distances.count else { throw damage("a distance that is none") }
      let distance = Self.distances[number].base + (try take(Self.distances[number].extra))
      guard distance <= output.count else { throw damage("a distance reaches before its start") }
      try checkRoom(length)
      // One by one: a copy may overlap what it makes.
      for _ in 0..<length { output.append(output[output.count - distance]) }
    }
  }

  private func checkRoom(_ count: Int) throws(FileError) {
    guard count <= size - output.count else { throw damage("more than the \(size) bytes that it states") }
  }

  // MARK: - Bits

  private mutating func fill() {
    while bitCount <= 56, position < data.endIndex {
      bits |= UInt64(data[position]) << UInt64(bitCount)
      position += 1
      bitCount += 8
    }
  }

  /// The next bits, at most 16, the lowest first.
  private mutating func take(_ count: Int) throws(FileError) -> Int {
    if bitCount < count { fill() }
    guard bitCount >= count else { throw damage("it is cut short") }
    defer {
      bits >>= UInt64(count)
      bitCount -= count
    }
    return Int(bits & (1 << UInt64(count) - 1))
  }

  private mutating func readSymbol(_ code: Code) throws(FileError) -> Int {
    if bitCount < 15 { fill() }
    let (symbol, length) = code.word(at: bits)
    guard length > 0 else { throw damage("bits that begin no code word") }
    guard length <= bitCount else { throw damage("it is cut short") }
    bits >>= UInt64(length)
    bitCount -= length
    return symbol
  }
}
