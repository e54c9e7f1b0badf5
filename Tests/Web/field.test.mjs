// SPDX-License-Identifier: MIT
// The springs of the page's flock: what a hand does to them changes velocities, and no place.
import assert from "node:assert/strict";
import { test } from "node:test";
import { folder, modules } from "./support.mjs";

const { Field } = await import(new URL("field.js", folder));

const pushes = {
  stir: (field) => field.stir(0.3, 0.2, 1, 1), scatter: (field) => field.scatter(0.1, 0.1), fling: (field) => field.fling(3, 2),
};

for (const [name, push] of Object.entries(pushes)) {
  test(`${name} sends springs off from where they are`, () => {
    const field = new Field(modules[0], 500);
    field.setShape("heart");
    for (let frame = 1; frame <= 20; frame++) field.lead(frame / 60, false);
    const before = field.batch.values.slice();
    push(field);
    assert.deepEqual(field.batch.values.slice(), before);
    field.lead(field.time + 1 / 60, false);
    const most = field.batch.values.reduce((most, value, i) => Math.max(most, Math.abs(value - before[i])), 0);
    assert.ok(most > 0.001 && most < 1, `${most}`);
    field.batch.dispose();
  });
}
