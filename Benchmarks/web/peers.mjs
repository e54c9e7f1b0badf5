// SPDX-License-Identifier: MIT
// What a frame of springs takes in libraries of npm, each spring with parameters of its own, as Scripts/figures calls it:
// node Benchmarks/web/peers.mjs FOLDER [TRACKS] for the FOLDER into which npm has installed `motion`. Prints JSON.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const [, , folder, tracks = "100000"] = process.argv;
const count = Number(tracks);
const { spring } = createRequire(join(resolve(folder), "package.json"))("motion");
const { version } = JSON.parse(readFileSync(join(folder, "node_modules/motion/package.json"), "utf8"));

const springs = Array.from({ length: count }, () => {
  const [duration, bounce] = [0.4 + 0.4 * Math.random(), 0.1 + 0.5 * Math.random()];
  const frequency = (2 * Math.PI) / duration;
  return spring({ keyframes: [0, 100], mass: 1, stiffness: frequency ** 2, damping: 2 * (1 - bounce) * frequency });
});
const values = new Float64Array(count);
let best = Infinity;
for (let round = 0; round < 60; round++) {
  const milliseconds = 100 + round;
  const start = performance.now();
  for (let index = 0; index < count; index++) values[index] = springs[index].next(milliseconds).value;
  best = Math.min(best, performance.now() - start);
}
// They are on their way, not at rest; used, the values are not left out.
if (!values.every((value) => value > 0 && value < 200)) throw new Error("a spring is not on its way to its target");
console.log(JSON.stringify({ motion: { version, node: process.versions.node.split(".")[0], milliseconds: best } }));
