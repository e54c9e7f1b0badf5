// SPDX-License-Identifier: MIT
import Text

extension Recording {
  /// The recording in a table of text: a line for each frame, a column for each channel.
  ///
  /// Fields are separated by commas, by semicolons (if the first line has one) or by tabs (if it has neither); they may
  /// be quoted. Numbers have a decimal point or, between semicolons, a decimal comma: the same in the whole file. A first
  /// line without a number names the channels. Empty fields, comments and lines of another length are refused, and so is
  /// a table without names that looks like numbers with decimal commas: two whole numbers a line, of which the first
  /// never changes and the second always has the same three or more digits, or whole numbers after the first that begin
  /// with zeros.
  ///
  /// Blank lines may stand at the end. The last line needs no line end: it counts if it has all its fields, so a last
  /// number that is cut short is not noticed.
  /// - Throws: `FileError` with the line and column.
  public init(csv bytes: [UInt8]) throws(FileError) {
    var lines = try TextLines(bytes)
    var table = CSVTable()
    while let line = lines.nextLine() {
      do { try table.read(line, at: lines.place) } catch { throw error.place.isEmpty ? error.at(lines.place) : error }
    }
    guard !table.values.isEmpty else {
      throw FileError(place: lines.place, "holds no frame; a line for each is expected")
    }
    try table.checkForDecimalCommas()
    try self.init(channels: table.channels, values: table.values, names: table.names)
  }
}

/// The frames of a table of text, read a line at a time.
private struct CSVTable {
  private(set) var names: [String] = []
  private(set) var values: [Float] = []
  /// The number of fields of the first line; 0 before it.
  private(set) var channels = 0
  private var separator = UInt8(ascii: ",")
  /// The decimal mark of the numbers so far; nil before a number has one.
  private var mark: UInt8?
  /// The place of the first blank line, after which there may be only blank ones.
  private var blank: String?

  /// The place of the first whole number with a leading zero, the first field of each line aside.
  private var padded: String?
  /// Whether every line so far looks like one number with a decimal comma: two whole numbers, of which the first is the
  /// same in all lines and the second has the same number of digits.
  private var areAlike = true
  private var firstLine: [ArraySlice<UInt8>] = []

