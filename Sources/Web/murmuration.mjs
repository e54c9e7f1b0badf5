// SPDX-License-Identifier: MIT
// The engine in JavaScript: see murmuration.d.mts beside this file for what each call takes, gives and throws.

/** Everything that goes wrong: `code` is the C surface's name of it, `message` its words. */
export class MurmurationError extends Error {
  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message);
    this.name = "MurmurationError";
    this.code = code;
  }
}

// MARK: - Animations

/** The keys that an object of options may have; others are misspelt. */
function checkKeys(options, keys, what) {
  if (options === null || typeof options !== "object") throw new TypeError(`${what} must be an object, is ${options}`);
  for (const key of Object.keys(options)) {
    if (!keys.includes(key)) throw new TypeError(`${what} has no '${key}'; it has ${keys.join(", ")}`);
  }
}

/** The options of a call, of which none is misspelt. */
function known(options, keys) {
  checkKeys(options, keys, "the options");
  return options;
}

const springForms = [
  ["stiffness", ["mass", "stiffness", "damping", "allowOverDamping"],
    ({ mass = 1, stiffness, damping, allowOverDamping }) => [allowOverDamping ? 3 : 2, mass, stiffness, damping]],
  ["settlingDuration", ["settlingDuration", "dampingRatio", "epsilon"],
    ({ settlingDuration, dampingRatio, epsilon = 0.001 }) => [4, settlingDuration, dampingRatio, epsilon]],
  ["response", ["response", "dampingRatio"], ({ response, dampingRatio }) => [1, response, dampingRatio, 0]],
  ["", ["duration", "bounce"], ({ duration = 0.5, bounce = 0 }) => [0, duration, bounce, 0]],
];

/** The form and the parameters of a spring in the C surface. */
function springForm(options, more = []) {
  const [, keys, form] = springForms.find(([key]) => !key || (options && key in options));
  checkKeys(options, [...keys, ...more], "a spring");
  return form(options).map(Number);
}

const families = ["Sine", "Quad", "Cubic", "Quart", "Quint", "Expo", "Circ", "Back", "Elastic", "Bounce"];
const curveNames = [
  "linear", "easeIn", "easeOut", "easeInOut", "circularEaseIn", "circularEaseOut", "circularEaseInOut",
  ...families.flatMap((family) => [`easeIn${family}`, `easeOut${family}`, `easeInOut${family}`]),
];
const bezierKind = 7;

/** The kind and the control points of a curve in the C surface. */
function curveForm(curve) {
  if (Array.isArray(curve) && curve.length === 4) return [bezierKind, ...curve.map(Number)];
  const kind = curveNames.indexOf(curve);
  if (kind < 0) throw new TypeError(`a curve is four numbers or one of ${curveNames.join(", ")}, not ${curve}`);
  return [kind < bezierKind ? kind : kind + 1, 0, 0, 0, 0];
}

const kinds = { spring: 1, interpolatingSpring: 2, curve: 3 };
const modifiers = { delay: 1, speed: 2, repeat: 3, repeatAutoreversed: 4 };
const maximumModifiers = 8;

