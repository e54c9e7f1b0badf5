// SPDX-License-Identifier: MIT
// Random programs of calls, as `murmuration programs --web` wrote them with what a Swift batch shows: the same bits and events.
// MURMURATION_PROGRAMS names the file; Scripts/check-web has it written.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { curve, interpolatingSpring, modules, MurmurationError, spring } from "./support.mjs";

const file = process.env.MURMURATION_PROGRAMS;
const lines = file ? (await readFile(file, "utf8")).trim().split("\n") : [];

const kinds = ["logicallyComplete", "settled", "iteration", "phase", "invalidGoal"];
const starts = { firstValue: "first", shownValue: "shown", automatic: "automatic" };
// Texts stand for what JSON has no numbers for.
const number = (found) => ({ nan: NaN, inf: Infinity, "-inf": -Infinity })[found] ?? found;
const numbers = (list) => list?.length ? list.map(number) : undefined;
const curveOf = ({ bezier, name }) => bezier ?? name;

// A spring of NaN, which is refused, has neither form.
function springOf({ duration, bounce, mass, stiffness = NaN, damping = NaN }) {
  return duration === undefined ? { mass: number(mass), stiffness: number(stiffness), damping: number(damping), allowOverDamping: true }
    : { duration: number(duration), bounce: number(bounce) };
}

function animationOf(found) {
  if (found === null) return null;
  const [[kind, parts]] = Object.entries(found);
  const kinds = {
    curve: () => curve(curveOf(parts.curve), number(parts.duration)),
    spring: () => spring(springOf(parts.spring)),
    interpolatingSpring: () => interpolatingSpring({ ...springOf(parts.spring), velocity: parts.initialVelocity }),
    delay: () => animationOf(parts.of).delay(parts.seconds),
    speed: () => animationOf(parts.of).speed(parts.factor),
    repeat: () => parts.count === undefined ? animationOf(parts.of).repeatForever(parts.autoreverses)
      : animationOf(parts.of).repeat(parts.count, parts.autoreverses),
  };
  return kinds[kind]();
}

/** Without the keys that have no value, which the package would refuse. */
const given = (fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

function keyframeOf({ kind, to, duration, timingCurve, spring, startVelocity, endVelocity }) {
  if (kind === "SpringKeyframe") return given({ spring: to, duration, options: springOf(spring), startVelocity });
  if (kind === "MoveKeyframe") return { move: to };
  if (kind === "LinearKeyframe") return { linear: to, duration, curve: curveOf(timingCurve) };
  return given({ cubic: to, duration, startVelocity, endVelocity });
}

/** Bounds, points and the spring of a slide. */
function endsOf({ lower, upper, points, spacing, springs }) {
  if (!lower) return {};
  const list = numbers(points);
  const snap = spacing ? { every: numbers(spacing), from: list } : list && { values: list };
  return { within: { lower: numbers(lower), upper: numbers(upper) }, snap, spring: spring(springOf(springs[0])) };
}

/** Makes the calls of a recording on a batch. */
class Player {
  // The tracks of each `add`, and for each track the place of its `add` and its place there.
  #additions = [];
  #places = [];
  #clips = [];
  #phases = [];

  constructor(murmuration, { dimensions }) {
    this.batch = murmuration.batch({ dimensions });
    // Names that another batch gave, for tracks, clips and phases that there never were.
    this.other = murmuration.batch({ dimensions: 1 });
    this.strangers = [this.other.add([0]), this.other.loadClip([{ initial: 0, keyframes: [] }]), this.other.loadPhases([{ target: [0] }])];
  }

  close() {
    this.batch.dispose();
    this.other.dispose();
  }

  #which({ tracks, indices }) {
    if (indices) return { first: indices[0], count: indices[1] - indices[0] };
    if (!tracks) return "all";
    const places = tracks.map((track) => this.#places[track] ?? [-1, 0]);
    const origin = places[0]?.[0] ?? -1;
    assert.ok(places.every(([one]) => one === origin));
    return (this.#additions[origin] ?? this.strangers[0]).pick(places.map(([, place]) => place));
  }

  perform(call) {
    const { batch } = this;
    const which = this.#which(call);
    const [values, velocities, goals] = [call.values, call.velocities, call.goals].map((list = []) => list.map(number));
    const [scales, offsets, times] = [call.scales, call.offsets, call.numbers].map(numbers);
    const clip = () => this.#clips[call.clips[0]] ?? this.strangers[1];
    const phases = () => this.#phases[call.sequences[0]] ?? this.strangers[2];
    const calls = {
      add: () => {
        const added = batch.add(values);
        for (let place = 0; place < added.count; place++) this.#places.push([this.#additions.length, place]);
        this.#additions.push(added);
      },
      animate: () => {
        const each = (call.animations ?? []).map(animationOf);
        batch.animate(which, goals, each.length === 1 ? each[0] : each, given({ delays: times }));
      },
      retarget: () => batch.retarget(which, goals, given({ delays: times })),
      follow: () => {
        const each = (call.springs ?? []).map((one) => spring(springOf(one)));
        batch.follow(which, each.length === 1 ? each[0] : each);
      },
      setGoals: () => batch.setGoals(which, goals),
      set: () => batch.set(which, values, velocities),
      displace: () => batch.displace(which, values, velocities),
      push: () => batch.push(which, velocities),
      decelerate: () => batch.decelerate(
        which, velocities.length ? velocities : null, { rate: number(call.deceleration), ...endsOf(call) }),
      loadClip: () => this.#clips.push(batch.loadClip(
        call.clip.initialValues.map((initial, place) => ({ initial, keyframes: call.clip.keyframes[place].map(keyframeOf) })))),
      loadPhases: () => this.#phases.push(batch.loadPhases(
        call.targets.map((target, place) => ({ target, animation: animationOf(call.animations[place]) })))),
      unloadClip: () => batch.unload(clip()),
      unloadPhases: () => batch.unload(phases()),
      play: () => {
        const { delay, speed, count = Infinity, autoreverses, timeOffset } = call.playbacks[0];
        batch.play(clip(), which,
          { delay, speed: number(speed), repeat: count, autoreverses, offset: timeOffset, from: starts[call.start] });
      },
      playPhases: () => batch.play(
        phases(), which, given({ loops: call.phasePlayback === "loops", starts: times, offsets, scales })),
      setSpeed: () => batch.setSpeed(which, times[0]),
      seek: () => batch.seek(which, times[0]),
      advance: () => batch.advance(number(call.time), { velocities: call.computesVelocities }),
      setRestTolerance: () => batch.setRestTolerance(...call.tolerance),
      setReports: () => assert.equal(call.reports, 3),
    };
    // The others are named alike, and need nothing but their tracks.
    (calls[call.call] ?? (() => batch[call.call](which)))();
  }
}

