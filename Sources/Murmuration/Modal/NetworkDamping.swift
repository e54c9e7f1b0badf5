// SPDX-License-Identifier: MIT

/// What takes energy out of a network.
///
/// Modes move independently only if the damping is diagonal where mass and stiffness are. The first four always are.
public enum NetworkDamping: Hashable, Sendable {
  /// Nothing does: the network moves for ever.
  case none
  /// C = α·M + β·K: α in 1/s slows all motion down, free motion too; β in s takes the more the quicker a mode is.
  /// The ratio of a mode is (α/ω + β·ω)/2.
  case rayleigh(mass: Double, stiffness: Double)
  /// The same damping ratio ζ for each mode: 0 none, 1 critical. Free modes are not damped.
  case ratio(Double)
  /// A damping ratio for each mode that is kept, the lowest first. Those of free modes say nothing.
  case ratios([Double])
  /// A symmetric matrix C, row-major over all points, in mass per second. It is accepted if it decouples, which is so if
  /// and only if C·M⁻¹·K is symmetric; else ``ModalError/dampingDoesNotDecouple(coupling:)`` is thrown.
  ///
  /// Source: Caughey and O'Kelly, "Classical normal modes in damped linear dynamic systems" (J. Appl. Mech. 32, 1965).
  case matrix([Double])
}
