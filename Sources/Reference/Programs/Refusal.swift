// SPDX-License-Identifier: MIT
import Murmuration

/// A call that a batch must refuse.
enum Refusal: String, CaseIterable, Sendable {
  case staleRetarget, staleSet, staleRemoval
  case staleAmongRetargets, staleAmongSets, staleAmongRemovals, staleAmongSprings
  case foreignRetarget, foreignAmongRetargets, foreignAmongRemovals
  case badStart, badTarget, badVelocity
  case badAmongStarts, badAmongTargets, badAmongIndices, badAmongAll, badAmongSets
  case badSpring, badSpringForMany, badSpringAmongStarts, badSpringAmongRetargets, badSpringForAll
  case fewTargets, manyTargets, fewSprings, fewHandles, fewVelocities, fewForAll
  case noSuchDimension, noSuchIndices, shortOutput
  case noTime, hugeTime

  /// Whether it needs a track.
  var needsTrack: Bool {
    switch self {
    case .badStart, .badAmongStarts, .badSpring, .badSpringAmongStarts, .fewHandles, .fewVelocities, .manyTargets,
      .noSuchDimension, .noSuchIndices, .noTime, .hugeTime:
      false
    default: !isStale
    }
  }

  /// Whether it needs the handle of a track that was removed.
  var isStale: Bool {
    switch self {
    case .staleRetarget, .staleSet, .staleRemoval, .staleAmongRetargets, .staleAmongSets,
      .staleAmongRemovals, .staleAmongSprings:
      true
    default: false
    }
  }

  /// Whether an error names the right reason.
  func isExplained(by error: BatchError) -> Bool {
    switch (self, error) {
    case (_, .staleHandle): isStale
    case (.foreignRetarget, .storeMismatch), (.foreignAmongRetargets, .storeMismatch),
      (.foreignAmongRemovals, .storeMismatch):
      true
    case (.badStart, .invalidValue), (.badTarget, .invalidValue), (.badVelocity, .invalidValue),
      (.badAmongStarts, .invalidValue), (.badAmongTargets, .invalidValue), (.badAmongIndices, .invalidValue),
      (.badAmongAll, .invalidValue), (.badAmongSets, .invalidValue):
      true
    case (.badSpring, .invalidSpring), (.badSpringForMany, .invalidAnimation), (.badSpringAmongStarts, .invalidSpring),
      (.badSpringAmongRetargets, .invalidSpring), (.badSpringForAll, .invalidAnimation):
      true
    case (.fewTargets, .wrongCount), (.manyTargets, .wrongCount), (.fewSprings, .wrongCount),
      (.fewHandles, .wrongCount), (.fewVelocities, .wrongCount), (.fewForAll, .wrongCount),
      (.noSuchIndices, .trackOutOfRange), (.shortOutput, .wrongCount):
      true
    case (.noSuchDimension, .dimensionOutOfRange): true
    case (.noTime, .invalidTime), (.hugeTime, .invalidTime): true
    default: false
    }
  }
}
