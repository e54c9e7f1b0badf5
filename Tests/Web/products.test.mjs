// SPDX-License-Identifier: MIT
// The exact module emulates fused products. Its quick way says when it may be wrong; see products.c.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";

test("a quick product that is rounded twice is in doubt", async () => {
  const module = await WebAssembly.compile(await readFile(process.env.MURMURATION_PRODUCTS));
  const { compare, differing_products, undoubted_products } = (await WebAssembly.instantiate(module)).exports;
  for (const seed of [1, 2, 3]) {
    compare(seed, 1_000_000);
    // The numbers do look for ties.
    assert.ok(differing_products() > 1000, `${differing_products()} products differ`);
    assert.equal(undoubted_products(), 0);
  }
});
