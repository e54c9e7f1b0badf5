// SPDX-License-Identifier: MIT
// What a frame of springs takes, in both modules and in JavaScript alone: node Benchmarks/web/springs.mjs [TRACKS] [FOLDER];
// in a browser by chromium.mjs, which serves this file beside the modules.
//
// JavaScript's loops compute the closed form over Float32Arrays, as fast as we could write them: with one spring for all tracks, its basis
// once a frame and two products a track; with a spring each, Math's exp, cos and sin, or polynomials in their place (errors below
// 1e-7 of the amplitude). The engine's frame does more: it looks for tracks that came to rest, and reports them.
const isNode = globalThis.process?.versions?.node !== undefined;
const [, , tracks, path = ".build/web"] = isNode ? process.argv : [null, null, new URL(location.href).searchParams.get("tracks")];
const count = Number(tracks ?? 100_000);
const folder = isNode ? (await import("node:url")).pathToFileURL(`${path}/`) : location.href;
const { load, spring } = await import(new URL("murmuration.mjs", folder));
const frames = 20, rounds = 12;

let state = 1;
const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
const from = Float32Array.from({ length: count }, () => 200 * random() - 100);
const to = Float32Array.from({ length: count }, () => 200 * random() - 100);
const springs = Array.from({ length: count }, () => ({ duration: 2 + 4 * random(), bounce: 0.1 + 0.8 * random() }));
const shared = { duration: 3, bounce: 0.3 };

// MARK: - JavaScript alone

const values = new Float32Array(count);
const columns = ["decay", "frequency", "a", "b"].map(() => new Float32Array(count));
const constants = ({ duration, bounce }) => {
  const natural = (2 * Math.PI) / duration, ratio = 1 - bounce;
  return { decay: natural * ratio, frequency: natural * Math.sqrt(1 - ratio * ratio) };
};
springs.forEach((one, index) => {
  const { decay, frequency } = constants(one);
  const a = from[index] - to[index];
  [decay, frequency, a, (decay / frequency) * a].forEach((number, column) => (columns[column][index] = number));
});

function mixedByMath(t) {
  const [decay, frequency, a, b] = columns;
  for (let i = 0; i < count; i++) {
    const phase = frequency[i] * t;
    values[i] = to[i] + Math.exp(-decay[i] * t) * (a[i] * Math.cos(phase) + b[i] * Math.sin(phase));
  }
}

// 2^n for n in −1100…0.
const powers = Float64Array.from({ length: 1101 }, (_, n) => 2 ** -n);
function mixedByPolynomials(t) {
  const [decay, frequency, a, b] = columns;
  const perTurn = 2 / Math.PI, perPower = Math.LOG2E;
  for (let i = 0; i < count; i++) {
    // e^−x = 2^−n · 2^f with f in −½…½.
    const x = decay[i] * t * perPower, n = (x + 0.5) | 0, f = n - x;
    const power = powers[n] *
      (1 + f * (0.6931471805599453 + f * (0.2402265069591007 + f * (0.05550410866482158 + f * (0.009618129107628477 +
        f * (0.0013333558146428443 + f * 0.00015403530393381608))))));
    // Quarter turns, and what is left in −¼π…¼π.
    const quarters = frequency[i] * t * perTurn, q = (quarters + 0.5) | 0, r = (quarters - q) * 1.5707963267948966, s = r * r;
    const sine = r * (1 + s * (-0.16666666666666666 + s * (0.008333333333333333 + s * (-0.0001984126984126984 + s * 2.7557319223985893e-6))));
    const cosine = 1 + s * (-0.5 + s * (0.041666666666666664 + s * (-0.001388888888888889 + s * (2.48015873015873e-5 - s * 2.755731922398589e-7))));
    const odd = q & 1, sinePart = odd ? cosine : sine, cosinePart = odd ? -sine : cosine;
    const sum = a[i] * cosinePart + b[i] * sinePart;
    values[i] = to[i] + power * (q & 2 ? -sum : sum);
  }
}

const own = constants(shared);
const [sharedA, sharedB] = [Float32Array.from(from, (value, i) => value - to[i]), new Float32Array(count)];
sharedA.forEach((a, i) => (sharedB[i] = (own.decay / own.frequency) * a));
function cohort(t) {
  const envelope = Math.exp(-own.decay * t), c = envelope * Math.cos(own.frequency * t), s = envelope * Math.sin(own.frequency * t);
  for (let i = 0; i < count; i++) values[i] = to[i] + c * sharedA[i] + s * sharedB[i];
}

// MARK: - Measuring

/** The fastest of several rounds, in nanoseconds a track. */
function time(frame) {
  let best = Infinity;
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    for (let index = 0; index < frames; index++) frame(0.1 + (round * frames + index) * 0.001);
    best = Math.min(best, performance.now() - start);
  }
  return (best / frames / count) * 1e6;
}

const rows = [];
const alone = {
  "mixed, Math's functions": time(mixedByMath), "mixed, polynomials": time(mixedByPolynomials), "cohort": time(cohort),
};
mixedByMath(0.2);
const byMath = values.slice();
mixedByPolynomials(0.2);
const largest = byMath.reduce((most, value, i) => Math.max(most, Math.abs(value - values[i])), 0);
if (!(largest < 1e-4)) throw new Error(`the polynomials are ${largest} off`);
for (const [name, nanoseconds] of Object.entries(alone)) rows.push({ what: `JavaScript alone, ${name}`, "ns a track": nanoseconds });

for (const module of ["relaxed", "exact"]) {
  let murmuration;
  try {
    murmuration = await load({ module });
  } catch (error) {
    console.log(`${module}: not measured (${error.message.slice(0, 60)}…)`);
    continue;
  }
  for (const kind of ["mixed", "cohort"]) {
    const batch = murmuration.batch({ dimensions: 1, capacity: count });
    const tracks = batch.add(from);
    batch.animate(tracks, to, kind === "mixed" ? springs.map(spring) : spring(shared));
    const frame = time((t) => batch.advance(t));
    const read = time((t) => (batch.advance(t), batch.values));
    batch.advance(0.2);
    (kind === "mixed" ? mixedByMath : cohort)(0.2);
    const off = values.reduce((most, value, i) => Math.max(most, Math.abs(value - batch.values[i])), 0);
    if (!(off < 1e-3)) throw new Error(`${module} ${kind} is ${off} off`);
    rows.push({ what: `${module}, ${kind}`, "ns a track": frame, "with values": read, "times as fast": Math.min(...Object.entries(alone).map(([name, one]) => (name.startsWith(kind) ? one : Infinity))) / frame });
    batch.dispose();
  }
}
const rounded = rows.map((row) => Object.fromEntries(Object.entries(row).map(([key, value]) => [key, typeof value === "number" ? +value.toPrecision(3) : value])));
const where = isNode ? `node ${process.version}` : navigator.userAgent;
if (isNode) console.table(rounded);
else globalThis.rows = rounded;
console.log(`${count} tracks, ${where}`);
