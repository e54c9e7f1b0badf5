// SPDX-License-Identifier: MIT
// Springs, timing curves, keyframes and phases for many values at once, with the numbers of the native engine.
//
//     import { load, spring } from "./murmuration.mjs";    // or from "murmuration-engine", where npm installed it
//     const murmuration = await load();
//     const batch = murmuration.batch({ dimensions: 2 });
//     const dots = batch.add([0, 0, 10, 0, 20, 0]);
//     batch.animate(dots, [0, 50], spring({ duration: 0.5, bounce: 0.3 }));
//     batch.advance(0.25);
//     draw(batch.values);          // Float32Array: x0, y0, x1, y1, x2, y2
//     batch.dispose();
//
// Times are seconds. Values and goals are any arrays of numbers, interleaved: all components of a track, then those of the next. They
// are read during the call and not kept. Every number is checked before anything changes: a call that throws has done nothing.
// What the engine refuses is a MurmurationError with the words of the C surface; what TypeScript would refuse is a TypeError.
// Everything runs in the thread that calls, in a page, a worker or Node from 20.16 on (Node 20: --experimental-wasm-relaxed-simd for
// the faster module; without it, the exact one is loaded).

/** A loaded engine: one instance of a WebAssembly module, whose memory only grows. */
export interface Murmuration {
  /** The module in use. Both have the same numbers; the relaxed one is some three times as fast. */
  readonly module: "relaxed" | "exact";
  readonly version: string;
  /**
   * Makes an empty batch.
   * - dimensions: components of each track, 1…4096.
   * - capacity: tracks to make room for now; more may come.
   * - reports: whether iterations and phases are listed among the events, which both are unless told otherwise, and
   *   arrivals: each time that a track that follows reaches its goal.
   */
  batch(options: { dimensions: number; capacity?: number; reports?: { iterations?: boolean; phases?: boolean; arrivals?: boolean } }): Batch;
  /** The snapshot that `bytes()` made bytes of. It finds damage, and not intent: read no bytes of strangers. */
  snapshot(bytes: Uint8Array): Snapshot;
  /** A batch that begins with a snapshot of another one, which may be gone, or of another page. */
  batchFrom(snapshot: Snapshot): Batch;
  /** Values and velocities of one spring at times since its start, for charts. From 0 to 1 unless told otherwise. */
  springValue(spring: Spring, options: { from?: number; to?: number; velocity?: number; times: ArrayLike<number> }):
    { values: Float64Array; velocities: Float64Array };
  /** The seconds after which a spring from 0 to `target` (1) stays within `epsilon` (0.001) of it; Infinity if it never does. */
  settlingDuration(spring: Spring, options?: { target?: number; velocity?: number; epsilon?: number }): number;
  /** A curve at progresses from 0 to 1. */
  curveValue(curve: Curve, inputs: ArrayLike<number>): Float64Array;
  /** The delays of tracks that set out one after another, in seconds, as `delays` takes them. */
  stagger(count: number, options: StaggerOptions): Float64Array;
  /** Trackers, which estimate the velocities of pointers from samples. */
  velocityTrackers(options: { count: number; dimensions?: number }): VelocityTrackers;
  /** The hash of a program of springs, curves, clips and phases. It is the same in native programs, on every processor. */
  sameBitsHash(): bigint;
}

/**
 * Finds out which of the two modules has the numbers of native programs here, and loads it.
 * - base: URL of the folder with the .wasm files; by default the folder of this file, or where a bundler put them.
 * - module: names one of the two. "relaxed" where products are not fused has slightly other numbers, or does not load.
 */
export function load(options?: { base?: string | { readonly href: string }; module?: "relaxed" | "exact" }): Promise<Murmuration>;

// Springs and curves

export type SpringOptions =
  | { duration?: number; bounce?: number }             // Perceptual duration (0.5) and bounce in (−1, 1] (0).
  | { response: number; dampingRatio: number }
  | { mass?: number; stiffness: number; damping: number; allowOverDamping?: boolean }
  | { settlingDuration: number; dampingRatio: number; epsilon?: number };

/** How a track goes to a goal. Animations do not change: each modifier gives a new one, and modifiers apply in their order. */
export interface Animation {
  /** Waits first; negative seconds skip the beginning. */
  delay(seconds: number): Animation;
  speed(factor: number): Animation;
  /** Repeats a whole number of times; every second time backwards unless `autoreverses` is false. */
  repeat(count: number, autoreverses?: boolean): Animation;
  repeatForever(autoreverses?: boolean): Animation;
}
/** A spring, which is also the animation that follows it and takes over the value and velocity of a track. */
export interface Spring extends Animation { readonly spring: SpringOptions }

