// SPDX-License-Identifier: MIT
import Kernels
import Murmuration
import Rigs

/// The decomposition of a network, checked.
struct NetworkDecomposition {
  private(set) var frequencies: [Double] = []
  private(set) var dampings: [Double] = []
  private(set) var shapes: [Double] = []
  private(set) var residual = 0.0

  private let network: SpringNetwork
  private let freedom: SpringNetwork.Freedom
  private let count: Int
  private let kept: Int
  /// 1/√m of each point that moves.
  private let inverseRoots: [Double]
  /// C' = M^(−1/2)·C·M^(−1/2) where the damping is a matrix.
  private var scaledDamping: [Double]?
  /// A bound of the eigenvalues (Gershgorin).
  private var largest = 0.0

  /// A bound of the rounding of an eigenvalue or a product of vectors, as a share of the largest eigenvalue or of 1.
  private var roundings: Double { 64 * Double(count) * 0x1p-53 }

  init(_ network: SpringNetwork, _ freedom: SpringNetwork.Freedom, modes: Int, threads: Int) throws(ModalError) {
    self.network = network
    self.freedom = freedom
    count = freedom.points.count
    kept = modes
    inverseRoots = freedom.points.map { 1 / network.masses[$0].squareRoot() }
    var matrix = stiffnessMatrix()
    largest = (0..<count).reduce(0) { max($0, matrix[$1 * count + $1]) } * 2
    if case .matrix(let damping) = network.damping {
      try add(damping, to: &matrix)
    }
    var values: [Double]
    do throws(MatrixError) {
      values = try BLAS.decompose(&matrix, order: count, threads: threads)
    } catch .decompositionFailed(let reason) {
      throw .decompositionFailed(reason)
    } catch {
      throw .matrices(error)
    }
    guard values.count == count, values.allSatisfy(\.isFinite) else {
      throw .decompositionFailed("an eigenvalue is not finite")
    }
    try takeShapes(&matrix, &values)
    try checkProducts(matrix)
    try takeFrequencies(matrix, values)
    try takeDampings(matrix)
    scaleShapes(matrix)
  }

  // MARK: - Matrices

  /// K' = M^(−1/2)·K·M^(−1/2) over the points that move.
  private func stiffnessMatrix() -> [Double] {
    var matrix = [Double](repeating: 0, count: count * count)
    forEachSpring { stiffness, first, a, second, b in
      matrix[first * count + first] += stiffness * a * a
      matrix[second * count + second] += stiffness * b * b
      matrix[first * count + second] -= stiffness * a * b
      matrix[second * count + first] -= stiffness * a * b
    }
    return matrix
  }

  /// Calls `body` with every spring of a moving point and both of its ends: their indices among the points that move, and
  /// their inverse roots. An end that stands still has the index of the other one, and the inverse root 0.
  private func forEachSpring(
    _ body: (_ stiffness: Double, _ first: Int, _ a: Double, _ second: Int, _ b: Double) -> Void
  ) {
    func visit(_ stiffness: Double, _ first: Int, _ second: Int) {
      guard stiffness > 0, max(first, second) >= 0 else { return }
      let (a, b) = (first < 0 ? 0 : inverseRoots[first], second < 0 ? 0 : inverseRoots[second])
      body(stiffness, first < 0 ? second : first, a, second < 0 ? first : second, b)
    }
    for link in network.links {
      visit(link.stiffness, Int(freedom.places[link.first]), Int(freedom.places[link.second]))
    }
    for grounding in network.groundings { visit(grounding.stiffness, Int(freedom.places[grounding.point]), -1) }
  }

  /// Adds a share of C' to K'. If the two commute, the eigenvectors of the sum are eigenvectors of both, unless the
  /// share makes two eigenvalues equal; this share is unlikely to.
  private mutating func add(_ damping: [Double], to matrix: inout [Double]) throws(ModalError) {
    var scaled = [Double](repeating: 0, count: count * count)
    var size = 0.0
    for (row, point) in freedom.points.enumerated() {
      for (column, other) in freedom.points.enumerated() {
        let entry = damping[point * network.pointCount + other] * inverseRoots[row] * inverseRoots[column]
        scaled[row * count + column] = entry
        size = max(size, abs(entry))
      }
    }
    scaledDamping = scaled
    let share = size > 0 && largest > 0 ? 0.137_035_999 * largest / size : 1
    for index in matrix.indices {
      matrix[index] += share * scaled[index]
    }
  }

  // MARK: - Modes

  /// Keeps the vectors with the lowest stiffness, each with its ω² computed from the springs: a sum without
  /// cancellation.
  private mutating func takeShapes(_ vectors: inout [Double], _ values: inout [Double]) throws(ModalError) {
    let candidates = scaledDamping == nil ? kept : count
    var energies = [Double](repeating: 0, count: candidates)
    vectors.withConstantColumn { vectors in
      forEachSpring { stiffness, first, a, second, b in
        for mode in 0..<candidates {
          let vector = mode * count
          let stretch = vectors[vector + first] * a - vectors[vector + second] * b
          energies[mode] += stiffness * stretch * stretch
        }
      }
    }
    if scaledDamping == nil {
      for mode in 0..<kept {
        // The library's own eigenvalues are off by a rounding of the largest one.
        guard abs(values[mode] - energies[mode]) <= roundings * largest else {
          throw .decompositionFailed("eigenvalue \(mode) is \(values[mode]), its vector's \(energies[mode])")
        }
      }
    }
    // The energies of eigenvalues that are equal but for rounding may stand in another order.
    let order = (0..<candidates).sorted { energies[$0] < energies[$1] }.prefix(kept)
    vectors = order.flatMap { vectors[$0 * count..<($0 + 1) * count] }
    values = order.map { energies[$0] }
  }

