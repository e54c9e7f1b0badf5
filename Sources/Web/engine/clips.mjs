// SPDX-License-Identifier: MIT
// Clips and phases that a batch has loaded, and keyframes on their way into memory.
import { curveForm, springForm } from "./animations.mjs";
import { MurmurationError, checkKeys, real } from "./checks.mjs";
import { sizes } from "./memory.mjs";
import { hidden } from "./tracks.mjs";

/** A clip or a sequence of phases that a batch has loaded: its handle. */
export class Loaded {
  #words;
  #engine;
  constructor(key, engine, words, fields) {
    if (key !== hidden) throw new TypeError("clips and phases are made by a batch's loadClip and loadPhases");
    this.#engine = engine;
    this.#words = words;
    Object.assign(this, fields);
    Object.freeze(this);
  }
  static put(engine, loaded) {
    if (loaded.#engine !== engine) {
      throw new MurmurationError(isClip(loaded) ? "unknownClip" : "unknownPhases", "what is to play is of another module");
    }
    const address = engine.take(sizes.handle);
    engine.views.words.set(loaded.#words, address / 4);
    return address;
  }
}
export class Clip extends Loaded {}
export class Phases extends Loaded {}

export function isClip(what) {
  if (!(what instanceof Loaded)) throw new TypeError(`clips and phases are what loadClip and loadPhases returned, not ${what}`);
  return what instanceof Clip;
}

const keyframeKinds = [
  ["move", ["move"]], ["linear", ["linear", "duration", "curve"]],
  ["cubic", ["cubic", "duration", "startVelocity", "endVelocity"]],
  ["spring", ["spring", "duration", "options", "startVelocity"]],
];

export function putKeyframe(engine, address, keyframe) {
  const kind = keyframeKinds.findIndex(([key]) => keyframe !== null && typeof keyframe === "object" && key in keyframe);
  if (kind < 0) throw new TypeError("a keyframe has one of move, linear, cubic, spring");
  const [key, keys] = keyframeKinds[kind];
  checkKeys(keyframe, keys, `a ${key} keyframe`);
  const { duration, curve = "linear", options = {}, startVelocity, endVelocity } = keyframe;
  real(keyframe[key], `where a ${key} keyframe leads`);
  if (kind === 1 || kind === 2) real(duration, `the duration of a ${key} keyframe`);
  for (const number of [duration, startVelocity, endVelocity]) {
    if (number !== undefined) real(number, `a number of a ${key} keyframe`);
  }
  const flags =
    (startVelocity !== undefined ? 1 : 0) | (endVelocity !== undefined ? 2 : 0) | (kind === 3 && duration !== undefined ? 4 : 0);
  engine.views.ints.set([kind, flags], address / 4);
  engine.views.doubles.set([keyframe[key], duration ?? 0], address / 8 + 1);
  engine.putCurve(address + 24, curveForm(curve));
  engine.putSpring(address + 64, springForm(options));
  engine.views.doubles.set([startVelocity ?? 0, endVelocity ?? 0], address / 8 + 12);
}
