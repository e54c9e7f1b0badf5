// SPDX-License-Identifier: MIT
import Murmuration
import MurmurationReference
import Testing

// Programs of a few calls about one track of one component.

func advance(to time: Double) -> BatchCall { BatchCall(.advance(to: time, velocities: true)) }

func animate(to goal: Float, _ animation: Animation, after delay: Double? = nil) -> BatchCall {
  BatchCall(.animate, .all, goals: [goal], animations: [animation], numbers: delay.map { [$0] } ?? [])
}

/// Checks some calls for one track.
func expectAgreement(from value: Float, _ calls: [BatchCall]) throws {
  let recording = BatchRecording(dimensions: 1, calls: [BatchCall(.add, values: [value])] + calls)
  let report = try check(recording, kernels: .portable)
  #expect(report.passed, "\(report)")
}
