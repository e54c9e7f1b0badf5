// SPDX-License-Identifier: MIT
// Distances and orders of staggers. The engine has these sums for Swift, C and Python; the module for the web leaves them out.
import { MurmurationError, isList, whole } from "./checks.mjs";

/** The distance of each position of a line, or of a grid with some columns, from where the first tracks set out. */
export function distancesFrom(origin, count, columns) {
  const width = Math.min(Math.max(columns === undefined ? count : whole(columns, "the columns"), 1), Math.max(count, 1));
  if (columns === 0) throw new MurmurationError("invalidCount", "the columns must be at least 1");
  const [right, bottom] = [width - 1, Math.floor((count + width - 1) / width) - 1];
  const places = { first: [0, 0], last: [(count + width - 1) % width, bottom], center: [right / 2, bottom / 2] };
  const place = typeof origin === "number" ? [origin, 0] : typeof origin === "string" ? places[origin] : origin;
  const isPoint = isList(place) && place.length === 2 && typeof place[0] === "number" && typeof place[1] === "number";
  if (!isPoint && origin !== "edges") {
    throw new TypeError(`an origin is first, last, center, edges, a position, or a column and a row, not ${origin}`);
  }
  if (isPoint && !place.every(Number.isFinite)) {
    throw new MurmurationError("invalidValue", `column and row must be finite, are ${place}`);
  }
  return new Float64Array(count).map((_, index) => {
    const [x, y] = [index % width, Math.floor(index / width)];
    const [alongRow, alongColumn] = [Math.min(x, right - x), Math.min(y, bottom - y)];
    if (!isPoint) return bottom === 0 ? alongRow : right === 0 ? alongColumn : Math.min(alongRow, alongColumn);
    return Math.sqrt((x - place[0]) * (x - place[0]) + (y - place[1]) * (y - place[1]));
  });
}

/** An order that follows from a seed alone: shuffled by SplitMix64. */
export function drawnOrder(count, seed) {
  if (typeof seed !== "bigint" && !(Number.isSafeInteger(seed) && seed >= 0)) {
    throw new MurmurationError("invalidCount", `a seed is a whole number from 0 to 2 ** 53 - 1 or a bigint, not ${seed}`);
  }
  let state = BigInt.asUintN(64, BigInt(seed));
  const next = () => {
    state = BigInt.asUintN(64, state + 0x9E3779B97F4A7C15n);
    let z = BigInt.asUintN(64, (state ^ (state >> 30n)) * 0xBF58476D1CE4E5B9n);
    z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94D049BB133111EBn);
    return z ^ (z >> 31n);
  };
  const order = new Float64Array(count).map((_, index) => index);
  for (let last = count - 1; last > 0; last -= 1) {
    const place = Number(next() % BigInt(last + 1));
    [order[last], order[place]] = [order[place], order[last]];
  }
  return order;
}
