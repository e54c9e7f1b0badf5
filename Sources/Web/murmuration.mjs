// SPDX-License-Identifier: MIT
// The engine in JavaScript: see murmuration.d.mts beside this file for what each call takes, gives and throws.
import { Animation, curveForm, kinds } from "./engine/animations.mjs";
import { Batch } from "./engine/batch.mjs";
import { MurmurationError, checkKeys, isList, known, real, whole } from "./engine/checks.mjs";
import { Engine, sizes } from "./engine/memory.mjs";
import { Snapshot } from "./engine/objects.mjs";
import { distancesFrom, drawnOrder } from "./engine/staggers.mjs";
import { hidden } from "./engine/tracks.mjs";
import { VelocityTrackers } from "./engine/trackers.mjs";

export {
  bouncy, curve, easeIn, easeInOut, easeOut, interpolatingSpring, linear, smooth, snappy, spring,
} from "./engine/animations.mjs";
export { MurmurationError };

class Murmuration {
  #engine;
  constructor(engine, module) {
    this.#engine = engine;
    this.module = module;
    this.version = engine.text(engine.result("murmuration_version"));
    Object.freeze(this);
  }
  batch(options) { return Batch.of(this.#engine, options); }
  snapshot(bytes) {
    if (!(bytes instanceof Uint8Array)) throw new TypeError(`the bytes of a snapshot are a Uint8Array, not ${bytes}`);
    const engine = this.#engine;
    return engine.scope(() => {
      const address = engine.take(Math.max(1, bytes.length));
      engine.views.bytes.set(bytes, address);
      return new Snapshot(hidden, engine, engine.made("snapshot_read", address, BigInt(bytes.length)));
    });
  }
  batchFrom(snapshot) {
    const engine = this.#engine;
    return new Batch(engine, engine.made("batch_from_snapshot", Snapshot.id(engine, snapshot)), snapshot);
  }
  velocityTrackers(options) { return new VelocityTrackers(this.#engine, options); }

  springValue(animation, options) {
    const { from = 0, to = 1, velocity = 0, times } = known(options, ["from", "to", "velocity", "times"]);
    const engine = this.#engine;
    return engine.scope(() => {
      const count = isList(times) ? times.length : 0;
      const address = engine.doubles(times, count, "the times");
      const [values, velocities] = [engine.take(8 * count), engine.take(8 * count)];
      const state = [real(from, "from"), real(to, "to"), real(velocity, "the velocity")];
      engine.call("spring_values", this.#spring(animation), ...state, address, count, values, velocities);
      return { values: this.#copy(values, count), velocities: this.#copy(velocities, count) };
    });
  }
  settlingDuration(animation, options = {}) {
    const { target = 1, velocity = 0, epsilon = 0.001 } = known(options, ["target", "velocity", "epsilon"]);
    const engine = this.#engine;
    return engine.scope(() => {
      const address = engine.take(8);
      const numbers = [real(target, "the target"), real(velocity, "the velocity"), real(epsilon, "epsilon")];
      engine.call("spring_settling_duration", this.#spring(animation), ...numbers, address);
      return engine.views.doubles[address / 8];
    });
  }
  curveValue(curve, inputs) {
    const engine = this.#engine;
    return engine.scope(() => {
      const shape = engine.take(sizes.curve);
      engine.putCurve(shape, curveForm(curve));
      const count = isList(inputs) ? inputs.length : 0;
      const address = engine.doubles(inputs, count, "the inputs");
      const values = engine.take(8 * count);
      engine.call("curve_values", shape, address, count, values, 0);
      return this.#copy(values, count);
    });
  }
  stagger(count, options) {
    const { each, over, origin = "first", columns, ease = "linear", seed } =
      known(options, ["each", "over", "origin", "columns", "ease", "seed"]);
    if ((each === undefined) === (over === undefined)) throw new TypeError("a stagger has either `each` or `over`");
    const time = real(each ?? over, "the seconds");
    if (!(time >= 0 && time <= 1e10)) throw new MurmurationError("invalidDelay", `seconds must be in 0...1e10, are ${time}`);
    const distances = seed === undefined
      ? distancesFrom(origin, whole(count, "the count"), columns) : drawnOrder(whole(count, "the count"), seed);
    const least = distances.reduce((a, b) => Math.min(a, b), Infinity);
    const spread = distances.reduce((a, b) => Math.max(a, b), 0) - least;
    if (!(spread > 0)) return distances.fill(0);
    const steps = distances.map((distance) => distance - least);
    if (ease === "linear") return steps.map((step) => (over === undefined ? time * step : time * (step / spread)));
    const total = over === undefined ? time * spread : time;
    return this.curveValue(ease, steps.map((step) => step / spread)).map((share) => total * Math.max(0, share));
  }
  #spring(animation) {
    if (!(animation instanceof Animation) || animation.kind === kinds.curve) throw new TypeError(`not a spring: ${animation}`);
    const address = this.#engine.take(sizes.spring);
    this.#engine.putSpring(address, animation.springForm);
    return address;
  }
  #copy(address, count) { return this.#engine.views.doubles.slice(address / 8, address / 8 + count); }

  sameBitsHash() {
    const engine = this.#engine;
    return engine.scope(() => {
      const address = engine.take(8);
      engine.call("same_bits", address);
      return engine.views.longs[address / 8];
    });
  }
}

// A module with one function, which multiplies and adds three numbers by relaxed SIMD.
const probe = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 8, 1, 96, 3, 125, 125, 125, 1, 125, 3, 2, 1, 0, 7, 5, 1, 1, 102, 0, 0, 10, 22, 1, 20, 0,
  32, 0, 253, 19, 32, 1, 253, 19, 32, 2, 253, 19, 253, 133, 2, 253, 31, 0, 11,
]);

/** Whether relaxed SIMD is there and rounds a product with its sum once, as native programs do. */
function fusesProducts() {
  if (!WebAssembly.validate(probe)) return false;
  const { f } = new WebAssembly.Instance(new WebAssembly.Module(probe)).exports;
  // The square of 1 + 2⁻¹² is 1 + 2⁻¹¹ + 2⁻²⁴, whose last part is lost if the product is rounded.
  return f(1 + 2 ** -12, 1 + 2 ** -12, -(1 + 2 ** -11)) === 2 ** -24;
}

/** Where each module is. Bundlers look for these very expressions, and take the files along. */
const addresses = {
  relaxed: () => new URL("./murmuration-relaxed.wasm", import.meta.url),
  exact: () => new URL("./murmuration-exact.wasm", import.meta.url),
};

async function compile(url) {
  // Node fetches no files. An import of its file system, even one that no browser comes to, would stop bundlers.
  if (url.protocol === "file:" && globalThis.process?.getBuiltinModule) {
    return WebAssembly.compile(await process.getBuiltinModule("node:fs").promises.readFile(url));
  }
  const response = await fetch(url);
  if (!response.ok) throw new MurmurationError("notFound", `${url} answers ${response.status} ${response.statusText}`);
  const isWasm = response.headers.get("content-type")?.startsWith("application/wasm");
  return isWasm ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

/** The address of a module in the folder of a caller. */
function within(base, module) {
  const folder = new URL(base.href ?? base, globalThis.location?.href ?? import.meta.url);
  if (!folder.pathname.endsWith("/")) folder.pathname += "/";
  return new URL(`murmuration-${module}.wasm`, folder);
}

export async function load(options = {}) {
  checkKeys(options, ["base", "module"], "load's argument");
  const { base, module = fusesProducts() ? "relaxed" : "exact" } = options;
  if (!Object.hasOwn(addresses, module)) throw new TypeError(`a module is relaxed or exact, not ${module}`);
  const compiled = await compile(base === undefined ? addresses[module]() : within(base, module));
  return new Murmuration(await Engine.of(compiled), module);
}
