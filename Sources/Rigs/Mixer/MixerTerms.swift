// SPDX-License-Identifier: MIT

/// A stack of layers as one sum of products: outputs = base + Σ (column · factors) · row.
///
/// Masks go into the rows, layer weights into the factors. An override turns each term c · R below it into (1 − w m) c · R.
/// Where its mask is one number over all of R, this is a factor. Otherwise R is split in up to three terms: R where m < 1,
/// R · (1 − w) where m = 1, and −m R · w where m < 1.
struct MixerTerms {
  /// A layer's weight column, and the factor that it gives: `offset + slope · w`.
  struct Factor: Equatable {
    var column: Int
    var offset: Float
    var slope: Float
  }

  struct Term {
    /// The input column; nil for 1.
    var column: Int?
    var factors: [Factor] = []
    var row: [Float]
  }

  /// The constant part for every instance.
  private(set) var base: [Float]
  private(set) var terms: [Term] = []

  /// - Throws: ``MatrixError/invalidSize(of:_:)`` if soft masks over soft masks make too many terms: each weighted
  ///   override whose mask is not one number may triple the terms below it.
  init(base: [Float], layers: [MixerLayer]) throws(MatrixError) {
    self.base = base
    var first = 0
    for layer in layers {
      let weight = layer.isWeighted ? first + layer.trackCount : nil
      if layer.kind == .override { try cover(mask: layer.mask, weight: weight) }
      if !layer.base.isEmpty { add(column: nil, layer.base[...], layer.mask, weight) }
      for track in 0..<layer.trackCount {
        add(column: first + track, layer.shapes[track * base.count..<(track + 1) * base.count], layer.mask, weight)
      }
      first += layer.columnCount
      try checkSize()
    }
  }

  private static let maximumCount = 1 << 16
  /// The most numbers in the rows of all terms, 256 MiB.
  private static let maximumNumbers = 1 << 26

  private func checkSize() throws(MatrixError) {
    guard terms.count <= Self.maximumCount, terms.count * base.count <= Self.maximumNumbers else {
      throw .invalidSize(of: "terms", terms.count)
    }
  }

  private mutating func add(column: Int?, _ row: ArraySlice<Float>, _ mask: [Float], _ weight: Int?) {
    var row = Array(row)
    for index in mask.indices { row[index] *= mask[index] }
    append(Term(column: column, factors: weight.map { [Factor(column: $0, offset: 0, slope: 1)] } ?? [], row: row))
  }

  /// Adds a term, unless it is 0; a constant one is added to the base.
  private mutating func append(_ term: Term) {
    guard term.row.contains(where: { $0 != 0 }) else { return }
    guard term.column == nil, term.factors.isEmpty else { return terms.append(term) }
    for index in base.indices { base[index] += term.row[index] }
  }

  /// Lets an override cover all terms so far.
  private mutating func cover(mask: [Float], weight: Int?) throws(MatrixError) {
    let below = terms + [Term(column: nil, row: base)]
    let mask = mask.isEmpty ? [Float](repeating: 1, count: base.count) : mask
    terms = []
    base = [Float](repeating: 0, count: base.count)
    for term in below {
      try checkSize()
      var rest = term
      guard let weight else {
        for index in rest.row.indices { rest.row[index] *= 1 - mask[index] }
        append(rest)
        continue
      }
      let shares = term.row.indices.lazy.filter { term.row[$0] != 0 }.map { mask[$0] }
      let share = shares.first ?? 0
      if shares.allSatisfy({ $0 == share }) {
        if share != 0 {
          rest.factors.append(Factor(column: weight, offset: 1, slope: -share))
        }
        append(rest)
        continue
      }
      var (alone, covered, less) = (term, term, term)
      covered.factors.append(Factor(column: weight, offset: 1, slope: -1))
      less.factors.append(Factor(column: weight, offset: 0, slope: 1))
      for index in term.row.indices {
        let here = mask[index]
        alone.row[index] = here == 1 ? 0 : term.row[index]
        covered.row[index] = here == 1 ? term.row[index] : 0
        less.row[index] = here == 1 ? 0 : -here * term.row[index]
      }
      append(alone)
      append(covered)
      append(less)
    }
  }
}
