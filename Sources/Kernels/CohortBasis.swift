// SPDX-License-Identifier: MIT

/// The basis of a cohort at one time, rounded from Double.
public struct CohortBasis: Sendable, Equatable {
  public var valueOfDisplacement: Float
  public var valueOfVelocity: Float
  public var velocityOfDisplacement: Float
  public var velocityOfVelocity: Float

  public init(
    valueOfDisplacement: Float, valueOfVelocity: Float, velocityOfDisplacement: Float, velocityOfVelocity: Float
  ) {
    self.valueOfDisplacement = valueOfDisplacement
    self.valueOfVelocity = valueOfVelocity
    self.velocityOfDisplacement = velocityOfDisplacement
    self.velocityOfVelocity = velocityOfVelocity
  }
}
