// SPDX-License-Identifier: MIT

/// The basis of a cohort at one time, rounded from Double: the factors of displacement and amplitude in the value and
/// in the velocity.
public struct CohortBasis: Sendable, Equatable, BitwiseCopyable {
  public var valueOfDisplacement: Float
  public var valueOfAmplitude: Float
  public var velocityOfDisplacement: Float
  public var velocityOfAmplitude: Float

  public init(
    valueOfDisplacement: Float, valueOfAmplitude: Float, velocityOfDisplacement: Float, velocityOfAmplitude: Float
  ) {
    self.valueOfDisplacement = valueOfDisplacement
    self.valueOfAmplitude = valueOfAmplitude
    self.velocityOfDisplacement = velocityOfDisplacement
    self.velocityOfAmplitude = velocityOfAmplitude
  }

  /// The basis of a motion that is over.
  public static let rest = CohortBasis(
    valueOfDisplacement: 0, valueOfAmplitude: 0, velocityOfDisplacement: 0, velocityOfAmplitude: 0)
}
