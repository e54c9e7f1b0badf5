// SPDX-License-Identifier: MIT
import AnimationModel
@testable import Murmuration
@testable import MurmurationClips
@testable import MurmurationEngine

/// A program of a test that has the same bits everywhere, and the hash that the test expects of it.
private struct Program: Sendable {
  let name: StaticString
  let run: @Sendable () throws(BatchError) -> PinnedHash
}

private let programs = [
  Program(name: "SameBitsTests") { () throws(BatchError) in
    PinnedHash(hash: try SameBitsProgram.hash(.portable), pinned: SameBitsProgram.pinned)
  },
  Program(name: "PinnedBitsTests.springs") { () throws(BatchError) in try PinnedPrograms.springs(.portable) },
  Program(name: "PinnedBitsTests.curves") { () throws(BatchError) in try PinnedPrograms.curves(.portable) },
  Program(name: "PinnedBitsTests.clips") { () throws(BatchError) in
    try PinnedPrograms.clips(.portable, hasOwnTiles: false, pinnedClip)
  },
  Program(name: "PinnedBitsTests.clips in tiles of their own") { () throws(BatchError) in
    try PinnedPrograms.clips(.portable, hasOwnTiles: true, pinnedClip)
  },
  Program(name: "PinnedBitsTests.phases") { () throws(BatchError) in try PinnedPrograms.phases(.portable) },
]

/// A clip of `PinnedBitsTests`, whose keyframes are written with key paths there.
private func pinnedClip(_ number: Int) -> Clip {
  guard let clip = try? pinnedClip(number, from: [Double(number), -3], velocities: [0, 0]) else {
    fatalError("a pinned clip is refused")
  }
  return clip
}

private func pinnedClip(_ number: Int, from values: [Double], velocities: [Double]) throws(ClipError) -> Clip {
  let keyframes: [[Keyframe<Double>]] = [
    [
      .linear(to: 10 + Double(number), duration: 0.3, timingCurve: .easeInOut),
      .cubic(to: -5, duration: 0.25, startVelocity: nil, endVelocity: nil),
      .move(to: 2),
    ],
    [.cubic(to: 40, duration: 0.7, startVelocity: nil, endVelocity: nil)],
  ]
  var tracks: [PieceTrack] = []
  for dimension in 0..<2 {
    let path = KeyframePath(
      initialValue: values[dimension], initialVelocity: velocities[dimension], keyframes: keyframes[dimension])
    tracks.append(
      try TrackCompiler(path.componentPath, track: dimension, tolerance: 0x1p-16).pieceTrack(components: [dimension]))
  }
  return try Clip(
    checkedTracks: tracks, initialValues: values, duration: 0.7, valueErrorBounds: [0, 0],
    velocityErrorBounds: [0, 0]
  ) { values, velocities throws(ClipError) in try pinnedClip(number, from: values, velocities: velocities) }
}

/// The number of programs.
@_cdecl("program_count")
public func programCount() -> Int { programs.count }

/// The name of a program, which ends with a zero.
@_cdecl("program_name")
public func programName(_ index: Int) -> UnsafePointer<UInt8> { programs[index].name.utf8Start }

/// Runs a program and returns its hash; the one that is expected goes to a place.
@_cdecl("program_hash")
public func programHash(_ index: Int, _ pinned: UnsafeMutablePointer<UInt64>) -> UInt64 {
  do throws(BatchError) {
    let result = try programs[index].run()
    precondition(result.called == 0, "a hash depends on functions of the system")
    pinned.pointee = result.pinned
    return result.hash
  } catch {
    fatalError("a call of a program is refused")
  }
}
