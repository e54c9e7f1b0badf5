// SPDX-License-Identifier: MIT
// The life of batches: every call, views and memory, in both modules.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Worker } from "node:worker_threads";
import { bouncy, easeIn, exported, folder, linear, load, modules, near, refuses, smooth, snappy, spring } from "./support.mjs";

for (const murmuration of modules) {
  const { module } = murmuration;

  test(`${module}: tracks come and go`, () => {
    const batch = murmuration.batch({ dimensions: 2, capacity: 10 });
    assert.deepEqual([batch.dimensions, batch.count, batch.indexCount, batch.time], [2, 0, 0, 0]);
    assert.equal(batch.values.length, 0);
    const tracks = batch.add([1, 2, 3, 4, 5, 6]);
    assert.deepEqual([tracks.count, tracks.index(2), batch.count, batch.indexCount], [3, 2, 3, 3]);
    assert.deepEqual([...batch.values], [1, 2, 3, 4, 5, 6]);
    batch.remove(tracks.slice(1, 2));
    assert.deepEqual([batch.count, batch.indexCount], [2, 3]);
    const later = batch.add([7, 8]);
    assert.equal(later.index(0), 1);
    assert.deepEqual([...batch.values], [1, 2, 7, 8, 5, 6]);
    batch.animate("all", [0, 0], snappy(0.2));
    batch.advance(60);
    assert.deepEqual([...batch.values], [0, 0, 0, 0, 0, 0]);
    assert.equal(batch.removeSettled(), 3);
    batch.add([1, 1]);
    batch.removeAll();
    batch.compact();
    assert.equal(batch.count, 0);
    batch.dispose();
  });

  test(`${module}: tracks follow goals that are set, written in place or led`, () => {
    const batch = murmuration.batch({ dimensions: 1, reports: { arrivals: true } });
    const tracks = batch.add([0, 0, 0]);
    assert.equal(batch.goals().length, 0);
    batch.follow(tracks, snappy(0.2));
    batch.setGoals(tracks, [10, 20, 30]);
    const led = batch.add([0]);
    batch.follow(led, [spring({ duration: 0 })], { leaders: tracks.slice(1, 2), offsets: [1] });
    batch.goals()[2] = 40;
    const arrived = new Set();
    for (let frame = 1; frame < 200; frame++) {
      batch.advance(frame / 60);
      for (const { kind, index } of batch.events) if (kind === "settled") arrived.add(index);
    }
    assert.deepEqual([...batch.values], [10, 20, 40, 21]);
    assert.deepEqual([...arrived].sort(), [0, 1, 2, 3]);
    batch.goals()[0] = NaN;
    batch.advance(4);
    assert.deepEqual(batch.events.map(({ kind, index }) => [kind, index]), [["invalidGoal", 0]]);
    batch.follow(tracks.slice(1, 3));
    assert.throws(() => batch.follow(tracks, easeIn(0.2)), TypeError);
    refuses("invalidCount", /leaders/, () => batch.follow(led, snappy(), { leaders: tracks }));
    batch.dispose();
  });

  test(`${module}: slides end within bounds, and at points`, () => {
    const batch = murmuration.batch({ dimensions: 2 });
    const tracks = batch.add(new Float32Array(10));
    const one = (place) => tracks.slice(place, place + 1);
    const [throws, end] = [[900, -900], spring({ duration: 0.3, bounce: 0.4 })];
    batch.decelerate(one(0), throws, { within: { lower: [-50, -Infinity], upper: [70, 10] }, spring: end });
    batch.decelerate(one(1), throws, { within: { lower: [-1000, -60] } });
    batch.decelerate(one(2), throws, { snap: { every: [100, 40], from: [7, 0] } });
    batch.decelerate(one(3), throws, { snap: { values: [0, 0, 400, -400, 449, 900] }, within: { upper: [380, 0] } });
    batch.decelerate(one(4), throws, { within: null, snap: null });
    const free = 900 / (-1000 * Math.log(0.998));
    const ends = [70, -free, free, -60, 407, -440, 380, -400, free, -free].map(Math.fround);
    assert.deepEqual([...batch.targets], ends);
    let most = 0;
    for (let frame = 1; frame <= 300; frame++) {
      batch.advance(frame / 100);
      most = Math.max(most, batch.values[0]);
    }
    // The spring at the bound has a bounce.
    assert.ok(most > 75 && most < 120, most);
    batch.advance(60);
    assert.deepEqual([...batch.values], ends);
    assert.throws(() => batch.decelerate("all", null, { snap: { every: [1, 0] } }), /the spacing must be above 0/);
    assert.throws(() => batch.decelerate("all", null, { snap: { every: [1, 1], values: [1, 1] } }), TypeError);
    batch.dispose();
  });

  test(`${module}: tracks that are gone are passed over`, () => {
    const [batch, other] = [murmuration.batch({ dimensions: 1 }), murmuration.batch({ dimensions: 1 })];
    const tracks = batch.add([0, 1, 2, 3, 4]);
    batch.remove(tracks.slice(1, 3));
    assert.throws(() => batch.set(tracks, [9]), { code: "staleHandle" });
    const live = batch.live(tracks.pick([4, 1, 0, 4]));
    assert.deepEqual([live.count, live.index(0), live.index(1), live.index(2)], [3, 4, 0, 4]);
    batch.set(batch.live(tracks), [9]);
    assert.deepEqual([...batch.values], [9, 0, 0, 9, 9]);
    assert.deepEqual([batch.live("all").count, batch.live({ first: 1, count: 3 }).index(0)], [3, 3]);
    assert.equal(batch.live(tracks.slice(1, 3)).count, 0);
    assert.throws(() => batch.live(other.add([0])), { code: "storeMismatch" });
    assert.throws(() => batch.live({ first: 0, count: 2 ** 31 - 1 }), { code: "trackOutOfRange" });
    batch.dispose();
    other.dispose();
  });

  test(`${module}: what a batch says after a call is not from before it`, () => {
    const batch = murmuration.batch({ dimensions: 1 });
    batch.add([1, 2, 3]);
    batch.remove("all");
    assert.deepEqual([batch.count, batch.indexCount, batch.live("all").count], [0, 3, 0]);
    batch.dispose();
  });

  test(`${module}: a call takes what a batch shows, also when memory grows meanwhile`, async () => {
    const calls = {
      set: (batch, tracks) => batch.set(tracks, batch.values, batch.values),
      setGoals: (batch, tracks) => batch.setGoals(tracks, batch.values),
    };
    for (const [name, call] of Object.entries(calls)) {
      const batch = (await load({ module })).batch({ dimensions: 1 }), count = 700_000;
      const tracks = batch.add(new Float32Array(count).fill(3));
      if (name === "setGoals") batch.follow("all");
      const bytes = batch.values.buffer.byteLength;
      call(batch, tracks);
      assert.ok(batch.values.buffer.byteLength > bytes, "memory did not grow; take another count");
      assert.equal(batch.values[count - 1], 3);
    }
  });

  test(`${module}: tracks, clips and phases of another module name nothing in this one`, async () => {
    const [mine, others] = await Promise.all([0, 1].map(async () => {
      const batch = (await load({ module })).batch({ dimensions: 1 });
      const clip = batch.loadClip([{ initial: 0, keyframes: [{ linear: 1, duration: 1 }] }]);
      return { batch, clip, tracks: batch.add([1, 2]), phases: batch.loadPhases([{ target: [0] }, { target: [1] }]) };
    }));
    refuses("storeMismatch", /module/, () => mine.batch.set(others.tracks.slice(0, 1), [9]));
    refuses("storeMismatch", /module/, () => mine.batch.live(others.tracks.pick([1])));
    refuses("storeMismatch", /module/, () => mine.batch.follow("all", smooth(), { leaders: mine.batch.live("all") && others.tracks }));
    refuses("unknownClip", /module/, () => mine.batch.play(others.clip, "all"));
    refuses("unknownPhases", /module/, () => mine.batch.unload(others.phases));
    assert.deepEqual([...mine.batch.values], [1, 2]);
  });

  test(`${module}: changes by hand`, () => {
    const batch = murmuration.batch({ dimensions: 1 });
    const tracks = batch.add([0, 0, 0, 0]);
    const change = batch.animate(tracks, [10], smooth(0.3));
    assert.equal(batch.retarget(tracks.slice(0, 1), [20]), change + 1);
    assert.deepEqual([...batch.targets], [20, 10, 10, 10]);
    batch.advance(0.1, { velocities: true });
    assert.ok(batch.velocities[0] > batch.velocities[1] && batch.velocities[1] > 0);
    batch.set(tracks.slice(1, 2), [3]);
    batch.displace(tracks.slice(2, 3), [100], [0]);
    batch.decelerate(tracks.slice(3), [1000], { rate: 0.99 });
    batch.pause(tracks.slice(0, 1));
    const paused = batch.values[0];
    batch.advance(5);
    assert.equal(batch.values[0], paused);
    assert.deepEqual([...batch.values.subarray(1, 3)], [3, 10]);
    assert.ok(batch.values[3] > 90);
    batch.resume("all");
    batch.advance(10);
    assert.equal(batch.values[0], 20);
    batch.animate({ first: 1, count: 2 }, [1, 2], linear(1), { delays: [0, 1] });
    batch.advance(11);
    assert.deepEqual([...batch.values.subarray(1, 3)], [1, 10]);
    batch.animate({ first: 0, count: 2 }, [50], null, { delay: 0.5, delays: [0, 1] });
    batch.animate(tracks.slice(2), [50], null, { delay: 0.5 });
    batch.cancelDelays(tracks.slice(3));
    batch.advance(11.75);
    assert.deepEqual([...batch.targets.subarray(0, 3)], [50, 1, 50]);
    assert.notEqual(batch.targets[3], 50);
    batch.push(tracks.slice(0, 1), [-4]);
    batch.push(tracks.slice(0, 1), [-4]);
    batch.advance(11.75, { velocities: true });
    assert.equal(batch.velocities[0], -8);
    batch.stop("all");
    batch.advance(20);
    assert.equal(batch.values[2], 50);
    batch.dispose();
  });

  test(`${module}: a batch goes back to a snapshot, and a copy goes its own way`, () => {
    const batch = murmuration.batch({ dimensions: 1 });
    const tracks = batch.add([0, 0, 0]);
    batch.animate(tracks, [10, 20, 30], linear(1), { delays: [0, 0.25, 0.5] });
    const moment = batch.snapshot();
    batch.advance(0.5);
    const expected = [...batch.values];
    const copy = batch.copy();
    batch.remove(tracks.slice(0, 1));
    const since = batch.add([7]);
    batch.restore(moment);
    batch.advance(0.5);
    assert.deepEqual([...batch.values], expected);
    assert.throws(() => batch.stop(since), { code: "staleHandle" });
    assert.throws(() => copy.stop(tracks), { code: "storeMismatch" });
    copy.stop(copy.live({ first: 0, count: 1 }));
    copy.advance(1);
    assert.deepEqual([...copy.values], [expected[0], 15, 15]);
    assert.equal(batch.snapshot(moment), moment);
    assert.throws(() => copy.restore(moment), { code: "snapshotMismatch" });
    assert.throws(() => batch.restore({}), TypeError);
    moment.dispose();
    assert.throws(() => batch.restore(moment), { code: "unknownObject" });
    copy.dispose();
    batch.dispose();
  });

  test(`${module}: a snapshot goes through bytes, in this module and in another one`, async () => {
    const batch = murmuration.batch({ dimensions: 2 });
    const tracks = batch.add([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const keyframes = { initial: 0, keyframes: [{ linear: 10, duration: 0.7 }, { cubic: 2, duration: 0.4 }] };
    batch.animate(tracks, [10, 20], bouncy(), { delays: [0, 0.1, 0.2, 0.3, 0.4] });
    batch.animate(tracks.slice(1), [5, 5], linear(1).repeatForever(), { completion: "settled" });
    batch.play(batch.loadClip([keyframes, keyframes]), tracks.slice(2, 3), { repeat: Infinity });
    batch.play(
      batch.loadPhases([{ target: [0, 0], animation: smooth(0.2) }, { target: [5, 6], animation: linear(0.3) }]), tracks.slice(3, 4));
    batch.follow(tracks.slice(4), smooth());
    batch.setGoals(tracks.slice(4), [30, 40]);
    batch.advance(0.25);
    const moment = batch.snapshot();
    const bytes = moment.bytes();
    const frames = (one) => [0.3, 0.9, 4].map((time) => {
      one.advance(time, { velocities: true });
      return [...one.values, ...one.velocities, ...one.targets, JSON.stringify(one.events)];
    });
    const expected = frames(batch);
    const read = murmuration.snapshot(bytes);
    assert.equal(read.bytes().length, bytes.length);
    batch.restore(read);
    assert.deepEqual(frames(batch), expected);
    const other = await load({ module });
    const [elsewhere, beside] = [other.batchFrom(other.snapshot(bytes)), murmuration.batchFrom(read)];
    for (const one of [elsewhere, beside]) {
      assert.equal(one.dimensions, 2);
      assert.throws(() => one.stop(tracks), { code: "storeMismatch" });
      assert.deepEqual(frames(one), expected);
    }
    const own = other.batch({ dimensions: 2 });
    assert.throws(() => own.restore(other.snapshot(bytes)), { code: "snapshotMismatch" });
    assert.throws(() => own.restore(read), { code: "unknownObject" });
    const damaged = bytes.slice();
    damaged[bytes.length >> 1] ^= 4;
    for (const bad of [damaged, bytes.subarray(1), bytes.subarray(0, 40), new Uint8Array()]) {
      assert.throws(() => murmuration.snapshot(bad), { code: "invalidSnapshot" });
    }
    assert.throws(() => murmuration.snapshot([1, 2]), TypeError);
    for (const one of [batch, beside, elsewhere, own, moment, read]) one.dispose();
    assert.throws(() => moment.bytes(), { code: "unknownObject" });
  });

  test(`${module}: a track that heads for its goal already is left alone`, () => {
    const batch = murmuration.batch({ dimensions: 1 });
    const tracks = batch.add([0, 0]);
    const first = batch.animate(tracks, [1, 2], spring({ duration: 0.5 }));
    batch.advance(0.1);
    batch.animate(tracks, [1, 3], linear(1));
    const second = batch.retarget(tracks, [1, 4]);
    batch.advance(30);
    const settled = batch.events.filter(({ kind }) => kind === "settled").map(({ index, change }) => [index, change]);
    assert.deepEqual(settled.sort(), [[0, first], [1, second]]);
    batch.dispose();
  });

  test(`${module}: events name their changes`, () => {
    const batch = murmuration.batch({ dimensions: 1 });
    const tracks = batch.add([0, 0]);
    const first = batch.animate(tracks.slice(0, 1), [1], smooth(0.25));
    const second = batch.animate(tracks.slice(1), [1], linear(0.5).repeat(2));
    assert.deepEqual(batch.events, []);
    batch.advance(10);
    const seen = batch.events.map(({ kind, index, change }) => [kind, index, change]);
    assert.ok(seen.some((event) => `${event}` === `logicallyComplete,0,${first}`), JSON.stringify(batch.events));
    assert.ok(seen.some((event) => `${event}` === `settled,1,${second}`), JSON.stringify(batch.events));
    near(batch.events.find(({ kind }) => kind === "logicallyComplete").time, 0.25, 1e-6);
    batch.advance(11);
    assert.deepEqual(batch.events, []);
    batch.dispose();
  });

  test(`${module}: clips`, () => {
    const batch = murmuration.batch({ dimensions: 2 });
    const tracks = batch.add(new Float32Array(8));
    const clip = batch.loadClip([
      { initial: 0, keyframes: [{ linear: 10, duration: 1 }, { move: 4 }, { cubic: 5, duration: 0.5 }] },
      { initial: 2, keyframes: [{ spring: 3, duration: 1, options: { bounce: 0.2 } }] },
    ]);
    assert.equal(clip.duration, 1.5);
    batch.play(clip, tracks, { repeat: 2, offsets: [100, 0], scales: [2, 1] });
    batch.advance(0.5);
    near(batch.values[0], 110, 1e-3);
    batch.setSpeed(tracks.slice(0, 1), 0.5);
    batch.seek(tracks.slice(1, 2), 0.25);
    batch.advance(0.7);
    near(batch.values[0], 112, 1e-3);
    near(batch.values[2], 109, 1e-3);
    refuses("clipInUse", /./, () => batch.unload(clip));
    batch.stop("all");
    batch.unload(clip);
    refuses("unknownClip", /./, () => batch.play(clip, tracks));
    batch.dispose();
  });

  test(`${module}: phases`, () => {
    const batch = murmuration.batch({ dimensions: 1 });
    const tracks = batch.add([0, 0]);
    const phases = batch.loadPhases([
      { target: [0] }, { target: [1], animation: easeIn(0.5) }, { target: [2], animation: spring({ duration: 0.3 }) },
    ]);
    assert.equal(phases.count, 3);
    batch.play(phases, tracks.slice(0, 1), { scales: [10] });
    batch.play(phases, tracks.slice(1), { loops: false });
    batch.advance(0.5);
    assert.ok(batch.values[0] > 0);
    assert.equal(batch.values[1], 0);
    batch.trigger(tracks.slice(1));
    batch.advance(1.1);
    assert.ok(batch.events.some(({ kind, index, number }) => kind === "phase" && index === 1 && number >= 1));
    batch.dispose();
  });

  test(`${module}: velocity trackers`, () => {
    const trackers = murmuration.velocityTrackers({ count: 2, dimensions: 2 });
    for (let frame = 0; frame < 4; frame++) trackers.record([frame, 0, 0, -2 * frame], frame / 100);
    const velocities = trackers.velocities(0.03);
    [100, 0, 0, -200].forEach((velocity, place) => near(velocities[place], velocity, 1e-2));
    trackers.reset();
    trackers.record([0, 0, 0, 0], 0);
    assert.deepEqual([...trackers.velocities(0)], [0, 0, 0, 0]);
    trackers.dispose();
    refuses("unknownObject", /./, () => trackers.record([0, 0, 0, 0], 1));
  });

  test(`${module}: views outlive the growth of memory`, () => {
    const batch = murmuration.batch({ dimensions: 1 });
    batch.add([1, 2, 3]);
    const before = batch.values;
    const others = Array.from({ length: 8 }, () => {
      const other = murmuration.batch({ dimensions: 3 });
      other.add(new Float32Array(3 * 100_000).fill(5));
      assert.equal(other.values[299_999], 5);
      return other;
    });
    assert.deepEqual([...batch.values], [1, 2, 3]);
    assert.ok(before.length === 0 || before === batch.values);
    batch.add([4]);
    assert.deepEqual([...batch.values], [1, 2, 3, 4]);
    for (const other of [batch, ...others]) other.dispose();
  });

  test(`${module}: memory is used again`, () => {
    const round = () => {
      const batch = murmuration.batch({ dimensions: 2 });
      const tracks = batch.add(new Float32Array(2 * 20_000));
      batch.animate(tracks, [1, 2], bouncy());
      batch.advance(0.1);
      const { buffer } = batch.values;
      batch.dispose();
      return buffer.byteLength;
    };
    for (let count = 0; count < 5; count++) round();
    const bytes = round();
    for (let count = 0; count < 50; count++) round();
    assert.equal(round(), bytes);
  });
}

test("all tracks are all to the engine, and not a count of them", async () => {
  const { instantiate } = WebAssembly;
  const calls = [];
  WebAssembly.instantiate = async (...given) => {
    const { exports } = await instantiate(...given);
    const noted = (name) => (...values) => (calls.push([name, ...values]), exports[name](...values));
    return { exports: Object.fromEntries(
      Object.entries(exports).map(([name, value]) => [name, typeof value === "function" ? noted(name) : value])) };
  };
  const batch = (await load({ module: modules[0].module }).finally(() => (WebAssembly.instantiate = instantiate)))
    .batch({ dimensions: 1 });
  batch.add([0, 0, 0]);
  const clip = batch.loadClip([{ initial: 0, keyframes: [{ linear: 1, duration: 1 }] }]);
  const phases = batch.loadPhases([{ target: [0] }, { target: [1] }]);
  const verbs = {
    animate: () => (batch.animate("all", [1], smooth()), batch.animate("all", [1, 2, 3], null, { delays: [0, 1, 2] })),
    animate_each: () => batch.animate("all", [1], [smooth(), null, linear(1)]),
    retarget: () => batch.retarget("all", [4]), set: () => batch.set("all", [1]), displace: () => batch.displace("all", [1], [2]),
    push: () => batch.push("all", [1]), cancel_delays: () => batch.cancelDelays("all"),
    decelerate: () => batch.decelerate("all", [3]), pause: () => batch.pause("all"), resume: () => batch.resume("all"),
    play_clip: () => batch.play(clip, "all"), vary: () => batch.play(clip, "all", { offsets: [1, 2, 3] }),
    set_speed: () => batch.setSpeed("all", 2), seek: () => batch.seek("all", 0), play_phases: () => batch.play(phases, "all"),
    trigger: () => batch.trigger("all"), stop: () => batch.stop("all"), remove: () => batch.remove("all"),
  };
  for (const [verb, call] of Object.entries(verbs)) {
    calls.length = 0;
    call();
    const made = calls.filter(([name]) => name === `murmuration_${verb}`);
    assert.ok(made.length > 0, verb);
    for (const values of made) assert.match(values.join(), /,0,0,-1(,|$)/, verb);
  }
  batch.dispose();
});

test("a batch that is forgotten is freed", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  const fresh = await load({ module: modules[0].module });
  const bytes = () => {
    const batch = fresh.batch({ dimensions: 2 });
    batch.add(new Float32Array(200_000));
    return batch.values.buffer.byteLength;
  };
  for (let count = 0; count < 40; count++) {
    bytes();
    collect();
    await new Promise((resolve) => setTimeout(resolve));
  }
  // Forty batches at a time would take more than 160 MB.
  assert.ok(bytes() < 64_000_000, `${bytes()} bytes`);
});

test("the module works in a worker", async () => {
  const worker = new Worker(
    `import(process.argv[2]).then(async ({ load }) => {
       const { parentPort } = await import("node:worker_threads");
       parentPort.postMessage((await load()).sameBitsHash());
     })`,
    { eval: true, argv: [new URL("murmuration.mjs", folder).href] });
  const hash = await new Promise((resolve, reject) => worker.on("message", resolve).on("error", reject));
  await worker.terminate();
  assert.equal(hash, modules[0].sameBitsHash());
});

test("the declarations have the names of the module", async () => {
  const text = await readFile(new URL("murmuration.d.mts", folder), "utf8");
  const declared = [...text.matchAll(/^export (?:function|class) (\w+)|^export const ([^;]*);/gm)].flatMap(([, name, names]) =>
    name ? [name] : [...names.matchAll(/(\w+): (?:typeof|\()/g)].map(([, each]) => each));
  assert.deepEqual([...new Set(declared)].sort(), [...exported].sort());
});
