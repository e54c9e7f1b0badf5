// SPDX-License-Identifier: MIT

/// Powers of ten without the C library, whose last digits differ from machine to machine.
package enum PowerOfTen {
  /// The Double nearest to 10 to the power of `exponent`; 0 and infinity beyond its reach.
  package static func value(_ exponent: Int) -> Double {
    Double("1e\(exponent)") ?? (exponent < 0 ? 0 : .infinity)
  }

  /// The largest exponent whose power is not above the size of `number`, which is finite and not 0.
  package static func exponent(of number: Double) -> Int {
    let size = abs(number)
    guard size.isFinite, size > 0 else { return 0 }
    var exponent = Int((Double(size.exponent) * 0.301029995663981).rounded(.down))
    while exponent < 308, value(exponent + 1) <= size { exponent += 1 }
    while exponent > -323, value(exponent) > size { exponent -= 1 }
    return exponent
  }
}