export function spring(options?: SpringOptions): Spring;
export function smooth(duration?: number, extraBounce?: number): Spring;   // bounce 0
export function snappy(duration?: number, extraBounce?: number): Spring;   // bounce 0.15
export function bouncy(duration?: number, extraBounce?: number): Spring;   // bounce 0.3
/** A spring whose effect adds to the motion under way; `velocity` in fractions of the way per second. */
export function interpolatingSpring(options?: SpringOptions & { velocity?: number }): Animation;

/** A curve by its name, such as "easeOutBack", or a Bézier curve by its control points. */
export type Curve = "linear" | "easeIn" | "easeOut" | "easeInOut" | "circularEaseIn" | "circularEaseOut" | "circularEaseInOut"
  | `ease${"In" | "Out" | "InOut"}${"Sine" | "Quad" | "Cubic" | "Quart" | "Quint" | "Expo" | "Circ" | "Back" | "Elastic" | "Bounce"}`
  | readonly [x1: number, y1: number, x2: number, y2: number];
/** An animation along a curve, whose effect adds to the motion under way; 0.35 s unless told otherwise. */
export function curve(curve: Curve, duration?: number): Animation;
export const linear: (duration?: number) => Animation, easeIn: typeof linear, easeOut: typeof linear, easeInOut: typeof linear;

/**
 * Let d be the distance of a track from the origin, less the smallest one. Its delay is each * d, or over * d / (the largest d).
 * - origin: where the tracks are that set out first ("first"): a place, a position, also between tracks, or the column and the
 *   row of a point in a grid. A seed draws an order in its place.
 * - columns: tracks in a row of the grid that they fill row by row; without it they are a line.
 * - ease: bends the course of the delays, and leaves the first and the last. Where it goes below 0, the delay is 0.
 */
export type StaggerOptions = ({ each: number; over?: undefined } | { over: number; each?: undefined }) & {
  origin?: "first" | "last" | "center" | "edges" | number | readonly [column: number, row: number];
  columns?: number; ease?: Curve; seed?: number | bigint;
}

// Batches

/** Tracks, as add gave them. A track that was removed makes every call with it throw. */
export interface Tracks {
  readonly count: number;
  /** Some of them, as Array's slice. */
  slice(first?: number, end?: number): Tracks;
  /** The index of one of them: component c is at index * dimensions + c in `values`. */
  index(i: number): number;
  /** Those of some places, in their order. */
  pick(which: ArrayLike<number>): Tracks;
}
/** When the tracks of a call set out, in seconds: one delay for all, and one for each that is added to it. */
export interface Delays { delay?: number; delays?: number | ArrayLike<number> }
/** When the change of a call is complete, if its end is to be told: with the event of that kind. */
export interface Told { completion?: "logicallyComplete" | "settled" | null }
/** Which tracks a call is about: tracks, a range of indices (those without a track are passed over), or all. */
export type Which = Tracks | { first: number; count: number } | "all";

/**
 * Where slides may end: points, interleaved; or a grid, which has whole multiples of a spacing above and below `from` (zeros), in
 * each component.
 */
export type SnapPoints = { values: ArrayLike<number>; every?: never; from?: never }
  | { every: ArrayLike<number>; from?: ArrayLike<number>; values?: never };

/** The state of a batch at one time. */
export interface Snapshot {
  /** The state as bytes, with its clips and phases, to be kept or sent: see `snapshot` and `batchFrom`. */
  bytes(): Uint8Array;
  /** Frees it now; otherwise it is freed when it is forgotten. */
  dispose(): void;
}

export interface Batch {
  readonly dimensions: number;
  /** Live tracks; and one past the largest index that a track has had since compact or removeAll. */
  readonly count: number; readonly indexCount: number;
  readonly time: number;
  /**
   * dimensions * indexCount numbers, interleaved by index; zeros where there is no track. A view of the module's memory, filled when
   * it is asked for after a call; so ask for it anew after each call. The view goes out of use when memory grows.
   */
  readonly values: Float32Array;
  /** Per second; after advance(t, { velocities: true }). */
  readonly velocities: Float32Array;
  readonly targets: Float32Array;
  /**
   * The numbers of one component of all tracks by index, without a copy; meaningless where there is no track. Read them before the
   * next call that changes the batch, and ask anew after it: the numbers may move, and memory that grows detaches the array.
   */
  column(component?: number, what?: "values" | "velocities" | "targets"): Float32Array;
  /**
   * Copies numbers of tracks into vertices: a vertex for each, zeros where there is no track. Other bytes of the output stay, so
   * that several batches fill one vertex by a call each.
   * - what: values unless told otherwise. tracks: all unless told otherwise.
   * - format: float32 unless told otherwise; float16 has the nearest halves; unorm8 and unorm16 have 0...1 as 0...255 and
   *   0...65535, snorm8 and snorm16 -1...1 as -127...127 and -32767...32767. Numbers beyond are clamped, NaN is 0, ties are even.
   * - order: the component of each number of a vertex; all in theirs unless given.
   * - offset, stride: bytes before the first number, and from vertex to vertex; 0, and without gaps, unless given.
   */
  copyVertices(output: ArrayBuffer | ArrayBufferView, options?: {
    what?: "values" | "velocities" | "targets"; tracks?: Which;
    format?: "float32" | "float16" | "unorm8" | "snorm8" | "unorm16" | "snorm16";
    order?: ArrayLike<number>; offset?: number; stride?: number }): void;

