// SPDX-License-Identifier: MIT
// What the tests share: the folder that Scripts/build-web wrote, and its modules.
import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";

export const folder = pathToFileURL(`${process.env.MURMURATION_WEB ?? ".build/web"}/`);
const names = await import(new URL("murmuration.mjs", folder));
export const { load, spring, smooth, snappy, bouncy, interpolatingSpring, curve, linear, easeIn, easeOut, easeInOut, MurmurationError } =
  names;
export const exported = Object.keys(names);

/** Both modules, or those that MURMURATION_MODULES names; each has its own memory. */
const wanted = (process.env.MURMURATION_MODULES ?? "exact relaxed").split(" ");
export const modules = await Promise.all(wanted.map((module) => load({ module })));

/** Fails unless a call throws an error of the engine with a code and words. */
export function refuses(code, words, call) {
  assert.throws(call, (error) => {
    assert.ok(error instanceof MurmurationError, `not an error of the engine: ${error.stack}`);
    assert.equal(error.code, code, error.message);
    assert.match(error.message, words);
    return true;
  });
}

/** Numbers that are the same in each run. */
export function random(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export const near = (a, b, distance = 1e-5) => assert.ok(Math.abs(a - b) <= distance, `${a} is not ${b}`);
