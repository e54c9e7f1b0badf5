// SPDX-License-Identifier: MIT
import Murmuration

/// One track as the documentation describes it: it takes the calls of a batch, has the state that the batch must show
/// at any time, and knows the events that must be reported.
///
/// Motions hand over to each other as follows. A call finds the state that the track shows at its moment.
///
/// | call | from the shown state |
/// |---|---|
/// | a spring, a deceleration | takes value and velocity |
/// | a curve, and any other animation | adds to a spring, a deceleration or a sum, which go on to their own targets; else starts at the value |
/// | following | takes value and velocity; the goal is the value |
/// | a clip | its first value, or the value and the velocity shown |
/// | phases | each step as its animation |
/// | no animation | jumps |
///
/// - Sending the track to the target that it heads for already changes nothing but a pause and a waiting call, which
///   end. A jump ends the motion all the same. A track that plays a clip or phases, or that a hand moves, heads for no
///   target.
/// - Of two calls at one moment, the second finds the state that the first one found; a call that waited, and a step of
///   phases, finds the motion at its moment. A curve that follows at the very moment at which a curve began replaces
///   it, if the track stood before.
/// - While a track follows, its goal is what the last call said or, where another track leads it, the value that this
///   track showed in the frame before. Setting value and velocity, or the goal, does not end that.
/// - At most one call waits for its moment; any other call that changes the motion takes its place.
/// - A paused track stands still, and no time passes for it, nor for a waiting call. The next motion ends a pause.
/// - A clock before the last change shows the track as it was then. Nothing is reported twice.
///
/// Each hand-over adds the error of one motion to the error that the track has; no answer of the batch changes them.
/// Near rest a batch may have the track at its target or still on its way, within its tolerance: both are right.
package struct ReferenceTrack: Sendable {
  /// A call that sends the track to a target, at once or when its moment has come.
  struct Call: Sendable {
    /// When it is due, in the track's time.
    let moment: Double
    let target: [Float]
    /// The animation, or a jump; nil for the spring that the track follows then.
    let animation: Animation??
    let change: Int
  }

  /// Phases, and the targets that are the track's own.
  struct Schedule: Sendable {
    var phases: PhaseSchedule
    /// The number of the sequence.
    let sequence: Int
    let targets: [[Float]]
    /// The number of the call that played or triggered them.
    var change: Int
    /// When that call was made, in the track's time, until the first step: it may lie in the past.
    var playedAt: Double?
  }

  /// What the track showed when the latest call found it.
  struct Found: Sendable {
    /// The moment in the track's time.
    let time: Double
    var state: [MotionSample]
    /// Whether a frame of the same moment came after the call: the next call may find that frame.
    var mayBeOver = false
    /// Whether the clock has moved since: the next call finds what the frame shows.
    var isOver = false

    /// Notes that a frame shows what the call began.
    mutating func show(_ hasMoved: Bool) { if hasMoved { isOver = true } else { mayBeOver = true } }
  }

  /// The tolerance of rest.
  var restTolerance = RestTolerances()
  /// The tolerance of curves, as a share of their way.
  var curveTolerance = 0x1p-16

  // MARK: What the track does

  package internal(set) var motion: any ReferenceMotion
  /// The target of the track, unless a clip moves it: its value when all motion is over. The end of a slide follows
  /// from its start, and has an error as that has.
  var goal: [MotionSample]
  /// The track whose value is the goal of one that follows, by the order of adding, and an offset, which may be empty.
  var leader: (track: Int, offset: [Float])?
  /// The number of the change that began the motion.
  package internal(set) var change = 0
  /// The speed of the motion, if it was changed, and the change that began the motion.
  var pace: (change: Int, speed: Double)?
  /// Whether the motion leads to the target that the track had: it need not be reported then.
  var leadsNowhere = false
  /// The events of the motion that were reported.
  var reported = ReferenceEvent.completion
  /// Whether a track that follows had no goal in the last frame.
  var isLost = false
  /// The call that waits for its moment.
  var waiting: Call?
  var schedule: Schedule?
  /// The schedule that the track had last; a trigger begins it again.
  var lastSchedule: Schedule?
  /// The events of the last frame.
  var events: [ReferenceEvent] = []

  // MARK: When

  var clock: TrackClock
  /// When the motion was last changed, in the track's time.
  var changedAt: Double
  /// The track's time in the last frame.
  var shownAt: Double
  /// Until a frame shows what a call began, the next call finds the same; nil if a call gave the track another state.
  var found: Found?

  // MARK: What is left open

  /// Whether what the track does depends on more than the documentation decides, so that its values and events cannot
  /// be judged: until it jumps or is set.
  package internal(set) var isUndecided = false { didSet { if isUndecided { eventsAreUndecided = true } } }
  /// Whether that was so at some time since the frame before.
  package internal(set) var eventsAreUndecided = false
  /// Whether a waiting call or a step of phases is so close to the frame that a batch may have it on the other side.
  package internal(set) var isAtStep = false { didSet { if isAtStep { eventsAreUndecided = true } } }
  /// Whether a run of phases ended before a motion that is no step: it is not said which events are reported then.
  var endOfRunIsUndecided = false
  /// Whether it may have rested in the last frame, with the tolerance of then.
  var rested = false
  /// The values at which the track stood last.
  var stoodAt: [Double]

  /// A track that has stood still since a time of the clock.
  package init(_ values: [Float], at now: Double) {
    goal = MotionSample.exact(values)
    motion = StillMotion(states: goal)
    stoodAt = values.map(Double.init)
    (clock, changedAt, shownAt) = (TrackClock(at: now), now, now)
  }

  // MARK: - Reading

  package var target: [Float] { goal.map { Float($0.value) } }
  package var isPaused: Bool { clock.isPaused }

  /// The state, by dimension.
  package var samples: [MotionSample] {
    let time = max(clock.time, changedAt)
    var samples = samples(at: time)
    if let found, found.time == time { samples = samples.allowing(found.state) }
    return isPaused && !isUndecided ? samples.map(\.standing) : samples
  }

  /// The state of the motion at one of the track's times.
  func samples(at time: Double) -> [MotionSample] {
    var samples = (motion as? any RestingMotion)?.samples(at: time, restTolerance) ?? motion.samples(at: time)
    // Until the clock moves, a frame shows rest within the tolerance of then.
    if rested, time == shownAt { samples = samples.allowing(goal) }
    return isUndecided ? samples.map(\.unbounded) : samples
  }

  /// Whether something moves the track at a time.
  func standing(at time: Double) -> Standing { motion.standing(at: time, restTolerance) }

  /// Whether a batch may have the track at rest at its target.
  package var mayRest: Bool {
    // A clip that was over may count as over after the clock went back.
    rested || isUndecided || sum != nil && leadsNowhere || clip != nil && reported.contains(.settled)
      || standing(at: clock.time) != .moves
  }

  /// The clip that the track plays; nil if it does not. It can be changed, and not taken away.
  var clip: ClipMotion? {
    get { motion as? ClipMotion }
    set { motion = newValue ?? motion }
  }
  /// The sum of effects that moves the track; nil if none does.
  var sum: SumMotion? { motion as? SumMotion }
  /// The motion of a track that follows; nil if it does not.
  var follower: FollowMotion? { motion as? FollowMotion }

  /// The track in a few words, for reports.
  package var summary: String {
    "\(type(of: motion)), change \(change) \(clock.time - changedAt) s ago, to \(target)"
      + (motion.successor.map { ", spring of \($0.duration) s bounce \($0.bounce)" } ?? "")
      + (schedule.map { ", phase \($0.phases.phase)" } ?? "") + (isPaused ? ", paused" : "")
  }
}
