// SPDX-License-Identifier: MIT
import Text

extension Recording {
  /// The recording in comma-separated text: a line for each frame, a column for each channel, numbers with a decimal
  /// point.
  ///
  /// A first line with a field that is not a number names the channels. Quotes, empty fields and lines of another
  /// length are refused. Each line, the last too, must end.
  /// - Throws: `FileError` with the line and column.
  public init(csv bytes: [UInt8]) throws(FileError) {
    var lines = try TextLines(bytes)
    var names: [String] = []
    var values: [Float] = []
    var channels = 0
    while let line = try lines.nextLine() {
      // Counted before the line is split: the fields of a split line take many times its bytes.
      guard line.count(where: { $0 == 0x2C }) < Recording.channelLimit else {
        throw FileError(place: lines.place, "has more than \(Recording.channelLimit) fields")
      }
      let fields = line.split(separator: 0x2C, omittingEmptySubsequences: false).map(\.trimmed)
      if lines.number == 1 {
        channels = fields.count
        if fields.contains(where: { $0.number == nil && !Recording.isNotFinite($0) }) {
          guard !line.contains(0x22) else { throw FileError(place: lines.place, "quoted fields are not supported") }
          names = fields.map { $0.text.printable }
          guard fields.allSatisfy({ !$0.isEmpty }) else { throw FileError(place: lines.place, "a field is empty") }
          continue
        }
      }
      guard fields.count == channels else {
        throw FileError(place: lines.place, "has \(fields.count) fields, the first line \(channels)")
      }
      for (column, field) in fields.enumerated() {
        values.append(try Recording.value(field, place: "\(lines.place), column \(column + 1)"))
      }
    }
    try self.init(channels: channels, values: values, names: names)
  }

  /// Whether a field means a number that is not finite: then it is bad data, not the name of a channel.
  private static func isNotFinite(_ field: ArraySlice<UInt8>) -> Bool {
    let word = field.text.lowercased()
    let bare = word.hasPrefix("-") || word.hasPrefix("+") ? String(word.dropFirst()) : word
    return ["nan", "inf", "infinity"].contains(bare)
  }
}
