// SPDX-License-Identifier: MIT
// What is refused: an exception with words, after which nothing has changed, and never a stop of the module.
import assert from "node:assert/strict";
import { test } from "node:test";
import { curve, linear, load, modules, random, refuses, smooth, spring, MurmurationError } from "./support.mjs";

for (const murmuration of modules) {
  const { module } = murmuration;

  test(`${module}: what has no call of a batch`, () => {
    const batch = murmuration.batch({ dimensions: 1 });
    const tracks = batch.add([1]), clip = batch.loadClip([{ initial: 0, keyframes: [] }]);
    for (const call of [
      () => murmuration.batch(null), () => spring({ duration: 1, bonce: 0 }), () => curve("easeUp"), () => curve([0, 0, 1]),
      () => murmuration.springValue(linear(1), { times: [0] }), () => murmuration.settlingDuration(smooth(), { goal: 2 }),
      () => new tracks.constructor(Symbol("x"), new Uint32Array(3)), () => batch.animate(tracks, [1], smooth(), null),
      () => batch.loadClip([{ initial: 0, keyframes: [{ linear: 1 }] }]), () => tracks.pick(0), () => tracks.pick(new Set([0])),
      // A number that WebAssembly does not take stopped the module.
      () => batch.setRestTolerance(1n), () => batch.setRestTolerance(1, 1n), () => batch.decelerate(tracks, [1], { rate: 1n }),
      ...["from", "to", "velocity"].map((name) => () => murmuration.springValue(smooth(), { times: [0], [name]: 1n })),
      ...["target", "velocity", "epsilon"].map((name) => () => murmuration.settlingDuration(smooth(), { [name]: 1n })),
    ]) assert.throws(call, TypeError, String(call));
    // What is no number counted as 0, as with null, or as the number that a text spells; and keys that no call has were passed over.
    const keyframes = (...list) => () => batch.loadClip([{ initial: 0, keyframes: list }]);
    for (const call of [
      ...[null, "5", true].flatMap((bad) => [
        () => spring({ duration: bad }), () => spring({ response: bad, dampingRatio: 1 }), () => linear(bad), () => curve([0, 0, 1, bad]),
        () => linear(1).delay(bad), () => linear(1).speed(bad), () => linear(1).repeat(bad),
        keyframes({ move: bad }), keyframes({ linear: 1, duration: bad }), keyframes({ spring: 1, duration: bad }),
        keyframes({ cubic: bad, duration: 1 }), keyframes({ cubic: 1, duration: 1, startVelocity: bad }),
        keyframes({ cubic: 1, duration: 1, endVelocity: bad }),
        ...["delay", "speed", "repeat", "offset"].map((key) => () => batch.play(clip, tracks, { [key]: bad })),
      ]),
      () => spring({ stiffness: 100 }), () => murmuration.springValue(smooth(), { times: [0], form: 2 }),
      () => batch.loadClip([{ initial: 0, keyframes: { linear: 1, duration: 1 } }]),
      () => batch.loadClip([{ initial: 0, keyframes: [], to: 1 }]), () => batch.loadPhases([{ target: [0], animaton: smooth() }]),
    ]) assert.throws(call, TypeError, String(call));
    for (const bad of [null, "5", true, [5]]) {
      for (const [code, call] of [
        ["invalidValue", () => batch.animate(tracks, [bad])], ["invalidValue", () => batch.set(tracks, [1], [bad])],
        ["invalidValue", () => batch.add([bad])], ["invalidDelay", () => batch.animate(tracks, [1], smooth(), { delays: [bad] })],
        ["invalidPhases", () => batch.loadPhases([{ target: [bad] }])], ["invalidValue", () => batch.play(clip, tracks, { scales: [bad] })],
        ["invalidClip", () => batch.loadClip([{ initial: bad, keyframes: [] }])],
      ]) refuses(code, /nan/i, call);
    }
    let nested = linear(1);
    for (let count = 0; count < 8; count++) nested = nested.delay(0);
    refuses("invalidAnimation", /at most 8/, () => nested.delay(0));
    refuses("invalidCount", /no number 1/, () => tracks.index(1));
    // Numbers are no numbers, and a range beyond all indices takes no memory.
    for (const bad of ["x", undefined]) refuses("invalidValue", /nan/, () => batch.animate(tracks, [bad]));
    refuses("trackOutOfRange", /./, () => batch.retarget({ first: 0, count: 2 ** 30 }, [0], { delay: 1 }));
    batch.advance(0.1);
    refuses("velocitiesNotComputed", /./, () => batch.velocities);
    batch.dispose();
    batch.dispose();
  });

  test(`${module}: more than there is memory for`, async () => {
    const fresh = await load({ module });
    refuses("capacityExceeded", /./, () => fresh.batch({ dimensions: 4096, capacity: 2 ** 28 }));
    refuses("capacityExceeded", /./, () => fresh.batch({ dimensions: 64, capacity: 2 ** 26 }));
    refuses("capacityExceeded", /./, () => fresh.velocityTrackers({ count: 2 ** 28, dimensions: 4096 }));
    const batches = [];
    refuses("capacityExceeded", /./, () => {
      for (;;) batches.push(fresh.batch({ dimensions: 16, capacity: 2 ** 22 }));
    });
    assert.ok(batches.length >= 4, `${batches.length} batches`);
    const tracks = batches[0].add(new Float32Array(160));
    batches[0].animate(tracks, new Float32Array(16).fill(1), smooth());
    batches[0].advance(60);
    assert.deepEqual([...batches[0].values], Array(160).fill(1));
  });

  test(`${module}: drawn calls never stop the module`, () => {
    // A fuzzer: MURMURATION_SECONDS says how long calls are drawn, MURMURATION_SEED which ones.
    const end = performance.now() + 1000 * Number(process.env.MURMURATION_SECONDS ?? 0);
    const draw = random(Number(process.env.MURMURATION_SEED ?? 99));
    const pick = (list) => list[Math.floor(draw() * list.length)];
    const number = () => pick([0, 1, -1, 0.5, NaN, Infinity, 1e15, 1e-30, 2 ** 31, 100 * draw(), 3.7]);
    const numbers = (count) => Array.from({ length: pick([0, 1, count, count, count, 2 * count]) }, number);
    const mild = () => pick([0.1, 0.5, 1, 2, number()]);
    const animation = () => pick([
      () => null, () => spring({ duration: mild(), bounce: mild() }), () => linear(mild()), () => curve([mild(), mild(), mild(), mild()], 1),
      () => spring({ stiffness: mild(), damping: mild() }), () => linear(mild()).delay(mild()).repeat(mild()).speed(mild()),
    ])();
    let [batch, tracks, loaded, refused, done] = [null, null, [], 0, 0];
    for (let round = 0; round < 4000 || performance.now() < end; round++) {
      if (!batch || draw() < 0.01) {
        batch?.dispose();
        batch = murmuration.batch({ dimensions: pick([1, 2, 3, 5]) });
        tracks = batch.add(new Float32Array(batch.dimensions * 20));
        loaded = [];
      }
      const { dimensions } = batch;
      const which = () => pick([tracks, tracks.slice(2, 9), "all", { first: Math.floor(25 * draw()), count: Math.floor(9 * draw()) }]);
      const goals = () => pick([Array.from({ length: dimensions }, () => 10 * draw()), numbers(dimensions), numbers(20 * dimensions)]);
      const call = pick([
        () => batch.animate(which(), goals(), animation()), () => batch.retarget(which(), goals()), () => batch.set(which(), goals(), goals()),
        () => batch.displace(which(), goals()), () => batch.decelerate(which(), goals(), { rate: mild() }),
        () => batch.advance(batch.time + mild(), { velocities: draw() < 0.5 }), () => batch.advance(number()),
        () => batch.values, () => batch.velocities, () => batch.events, () => batch.remove(tracks.pick([Math.floor(20 * draw())])),
        () => (tracks = batch.add(new Float32Array(dimensions * 20))), () => batch.removeSettled(), () => batch.compact(),
        () => batch.pause(which()), () => batch.resume(which()), () => batch.stop(which()), () => batch.trigger(which()),
        () => batch.seek(which(), number()), () => batch.setSpeed(which(), number()),
        () => loaded.push(batch.loadClip(Array.from({ length: dimensions }, () => ({
          initial: mild(), keyframes: pick([[], [{ linear: mild(), duration: mild() }, { cubic: mild(), duration: mild() }],
            [{ spring: mild(), options: { duration: mild() } }, { move: mild() }]]) })))),
        () => loaded.push(batch.loadPhases([{ target: goals() }, { target: goals(), animation: animation() }])),
        () => loaded.length && batch.play(pick(loaded), which(), draw() < 0.5 ? {} : { offsets: goals(), scales: goals() }),
        () => loaded.length && batch.unload(loaded.splice(0, 1)[0]),
        () => murmuration.springValue(spring({ duration: mild(), bounce: mild() }), { times: numbers(3) }),
        () => murmuration.settlingDuration(spring({ duration: mild(), bounce: mild() }), { epsilon: mild() }),
      ]);
      try {
        call();
        done++;
      } catch (error) {
        assert.ok(error instanceof MurmurationError, error.stack);
        assert.ok(error.code !== "stopped" && error.code !== "outOfMemory", `${error.message} in ${call}`);
        refused++;
      }
    }
    batch.dispose();
    if (process.env.MURMURATION_SECONDS) console.log(`${module}: ${done} calls, ${refused} refused`);
    assert.ok(done > 1000 && refused > 400, `${done} calls, ${refused} refused`);
  });
}
