// SPDX-License-Identifier: MIT

/// The dimensions of a value to which the components of a track belong.
enum ComponentMap {
  /// The dimension of each component of the track's property, or nil if the property is more than a copy of some of the
  /// value's animatable components.
  ///
  /// A property is found by writing numbers of many sizes to it, over the initial value and over another value. Each number
  /// must appear unchanged, always in the same dimension, and leave all other dimensions alone. So a setter that rounds,
  /// clamps or mixes any of the numbers tried, or the track's own, is found to be more than a copy.
  static func dimensions<Root: Animatable>(
    of track: any ResolvedTrack<Root>, path: ComponentPath, in initialValue: Root
  ) -> [Int]? where Root.AnimatableData: ComponentVector {
    if track.isWhole { return Array(0..<path.width) }
    var other = initialValue
    // Numbers that no property holds by accident or scales by.
    var data = Root.AnimatableData.zero
    for index in 0..<Root.AnimatableData.componentCount {
      data[component: index] = 0.40625 + Double(index) * 0.0546875
    }
    other.animatableData = data
    var dimensions: [Int]?
    for base in [initialValue, other] {
      for probe in probes(path) {
        guard let found = place(probe, in: base, of: track, expected: dimensions) else { return nil }
        dimensions = found
      }
    }
    return dimensions
  }

  /// The dimensions in which the numbers of a probe appear; nil unless each does and nothing else changes.
  private static func place<Root: Animatable, Track: ResolvedTrack>(
    _ probe: [Double], in base: Root, of track: Track, expected: [Int]?
  ) -> [Int]? where Root.AnimatableData: ComponentVector, Track.Root == Root {
    var changed = base
    track.set(components: probe, in: &changed)
    let written = track.components(in: changed)
    let (before, after) = (base.animatableData.components, changed.animatableData.components)
    // A property that is not part of the animatable data, or cannot be seen there.
    if before == after, expected?.isEmpty ?? true { return [] }
    // Numbers that the property keeps as Float come back unchanged.
    guard zip(written, probe).allSatisfy({ $0 == $1 || $0 == Double(Float($1)) }) else { return nil }
    let dimensions = expected ?? written.compactMap { after.firstIndex(of: $0) }
    let places = Set(dimensions)
    guard places.count == written.count, zip(dimensions, written).allSatisfy({ after[$0] == $1 }) else { return nil }
    return after.indices.allSatisfy { places.contains($0) || before[$0] == after[$0] } ? dimensions : nil
  }

  /// The numbers to write. The numbers of the first probe are all different, and values do not hold them by accident.
  private static func probes(_ path: ComponentPath) -> [[Double]] {
    var probes: [[Double]] = []
    for scale in [1.2197265625, -977.123046875, 0.000_030_517_578_125, 1_048_577.5] {
      probes.append((0..<path.width).map { scale * (1 + Double($0) * 0x1p-10) })
    }
    for key in path.segments.indices {
      probes.append(path.ends[key * path.width..<(key + 1) * path.width].map(\.to))
    }
    return probes
  }
}
