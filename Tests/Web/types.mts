// SPDX-License-Identifier: MIT
// A program in TypeScript, which package.test.mjs has checked by `tsc --strict`: calls that are right, and calls that must not be.
import {
  bouncy, curve, easeIn, linear, load, smooth, spring, MurmurationError,
  type Animation, type Batch, type Clip, type Curve, type Event, type Keyframe, type Murmuration, type Outcome, type Phases, type SnapPoints,
  type Spring, type Tracks, type VelocityTrackers, type Which,
} from "murmuration-engine";

const murmuration: Murmuration = await load({ module: "exact" });
await load({ base: "/engine/" });
await load({ base: { href: "file:///engine/" } });
const batch: Batch = murmuration.batch({ dimensions: 2, capacity: 10, reports: { phases: false } });
const tracks: Tracks = batch.add(new Float32Array(4));
const which: Which[] = [tracks, tracks.slice(1), tracks.pick([0]), { first: 0, count: 1 }, "all"];
const soft: Spring = smooth(0.3);
const modified: Animation = spring({ duration: 0.5, bounce: 0.3 }).delay(1).repeat(2, false).speed(2);
const shape: Curve = [0.4, 0, 0.2, 1];
const back: Curve = "easeOutBack";
const points: SnapPoints = which.length ? { every: [10, 20], from: [1, 1] } : { values: [0, 0, 9, 9] };
for (const some of which) {
  const change: number = batch.animate(some, [0, 1], soft, { delays: [0, 0.1] });
  batch.animate(some, [0, 1], [modified, null]);
  batch.retarget(some, [change, 1]);
  batch.set(some, [0, 0], [1, 1]);
  batch.follow(some, [soft, spring()]);
  batch.decelerate(some, null, { rate: 0.99, within: { lower: [0, -Infinity] }, spring: soft });
  batch.decelerate(some, null, { snap: points });
  batch.copyVertices(new Uint16Array(8), { tracks: some, format: "float16", order: [1, 0], stride: 8 });
  batch.stop(batch.live(some));
}
const keyframes: Keyframe[] = [{ linear: 1, duration: 1, curve: "easeIn" }, { spring: 0, options: { stiffness: 9, damping: 1 } }];
const clip: Clip = batch.loadClip([{ initial: 0, keyframes }, { initial: 0, keyframes: [{ move: 1 }] }]);
const phases: Phases = batch.loadPhases([{ target: [0, 0] }, { target: [1, 1], animation: easeIn(0.2) }]);
batch.play(clip, tracks, { repeat: 2, from: "shown" });
// What a program does not change may be read only.
const fixed = { initial: 0, keyframes: [{ linear: 1, duration: 1, curve: [0.4, 0, 0.2, 1] }] } as const;
batch.loadClip([fixed, fixed] as const);
batch.loadPhases([{ target: [0, 0] }, { target: [1, 1], animation: curve(fixed.keyframes[0].curve) }] as const);
batch.animate(tracks, [0, 0], [soft, null] as const);
batch.follow(tracks, [soft, soft] as const);
batch.play(phases, "all", { loops: false });
batch.trigger(tracks, { completion: "settled" });
batch.advance(1, { velocities: true });
const ended: number[] = batch.outcomes.map(({ change }) => change);
const results: ("complete" | "replaced" | "removed")[] = batch.trackOutcomes.map(({ result }) => result);
const outcome: Outcome = await batch.finished(batch.play(clip, tracks, { completion: "logicallyComplete" }));
const values: Float32Array = batch.values;
const column: Float32Array = batch.column(1, "targets");
const length: number = column.length;
const events: Event[] = batch.events;
const trackers: VelocityTrackers = murmuration.velocityTrackers({ count: 1 });
const hash: bigint = murmuration.sameBitsHash();
try {
  murmuration.springValue(bouncy(), { times: [0, 1] }).values.map(Math.abs);
} catch (error) {
  if (error instanceof MurmurationError) error.code.toUpperCase();
}
export { back, curve, ended, events, hash, linear, outcome, results, shape, trackers, values };

// @ts-expect-error a module of another name
await load({ module: "quick" });
// @ts-expect-error dimensions are missing
murmuration.batch({ capacity: 10 });
// @ts-expect-error a key is misspelt
spring({ duration: 1, bonce: 0 });
// @ts-expect-error an animation is no object of options
batch.animate(tracks, [0, 0], { duration: 1 });
// @ts-expect-error a list of points is no grid
batch.decelerate(tracks, null, { snap: { values: [0, 0], from: [0, 0] } });
// @ts-expect-error a curve is no spring to follow by
batch.follow(tracks, easeIn(0.3));
// @ts-expect-error nor is a spring with a delay
batch.follow(tracks, soft.delay(1));
// @ts-expect-error numbers are no tracks
batch.animate([0], [0, 0]);
// @ts-expect-error what is shown is read only
batch.values = new Float32Array(4);
// @ts-expect-error a curve is no spring
murmuration.settlingDuration(linear(1));
// @ts-expect-error a completion of another name
batch.animate(tracks, [0, 0], soft, { completion: "done" });
// @ts-expect-error phases have no completion
batch.play(phases, tracks, { completion: "settled" });
// @ts-expect-error a curve of another name
curve("easeUp");
// @ts-expect-error an ease without a direction
curve("easeBack");
