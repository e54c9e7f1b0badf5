// SPDX-License-Identifier: MIT
public import Murmuration
import Text

extension GLTFAnimation {
  /// The default bound of the distance between a fitted rotation and the specification's, as vectors of four numbers.
  ///
  /// Turns differ by at most twice that. With the error of evaluation in Float they stay within 10⁻⁶ radians.
  public static let rotationTolerance = 4e-7

  /// The default of `sharedPieces` below: the most pieces that kernels look up within registers.
  package static let sharedPieces = 32

  /// The most pieces that the clips of one file may have together, counted for each component.
  package static let pieceLimit = 1 << 23
  /// The most components that the channels of an animation may have.
  package static let componentLimit = BatchLimits.maximumDimensions

  /// The animation as a clip, with a dimension for each component in the order of ``labels``.
  ///
  /// Steps, lines and splines of vectors become pieces that are exact up to rounding; rotations become pieces fitted
  /// within `tolerance`. At the time of a key its value shows: boundaries belong to the later piece.
  ///
  /// - Parameter tolerance: The largest distance between a fitted rotation and the specification's, as vectors of four
  ///   numbers; 2⁻⁴⁰ to 2⁻².
  /// - Throws: ``FileError`` with the channel: for a rotation that passes through zero, keys too steep for Float, more than
  ///   4 096 components, or more than 2²³ pieces.
  /// - Complexity: O(n) in the number of pieces.
  public func clip(tolerance: Double = rotationTolerance) throws(FileError) -> Clip {
    var spare = Self.pieceLimit
    return try clip(tolerance: tolerance, spare: &spare)
  }

  /// The clip of one of a file's animations, which share a number of pieces; see ``clip(tolerance:)``.
  ///
  /// - Parameters:
  ///   - tolerance: The largest difference of fitted rotations; 2⁻⁴⁰ to 2⁻².
  ///   - sharedPieces: The number of pieces up to which channels with the same key times share their boundaries in any
  ///     case.
  ///   - spare: The number of pieces that may still be made; the clip's pieces are subtracted.
  /// - Throws: `FileError` with the channel: for a rotation that passes through zero, keys too steep for Float, or too
  ///   many pieces.
  /// - Complexity: O(n) in the number of pieces.
  package func clip(
    tolerance: Double = rotationTolerance, sharedPieces: Int = sharedPieces, spare: inout Int
  ) throws(FileError) -> Clip {
    guard components <= Self.componentLimit else {
      throw FileError(place: "\(place).channels", "have \(components) components; \(Self.componentLimit) is the limit")
    }
    guard Clip.tolerances.contains(tolerance) else {
      throw FileError("the tolerance must be in 2⁻⁴⁰ to 2⁻², is \(NumberText.short(tolerance))")
    }
    var valueErrors = [Double](repeating: 0, count: components)
    var velocityErrors = valueErrors
    var tracks: [PieceTrack] = []
    // For errors: the channels of each track, and the keys of its pieces.
    var sources: [GLTFTrackCompiler] = []
    for plan in try GLTFTrackPlan.plans(for: self, tolerance: tolerance, limit: sharedPieces, spare: spare) {
      var compiler = GLTFTrackCompiler(animation: self, plan: plan)
      guard let track = try compiler.track(spare: &spare) else { continue }
      for (component, dimension) in track.components.enumerated() {
        valueErrors[dimension] = compiler.valueErrors[component]
        velocityErrors[dimension] = compiler.velocityErrors[component]
      }
      tracks.append(track)
      sources.append(compiler)
    }
    do {
      return try Clip(
        dimensions: components, initialValues: GLTFReference.values(of: self, at: 0), tracks: tracks,
        duration: duration, valueErrorBounds: valueErrors, velocityErrorBounds: velocityErrors)
    } catch {
      throw GLTFAnimation.error(error, in: self, sources)
    }
  }

  /// A clip's error with the place in the file instead of the place in the tracks.
  private static func error(
    _ error: ClipError, in animation: GLTFAnimation, _ sources: [GLTFTrackCompiler]
  ) -> FileError {
    switch error {
    case .overflow(let track, let piece, let component, let value),
      .invalidValue(let track, let piece, let component, let value):
      FileError(
        place: sources[track].place(piece: piece, component: component),
        "is too steep: a coefficient of \(NumberText.short(value)) does not fit")
    default: FileError(place: animation.place, error.description)
    }
  }
}
