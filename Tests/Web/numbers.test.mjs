// SPDX-License-Identifier: MIT
// The numbers of both modules: those of native programs, and those of the formulas.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { bouncy, curve, interpolatingSpring, linear, load, modules, near, smooth, spring } from "./support.mjs";

const header = await readFile(new URL("../../Sources/CSurface/include/murmuration.h", import.meta.url), "utf8");
const native = BigInt(header.match(/MURMURATION_SAME_BITS (?:UINT64_C\()?(0x[0-9a-f]+)/i)[1]);

for (const murmuration of modules) {
  test(`the ${murmuration.module} module has the bits of native programs`, () => {
    assert.equal(murmuration.sameBitsHash(), native);
  });
}

test("where nothing is said, the module with native bits is loaded", async () => {
  const murmuration = await load();
  assert.equal(murmuration.module, modules.at(-1).module);
  assert.equal(murmuration.sameBitsHash(), native);
});

const staggers = JSON.parse(await readFile(new URL("../Fixtures/staggers.json", import.meta.url), "utf8"));

for (const murmuration of modules) {
  const { module } = murmuration;
  test(`${module}: staggers have the delays of Swift`, () => {
    for (const { count, delays, place, point, ease, seed, ...options } of staggers) {
      // JSON has no whole numbers of 64 bits.
      const draws = seed === undefined ? {} : { seed: seed > 2 ** 31 ? 0xffff_ffff_ffff_ffffn : seed };
      const all = { ...options, ...draws, origin: place ?? point ?? "first", ease: ease?.name ?? "linear" };
      assert.deepEqual([...murmuration.stagger(count, all)], delays, JSON.stringify(all, (_, value) => String(value)));
    }
    const batch = murmuration.batch({ dimensions: 1 });
    const tracks = batch.add([0, 0, 0, 0]);
    batch.animate(tracks, [1], linear(1), { delays: murmuration.stagger(4, { each: 0.5, origin: 3 }) });
    batch.advance(1);
    assert.deepEqual([...batch.values], [0, 0, 0.5, 1]);
    batch.dispose();
  });

  test(`${module}: a seed may be any whole number`, () => {
    for (const seed of [0, 2 ** 31, 1764525223000, Number.MAX_SAFE_INTEGER]) {
      const [one, other] = [seed, BigInt(seed)].map((seed) => [...murmuration.stagger(20, { each: 1, seed })]);
      assert.deepEqual(one, other);
    }
  });

  test(`${module}: bad staggers are refused`, () => {
    const types = [{}, { each: 1, over: 1 }, { each: "x" }, { each: 1, origin: "middle" }, { each: 1, origin: [1] },
      { each: 1, origin: ["a", 2] }, { each: 1, ease: "x" }, { each: 1, wrong: 1 }, undefined, null];
    for (const options of types) assert.throws(() => murmuration.stagger(4, options), TypeError, JSON.stringify(options));
    for (const [code, options] of [["invalidDelay", { each: -1 }], ["invalidDelay", { over: NaN }], ["invalidCount", { each: 1, columns: 0 }],
      ["invalidCount", { each: 1, columns: 1.5 }], ["invalidCount", { each: 1, seed: -1 }], ["invalidValue", { each: 1, origin: [1, Infinity] }]]) {
      assert.throws(() => murmuration.stagger(4, options), { code }, JSON.stringify(options));
    }
    assert.throws(() => murmuration.stagger(-1, { each: 1 }), { code: "invalidCount" });
    assert.equal(murmuration.stagger(0, { each: 1 }).length, 0);
  });

  test(`${module}: springs follow their formula`, () => {
    const batch = murmuration.batch({ dimensions: 1 });
    const track = batch.add([10]);
    batch.animate(track, [30], smooth(0.5));
    const times = [0, 0.1, 0.25, 0.5, 1];
    const model = murmuration.springValue(smooth(0.5), { from: 10, to: 30, times });
    times.forEach((time, place) => {
      // Critically damped: the distance is (1 + ωt)·e^−ωt of the first one.
      const phase = (2 * Math.PI / 0.5) * time;
      const value = 30 - 20 * (1 + phase) * Math.exp(-phase);
      batch.advance(time, { velocities: true });
      near(model.values[place], value, 1e-12);
      near(batch.values[0], value, 1e-4);
      near(batch.velocities[0], model.velocities[place], 1e-2);
    });
    batch.dispose();
  });

  test(`${module}: curves and interpolating springs follow theirs`, () => {
    assert.deepEqual([...murmuration.curveValue("linear", [0, 0.25, 1])], [0, 0.25, 1]);
    near(murmuration.curveValue("easeInOut", [0.5])[0], 0.5, 1e-9);
    near(murmuration.curveValue([0, 0, 1, 1], [0.3])[0], 0.3, 1e-9);
    near(murmuration.curveValue("easeInSine", [1 / 3])[0], 1 - Math.cos(Math.PI / 6), 1e-12);
    near(murmuration.curveValue("easeOutQuad", [0.25])[0], 0.4375, 1e-12);
    near(murmuration.curveValue("easeInOutBounce", [0.75])[0], (1 + 0.765625) / 2, 1e-12);
    assert.deepEqual(
      murmuration.curveValue("easeOutCirc", [0.1, 0.9]), murmuration.curveValue("circularEaseOut", [0.1, 0.9]));
    const batch = murmuration.batch({ dimensions: 2 });
    const tracks = batch.add([0, 0, 5, 5]);
    batch.animate(tracks.slice(0, 1), [8, 4], linear(2));
    batch.animate(tracks.slice(1), [5, 9], curve("easeInOut", 2).delay(1));
    batch.advance(1);
    assert.deepEqual([...batch.values], [4, 2, 5, 5]);
    batch.advance(2);
    near(batch.values[3], 7);
    assert.equal(batch.values[0], 8);
    batch.animate(tracks, [0, 0], interpolatingSpring({ duration: 0.2 }));
    batch.advance(9);
    assert.deepEqual([...batch.values], [0, 0, 0, 0]);
    batch.dispose();
  });

  test(`${module}: settling durations`, () => {
    assert.equal(murmuration.settlingDuration(spring({ duration: 0.5, bounce: 1 })), Infinity);
    const seconds = murmuration.settlingDuration(spring({ stiffness: 100, damping: 20 }), { epsilon: 0.01 });
    const { values } = murmuration.springValue(spring({ stiffness: 100, damping: 20 }), { times: [seconds * 1.001] });
    assert.ok(Math.abs(1 - values[0]) <= 0.01 && seconds > 0.5 && seconds < 0.8);
  });

  test(`${module}: every form of a spring, and modifiers`, () => {
    const same = [spring({ duration: 0.5, bounce: 0.3 }), spring({ response: 0.5, dampingRatio: 0.7 }), bouncy(0.5),
      spring({ stiffness: (4 * Math.PI) ** 2, damping: 2 * 0.7 * 4 * Math.PI })];
    const [first, ...others] = same.map((animation) => murmuration.springValue(animation, { times: [0.2] }).values[0]);
    for (const other of others) near(other, first, 1e-12);
    const batch = murmuration.batch({ dimensions: 1 });
    const tracks = batch.add([0, 0, 0]);
    batch.animate(tracks.pick([1]), [1], linear(1).repeat(2));
    batch.animate(tracks.pick([2]), [1], linear(1).speed(2));
    batch.advance(0.25);
    assert.deepEqual([...batch.values], [0, 0.25, 0.5]);
    batch.advance(1.25);
    assert.deepEqual([...batch.values], [0, 0.75, 1]);
    batch.dispose();
  });
}

for (const murmuration of modules) {
  test(`${murmuration.module}: columns are read where they lie, and anew after memory has grown`, () => {
    const batch = murmuration.batch({ dimensions: 2 });
    assert.equal(batch.column(1).length, 0);
    batch.add(Array.from({ length: 74 }, (_, place) => place));
    const first = batch.column(1);
    assert.deepEqual([...first], Array.from({ length: 37 }, (_, index) => 2 * index + 1));
    batch.animate("all", [5, 9], smooth(0.5));
    batch.advance(0.05);
    assert.throws(() => batch.column(0, "velocities"), { code: "velocitiesNotComputed" });
    batch.advance(0.1, { velocities: true });
    for (const [what, numbers] of [["values", batch.values], ["velocities", batch.velocities], ["targets", batch.targets]]) {
      for (const component of [0, 1]) {
        const expected = [...numbers].filter((_, place) => place % 2 === component);
        assert.deepEqual([...batch.column(component, what)], expected);
      }
    }
    // No copy: both arrays show the same memory.
    const [one, other] = [batch.column(0), batch.column(0)];
    assert.ok(one.buffer === other.buffer && one.byteOffset === other.byteOffset);
    batch.add(new Float32Array(2 * 500_000));
    assert.equal(one.length, 0);
    assert.equal(batch.column(0).length, batch.indexCount);
    batch.dispose();
  });

  test(`${murmuration.module}: batches share the vertices of a buffer`, () => {
    const [places, colors] = [murmuration.batch({ dimensions: 2 }), murmuration.batch({ dimensions: 4 })];
    const count = 37;
    const numbers = Array.from({ length: 2 * count }, (_, place) => (place - 30) / 7);
    places.add(numbers);
    colors.add(Array.from({ length: count }, (_, place) => [place / 30 - 0.1, NaN, 0.5, 1].map((x) => x || 0)).flat());
    const buffer = new Uint8Array(19 * count + 2).fill(9);
    const vertices = new DataView(buffer.buffer, 1);
    places.copyVertices(vertices, { stride: 19 });
    places.copyVertices(vertices, { stride: 19, offset: 8, format: "snorm16", order: [1, 0] });
    colors.copyVertices(vertices, { stride: 19, offset: 13, format: "unorm8", order: [2, 1, 0, 3] });
    colors.copyVertices(vertices, { stride: 19, offset: 17, format: "float16", order: [3], tracks: { first: 0, count: 4 } });
    const even = (x) => Math.floor(x) + (x % 1 > 0.5 || (x % 1 === 0.5 && Math.floor(x) % 2 === 1) ? 1 : 0);
    const near = (x, least, scale) => {
      const product = Math.fround(Math.fround(Math.min(Math.max(x, least), 1)) * scale);
      return Math.sign(product) * even(Math.abs(product));
    };
    for (let place = 0; place < count; place++) {
      const [x, y] = numbers.slice(2 * place).map(Math.fround);
      const at = 19 * place;
      assert.deepEqual([vertices.getFloat32(at, true), vertices.getFloat32(at + 4, true)], [x, y]);
      assert.deepEqual(
        [vertices.getInt16(at + 8, true), vertices.getInt16(at + 10, true)], [near(y, -1, 32767), near(x, -1, 32767)]);
      const red = near(Math.fround(place / 30 - 0.1), 0, 255);
      assert.deepEqual([...buffer.subarray(at + 13, at + 18)], [9, 128, 0, red, 255]);
      assert.equal(vertices.getUint16(at + 17, true), place < 4 ? 0x3c00 : 0x0909);
    }
    assert.deepEqual([buffer[0], buffer.at(-1)], [9, 9]);
    assert.throws(() => places.copyVertices(vertices, { stride: 20 }), { code: "invalidCount" });
    places.dispose();
    colors.dispose();
  });
}
