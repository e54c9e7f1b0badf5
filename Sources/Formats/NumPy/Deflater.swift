// SPDX-License-Identifier: MIT

/// A writer of deflated bytes, which zlib reads, and NumPy with it.
///
/// It is our own as ``Inflater`` is. Repetitions of four bytes and more are looked for in the 32 KiB before; each block has
/// codes of its own, or stands as it is where that is shorter. Source: RFC 1951.
struct Deflater {
  private static let reach = 1 << 15
  private static let longest = 258
  private static let shortest = 4
  /// The most bytes of a block, so that it can be stored.
  private static let blockSize = 0xFFFF
  /// The most places that are tried for a repetition.
  private static let tries = 24

  private var output: [UInt8] = []
  /// Bits that are not in the output yet, the first one lowest.
  private var bits: UInt64 = 0
  private var bitCount = 0
  /// The last bytes that were deflated.
  private var history: [UInt8] = []

  /// A byte, or a repetition: its length and its distance.
  private struct Token {
    var length: UInt16
    var value: UInt16
  }

  /// Appends bytes; a megabyte at a time costs least.
  mutating func add(_ bytes: [UInt8]) {
    let data = history + bytes
    var places = Places(count: data.count)
    for place in 0..<history.count { places.insert(place, in: data) }
    var position = history.count
    while position < data.count {
      let end = min(position + Self.blockSize, data.count)
      write(tokens(of: data, from: position, to: end, &places), data[position..<end])
      position = end
    }
    history = Array(data.suffix(Self.reach))
  }

  /// The deflated bytes of everything that was added.
  consuming func finish() -> [UInt8] {
    // A last block of the fixed code that holds its end alone.
    put(0b011, 3)
    put(0, 7)
    if bitCount > 0 { put(0, 8 - bitCount) }
    return output
  }

  // MARK: - Repetitions

  /// The places of four bytes, by a hash of them, the latest first.
  private struct Places {
    var latest = [Int32](repeating: -1, count: 1 << 15)
    var earlier: [Int32]

    init(count: Int) { earlier = [Int32](repeating: -1, count: count) }

    @inline(__always)
    func hash(_ place: Int, _ data: [UInt8]) -> Int {
      let word =
        UInt32(data[place]) | UInt32(data[place + 1]) << 8 | UInt32(data[place + 2]) << 16
        | UInt32(data[place + 3]) << 24
      return Int((word &* 0x9E37_79B1) >> 17)
    }

    @inline(__always)
    mutating func insert(_ place: Int, in data: [UInt8]) {
      guard place + 4 <= data.count else { return }
      let hash = hash(place, data)
      earlier[place] = latest[hash]
      latest[hash] = Int32(place)
    }
  }

  private func tokens(of data: [UInt8], from start: Int, to end: Int, _ places: inout Places) -> [Token] {
    var tokens: [Token] = []
    var place = start
    while place < end {
      let limit = min(Self.longest, end - place)
      var (length, distance) = (0, 0)
      if limit >= Self.shortest {
        var other = Int(places.latest[places.hash(place, data)])
        var tries = Self.tries
        while other >= 0, place - other <= Self.reach, tries > 0, length < limit {
          // A longer repetition differs from the best so far at its end at the latest.
          if data[other + length] == data[place + length] {
            var count = 0
            while count < limit, data[other + count] == data[place + count] { count += 1 }
            if count > length { (length, distance) = (count, place - other) }
          }
          other = Int(places.earlier[other])
          tries -= 1
        }
      }
      if length < Self.shortest { length = 1 }
      tokens.append(
        length == 1
          ? Token(length: 1, value: UInt16(data[place])) : Token(length: UInt16(length), value: UInt16(distance)))
      for inner in place..<(place + length) { places.insert(inner, in: data) }
      place += length
    }
    return tokens
  }

  // MARK: - Blocks

