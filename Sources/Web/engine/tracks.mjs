// SPDX-License-Identifier: MIT
// Handles of tracks.
import { MurmurationError, isList } from "./checks.mjs";

/** What makes handles and snapshots, and what no program has: they come from a batch alone. */
export const hidden = Symbol("made by a batch");

/** Handles of tracks: three words each, index, generation and store. */
export class Tracks {
  #words;
  #engine;
  constructor(key, engine, words) {
    if (key !== hidden) throw new TypeError("tracks are made by a batch's add");
    this.#engine = engine;
    this.#words = words;
  }
  /** The words for a call of an engine. Each module counts its batches, so that those of another one may have the same words. */
  static words(engine, tracks) {
    if (tracks.#engine !== engine) throw new MurmurationError("storeMismatch", "the tracks are of another module");
    return tracks.#words;
  }
  get count() { return this.#words.length / 3; }
  slice(first, end) {
    const [from, to] = limits(first, end, this.count);
    return new Tracks(hidden, this.#engine, this.#words.subarray(3 * from, 3 * to));
  }
  index(place) { return this.#words[3 * this.#place(place)]; }
  pick(which) {
    if (!isList(which)) throw new TypeError(`places must be an array, are ${which}`);
    const all = this.#words, words = new Uint32Array(3 * which.length);
    for (let place = 0, to = 0; place < which.length; place++) {
      const from = 3 * this.#place(which[place]);
      words[to++] = all[from];
      words[to++] = all[from + 1];
      words[to++] = all[from + 2];
    }
    return new Tracks(hidden, this.#engine, words);
  }
  #place(place) {
    if (!Number.isInteger(place) || place < 0 || place >= this.count) {
      throw new MurmurationError("invalidCount", `there are ${this.count} tracks, and no number ${place}`);
    }
    return place;
  }
}

/** Where a slice begins and ends, as Array's slice has it. */
function limits(first = 0, end = undefined, count) {
  const limit = (place) => Math.min(Math.max(0, place < 0 ? count + Math.trunc(place) : Math.trunc(place) || 0), count);
  const from = limit(first);
  return [from, Math.max(from, end === undefined ? count : limit(end))];
}
