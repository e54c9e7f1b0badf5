// SPDX-License-Identifier: MIT
public import Kernels

/// arm64 has 32 registers, x86-64 without AVX-512 has 16.
#if arch(arm64)
  typealias PortableRow = WideRow<Portable>
#else
  typealias PortableRow = NarrowRow<Portable>
#endif

/// The kernels compiled for the baseline.
public let kernelsPortable = unsafe KernelTable(
  width: 4,
  evaluateCohort: { Portable.evaluateCohort($0, $1, $2, velocities: $3) },
  evaluateShared: { Portable.evaluateShared($0, $1, $2, velocities: $3) },
  evaluateOscillating: { Portable.evaluateMixed($0, $1, now: $2, Oscillating.self, velocities: $3) },
  evaluateOverdamped: { Portable.evaluateMixed($0, $1, now: $2, Overdamped.self, velocities: $3) },
  evaluateBases: { Portable.evaluateBases($0, count: $1, now: $2, $3) },
  restartCohort: { Portable.restartCohort($0, $1, $2, $3, stride: $4) },
  restartOscillating: { Portable.restartMixed($0, $1, now: $2, $3, stride: $4, Oscillating.self) },
  restartOverdamped: { Portable.restartMixed($0, $1, now: $2, $3, stride: $4, Overdamped.self) },
  findDue: { Portable.findDue($0, $1, now: $2, $3) },
  restOscillating: { Portable.computeRest($0, $1, $2, Oscillating.self) },
  restOverdamped: { Portable.computeRest($0, $1, $2, Overdamped.self) },
  bake: unsafe BakeKernels(
    lanes: { Portable.bakeLanes($0, count: $1, $2, $3) },
    cohort: { Portable.bakeCohort($0, count: $1, $2, frames: $3, $4) },
    legs: { unsafe Portable.bakeLegs($0, times: $1, $2, velocities: $3, varies: $4) },
    motions: { Portable.bakeMotions($0, count: $1, $2, velocities: $3) },
    write: { Portable.writeBlock($0, lanes: $1, frames: $2, $3) }),
  evaluateClips: { unsafe Portable.evaluateClips($0, $1, tables: $2, now: $3, velocities: $4) },
  intervals: IntervalKernels(
    list: { Portable.listOutside($0, count: $1, now: $2, $3) },
    findLanes: { Portable.findLanes($0, $1, now: $2, $3) },
    intersect: { Portable.intersect($0, $1, $2) },
    placeLegs: { Portable.placeLegs($0, $1, now: $2, shortest: $3, $4, $5) }),
  evaluateRows: { Portable.evaluateRows($0, piece: $1, distance: $2, rate: $3, stores: $4) },
  bakePieces: { Portable.bakePieces($0, count: $1, $2, frames: $3, $4) },
  matrices: MatrixKernels(
    panelColumns: Portable.panelColumns(PortableRow.self), multiply: { Portable.multiply($0, PortableRow.self) },
    scale: { Portable.scale($0) }, isWithin: { Portable.isWithin($0, $1, $2) },
    addValues: { Portable.addValues($0) }, addRotations: { Portable.addRotations($0) },
    finishValues: { Portable.finishValues($0, rest: $1) },
    finishRotations: { Portable.finishRotations($0, rest: $1) }),
  fence: { Portable.fence() })

/// Initializes memory for a `KernelTable` with these kernels; the linker finds it by its name in C.
@_cdecl("murmuration_kernels_portable")
public func copyKernels(_ table: UnsafeMutableRawPointer) {
  unsafe table.initializeMemory(as: KernelTable.self, to: kernelsPortable)
}
