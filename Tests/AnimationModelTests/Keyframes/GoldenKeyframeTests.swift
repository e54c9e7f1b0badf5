// SPDX-License-Identifier: MIT
import AnimationModel
import TestSupport
import Testing

/// Keyframes against values computed with 50 digits.
struct GoldenKeyframeTests {
  /// Columns t0, t1, p0, m0, p1, m1, t, value, velocity; the keyframe starts at zero, so its times are differences.
  @Test("Hermite cubics hold within 64 roundings of their scale, value and velocity")
  func hermite() throws {
    let rows = try GoldenEasing.load().hermite.rows.map { $0.compactMap(\.self) }
    #expect(rows.count > 100)
    for row in rows {
      let (start, end, time) = (row[0], row[1], row[6] - row[0])
      let timeline = KeyframeTimeline(initialValue: row[2]) {
        CubicKeyframe(row[4], duration: end - start, startVelocity: row[3], endVelocity: row[5])
      }
      let velocityScale = max(abs(row[3]), abs(row[5]), (abs(row[2]) + abs(row[4])) / (end - start))
      let scale = velocityScale * (end - start)
      #expect(abs(timeline.value(time: time) - row[7]) <= 64 * 0x1p-53 * scale, "\(row)")
      #expect(abs(timeline.velocity(time: time) - row[8]) <= 64 * 0x1p-53 * velocityScale, "\(row)")
    }
  }

  /// Imported tracks name absolute key times: each piece is the same cubic segment that cubic keyframes use.
  @Test("Catmull-Rom tracks hold within 64 roundings of their scale")
  func catmullRom() throws {
    let tracks = try GoldenEasing.load().catmullRom.tracks
    #expect(!tracks.isEmpty)
    for track in tracks {
      let (times, values) = (track.times, track.values)
      let last = times.count - 1
      let velocities = times.indices.map { key in
        let (before, after) = (max(0, key - 1), min(last, key + 1))
        return CubicSegment.automaticVelocity(
          previous: values[before], before: times[key] - times[before], next: values[after],
          after: times[after] - times[key])
      }
      let scale = values.map(\.magnitude).max() ?? 0
      for sample in track.samples {
        guard let key = times.firstIndex(where: { $0 >= sample[0] }), key > 0 else {
          #expect(sample[1] == (sample[0] <= times[0] ? values[0] : values[last]))
          continue
        }
        let segment = CubicSegment(
          from: values[key - 1], to: values[key], startVelocity: velocities[key - 1], endVelocity: velocities[key],
          duration: times[key] - times[key - 1])
        #expect(abs(segment.value(at: sample[0] - times[key - 1]) - sample[1]) <= 64 * 0x1p-53 * scale, "\(sample)")
      }
    }
  }

  /// At a shared time the last key of an imported track wins; a keyframe boundary belongs to the earlier keyframe.
  @Test("Linear tracks hold, but for the instant of a jump")
  func linear() throws {
    for track in try GoldenEasing.load().linear.tracks {
      let timeline = KeyframeTimeline(initialValue: track.values[0]) {
        for key in 1..<track.times.count {
          LinearKeyframe(track.values[key], duration: track.times[key] - track.times[key - 1])
        }
      }
      for sample in track.samples {
        let keys = track.times.indices.filter { track.times[$0] == sample[0] }
        let expected = keys.count > 1 ? track.values[keys[0]] : sample[1]
        #expect(timeline.value(time: sample[0]) == expected, "\(sample)")
      }
    }
  }
}
