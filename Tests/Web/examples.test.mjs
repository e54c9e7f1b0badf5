// SPDX-License-Identifier: MIT
// The examples of the article and of the declarations run as they stand.
import assert from "node:assert/strict";
import { readFile, rm, writeFile } from "node:fs/promises";
import { test } from "node:test";
import { folder } from "./support.mjs";

const article = await readFile(
  new URL("../../Sources/Murmuration/Murmuration.docc/Articles/InJavaScript.md", import.meta.url), "utf8");
const declarations = await readFile(new URL("murmuration.d.mts", folder), "utf8");
const examples = [...article.matchAll(/```js\n([^]*?)```/g)].map(([, code]) => code);
examples.push(declarations.match(/^(?:\/\/ {5}.*\n)+/m)[0].replaceAll(/^\/\/ {5}/gm, ""));

test("there are examples", () => assert.equal(examples.length, 4));

examples.forEach((code, number) => {
  test(`example ${number}`, async () => {
    const drawn = [];
    const frames = [];
    const listeners = {};
    Object.assign(globalThis, {
      draw: (values) => drawn.push(...values.subarray(0, 2)),
      requestAnimationFrame: (frame) => frames.push(frame),
      addEventListener: (name, listener) => (listeners[name] = listener),
    });
    const file = new URL(`example-${number}.mjs`, folder);
    await writeFile(file, code);
    await import(file);
    await rm(file);
    if (!frames.length) return;
    for (let frame = 0; frame < 60; frame++) {
      if (frame === 1) listeners.pointermove({ clientX: 30, clientY: 40 });
      frames.shift()(1000 + 50 * frame);
    }
    assert.deepEqual(drawn.slice(0, 2), [0, 0]);
    assert.ok(Math.abs(drawn.at(-2) - 30) < 0.1 && Math.abs(drawn.at(-1) - 40) < 0.1, `${drawn.slice(-2)}`);
  });
});
