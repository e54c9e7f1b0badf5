// SPDX-License-Identifier: MIT
import Kernels
import KernelsPortable

/// The kernels of the baseline: SSE2 on x86-64, NEON on arm64.
let kernels = kernelsPortable

/// A check that draws from a seed, runs some kernels, and adds all bits that they write.
private struct Section: Sendable {
  let name: StaticString
  let run: @Sendable (inout Hash) -> Void
}

private let sections = [
  Section(name: "single numbers", run: singleNumbers),
  Section(name: "plans", run: plans),
  Section(name: "lists of springs", run: springLists),
  Section(name: "curve fits", run: curveFits),
  Section(name: "mixed springs, oscillating") { mixedSprings(&$0, .oscillating) },
  Section(name: "mixed springs, overdamped") { mixedSprings(&$0, .overdamped) },
  Section(name: "mixed springs of both regimes") { mixedSprings(&$0, .both) },
  Section(name: "uniform springs, oscillating") { uniformSprings(&$0, .oscillating) },
  Section(name: "uniform springs, overdamped") { uniformSprings(&$0, .overdamped) },
  Section(name: "bases", run: bases),
  Section(name: "restarts, oscillating") { restarts(&$0, .oscillating) },
  Section(name: "restarts, overdamped") { restarts(&$0, .overdamped) },
  Section(name: "restarts of both regimes") { restarts(&$0, .both) },
  Section(name: "uniform restarts", run: uniformRestarts),
  Section(name: "followers", run: followers),
  Section(name: "springs of elements", run: elementSprings),
  Section(name: "curves of elements", run: elementEases),
  Section(name: "colours", run: colors),
  Section(name: "rotations", run: rotations),
  Section(name: "shared clips", run: sharedClips),
  Section(name: "added clips", run: addedClips),
  Section(name: "own clips", run: ownClips),
  Section(name: "wide clips", run: wideClips),
  Section(name: "rows", run: rows),
  Section(name: "interleaved columns", run: interleavedColumns),
  Section(name: "vertices", run: vertices),
  Section(name: "intervals", run: intervals),
  Section(name: "legs", run: legs),
  Section(name: "products", run: products),
  Section(name: "column scales", run: columnScales),
  Section(name: "poses", run: poses),
  Section(name: "nodes", run: nodes),
  Section(name: "baked lanes", run: bakedLanes),
  Section(name: "baked legs", run: bakedLegs),
  Section(name: "baked rows", run: bakedRows),
  Section(name: "baked pieces", run: bakedPieces),
]

/// The number of sections.
@_cdecl("section_count")
public func sectionCount() -> Int { sections.count }

/// The name of a section, which ends with a zero.
@_cdecl("section_name")
public func sectionName(_ index: Int) -> UnsafePointer<UInt8> { sections[index].name.utf8Start }

/// Runs a section and returns its hash.
@_cdecl("section_hash")
public func sectionHash(_ index: Int) -> UInt64 {
  var hash = Hash()
  sections[index].run(&hash)
  return hash.state
}