  /// The symbol of each length and of each distance.
  private static let lengthSymbols = symbols(Inflater.lengths, upTo: 258)
  private static let distanceSymbols = symbols(Inflater.distances, upTo: 1 << 15)

  private static func symbols(_ table: [(base: Int, extra: Int)], upTo last: Int) -> [UInt8] {
    var symbols = [UInt8](repeating: 0, count: last + 1)
    for (symbol, entry) in table.enumerated() {
      for value in entry.base..<max(entry.base + 1, min(entry.base + 1 << entry.extra, last + 1)) {
        symbols[value] = UInt8(symbol)
      }
    }
    return symbols
  }

  /// A piece of the description of a code: a length of 0 to 15, or a repetition with bits beside it.
  private struct Run {
    var symbol: Int
    var bits = 0
    var count = 0
  }

  private mutating func write(_ tokens: [Token], _ bytes: ArraySlice<UInt8>) {
    var (literals, distances) = ([Int](repeating: 0, count: 286), [Int](repeating: 0, count: 30))
    literals[256] = 1
    var extra = 0
    for token in tokens {
      guard token.length > 1 else {
        literals[Int(token.value)] += 1
        continue
      }
      let (length, distance) = (Int(Self.lengthSymbols[Int(token.length)]), Int(Self.distanceSymbols[Int(token.value)]))
      literals[257 + length] += 1
      distances[distance] += 1
      extra += Inflater.lengths[length].extra + Inflater.distances[distance].extra
    }
    let (literalCode, distanceCode) = (HuffmanCode(literals, limit: 15), HuffmanCode(distances, limit: 15))
    let literalCount = max(257, (literalCode.lengths.lastIndex { $0 > 0 } ?? 0) + 1)
    let distanceCount = max(1, (distanceCode.lengths.lastIndex { $0 > 0 } ?? 0) + 1)
    let runs = Self.runs(literalCode.lengths[..<literalCount] + distanceCode.lengths[..<distanceCount])
    var own = [Int](repeating: 0, count: 19)
    for run in runs { own[run.symbol] += 1 }
    let ownCode = HuffmanCode(own, limit: 7)
    let ownCount = max(4, (Inflater.order.lastIndex { ownCode.lengths[$0] > 0 } ?? 0) + 1)
    let size =
      17 + 3 * ownCount + runs.reduce(0) { $0 + Int(ownCode.lengths[$1.symbol]) + $1.count } + extra
      + literalCode.size(of: literals) + distanceCode.size(of: distances)
    guard size < 8 * (bytes.count + 4) + 10 else { return store(bytes) }

    put(0b100, 3)
    put(literalCount - 257, 5)
    put(distanceCount - 1, 5)
    put(ownCount - 4, 4)
    for symbol in Inflater.order.prefix(ownCount) { put(Int(ownCode.lengths[symbol]), 3) }
    for run in runs {
      put(ownCode, run.symbol)
      put(run.bits, run.count)
    }
    for token in tokens {
      guard token.length > 1 else {
        put(literalCode, Int(token.value))
        continue
      }
      let (length, distance) = (Int(Self.lengthSymbols[Int(token.length)]), Int(Self.distanceSymbols[Int(token.value)]))
      put(literalCode, 257 + length)
      put(Int(token.length) - Inflater.lengths[length].base, Inflater.lengths[length].extra)
      put(distanceCode, distance)
      put(Int(token.value) - Inflater.distances[distance].base, Inflater.distances[distance].extra)
    }
    put(literalCode, 256)
  }

  private mutating func store(_ bytes: ArraySlice<UInt8>) {
    put(0, 3)
    if bitCount > 0 { put(0, 8 - bitCount) }
    put(bytes.count, 16)
    put(bytes.count ^ 0xFFFF, 16)
    output += bytes
  }

