// SPDX-License-Identifier: MIT
// Tests/Fixtures/refusals.json: a call with a bad argument throws its error, and the batch goes on as one that was not called.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { bouncy, curve, interpolatingSpring, linear, modules, MurmurationError, smooth, spring } from "./support.mjs";

const table = JSON.parse(readFileSync(new URL("../Fixtures/refusals.json", import.meta.url), "utf8"));
const absent = table.without.javascript.split(" ");
const named = (words) => words.split(" ").flatMap((word) => (table.calls[word] ?? word).split(" "));
/** Call, argument, bad value and error of each refusal that JavaScript can meet. */
const refusals = table.rows.filter((row) => !row.in || row.in.split(" ").includes("javascript")).flatMap(({ where, refuses }) =>
  Object.entries(where).flatMap(([argument, calls]) => named(calls).filter((call) => !absent.includes(call)).flatMap((call) =>
    Object.entries(refuses).flatMap(([error, values]) => values.map((value) => [call, argument, value, error])))));

const number = (text) => ({ nan: NaN, inf: Infinity, "-inf": -Infinity })[text] ?? Number(text);
const count = 9;

/** A batch of nine tracks with every kind of motion, and a tenth that is gone. */
class Stage {
  constructor(murmuration) {
    const [batch, other] = [murmuration.batch({ dimensions: 2 }), murmuration.batch({ dimensions: 2 })];
    const added = batch.add(Array.from({ length: 2 * count + 2 }, (_, place) => place));
    const one = (place) => added.slice(place, place + 1);
    const keyframes = { initial: 0, keyframes: [{ linear: 10, duration: 0.7 }, { cubic: 2, duration: 0.4 }] };
    const clip = (to) => to.loadClip([keyframes, keyframes]);
    const phases = (to) => to.loadPhases([{ target: [0, 0], animation: smooth(0.2) }, { target: [5, 6], animation: linear(0.3) }]);
    Object.assign(this, {
      murmuration, batch, other, tracks: added.slice(0, count), stale: added.pick([0, 1, 2, 3, 4, 5, 6, 7, count]),
      foreign: other.add(new Float32Array(2 * count)),
      clips: { good: clip(batch), unloaded: clip(batch), inUse: clip(batch), foreign: clip(other) },
      phases: { good: phases(batch), unloaded: phases(batch), inUse: phases(batch), foreign: phases(other) },
    });
    batch.animate(one(0), [50, 60], bouncy());
    batch.animate(one(1), [50, 60], smooth(2));
    batch.animate(one(1), [-5, 8], linear(1), { delay: 0.75 });
    batch.animate(one(2), [50, 60], linear(2), { completion: "logicallyComplete" });
    batch.animate(one(3), [50, 60], bouncy());
    batch.animate(one(3), [9, 9], linear(1).repeatForever());
    batch.play(this.clips.inUse, one(4), { repeat: Infinity });
    batch.play(this.phases.inUse, one(5));
    batch.follow(one(6), smooth());
    batch.setGoals(one(6), [30, 40]);
    batch.decelerate(one(7), [100, 50]);
    batch.animate(one(8), [50, 60], bouncy());
    batch.pause(one(8));
    batch.remove(one(count));
    batch.unload(this.clips.unloaded);
    batch.unload(this.phases.unloaded);
    batch.advance(0.25, { velocities: true });
    this.snapshots = { good: batch.snapshot(), foreign: other.snapshot() };
  }

  /** The numbers and events of the batch in this frame and later ones. */
  shown() {
    const { batch } = this;
    return [0, 0, 0.05, 0.7, 9].map((seconds, frame) => {
      if (frame > 0) batch.advance(batch.time + seconds, { velocities: true });
      return [batch.time, batch.count, batch.indexCount, batch.values.slice(), batch.velocities.slice(), batch.targets.slice(),
        batch.events, batch.outcomes, batch.trackOutcomes, batch.goals(0).slice(), batch.goals(1).slice()];
    });
  }

  dispose() {
    for (const one of [this.batch, this.other, ...Object.values(this.snapshots)]) one.dispose();
  }
}