  /** Adds tracks that stand still at some values. */
  add(values: ArrayLike<number>): Tracks;
  /** Those tracks that are there, in the same order; tracks that are gone are passed over. */
  live(tracks: Which): Tracks;
  remove(tracks: Which): void;
  /** Removes the tracks whose motion is over, and returns their number. */
  removeSettled(): number;
  removeAll(): void;
  /** Gives back the memory behind the last track, and lowers the number of indices. */
  compact(): void;
  /** Another batch with the same state, which goes its own way. A track of it has the index of the original:
   * `copy.live({ first: index, count: 1 })`. Clips and phases that are loaded now are good in both. */
  copy(): Batch;
  /** The state of the batch now; in a snapshot of this batch, whose memory is used again, if one is given. */
  snapshot(into?: Snapshot | null): Snapshot;
  /** Makes the batch what it was. Every later frame has the bits that it would have had. Handles, clips and phases of that
   * time are good again; what was given out since then names nothing, for ever. */
  restore(snapshot: Snapshot): void;
  /** How near to its target a motion counts as at rest: 0.001 at first. */
  setRestTolerance(value: number, velocity?: number): void;

  /**
   * Sends tracks from their current states to goals, and returns the number of the change, which events and outcomes carry.
   * Later calls of a batch have larger numbers, up to 2 ** 32. A track that heads for its goal already is left alone.
   * - goals: one value for all tracks, or one for each.
   * - animation: for all tracks, or one for each; a spring of half a second unless given, as in SwiftUI; null jumps.
   * - delay: seconds until all tracks set out; until then they keep their motions. delays: seconds for each, added to that.
   */
  animate(tracks: Which, goals: ArrayLike<number>, animation?: Animation | null | readonly (Animation | null)[],
    options?: Delays & Told): number;
  /** The same with the springs that the tracks follow. */
  retarget(tracks: Which, goals: ArrayLike<number>, options?: Delays & Told): number;
  /**
   * Lets tracks follow goals: from each frame to the next a track takes the exact step of its spring towards its goal. It is
   * the motion for goals that change in every frame. The goal of a track that did not follow before is its value.
   * - springs: one for all, or one for each.
   * - leaders: tracks whose values, of the frame before, are the goals, one for each; offsets are added.
   */
  follow(tracks: Which, springs?: Spring | readonly Spring[],
    options?: { leaders?: Tracks; offsets?: ArrayLike<number> }): number;
  /** Sets the goals of tracks that follow: one value for all tracks, or one for each. */
  setGoals(tracks: Which, goals: ArrayLike<number>): void;
  /**
   * The goals of one component by index, to be written in place: the quickest way to move goals in every frame. Ask anew in
   * each frame: memory that grows detaches the array. It is empty until a track follows.
   */
  goals(component?: number): Float32Array;
  /** Sets values and velocities, as a dragging hand does; the next spring takes over the velocities. */
  set(tracks: Which, values: ArrayLike<number>, velocities?: ArrayLike<number>): number;
  /** The same, but the tracks go on to their targets from there. */
  displace(tracks: Which, values: ArrayLike<number>, velocities?: ArrayLike<number>): number;
  /** Adds to the velocities of tracks, which go on from their values as with displace. */
  push(tracks: Which, velocities: ArrayLike<number>): number;
  /**
   * Lets tracks slide to their projected ends, ever more slowly, or spring to points near these ends. null: their velocities.
   * - rate: the part of the velocity that is left after a millisecond, 0.998.
   * - within: bounds, one for each component, infinite for none. A component that meets one goes on with the spring, which holds
   *   it there.
   * - snap: where tracks may end. Each takes the spring, from its value and velocity, to the point nearest to the end of its
   *   slide. The end is limited to the bounds first, and a point beyond a bound counts at the bound.
   * - spring: half a second unless given.
   */
  decelerate(tracks: Which, velocities?: ArrayLike<number> | null, options?: {
    rate?: number; within?: { lower?: ArrayLike<number>; upper?: ArrayLike<number> } | null; snap?: SnapPoints | null;
    spring?: Spring;
  } & Told): number;
  /** Cancels the calls that wait for tracks. */
  cancelDelays(tracks: Which): void;
  pause(tracks: Which): void;
  resume(tracks: Which): void;
  stop(tracks: Which): void;

