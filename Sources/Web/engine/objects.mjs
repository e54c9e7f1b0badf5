// SPDX-License-Identifier: MIT
// Objects that a module holds for JavaScript, and that are freed with it.
import { MurmurationError } from "./checks.mjs";
import { hidden } from "./tracks.mjs";

/** What a batch or a set of trackers has in a module, apart from the JavaScript object, so that it can be forgotten. */
class Owned {
  /** Buffers for columns that JavaScript reads, by name. */
  buffers = new Map();
  constructor(engine, id, free) { Object.assign(this, { engine, id, freeName: free }); }
  dispose() {
    if (!this.id) return;
    const { engine, id } = this;
    this.id = 0;
    engine.call(this.freeName, id);
    for (const { address } of this.buffers.values()) engine.free(address);
    this.buffers.clear();
  }

  /** A view of floats that stays until more are wanted. */
  column(name, count) {
    let buffer = this.buffers.get(name);
    if (!buffer || buffer.capacity < count) {
      if (buffer) {
        this.engine.free(buffer.address);
        this.buffers.delete(name);
      }
      const capacity = Math.max(16, buffer ? Math.ceil(1.25 * count) : count);
      buffer = { address: this.engine.allocate(4 * capacity), capacity, view: null };
      this.buffers.set(name, buffer);
    }
    const { buffer: memory } = this.engine.views.bytes;
    if (buffer.view?.buffer !== memory || buffer.view.length !== count) {
      buffer.view = new Float32Array(memory, buffer.address, count);
    }
    return buffer;
  }
}

// Batches that a program forgets without `dispose` are freed with their objects.
const forgotten = /* @__PURE__ */ new FinalizationRegistry((owned) => {
  try {
    owned.dispose();
  } catch {
    // The module has stopped, and its memory goes with it.
  }
});

export function own(object, engine, id, free) {
  const owned = new Owned(engine, id, free);
  forgotten.register(object, owned, owned);
  return owned;
}

export function dispose(owned) {
  forgotten.unregister(owned);
  owned.dispose();
}

/** For each snapshot the changes whose ends were to be told when it was taken. */
export const awaited = /* @__PURE__ */ new WeakMap();

/** The state of a batch at one time. */
export class Snapshot {
  #owned;
  constructor(key, engine, id) {
    if (key !== hidden) throw new TypeError("snapshots are made by a batch's snapshot");
    this.#owned = own(this, engine, id, "snapshot_free");
  }
  bytes() {
    const { engine, id } = this.#owned;
    return engine.scope(() => {
      const lent = engine.take(16);
      engine.call("snapshot_bytes", id, lent, lent + 8);
      const { bytes, words } = engine.views;
      const start = words[lent / 4];
      return bytes.slice(start, start + words[lent / 4 + 2]);
    });
  }
  dispose() { dispose(this.#owned); }
  static id(engine, snapshot) {
    if (!(snapshot instanceof Snapshot)) throw new TypeError(`a snapshot is what a batch's snapshot() gives, not ${snapshot}`);
    if (snapshot.#owned.engine !== engine) throw new MurmurationError("unknownObject", "the snapshot is of another module");
    return snapshot.#owned.id;
  }
}
