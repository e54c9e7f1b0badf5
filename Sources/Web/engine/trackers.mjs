// SPDX-License-Identifier: MIT
// Velocities of what a pointer drags.
import { checkKeys, real, whole } from "./checks.mjs";
import { all } from "./memory.mjs";
import { dispose, own } from "./objects.mjs";

export class VelocityTrackers {
  #engine;
  #owned;
  #numbers;
  #dimensions;
  constructor(engine, options) {
    checkKeys(options, ["count", "dimensions"], "velocity trackers");
    const { count, dimensions = 1 } = options;
    this.#engine = engine;
    this.#dimensions = whole(dimensions, "the number of dimensions");
    this.#numbers = whole(count, "the count") * dimensions;
    this.#owned = own(this, engine, engine.made("trackers_create", count, dimensions), "trackers_free");
  }
  record(values, time) {
    const engine = this.#engine;
    engine.scope(() => {
      const address = engine.floats(values, this.#numbers, "the values");
      engine.call("trackers_record", this.#owned.id, address, this.#dimensions, 1, real(time, "the time"));
    });
  }
  velocities(time) {
    const buffer = this.#owned.column("velocities", this.#numbers);
    this.#engine.call("trackers_velocities", this.#owned.id, real(time, "the time"), buffer.address, this.#dimensions, 1);
    return this.#owned.column("velocities", this.#numbers).view;
  }
  reset() { this.#engine.call("trackers_reset", this.#owned.id, 0, all); }
  dispose() { dispose(this.#owned); }
}
