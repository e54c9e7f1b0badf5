// SPDX-License-Identifier: MIT
// A batch: see murmuration.d.mts for what each call takes, gives and throws.
import { spring, standard } from "./animations.mjs";
import { MurmurationError, checkKeys, checkLength, isList, known, numbersOf, real, whole } from "./checks.mjs";
import { Clip, Loaded, Phases, isClip, putKeyframe } from "./clips.mjs";
import { all, grid, sizes } from "./memory.mjs";
import { Snapshot, awaited, dispose, own } from "./objects.mjs";
import { columnCode, columns, completionCode, event, formats, outcome, trackOutcome } from "./records.mjs";
import { Tracks, hidden } from "./tracks.mjs";

export class Batch {
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

  /** @param id The number of a batch that is there. @param snapshot The snapshot that it begins with. */
  constructor(engine, id, snapshot) {
    this.#engine = engine;
    this.#owned = own(this, engine, id, "batch_free");
    this.#dimensions = this.#description.dimensions;
    for (const change of awaited.get(snapshot) ?? []) this.#endings.set(change, null);
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

  get events() { return this.#list("events", sizes.event, event); }
  get outcomes() { return this.#list("outcomes", sizes.outcome, outcome); }
  get trackOutcomes() { return this.#list("track_outcomes", sizes.trackOutcome, trackOutcome); }
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
    const bad = Array.from(numbersOf(values)).find((value) => !(Math.abs(Math.fround(value)) <= 1e15));
    if (bad !== undefined) throw new MurmurationError("invalidValue", `${what} must be finite and within ±1e15, one is ${bad}`);
    return list;
  }

  /** Delays: one for all tracks, plus one for each; or none. */
  #delays({ delay, delays }, list, count) {
    if ((delay ?? delays ?? null) === null) return 0;
    const all = real(delay ?? 0, "the delay") + (isList(delays) ? 0 : real(delays ?? 0, "the delays"));
    // The engine refuses a range that reaches beyond the indices, however many delays it would take.
    if (list[0] === 0 && count > this.indexCount) return 0;
    const each = isList(delays) ? Float64Array.from(numbersOf(delays), (wait) => wait + all) : new Float64Array(count).fill(all);
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
  copy() {
    const made = new Batch(this.#engine, this.#engine.made("batch_copy", this.#owned.id));
    for (const change of this.#endings.keys()) made.#endings.set(change, null);
    return made;
  }
  snapshot(into = null) {
    if (into) this.#engine.call("snapshot_update", Snapshot.id(this.#engine, into), this.#owned.id);
    const snapshot = into ?? new Snapshot(hidden, this.#engine, this.#engine.made("snapshot_create", this.#owned.id));
    awaited.set(snapshot, new Set(this.#endings.keys()));
    return snapshot;
  }
  restore(snapshot) {
    this.#do((engine, id) => engine.call("restore", id, Snapshot.id(engine, snapshot)));
    const changes = awaited.get(snapshot);
    if (!changes) return;
    for (const [change, ending] of this.#endings) {
      if (changes.has(change)) continue;
      this.#endings.delete(change);
      ending?.reject(new MurmurationError("unknownObject", `the batch went back to a time before change ${change}`));
    }
    for (const change of changes) if (!this.#endings.has(change)) this.#endings.set(change, null);
  }
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
    for (const component of components) {
      checkKeys(component, ["initial", "keyframes"], "a track of keyframes");
      if (!Array.isArray(component.keyframes)) throw new TypeError(`keyframes are an array, not ${component.keyframes}`);
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
    for (const phase of phases) {
      checkKeys(phase, ["target", "animation"], "a phase");
      checkLength(phase.target, dimensions, "the target of a phase");
    }
    const numbers = phases.flatMap(({ target }) => Array.from(target));
    return this.#do((engine, id) => {
      const targets = engine.floats(numbers, numbers.length, "the targets of phases");
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
      const times = [delay, speed, repeat, offset].map((number) => real(number, "a number of a playback"));
      engine.views.doubles.set(times, address / 8 + 1);
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
