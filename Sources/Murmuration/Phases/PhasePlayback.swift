// SPDX-License-Identifier: MIT

/// When a track that plays a sequence of phases sets out for phase 1.
public enum PhasePlayback: Hashable, Sendable {
  /// At its start, and again and again.
  case loops
  /// At a trigger, once each time.
  case triggered
}
