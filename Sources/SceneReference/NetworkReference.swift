// SPDX-License-Identifier: MIT
import ModalMotion
import Murmuration
import MurmurationReference
import Scenes

/// The motion of some points of networks by the model: each mode of each network in Double, and their sum.
///
/// It takes the player's modes, which the decomposition has checked, and judges their springs, the gestures and the
/// products. The bound of a point is the sum of three: the bounds of its modes, the rounding of shapes and sums in Float,
/// and the batch's tolerance of rest.
struct NetworkReference {
  /// The state of a point, and how far a batch may be from it.
  struct Sample {
    var track: Int
    var state: MotionSample
  }

  /// The index of the group in its scene.
  let index: Int
  /// The indices of the points, ascending.
  let tracks: [Int]

  private struct Network {
    var instance: Int
    var tracks: [Int]
    var modes: [SpringMotion]
    /// The number of gestures so far. A mode may have counted as at rest before each of them.
    var gestures = 0
  }

  private let basis: ModalBasis
  private let shapes: [[Double]]
  private let tolerance: Double
  private var networks: [Network] = []
  private var course: GestureCourse?

  /// Points of group `index`, at rest. Their springs are slower than the network's by the fraction `slowing`.
  init(
    _ group: NetworkGroup, index: Int, tracks: [Int], _ modes: (basis: ModalBasis, tolerance: Float),
    _ playable: PlayableScene, slowing: Double
  ) throws(ModalError) {
    let basis = modes.basis
    self.index = index
    self.tracks = tracks
    self.basis = basis
    tolerance = Double(modes.tolerance)
    let scene = playable.scene
    course = GestureCourse(
      group, basis: basis, index: index, instances: group.instances(of: scene.groups[index].count), scene: scene)
    var shapes: [[Double]] = []
    for mode in 0..<basis.modeCount { shapes.append(try basis.shape(mode: mode)) }
    self.shapes = shapes
    let modes = (basis.freeModeCount..<basis.modeCount).map { mode in
      let frequency = basis.frequencies[mode]
      return SpringMotion(
        Spring(response: 2 * .pi / frequency * (1 + slowing), dampingRatio: basis.dampings[mode] / (2 * frequency)),
        values: [0], at: 0)
    }
    for track in tracks {
      let instance = track / basis.pointCount
      if networks.last?.instance != instance {
        networks.append(Network(instance: instance, tracks: [], modes: modes))
      }
      networks[networks.count - 1].tracks.append(track)
    }
  }

  /// Plays the gestures until `time`.
  mutating func play(to time: Double) throws(ModalError) {
    while let change = course?.next(until: time) {
      guard let place = networks.firstIndex(where: { $0.instance == change.instance }) else { continue }
      var targets = [Double](repeating: 0, count: basis.modeCount)
      if let pull = change.pull { targets = try basis.modes(ofPullTo: pull.displacement, at: pull.point) }
      networks[place].gestures += 1
      for mode in networks[place].modes.indices {
        networks[place].modes[mode].retarget(
          to: [Double(Float(targets[basis.freeModeCount + mode]))], nil, at: change.time)
      }
    }
  }

  /// The states of the points at `time`, in the order of the tracks.
  func samples(at time: Double) -> [Sample] {
    networks.flatMap { network in
      let modes = network.modes.map { $0.sample(0, at: time) }
      // A share of the summed magnitudes for each rounding on the way: shape, product, sums.
      let rounding = Double(modes.count + 4) * 0x1p-24
      let rest = tolerance * Double(1 + 2 * network.gestures)
      return network.tracks.map { track in
        let point = track % basis.pointCount
        var sample = MotionSample(value: 0, velocity: 0)
        for (mode, state) in modes.enumerated() {
          let shape = shapes[basis.freeModeCount + mode][point]
          let frequency = basis.frequencies[basis.freeModeCount + mode]
          sample.value += shape * state.value
          sample.velocity += shape * state.velocity
          sample.bound.value += abs(shape) * (state.bound.value + rest + rounding * abs(state.value))
          sample.bound.velocity +=
            abs(shape) * (state.bound.velocity + rest * frequency + rounding * abs(state.velocity))
        }
        return Sample(track: track, state: sample)
      }
    }
  }
}