  /// Checks that the vectors are orthonormal: Φᵀ·(Φ·y) = y for a y of random signs, which a wrong Φ meets only by a
  /// rare chance.
  private mutating func checkProducts(_ vectors: [Double]) throws(ModalError) {
    var random = SplitMix64(seed: 5)
    var sum = [Double](repeating: 0, count: count)
    let signs = (0..<kept).map { _ in random.next() & 1 == 0 ? 1.0 : -1 }
    var worst = 0.0
    vectors.withConstantColumn { vectors in
      for mode in 0..<kept {
        for place in 0..<count {
          sum[place] += signs[mode] * vectors[mode * count + place]
        }
      }
      for mode in 0..<kept {
        var product = 0.0
        for place in 0..<count {
          product += sum[place] * vectors[mode * count + place]
        }
        worst = max(worst, abs(product - signs[mode]))
      }
    }
    try accept(worst, "the eigenvectors are not orthonormal")
  }

  /// Takes ω of each mode, and checks that K'·φ = ω²·φ.
  private mutating func takeFrequencies(_ vectors: [Double], _ values: [Double]) throws(ModalError) {
    var residuals = (0..<kept).flatMap { mode -> [Double] in
      vectors[mode * count..<(mode + 1) * count].map { -values[mode] * $0 }
    }
    residuals.withColumn { residuals in
      vectors.withConstantColumn { vectors in
        forEachSpring { stiffness, first, a, second, b in
          for mode in 0..<kept {
            let vector = mode * count
            let pull = stiffness * (vectors[vector + first] * a - vectors[vector + second] * b)
            residuals[vector + first] += pull * a
            residuals[vector + second] -= pull * b
          }
        }
      }
    }
    let worst = largest > 0 ? residuals.reduce(0) { max($0, abs($1)) } / largest : 0
    // A damping that does not commute shows here too; then it is the reason.
    if scaledDamping != nil, !(worst <= couplingLimit) {
      throw .dampingDoesNotDecouple(coupling: worst)
    }
    try accept(scaledDamping == nil ? worst : 0, "an eigenvector is none")
    for mode in 0..<kept {
      guard mode >= freedom.floatingParts else {
        guard values[mode] <= roundings * largest else {
          throw .decompositionFailed("free mode \(mode) has a stiffness of \(values[mode])")
        }
        frequencies.append(0)
        continue
      }
      let frequency = values[mode].squareRoot()
      guard values[mode] > roundings * largest else { throw .illConditioned(mode: mode, frequency: frequency) }
      guard BatchLimits.durations ~= 2 * .pi / frequency else {
        throw .frequencyOutOfRange(mode: mode, frequency: frequency)
      }
      frequencies.append(frequency)
    }
  }

  /// The share of the damping that may couple modes by rounding alone.
  private var couplingLimit: Double { 1e-9 }

  private mutating func accept(_ worst: Double, _ reason: String) throws(ModalError) {
    guard worst <= roundings else { throw .decompositionFailed("\(reason): \(worst), with \(roundings) for rounding") }
    residual = max(residual, worst)
  }

  // MARK: - Damping

  private mutating func takeDampings(_ vectors: [Double]) throws(ModalError) {
    switch network.damping {
    case .none: dampings = Array(repeating: 0, count: kept)
    case .rayleigh(let mass, let stiffness): dampings = frequencies.map { mass + stiffness * $0 * $0 }
    case .ratio(let ratio): dampings = frequencies.map { 2 * ratio * $0 }
    case .ratios(let ratios): dampings = zip(ratios, frequencies).map { 2 * $0 * $1 }
    case .matrix: try takeMatrixDampings(vectors)
    }
    for mode in 0..<kept where frequencies[mode] > 0 {
      let ratio = dampings[mode] / (2 * frequencies[mode])
      // A rounding of the largest ratio is not the caller's fault.
      guard 0...ModalLimits.dampingRatios.upperBound * (1 + 1e-12) ~= ratio else {
        throw .invalidDamping("mode \(mode) has the damping ratio \(ratio); it must be in 0…1e6")
      }
    }
  }

  /// Takes φᵀ·C'·φ of each mode, and checks that C'·φ has no other part.
  private mutating func takeMatrixDampings(_ vectors: [Double]) throws(ModalError) {
    guard let scaledDamping else { return }
    let size = scaledDamping.reduce(0) { max($0, abs($1)) }
    var worst = 0.0
    for mode in 0..<kept {
      let vector = Array(vectors[mode * count..<(mode + 1) * count])
      let product = (0..<count).map { row in
        (0..<count).reduce(0) { $0 + scaledDamping[row * count + $1] * vector[$1] }
      }
      let damping = zip(product, vector).reduce(0) { $0 + $1.0 * $1.1 }
      worst = zip(product, vector).reduce(worst) { max($0, abs($1.0 - damping * $1.1)) }
      guard damping >= -couplingLimit * size else {
        throw .invalidDamping("a damping matrix must not give energy; mode \(mode) has \(damping) per second")
      }
      dampings.append(max(0, damping))
    }
    guard worst <= couplingLimit * size else { throw .dampingDoesNotDecouple(coupling: worst / size) }
  }

  // MARK: - Shapes

  /// Makes U = M^(−1/2)·Φ over all points.
  private mutating func scaleShapes(_ vectors: [Double]) {
    let points = network.pointCount
    shapes = [Double](repeating: 0, count: kept * points)
    for mode in 0..<kept {
      for (place, point) in freedom.points.enumerated() {
        shapes[mode * points + point] = vectors[mode * count + place] * inverseRoots[place]
      }
    }
  }
}