  /// Reads a line that stands at a place.
  mutating func read(_ line: ArraySlice<UInt8>, at place: String) throws(FileError) {
    guard !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 && separator != 0x09 }) else {
      blank = blank ?? place
      return
    }
    if let blank { throw FileError(place: blank, "is blank, and lines with fields follow; take it out") }
    guard line.first != UInt8(ascii: "#") else { throw FileError("is a comment, which is not read; take it out") }
    if channels == 0 { separator = Self.separator(of: line) }
    // Counted before the line is split: the fields of a split line take many times its bytes.
    guard line.count(where: { $0 == separator }) < Recording.channelLimit else {
      throw FileError("has more than \(Recording.channelLimit) fields")
    }
    let fields = try fields(of: line)
    if channels == 0 {
      channels = fields.count
      if !fields.contains(where: isValue) {
        guard fields.allSatisfy({ !$0.isEmpty }) else { throw FileError("a field is empty; name all channels") }
        names = fields.map(\.text.printable)
        return
      }
      firstLine = fields
    }
    guard fields.count == channels else {
      let advice = separator == 0x2C ? "; a decimal comma needs “;” between the fields" : ""
      throw FileError("has \(fields.count) fields, the first line \(channels)\(advice)")
    }
    note(fields, at: place)
    for (column, field) in fields.enumerated() {
      values.append(try value(field, place: "\(place), column \(column + 1)"))
    }
  }

  // MARK: - Fields

  /// The separator of a table by its first line.
  private static func separator(of line: ArraySlice<UInt8>) -> UInt8 {
    var isQuoted = false
    let bare = line.filter { byte in
      if byte == 0x22 { isQuoted.toggle() }
      return !isQuoted
    }
    return [0x3B, 0x2C, 0x09].first { bare.contains($0) } ?? 0x2C
  }

  /// The fields of a line without the blanks around them, and without quotes.
  private func fields(of line: ArraySlice<UInt8>) throws(FileError) -> [ArraySlice<UInt8>] {
    let quote = UInt8(ascii: "\"")
    guard line.contains(quote) else {
      return line.split(separator: separator, omittingEmptySubsequences: false).map(\.trimmed)
    }
    var fields: [ArraySlice<UInt8>] = []
    var rest = line
    while true {
      let end = rest.firstIndex(of: separator) ?? rest.endIndex
      var field = rest[..<end].trimmed
      if field.first == quote {
        rest = rest[(field.startIndex + 1)...]
        var text: [UInt8] = []
        repeat {
          guard let next = rest.firstIndex(of: quote) else {
            throw FileError("a quoted field has no end on its line")
          }
          text += rest[..<next]
          rest = rest[(next + 1)...]
          // Two quotes stand for one.
          if rest.first == quote { text.append(quote) }
        } while rest.popFirst(if: quote)
        field = text[...].trimmed
        let after = rest.prefix { $0 != separator }
        guard after.trimmed.isEmpty else { throw FileError("“\(after.text.printable)” follows a quoted field") }
        rest = rest[after.endIndex...]
      } else {
        rest = rest[end...]
      }
      fields.append(field)
      guard rest.popFirst() != nil else { return fields }
    }
  }

  /// Whether a field of the first line is a number or stands for one that is missing: then it names no channel.
  private func isValue(_ field: ArraySlice<UInt8>) -> Bool {
    let word = field.text.lowercased()
    // Other minus signs and percentages are refused where they are read.
    let bare = ["-", "+", "−"].contains(where: word.hasPrefix) ? String(word.dropFirst()) : word
    let share = Array((bare.hasSuffix("%") ? String(bare.dropLast()) : bare).utf8)[...].trimmed
    return withPoint(share).number != nil || Self.missing.contains(bare) || Self.isGrouped(share)
  }

  /// Whether a text without its sign is a number in groups of three digits, such as `1.234,5`, which is not read.
  private static func isGrouped(_ text: ArraySlice<UInt8>) -> Bool {
    let groups = text.split(omittingEmptySubsequences: false) { !$0.isDigit }
    guard groups.count > 1, 1...3 ~= groups[0].count, groups.allSatisfy({ !$0.isEmpty }) else { return false }
    let marks = text.filter { !$0.isDigit }
    guard marks.allSatisfy(Array(".,' ".utf8).contains), marks.dropLast().allSatisfy({ $0 == marks[0] }) else {
      return false
    }
    // The last mark may be the decimal one.
    let isDecimal = marks.count > 1 && marks[marks.count - 1] != marks[0]
    return groups.dropFirst().dropLast(isDecimal ? 1 : 0).allSatisfy { $0.count == 3 }
  }

  /// Words for a value that is missing or not finite, in small letters and without a sign.
  private static let missing: Set<String> = [
    "nan", "inf", "infinity", "n/a", "na", "#n/a", "null", "none", "nil", "-", "?",
  ]

  /// A number with a decimal point in place of its comma, where commas separate no fields.
  private func withPoint(_ field: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard separator == 0x3B, field.contains(0x2C), !field.contains(0x2E) else { return field }
    return field.map { $0 == 0x2C ? 0x2E : $0 }[...]
  }

  private mutating func value(_ field: ArraySlice<UInt8>, place: String) throws(FileError) -> Float {
    let number = withPoint(field)
    guard number.number != nil else { throw FileError(place: place, Recording.complaint(about: field)) }
    if let own = field.first(where: { $0 == 0x2C || $0 == 0x2E }) {
      guard mark ?? own == own else {
        throw FileError(
          place: place, "“\(field.text.printable)” has another decimal mark than numbers before it; use one in the file"
        )
      }
      mark = own
    }
    return try Recording.value(number, place: place)
  }

  // MARK: - Decimal commas

  /// Notes what tells two columns from numbers with decimal commas.
  private mutating func note(_ fields: [ArraySlice<UInt8>], at place: String) {
    guard names.isEmpty, separator == 0x2C else { return }
    for (column, field) in fields.enumerated().dropFirst() where padded == nil && field.count > 1 {
      if field.first == 0x30, field.allSatisfy(\.isDigit) { padded = "\(place), column \(column + 1)" }
    }
    guard areAlike, channels == 2 else { return }
    areAlike = fields[0] == firstLine[0] && fields[1].count == firstLine[1].count && fields[1].allSatisfy(\.isDigit)
  }

  /// Refuses a table whose commas may be decimal commas: it would be read without an error, as wrong numbers.
  func checkForDecimalCommas() throws(FileError) {
    guard names.isEmpty, separator == 0x2C, mark == nil else { return }
    let isOneColumn = channels == 2 && areAlike && values.count > 2 && firstLine[1].count >= 3
    guard isOneColumn || padded != nil else { return }
    throw FileError(
      place: padded ?? "line 1",
      "its commas may be decimal commas; write points, or, if they separate columns, name these in a first line")
  }
}

extension ArraySlice<UInt8> {
  /// Removes the first byte if it is this one, and returns whether it was.
  fileprivate mutating func popFirst(if byte: UInt8) -> Bool {
    guard first == byte else { return false }
    removeFirst()
    return true
  }
}