  /** Makes a clip of keyframes and loads it: one track of keyframes for each dimension. */
  loadClip(components: readonly KeyframeTrack[]): Clip;
  /** Makes a sequence of phases and loads it: the value of each phase, and the animation to it from the one before. */
  loadPhases(phases: readonly { target: ArrayLike<number>; animation?: Animation | null }[]): Phases;
  /** Unloads what no track plays. */
  unload(what: Clip | Phases): void;
  /** Plays a clip or phases on tracks, in place of their motions. */
  play(what: Clip, tracks: Which, playback?: Playback & Told): number;
  play(what: Phases, tracks: Which, playback?: PhasePlayback): number;
  /** Runs each track once through the phases that it plays. */
  trigger(tracks: Which, options?: Told): number;
  /** Changes the speed of motions, from the values that tracks show: one number for all tracks, or one for each. It is above 0
   * where a track plays no clip, and lasts until another call gives the track a motion. Tracks at rest are left alone. */
  setSpeed(tracks: Which, speeds: number | ArrayLike<number>): void;
  seek(tracks: Which, times: number | ArrayLike<number>): void;

  /** Evaluates every track at a time of the batch's clock, which may go back as far as the latest change. */
  advance(seconds: number, options?: { velocities?: boolean }): void;
  /** What happened on the way to the time of the last advance, by index and then by moment. */
  readonly events: Event[];
  /**
   * The changes that have ended, of calls that asked for their completion. Each is told once, with the advance that ends it, or
   * that comes after the call that ends it. A change ends when it has ended for all of its tracks. It never does while one of
   * them repeats for ever, has a spring without damping, or is paused. It is complete at once for a track for which the call
   * has nothing to do.
   */
  readonly outcomes: Outcome[];
  /** How changes have ended for their tracks, one by one. */
  readonly trackOutcomes: TrackOutcome[];
  /**
   * The end of a change, of a call that asked for its completion and whose end no advance has told. It is rejected if the batch is
   * disposed of before, or goes back to a snapshot of before the call.
   */
  finished(change: number): Promise<Outcome>;
  /** Frees the batch; every later call throws. (A batch that is forgotten is freed some time later.) */
  dispose(): void;
}

export type Keyframe =
  | { linear: number; duration: number; curve?: Curve }
  | { cubic: number; duration: number; startVelocity?: number; endVelocity?: number }
  | { spring: number; duration?: number; options?: SpringOptions; startVelocity?: number }
  | { move: number };
export interface KeyframeTrack { initial: number; keyframes: readonly Keyframe[] }
/** How tracks play a clip: once, now, at its own speed. Tracks show scale * value + offset, one for all or one for each. */
export interface Playback {
  delay?: number; speed?: number; repeat?: number; autoreverses?: boolean;
  /** Seconds of the clip that count as played. */
  offset?: number;
  /** "shown" begins with the value and velocity that the track shows; "automatic" does if it is on its way. */
  from?: "first" | "shown" | "automatic";
  offsets?: ArrayLike<number>; scales?: ArrayLike<number>;
}
/** How tracks play phases: round after round unless `loops` is false, then one round for each trigger. starts: when each sets out. */
export interface PhasePlayback { loops?: boolean; starts?: ArrayLike<number>; offsets?: ArrayLike<number>; scales?: ArrayLike<number> }
export interface Clip { readonly duration: number }
export interface Phases { readonly count: number }

/** number: the iteration or the phase. */
export interface Event {
  kind: "logicallyComplete" | "settled" | "iteration" | "phase" | "invalidGoal";
  index: number; change: number; time: number; number?: number;
}

/** The end of a change: for how many of its tracks it was complete, replaced by another call, or the track removed. */
export interface Outcome { change: number; completed: number; replaced: number; removed: number; isComplete: boolean }
/** The end of a change for one track. */
export interface TrackOutcome { change: number; index: number; result: "complete" | "replaced" | "removed" }

export interface VelocityTrackers {
  /** Takes a sample of every pointer. */
  record(values: ArrayLike<number>, seconds: number): void;
  /** Velocities per second: a view, to be asked for anew. */
  velocities(seconds: number): Float32Array;
  reset(): void;
  dispose(): void;
}

/**
 * Everything that the engine refuses. `code` is the C surface's name of it, such as "staleHandle", "invalidValue" or "unknownObject" (after
 * dispose), and "capacityExceeded" where there is no memory for as much. After "outOfMemory" and "stopped" the module is lost with
 * all its batches, and must be loaded anew.
 */
export class MurmurationError extends Error { readonly code: string; constructor(code: string, message: string) }
