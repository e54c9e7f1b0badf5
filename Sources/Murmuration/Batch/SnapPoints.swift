// SPDX-License-Identifier: MIT

/// The values at which slides may end.
public enum SnapPoints<Value> {
  /// A grid: the values that lie whole multiples of a spacing above and below a value, in each component; nil for 0.
  case every(_ spacing: Value, from: Value? = nil)
  /// The values of a list.
  case values([Value])
}

extension SnapPoints: Equatable where Value: Equatable {}
extension SnapPoints: Hashable where Value: Hashable {}
extension SnapPoints: Sendable where Value: Sendable {}