  /// Lengths of code words with their repetitions gathered.
  private static func runs(_ lengths: ArraySlice<UInt8>) -> [Run] {
    var runs: [Run] = []
    var rest = lengths
    while let length = rest.first {
      let count = rest.prefix(while: { $0 == length }).count
      if length == 0, count >= 3 {
        let taken = min(count, 138)
        runs.append(
          taken > 10 ? Run(symbol: 18, bits: taken - 11, count: 7) : Run(symbol: 17, bits: taken - 3, count: 3))
        rest = rest.dropFirst(taken)
      } else {
        runs.append(Run(symbol: Int(length)))
        let taken = min(count - 1, 6)
        if taken >= 3 { runs.append(Run(symbol: 16, bits: taken - 3, count: 2)) }
        rest = rest.dropFirst(taken >= 3 ? 1 + taken : 1)
      }
    }
    return runs
  }

  // MARK: - Bits

  @inline(__always)
  private mutating func put(_ value: Int, _ count: Int) {
    bits |= UInt64(value) << UInt64(bitCount)
    bitCount += count
    while bitCount >= 8 {
      output.append(UInt8(truncatingIfNeeded: bits))
      bits >>= 8
      bitCount -= 8
    }
  }

  @inline(__always)
  private mutating func put(_ code: HuffmanCode, _ symbol: Int) {
    put(Int(code.words[symbol]), Int(code.lengths[symbol]))
  }
}

/// A prefix code with short words for frequent symbols. Source: Huffman, “A method for the construction of
/// minimum-redundancy codes”, Proceedings of the IRE 40 (1952).
private struct HuffmanCode {
  /// The bits of each word; 0 for a symbol that does not occur.
  let lengths: [UInt8]
  /// The words as they stand in a stream: the highest bit of a word is the lowest here.
  let words: [UInt16]

  /// A code for symbols that occur as often as `counts` says, with words of at most `limit` bits.
  init(_ counts: [Int], limit: Int) {
    var counts = counts
    var lengths = Self.lengths(counts)
    // Counts that differ less make words that differ less.
    while lengths.contains(where: { $0 > limit }) {
      counts = counts.map { ($0 + 1) / 2 }
      lengths = Self.lengths(counts)
    }
    var words = [UInt16](repeating: 0, count: counts.count)
    var next = 0
    for length in 1...limit {
      next <<= 1
      for symbol in counts.indices where lengths[symbol] == length {
        words[symbol] = UInt16((0..<length).reduce(0) { $0 << 1 | next >> $1 & 1 })
        next += 1
      }
    }
    (self.lengths, self.words) = (lengths.map { UInt8($0) }, words)
  }

  private static func lengths(_ counts: [Int]) -> [Int] {
    let symbols = counts.indices.filter { counts[$0] > 0 }.sorted { (counts[$0], $0) < (counts[$1], $1) }
    var lengths = [Int](repeating: 0, count: counts.count)
    guard symbols.count > 1 else {
      for symbol in symbols { lengths[symbol] = 1 }
      return lengths
    }
    // Leaves and then inner nodes, both in the order of their weights; each inner node joins the two lightest.
    var weights = symbols.map { counts[$0] }
    let last = 2 * symbols.count - 2
    var parents = [Int](repeating: last, count: last + 1)
    var (leaf, inner) = (0, symbols.count)
    for node in symbols.count...last {
      var weight = 0
      for _ in 0..<2 {
        let takesLeaf = leaf < symbols.count && (inner >= node || weights[leaf] <= weights[inner])
        let child = takesLeaf ? leaf : inner
        if takesLeaf { leaf += 1 } else { inner += 1 }
        weight += weights[child]
        parents[child] = node
      }
      weights.append(weight)
    }
    var depths = [Int](repeating: 0, count: last + 1)
    for node in (0..<last).reversed() { depths[node] = depths[parents[node]] + 1 }
    for (place, symbol) in symbols.enumerated() { lengths[symbol] = depths[place] }
    return lengths
  }

  /// The bits of symbols that occur as often as `counts` says.
  func size(of counts: [Int]) -> Int { zip(counts, lengths).reduce(0) { $0 + $1.0 * Int($1.1) } }
}
