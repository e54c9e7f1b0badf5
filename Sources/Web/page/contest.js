// SPDX-License-Identifier: MIT
// Frames of springs by the engine, and by plain loops: both do the same work, and must come to the same values.

import { spring } from "./murmuration.mjs"

const shared = { duration: 3, bounce: 0.3 }
/**
 * Frames of a turn, as browsers tell time in tenths of milliseconds; and turns before the first that counts: machine code
 * improves, and goals that are changed in turn have all been.
 */
const frames = 60, warmUp = 2

/** Numbers that are the same in each run. */
function random() {
  let state = 1
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32
}

/** What is compared: `start` returns a batch, a loop of loops.js, and a frame of each, to which its number is given. */
export const contests = [
  {
    name: "own", words: "in flight, a spring for each",
    start(engine, { ownSprings }, { from, to, springs }) {
      const batch = moving(engine, from, to, springs.map(one => spring(one))), loop = ownSprings(from, to, springs)
      return flight(batch, loop)
    },
  },
  {
    name: "one", words: "in flight, one spring for all",
    start(engine, { oneSpring }, { from, to }) { return flight(moving(engine, from, to, spring(shared)), oneSpring(from, to, shared)) },
  },
  {
    name: "following", words: "following: every goal moves in every frame",
    start(engine, { steppedSprings }, { from, to }) {
      const batch = engine.batch({ dimensions: 1, capacity: from.length })
      batch.follow(batch.add(from), spring(shared))
      const loop = steppedSprings(from, from.slice(), shared)
      const goals = frame => frame % 2 ? to : from
      return {
        batch, loop,
        byEngine(frame) {
          batch.goals().set(goals(frame))
          batch.advance(frame / 60)
        },
        byLoop(frame) {
          loop.goals.set(goals(frame))
          loop.advance(1 / 60)
        },
      }
    },
  },
  {
    name: "sixtieth", words: "in every frame, a sixtieth at random gets a new goal",
    start(engine, { steppedSprings }, { from, to, order }) {
      const batch = engine.batch({ dimensions: 1, capacity: from.length }), tracks = batch.add(from)
      batch.animate(tracks, to, spring(shared))
      const loop = steppedSprings(from, to.slice(), shared), some = Math.floor(from.length / 60), goals = new Float32Array(some)
      const indices = frame => order.subarray(frame % 60 * some, (frame % 60 + 1) * some)
      const goal = (i, frame) => from[(i + 7 * frame) % from.length]
      return {
        batch, loop,
        byEngine(frame) {
          const which = indices(frame)
          for (let i = 0; i < some; i++) goals[i] = goal(which[i], frame)
          batch.animate(tracks.pick(which), goals, spring(shared))
          batch.advance(frame / 60)
        },
        byLoop(frame) {
          for (const i of indices(frame)) loop.goals[i] = goal(i, frame)
          loop.advance(1 / 60)
        },
      }
    },
  },
]

function moving(engine, from, to, animation) {
  const batch = engine.batch({ dimensions: 1, capacity: from.length })
  batch.animate(batch.add(from), to, animation)
  return batch
}

/** Frames of springs that nobody interrupts. */
function flight(batch, loop) {
  const time = frame => 0.1 + 0.001 * frame
  return { batch, loop, byEngine: frame => batch.advance(time(frame)), byLoop: frame => loop.advance(time(frame)) }
}

let comparisons = 0

/**
 * The milliseconds of the fastest frames of both, by turns; between the turns others may run. Values are read in each frame, as
 * something shows them, unless `read` is false.
 */
export async function compare(engine, contest, count, { rounds = 12, read = true } = {}) {
  const next = random(), order = Uint32Array.from({ length: count }, (_, i) => i)
  const anywhere = () => Float32Array.from({ length: count }, () => 200 * next() - 100)
  const springs = Array.from({ length: count }, () => ({ duration: 2 + 4 * next(), bounce: 0.1 + 0.8 * next() }))
  for (let i = count - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1)), one = order[i]
    order[i] = order[j]
    order[j] = one
  }
  // Fresh code each time: a compiler knows the first arrays of a loop, and a loop is half as fast with those after them.
  const loops = await import(`./loops.js?${++comparisons}`)
  const { batch, loop, byEngine, byLoop } = contest.start(engine, loops, { from: anywhere(), to: anywhere(), springs, order })
  const best = { engine: Infinity, loop: Infinity }
  const time = (name, round, frame) => {
    const begin = performance.now()
    for (let i = 1; i <= frames; i++) frame(round * frames + i)
    if (round >= warmUp) best[name] = Math.min(best[name], (performance.now() - begin) / frames)
  }
  for (let round = 0; round < warmUp + rounds; round++) {
    time("engine", round, read ? frame => (byEngine(frame), batch.values) : byEngine)
    time("loop", round, byLoop)
    await new Promise(done => setTimeout(done))
  }
  const values = batch.values, off = loop.values.reduce((most, value, i) => Math.max(most, Math.abs(value - values[i])), 0)
  batch.dispose()
  // Steps in Float32 add up their roundings; values are within 200 or so.
  if (!(off < 0.1)) throw new Error(`${contest.words}: values differ by ${off}`)
  return best
}
