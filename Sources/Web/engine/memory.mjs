// SPDX-License-Identifier: MIT
// One instance of a module: its memory and its functions.
import { Animation, kinds } from "./animations.mjs";
import { MurmurationError, checkLength, isList, numbersOf } from "./checks.mjs";

/** Sizes of the C surface's structs, in bytes. */
export const sizes = {
  spring: 32, curve: 40, animation: 224, keyframe: 112, playback: 48, info: 48, event: 40, outcome: 16, trackOutcome: 20, handle: 12,
  layout: 28,
};
export const all = -1;
export const grid = -1;
/** The size of the block for what a call takes. */
const blockBytes = 65536;

/** One instance of a module: its memory, and its functions with their errors as exceptions. */
export class Engine {
  #functions;
  #memory;
  #views = {};
  #fault = null;
  // What a call takes lies in one block, and in others if it does not fit; they are free again after the call.
  #block = 0;
  #used = 0;
  #others = [];

  /** An instance of a compiled module. */
  static async of(compiled) {
    const engine = new Engine();
    const names = ["atan2", "cbrt", "cos", "exp", "expm1", "log", "log1p", "pow", "random", "sin"];
    const outOfMemory = () => {
      throw (engine.#fault = new MurmurationError("outOfMemory", "the module is out of memory; load it anew"));
    };
    const { exports } = await WebAssembly.instantiate(compiled, {
      env: Object.fromEntries(names.map((name) => [name, Math[name]])),
      murmuration: { outOfMemory },
    });
    engine.#functions = exports;
    engine.#memory = exports.memory;
    engine.#block = engine.allocate(blockBytes);
    return engine;
  }

  /** Views of the whole memory, renewed after it has grown. */
  get views() {
    if (this.#views.bytes?.buffer !== this.#memory.buffer) {
      const buffer = this.#memory.buffer;
      this.#views = {
        bytes: new Uint8Array(buffer), ints: new Int32Array(buffer), words: new Uint32Array(buffer),
        floats: new Float32Array(buffer), doubles: new Float64Array(buffer), longs: new BigUint64Array(buffer),
      };
    }
    return this.#views;
  }

  /** Calls a function that returns a result. */
  result(name, ...values) {
    if (this.#fault) throw this.#fault;
    try {
      return this.#functions[name](...values);
    } catch (error) {
      if (error instanceof MurmurationError) throw error;
      throw (this.#fault = new MurmurationError("stopped", `the module stopped in ${name}: ${error.message}; load it anew`));
    }
  }

  /** Calls a function that returns a status, and throws what it refuses. */
  call(name, ...values) {
    const status = this.result(`murmuration_${name}`, ...values);
    if (status < 0) {
      throw new MurmurationError(
        this.text(this.result("murmuration_error_name", status)), this.text(this.result("murmuration_error_message")));
    }
  }

  /** The number of an object that a function makes. */
  made(name, ...values) {
    return this.scope(() => {
      const address = this.take(4);
      this.call(name, ...values, address);
      return this.views.words[address / 4];
    });
  }

  text(address) {
    const { bytes } = this.views;
    return new TextDecoder().decode(bytes.slice(address >>> 0, bytes.indexOf(0, address >>> 0)));
  }

  // MARK: Blocks

  allocate(bytes) {
    const address = bytes < 0xe0000000 ? this.result("malloc", bytes) >>> 0 : 0;
    if (!address) throw new MurmurationError("capacityExceeded", `there is no memory for ${bytes} bytes`);
    return address;
  }
  free(address) { this.result("free", address); }

  /** Runs what takes memory for a call. */
  scope(body) {
    const used = this.#used;
    const others = this.#others.length;
    try {
      return body();
    } finally {
      this.#used = used;
      for (const address of this.#others.splice(others)) if (!this.#fault) this.free(address);
    }
  }

  /** Memory until the end of the scope. */
  take(bytes) {
    const rounded = Math.ceil(bytes / 16) * 16;
    if (this.#used + rounded <= blockBytes) {
      this.#used += rounded;
      return this.#block + this.#used - rounded;
    }
    const address = this.allocate(rounded);
    this.#others.push(address);
    return address;
  }

  /** Numbers that are there also after memory has grown: a copy of those in the memory of the module, such as a batch's values. */
  kept(values) {
    return isList(values) && values.buffer === this.#memory.buffer ? values.slice() : values;
  }

  floats(values, count, what) { return this.#put(values, count, what, 4, "floats"); }
  doubles(values, count, what) { return this.#put(values, count, what, 8, "doubles"); }
  #put(values, count, what, bytes, view) {
    checkLength(values, count, what);
    const numbers = numbersOf(this.kept(values));
    const address = this.take(bytes * count);
    this.views[view].set(numbers, address / bytes);
    return address;
  }

  // MARK: Structs

  putSpring(address, [form, ...parameters]) {
    this.views.ints.set([form, 0], address / 4);
    this.views.doubles.set(parameters, address / 8 + 1);
  }
  putCurve(address, [kind, ...points]) {
    this.views.ints.set([kind, 0], address / 4);
    this.views.doubles.set(points, address / 8 + 1);
  }

  /** An array of springs. */
  springs(list) {
    const start = this.take(sizes.spring * Math.max(1, list.length));
    list.forEach((animation, place) => {
      if (!(animation instanceof Animation) || animation.kind !== kinds.spring || animation.modifiers.length) {
        throw new TypeError(`not a spring: ${animation}`);
      }
      this.putSpring(start + sizes.spring * place, animation.springForm);
    });
    return start;
  }

  /** An array of animations; null jumps. */
  animations(list) {
    const start = this.take(sizes.animation * list.length);
    list.forEach((animation, place) => {
      const address = start + sizes.animation * place;
      this.views.bytes.fill(0, address, address + sizes.animation);
      if (animation === null || animation === undefined) return;
      if (!(animation instanceof Animation)) throw new TypeError(`an animation is made by spring(), curve() and others, not ${animation}`);
      this.views.ints.set([animation.kind, animation.modifiers.length], address / 4);
      this.putSpring(address + 8, animation.springForm);
      this.views.doubles[address / 8 + 5] = animation.velocity;
      this.putCurve(address + 48, animation.curveForm);
      this.views.doubles[address / 8 + 11] = animation.duration;
      animation.modifiers.forEach(([kind, value], index) => {
        this.views.ints[address / 4 + 24 + 4 * index] = kind;
        this.views.doubles[address / 8 + 13 + 2 * index] = value;
      });
    });
    return start;
  }
}
