// SPDX-License-Identifier: MIT

/// When a track that plays a sequence of phases sets out for phase 1.
public enum PhasePlayback: Hashable, Sendable {
  /// At its start, and again after each round.
  case loops
  /// At a trigger, for one round.
  case triggered
}
