// SPDX-License-Identifier: MIT

extension SpringNetwork {
  /// The points that move, and which parts of the network nothing holds.
  struct Freedom {
    /// The points that move, ascending.
    var points: [Int] = []
    /// The index of each point among those that move; −1 for fixed ones.
    var places: [Int32]
    /// For each point, whether nothing holds the part it belongs to.
    var floats: [Bool]
    /// The number of parts that nothing holds, and so of modes without stiffness.
    var floatingParts = 0
  }

  /// Checks everything that does not need the modes, and the number of modes that is asked for.
  package func check(modes: Int?) throws(ModalError) { _ = try checked(modes: modes) }

  /// The points that move, after ``check(modes:)``.
  func checked(modes: Int?) throws(ModalError) -> Freedom {
    guard 1...ModalLimits.maximumPoints ~= pointCount else { throw .invalidPointCount(pointCount) }
    guard links.count <= ModalLimits.maximumLinks else { throw .tooManyLinks(links.count) }
    for (index, link) in links.enumerated() {
      guard masses.indices.contains(link.first), masses.indices.contains(link.second), link.first != link.second else {
        throw .invalidLink(link: index, first: link.first, second: link.second)
      }
      guard ModalLimits.stiffnesses ~= link.stiffness else {
        throw .invalidStiffness(link: index, stiffness: link.stiffness)
      }
    }
    for grounding in groundings {
      try check(point: grounding.point)
      guard ModalLimits.stiffnesses ~= grounding.stiffness else {
        throw .invalidGrounding(point: grounding.point, stiffness: grounding.stiffness)
      }
    }
    var freedom = Freedom(
      places: Array(repeating: 0, count: pointCount), floats: Array(repeating: false, count: pointCount))
    for point in fixedPoints {
      try check(point: point)
      freedom.places[point] = -1
    }
    for point in masses.indices where freedom.places[point] == 0 {
      guard ModalLimits.masses ~= masses[point] else { throw .invalidMass(point: point, mass: masses[point]) }
      freedom.places[point] = Int32(freedom.points.count)
      freedom.points.append(point)
    }
    guard !freedom.points.isEmpty else { throw .nothingMoves }
    guard freedom.points.count <= ModalLimits.maximumDegreesOfFreedom else {
      throw .tooManyDegreesOfFreedom(freedom.points.count)
    }
    try checkDamping()
    findFloatingParts(&freedom)
    if let modes, !(1...freedom.points.count ~= modes) {
      throw .modesOutOfRange(requested: modes, available: freedom.points.count)
    }
    return freedom
  }

  func check(point: Int) throws(ModalError) {
    guard masses.indices.contains(point) else { throw .pointOutOfRange(point, count: pointCount) }
  }

  private func checkDamping() throws(ModalError) {
    switch damping {
    case .none: break
    case .rayleigh(let mass, let stiffness):
      guard 0...1e12 ~= mass, 0...1e12 ~= stiffness else {
        throw .invalidDamping("the factors of Rayleigh damping must be in 0…1e12, are \(mass) and \(stiffness)")
      }
    case .ratio(let ratio): try check(ratio: ratio)
    case .ratios(let ratios): for ratio in ratios { try check(ratio: ratio) }
    case .matrix(let matrix):
      let count = pointCount
      guard matrix.count == count * count else {
        throw .invalidDamping("a damping matrix of \(count) points has \(count * count) entries, not \(matrix.count)")
      }
      for row in 0..<count {
        for column in 0...row {
          let (entry, other) = (matrix[row * count + column], matrix[column * count + row])
          guard entry == other, abs(entry) <= 1e15 else {
            throw .invalidDamping(
              "a damping matrix must be symmetric and within ±1e15; between \(row) and \(column) it is "
                + "\(entry) and \(other)")
          }
        }
      }
    }
  }

  private func check(ratio: Double) throws(ModalError) {
    guard ModalLimits.dampingRatios ~= ratio else {
      throw .invalidDamping("a damping ratio must be in 0…1e6, is \(ratio)")
    }
  }

  /// Joins the points that springs join, and finds for each part whether something holds it.
  private func findFloatingParts(_ freedom: inout Freedom) {
    var parents = Array(masses.indices)
    func root(_ point: Int) -> Int {
      var point = point
      while parents[point] != point {
        parents[point] = parents[parents[point]]
        point = parents[point]
      }
      return point
    }
    var isHeld = Array(repeating: false, count: pointCount)
    for link in links where link.stiffness > 0 {
      if freedom.places[link.first] >= 0, freedom.places[link.second] >= 0 {
        parents[root(link.first)] = root(link.second)
      } else {
        // A fixed end holds the other one. What is held of fixed points does not count.
        (isHeld[link.first], isHeld[link.second]) = (true, true)
      }
    }
    for grounding in groundings where grounding.stiffness > 0 { isHeld[grounding.point] = true }
    for point in freedom.points where isHeld[point] { isHeld[root(point)] = true }
    for point in freedom.points { freedom.floats[point] = !isHeld[root(point)] }
    freedom.floatingParts = freedom.points.count { freedom.floats[$0] && root($0) == $0 }
  }
}
