// SPDX-License-Identifier: MIT
import Kernels
import Murmuration
@testable import MurmurationClips

private let count = 272

/// Springs of both regimes, the sixth of which jumps: one for each element, or the first one for all.
private func drawElementSprings(isUniform: Bool, _ random: inout SplitMix64) -> SpringNumbers {
  let springs = SpringNumbers(
    rate: random.doubles(count, -30...30), decay: random.floats(count, 0...40), perκ: zeroed(count),
    damping: zeroed(count), squaredFrequency: zeroed(count), isUniform: isUniform)
  springs.rate[5] = 0
  for lane in 0..<count {
    if isUniform { (springs.rate[lane], springs.decay[lane]) = (springs.rate[0], springs.decay[0]) }
    let (rate, α) = (springs.rate[lane], Double(springs.decay[lane]) * 0.6931471805599453)
    let κ = rate * (rate > 0 ? 0.6931471805599453 : -.pi / 2)
    springs.perκ[lane] = rate == 0 ? 0 : 1 / κ
    springs.damping[lane] = rate == 0 ? .infinity : Float(2 * α + (rate > 0 ? κ : 0))
    springs.squaredFrequency[lane] = Float(α * α + κ * (rate > 0 ? α : κ))
  }
  return springs
}

/// Springs at ages and steps over a caller's columns, with a spring each and with one for all.
func elementSprings(_ hash: inout Hash) {
  for isUniform in [false, true] {
    var random = SplitMix64(seed: 47)
    let springs = drawElementSprings(isUniform: isUniform, &random)
    let columns = (0..<4).map { ElementColumn(random.floats(count, $0 == 3 ? 0...3 : -100...100).constant) }
    let (values, velocities): (Column<Float>, Column<Float>) = (zeroed(count), zeroed(count))
    for age in [0, 0.3, 40.0] {
      for writesVelocities in [true, false] {
        kernels.elements.evaluate(
          SpringElements(
            springs: springs, values: columns[0], velocities: columns[1], targets: columns[2], ages: columns[3],
            newValues: values, newVelocities: writesVelocities ? velocities : nil), count, age)
        hash.add(values, count)
        hash.add(velocities, count)
      }
    }
    let factors = StepNumbers(zeroed(FollowColumns.factorCount * count), stride: count)
    for seconds in [0.016, 1, 0.001, 10] {
      if !isUniform { kernels.elements.keepSteps(springs, count, seconds, factors) }
      for steps in isUniform ? [nil] : [nil, factors] {
        kernels.elements.step(
          StepElements(springs: springs, steps: steps, values: values, velocities: velocities, targets: columns[2]),
          count, seconds)
        hash.add(values, count)
        hash.add(velocities, count)
      }
    }
  }
}

/// Curves over a caller's columns.
func elementEases(_ hash: inout Hash) {
  var random = SplitMix64(seed: 53)
  for pieceCount in [1, 5, 40] {
    let tables = ClipTables(drawClip(pieceCounts: [pieceCount], components: [1], seed: UInt64(pieceCount)))!
    let progress = ElementColumn(random.floats(count, -0.1...1.1).constant)
    let range = (
      from: ElementColumn(random.floats(count, -9...9).constant),
      to: ElementColumn(random.floats(count, -9...9).constant)
    )
    let values: Column<Float> = zeroed(count)
    for range in [nil, range] {
      kernels.elements.ease(
        tables.table.tracks[0], EaseElements(progress: progress, range: range, values: values, first: 0, last: 1), count
      )
      hash.add(values, count)
    }
    withExtendedLifetime(tables) {}
  }
}

/// Colours of each encoding as each other one: numbers of each magnitude, and those that are none.
func colors(_ hash: inout Hash) {
  let (count, stride) = (208, 224)
  var random = SplitMix64(seed: 83)
  for steps in 0..<36 {
    let columns = random.floats(4 * stride, -0.5...1.5)
    for index in 0..<4 * stride where random.next() % 4 == 0 {
      // A number that is none would have bits of the processor.
      let any = Float(bitPattern: UInt32(random.next() >> 32))
      columns[index] = any.magnitude < 0x1p30 ? any : 0
    }
    let numbers = ColorSteps(
      divides: steps % 2 == 0, from: Int32(1 + steps / 4 % 3), to: Int32(1 + steps / 12), multiplies: steps / 2 % 2 == 0
    )
    kernels.elements.convertColors(ColorColumns(columns, stride: stride, count: count), numbers)
    for index in 0..<4 * stride {
      let number = columns[index]
      hash.add(number.isNaN ? .nan : number)
    }
  }
}

/// Rotations that show, and that are turned to other goals from each source.
func rotations(_ hash: inout Hash) {
  let (stride, run) = (64, LaneRun(firstLane: 0, laneCount: 3 * laneCountOfTile))
  var random = SplitMix64(seed: 89)
  func drawn(_ size: Double) -> Column<Float> { random.floats(4 * stride, -size...size) }
  for source in [RotationSource.shown, .offset, .quaternion] {
    for size in [0.01, 3, 30] {
      func columns() -> RotationColumns {
        RotationColumns(
          value: drawn(size), velocity: drawn(3 * size), dimensionStride: stride, goal: drawn(1), shown: drawn(1),
          stride: stride)
      }
      let (tracks, turned, goals) = (columns(), columns(), drawn(1).constant)
      kernels.rotations.show(tracks, run, source == .quaternion)
      kernels.rotations.turn(tracks, run, source, goals, stride, turned)
      for column in [tracks.shown, turned.value, turned.velocity, turned.goal] { hash.add(column, 4 * stride) }
      hash.add(kernels.rotations.haveDirections(goals, stride, run.laneCount))
    }
  }
}
