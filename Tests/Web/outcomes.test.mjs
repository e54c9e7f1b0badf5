// SPDX-License-Identifier: MIT
// The ends of changes: as lists, and as promises.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bouncy, easeIn, linear, modules, MurmurationError, smooth } from "./support.mjs";

for (const murmuration of modules) {
  const { module } = murmuration;

  test(`${module}: changes end complete, replaced or removed`, () => {
    const batch = murmuration.batch({ dimensions: 1 });
    const tracks = batch.add([0, 0, 0, 0]);
    const change = batch.animate(tracks, [10], smooth(0.5), { completion: "logicallyComplete" });
    batch.advance(0.1);
    assert.deepEqual([batch.outcomes, batch.trackOutcomes], [[], []]);
    batch.stop(tracks.slice(0, 1));
    batch.remove(tracks.slice(3));
    batch.advance(0.2);
    assert.deepEqual(batch.trackOutcomes, [{ change, index: 0, result: "replaced" }, { change, index: 3, result: "removed" }]);
    assert.deepEqual(batch.outcomes, []);
    batch.advance(0.51);
    assert.deepEqual(batch.outcomes, [{ change, completed: 2, replaced: 1, removed: 1, isComplete: false }]);
    assert.deepEqual(batch.trackOutcomes.map(({ index, result }) => [index, result]), [[1, "complete"], [2, "complete"]]);
    batch.advance(9);
    assert.deepEqual([batch.outcomes, batch.trackOutcomes], [[], []]);
    batch.dispose();
  });

  test(`${module}: every call that takes a completion`, () => {
    const batch = murmuration.batch({ dimensions: 1 });
    const tracks = batch.add([0, 0, 0, 0, 0, 0]);
    const one = (place) => tracks.slice(place, place + 1);
    const clip = batch.loadClip([{ initial: 0, keyframes: [{ linear: 1, duration: 0.5 }] }]);
    batch.play(batch.loadPhases([{ target: [0] }, { target: [8], animation: easeIn(0.2) }]), one(5), { loops: false });
    const end = { completion: "settled" };
    const changes = [
      batch.animate(one(0), [1], linear(0.1), end), batch.animate(one(1), [1], [linear(0.1)], end), batch.retarget(one(2), [1], end),
      batch.decelerate(one(3), [100], end), batch.play(clip, one(4), end), batch.trigger(one(5), end),
    ];
    batch.animate("all", [5], bouncy(), { completion: null, delay: 20 });
    batch.advance(10);
    const complete = (change) => ({ change, completed: 1, replaced: 0, removed: 0, isComplete: true });
    assert.deepEqual([...batch.outcomes].sort((a, b) => a.change - b.change), changes.map(complete));
    batch.dispose();
  });

  test(`${module}: promises of ends`, async () => {
    const batch = murmuration.batch({ dimensions: 1 });
    const tracks = batch.add([0, 0]);
    const change = batch.animate(tracks, [1], linear(0.1), { completion: "settled" });
    const log = [];
    const both = [batch.finished(change), batch.finished(change)].map((promise) => promise.then((outcome) => {
      log.push(outcome.completed);
      // After the frame, so any call may be made.
      batch.animate(tracks, [0], linear(0.1));
    }));
    batch.advance(0.05);
    await null;
    assert.deepEqual(log, []);
    batch.advance(1);
    await Promise.all(both);
    assert.deepEqual(log, [2, 2]);
    // What ended with its call is told by the next advance.
    const jump = batch.animate(tracks, [7], null, { completion: "settled" });
    assert.equal(batch.outcomes.at(-1).change, jump);
    const told = batch.finished(jump);
    batch.advance(1);
    assert.ok((await told).isComplete);
    const silent = batch.animate(tracks, [9], linear(0.1));
    for (const none of [change, jump, silent, 99, undefined]) {
      await assert.rejects(batch.finished(none), (error) => error instanceof MurmurationError && error.code === "invalidCode");
    }
    const last = batch.finished(batch.animate(tracks, [1], linear(1), { completion: "settled" }));
    batch.animate(tracks, [2], linear(1), { completion: "settled" });
    batch.dispose();
    await assert.rejects(last, (error) => error instanceof MurmurationError && error.code === "unknownObject");
  });

  test(`${module}: a batch that goes back lets nothing wait in vain`, async () => {
    const batch = murmuration.batch({ dimensions: 1 }), dots = batch.add([0, 0]);
    const early = batch.animate(dots.slice(0, 1), [1], linear(1), { completion: "settled" }), moment = batch.snapshot();
    const late = batch.animate(dots.slice(1), [1], linear(1), { completion: "settled" });
    const [first, second] = [batch.finished(early), batch.finished(late)];
    batch.restore(moment);
    await assert.rejects(second, { code: "unknownObject", message: `the batch went back to a time before change ${late}` });
    await assert.rejects(batch.finished(late), { code: "invalidCode" });
    batch.advance(2);
    assert.ok((await first).isComplete);
    batch.restore(moment);
    for (const one of [batch, batch.copy(), murmuration.batchFrom(moment)]) {
      const end = one.finished(early);
      one.advance(2);
      assert.ok((await end).isComplete);
      one.dispose();
    }
    moment.dispose();
  });
}