class Animation {
  constructor(fields) {
    Object.assign(this, { springForm: [0, 0, 0, 0], curveForm: [0, 0, 0, 0, 0], velocity: 0, duration: 0, modifiers: [] }, fields);
    Object.freeze(this);
  }
  #with(kind, value) {
    if (this.modifiers.length === maximumModifiers) {
      throw new MurmurationError("invalidAnimation", `an animation has at most ${maximumModifiers} modifiers`);
    }
    return new Animation({ ...this, modifiers: [...this.modifiers, [modifiers[kind], Number(value)]] });
  }
  delay(seconds) { return this.#with("delay", seconds); }
  speed(factor) { return this.#with("speed", factor); }
  repeat(count, autoreverses = true) { return this.#with(autoreverses ? "repeatAutoreversed" : "repeat", count); }
  repeatForever(autoreverses = true) { return this.repeat(Infinity, autoreverses); }
}

export function spring(options = {}) {
  return new Animation({ kind: kinds.spring, springForm: springForm(options), spring: Object.freeze({ ...options }) });
}
export const smooth = (duration = 0.5, extraBounce = 0) => spring({ duration, bounce: extraBounce });
export const snappy = (duration = 0.5, extraBounce = 0) => spring({ duration, bounce: 0.15 + extraBounce });
export const bouncy = (duration = 0.5, extraBounce = 0) => spring({ duration, bounce: 0.3 + extraBounce });
/** The animation of a call that names none, as SwiftUI's `.default`. */
const standard = spring();
export function interpolatingSpring(options = {}) {
  const { velocity = 0 } = options;
  return new Animation({
    kind: kinds.interpolatingSpring, springForm: springForm(options, ["velocity"]), velocity: Number(velocity) });
}
export function curve(curve, duration = 0.35) {
  return new Animation({ kind: kinds.curve, curveForm: curveForm(curve), duration: Number(duration) });
}
export const linear = (duration) => curve("linear", duration);
export const easeIn = (duration) => curve("easeIn", duration);
export const easeOut = (duration) => curve("easeOut", duration);
export const easeInOut = (duration) => curve("easeInOut", duration);

// MARK: - Memory

/** Sizes of the C surface's structs, in bytes. */
const sizes = {
  spring: 32, curve: 40, animation: 224, keyframe: 112, playback: 48, info: 48, event: 40, outcome: 16, trackOutcome: 20, handle: 12,
  layout: 28,
};
const all = -1;
const grid = -1;
/** The size of the block for what a call takes. */
const blockBytes = 65536;

/** One instance of a module: its memory, and its functions with their errors as exceptions. */
class Engine {
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
    const numbers = this.kept(values);
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

function isList(values) {
  return values !== null && typeof values === "object" && Number.isInteger(values.length);
}

function checkLength(values, count, what) {
  if (!isList(values)) throw new TypeError(`${what} must be an array, is ${values}`);
  if (values.length !== count) {
    throw new MurmurationError("invalidCount", `${what} must have ${count} numbers, has ${values.length}`);
  }
}

/** A whole number that C takes as a count. */
function whole(number, what) {
  if (!Number.isInteger(number) || number < 0 || number > 0x7fffffff) {
    throw new MurmurationError("invalidCount", `${what} must be a whole number from 0 on, is ${number}`);
  }
  return number;
}

/** A number as C takes it: with anything else a call would stop the module. */
function real(number, what) {
  if (typeof number !== "number") throw new TypeError(`${what} must be a number, is ${number}`);
  return number;
}

// MARK: - Tracks

const hidden = Symbol("made by a batch");

/** Handles of tracks: three words each, index, generation and store. */
class Tracks {
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

// MARK: - Objects in the module

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

function own(object, engine, id, free) {
  const owned = new Owned(engine, id, free);
  forgotten.register(object, owned, owned);
  return owned;
}

function dispose(owned) {
  forgotten.unregister(owned);
  owned.dispose();
}

/** A clip or a sequence of phases that a batch has loaded: its handle. */
class Loaded {
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
class Clip extends Loaded {}
class Phases extends Loaded {}

/** The state of a batch at one time. */
class Snapshot {
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

// MARK: - Batches

const eventKinds = ["logicallyComplete", "settled", "iteration", "phase", "invalidGoal"];
const columns = { values: 0, velocities: 1, targets: 2 };
function columnCode(what) {
  if (Object.hasOwn(columns, what)) return columns[what];
  throw new TypeError(`what to read is one of ${Object.keys(columns).join(", ")}, not ${what}`);
}
const formats = ["float32", "float16", "unorm8", "snorm8", "unorm16", "snorm16"];
const completions = ["logicallyComplete", "settled"];
const results = ["complete", "replaced", "removed"];

/** The code of a completion; 0 for none. */
function completionCode(completion) {
  if ((completion ?? null) === null) return 0;
  const place = completions.indexOf(completion);
  if (place < 0) throw new TypeError(`a completion is one of ${completions.join(", ")}, not ${completion}`);
  return place + 1;
}

class Batch {
  #engine;
  #owned;
  #dimensions;
  /** Counts the calls that may change what is read, and of each column the count at which it was read. */
  #changes = 0;
  #read = new Map();
  #info = null;
  /** Events and outcomes, by the names of their functions. */
  #lists = {};
  /** The changes whose ends will be told; for those that are waited for, a promise and its ends. */
  #endings = new Map();

  /** @param id The number of a batch that is there. */
  constructor(engine, id) {
    this.#engine = engine;
    this.#owned = own(this, engine, id, "batch_free");
    this.#dimensions = this.#description.dimensions;
  }
  static of(engine, options) {
    checkKeys(options, ["dimensions", "capacity", "reports"], "a batch");
    const { dimensions, capacity = 0, reports = {} } = options;
    checkKeys(reports, ["iterations", "phases", "arrivals"], "reports");
    const { iterations = true, phases = true, arrivals = false } = reports;
    const id = engine.made("batch_create", whole(dimensions, "the number of dimensions"), whole(capacity, "the capacity"), 0);
    const batch = new Batch(engine, id);
    engine.call("set_reports", id, (iterations ? 1 : 0) | (phases ? 2 : 0) | (arrivals ? 4 : 0));
    return batch;
  }

  dispose() {
    this.#change();
    dispose(this.#owned);
    for (const [change, ending] of this.#endings) {
      ending?.reject(new MurmurationError("unknownObject", `the batch was disposed of before change ${change} ended`));
    }
    this.#endings.clear();
  }

  #change() {
    this.#changes++;
    this.#info = null;
    this.#lists = {};
  }

  /** Calls a function about this batch that may change it, with arguments that take memory. */
  #do(body) {
    const engine = this.#engine;
    this.#change();
    const result = engine.scope(() => body(engine, this.#owned.id));
    // The body may have asked for the description of the batch before the call.
    this.#info = null;
    return result;
  }

  // MARK: Reading

  get #description() {
    return this.#info ??= this.#engine.scope(() => {
      const engine = this.#engine;
      const address = engine.take(sizes.info);
      engine.call("batch_describe", this.#owned.id, address);
      const { ints, doubles } = engine.views;
      const [dimensions, count, indexCount] = ints.subarray(address / 4 + 2, address / 4 + 5);
      return { time: doubles[address / 8], dimensions, count, indexCount };
    });
  }
  get dimensions() { return this.#dimensions; }
  get count() { return this.#description.count; }
  get indexCount() { return this.#description.indexCount; }
  get time() { return this.#description.time; }

  get values() { return this.#column("values"); }
  get velocities() { return this.#column("velocities"); }
  get targets() { return this.#column("targets"); }
  #column(name) {
    const engine = this.#engine;
    const count = this.indexCount;
    const buffer = this.#owned.column(name, count * this.#dimensions);
    if (this.#read.get(name) !== this.#changes) {
      engine.call("read", this.#owned.id, columns[name], 0, 0, all, buffer.address, this.#dimensions, 1);
      this.#read.set(name, this.#changes);
    }
    return buffer.view;
  }

  copyVertices(output, options = {}) {
    checkKeys(options, ["what", "tracks", "format", "order", "offset", "stride"], "a layout of vertices");
    const { what = "values", tracks = "all", format = "float32", order = [], offset = 0, stride = 0 } = options;
    const isView = ArrayBuffer.isView(output);
    if (!isView && !(output instanceof ArrayBuffer)) throw new TypeError(`the output must be an array of a buffer, is ${output}`);
    const code = columnCode(what);
    if (!formats.includes(format)) throw new TypeError(`a format is one of ${formats.join(", ")}, not ${format}`);
    if (!isList(order)) throw new TypeError(`the order must be an array, is ${order}`);
    const bytes = isView ? new Uint8Array(output.buffer, output.byteOffset, output.byteLength) : new Uint8Array(output);
    const components = Array.from(order, (component) => whole(component, "a component"));
    const engine = this.#engine;
    engine.scope(() => {
      const { list } = this.#which(tracks);
      const memory = engine.take(Math.max(1, bytes.length));
      engine.views.bytes.set(bytes, memory);
      const layout = engine.take(sizes.layout + 4 * components.length);
      engine.views.ints.set([
        components.length ? layout + sizes.layout : 0, components.length, formats.indexOf(format), whole(offset, "the offset"),
        whole(stride, "the stride"), 0, 0, ...components], layout / 4);
      engine.call("copy_vertices", this.#owned.id, code, ...list, layout, memory, BigInt(bytes.length));
      bytes.set(engine.views.bytes.subarray(memory, memory + bytes.length));
    });
  }

  get events() {
    return this.#list("events", sizes.event, (address, { words, ints, doubles, longs }) => {
      const event = {
        kind: eventKinds[ints[address / 4 + 8]], index: words[address / 4 + 4], change: words[address / 4 + 7],
        time: doubles[address / 8],
      };
      if (["iteration", "phase"].includes(event.kind)) event.number = Number(longs[address / 8 + 1]);
      return event;
    });
  }
  get outcomes() {
    return this.#list("outcomes", sizes.outcome, (address, { words }) => {
      const [change, completed, replaced, removed] = words.subarray(address / 4);
      return { change, completed, replaced, removed, isComplete: replaced + removed === 0 };
    });
  }
  get trackOutcomes() {
    return this.#list("track_outcomes", sizes.trackOutcome, (address, { words }) => {
      const [index, , , change, result] = words.subarray(address / 4);
      return { change, index, result: results[result] };
    });
  }
  /** What a function lends, each element made of its address and the views of memory. */
  #list(name, size, element) {
    return this.#lists[name] ??= this.#engine.scope(() => {
      const engine = this.#engine;
      const result = engine.take(8);
      engine.call(name, this.#owned.id, result, result + 4);
      const [start, count] = engine.views.words.subarray(result / 4);
      return Array.from({ length: count }, (_, place) => element(start + size * place, engine.views));
    });
  }

  async finished(change) {
    if (!this.#endings.has(change)) {
      throw new MurmurationError("invalidCode", `change ${change} did not ask for its completion, or has ended`);
    }
    if (!this.#endings.get(change)) {
      const ending = {};
      ending.promise = new Promise((resolve, reject) => Object.assign(ending, { resolve, reject }));
      this.#endings.set(change, ending);
    }
    return this.#endings.get(change).promise;
  }
  /** Lets what waits for changes go on that have ended. */
  #tell() {
    for (const outcome of this.outcomes) {
      this.#endings.get(outcome.change)?.resolve(outcome);
      this.#endings.delete(outcome.change);
    }
  }

  // MARK: Arguments

  /** The three arguments that tell which tracks a call is about, and how many there are. */
  #which(tracks) {
    if (tracks === "all") return { list: [0, 0, all], count: this.indexCount };
    if (tracks instanceof Tracks) {
      const words = Tracks.words(this.#engine, tracks);
      const address = this.#engine.take(4 * Math.max(1, words.length));
      this.#engine.views.words.set(words, address / 4);
      return { list: [address, 0, tracks.count], count: tracks.count };
    }
    if (tracks === null || typeof tracks !== "object") throw new TypeError(`which tracks: not ${tracks}`);
    checkKeys(tracks, ["first", "count"], "a range of indices");
    const count = whole(tracks.count, "the count");
    return { list: [0, whole(tracks.first, "the first index"), count], count };
  }

  /** One value for all tracks or one for each: address and strides. */
  #values(values, count, what) {
    const dimensions = this.#dimensions;
    if (isList(values) && values.length === dimensions && count !== 1) {
      return [this.#engine.floats(values, dimensions, what), 0, 1];
    }
    return [this.#engine.floats(values, count * dimensions, what), dimensions, 1];
  }

  /** The same, where there may be none. */
  #optional(values, count, what) {
    return values === undefined || values === null ? [0, 0, 0] : this.#values(values, count, what);
  }

  /** The same for variations, which the engine takes when the clip plays already. */
  #variation(values, count, what) {
    const list = this.#values(values, count, what);
    const bad = Array.from(values).find((value) => !(Math.abs(Math.fround(value)) <= 1e15));
    if (bad !== undefined) throw new MurmurationError("invalidValue", `${what} must be finite and within ±1e15, one is ${bad}`);
    return list;
  }

  /** Delays: one for all tracks, plus one for each; or none. */
  #delays({ delay, delays }, list, count) {
    if ((delay ?? delays ?? null) === null) return 0;
    const all = real(delay ?? 0, "the delay") + (isList(delays) ? 0 : real(delays ?? 0, "the delays"));
    // The engine refuses a range that reaches beyond the indices, however many delays it would take.
    if (list[0] === 0 && count > this.indexCount) return 0;
    const each = isList(delays) ? Float64Array.from(delays, (wait) => wait + all) : new Float64Array(count).fill(all);
    return this.#engine.doubles(each, count, "the delays");
  }

  /** A call that gives the number of its change, whose end is told if there is a completion. */
  #changing(tracks, body, completion) {
    const told = completionCode(completion);
    return this.#do((engine, id) => {
      const { list, count } = this.#which(tracks);
      const address = engine.take(4);
      body(engine, id, list, count, address, told);
      const change = engine.views.words[address / 4];
      if (told) this.#endings.set(change, null);
      return change;
    });
  }

  /** A call about tracks alone. */
  #about(name, tracks) {
    this.#do((engine, id) => engine.call(name, id, ...this.#which(tracks).list));
  }

  // MARK: Tracks

  add(values) {
    if (!isList(values)) throw new TypeError(`values must be an array, are ${values}`);
    const dimensions = this.#dimensions;
    const count = Math.floor(values.length / dimensions);
    return this.#do((engine, id) => {
      const address = engine.floats(values, count * dimensions, `values of ${dimensions} dimensions`);
      const handles = engine.take(sizes.handle * Math.max(1, count));
      engine.call("add", id, address, dimensions, 1, handles, count);
      return new Tracks(hidden, engine, engine.views.words.slice(handles / 4, handles / 4 + 3 * count));
    });
  }
  live(tracks) {
    const engine = this.#engine;
    return engine.scope(() => {
      const { list, count } = this.#which(tracks);
      // A range beyond the indices is refused before anything is written.
      const most = tracks instanceof Tracks ? count : Math.min(count, this.indexCount);
      const handles = engine.take(sizes.handle * Math.max(1, most));
      const result = engine.take(4);
      engine.call("live", this.#owned.id, ...list, handles, result);
      const { words } = engine.views;
      return new Tracks(hidden, engine, words.slice(handles / 4, handles / 4 + 3 * words[result / 4]));
    });
  }
  remove(tracks) { this.#about("remove", tracks); }
  removeSettled() {
    return this.#do((engine, id) => {
      const removed = engine.take(4);
      engine.call("remove_settled", id, removed);
      return engine.views.ints[removed / 4];
    });
  }
  removeAll() { this.#do((engine, id) => engine.call("remove_all", id)); }
  compact() { this.#do((engine, id) => engine.call("compact", id)); }
  copy() { return new Batch(this.#engine, this.#engine.made("batch_copy", this.#owned.id)); }
  snapshot(into = null) {
    if (into) this.#engine.call("snapshot_update", Snapshot.id(this.#engine, into), this.#owned.id);
    return into ?? new Snapshot(hidden, this.#engine, this.#engine.made("snapshot_create", this.#owned.id));
  }
  restore(snapshot) { this.#do((engine, id) => engine.call("restore", id, Snapshot.id(engine, snapshot))); }
  setRestTolerance(value, velocity = 0) {
    const speed = real(velocity, "the velocity");
    this.#do((engine, id) => engine.call("set_rest_tolerance", id, real(value, "the value"), speed));
  }

  // MARK: Motions

  animate(tracks, goals, animation = standard, options = {}) {
    const waits = known(options, ["delay", "delays", "completion"]), ends = this.#engine.kept(goals);
    return this.#changing(tracks, (engine, id, list, count, change, told) => {
      const to = this.#values(ends, count, "the goals");
      const each = Array.isArray(animation);
      if (each && animation.length !== count) {
        throw new MurmurationError("invalidCount", `the animations must be ${count}, are ${animation.length}`);
      }
      const how = animation === null ? 0 : engine.animations(each ? animation : [animation]);
      engine.call(
        each ? "animate_each" : "animate", id, ...list, ...to, how, this.#delays(waits, list, count), told, change);
    }, waits.completion);
  }
  retarget(tracks, goals, options = {}) {
    const waits = known(options, ["delay", "delays", "completion"]), ends = this.#engine.kept(goals);
    return this.#changing(tracks, (engine, id, list, count, change, told) => {
      const to = this.#values(ends, count, "the goals");
      engine.call("retarget", id, ...list, ...to, this.#delays(waits, list, count), told, change);
    }, waits.completion);
  }
  follow(tracks, springs = spring(), options = {}) {
    const { leaders, offsets } = known(options, ["leaders", "offsets"]), moves = this.#engine.kept(offsets);
    return this.#changing(tracks, (engine, id, list, count, change) => {
      const each = Array.isArray(springs) ? springs : [springs];
      const start = engine.springs(each);
      if (leaders === undefined) return engine.call("follow", id, ...list, start, each.length, change);
      const led = this.#which(leaders);
      if (!(leaders instanceof Tracks)) throw new TypeError(`leaders are tracks, not ${leaders}`);
      const added = this.#optional(moves, count, "the offsets");
      engine.call("follow_tracks", id, ...list, led.list[0], led.count, ...added, start, each.length, change);
    });
  }
  setGoals(tracks, goals) {
    const ends = this.#engine.kept(goals);
    this.#do((engine, id) => {
      const { list, count } = this.#which(tracks);
      engine.call("set_goals", id, ...list, ...this.#values(ends, count, "the goals"));
    });
  }
  /** Memory that grows detaches what showed it, so each view is made anew. */
  #lent(name, ...which) {
    const engine = this.#engine;
    return engine.scope(() => {
      const result = engine.take(8);
      engine.call(name, this.#owned.id, ...which, result, result + 4);
      const [start, count] = engine.views.words.subarray(result / 4, result / 4 + 2);
      return engine.views.floats.subarray(start / 4, start / 4 + count);
    });
  }
  goals(component = 0) { return this.#lent("goals", whole(component, "the component")); }
  column(component = 0, what = "values") {
    return this.#lent("column", columnCode(what), whole(component, "the component"));
  }
  set(tracks, values, velocities) { return this.#put("set", tracks, values, velocities); }
  displace(tracks, values, velocities) { return this.#put("displace", tracks, values, velocities); }
  push(tracks, velocities) {
    const speeds = this.#engine.kept(velocities);
    return this.#changing(tracks, (engine, id, list, count, change) => {
      engine.call("push", id, ...list, ...this.#values(speeds, count, "the velocities"), change);
    });
  }
  #put(name, tracks, values, velocities) {
    const [places, speeds] = [this.#engine.kept(values), this.#engine.kept(velocities)];
    return this.#changing(tracks, (engine, id, list, count, change) => {
      const at = this.#values(places, count, "the values");
      engine.call(name, id, ...list, ...at, ...this.#optional(speeds, count, "the velocities"), change);
    });
  }
  decelerate(tracks, velocities, options = {}) {
    const { rate = 0.998, within, snap, spring: last = standard, completion } =
      known(options, ["rate", "within", "snap", "spring", "completion"]);
    const thrown = this.#engine.kept(velocities);
    return this.#changing(tracks, (engine, id, list, count, change, told) => {
      const speeds = this.#optional(thrown, count, "the velocities");
      const ends = [this.#bounds(within), ...this.#points(snap), engine.springs([last])];
      engine.call("decelerate", id, ...list, ...speeds, real(rate, "the rate"), ...ends, told, change);
    }, completion);
  }
  /** The address of bounds; 0 for none. */
  #bounds(within) {
    if ((within ?? null) === null) return 0;
    checkKeys(within, ["lower", "upper"], "the bounds");
    const none = (bound) => new Float32Array(this.#dimensions).fill(bound);
    return this.#pair([within.lower ?? none(-Infinity), within.upper ?? none(Infinity)], "a bound");
  }
  /** The address of points at which slides may end, and their number. */
  #points(snap) {
    if ((snap ?? null) === null) return [0, 0];
    const dimensions = this.#dimensions;
    if ("every" in Object(snap)) {
      checkKeys(snap, ["every", "from"], "a grid");
      return [this.#pair([snap.every, snap.from ?? new Float32Array(dimensions)], "a point of a grid"), grid];
    }
    checkKeys(snap, ["values"], "a list of points");
    const { values } = snap;
    const count = isList(values) ? Math.ceil(values.length / dimensions) : 0;
    return [this.#engine.floats(values, count * dimensions, `points of ${dimensions} dimensions`), count];
  }
  /** The address of two vectors, one behind the other. */
  #pair(vectors, what) {
    for (const vector of vectors) checkLength(vector, this.#dimensions, what);
    return this.#engine.floats(vectors.flatMap((vector) => Array.from(vector)), 2 * this.#dimensions, what);
  }
  cancelDelays(tracks) { this.#about("cancel_delays", tracks); }
  pause(tracks) { this.#about("pause", tracks); }
  resume(tracks) { this.#about("resume", tracks); }
  stop(tracks) { this.#about("stop", tracks); }

  // MARK: Clips and phases

  loadClip(components) {
    const dimensions = this.#dimensions;
    if (!isList(components)) throw new TypeError(`a clip is a list of keyframe tracks, not ${components}`);
    if (components.length !== dimensions) {
      throw new MurmurationError("wrongDimensions", `the clip has ${components.length} components, the batch ${dimensions}`);
    }
    return this.#do((engine, id) => {
      const initial = engine.doubles(components.map(({ initial }) => initial), dimensions, "initial values");
      const counts = engine.take(4 * dimensions);
      const keyframes = components.flatMap((component) => component.keyframes);
      const start = engine.take(sizes.keyframe * Math.max(1, keyframes.length));
      keyframes.forEach((keyframe, place) => putKeyframe(engine, start + sizes.keyframe * place, keyframe));
      engine.views.ints.set(components.map((component) => component.keyframes.length), counts / 4);
      const result = engine.take(16 + sizes.handle);
      engine.call("load_clip", id, initial, start, counts, dimensions, 0, result + 16, result);
      const { doubles, words } = engine.views;
      const handle = words.slice(result / 4 + 4, result / 4 + 7);
      return new Clip(hidden, engine, handle, { duration: doubles[result / 8] });
    });
  }

  loadPhases(phases) {
    if (!Array.isArray(phases)) throw new TypeError(`phases are an array, not ${phases}`);
    const dimensions = this.#dimensions;
    return this.#do((engine, id) => {
      const targets = engine.take(4 * dimensions * Math.max(1, phases.length));
      phases.forEach(({ target }, place) => {
        checkLength(target, dimensions, "the target of a phase");
        engine.views.floats.set(target, targets / 4 + dimensions * place);
      });
      const animations = engine.animations(phases.map(({ animation }) => animation));
      const result = engine.take(sizes.handle);
      engine.call("load_phases", id, targets, animations, dimensions, phases.length, result);
      const handle = engine.views.words.slice(result / 4, result / 4 + 3);
      return new Phases(hidden, engine, handle, { count: phases.length });
    });
  }

  unload(what) {
    this.#do((engine, id) => engine.call(isClip(what) ? "unload_clip" : "unload_phases", id, Loaded.put(engine, what)));
  }

  play(what, tracks, playback = {}) {
    const isOfClip = isClip(what);
    checkKeys(
      playback, isOfClip ? ["delay", "speed", "repeat", "autoreverses", "offset", "from", "offsets", "scales", "completion"] :
        ["loops", "offsets", "scales", "starts"], "a playback");
    const [offsets, scales] = [this.#engine.kept(playback.offsets), this.#engine.kept(playback.scales)];
    return this.#changing(tracks, (engine, id, list, count, change, told) => {
      const loaded = Loaded.put(engine, what);
      if (!isOfClip) {
        const starts = playback.starts ? engine.doubles(playback.starts, count, "the starts") : 0;
        engine.call(
          "play_phases", id, loaded, ...list, playback.loops === false ? 1 : 0, starts,
          ...this.#optional(scales, count, "the scales"), ...this.#optional(offsets, count, "the offsets"), change);
        return;
      }
      const { delay = 0, speed = 1, repeat = 1, autoreverses = false, offset = 0, from = "first" } = playback;
      const start = ["first", "shown", "automatic"].indexOf(from);
      if (start < 0) throw new TypeError(`a playback starts from first, shown or automatic, not ${from}`);
      const address = engine.take(sizes.playback);
      engine.call("playback_default", address);
      engine.views.doubles.set([delay, speed, repeat, offset], address / 8 + 1);
      if (autoreverses) engine.views.ints[address / 4 + 10] |= 1;
      const scale = scales ? this.#variation(scales, count, "the scales") : null;
      const move = offsets ? this.#variation(offsets, count, "the offsets") : null;
      engine.call("play_clip", id, loaded, ...list, address, 1, start, told, change);
      if (!scale && !move) return;
      const dimensions = this.#dimensions;
      const same = (number) => [engine.floats(new Float32Array(dimensions).fill(number), dimensions, "variation"), 0, 1];
      engine.call("vary", id, ...list, ...(scale ?? same(1)), ...(move ?? same(0)));
    }, playback.completion);
  }

  trigger(tracks, options = {}) {
    const { completion } = known(options, ["completion"]);
    return this.#changing(
      tracks, (engine, id, list, count, change, told) => engine.call("trigger", id, ...list, told, change), completion);
  }
  setSpeed(tracks, speeds) { this.#numbers("set_speed", tracks, speeds, "the speed"); }
  seek(tracks, times) { this.#numbers("seek", tracks, times, "the time"); }
  #numbers(name, tracks, numbers, what) {
    this.#do((engine, id) => {
      const { list, count } = this.#which(tracks);
      const [each, length] = isList(numbers) ? [numbers, count] : [[real(numbers, what)], 1];
      engine.call(name, id, ...list, engine.doubles(each, length, what), length);
    });
  }

  // MARK: Time

  advance(time, options = {}) {
    const { velocities = false } = known(options, ["velocities"]);
    real(time, "the time");
    this.#do((engine, id) => engine.call("advance", id, time, velocities ? 1 : 0));
    if (this.#endings.size) this.#tell();
  }
}