/** The arguments of one call: good ones, but for one. */
class Given {
  isBad = false;
  constructor(stage, argument, value) { Object.assign(this, { stage, argument, value, batch: stage.batch }); }

  /** The good value of an argument, or a bad one: one of some, or what the words stand for. */
  #say(argument, good, some, words) {
    if (argument !== this.argument) return good;
    this.isBad = true;
    if (some && Object.hasOwn(some, this.value)) return some[this.value];
    assert.ok(words, `what is ${this.value} for ${argument}?`);
    return words(this.value);
  }
  tracks(argument = "tracks") {
    const { tracks, stale, foreign } = this.stage;
    return this.#say(argument, tracks, {
      stale, foreign, beyond: { first: 2, count }, before: { first: -1, count }, otherType: [0],
      few: tracks.slice(1), many: tracks.pick([0, 0, 1, 2, 3, 4, 5, 6, 7, 8]),
    });
  }
  snapshot() { return this.#say("snapshot", this.stage.snapshots.good, { ...this.stage.snapshots, otherType: 5 }); }
  numbers(argument, width = 2, good = 1) {
    const list = Array(width * count).fill(good);
    return this.#say(argument, list, { few: list.slice(1), many: [...list, good], otherType: width > 1 ? 5 : "x" },
      (value) => [...list.slice(1), number(value)]);
  }
  /** A velocity that the rate leads beyond all values. */
  slide() {
    const [velocities, rate] = [this.numbers("velocities"), this.number("rate", 0.99)];
    return this.#say("slide", [velocities, rate], { tooFar: [[...velocities.slice(1), 1e15], 0.9999] });
  }
  /** Bounds, and points or a grid. */
  ends() {
    const pair = (argument, good) => this.#say(argument, [good, good],
      { few: [good], many: [good, good, good], otherType: 5 }, (value) => [good, number(value)]);
    const lower = [-1e9, -1e9];
    const within = this.#say("bounds", { lower }, {
      nan: { lower, upper: [1e9, NaN] }, crossed: { lower: [0, 9], upper: [9, 8] }, few: { lower: [0] },
      many: { lower, upper: [1, 1, 1] }, otherType: 5 });
    const values = this.#say("snapPoints", [0, 0, 9, 9], { none: [], few: [0], many: [0, 0, 0], otherType: 5 },
      (value) => [0, 0, 9, number(value)]);
    const isGrid = ["spacing", "origin"].includes(this.argument);
    return { within, snap: isGrid ? { every: pair("spacing", 1), from: pair("origin", 0) } : { values } };
  }
  /** A spring. */
  spring() { return this.#say("spring", smooth(), { otherType: "smooth" }, animation); }
  number(argument, good) { return this.#say(argument, good, { otherType: "x" }, number); }
  word(argument, good) { return this.#say(argument, good, { unknown: "unknown", otherType: 5 }); }
  output() { return this.#say("output", new Uint8Array(45), { few: new Uint8Array(44), otherType: [0] }); }
  options(options) { return this.#say("options", options, { unknown: { ...options, unknown: 1 } }); }
  completion() { return this.word("completion", "settled"); }
  animation() { return this.#say("animation", smooth(), { otherType: "smooth" }, animation); }
  animations(argument) {
    const list = Array(count).fill(smooth());
    return this.#say(argument, list, { few: list.slice(1), many: [...list, smooth()], otherType: [...list.slice(1), "smooth"] },
      (value) => [...list.slice(1), animation(value)]);
  }
  clip() { return this.#say("clip", this.stage.clips.good, { ...this.stage.clips, otherType: 5 }); }
  phases() { return this.#say("phases", this.stage.phases.good, { ...this.stage.phases, otherType: 5 }); }
  playback() {
    return this.#say("playbacks", {}, {}, (value) => {
      const [name, amount] = value.split(" ");
      return { [name === "iterations" ? "repeat" : name]: number(amount) };
    });
  }
  components() {
    const good = { initial: 0, keyframes: [{ linear: 1, duration: 1 }] };
    const keyframe = this.#say("keyframe", { move: 1 }, { otherType: { quadratic: 1 } }, (value) => {
      const [kind, to, duration] = value.split(" ");
      return { [kind]: number(to), ...(duration && { duration: number(duration) }) };
    });
    const both = [good, { initial: 0, keyframes: [keyframe] }];
    return this.#say("components", both, { few: [good], many: [...both, good], otherType: 5 });
  }
  sequence() {
    const list = (target, animation) => [{ target: [0, 0] }, { target, animation }];
    const made = this.#say("animations", list([1, 2], smooth()), {}, (value) => list([1, 2], animation(value)));
    return this.#say("targets", made, { none: [], few: list([1]), many: list([1, 2, 3]), otherType: {} },
      (value) => list([1, number(value)]));
  }
}

/** The animation of words. */
function animation(words) {
  const [kind, ...rest] = words.split(" ");
  const take = (wanted) => rest.splice(0, wanted).map(number);
  const kinds = {
    spring: () => (([duration, bounce]) => spring({ duration, bounce }))(take(2)),
    response: () => (([response, dampingRatio]) => spring({ response, dampingRatio }))(take(2)),
    stiffness: () => (([mass, stiffness, damping]) => spring({ mass, stiffness, damping }))(take(3)),
    overdamped: () => (([mass, stiffness, damping]) => spring({ mass, stiffness, damping, allowOverDamping: true }))(take(3)),
    interpolating: () => (([duration, velocity]) => interpolatingSpring({ duration, velocity }))(take(2)),
    linear: () => linear(...take(1)),
    bezier: () => curve([...take(2), 1, 1], 1),
  };
  let made = kinds[kind]();
  while (rest.length) made = made[rest.shift()](...take(1));
  return made;
}

const calls = {
  make: (c) => c.stage.murmuration.batch(
    c.options({ dimensions: c.number("dimensions", 2), capacity: c.number("capacity", 10) })).dispose(),
  add: (c) => c.batch.add(c.numbers("values")),
  remove: (c) => c.batch.remove(c.tracks()),
  animate: (c) => c.batch.animate(c.tracks(), c.numbers("goals"), c.animation(), c.options(
    { delay: c.number("delay", 0), delays: c.numbers("delays", 1, 0), completion: c.completion() })),
  animateEach: (c) => c.batch.animate(
    c.tracks(), c.numbers("goals"), c.animations("animations"), { delays: c.numbers("delays", 1, 0), completion: c.completion() }),
  retarget: (c) => c.batch.retarget(c.tracks(), c.numbers("goals"), c.options(
    { delay: c.number("delay", 0), delays: c.numbers("delays", 1, 0), completion: c.completion() })),
  follow: (c) => c.batch.follow(c.tracks(), c.animations("springs"), c.options({})),
  followTracks: (c) => c.batch.follow(c.tracks(), smooth(), { leaders: c.tracks("leaders"), offsets: c.numbers("offsets") }),
  setGoals: (c) => c.batch.setGoals(c.tracks(), c.numbers("goals")),
  goals: (c) => c.batch.goals(c.number("component", 0)),
  column: (c) => c.batch.column(c.number("component", 0), c.word("what", "values")),
  cancelDelays: (c) => c.batch.cancelDelays(c.tracks()),
  set: (c) => c.batch.set(c.tracks(), c.numbers("values"), c.numbers("velocities")),
  displace: (c) => c.batch.displace(c.tracks(), c.numbers("values"), c.numbers("velocities")),
  push: (c) => c.batch.push(c.tracks(), c.numbers("velocities")),
  decelerate: (c) => (([velocities, rate]) =>
    c.batch.decelerate(c.tracks(), velocities, c.options(
      { rate, ...c.ends(), spring: c.spring(), completion: c.completion() })))(c.slide()),
  copyVertices: (c) => c.batch.copyVertices(c.output(), c.options({
    what: c.word("what", "targets"), tracks: c.tracks(), format: c.word("format", "float16"), offset: c.number("offset", 1),
    order: [c.number("order", 1), 0], stride: c.number("stride", 5) })),
  pause: (c) => c.batch.pause(c.tracks()),
  resume: (c) => c.batch.resume(c.tracks()),
  stop: (c) => c.batch.stop(c.tracks()),
  loadClip: (c) => c.batch.loadClip(c.components()),
  unloadClip: (c) => c.batch.unload(c.clip()),
  play: (c) => c.batch.play(c.clip(), c.tracks(), c.options({
    ...c.playback(), from: c.word("start", "first"), scales: c.numbers("scales"), offsets: c.numbers("offsets"),
    completion: c.completion() })),
  setSpeed: (c) => c.batch.setSpeed(c.tracks(), c.numbers("speeds", 1)),
  seek: (c) => c.batch.seek(c.tracks(), c.numbers("times", 1)),
  loadPhases: (c) => c.batch.loadPhases(c.sequence()),
  unloadPhases: (c) => c.batch.unload(c.phases()),
  playPhases: (c) => c.batch.play(c.phases(), c.tracks(), c.options(
    { starts: c.numbers("starts", 1), scales: c.numbers("scales"), offsets: c.numbers("offsets") })),
  trigger: (c) => c.batch.trigger(c.tracks(), c.options({ completion: c.completion() })),
  advance: (c) => c.batch.advance(c.number("seconds", 1), c.options({})),
  live: (c) => c.batch.live(c.tracks()),
  compact: (c) => c.batch.compact(),
  removeSettled: (c) => c.batch.removeSettled(),
  removeAll: (c) => c.batch.removeAll(),
  describe: (c) => c.batch.count,
  events: (c) => c.batch.events,
  outcomes: (c) => c.batch.outcomes,
  trackOutcomes: (c) => c.batch.trackOutcomes,
  copy: (c) => c.batch.copy().dispose(),
  snapshot: (c) => c.batch.snapshot().dispose(),
  updateSnapshot: (c) => c.batch.snapshot(c.snapshot()),
  restore: (c) => c.batch.restore(c.snapshot()),
  setRestTolerance: (c) => c.batch.setRestTolerance(c.number("rest", 0.01), c.number("restVelocity", 0.1)),
};

for (const murmuration of modules) {
  const { module } = murmuration;
  const expected = new Stage(murmuration).shown();

  test(`${module}: every call takes good arguments, and is in the table`, () => {
    for (const [name, call] of Object.entries(calls)) {
      const stage = new Stage(murmuration);
      assert.doesNotThrow(() => call(new Given(stage)), name);
      stage.dispose();
    }
    const refused = new Set(refusals.map(([call]) => call));
    assert.deepEqual(Object.keys(calls).filter((name) => !refused.has(name)), []);
    const batch = murmuration.batch({ dimensions: 1 });
    const named = new Set([...String(Object.values(calls)).matchAll(/batch\.(\w+)\(/g)].map(([, name]) => name));
    // A batch may be disposed of twice, and `finished` tells by a promise.
    for (const name of ["constructor", "dispose", "finished"]) named.add(name);
    const { prototype } = batch.constructor;
    const methods = Object.getOwnPropertyNames(prototype).filter((name) => Object.getOwnPropertyDescriptor(prototype, name).value);
    assert.deepEqual(methods.filter((name) => !named.has(name)), []);
    batch.dispose();
  });

  test(`${module}: what the table refuses changes nothing`, () => {
    const faults = [];
    for (const [name, argument, value, code] of refusals) {
      const stage = new Stage(murmuration);
      const given = new Given(stage, argument, value);
      if (argument === "batch") stage.batch.dispose();
      let found = "accepted";
      try {
        calls[name](given);
      } catch (error) {
        found = error instanceof MurmurationError ? error.code : error instanceof TypeError ? "typeError" : error.stack;
      }
      if (found !== code) faults.push(`${name}, ${argument} ${value}: ${found}, not ${code}`);
      if (argument === "batch") continue;
      if (!given.isBad) faults.push(`${name}, ${argument} ${value}: not given`);
      if (!isDeepStrictEqual(stage.shown(), expected)) faults.push(`${name}, ${argument} ${value}: something changed`);
      stage.dispose();
    }
    assert.deepEqual(faults, []);
  });
}
