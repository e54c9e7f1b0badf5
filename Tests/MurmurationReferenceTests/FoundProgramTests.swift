// SPDX-License-Identifier: MIT
import Murmuration
import MurmurationReference
import Testing

/// Programs of calls on which a batch and the reference once differed, as draws of random programs found and shortened them.
struct FoundProgramTests {
  /// A delayed spring that takes over from one that still waits begins with it, though its own clock is past its start.
  @Test func aSpringTakesOverNoMotionFromOneThatWaits() throws {
    let spring = Animation.spring(Spring(duration: 0.3783995234973174, bounce: 0.39430783613028747))
    let delayed = spring.delay(-0.25).delay(-0.25).delay(0.125).delay(0.5)
    try expectAgreement(
      from: -5840,
      [
        animate(to: -4355, delayed), advance(to: 0.0625), animate(to: 2472, delayed), advance(to: 0.6875),
        advance(to: 1),
      ])
  }

  /// A modified spring that took over comes to rest later than one from rest, and has an error until then.
  @Test func aSpringThatTookOverHasAnErrorUntilItRests() throws {
    let spring = Animation.spring(Spring(duration: 0.5531141641909166, bounce: 0.293600097076109))
      .logicallyComplete(after: 0.793580990372288)
    try expectAgreement(
      from: -24,
      [
        animate(to: -1, spring), advance(to: 0.1616202074195817), animate(to: 0, spring),
        advance(to: 1.3013179235209331),
      ])
  }

  /// A slide takes over a velocity of 0, up to an error, and moves on by that under a curve.
  @Test func aSlideFromRestMayMoveByItsError() throws {
    let curve = UnitCurve.linear(points: [
      .init(input: 0.4582997016600009, output: -0.4933590402126069),
      .init(input: 0.4582997016600009, output: -0.3201728209666732),
    ])
    try expectAgreement(
      from: -92,
      [
        advance(to: 0.3125), BatchCall(.retarget, .all, goals: [47]), advance(to: 0.32738431285587183),
        advance(to: 0.3125), BatchCall(.decelerate(Deceleration(rate: 0.998), within: nil), .all),
        animate(to: -13, .timingCurve(curve, duration: 0.75)), advance(to: 1),
      ])
  }

  /// The settling time of a spring near its end depends on the error of its start. So does the length of a clip.
  @Test func aClipFromNearItsEndMayLastLonger() throws {
    let clip = try Clip(initialValue: -7273.925716154017) { _ in
      KeyframeTrack {
        SpringKeyframe(30.613420616855365, spring: Spring(duration: 0.8912727127173139, bounce: 0.2544070819141058))
        LinearKeyframe(-5252.54622727338, duration: 0.125)
        SpringKeyframe(
          8194.187367775328, duration: 0.75, spring: Spring(duration: 0.09361327462247628, bounce: 0.7213729069504067))
      }
    }
    let first = Playback(start: -0.5651967115571193, repetition: .forever, autoreverses: true, holdsAfter: false)
    try expectAgreement(
      from: 0,
      [
        BatchCall(.loadClip(clip)), BatchCall(.play(start: .firstValue), .all, clips: [0], playbacks: [first]),
        BatchCall(.seekProgress, .all, numbers: [0]), advance(to: 6.910680893987762), BatchCall(.stop, .all),
        animate(to: 6604, .spring(Spring(duration: 0.27766650171420487, bounce: 0.9984796155548862))),
        BatchCall(.play(start: .automatic), .all, clips: [0], playbacks: [Playback()]), advance(to: 9.125),
      ])
  }

  /// Steps are added up from when the run set out, and rounded as that is, however small their moments are.
  @Test func stepsAreRoundedAsTheirRunIs() throws {
    let phases = try PhaseSequence(
      dimensions: 1, targets: [[-92.92051696777344], [10.587850570678711]],
      animations: [
        .spring(Spring(duration: 0.0836410463160456, bounce: 0.0002113770008747855)),
        .interpolatingSpring(Spring(duration: 0.12542596829194652, bounce: 0.7767298338539256), initialVelocity: 0),
      ])
    try expectAgreement(
      from: -72,
      [
        BatchCall(.setReports([.phases])), BatchCall(.loadPhases(phases)),
        BatchCall(.playPhases(.loops), .all, sequences: [0], numbers: [-2]), advance(to: 0),
        BatchCall(.setSpeed, .all, numbers: [0.75]), advance(to: 0.016666666677469646),
      ])
  }

