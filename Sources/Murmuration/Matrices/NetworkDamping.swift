// SPDX-License-Identifier: MIT

/// The damping of a network, which takes energy out of it.
///
/// Modes move independently only if the damping is diagonal where mass and stiffness are. The first four kinds always are;
/// a matrix is checked.
public enum NetworkDamping: Hashable, Sendable {
  /// No damping: the network moves for ever.
  case none
  /// C = α·M + β·K: α in 1/s slows all motion, free motion too; β in s slows quick modes more than slow ones. The ratio
  /// of a mode is (α/ω + β·ω)/2.
  case rayleigh(mass: Double, stiffness: Double)
  /// The same damping ratio ζ for each mode; 0 is undamped, 1 critical. Free modes are not damped.
  case ratio(Double)
  /// A damping ratio for each mode that is kept, the lowest first. The ratios of free modes have no effect.
  case ratios([Double])
  /// A symmetric matrix C, row-major over all points, in mass per second. It must decouple, which it does if and only
  /// if C·M⁻¹·K is symmetric; otherwise ``ModalError/dampingDoesNotDecouple(coupling:)`` is thrown.
  ///
  /// Source: Caughey and O'Kelly, "Classical normal modes in damped linear dynamic systems" (J. Appl. Mech. 32, 1965).
  case matrix([Double])
}
