// SPDX-License-Identifier: MIT
// What a frame of springs takes, in both modules and in plain loops, and a call about one track: node Benchmarks/web/springs.mjs
// [TRACKS] [FOLDER]; in a browser by chromium.mjs, which serves this file beside the modules. The loops are those of the page.
const isNode = globalThis.process?.versions?.node !== undefined;
const [, , tracks, path = ".build/web"] = isNode ? process.argv : [null, null, new URL(location.href).searchParams.get("tracks")];
const count = Number(tracks ?? 100_000);
const folder = isNode ? (await import("node:url")).pathToFileURL(`${path}/`) : location.href;
const [{ load, spring }, { compare, contests }, { ownSprings }] = await Promise.all(
  ["murmuration.mjs", "contest.js", "loops.js"].map((name) => import(new URL(name, folder))));
const rounds = 20;

// The loop with polynomials computes what Math's functions do.
const one = ownSprings(new Float32Array([100]), new Float32Array([-50]), [{ duration: 2, bounce: 0.4 }]);
for (let t = 0; t < 4; t += 0.01) {
  one.advance(t);
  const [value] = one.values;
  one.advanceByMath(t);
  if (!(Math.abs(value - one.values[0]) < 1e-4)) throw new Error(`after ${t} s the polynomials give ${value}, and Math ${one.values[0]}`);
}

/** The fastest round of calls, each about one track of many, in nanoseconds a call. */
function timeOfCalls(batch, call) {
  let best = Infinity;
  for (let round = 1; round <= rounds; round++) {
    batch.advance(round / 60);
    const start = performance.now();
    for (let index = 0; index < 1000; index++) call(index, round);
    best = Math.min(best, performance.now() - start);
  }
  return best * 1000;
}

const rows = [], loops = {};
const perTrack = (milliseconds) => (milliseconds / count) * 1e6;
for (const module of ["relaxed", "exact"]) {
  let murmuration;
  try {
    murmuration = await load({ module });
  } catch (error) {
    console.log(`${module}: not measured (${error.message.slice(0, 60)}…)`);
    continue;
  }
  for (const contest of contests) {
    const bare = await compare(murmuration, contest, count, { rounds, read: false });
    const read = await compare(murmuration, contest, count, { rounds });
    loops[contest.words] = Math.min(loops[contest.words] ?? Infinity, bare.loop, read.loop);
    rows.push({ module, what: contest.words, "ns a track": perTrack(bare.engine), "with values": perTrack(read.engine) });
  }
  const batch = murmuration.batch({ dimensions: 2 }), all = batch.add(new Float32Array(2000));
  const each = Array.from({ length: 1000 }, (_, index) => all.slice(index, index + 1)), shared = spring({ duration: 0.6, bounce: 0.3 });
  const call = timeOfCalls(batch, (index, round) => batch.animate(each[index], [round, index], shared));
  rows.push({ module, what: "animate of one track", "ns a track": call });
  batch.dispose();
}
for (const row of rows) {
  if (row.what in loops) row["times a loop"] = perTrack(loops[row.what]) / row["ns a track"];
  for (const key in row) if (typeof row[key] === "number") row[key] = +row[key].toPrecision(3);
}
for (const what in loops) rows.push({ module: "a loop", what, "ns a track": +perTrack(loops[what]).toPrecision(3) });
const where = isNode ? `node ${process.version}` : navigator.userAgent;
if (isNode) console.table(rows);
else globalThis.rows = rows;
console.log(`${count} tracks, ${where}`);