function compare(batch, step, where) {
  for (const what of ["values", "velocities", "targets"]) {
    if (step[what] === undefined) continue;
    const bytes = Buffer.from(step[what], "base64");
    const wanted = new Float32Array(Uint8Array.from(bytes).buffer);
    const shown = new Uint32Array(Float32Array.from(batch[what]).buffer);
    const place = new Uint32Array(wanted.buffer).findIndex((bits, index) => bits !== shown[index]);
    assert.ok(shown.length === wanted.length && place < 0, `${where}: ${what}[${place}] is ${batch[what][place]}, not ${wanted[place]}`);
  }
  const events = batch.events.map(({ kind, index, change, time, number = 0 }) => [index, kinds.indexOf(kind), change, time, number]);
  // The last bit of a moment may come from a function of the C library.
  events.forEach((event, place) => {
    const moment = step.events[place]?.[3];
    if (Math.abs(event[3] - moment) <= 2 ** -51 * Math.abs(moment)) event[3] = moment;
  });
  assert.deepEqual(events, step.events, where);
}

for (const murmuration of modules) {
  test(`${murmuration.module}: programs show the bits and events of Swift`, { skip: !file && "MURMURATION_PROGRAMS names no file" }, () => {
    const names = new Set();
    let [refused, frames] = [0, 0];
    for (const line of lines) {
      const { seed, recording, steps } = JSON.parse(line);
      const player = new Player(murmuration, recording);
      recording.calls.forEach((call, place) => {
        const where = `seed ${seed}, call ${place}, ${JSON.stringify(call).slice(0, 300)}`;
        const step = steps[place];
        let error = null;
        try {
          player.perform(call);
        } catch (thrown) {
          if (!(thrown instanceof MurmurationError)) throw thrown;
          error = thrown;
        }
        assert.equal(error === null, step.isAccepted, `${where}: ${error?.message ?? "is accepted"}`);
        if (error) refused++;
        else names.add(call.call);
        if (step.events) {
          compare(player.batch, step, where);
          frames++;
        }
      });
      player.close();
    }
    assert.ok(names.size >= 24 && refused > lines.length / 4 && frames > 8 * lines.length, `${[...names]}, ${refused}, ${frames}`);
  });
}