function isClip(what) {
  if (!(what instanceof Loaded)) throw new TypeError(`clips and phases are what loadClip and loadPhases returned, not ${what}`);
  return what instanceof Clip;
}

const keyframeKinds = [
  ["move", ["move"]], ["linear", ["linear", "duration", "curve"]],
  ["cubic", ["cubic", "duration", "startVelocity", "endVelocity"]],
  ["spring", ["spring", "duration", "options", "startVelocity"]],
];

function putKeyframe(engine, address, keyframe) {
  const kind = keyframeKinds.findIndex(([key]) => keyframe !== null && typeof keyframe === "object" && key in keyframe);
  if (kind < 0) throw new TypeError("a keyframe has one of move, linear, cubic, spring");
  const [key, keys] = keyframeKinds[kind];
  checkKeys(keyframe, keys, `a ${key} keyframe`);
  const { duration, curve = "linear", options = {}, startVelocity, endVelocity } = keyframe;
  if (kind === 1 || kind === 2) real(duration, `the duration of a ${key} keyframe`);
  const flags =
    (startVelocity !== undefined ? 1 : 0) | (endVelocity !== undefined ? 2 : 0) | (kind === 3 && duration !== undefined ? 4 : 0);
  engine.views.ints.set([kind, flags], address / 4);
  engine.views.doubles.set([keyframe[key], duration ?? 0], address / 8 + 1);
  engine.putCurve(address + 24, curveForm(curve));
  engine.putSpring(address + 64, springForm(options));
  engine.views.doubles.set([startVelocity ?? 0, endVelocity ?? 0], address / 8 + 12);
}

// MARK: - Velocity trackers

class VelocityTrackers {
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

// MARK: - Staggers

// The engine has these sums for Swift, C and Python; the module for the web leaves them out.

/** The distance of each position of a line, or of a grid with some columns, from where the first tracks set out. */
function distancesFrom(origin, count, columns) {
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
    if (!isPoint) return Math.min(x, right - x, bottom === 0 ? Infinity : Math.min(y, bottom - y));
    return Math.sqrt((x - place[0]) * (x - place[0]) + (y - place[1]) * (y - place[1]));
  });
}

/** An order that follows from a seed alone: shuffled by SplitMix64. */
function drawnOrder(count, seed) {
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

// MARK: - Loading

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
    return new Batch(engine, engine.made("batch_from_snapshot", Snapshot.id(engine, snapshot)));
  }
  velocityTrackers(options) { return new VelocityTrackers(this.#engine, options); }

  springValue(animation, { from = 0, to = 1, velocity = 0, times }) {
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
    return this.curveValue(ease, steps.map((step) => step / spread)).map((share) => total * share);
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