  /// A slide from a track that may be at rest or on its way ends near one of two points, and is rounded like that point.
  @Test func aSlideFromRestOrFromTheWayEndsAtEither() throws {
    try expectAgreement(
      from: -1,
      [
        BatchCall(.setRestTolerance(try RestTolerances(value: 5)), .all),
        animate(to: -0.8331160545349121, .spring(Spring(duration: 0.1632698096547034, bounce: 0.1951854865510392))),
        advance(to: 0.4375), BatchCall(.displace, .all, values: [-0.15374614298343658], velocities: [0]),
        advance(to: 0.47501772517898777),
        BatchCall(.decelerate(Deceleration(rate: 0.998), within: nil), .all, velocities: [1]), advance(to: 1),
      ])
  }

  /// A slide takes over a velocity that a speed has multiplied, and so rounded.
  @Test func aVelocityAtAnotherPaceIsRounded() throws {
    try expectAgreement(
      from: 0,
      [
        BatchCall(.displace, .all, values: [0.3768506944179535], velocities: [-8.786005973815918]),
        animate(to: 1, .spring(Spring(duration: 0.19349788319486183, bounce: 0.4346195336928511))),
        BatchCall(.setSpeed, .all, numbers: [1.9300560483028537]),
        BatchCall(.decelerate(Deceleration(rate: 0.9424393504758467), within: nil), .all), advance(to: 51193),
      ])
  }

  /// An effect adds to a modified spring that took over from its like twice: its way leads from where that is.
  @Test func anEffectAddsToWhatSpringsTookOver() throws {
    let spring = Animation.spring(Spring(duration: 0.16350107173218448, bounce: 0.9999994680853224))
      .speed(2.5448782787749336)
    let last = Animation.spring(Spring(duration: 0.9452263381287243, bounce: 2.2488966858646294e-11))
    try expectAgreement(
      from: 1,
      [
        animate(to: 0, spring), advance(to: 0.01874616271375101), animate(to: -0.37251415848731995, spring),
        advance(to: 0.08487139615035598), animate(to: -0.1469995528459549, spring), advance(to: 0.11304473731366155),
        animate(to: 0, last.repeatCount(3, autoreverses: false)), advance(to: 0.2934692958331784),
      ])
  }

  /// A frame passes 131 000 rounds of a spring and a curve: what the spring leaves at the end of a round is in the next one.
  @Test func roundsThatAreSkippedLeaveWhatRoundsLeave() throws {
    let phases = try PhaseSequence(
      dimensions: 1, targets: [[0], [5511.779296875]],
      animations: [
        .spring(Spring(duration: 0.41910956243045255, bounce: 0.5703087931495329)),
        .linear(duration: 0.1875).logicallyComplete(after: 0.17433955823360336),
      ])
    try expectAgreement(
      from: 6780,
      [
        BatchCall(.loadPhases(phases)), BatchCall(.playPhases(.loops), .all, scales: [1], sequences: [0]),
        advance(to: 77863.75),
      ])
  }

  /// A run of phases returns to the first with an animation that never ends.
  @Test func aReturnThatNeverEndsIsAStep() throws {
    let forever = Animation.linear(duration: 0.25).repeatForever()
    let phases = try PhaseSequence(
      dimensions: 1, targets: [[0], [1], [2]], animations: [forever, .smooth, .smooth])
    try expectAgreement(
      from: 0,
      [
        BatchCall(.loadPhases(phases)), BatchCall(.playPhases(.triggered), .all, sequences: [0]),
        advance(to: 0.125),
        BatchCall(.trigger, .all), advance(to: 0.25), BatchCall(.trigger, .all), advance(to: 0.5),
      ])
  }
}
